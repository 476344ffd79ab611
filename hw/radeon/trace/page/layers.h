// SPDX-License-Identifier: MIT
/// What an event (a draw, or a change of memory by something else) left in pictures: tiles of planes, compressed. The page's script reads
/// this format (template/data.js).
#pragma once
#include "hw/radeon/trace/page/pack.h"
#include "hw/radeon/trace/page/work.h"

namespace pumice::hw::trace {

/// color: mark, R, G, B, A. depth: mark, depth as 24 bits, low byte first. work: fragments, failed tests, instructions low
/// and high. A mark is 0: not written, 1: written and the same as before, 2: changed.
enum class LayerKind : uint8_t { color, depth, work };
constexpr uint32_t planes_of(LayerKind kind) { return kind == LayerKind::color ? 5 : 4; }

/// planes_of() planes of kTilePixels bytes.
struct Tile {
  uint32_t x = 0, y = 0;  ///< in tiles
  Bytes planes;
};

/// The layers of one event. Bytes: pieces of
///   u16 surface, u8 kind, u8 planes, u16 tiles, u16 0, u32 bytes of data; for each tile u16 x, u16 y; then the data, a zlib stream of the
///   tiles' planes, each row of which has its differences to the left neighbour (of depth: of all 24 bits).
class Layers {
 public:
  void add(uint32_t surface, LayerKind kind, Tile tile);
  /// The last piece is written; what was added.
  const Bytes& finish();

 private:
  static constexpr size_t kTilesOfPiece = 16;
  void flush();
  Bytes out_;
  uint32_t surface_ = 0;
  LayerKind kind_ = LayerKind::color;
  std::vector<Tile> tiles_;
};

Tile work_tile(const WorkTile& work);

}  // namespace pumice::hw::trace
