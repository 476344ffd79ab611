// SPDX-License-Identifier: MIT
/// A tile's shapes: which 4x4 blocks and pixels they cover, 16 at a time (pipeline s.4), interpolation to blocks
/// (hw/radeon/ref/su/interpolant.h), and the pixel pipe of a block (hw/radeon/ref/pipeline/pixel.cpp). Compiled once per instruction set.
///
/// Integers: an edge that crosses the tile has values below 63 * (|a| + |b|) < 2^30 in it (Record::wide are the others).
#include <bit>

#include "hw/radeon/fast/draw/spans_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {

namespace {

constexpr uint32_t kAhead = 2;  ///< records that are fetched into the cache before they are needed

/// What comes behind early depth tests, in the order of hw/radeon/ref/pipeline/pixel.cpp; `ready`: see run_program().
template <class Ready>
PUMICE_INLINE void shade(Worker& w, const Draw& d, const void* one, int32_t x, int32_t y, LaneMask mask, const Lanes& z, bool back_facing,
                         Ready ready) {
  const output::State& out = *d.output;
  mask = run_program(w, d, one, x, y, mask, z, back_facing, ready);
  if (mask == 0) return;
  if (!d.early_z) {
    mask = output::depth_stencil(out, x, y, mask, d.shader_depth ? w.args.depth : z, back_facing, w.zpass);
    if (mask == 0) return;
  }
  output::color(out, x, y, mask, w.args.color);
}

/// The planes of the shape at a block.
void ready_block(const Walk& walk, int32_t x, int32_t y) {
  Worker& w = walk.w;
  if (!w.planes_ready) ready_planes(walk);
  interpolate(w.args, w.planes, walk.r.stride, x * walk.r.unit - walk.r.from_x, y * walk.r.unit - walk.r.from_y);
}

/// Interpolants of a block whose lanes come from several shapes: whole values as offsets, the base is -0, which adds nothing. Takes the
/// first part and those that are like it in what is times w; the others remain in front. Returns the lanes.
LaneMask mix(Worker& w, const Draw& d, Waiting::Part* part, uint32_t parts, int32_t x, int32_t y, uint32_t& left) {
  const raster::Routing& routing = *d.routing;
  const uint32_t count = routing.layout.interpolants;
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < parts; ++i) {
    const Record& r = *part[i].record;
    make_planes(w.planes, r, routing.layout.perspective, routing.linear);
    bool alike = true;
    for (uint32_t n = 0; n < count; ++n) {
      if (i == 0) w.factor[n] = w.planes.factor[n];
      alike &= w.factor[n] == w.planes.factor[n];
    }
    if (!alike) {
      part[left++] = part[i];
      continue;
    }
    interpolate(w.args, w.planes, r.stride, x * r.unit - r.from_x, y * r.unit - r.from_y);
    const Mask mine = mask_from(i == 0 ? LaneMask{0xFFFF} : part[i].mask);  // lanes of nobody hold something ordinary
    const auto add = [&](Lanes & value, float base, float step_x, float step_y) __attribute__((always_inline)) {
      store(value, select(mine, splat(base) + offsets(step_x, step_y), load(value)));
    };
    add(w.offset_w, w.args.base_w, w.planes.w_step_x, w.planes.w_step_y);
    for (uint32_t n = 0; n < count; ++n) add(w.offset[n], w.args.base[n], w.planes.step_x[n], w.planes.step_y[n]);
    lanes |= part[i].mask;
  }
  for (uint32_t n = 0; n < count; ++n) w.args.base[n] = -0.0f;
  w.args.base_w = -0.0f;
  w.args.factor = w.factor;
  return static_cast<LaneMask>(lanes);
}

