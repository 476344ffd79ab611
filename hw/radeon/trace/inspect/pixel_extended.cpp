// SPDX-License-Identifier: MIT
/// The life of a pixel of an extended draw (docs/r5x.md, sections 5, 7 and 8): samples, tests, program, stores. The primitive and its edges
/// are pixel_life.cpp, texels pixel_program.cpp.
#include <bit>

#include "compiler/us/machine.h"
#include "hw/db/formats.h"
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/xr/fragment.h"
#include "hw/radeon/ref/xz/test.h"
#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/slot_text.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

constexpr const char* kCompare[] = {"never", "<", "==", "<=", ">", "!=", ">=", "always"};
constexpr const char* kFactors[] = {"ZERO",
                                    "ONE",
                                    "SRC_COLOR",
                                    "ONE_MINUS_SRC_COLOR",
                                    "DST_COLOR",
                                    "ONE_MINUS_DST_COLOR",
                                    "SRC_ALPHA",
                                    "ONE_MINUS_SRC_ALPHA",
                                    "DST_ALPHA",
                                    "ONE_MINUS_DST_ALPHA",
                                    "CONSTANT_COLOR",
                                    "ONE_MINUS_CONSTANT_COLOR",
                                    "CONSTANT_ALPHA",
                                    "ONE_MINUS_CONSTANT_ALPHA",
                                    "SRC_ALPHA_SATURATE",
                                    "SRC1_COLOR",
                                    "ONE_MINUS_SRC1_COLOR",
                                    "SRC1_ALPHA",
                                    "ONE_MINUS_SRC1_ALPHA"};

std::string equation_text(const xb::BlendEquation& e) {
  const auto factor = [](uint8_t code) { return code < std::size(kFactors) ? kFactors[code] : "reserved"; };
  const std::string src = std::string("src*") + factor(e.source), dst = std::string("dst*") + factor(e.destination);
  switch (e.operation) {
    case regs::r5x::X_CB_BLEND::COLOR_OP__MIN: return "min(src, dst)";
    case regs::r5x::X_CB_BLEND::COLOR_OP__MAX: return "max(src, dst)";
    case regs::r5x::X_CB_BLEND::COLOR_OP__SUBTRACT: return src + " - " + dst;
    case regs::r5x::X_CB_BLEND::COLOR_OP__REVERSE_SUBTRACT: return dst + " - " + src;
    default: return src + " + " + dst;
  }
}

/// The bytes of a texel as one number, and its components.
struct Texel {
  std::string bytes;
  xt::Bits4 value{};
  bool backed = false;
};
Texel read_texel(const Memory& memory, const xt::Image& image, uint32_t layer, uint32_t x, uint32_t y, uint32_t sample, bool stencil) {
  const formats::Info& f = formats::info(image.format);
  Texel t;
  std::array<uint8_t, 16> raw{};
  t.backed = x < image.width && y < image.height &&
             memory.read(xt::address_of(image, xt::level_of(image, 0), image.first_layer + layer, x, y, 0, sample), raw.data(), f.bytes);
  t.bytes = "0x";
  for (uint32_t i = f.bytes; i-- > 0;) t.bytes += format("%02x", raw[i]);
  t.value = xt::finish_texel(xt::decoding_of(f, stencil), xt::decode_texel(f, stencil, raw.data(), 0, 0));
  return t;
}

/// Depth and stencil of a sample that are stored.
std::string stored_depth(const DrawContext& ctx, const xz::DepthTarget& target, const xz::Sample& at) {
  const Texel t = read_texel(ctx.memory, target.image, at.layer, at.x, at.y, at.sample, false);
  if (!t.backed) return "nothing: no memory there";
  std::string text = t.bytes;
  if (target.has_depth) text += ", depth " + number(double{std::bit_cast<float>(t.value[0])});
  if (target.has_stencil)
    text += format(", stencil 0x%02x", read_texel(ctx.memory, target.image, at.layer, at.x, at.y, at.sample, true).value[0]);
  return text;
}

}  // namespace

void PixelLife::quad(const DrawContext& ctx, const xr::QuadState& q) {
  inside_ = covered_ && q.x == (x_ & ~1) && q.y == (y_ & ~1);
  shaded_ = running_ = false;
  if (!inside_) return;
  layer_ = q.layer;
  const uint32_t count = 1u << std::min(ctx.state.get<regs::r5x::X_RS_CTRL>().SAMPLES(), 3u);
  for (uint32_t s = 0; s < count; ++s)
    if (wants(s)) line(1, "z " + number(double{q.z[s][pixel_]}) + (count > 1 ? format(", sample %u", s) : ""));
  if (q.layer || q.viewport) line(1, format("layer %u, viewport %u", q.layer, q.viewport));
}

void PixelLife::test_begins(const DrawContext& ctx, uint32_t pixel, const xz::Sample& at) {
  if (!wants(pixel, 1u << at.sample)) return;
  const xz::DepthTarget target = xz::decode(ctx.state);
  const std::string title = format("XZ %s the program, sample %u: ", shaded_ ? "after" : "before", at.sample);
  if (target.passes_all()) return line(1, title + "no test");
  line(1, title + stored_depth(ctx, target, at));
  const xz::StencilFace& face = target.face[at.back_facing];
  const uint32_t reference = at.own_reference ? at.reference : face.reference;
  if (target.stencil_test)
    line(2, format("stencil: 0x%02x %s stored, both & 0x%02x", reference, kCompare[face.func & 7], face.compare_mask));
  if (target.depth_test) line(2, "depth: " + number(double{at.z}) + " " + kCompare[target.depth_func & 7] + " stored");
  if (target.bounds_test) line(2, "stored depth in " + number(double{target.bounds_min}) + ".." + number(double{target.bounds_max}));
}

