// SPDX-License-Identifier: MIT
/// The memory that an extended draw touches (docs/r5x.md, sections 4, 6 to 8): its targets from registers, what its programs read from the
/// descriptors that they name.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/footprint/rows.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::fast::extended {

/// A colour or depth target.
struct TargetUse {
  ByteRange range;
  uint64_t base = 0, layer_pitch = 0;
  uint32_t pitch = 0;
  uint8_t bytes = 0, samples_log2 = 0;
  bool writes = false;
  /// Whether equal addresses mean equal screen positions, whatever the layers.
  bool same_pixels(const TargetUse& o) const;
};

struct Footprint {
  static constexpr uint32_t kDepth = xb::kTargets;
  std::array<TargetUse, xb::kTargets + 1> target;
  uint32_t targets = 0;
  std::vector<ByteRange> read;        ///< by fragments, while the draw is queued
  std::vector<ByteRange> read_early;  ///< by vertices, at once
  bool reads_any = false;             ///< fragments read through descriptors that registers choose
  bool reads_any_early = false;       ///< likewise for vertices
  bool stores = false;                ///< a program writes memory
  bool backed = true;                 ///< all targets are backed
  std::span<const TargetUse> uses() const { return std::span(target).first(targets); }
  /// Whether the order of tiles does not matter: no target overlaps itself or another one, no texture is a target.
  bool tiles = true;
  bool separate_targets = true;  ///< the part of it that targets decide
};

/// The memory accesses of a program, from its code.
struct ProgramUses {
  struct Descriptor {
    isa::us_r500::Selector at;
    bool image = false;
    bool reads = true;  ///< else only the descriptor itself
  };
  std::vector<Descriptor> descriptors;  ///< those that the code names, each once
  bool indirect = false, stores = false, push = false, strict_lookups = false;
  uint32_t attributes = 0;  ///< mask
  explicit ProgramUses(const hw::x::Program& program);
};

class Footprints {
 public:
  struct Programs {
    std::shared_ptr<const hw::x::Program> vertex, fragment;
  };
  explicit Footprints(const Memory& memory) : memory_(memory) {}
  /// The descriptors that the draw's programs name.
  void descriptors(const ChipState& state, const Programs& programs, std::vector<ByteRange>& out);
  Footprint of(const ChipState& state, const Programs& programs);
  /// Updates the footprint of a draw with the same programs and targets from descriptors and addresses.
  void bind(const ChipState& state, const Programs& programs, Footprint& f);

 private:
  struct Known {
    std::shared_ptr<const hw::x::Program> program;  ///< keeps the address from being used again
    ProgramUses uses;
  };
  const ProgramUses& uses(const std::shared_ptr<const hw::x::Program>& program);
  void add_reads(const ProgramUses& uses, const hw::x::Resources& needs, std::vector<ByteRange>& out) const;

  static constexpr size_t kMost = 1024;  ///< then all are dropped
  const Memory& memory_;
  std::map<const hw::x::Program*, Known> known_;
};

}  // namespace pumice::hw::fast::extended
