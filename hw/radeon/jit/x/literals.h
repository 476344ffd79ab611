// SPDX-License-Identifier: MIT
/// The literals of an extended program that its routine reads from memory, so that programs that differ in nothing else share a routine:
/// applications make variants of a shader by specialization constants.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "hw/radeon/decode/us/program.h"

namespace pumice::hw::fast::extended {

/// By literal: the components that a routine need not know (bits). They are ordinary numbers (is_ordinary()), and operands of nothing but
/// float operations beside values that are not known either: what folds or chooses code stays known.
std::vector<uint8_t> open_literals(const hw::x::Program& program);

/// The part of it that follows from code alone.
class LiteralUses {
 public:
  explicit LiteralUses(std::span<const isa::us_r500::Instruction> code);
  std::vector<uint8_t> open(std::span<const hw::x::Bits4> literals) const;

 private:
  std::vector<uint8_t> may_be_open_;  ///< components by literal; those behind the end are not read
};

/// A number without properties that code depends on but its sign: no power of two, no zero, no NaN, not very large or small.
bool is_ordinary(uint32_t bits);

}  // namespace pumice::hw::fast::extended
