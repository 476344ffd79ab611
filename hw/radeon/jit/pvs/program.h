// SPDX-License-Identifier: MIT
/// The registers of 16 vertices, and a vertex program in the form that code generation reads. Plain data: SIMD files include it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/lanes.h"

namespace pumice::hw::fast::vertex {

// ---- Registers of 16 vertices ------------------------------------------------------------------------------------------------------

/// Rows of Batch::row: a register file is consecutive registers of x, y, z, w.
inline constexpr int kTemps = 32, kAltTemps = 20, kInputs = 16, kOutputs = 16;
inline constexpr int kTempRow = 0, kAltRow = kTempRow + 4 * kTemps, kInputRow = kAltRow + 4 * kAltTemps,
                     kOutputRow = kInputRow + 4 * kInputs, kRows = kOutputRow + 4 * kOutputs;
inline constexpr int kMaxFetchRows = 128;  ///< dwords that 16 elements of 8 can read
inline constexpr int kConstants = 256;

struct alignas(64) Batch {
  Lanes row[kRows];
  uint32_t stage[kMaxFetchRows][kLanes];  ///< fetched dwords
  const float (*constant)[4] = nullptr;   ///< kConstants, denormals flushed; beyond MAX_CONST_ADDR zero
};

// ---- Program -------------------------------------------------------------------------------------------------------------------------

struct Source {
  enum class Kind : uint8_t { zero, row, constant, relative_constant, relative_row } kind = Kind::zero;
  uint8_t a0 = 0;      ///< relative: component
  uint8_t negate = 0;  ///< per component
  bool abs = false;
  uint8_t swizzle[4] = {4, 4, 4, 4};  ///< 0..3, or 5: one, other: zero
  int32_t index = 0;                  ///< row: first row; constant: number; relative: offset
  int32_t first_row = 0, count = 0;   ///< relative: the file's registers
};

/// One instruction that every vertex executes.
struct PvsOp {
  enum class Engine : uint8_t { vector, math } engine = Engine::vector;
  uint8_t opcode = 0;  ///< of the chip; macros are their vector operation
  bool saturate = false, predicated = false, sense = false;
  enum class Dst : uint8_t { none, row, a0, relative } dst = Dst::none;
  uint8_t write_mask = 0;
  bool replicate_x = false;
  uint8_t dst_a0 = 0;
  int32_t dst_index = 0, dst_first_row = 0, dst_count = 0;
  Source src[3];
  bool dual = false, dual_saturate = false;
  uint8_t dual_opcode = 0, dual_channel = 0;
  int32_t dual_row = 0;
  Source dual_src;
};

struct PvsCode {
  const PvsOp* op = nullptr;
  uint32_t count = 0;
  /// Rows to set to zero first (temporaries that are used), as register numbers of 4 rows.
  uint8_t zero_register[kTemps + kAltTemps];
  uint32_t zero_registers = 0;
};

}  // namespace pumice::hw::fast::vertex
