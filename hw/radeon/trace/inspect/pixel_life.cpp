// SPDX-License-Identifier: MIT
/// See pixel_life.h: the primitive, coverage, interpolants and the order of stages; the program is pixel_program.cpp, tests and stores are
/// pixel_output.cpp.
#include "hw/radeon/trace/inspect/pixel_life.h"

#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

const char* name_of(PrimitiveKind kind) {
  switch (kind) {
    case PrimitiveKind::point: return "point";
    case PrimitiveKind::line: return "line";
    case PrimitiveKind::triangle: break;
  }
  return "triangle";
}

}  // namespace

void PixelLife::primitive(const DrawContext&, const Primitive&) { ++primitives_; }

void PixelLife::shape(const DrawContext&, const Shape& shape, const sc::Scan& scan) {
  covered_ = inside_ = false;
  if (!scan.box.contains(x_, y_)) return;
  const int32_t x0 = x_ & ~1, y0 = y_ & ~1;
  pixel_ = uint32_t(x_ & 1) | uint32_t(y_ & 1) << 1;
  std::string samples;
  if (scan.samples.count == 1) {
    covered_ = sc::coverage(scan, x0, y0) >> pixel_ & 1;
  } else {
    for (uint32_t s = 0; s < scan.samples.count; ++s) {
      if (!(sc::coverage(scan, x0, y0, s) >> pixel_ & 1)) continue;
      covered_ |= wants(s);
      samples += " " + std::to_string(s);
    }
  }
  if (!covered_) return;
  ++covering_;
  line(0, format("primitive %u: %s%s", primitives_, name_of(shape.kind), shape.back_facing ? ", back facing" : ""));
  const uint32_t vertices = shape.kind == PrimitiveKind::triangle ? 3 : shape.kind == PrimitiveKind::line ? 2 : 1;
  for (uint32_t i = 0; i < vertices; ++i) {
    const WindowVertex& v = *shape.vertex[i];
    line(1, format("vertex %u: x %s  y %s  z %s  1/w %s%s", i, number(double{v.x}).c_str(), number(double{v.y}).c_str(),
                   number(double{v.z}).c_str(), number(double{v.inv_w}).c_str(), &v == shape.provoking ? "  (provoking)" : ""));
  }
  for (uint32_t i = 0; i < scan.edges; ++i) {
    const sc::Edge& e = scan.edge[i];
    const auto more = [&](uint32_t s) { return scan.samples.count > 1 ? scan.sample[s].more[i] : 0; };
    const int64_t at = e.a * x_ + e.b * y_ + e.c;
    std::string values;
    for (uint32_t s = 0; s < scan.samples.count; ++s)
      if (wants(s)) values += (values.empty() ? "" : " ") + std::to_string(at + more(s));
    line(1, format("edge %u: %lld*x + %lld*y + %lld = %s, inside from 0 on", i, static_cast<long long>(e.a), static_cast<long long>(e.b),
                   static_cast<long long>(e.c), values.c_str()));
  }
  if (scan.samples.count > 1) line(1, "samples covered:" + samples);
}

void PixelLife::quad(const DrawContext& ctx, const PixelQuad& q) {
  inside_ = covered_ && q.quad.x == (x_ & ~1) && q.quad.y == (y_ & ~1);
  if (!inside_) return;
  shaded_ = false;
  interpolants(ctx.state, q);
}

void PixelLife::interpolants(const ChipState& state, const PixelQuad& q) {
  if (!q.quad.samples) line(1, "z " + number(double{q.quad.z[pixel_]}));
  for (uint32_t s = 0; q.quad.samples && s < q.quad.samples->count; ++s)
    if (wants(s)) line(1, format("z %s, sample %u", number(double{q.quad.samples->z[s][pixel_]}).c_str(), s));
  const auto routed = [&](const char* what, uint32_t step, uint32_t ip, uint32_t address) {
    line(1, format("r%u = %s  from RS_INST[%u], %s of RS_IP[%u]", address, numbers(q.temp[address][pixel_]).c_str(), step, what, ip) +
                (names_ ? name_remark(names_->inputs, address) : ""));
  };
  if (state.chip().has_texture_pointers) {
    const uint32_t last = state.get<regs::RS_INST_COUNT>().INST_COUNT();
    for (uint32_t i = 0; i <= last; ++i) {
      const auto inst = state.get<regs::RS_INST>(i);
      if (inst.TEX_CN()) routed("texture coordinate", i, inst.TEX_ID(), inst.TEX_ADDR());
      if (inst.COL_CN() == regs::RS_INST::COL_CN__COLOUR) routed("colour", i, inst.COL_ID(), inst.COL_ADDR());
      if (inst.COL_CN() == regs::RS_INST::COL_CN__SCREEN_X_Y_0_0_TO_RGBA)
        routed("screen position instead", i, inst.COL_ID(), inst.COL_ADDR());
      if (inst.COL_CN() == regs::RS_INST::COL_CN__FACING_FLAG_0_0_0_TO_RGBA) routed("facing instead", i, inst.COL_ID(), inst.COL_ADDR());
    }
    return;
  }
  const uint32_t last = state.get<regs::r300::RS_INST_COUNT>().INST_COUNT();
  for (uint32_t i = 0; i <= last; ++i) {
    const auto inst = state.get<regs::r300::RS_INST>(i);
    if (inst.TEX_CN()) routed("texture coordinate", i, inst.TEX_ID(), inst.TEX_ADDR());
    if (inst.COL_CN()) routed("colour", i, inst.COL_ID(), inst.COL_ADDR());
  }
}

void PixelLife::begins(const DrawContext& ctx, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample,
                       const std::array<float, 4>* z) {
  if (!inside_) return;
  bool enters = false;
  for (uint32_t s = 0; s < mask.size(); ++s) enters |= (mask[s] >> pixel_ & 1) && (mask.size() == 1 || wants(s));
  switch (stage) {
    case PixelStage::depth:
      if (wants(sample) && (mask[sample] >> pixel_ & 1)) depth_begins(ctx, q.quad, sample, (*z)[pixel_]);
      break;
    case PixelStage::shader:
      shaded_ = true;
      killed_ = 0;
      line(1, enters ? "US" : "US, as a helper: the pixel has failed already");
      break;
    case PixelStage::fog_alpha: before_fog_ = q.color[0][pixel_]; break;
    case PixelStage::color:
      if (enters) color(ctx, q, mask, false);
      break;
  }
}

void PixelLife::ends(const DrawContext& ctx, PixelStage stage, const PixelQuad& q, std::span<const uint8_t> mask, uint32_t sample) {
  if (!inside_) return;
  const bool stays = mask[0] >> pixel_ & 1;
  switch (stage) {
    case PixelStage::depth:
      if (wants(sample)) depth_ends(ctx, sample, stays);
      break;
    case PixelStage::shader: shader_ends(ctx, q); break;
    case PixelStage::fog_alpha:
      if (q.color[0][pixel_] != before_fog_) line(1, "FG: fog changes colour 0 to " + numbers(q.color[0][pixel_]));
      if (!stays && !(q.killed >> pixel_ & 1)) line(1, "FG: the alpha test discards the pixel");
      break;
    case PixelStage::color: color(ctx, q, mask, true); break;
  }
}

}  // namespace pumice::hw::trace
