// SPDX-License-Identifier: MIT
/// The memory that an extended draw or dispatch touches (docs/r5x.md, sections 4, 6 to 9): targets from registers, the rest from the
/// descriptors that programs name. One description with two views: ranges for the executor's hazards, rows for recordings (README.md).
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/footprint/draw.h"
#include "hw/radeon/footprint/program.h"

namespace pumice::hw::footprint {

/// A colour or depth target.
struct TargetUse {
  What what = What::color;
  bool writes = false;
  uint8_t bytes = 0, samples_log2 = 0;
  uint32_t pitch = 0, layers = 1;
  uint64_t base = 0, layer_pitch = 0;
  uint64_t row = 0, rows = 0;  ///< bytes of a row and rows of a layer; each sample has a row
  ByteRange range;
  /// Whether equal addresses are of equal screen positions, in layers of any number.
  bool same_pixels(const TargetUse& o) const;
  /// Whether it overlaps itself.
  bool overlaps_itself() const { return (rows > 1 && row > pitch) || (layers > 1 && (rows - 1) * pitch + row > layer_pitch); }
};

/// The targets of an extended draw, depth last.
struct Targets {
  std::array<TargetUse, xb::kTargets + 1> target;
  uint32_t count = 0;
  /// Depth has layers whose number only the draw knows: there are no colour targets that limit them.
  bool open_layers = false;
  std::span<const TargetUse> uses() const { return std::span(target).first(count); }
};
Targets targets(const ChipState& state);

struct Extended {
  Targets targets;
  std::vector<ByteRange> read;        ///< by fragments, while the draw is queued
  std::vector<ByteRange> read_early;  ///< by vertices, at once
  std::vector<ByteRange> buffers;     ///< the vertex buffers: likewise
  bool reads_any = false;             ///< fragments read through descriptors that registers choose
  bool reads_any_early = false;       ///< vertices do
  bool stores = false;                ///< a program writes memory
  bool backed = true;                 ///< all targets are backed
  /// Whether any order of tiles makes the same: no target overlaps itself or another one, no texture is a target unless it is read like
  /// one.
  bool tiles = true;
  bool separate_targets = true;  ///< the part of it that targets decide
  bool feeds_back = false;       ///< fragments read the targets' texels at their own pixels, which are not in `read`
  std::span<const TargetUse> uses() const { return targets.uses(); }
};

/// Footprints of draws whose programs the executor has found.
class ExtendedDraws {
 public:
  struct Programs {
    std::shared_ptr<const x::Program> vertex, fragment;
    std::shared_ptr<const ProgramUses> vertex_uses, fragment_uses;  ///< by find()
  };
  explicit ExtendedDraws(const Memory& memory) : memory_(memory) {}
  /// Stages of a draw.
  struct Stages {
    bool vertex = true, fragment = true;
  };
  /// What the programs do.
  void find(Programs& programs);
  /// After find(). First of the stages: makes `read` and `read_early` the descriptors and constants that their programs name.
  void bind_descriptors(const Programs& programs, const x::Resources& needs, Stages stages, Extended& f);
  /// Then: the targets, and what programs do.
  void bind_state(const ChipState& state, const Programs& programs, Extended& f);
  /// Then of the stages: what the descriptors describe.
  void bind_memory(const Programs& programs, const x::Resources& needs, Stages stages, Extended& f);
  /// The vertex buffers.
  void bind_buffers(const ChipState& state, const Programs& programs, Extended& f);
  /// All of it.
  Extended of(const ChipState& state, Programs programs);

 private:
  const Memory& memory_;
};

}  // namespace pumice::hw::footprint