/// Draws the pixels of a block that wait.
[[gnu::noinline]] void draw_waiting(Worker& w, uint32_t index) {
  Waiting& waiting = w.waiting;
  const Draw& d = *w.draw;
  LaneMask mask = waiting.mask[index];
  waiting.mask[index] = 0;
  waiting.any[index / 64] &= ~(uint64_t{1} << index % 64);
  const int32_t x = waiting.tile_x + static_cast<int32_t>(index % Waiting::kAcross) * 4,
                y = waiting.tile_y + static_cast<int32_t>(index / Waiting::kAcross) * 4;
  const Lanes& z = waiting.z[index];
  const bool back = waiting.back_facing[index] != 0;
  if (d.early_z) {
    mask = output::depth_stencil(*d.output, x, y, mask, z, back, w.zpass);
    if (mask == 0) return;
  }
  if (d.uniform || !d.shade) return shade(w, d, &d, x, y, mask, z, back, [] {});
  Waiting::Part part[Waiting::kShapes];
  uint32_t parts = 0;
  for (uint32_t i = 0; i < waiting.shapes[index]; ++i) {
    part[parts] = waiting.part[index][i];
    part[parts].mask &= mask;
    parts += part[parts].mask != 0;
  }
  if (d.mixes && parts > 1) {
    while (parts) {
      uint32_t left = 0;
      const LaneMask visible = mix(w, d, part, parts, x, y, left);
      shade(w, d, nullptr, x, y, visible, z, back, [] {});
      w.args.factor = w.planes.factor;
      parts = left;
    }
  } else {
    for (uint32_t i = 0; i < parts; ++i) {
      const Record& r = *part[i].record;
      w.planes_ready = false;
      shade(w, d, one_color(d, r), x, y, part[i].mask, z, back, [&] { ready_block({w, r, d, false}, x, y); });
    }
  }
  w.planes_ready = false;
}

void draw_all_waiting(Worker& w) {
  for (uint32_t i = 0; i < Waiting::kBlocks / 64; ++i)
    while (const uint64_t any = w.waiting.any[i]) draw_waiting(w, 64 * i + static_cast<uint32_t>(std::countr_zero(any)));
}

/// 0..1, of a block's pixels. `offset`: offsets() of the shape's depth; `unit`: Record::unit, which small ones may not have.
PUMICE_INLINE F16 depth_at(const Record& r, int32_t unit, int32_t x, int32_t y, F16 offset) {
  const double px = x * unit - r.from_x, py = y * unit - r.from_y;
  const auto base = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy);
  return min(max(splat(base) + offset, splat(0.0f)), splat(1.0f));
}

/// Pixels of a small shape.
PUMICE_INLINE void wait(const Walk& walk, int32_t x, int32_t y, LaneMask mask, F16 z) {
  Worker& w = walk.w;
  Waiting& waiting = w.waiting;
  const Draw& d = walk.d;
  mask &= d.stencil->door;
  if (d.stencil->clip_rule != 0xFFFF) mask = clipped(*d.stencil, x, y, mask);
  if (mask == 0) return;
  const uint32_t i = Waiting::index(x, y);
  const bool asks = d.shade && !d.uniform;
  if (waiting.mask[i] &&
      ((waiting.mask[i] & mask) || waiting.back_facing[i] != walk.r.back_facing || (asks && waiting.shapes[i] == Waiting::kShapes)))
    draw_waiting(w, i);
  if (waiting.mask[i] == 0) {
    waiting.any[i / 64] |= uint64_t{1} << i % 64;
    ++waiting.use.begun;
    waiting.back_facing[i] = walk.r.back_facing;
    waiting.shapes[i] = 0;
    if (d.uses_z) store(waiting.z[i], z);
  } else {
    ++waiting.use.joined;
    if (d.uses_z) store(waiting.z[i], select(mask_from(mask), z, load(waiting.z[i])));
  }
  waiting.mask[i] |= mask;
  if (asks) waiting.part[i][waiting.shapes[i]++] = {&walk.r, mask};
  if (waiting.mask[i] == 0xFFFF) draw_waiting(w, i);
}

void small_shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  const Walk walk{w, r, *r.draw, false};
  const F16 offset = offsets(static_cast<float>(r.z_dx * raster::kUnit), static_cast<float>(r.z_dy * raster::kUnit));
  for (int32_t k = 0; k < 4; ++k) {
    if (r.block[k] == 0) continue;
    const int32_t x = (r.x0 & ~3) + 4 * (k & 1), y = (r.y0 & ~3) + 4 * (k >> 1);
    if (((x ^ tile_x) | (y ^ tile_y)) & ~(raster::kTile - 1)) continue;
    wait(walk, x, y, r.block[k], walk.d.uses_z ? depth_at(r, raster::kUnit, x, y, offset) : F16{});
  }
}

