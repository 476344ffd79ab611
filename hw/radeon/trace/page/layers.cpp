// SPDX-License-Identifier: MIT
/// See layers.h.
#include "hw/radeon/trace/page/layers.h"

#include <algorithm>

namespace pumice::hw::trace {

namespace {

void put(Bytes& out, uint32_t v, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) out.push_back(uint8_t(v >> 8 * i));
}

/// Three planes of one number.
void to_differences(std::span<uint8_t> planes) {
  const auto at = [&](size_t i) {
    return planes[i] | uint32_t{planes[i + kTilePixels]} << 8 | uint32_t{planes[i + 2 * kTilePixels]} << 16;
  };
  for (size_t i = kTilePixels; i-- > 0;) {
    const uint32_t v = at(i) - (i % kTile ? at(i - 1) : 0);
    for (size_t k = 0; k < 3; ++k) planes[i + k * kTilePixels] = uint8_t(v >> 8 * k);
  }
}

}  // namespace

void Layers::add(uint32_t surface, LayerKind kind, Tile tile) {
  if (tiles_.size() == kTilesOfPiece || surface != surface_ || kind != kind_) flush();
  surface_ = surface;
  kind_ = kind;
  tiles_.push_back(std::move(tile));
}

void Layers::flush() {
  if (tiles_.empty()) return;
  Bytes raw;
  for (Tile& t : tiles_) {
    const size_t bytewise = kind_ == LayerKind::depth ? kTilePixels : t.planes.size();
    for (size_t i = bytewise; i-- > 0;)
      if (i % kTile) t.planes[i] = uint8_t(t.planes[i] - t.planes[i - 1]);
    if (kind_ == LayerKind::depth) to_differences(std::span(t.planes).subspan(kTilePixels));
    raw.insert(raw.end(), t.planes.begin(), t.planes.end());
  }
  const Bytes data = deflated(raw);
  put(out_, surface_, 2), put(out_, uint32_t(kind_), 1), put(out_, planes_of(kind_), 1);
  put(out_, uint32_t(tiles_.size()), 2), put(out_, 0, 2), put(out_, uint32_t(data.size()), 4);
  for (const Tile& t : tiles_) put(out_, t.x, 2), put(out_, t.y, 2);
  out_.insert(out_.end(), data.begin(), data.end());
  tiles_.clear();
}

const Bytes& Layers::finish() {
  flush();
  return out_;
}

Tile work_tile(const WorkTile& work) {
  Tile t{work.x, work.y, Bytes(size_t{planes_of(LayerKind::work)} * kTilePixels)};
  uint8_t* const planes = t.planes.data();
  std::copy(work.fragments.begin(), work.fragments.end(), planes);
  std::copy(work.failed.begin(), work.failed.end(), planes + kTilePixels);
  for (uint32_t i = 0; i < kTilePixels; ++i) {
    planes[2 * kTilePixels + i] = uint8_t(work.instructions[i]);
    planes[3 * kTilePixels + i] = uint8_t(work.instructions[i] >> 8);
  }
  return t;
}

}  // namespace pumice::hw::trace
