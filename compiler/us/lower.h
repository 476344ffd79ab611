// SPDX-License-Identifier: MIT
/// Operations with registers: one operation of the Lir as halves of slots and texture instructions, and which temps and other resources
/// it touches, for the scheduler.
#pragma once
#include "compiler/us/lir.h"
#include "compiler/us/schedule.h"

namespace pumice::compiler::us {

/// The resources an operation of the block accesses, by number: temp channels, then the ALU result bit, then output channels and depth,
/// and what X slots touch: memory that others see, memory of the workgroup, scratch, which lanes are discarded, exports.
inline constexpr uint16_t kAluResult = kTempNames * 4, kOutputs = kAluResult + 1, kDepth = kOutputs + kTargetNames * 4,
                          kMemory = kDepth + 1, kLocal = kMemory + 1, kScratch = kLocal + 1, kDiscards = kScratch + 1,
                          kExports = kDiscards + 1, kResources = kExports + 1;

/// Resources are accessed in groups of four, which the channels of a temp are.
struct Touch {
  uint8_t group, mask;
};
inline constexpr size_t kGroups = (kResources + 3) / 4;
inline constexpr Touch touch(uint16_t resource) { return {static_cast<uint8_t>(resource / 4), static_cast<uint8_t>(1u << resource % 4)}; }

/// One operation: of the RGB unit, of the alpha unit, of both, or a texture instruction.
struct Node {
  bool has_rgb = false, has_alpha = false, is_tex = false, is_slot = false;  ///< is_slot: an X slot, is_tex with a result at once
  uint32_t tex = 0;                                                          ///< index into Operations::textures
  const uint32_t* at = nullptr;                                              ///< Op::at
  Half rgb, alpha;
  isa::Small<Touch, 20> reads, writes;
};
/// Of one straight run.
struct Operations {
  Vec<Node> nodes;
  Vec<Instruction> textures;
  void clear() {
    nodes.clear();
    textures.clear();
  }
};

/// Translates operations of the Lir to physical registers.
class Lower {
 public:
  Lower(const Lir& lir, const isa::Allocation& allocation) : lir_(lir), allocation_(allocation) {}

  /// Appends what is left of it: nothing of a copy to the same place.
  void op(const Op& op, Operations& out) const;

 private:
  void nodes(const Op& op, Operations& out) const;
  uint8_t channel(uint32_t reg, uint8_t lane) const { return allocation_.of[reg].channel[lane]; }
  uint8_t temp(uint32_t reg) const { return static_cast<uint8_t>(allocation_.of[reg].reg); }
  bool self_copy(const VUnit& u) const;
  void drop_self_copies(VUnit& u) const;
  void half(const VUnit& u, bool alpha, Node& node) const;
  void unit(const VUnit& u, bool alpha, Half& half, Node& node) const;
  void source(const VUnit& u, unsigned index, bool alpha, unsigned lanes, const std::array<uint8_t, 3>& position, Half& half,
              Node& node) const;
  Port port(const VSource& s, unsigned lanes, Node& node) const;
  void texture(const Op& op, Node& node, Instruction& x) const;
  void slot(const Op& op, Node& node, Instruction& x) const;
  void destination(const Op& op, Node& node, Instruction& x) const;
  void selector(DescriptorSelector& s, const VSource& index, Node& node) const;

  const Lir& lir_;
  const isa::Allocation& allocation_;
};

}  // namespace pumice::compiler::us
