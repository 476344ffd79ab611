// SPDX-License-Identifier: MIT
/// See work.h.
#include "hw/radeon/trace/page/work.h"

#include <algorithm>
#include <bit>

#include "hw/extents.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/xr/fragment.h"

namespace pumice::hw::trace {

namespace {

constexpr uint32_t kTilesAcross = (kMaxExtent + kTile - 1) / kTile;

template <class T>
void add_one(T& v) {
  if (v != std::numeric_limits<T>::max()) ++v;
}

uint32_t any(std::span<const uint8_t> mask) {
  uint32_t all = 0;
  for (const uint8_t m : mask) all |= m;
  return all;
}

}  // namespace

void PixelWork::at(int32_t x, int32_t y) {
  const uint32_t tx = uint32_t(std::max(x, 0)) / kTile, ty = uint32_t(std::max(y, 0)) / kTile, place = ty * kTilesAcross + tx;
  if (index_.size() <= place) index_.resize(place + 1);
  if (!index_[place]) {
    tiles_.push_back(std::make_unique<WorkTile>());
    tiles_.back()->x = tx, tiles_.back()->y = ty;
    index_[place] = uint32_t(tiles_.size());
  }
  tile_ = tiles_[index_[place] - 1].get();
  const uint32_t first = (uint32_t(y) % kTile) * kTile + uint32_t(x) % kTile;
  pixel_ = {first, first + 1, first + kTile, first + kTile + 1};
}

void PixelWork::pixel(int32_t x, int32_t y, uint32_t cycles, bool failed_test, bool killed, bool stored) {
  at(x, y);
  ran(entered_ = 1);
  for (uint32_t i = 0; i < cycles; ++i) counts(1);
  if (failed_test) failed(0);
  if (stored) written(0);
  totals.killed += killed;
}

void PixelWork::ran(uint32_t pixels) {
  totals.fragments += uint32_t(std::popcount(pixels));
  for (uint32_t p = 0; p < 4; ++p)
    if (pixels >> p & 1u) add_one(tile_->fragments[pixel_[p]]);
}
void PixelWork::failed(uint32_t pixel) { ++totals.failed, add_one(tile_->failed[pixel_[pixel]]); }
void PixelWork::written(uint32_t pixel) { ++totals.written, add_one(tile_->written[pixel_[pixel]]); }
void PixelWork::counts(uint32_t active) {
  for (uint32_t p = 0; p < 4; ++p)
    if ((active & entered_) >> p & 1u) ++totals.instructions, add_one(tile_->instructions[pixel_[p]]);
}

void PixelWork::begins(const DrawContext&, PixelStage stage, const PixelQuad&, std::span<const uint8_t> mask, uint32_t sample,
                       const std::array<float, 4>*) {
  if (stage == PixelStage::depth) entered_ = mask[sample];
  if (stage != PixelStage::shader) return;
  entered_ = any(mask);
  ran(entered_);
}

void PixelWork::ends(const DrawContext&, PixelStage stage, const PixelQuad&, std::span<const uint8_t> mask, uint32_t) {
  const uint32_t left = any(mask);
  if (stage == PixelStage::shader) totals.killed += uint32_t(std::popcount(entered_ & ~left));
  for (uint32_t p = 0; p < 4; ++p) {
    if (stage == PixelStage::depth && ((entered_ & ~left) >> p & 1u)) failed(p);
    if (stage == PixelStage::color && (left >> p & 1u)) written(p);
  }
}

void PixelWork::instruction(us::Thread& t, const isa::us_r500::Instruction&) { counts(t.active); }

void PixelWork::quad(const DrawContext&, const xr::QuadState& q) { at(q.x, q.y); }

void PixelWork::test_ends(const DrawContext&, uint32_t pixel, const xz::Sample&, bool passed) {
  if (!passed) failed(pixel);
}

void PixelWork::program_begins(const DrawContext&, int32_t, uint32_t helpers) {
  entered_ = ~helpers & 15u;
  ran(entered_);
}

void PixelWork::program_ends(const DrawContext&, const xr::FragmentLink& link) {
  totals.killed += uint32_t(std::popcount(link.killed & entered_));
}

void PixelWork::store_ends(const DrawContext&, uint32_t pixel, uint32_t, const xr::FragmentLink&) { written(pixel); }

void PixelWork::instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction&) {
  if (!in_vertex_) return counts(t.active);
  ++totals.vertex_instructions;
}

}  // namespace pumice::hw::trace
