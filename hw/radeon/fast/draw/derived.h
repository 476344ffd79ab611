// SPDX-License-Identifier: MIT
/// State that the fast executor derives from the chip's registers, kept across draws and derived again for dirty groups of registers
/// (hw/radeon/regfile/changes.h). Parts are immutable once made; batches share them.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/radeon/fast/draw/bins.h"
#include "hw/radeon/fast/draw/surfaces.h"
#include "hw/radeon/fast/draw/worker.h"
#include "hw/radeon/fast/raster/triangles.h"
#include "hw/radeon/fast/texture/tx.h"
#include "hw/radeon/jit/lane/code_memory.h"
#include "hw/radeon/ref/vap/fetch.h"
#include "hw/radeon/regfile/register_copy.h"

namespace pumice::hw::fast {

struct Batch;

/// Compiled programs by key; the least recently used ones are evicted.
class ProgramCache {
 public:
  std::shared_ptr<const us::CompiledShade> find(const ChipState& state, const RsLayout& layout, Cpu cpu, CodeNames names);

 private:
  static constexpr size_t kMost = 512;
  struct Entry {
    std::shared_ptr<const us::CompiledShade> shade;
    uint64_t used = 0;
  };
  std::unordered_map<us::ShadeKey, Entry, us::ShadeKeyHash> entries_;
  uint64_t clock_ = 0;
  const std::shared_ptr<lane::CodeMemory> memory_ = std::make_shared<lane::CodeMemory>();
};

class Derived {
 public:
  Derived(Memory& memory, Cpu cpu, CodeNames names = {}) : memory_(memory), cpu_(cpu), names_(names) {}

  /// Updates all derived state. False: the draw cannot be tiled, because its result depends on the order of its pixels (surfaces that
  /// overlap, a texture that is a target), or it has state that tiles have no routines for (rare.h).
  bool update(DrawContext& ctx);

  const output::Rect& rect() const { return output_->rect; }  ///< pixels that the draw may touch
  const WrittenSurfaces& written() const { return output_->written; }
  const SampledRanges& sampled() const { return sampled_; }
  /// The fast path for filled triangles.
  const raster::TrianglePlan& triangles() const { return raster_->triangles; }
  const std::shared_ptr<const output::State>& output() const { return output_->state; }
  /// The part of the draw that collects reports; null if none can occur.
  std::shared_ptr<const void> units() const { return units_; }
  static void take_unit_reports(const void* units, DrawContext& ctx);

  /// Whether registers of Changes::kVertex changed since the last call.
  bool take_vertex_changed() { return std::exchange(vertex_changed_, false); }

  /// Valid until update().
  const DrawState& described() const { return described_; }
  /// Keeps the objects that `draw` points to alive as long as the batch.
  void keep(Draw& draw, Batch& batch);

  /// Whether vertex fetch may read what queued draws write.
  bool fetches_from(const PendingMemory& pending, const ChipState& state, regs::VAP_VF_CNTL vf) const;

 private:
  DrawState describe() const;
  struct Raster {
    raster::Routing routing;
    raster::Stencil stencil;
    raster::TrianglePlan triangles;
    bool position = false;  ///< the program reads the pixel's position
  };
  /// Texture units that the program may read.
  struct Units {
    std::array<std::unique_ptr<tx::Prepared>, most::texture_units> unit;
    std::array<const tx::UnitHead*, most::texture_units> head{};
    hw::tx::Filter4Kernel kernel;
    bool kills = false;
    bool neighbours = false;  ///< a lookup may depend on other lanes of its quad
  };
  /// A part that is already kept alive by the batch.
  struct Kept {
    const void* part = nullptr;
    uint64_t batch = 0;
  };
  void read_units(const ChipState& state);
  bool needs_snapshot() const { return program_->may_interpret(); }
  void keep_constants(Draw& draw, Batch& batch);
  void find_picture();
  void read_output(const ChipState& state);

  Memory& memory_;
  const Cpu cpu_;
  const CodeNames names_;
  uint64_t map_version_ = ~uint64_t{0};
  const uint32_t* zmask_ = nullptr;  ///< the RAM that `output_` was prepared with, if it uses one
  const uint32_t* cmask_ = nullptr;  ///< likewise
  std::shared_ptr<const Raster> raster_;
  /// The most recent ones: applications alternate between a few pipelines.
  struct OutputEntry {
    RegisterCopy registers;  ///< of output_key()
    uint64_t map_version = 0;
    std::shared_ptr<const output::State> state;
    WrittenSurfaces written;
    output::Rect rect{};
    uint64_t batch = 0;  ///< the last one that keeps it alive
  };
  static constexpr size_t kOutputs = 4;
  std::array<OutputEntry, kOutputs> outputs_;
  OutputEntry* output_ = outputs_.data();  ///< the current one
  size_t next_output_ = 0;                 ///< to be replaced
  std::shared_ptr<const Units> units_;
  std::shared_ptr<const stretch::Plan> picture_;  ///< null: not drawn by rows
  DrawState described_;
  const ChipState* state_ = nullptr;  ///< of the current draw
  /// The constants of the last kept draw, in its batch.
  struct {
    uint64_t batch = 0;
    const us::CompiledShade* program = nullptr;
    bool stale = true;
    const float (*value)[4] = nullptr;
    const uint32_t* flow = nullptr;
  } constants_;
  bool rare_ = false;  ///< left_to_reference()
  bool vertex_changed_ = true;
  std::array<Kept, 5> kept_;
  std::shared_ptr<const ChipState> snapshot_;
  std::shared_ptr<const us::CompiledShade> program_;
  ProgramCache programs_;
  SampledRanges sampled_;
  std::vector<vap::VertexArray> vertex_arrays_;
};

}  // namespace pumice::hw::fast
