// SPDX-License-Identifier: MIT
/// See executor.h.
#include "hw/fast/draw/executor.h"

#include <algorithm>
#include <cstring>

#include "hw/fast/draw/reference_stage.h"
#include "hw/fast/simd/flush.h"

namespace pumice::hw::fast {

namespace {

Cpu choose_cpu(CpuChoice choice) {
  const Cpu best = best_cpu();
  switch (choice) {
    case CpuChoice::portable: return Cpu::portable;
    case CpuChoice::avx2: return std::min(best, Cpu::avx2);
    case CpuChoice::avx512:
    case CpuChoice::best: break;
  }
  return best;
}

class FastExecutor final : public DrawExecutor, private ShapeSink {
 public:
  FastExecutor(const GpuConfig& config, Memory&) : run_tile_(tile_routine(choose_cpu(config.cpu))), worker_(new Worker{}) {
    bins_.resize(size_t{raster::kTilesAcross} * raster::kTilesAcross);
  }

  void draw(DrawContext& ctx, const DrawInput& input) override;

 private:
  void shape(DrawContext& ctx, const Shape& shape) override;
  void flush();

  const TileRoutine run_tile_;
  std::unique_ptr<Worker> worker_;
  Arena arena_;
  std::vector<Bin> bins_;
  std::vector<uint32_t> used_bins_;
  Draw draw_;
};

void FastExecutor::draw(DrawContext& ctx, const DrawInput& input) {
  draw_.routing = raster::read_routing(ctx.state);
  draw_.stencil = raster::read_stencil(ctx.state);
  draw_.stage = reference_stage;
  draw_.context = &ctx;
  ctx.sink = this;
  execute_draw(ctx, input);
  flush();
}

void FastExecutor::shape(DrawContext& ctx, const Shape& shape) {
  void* room = arena_.allocate(raster::kMaxRecordBytes);
  auto* record = new (room) raster::Record;
  if (!raster::set_up(ctx.state, draw_.routing, shape, *record)) return arena_.shrink(room, 0);
  arena_.shrink(room, raster::Record::bytes(record->stride));
  record->draw = &draw_;
  for (int32_t y = record->y0 >> raster::kTileLog2; y <= record->y1 >> raster::kTileLog2; ++y)
    for (int32_t x = record->x0 >> raster::kTileLog2; x <= record->x1 >> raster::kTileLog2; ++x) {
      const auto index = static_cast<uint32_t>(y * raster::kTilesAcross + x);
      if (!bins_[index].first) used_bins_.push_back(index);
      bins_[index].add(arena_, *record);
    }
  if (arena_.bytes() > size_t{8} << 20) flush();
}

void FastExecutor::flush() {
  const FlushDenormals flush_denormals;
  for (const uint32_t index : used_bins_) {
    const auto x = static_cast<int32_t>(index % raster::kTilesAcross), y = static_cast<int32_t>(index / raster::kTilesAcross);
    run_tile_(*worker_, bins_[index], x << raster::kTileLog2, y << raster::kTileLog2);
    bins_[index] = {};
  }
  used_bins_.clear();
  arena_.clear();
}

}  // namespace

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory) {
  return std::make_unique<FastExecutor>(config, memory);
}

}  // namespace pumice::hw::fast
