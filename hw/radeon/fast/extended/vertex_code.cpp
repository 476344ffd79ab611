// SPDX-License-Identifier: MIT
/// See vertex_code.h.
#include "hw/radeon/fast/extended/vertex_code.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/jit/x/format.h"

namespace pumice::hw::fast::extended {

using lane::kArgs;
namespace r = regs::r5x;

namespace {

/// The first word of keys: the vertex stage.
constexpr uint32_t kKey = 0x56;

/// Row of a slot's first component; row::count: unused in this stage.
uint32_t row_of(uint32_t slot) {
  namespace n = hw::x::slot;
  if (slot >= n::varying) return row::varying + 4 * (slot - n::varying);
  switch (slot) {
    case n::position: return row::position;
    case n::point_size: return row::point_size;
    case n::layer: return row::layer;
    case n::viewport: return row::viewport;
    case n::clip_distance:
    case n::clip_distance + 1: return row::clip_distance + 4 * (slot - n::clip_distance);
    case n::cull_distance:
    case n::cull_distance + 1: return row::cull_distance + 4 * (slot - n::cull_distance);
    default: return row::count;
  }
}
bool has_one_component(uint32_t slot) { return slot >= hw::x::slot::point_size && slot <= hw::x::slot::viewport; }

}  // namespace

VertexCode::VertexCode(const ChipState& state, uint32_t used, uint32_t varyings) : varyings_(varyings), key_{kKey, varyings} {
  uint32_t rows = 0;
  for (uint32_t n = 0; n < kAttributes; ++n) {
    if (!(used >> n & 1u)) continue;
    const uint32_t format = state.get<r::X_VTX_ATTR_FORMAT>(n).FORMAT();
    const formats::Info& f = formats::info(format);
    Attribute& a = attribute_[n];
    a.row = uint8_t(rows);
    if (formats::is_known(format) && !f.compressed()) {
      a.format = uint8_t(format), a.bytes = uint8_t(f.bytes);
      usable_ = usable_ && format::can_decode(f) && f.bytes <= 4 * kAttributeDwords;
      rows += (f.bytes + 3u) / 4;
    }
    key_.push_back(n << 8 | a.format);
  }
}

StageCode::Numbers VertexCode::attribute(Group& g, uint32_t number) {
  lane::Builder& b = g.b;
  number %= kAttributes;
  const Attribute& a = attribute_[number];
  const lane::Value zero = b.constant_bits(0);
  if (a.bytes == 0) return {Number{zero}, {zero}, {zero}, {b.constant(1.0f)}};
  const formats::Info& f = formats::info(a.format);
  const xt::Decoding how = xt::decoding_of(f, false);
  format::Raw raw;
  raw.count = (f.bytes + 3u) / 4;
  for (uint32_t d = 0; d < raw.count; ++d) {
    raw.dword[d] = b.lanes(kArgs, uint32_t(offsetof(VertexArgs, fetched) + (a.row + d) * sizeof(Lanes)));
    const uint32_t bytes = std::min(f.bytes - 4 * d, 4u);
    if (bytes < 4) raw.dword[d] = b.bit_and(raw.dword[d], b.constant_bits((1u << 8 * bytes) - 1));
  }
  const format::Color c = format::finish(b, how, format::decode(b, f, false, raw));
  return {Number{c[0]}, {c[1]}, {c[2]}, {c[3]}};
}

StageCode::Numbers VertexCode::system(Group& g, uint32_t number) {
  Numbers n = zeros(g);
  switch (number) {
    case 16: n[0] = {g.b.lanes(kArgs, offsetof(VertexArgs, index))}; break;
    case 17: n[0] = {g.b.lanes(kArgs, offsetof(VertexArgs, instance))}; break;
    case 18: n[0] = {g.b.splat(kArgs, offsetof(VertexArgs, base_vertex))}; break;
    case 19: n[0] = {g.b.splat(kArgs, offsetof(VertexArgs, first_instance))}; break;
    case 20: n[0] = {g.b.splat(kArgs, offsetof(VertexArgs, draw_number))}; break;
    case 21: n[0] = {g.b.splat(kArgs, offsetof(VertexArgs, view))}; break;
    default: break;
  }
  return n;
}

void VertexCode::end(Group& g, const Exports& exports) {
  for (uint32_t slot = 0; slot < exports.mask.size(); ++slot) {
    const uint32_t first = row_of(slot);
    if (first == row::count || (slot >= hw::x::slot::varying && !(varyings_ >> (slot - hw::x::slot::varying) & 1u))) continue;
    for (uint32_t c = 0; c < (has_one_component(slot) ? 1 : 4); ++c)
      if (exports.mask[slot] >> c & 1u)
        g.b.store(kArgs, uint32_t(offsetof(VertexArgs, out) + (first + c) * sizeof(Lanes)), g.bits(exports.value[slot][c]));
  }
}

}  // namespace pumice::hw::fast::extended
