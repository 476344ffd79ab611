// SPDX-License-Identifier: MIT
/// The modules and programs that a recording has declared so far, and which of them a draw or dispatch runs.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "compiler/driver/declared.h"
#include "hw/radeon/draw/extended.h"
#include "hw/types.h"

namespace pumice::hw::trace {

class Declarations {
 public:
  /// Any packet; others than declarations, and damaged ones, are passed over. True: it completed a program.
  bool packet(std::span<const uint32_t> words);
  /// The last one declared whose microcode this is; null: none.
  const compiler::Declared* find(const DrawContext& ctx, bool draw) const;
  /// The words of a module; empty: not declared.
  std::span<const uint32_t> module(const compiler::Digest& digest) const;

 private:
  using Names = std::array<compiler::CodeName, compiler::kStages>;
  bool whole(ModuleLabel::Kind kind);

  std::map<compiler::Digest, std::vector<uint32_t>> modules_;
  std::map<Names, compiler::Declared> programs_;
  std::set<std::pair<uint32_t, uint32_t>>
      fragment_sizes_;           ///< slots and more: on the R3xx registers do not say which of its stores belong together
  std::vector<uint8_t> pieces_;  ///< of what is under way
};

}  // namespace pumice::hw::trace
