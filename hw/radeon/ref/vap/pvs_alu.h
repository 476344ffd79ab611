// SPDX-License-Identifier: MIT
/// The two arithmetic engines of the PVS: one function per engine, operands in, result out, no register access (pvs-isa s.4-8).
/// Exact values: hw/common/numerics/README.md.
#pragma once
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::vap {

struct AluResult {
  Vec4 value{};
  uint8_t mask = 0xF;     ///< components the operation itself leaves unwritten are 0
  bool to_fixed = false;  ///< FLT2FIX: an integer for A0
};

/// opcode: PVS_INST_DST.PVS_DST_OPCODE. Reads and, for PRED_SET_*_PUSH, writes the predicate.
AluResult vector_engine(uint32_t opcode, const Vec4& a, const Vec4& b, const Vec4& c, bool& predicate);
/// opcode: PVS_INST_DST_MATH.PVS_DST_OPCODE. a, b, c: the W lanes of the operands.
AluResult math_engine(uint32_t opcode, float a, float b, float c, bool& predicate);

/// x limited to [0,1]; NaN becomes 0.
float saturate(float x);
/// What A0 holds for x: floor, limited to [-256, 255], NaN is 0.
int32_t to_address(float x);

}  // namespace pumice::hw::vap
