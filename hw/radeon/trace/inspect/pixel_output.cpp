// SPDX-License-Identifier: MIT
/// Tests, blend and stores in the life of a pixel. Stored values are read back from memory before and after the reference writes them.
#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/rb3d/target.h"
#include "hw/radeon/decode/zb/setup.h"
#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

constexpr const char* kCompare[] = {"never", "<", "<=", "==", ">=", ">", "!=", "always"};
constexpr const char* kFactors[] = {"ZERO",
                                    "ONE",
                                    "SRC_COLOR",
                                    "INV_SRC_COLOR",
                                    "SRC_ALPHA",
                                    "INV_SRC_ALPHA",
                                    "DST_ALPHA",
                                    "INV_DST_ALPHA",
                                    "DST_COLOR",
                                    "INV_DST_COLOR",
                                    "SATURATE",
                                    "CONSTANT_COLOR",
                                    "INV_CONSTANT_COLOR",
                                    "CONSTANT_ALPHA",
                                    "INV_CONSTANT_ALPHA"};

/// A stored depth word as text, with the clear value where the tile is cleared.
std::string stored_depth(const DrawContext& ctx, const zb::Setup& s, int32_t px, int32_t py, uint32_t sample) {
  const int64_t x = int64_t{px} + s.x_offset, y = int64_t{py} + s.y_offset;
  uint32_t word = 0;
  if (x < 0 || y < 0 || !s.depth.sample(sample, s.samples).read(ctx.memory, uint32_t(x), uint32_t(y), &word)) {
    ctx.memory.take_fault();
    return "nothing: no memory there";
  }
  const bool cleared = s.fast_fill.cleared(uint32_t(x), uint32_t(y));
  if (cleared) word = s.fast_fill.clear;
  std::string text =
      s.format == zb::DepthFormat::z24s8 ? format("depth 0x%06x, stencil 0x%02x", word >> 8, word & 0xFF) : format("depth 0x%04x", word);
  return cleared ? text + " (cleared tile)" : text;
}

std::string equation_text(const rb3d::Equation& e) {
  using R = regs::RB3D_BLENDCNTL;
  const std::string src = std::string("src*") + kFactors[uint32_t(e.src)], dst = std::string("dst*") + kFactors[uint32_t(e.dst)];
  switch (e.function) {
    case R::COMB_FCN__MIN: return "min(src, dst)";
    case R::COMB_FCN__MAX: return "max(src, dst)";
    case R::COMB_FCN__SRC_PLUS_DST_CLAMPED: return "clamp(" + src + " + " + dst + ")";
    case R::COMB_FCN__SRC_PLUS_DST: return src + " + " + dst;
    case R::COMB_FCN__SRC_MINUS_DST_CLAMPED: return "clamp(" + src + " - " + dst + ")";
    case R::COMB_FCN__SRC_MINUS_DST: return src + " - " + dst;
    case R::COMB_FCN__DST_MINUS_SRC_CLAMPED: return "clamp(" + dst + " - " + src + ")";
    default: return dst + " - " + src;
  }
}

/// Sample s; as the colour mask says where that sample is.
std::string stored_color(const DrawContext& ctx, const rb3d::PixelFormat& format_of, const surface::PixelAccess& surface, uint32_t s,
                         uint32_t samples, const rb3d::ColorMask& mask, int32_t x, int32_t y) {
  const uint32_t code = mask.code(uint32_t(x), uint32_t(y));
  const surface::PixelAccess pixels = surface.sample(code == rb3d::ColorMask::kCompressed ? 0 : s, samples);
  rb3d::PixelBits bits = mask.clear;
  if (code != rb3d::ColorMask::kCleared && !pixels.read(ctx.memory, uint32_t(x), uint32_t(y), bits.data())) {
    ctx.memory.take_fault();
    return "nothing: no memory there";
  }
  std::string words;
  for (uint32_t w = 0; 4 * w < format_of.bytes; ++w) {
    const uint32_t bytes = std::min<uint32_t>(4, format_of.bytes - 4 * w);
    words = format("%0*x", int(2 * bytes), bits[w]) + words;
  }
  return "0x" + words + ", C0..C3 " + numbers(rb3d::unpack(format_of, bits)) +
         (code == rb3d::ColorMask::kCleared      ? " (cleared block)"
          : code == rb3d::ColorMask::kCompressed ? " (block with equal samples)"
                                                 : "");
}

}  // namespace