void PixelLife::test_ends(const DrawContext& ctx, uint32_t pixel, const xz::Sample& at, bool passed) {
  if (!wants(pixel, 1u << at.sample)) return;
  const xz::DepthTarget target = xz::decode(ctx.state);
  line(2, std::string(passed ? "-> passes" : "-> fails") + (target.passes_all() ? "" : "; now " + stored_depth(ctx, target, at)));
}

void PixelLife::program_begins(const DrawContext&, int32_t sample, uint32_t helpers) {
  running_ = inside_ && (sample < 0 || wants(uint32_t(sample)));
  if (!running_) return;
  shaded_ = true;
  const std::string which = sample < 0 ? "" : format(", for sample %d", sample);
  line(1, "US" + which + (helpers >> pixel_ & 1u ? ", as a helper: nothing is left of the pixel" : ""));
}

void PixelLife::program_ends(const DrawContext& ctx, const xr::FragmentLink& link) {
  if (!running_) return;
  running_ = fetching_ = false;
  if (link.killed >> pixel_ & 1u) return line(1, "the program discards the pixel");
  for (uint32_t t = 0; t < xb::kTargets; ++t)
    if (xb::decode(ctx.state, t).enabled)
      line(1, "colour " + std::to_string(t) + " = " + bits_text(link.out[x::slot::color + t][pixel_]) +
                  (names_ ? name_remark(names_->outputs, t) : ""));
  const auto fs = ctx.state.get<regs::r5x::X_FS_CTRL>();
  if (fs.WRITES_DEPTH()) line(1, "depth = " + bits_text(link.out[x::slot::depth][pixel_][0]));
  if (fs.WRITES_STENCIL()) line(1, format("stencil reference = 0x%02x", link.out[x::slot::stencil][pixel_][0] & 0xFF));
  if (fs.WRITES_MASK()) line(1, format("sample mask = 0x%x", link.out[x::slot::sample_mask][pixel_][0]));
}

void PixelLife::store_begins(const DrawContext& ctx, uint32_t pixel, uint32_t samples, const xr::FragmentLink& link) {
  if (wants(pixel, samples)) stored(ctx, samples, link, false);
}
void PixelLife::store_ends(const DrawContext& ctx, uint32_t pixel, uint32_t samples, const xr::FragmentLink& link) {
  if (wants(pixel, samples)) stored(ctx, samples, link, true);
}

void PixelLife::stored(const DrawContext& ctx, uint32_t samples, const xr::FragmentLink& link, bool after) {
  for (uint32_t t = 0; t < xb::kTargets; ++t) {
    const xb::Target target = xb::decode(ctx.state, t);
    if (!target.enabled) continue;
    if (!after) {
      line(1, format("XB target %u: colour ", t) + bits_text(link.out[x::slot::color + t][pixel_]));
      if (target.blend) {
        line(2, "colour: " + equation_text(target.color) + ", alpha: " + equation_text(target.alpha) + ", constant " +
                    numbers(target.constant));
        if (ctx.state.get<regs::r5x::X_RS_CTRL>().ALPHA_TO_ONE()) line(2, "alpha 1 in its place (X_RS_CTRL.ALPHA_TO_ONE)");
      }
      if (target.logic) line(2, format("logic operation 0x%x", target.logic_op));
      if (target.write_mask != 15) line(2, format("channel mask 0x%x", target.write_mask));
    }
    const bool several = target.image.samples_log2 != 0;
    for (uint32_t s = 0; s < 8; ++s) {
      if (!(samples >> s & 1u) || !wants(s)) continue;
      const Texel texel = read_texel(ctx.memory, target.image, layer_, uint32_t(x_), uint32_t(y_), s, false);
      line(2, std::string(after ? "-> stored " : "before ") + (texel.backed ? texel.bytes + ", " + bits_text(texel.value) : "nothing") +
                  format(", target %u", t) + (several ? format(", sample %u", s) : ""));
    }
  }
}

void PixelLife::instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) {
  if (!running_) return;
  fetching_ = false;
  const bool active = t.active >> pixel_ & 1;
  line(2, format("%3u: ", t.pc) + compiler::us::disassemble(x) + slot_remark(names_, x, t.pc) + (active ? "" : "  -- not active"));
  if (!active) return;
  if (const std::string text = slot_operands(t, x, pixel_); !text.empty()) line(4, text);
  if (const std::string text = slot_memory(t, x, pixel_); !text.empty()) line(4, text);
  killed_ = uint8_t(t.helpers);
}

void PixelLife::executed(us::GroupThread<4>& t, const isa::us_r500::Instruction& x) {
  if (!running_) return;
  fetching_ = false;
  if (const std::string text = slot_results(t, x, pixel_); !text.empty()) line(4, text);
  if ((t.helpers & ~killed_) >> pixel_ & 1) line(4, "-> the pixel is killed: it goes on as a helper");
  killed_ = uint8_t(t.helpers);
}

}  // namespace pumice::hw::trace
