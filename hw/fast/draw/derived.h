// SPDX-License-Identifier: MIT
/// What the fast executor knows of the chip's registers, kept from draw to draw and made again where a group of registers changed
/// (hw/regfile/changes.h). Parts are immutable once made; batches share them.
#pragma once
#include <memory>
#include <vector>

#include "hw/fast/draw/bins.h"
#include "hw/fast/draw/surfaces.h"
#include "hw/fast/draw/worker.h"
#include "hw/vap/fetch.h"

namespace pumice::hw::fast {

struct Batch;

class Derived {
 public:
  Derived(Memory& memory, Cpu cpu) : memory_(memory), cpu_(cpu) {}

  /// Brings everything up to date. False: the draw is not for tiles, because its result depends on the order of its pixels (surfaces that
  /// overlap, a texture that is a target) or the chip has no blocks here (R3xx).
  bool update(DrawContext& ctx);

  const WrittenSurfaces& written() const { return written_; }
  const SampledRanges& sampled() const { return sampled_; }
  const std::shared_ptr<const output::State>& output() const { return output_; }

  /// Fills everything but number and counters; valid until update().
  void describe(Draw& draw) const;
  /// Makes what `draw` points to live as long as the batch.
  void keep(Draw& draw, Batch& batch);

  /// Memory that vertex fetch may read.
  std::vector<ByteRange> vertex_ranges(const ChipState& state) const;

 private:
  struct Raster {
    raster::Routing routing;
    raster::Stencil stencil;
  };
  struct Program {
    ShadeRoutine routine = nullptr;
    ShadeTraits traits;
    bool needs_snapshot = false;
  };
  struct Constants {
    alignas(64) float value[256][4] = {};
    uint32_t flow[33] = {};
  };
  void read_program(const ChipState& state);
  void read_constants(const ChipState& state, uint32_t end);

  Memory& memory_;
  const Cpu cpu_;
  uint64_t map_version_ = ~uint64_t{0};
  output::Rect rect_;
  std::shared_ptr<const Raster> raster_;
  std::shared_ptr<const output::State> output_;
  std::shared_ptr<const Constants> constants_;
  std::shared_ptr<const ChipState> snapshot_;
  Program program_;
  WrittenSurfaces written_;
  SampledRanges sampled_;
  std::vector<vap::VertexArray> vertex_arrays_;
};

}  // namespace pumice::hw::fast
