// SPDX-License-Identifier: MIT
/// Copy mode (docs/reference/rdp.md section 21): groups of 64 bits straight from TMEM.
/// Triangles go the same way as rectangles, a group stepping with the span's attributes (UNCONFIRMED).
#include "hw/rdp/ref/draw.h"
#include "hw/rdp/ref/framebuffer.h"
#include "hw/rdp/ref/span.h"
#include "hw/rdp/ref/texcoord.h"

namespace pumice::hw::rdp {
namespace {

using Group = std::array<uint8_t, 8>;

/// The eight bytes that group n of the span brings.
Group fetch_group(const DrawTarget& target, const Tile& tile, const TexPosition& position) {
  const State& state = target.state;
  const DividedCoord d = divide(position, state.modes.persp_tex_en());
  const int32_t s0 = place_copy(tile.s, clamp_coord(d.s));
  const int32_t t = mask_index(tile.t, place_copy(tile.t, clamp_coord(d.t)));
  Group g{};
  const auto put_half = [&](int at, uint32_t v) {
    g[at] = static_cast<uint8_t>(v >> 8);
    g[at + 1] = static_cast<uint8_t>(v);
  };
  const bool bytes = state.color_image.size == k8b && !state.modes.en_tlut();
  for (int k = 0; k < 4; ++k) {
    const int32_t s = mask_index(tile.s, s0 + k);
    if (state.modes.en_tlut()) {
      put_half(2 * k, target.tmem.tlut_entry(target.tmem.tlut_index(tile, s, t), static_cast<uint32_t>(k)));
    } else if (!bytes) {
      put_half(2 * k, target.tmem.copy_half(tile, s, t));
    } else {
      g[k] = static_cast<uint8_t>(target.tmem.copy_byte(tile, s, t));
      if (k >= 2) put_half(2 * k, target.tmem.copy_half(tile, s, t));
    }
  }
  return g;
}

}  // namespace

void copy_span(const DrawTarget& target, const Primitive& primitive, const SpanSetup& setup, const Span& span) {
  const State& state = target.state;
  const Image& image = state.color_image;
  const Tile& tile = state.tiles[primitive.tile & 7];
  const bool compare = state.modes.alpha_compare_en();
  const int group_pixels = image.size == k8b ? 8 : 4;
  Group g{};
  for (int k = 0; k < span.count; ++k) {
    // One step of the coordinates per group.
    if (k % group_pixels == 0) g = fetch_group(target, tile, setup.texture_at(span, k / group_pixels));
    const int j = k % group_pixels;
    const int x = primitive.left_major ? span.start + k : span.start - k;
    const uint32_t p = pixel_index(image, x, span.y);
    const bool fails = compare && (image.size == k8b ? g[4 + j / 2] < state.blend_color[3] : !(g[2 * j + 1] & 1));
    target.tell(x, span.y, fails ? Fate::failed_alpha : Fate::written);
    if (fails) continue;
    if (image.size == k8b) {
      target.ram.write8(image.address + p, g[j]);
    } else {
      const uint32_t v = uint32_t{g[2 * j]} << 8 | g[2 * j + 1];
      target.ram.write16((image.address >> 1) + p, v, v & 1 ? 3 : 0);
    }
  }
}

}  // namespace pumice::hw::rdp
