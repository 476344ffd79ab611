// SPDX-License-Identifier: MIT
/// Memory as the evaluator sees it (docs/r5x.md, XM): words that loads, stores and atomics of any width reach by byte offset. What lies
/// outside reads zero and stores nothing.
#pragma once
#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

class EvalMemory {
 public:
  explicit EvalMemory(std::vector<uint32_t>& words) : words_(words) {}
  /// width: 8 or 16 bits, else a word.
  uint32_t load(uint32_t byte, unsigned width, bool is_signed) const;
  void store(uint32_t byte, unsigned width, uint32_t value);
  /// Gives the old word.
  uint32_t atomic(uint32_t byte, Atomic op, bool floats, uint32_t data, uint32_t compare);
  /// Of an integer of 64 bits.
  uint64_t atomic_wide(uint32_t byte, Atomic op, uint64_t data, uint64_t compare);

 private:
  std::vector<uint32_t>& words_;
};

/// What the atomic leaves in memory, also one step of a reduction; `floats`: add, smin, smax, mul are of floats.
uint32_t eval_atomic(Atomic op, bool floats, uint32_t old, uint32_t data, uint32_t compare);
/// The value that changes nothing.
uint32_t identity(Atomic op, bool floats);

}  // namespace pumice::compiler::ir