void PixelLife::depth_begins(const DrawContext& ctx, const Quad& q, uint32_t sample, float z) {
  const zb::Setup s = zb::decode(ctx.state);
  const std::string title = format("ZB %s the program, sample %u: ", shaded_ ? "after" : "before", sample);
  if (!s.enabled) return line(1, title + "no test");
  const zb::StencilFace& face = s.face[q.back_facing];
  line(1, title + stored_depth(ctx, s, x_, y_, sample));
  if (s.stencil) line(2, format("stencil: 0x%02x %s stored, both & 0x%02x", face.reference, kCompare[face.func & 7], face.mask));
  if (s.z_test)
    line(2, format("depth: 0x%x %s stored (from %s)", zb::quantise(z, s.format, s.invert_13e3), kCompare[s.z_func & 7],
                   number(double{z}).c_str()));
}

void PixelLife::depth_ends(const DrawContext& ctx, uint32_t sample, bool passed) {
  const zb::Setup s = zb::decode(ctx.state);
  line(2, std::string(passed ? "-> passes" : "-> fails") + (s.enabled ? "; now " + stored_depth(ctx, s, x_, y_, sample) : ""));
}

void PixelLife::shader_ends(const DrawContext& ctx, const PixelQuad& q) {
  if (q.killed >> pixel_ & 1) return line(1, "the program discards the pixel");
  for (uint32_t t = 0; t < q.color.size(); ++t) {
    rb3d::Target target;
    const rb3d::Shared shared = rb3d::decode_shared(ctx.state);
    bool used = t == 0;
    for (uint32_t k = 0; k < rb3d::kTargets; ++k) used |= rb3d::decode_target(ctx.state, shared, k, target) && target.source == t;
    if (used)
      line(1, "colour " + std::to_string(t) + " = " + numbers(q.color[t][pixel_]) + (names_ ? name_remark(names_->outputs, t) : ""));
  }
}

void PixelLife::color(const DrawContext& ctx, const PixelQuad& q, std::span<const uint8_t> mask, bool after) {
  if (rb3d::resolve_mode(ctx.state)) {
    const rb3d::Resolve r = rb3d::decode_resolve(ctx.state);
    if (r.format.valid())
      line(after ? 2 : 1, (after ? "-> resolved " : "RB3D: resolves; stored ") + stored_color(ctx, r.format, r.to, 0, 1, {}, x_, y_));
    return;
  }
  const rb3d::Shared shared = rb3d::decode_shared(ctx.state);
  for (uint32_t t = 0; t < rb3d::kTargets; ++t) {
    rb3d::Target target;
    if (!rb3d::decode_target(ctx.state, shared, t, target) || !target.format.valid() || target.sample_tiles(shared)) continue;
    if (!after) {
      line(1, format("RB3D target %u: colour %s", t, numbers(q.color[target.source][pixel_]).c_str()));
      if (target.blends(shared)) {
        line(2,
             "C0..C2: " + equation_text(shared.color) + ", C3: " + equation_text(shared.alpha) + ", constant " + numbers(target.constant));
      }
      if (target.has_rop(shared)) line(2, format("ROP 0x%x", shared.rop));
      if (target.partial()) line(2, format("channel mask 0x%x", target.mask));
    }
    for (uint32_t s = 0; s < mask.size(); ++s) {
      if (!(mask[s] >> pixel_ & 1) || !wants(s)) continue;
      const std::string what = stored_color(ctx, target.format, target.pixels, s, shared.samples, target.color_mask, x_, y_);
      const std::string name = mask.size() > 1 ? format(", target %u, sample %u", t, s) : format(", target %u", t);
      line(2, (after ? "-> stored " : "before ") + what + name);
    }
  }
}

}  // namespace pumice::hw::trace
