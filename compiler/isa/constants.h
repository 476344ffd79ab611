// SPDX-License-Identifier: MIT
/// Layout of a stage's constant file: which vec4 slots of which uniform block, push range and driver parameter the module reads
/// (whole ranges where the index is dynamic), and behind them the immediates, packed.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "compiler/ir/ir.h"

namespace pumice::compiler::isa {

class ConstantFile {
 public:
  /// Of chips with memory the file has immediates only.
  explicit ConstantFile(const ir::Module& module);

  /// Slot that a load_uniform, load_push or load_param instruction reads (with a dynamic index: the slot of index 0).
  uint32_t slot(const ir::Instruction& load) const;

  /// Up to four values in one slot; lane[i] says where values[i] is.
  struct Immediate {
    uint32_t slot = 0;
    std::array<uint8_t, 4> lane{};
  };
  Immediate immediate(std::span<const float> values);
  /// The slot whose lanes of `mask` hold the values of these lanes.
  uint32_t aligned(const std::array<float, 4>& values, unsigned mask);

  uint32_t size() const { return first_immediate_ + static_cast<uint32_t>(immediates_.size()); }
  /// Where the block that takes most of it is declared; null if that is something else.
  const uint32_t* largest() const;
  std::vector<ConstantRange> ranges() const;
  /// The immediates as words.
  std::vector<std::array<uint32_t, 4>> immediates() const;

 private:
  struct Key {  ///< which memory a load reads: uniform block, push constants or driver parameter
    uint8_t kind = 0;
    uint32_t a = 0, b = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Run {
    uint32_t first = 0, count = 0, slot = 0;  ///< vec4s [first, first+count) of the source at `slot`
  };
  static Key key(const ir::Instruction& load);
  void scan(const ir::NodeList& list, Map<Key, Map<uint32_t, bool>>& used);

  const ir::Module& module_;
  Map<Key, Vec<Run>> runs_;
  uint32_t first_immediate_ = 0;
  struct Pack {
    std::array<uint32_t, 4> bits{};
    uint8_t used = 0;  ///< mask of lanes
  };
  Vec<Pack> immediates_;
};

}  // namespace pumice::compiler::isa
