// SPDX-License-Identifier: MIT
/// Depth and stencil test of a quad, pipeline s.8. In the document's order: per pixel stencil test, depth test, stencil operation,
/// write; separately per sample when multisampled. A pixel in a cleared tile has the clear value; the tile is expanded into memory
/// before any other value is written (fast_fill.h). Before the tests hierarchical Z may drop a pixel (hiz.h). Compression (ZB_BW_CNTL) only
/// saves bandwidth and changes no result here.
#include <algorithm>
#include <bit>

#include "hw/radeon/ref/zb/zb.h"

namespace pumice::hw::zb {
namespace {

/// Converts a code so that unsigned comparison orders it correctly.
uint32_t sort_key(const Setup& s, uint32_t z) {
  if (!s.signed_compare) return z;
  const uint32_t sign = s.format == DepthFormat::z24s8 ? 1u << 23 : 1u << 15;
  if (s.sign_magnitude && (z & sign)) return ~z & (sign * 2 - 1) & ~sign;
  return z ^ sign;
}

/// All pixels of the cleared tile at (x, y) go to memory, with all their samples.
void expand(const Setup& s, Memory& memory, uint32_t x, uint32_t y) {
  const uint32_t side = s.fast_fill.side(), x0 = x & ~(side - 1), y0 = y & ~(side - 1);
  for (uint32_t j = 0; j < side; ++j)
    for (uint32_t i = 0; i < side; ++i)
      for (uint32_t k = 0; k < s.samples; ++k) s.depth.sample(k, s.samples).write(memory, x0 + i, y0 + j, &s.fast_fill.clear);
  s.fast_fill.mark_expanded(x, y);
}

/// False when the pixel fails a test or is not in memory.
bool test_pixel(const Setup& s, const surface::PixelAccess& depth, const StencilFace& face, Memory& memory, uint32_t x, uint32_t y,
                float z) {
  uint32_t word = 0;                                   // little endian hosts only, like everything that copies pixels
  if (!depth.read(memory, x, y, &word)) return false;  // also in cleared tiles: unbacked pixels are dropped
  const bool cleared = s.fast_fill.cleared(x, y);
  if (cleared) word = s.fast_fill.clear;
  const bool has_stencil = s.format == DepthFormat::z24s8;
  if (s.hiz.ram && s.hiz.drops(x, y, quantise(z, DepthFormat::z24s8, false))) return false;
  const uint32_t stored_z = has_stencil ? word >> 8 : word;
  const uint32_t stored_s = has_stencil ? word & 0xFF : 0;

  bool pass = true;
  uint32_t op = 0, new_z = stored_z;
  if (s.stencil) pass = compare(face.func, face.reference & face.mask, stored_s & face.mask);
  if (!pass) {
    op = face.fail;
  } else {
    const uint32_t incoming = quantise(z, s.format, s.invert_13e3);
    if (s.z_test) pass = compare(s.z_func, sort_key(s, incoming), sort_key(s, stored_z));
    op = pass ? face.zpass : face.zfail;
    if (pass && s.z_write) new_z = incoming;
  }
  uint32_t new_s = stored_s;
  if (s.stencil) {
    const uint32_t result = stencil_op(op, stored_s, face.reference);
    new_s = (stored_s & ~face.write_mask) | (result & face.write_mask);
  }
  const uint32_t new_word = has_stencil ? new_z << 8 | new_s : new_z;
  if (cleared && (new_word != word || s.fast_fill.expands_all)) expand(s, memory, x, y);
  if (new_word != word && !depth.write(memory, x, y, &new_word)) return false;
  return pass;
}

/// 24 bits of a stored pixel's depth, as the RAM of hierarchical Z needs it: conversions keep the order.
uint32_t stored_z24(const Setup& s, uint32_t word) {
  switch (s.format) {
    case DepthFormat::z24s8: return word >> 8;
    case DepthFormat::z16: return word << 8 | word >> 8;
    default: return decode_13e3(static_cast<uint16_t>(word), s.invert_13e3);
  }
}

/// The block at (x, y) gets the extreme of what is stored now in all its samples; nothing when a pixel of it has no memory.
void update_hiz(const Setup& s, const Memory& memory, uint32_t x, uint32_t y) {
  if (!s.hiz.covers(x, y)) return;
  uint32_t extreme = s.hiz.minimum ? 0xFF : 0;
  const uint32_t x0 = x & ~(Hiz::kSide - 1), y0 = y & ~(Hiz::kSide - 1);
  for (uint32_t n = 0; n < Hiz::kSide * Hiz::kSide; ++n) {
    const uint32_t px = x0 + n % Hiz::kSide, py = y0 + n / Hiz::kSide;
    for (uint32_t k = 0; k < s.samples; ++k) {
      uint32_t word = 0;
      if (!s.depth.sample(k, s.samples).read(memory, px, py, &word)) return;
      const uint32_t code = s.hiz.code(stored_z24(s, s.fast_fill.cleared(px, py) ? s.fast_fill.clear : word));
      extreme = s.hiz.minimum ? std::min(extreme, code) : std::max(extreme, code);
    }
  }
  s.hiz.store(x, y, extreme);
}

/// ZB_CB_CLEAR: the microtile of (x, y).
bool write_microtile(const Setup& s, const surface::PixelAccess& depth, Memory& memory, uint32_t x, uint32_t y) {
  const Microtile tile = microtile(s.depth.layout);
  bool whole = true;
  for (uint32_t j = 0; j < tile.height; ++j)
    for (uint32_t i = 0; i < tile.width; ++i)
      whole &= depth.write(memory, x / tile.width * tile.width + i, y / tile.height * tile.height + j, &s.clear);
  return whole;
}

}  // namespace

uint8_t run_tests(const Setup& s, Memory& memory, const Quad& q, uint8_t mask, const std::array<float, 4>& z, uint32_t sample) {
  uint8_t passed = mask & 0xF;
  // With both tests off nothing is read or written, and every pixel counts.
  if (!s.enabled) return passed;
  if (s.reserved_format || s.sample_tiles) return 0;
  const surface::PixelAccess depth = s.depth.sample(sample, s.samples);
  for (uint32_t i = 0; i < 4; ++i) {
    if (!(passed >> i & 1)) continue;
    const int64_t x = int64_t(q.x) + (i & 1) + s.x_offset, y = int64_t(q.y) + (i >> 1) + s.y_offset;
    const bool inside = x >= 0 && y >= 0 && x <= INT32_MAX && y <= INT32_MAX;
    const auto px = uint32_t(x), py = uint32_t(y);
    if (!inside ||
        !(s.cb_clear ? write_microtile(s, depth, memory, px, py) : test_pixel(s, depth, s.face[q.back_facing], memory, px, py, z[i])))
      passed &= uint8_t(~(1u << i));
  }
  const int64_t x = int64_t(q.x) + s.x_offset, y = int64_t(q.y) + s.y_offset;
  if (s.hiz.ram && s.z_write && passed && x >= 0 && y >= 0 && x <= INT32_MAX && y <= INT32_MAX)
    update_hiz(s, memory, uint32_t(x), uint32_t(y));
  return passed;
}

uint8_t test_and_write(DrawContext& ctx, const Quad& q, uint8_t mask, const std::array<float, 4>& z, uint32_t sample) {
  const Setup s = decode(ctx.state);
  if (s.enabled && s.reserved_format) {
    ctx.report_once(Unsupported::zb_format, ReportKind::bad_register, kFormatText);
  } else if (s.enabled && s.sample_tiles) {
    ctx.report_once(Unsupported::sample_tiles, ReportKind::bad_register, kSampleTilesText);
  }
  const uint8_t passed = run_tests(s, ctx.memory, q, mask, z, sample);
  ctx.counters.zpass += uint32_t(std::popcount(passed));
  return s.zero_output ? 0 : passed;
}

}  // namespace pumice::hw::zb
