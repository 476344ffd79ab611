// SPDX-License-Identifier: MIT
/// Indices that move by a literal in every round of a loop: what the chip's loop counter aL can address (us-isa A9).
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {

/// start in the first round, start + step in the second, and so on. Small integers, step is not 0.
struct Line {
  int start = 0, step = 0;
};

/// Reads definitions of the module once; the module must not change afterwards.
class Inductions {
 public:
  explicit Inductions(const Module& module);
  /// With definitions known already, by result (passes::definitions); they must live as long.
  Inductions(const Module& module, std::span<const Instruction> definitions);
  /// Lane 0 of `index`, read in the body of `loop` outside of loops inside: nullopt unless a scalar variable of that loop that starts at a
  /// literal and moves by a literal decides it.
  std::optional<Line> line(const Node& loop, const Source& index) const;

 private:
  /// factor * variable + offset
  struct Affine {
    double factor = 0, offset = 0;
  };
  std::optional<Affine> affine(const Source& source, unsigned lane, ValueId variable, int depth) const;
  std::optional<Affine> result(const Instruction& in, unsigned lane, ValueId variable, int depth) const;
  bool step(const NodeList& body, size_t param, ValueId variable, std::optional<double>& out) const;

  const Module& module_;
  Vec<const Instruction*> definitions_;
};

/// Loads of constants by index in the body of `loop`, not in loops inside.
Vec<const Instruction*> indexed_constants(const Node& loop);
bool has_inner_loop(const Node& loop);

/// Chip form of fragment programs: every constant that is loaded by index lies in a loop, its index is a line in that loop, starts within
/// 0..max_index, and all indices of a loop have the same step, -127..127. Empty or what is wrong.
std::string check_indexed_constants(const Module& module, const ChipLimits& chip);

}  // namespace pumice::compiler::ir