void block(const Walk& walk, int32_t x, int32_t y, LaneMask mask) {
  const Record& r = walk.r;
  const Draw& d = walk.d;
  Worker& w = walk.w;
  mask &= d.stencil->door;
  if (d.stencil->clip_rule != 0xFFFF) mask = clipped(*d.stencil, x, y, mask);
  if (mask == 0) return;
  if (const uint32_t i = Waiting::index(x, y); w.waiting.mask[i]) draw_waiting(w, i);
  if (d.uses_z) store(w.z, depth_at(r, r.unit, x, y, load(w.offset_z)));
  if (d.early_z) {
    if (walk.hiz && w.hiz.behind(d.hiz, x, y, w.z)) return;
    const bool whole = mask == 0xFFFF;
    mask = output::depth_stencil(*d.output, x, y, mask, w.z, r.back_facing, w.zpass);
    if (mask == 0) return;
    if (whole && walk.hiz && d.hiz.lowers && mask == 0xFFFF) w.hiz.passed(x, y, w.z);
  }
  shade(w, d, one_color(d, r), x, y, mask, w.z, r.back_facing, [&] { ready_block(walk, x, y); });
}

/// Blocks that neighbours will share, of a shape that is not small. What is larger than a tile has few of them, and its neighbours come
/// when its planes are no longer at hand.
PUMICE_INLINE void block_or_wait(const Walk& walk, int32_t x, int32_t y, LaneMask mask) {
  const Record& r = walk.r;
  const bool large = r.x1 - r.x0 >= raster::kTile || r.y1 - r.y0 >= raster::kTile;
  const bool together = walk.d.uniform || !walk.d.shade || walk.d.mixes;
  if (large || mask == 0xFFFF || !together || !walk.w.waiting.use.worth()) return block(walk, x, y, mask);
  const F16 z = walk.d.uses_z ? depth_at(r, r.unit, x, y, load(walk.w.offset_z)) : F16{};
  if (walk.hiz) {
    store(walk.w.z, z);
    if (walk.w.hiz.behind(walk.d.hiz, x, y, walk.w.z)) return;
  }
  wait(walk, x, y, mask, z);
}

/// Values beyond 32 bits: rare and pixel by pixel.
void wide_shape(const Walk& walk, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  for (int32_t y = y0 & ~3; y <= y1; y += 4)
    for (int32_t x = x0 & ~3; x <= x1; x += 4) {
      LaneMask mask = box_mask(walk.r, x, y);
      for (uint32_t e = 0; e < walk.r.edges; ++e) {
        const raster::Edge& edge = walk.r.edge[e];
        for (int lane = 0; lane < kLanes; ++lane)
          if (int64_t{edge.a} * (x + lane_x(lane)) + int64_t{edge.b} * (y + lane_y(lane)) + edge.c < 0)
            mask &= static_cast<LaneMask>(~(1u << lane));
      }
      if (mask) block(walk, x, y, mask);
    }
}

/// Whether the shape lies behind the bounds of all blocks of its box in the tile.
bool hidden(const Worker& w, const Record& r, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const float direction = w.hiz.direction;
  const double px = (r.z_dx * direction >= 0 ? x0 & ~3 : x1 & ~3) * r.unit - r.from_x;
  const double py = (r.z_dy * direction >= 0 ? y0 & ~3 : y1 & ~3) * r.unit - r.from_y;
  const float z = static_cast<float>((r.z + px * r.z_dx) + py * r.z_dy) + w.offset_z.v[w.hiz.low];
  const float nearest = z > 0 ? (z < 1 ? z : 1.0f) : 0.0f;
  const int first = x0 >> 2 & (Hiz::kAcross - 1), last = x1 >> 2 & (Hiz::kAcross - 1);
  const Mask columns = mask_from(static_cast<LaneMask>((2u << last) - (1u << first)));
  F16 bound = splat(-2.0f);
  for (int32_t y = y0 & ~3; y <= y1; y += 4)
    bound = max(bound, select(columns, load_unaligned<F16>(w.hiz.bound + Hiz::index(0, y)), splat(-2.0f)));
  return !any(lt(splat(nearest * direction), bound + splat(r.draw->hiz.slack)));
}

