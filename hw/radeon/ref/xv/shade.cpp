// SPDX-License-Identifier: MIT
/// See shade.h (docs/r5x.md, sections 1, 5 and 6).
#include "hw/radeon/ref/xv/shade.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::xv {
namespace {

namespace r = regs::r5x;
using x::Bits4;

class VertexLink final : public x::StageLink {
 public:
  VertexLink(const DrawContext& ctx, std::span<const VertexId> ids, Shaded* out) : ctx_(ctx), ids_(ids), out_(out) {}

  Bits4 attribute(uint32_t lane, uint32_t number) override {
    const ChipState& s = ctx_.state;
    number %= r::X_VTX_ATTR_FORMAT::count;
    const auto format = s.get<r::X_VTX_ATTR_FORMAT>(number);
    const formats::Info& f = formats::info(format.FORMAT());
    const xt::Decoding how = xt::decoding_of(f, false);
    if (!formats::is_known(format.FORMAT()) || f.compressed()) return {0, 0, 0, num::bits(1.0f)};
    const uint32_t buffer = format.BUFFER();
    const uint64_t at =
        uint64_t{element(ids_[lane], s.get<r::X_VTX_ATTR_RATE>(number).raw)} * s.get<r::X_VTX_BUFFER_STRIDE>(buffer).raw + format.OFFSET();
    std::array<uint8_t, 16> raw{};
    if (at + f.bytes <= s.get<r::X_VTX_BUFFER_SIZE>(buffer).raw) {
      const uint64_t base = s.get<r::X_VTX_BUFFER_LO>(buffer).ADDRESS() | uint64_t{s.get<r::X_VTX_BUFFER_HI>(buffer).ADDRESS()} << 32;
      ctx_.memory.read(base + at, raw.data(), f.bytes);
    }
    return xt::finish_texel(how, xt::decode_texel(f, false, raw.data(), 0, 0));
  }

  Bits4 system(uint32_t lane, uint32_t number) override {
    const ChipState& s = ctx_.state;
    switch (number) {
      case 16: return {ids_[lane].index, 0, 0, 0};
      case 17: return {s.get<r::X_DRAW_FIRST_INSTANCE>().raw + ids_[lane].instance, 0, 0, 0};
      case 18: return {s.get<r::X_DRAW_BASE_VERTEX>().raw, 0, 0, 0};
      case 19: return {s.get<r::X_DRAW_FIRST_INSTANCE>().raw, 0, 0, 0};
      case 20: return {s.get<r::X_DRAW_NUMBER>().raw, 0, 0, 0};
      case 21: return {s.get<r::X_DRAW_VIEW>().NUMBER(), 0, 0, 0};
      default: return {};
    }
  }

  void write(uint32_t lane, uint32_t slot, uint32_t mask, const Bits4& value) override {
    namespace n = x::slot;
    Shaded& out = out_[lane];
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(mask >> c & 1u)) continue;
      const float v = num::from_bits(value[c]);
      if (slot >= n::varying)
        out.vertex.varying[(slot - n::varying) % x::kVaryings][c] = v;
      else if (slot == n::position)
        out.position[c] = v;
      else if (slot == n::point_size && c == 0)
        out.point_size = v;
      else if (slot == n::layer && c == 0)
        out.vertex.layer = value[0];
      else if (slot == n::viewport && c == 0)
        out.vertex.viewport = value[0];
      else if (slot == n::clip_distance || slot == n::clip_distance + 1)
        out.clip[4 * (slot - n::clip_distance) + c] = v;
      else if (slot == n::cull_distance || slot == n::cull_distance + 1)
        out.cull[4 * (slot - n::cull_distance) + c] = v;
    }
  }

 private:
  /// Which element of the buffer the vertex reads.
  uint32_t element(const VertexId& id, uint32_t rate) const {
    if (rate == 0) return id.index;
    const uint32_t first = ctx_.state.get<r::X_DRAW_FIRST_INSTANCE>().raw;
    return rate == ~0u ? first : first + id.instance / rate;
  }

  const DrawContext& ctx_;
  std::span<const VertexId> ids_;
  Shaded* out_;
};

}  // namespace

void shade(DrawContext& ctx, std::span<const VertexId> ids, Shaded* out) {
  const auto lanes = uint32_t(ids.size());
  VertexLink link(ctx, ids, out);
  if (ctx.inspector) ctx.inspector->vertex(ctx, ids[0]);  // one by one, then
  x::run(ctx, {.stage = x::Stage::vertex, .lanes = lanes, .active = (1u << lanes) - 1, .helpers = 0, .link = &link});
  if (ctx.inspector) ctx.inspector->vertex_done(ctx, ids[0], out[0]);
}

}  // namespace pumice::hw::xv
