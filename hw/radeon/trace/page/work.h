// SPDX-License-Identifier: MIT
/// What a draw costs and writes, pixel by pixel: an inspector that counts while the reference draws.
#pragma once
#include <memory>
#include <vector>

#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::trace {

/// Side of a tile in pixels; pictures of the page come in tiles.
inline constexpr uint32_t kTile = 64, kTilePixels = kTile * kTile;

struct WorkTile {
  uint32_t x = 0, y = 0;  ///< in tiles
  std::array<uint16_t, kTilePixels> instructions{};
  std::array<uint8_t, kTilePixels> fragments{};  ///< programs that ran for the pixel
  std::array<uint8_t, kTilePixels> failed{};     ///< samples that failed depth or stencil
  std::array<uint8_t, kTilePixels> written{};    ///< times that colour was stored
};

struct WorkTotals {
  uint64_t primitives = 0, vertices = 0, vertex_instructions = 0;
  uint64_t fragments = 0, instructions = 0, texels = 0, failed = 0, killed = 0, written = 0;
};

class PixelWork final : public Inspector {
 public:
  WorkTotals totals;
  const std::vector<std::unique_ptr<WorkTile>>& tiles() const { return tiles_; }

  /// A pixel of a chip without programs that took `cycles`.
  void pixel(int32_t x, int32_t y, uint32_t cycles, bool failed_test, bool killed, bool stored);

  void vertex(const DrawContext&, uint32_t, std::span<const uint32_t>, std::span<const Vec4>) override { ++totals.vertices; }
  void vertex_step(const PvsStep&) override { ++totals.vertex_instructions; }
  void primitive(const DrawContext&, const Primitive&) override { ++totals.primitives; }
  void quad(const DrawContext&, const PixelQuad& q) override { at(q.quad.x, q.quad.y); }
  void begins(const DrawContext&, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample,
              const std::array<float, 4>* z) override;
  void ends(const DrawContext&, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample) override;
  void instruction(us::Thread& t, const isa::us_r500::Instruction& x) override;
  void texel(const TexelStep&) override { ++totals.texels; }

  void vertex(const DrawContext&, const xv::VertexId&) override { ++totals.vertices, in_vertex_ = true; }
  void vertex_done(const DrawContext&, const xv::VertexId&, const xv::Shaded&) override { in_vertex_ = false; }
  void quad(const DrawContext&, const xr::QuadState& q) override;
  void test_ends(const DrawContext&, uint32_t pixel, const xz::Sample& at, bool passed) override;
  void program_begins(const DrawContext&, int32_t sample, uint32_t helpers) override;
  void program_ends(const DrawContext&, const xr::FragmentLink& link) override;
  void store_ends(const DrawContext&, uint32_t pixel, uint32_t samples, const xr::FragmentLink&) override;
  void instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) override;

 private:
  /// The quad under way.
  void at(int32_t x, int32_t y);
  void ran(uint32_t pixels);
  void failed(uint32_t pixel);
  void written(uint32_t pixel);
  void counts(uint32_t active);

  std::vector<std::unique_ptr<WorkTile>> tiles_;
  std::vector<uint32_t> index_;  ///< of tiles_ + 1, by tile; 0: none
  WorkTile* tile_ = nullptr;
  std::array<uint32_t, 4> pixel_{};  ///< of the quad in the tile
  uint32_t entered_ = 0;             ///< pixels in the stage under way
  bool in_vertex_ = false;
};

}  // namespace pumice::hw::trace