/// Coordinates of a row or a column of pixels from `first` on, `groups` of 16: an interpolant that changes in this direction only.
void coordinates(float* out, double origin, double step, float pixel_step, int32_t first, int32_t groups, int32_t unit, int32_t from) {
  for (int32_t block = 0; block < 4 * groups; ++block) {
    const auto base = static_cast<float>(origin + static_cast<double>((first + 4 * block) * unit - from) * step);
    for (int32_t i = 0; i < 4; ++i) out[4 * block + i] = base + static_cast<float>(i) * pixel_step;
  }
}

/// Draws what the shape has of the tile by rows (hw/radeon/fast/blit), if it stands upright; else returns false. The same numbers as those
/// of block(): a step of 0 in the other direction adds nothing but the sign of a zero, which no lookup sees.
bool stretched(const Walk& walk, int32_t tile_x, int32_t tile_y, const output::Rect& box, const Cut* cut, uint32_t cuts) {
  Worker& w = walk.w;
  const Record& r = walk.r;
  const stretch::Plan& plan = *walk.d.picture;
  draw_all_waiting(w);
  ready_planes(walk);
  const raster::Planes& p = w.planes;
  if (p.dy[plan.s] != 0 || p.dx[plan.t] != 0 || p.factor[plan.s] || p.factor[plan.t]) return false;
  stretch::Piece& piece = w.piece;
  piece.x = box.x0 & ~(kLanes - 1);
  piece.y = box.y0 & ~3;
  piece.columns = box.x1 - piece.x;
  piece.rows = box.y1 - piece.y;
  coordinates(piece.s, p.origin[plan.s], p.dx[plan.s], p.step_x[plan.s], piece.x, (piece.columns + 15) / kLanes, r.unit, r.from_x);
  coordinates(piece.t, p.origin[plan.t], p.dy[plan.t], p.step_y[plan.t], piece.y, (piece.rows + 15) / kLanes, r.unit, r.from_y);
  const uint64_t in_box = ~uint64_t{0} >> (stretch::kColumns - piece.columns) & ~uint64_t{0} << (box.x0 - piece.x);
  uint64_t pixels = 0;
  for (int32_t row = 0; row < piece.rows; ++row) {
    const int32_t y = piece.y + row;
    uint64_t covered = y < box.y0 ? 0 : in_box;
    for (uint32_t e = 0; e < cuts && covered; ++e) {
      const I16 along = kLaneIndex * cut[e].a;
      const int32_t value = cut[e].value + cut[e].a * (piece.x - tile_x) + cut[e].b * (y - tile_y);
      for (int32_t x = 0; x < piece.columns; x += kLanes)
        covered &= ~(static_cast<uint64_t>(bits_of(lt(splat(value + cut[e].a * x) + along, splat(0)))) << x);
    }
    piece.covered[row] = covered;
    pixels += static_cast<uint64_t>(std::popcount(covered));
  }
  w.zpass += pixels;
  w.stretched.store(w.stretched.load(std::memory_order_relaxed) + pixels, std::memory_order_relaxed);
  if (pixels) w.stretch(plan, piece);
  return true;
}

void change_draw(Worker& w, const Draw& draw) {
  if (w.draw) draw_all_waiting(w);
  begin_draw(w, draw);
}

void shape(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y) {
  if (r.small || r.draw->samples > 1) {
    if (w.draw != r.draw) change_draw(w, *r.draw);
    return r.draw->samples > 1 ? shape_of_samples(w, r, tile_x, tile_y) : small_shape(w, r, tile_x, tile_y);
  }
  const int32_t x0 = r.x0 > tile_x ? r.x0 : tile_x, x1 = r.x1 < tile_x + raster::kTile - 1 ? r.x1 : tile_x + raster::kTile - 1;
  const int32_t y0 = r.y0 > tile_y ? r.y0 : tile_y, y1 = r.y1 < tile_y + raster::kTile - 1 ? r.y1 : tile_y + raster::kTile - 1;

  const int32_t bx = x0 & ~3, by = y0 & ~3;

  // Edges that cross the blocks of the box inside the tile; the others reject it or say nothing.
  Cut cut[4];
  uint32_t cuts = 0;
  for (uint32_t e = 0; e < r.edges && !r.wide; ++e) {
    const raster::Edge& edge = r.edge[e];
    const int64_t v = int64_t{edge.a} * bx + int64_t{edge.b} * by + edge.c;
    const int64_t across = int64_t{edge.a} * ((x1 | 3) - bx), down = int64_t{edge.b} * ((y1 | 3) - by);
    const int64_t high = v + (across > 0 ? across : 0) + (down > 0 ? down : 0), low = v + (across < 0 ? across : 0) + (down < 0 ? down : 0);
    if (high < 0) return;
    if (low >= 0) continue;
    cut[cuts++] = {edge.a, edge.b, static_cast<int32_t>(v - int64_t{edge.a} * (bx - tile_x) - int64_t{edge.b} * (by - tile_y))};
  }

  if (w.draw != r.draw) change_draw(w, *r.draw);
  const bool fill = !r.wide && fills(w, r, *r.draw);
  if (fill) draw_all_waiting(w);
  if (fill && cuts == 0) return fill_rectangle(w, r, *r.draw, {x0, y0, x1 + 1, y1 + 1});
  if (fill && r.draw->rows) return fill_spans(w, *r.draw, tile_x, tile_y, {x0, y0, x1 + 1, y1 + 1}, cut, cuts);
  store(w.offset_z, offsets(static_cast<float>(r.z_dx * r.unit), static_cast<float>(r.z_dy * r.unit)));
  const bool hiz = r.draw->hiz.tests && (x1 - x0) + (y1 - y0) >= kLargeEnough;
  if (hiz) {
    w.hiz.begin_shape(r.z_dx, r.z_dy);
    if (hidden(w, r, x0, y0, x1, y1)) return;
  }
  const Walk walk{w, r, *r.draw, hiz};
  w.planes_ready = false;
  if (r.wide) return wide_shape(walk, x0, y0, x1, y1);
  if (r.draw->picture && stretched(walk, tile_x, tile_y, {x0, y0, x1 + 1, y1 + 1}, cut, cuts)) return;

  I16 inside_block[4];  // what the pixels of a block add to its first
  for (uint32_t e = 0; e < cuts; ++e) inside_block[e] = kLaneXi * splat(cut[e].a) + kLaneYi * splat(cut[e].b);

  if (!fill && (x1 >> 2) - (x0 >> 2) < kFewBlocks && (y1 >> 2) - (y0 >> 2) < kFewBlocks) {  // all blocks at once, in the order of lanes
    LaneMask alive = kMasks.to_x[(x1 >> 2) - (x0 >> 2)] & kMasks.to_y[(y1 >> 2) - (y0 >> 2)], full = alive;
    alignas(64) int32_t value[4][kLanes];  // of the blocks' first pixels
    for (uint32_t e = 0; e < cuts; ++e) {
      const I16 v = splat(cut[e].value + cut[e].a * (bx - tile_x) + cut[e].b * (by - tile_y)) + (inside_block[e] << 2);
      store_unaligned(value[e], v);
      alive &= static_cast<LaneMask>(~bits_of(lt(v, splat(-best_of(cut[e].a, cut[e].b)))));
      full &= static_cast<LaneMask>(~bits_of(lt(v, splat(-worst_of(cut[e].a, cut[e].b)))));
    }
    for (uint32_t left = alive; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      const int32_t x = bx + 4 * lane_x(i), y = by + 4 * lane_y(i);
      LaneMask mask = 0xFFFF;
      if (!(full >> i & 1)) {
        I16 outside = splat(0);  // the sign
        for (uint32_t e = 0; e < cuts; ++e) outside = outside | (splat(value[e][i]) + inside_block[e]);
        mask = static_cast<LaneMask>(~bits_of(lt(outside, splat(0))));
      }
      if (r.boxed) mask &= box_mask(r, x, y);
      if (mask) block_or_wait(walk, x, y, mask);
    }
    return;
  }

  const int32_t first = (x0 - tile_x) >> 2, last = (x1 - tile_x) >> 2;
  const uint32_t in_box = (2u << last) - (1u << first);
  uint32_t whole_in_box = in_box;
  if (x0 & 3) whole_in_box &= ~(1u << first);
  if ((x1 & 3) != 3) whole_in_box &= ~(1u << last);
  I16 along[4];
  int32_t best[4], worst[4];
  for (uint32_t e = 0; e < cuts; ++e) {
    along[e] = kLaneIndex * (4 * cut[e].a);
    best[e] = best_of(cut[e].a, cut[e].b), worst[e] = worst_of(cut[e].a, cut[e].b);
  }
  for (int32_t y = y0 & ~3; y <= y1; y += 4) {
    uint32_t alive = in_box, full = y >= y0 && y + 3 <= y1 ? whole_in_box : 0;
    alignas(64) int32_t value[4][kLanes];  // of the row's 16 blocks, at their first pixels
    for (uint32_t e = 0; e < cuts; ++e) {
      const I16 v = splat(cut[e].value + cut[e].b * (y - tile_y)) + along[e];
      store_unaligned(value[e], v);
      alive &= ~uint32_t{bits_of(lt(v, splat(-best[e])))};
      full &= ~uint32_t{bits_of(lt(v, splat(-worst[e])))};
    }
    if (fill) {
      alive &= ~full;
      while (full) {
        const int from = std::countr_zero(full), to = from + std::countr_one(full >> from);
        fill_rectangle(w, r, *r.draw, {tile_x + 4 * from, y, tile_x + 4 * to, y + 4});
        full &= ~((1u << to) - 1);
      }
    }
    for (; alive; alive &= alive - 1) {
      const int i = std::countr_zero(alive);
      const int32_t x = tile_x + 4 * i;
      LaneMask mask = 0xFFFF;
      if (!(full >> i & 1)) {
        I16 outside = splat(0);  // the sign
        for (uint32_t e = 0; e < cuts; ++e) outside = outside | (splat(value[e][i]) + inside_block[e]);
        mask = static_cast<LaneMask>(~bits_of(lt(outside, splat(0))));
        if (r.boxed) mask &= box_mask(r, x, y);
      }
      if (mask) block_or_wait(walk, x, y, mask);
    }
  }
}

bool fill_tiles(Worker& w, const Record& r, int32_t tile_x, int32_t tile_y, int32_t tiles) {
  if (r.edges || r.wide) return false;
  begin_draw(w, *r.draw);
  const bool fill = fills(w, r, *r.draw);
  const int32_t right = tile_x + tiles * raster::kTile, below = tile_y + raster::kTile;
  if (fill)
    fill_rectangle(
        w, r, *r.draw,
        {r.x0 > tile_x ? r.x0 : tile_x, r.y0 > tile_y ? r.y0 : tile_y, r.x1 < right ? r.x1 + 1 : right, r.y1 < below ? r.y1 + 1 : below});
  end_draw(w);
  return fill;
}

void run_tile(Worker& w, const Bin& bin, int32_t tile_x, int32_t tile_y, uint32_t done) {
  w.hiz.begin_tile();
  w.waiting.tile_x = tile_x, w.waiting.tile_y = tile_y;
  for (const BinChunk* chunk = bin.first; chunk; chunk = chunk->next)
    for (uint32_t i = chunk == bin.first ? done : 0; i < chunk->count; ++i) {
      if (w.stop->load(std::memory_order_relaxed) || w.lost_draw->load(std::memory_order_relaxed)) break;
      if (i + kAhead < chunk->count)
        for (size_t line = 0; line < sizeof(Record); line += 64)
          __builtin_prefetch(reinterpret_cast<const std::byte*>(chunk->record[i + kAhead]) + line);
      shape(w, *chunk->record[i], tile_x, tile_y);
    }
  if (w.draw) draw_all_waiting(w);
  end_draw(w);
}

}  // namespace

extern const TileRoutines kTileRoutines;
const TileRoutines kTileRoutines = {run_tile, fill_tiles};

}  // namespace pumice::hw::fast::PUMICE_SIMD
