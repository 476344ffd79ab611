// SPDX-License-Identifier: MIT
/// See picture.h.
#include "hw/radeon/fast/extended/picture.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "hw/db/formats.h"
#include "hw/db/isa_us_r500.h"
#include "hw/radeon/fast/extended/pixel_code.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

namespace {

using isa::us_r500::Instruction;
using isa::us_r500::XOp;

constexpr uint32_t kAll = 15;

uint32_t written(const Instruction& x) { return uint32_t(x.rgb.write | x.alpha.write << 3); }

/// An X slot of this operation that all lanes execute, whose result keeps its channels.
bool is_plain(const Instruction& x, XOp op) {
  const isa::us_r500::Texture& t = x.tex;
  return x.type == isa::us_r500::Type::TEXTURE && t.inst == isa::us_r500::TexOp::X && t.x.op == op && !x.rgb_predicate &&
         !x.alpha_predicate && !x.write_inactive && !t.source.relative && !t.dest.relative &&
         (op == XOp::EXP || t.dest.swizzle == std::array<uint8_t, 4>{0, 1, 2, 3});
}

/// Strict address generators repeat powers of two (hw/radeon/decode/tx/address.h).
Picture::Outside outside(const TextureKey& t, uint32_t axis) {
  switch (t.address[axis]) {
    case xt::Address::clamp_to_edge: return Picture::Outside::nearest;
    case xt::Address::repeat: return t.power_of_two[axis] ? Picture::Outside::repeat : Picture::Outside::never;
    case xt::Address::mirrored_repeat: return t.power_of_two[axis] ? Picture::Outside::mirror : Picture::Outside::never;
    case xt::Address::mirror_clamp_to_edge: return Picture::Outside::mirror_once;
    case xt::Address::clamp_to_border: return t.border == xt::Border::custom ? Picture::Outside::never : Picture::Outside::border;
  }
  return Picture::Outside::never;
}

uint32_t border_texel(const TextureKey& t) {
  switch (t.border) {
    case xt::Border::opaque_black: return 0xFFu << formats::info(t.format).find(formats::Channel::a)->shift;
    case xt::Border::opaque_white: return ~0u;
    default: return 0;
  }
}

/// Four normalized bytes.
bool is_bytes(const formats::Info& f) {
  return f.code == formats::Code::plain && f.cls == formats::Class::unorm && f.bytes == 4 && f.count == 4 &&
         std::all_of(f.component.begin(), f.component.end(), [](const formats::Component& c) { return c.bits == 8; });
}

std::optional<uint8_t> plane_of(const PixelKey& key, uint32_t varying, uint32_t component) {
  const auto& planes = key.inputs.planes;
  const auto found =
      std::find_if(planes.begin(), planes.end(), [&](const auto& p) { return p.varying == varying && p.component == component; });
  if (found == planes.end()) return {};
  return uint8_t(found - planes.begin());
}

bool takes(const TextureKey& t) {
  return t.native && t.format && is_bytes(formats::info(t.format)) && !t.stencil && t.dim == xt::Dim::d2 && !t.samples_log2 && !t.bias &&
         !t.probes && t.reduction == xt::Reduction::average && t.compare == xt::Compare::never;
}

}  // namespace

PictureTexture picture_texture(const TextureView& view) {
  const auto bits = [](const Lanes& table) { return std::bit_cast<uint32_t>(table.v[0]); };
  return {.base = static_cast<const std::byte*>(view.base) + bits(view.offset),
          .min_lod = view.min_lod,
          .pitch = bits(view.pitch),
          .extent = {view.extent[0].v[0], view.extent[1].v[0]},
          .last = {int32_t(bits(view.last[0])), int32_t(bits(view.last[1]))}};
}

Picture picture_of(std::span<const Instruction> code, const PixelKey& key, const TextureKey& texture) {
  if (code.size() != 3 || !is_plain(code[0], XOp::LDV) || !is_plain(code[1], XOp::SAMPLE) || !is_plain(code[2], XOp::EXP)) return {};
  const auto &load = code[0].tex, &sample = code[1].tex, &store = code[2].tex;
  if (load.x.sub != 0 || sample.x.compare || sample.x.offset || written(code[1]) != kAll || written(code[2]) != kAll) return {};
  if (sample.source.temp != load.dest.temp || store.source.temp != sample.dest.temp) return {};
  if (store.x.immediate >= std::size(key.target) || !takes(texture)) return {};
  const output::Key& target = key.target[store.x.immediate];
  for (size_t i = 0; i < std::size(key.target); ++i)
    if (output::writes(key.target[i]) != (i == store.x.immediate)) return {};
  if (output::reads_stored(target) || target.logic || target.blend || !is_bytes(formats::info(target.format))) return {};
  if (key.samples_log2 || key.depth_format || key.alpha_to_coverage || key.alpha_to_one || !key.early) return {};
  Picture p;
  std::optional<uint8_t> plane[2];
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const uint8_t component = sample.source.swizzle[axis];
    if (component > 3 || !(written(code[0]) >> component & 1)) return {};
    plane[axis] = plane_of(key, load.x.immediate, component);
    if (!plane[axis]) return {};
    p.outside[axis] = outside(texture, axis);
  }
  p.s = *plane[0], p.t = *plane[1];
  p.linear = texture.mag_linear;
  p.magnified = !texture.mip_off || texture.mag_linear != texture.min_linear;
  p.border = border_texel(texture);
  // By stored byte: the texel's byte, or a constant.
  const formats::Info &from = formats::info(texture.format), &to = formats::info(target.format);
  for (uint32_t i = 0; i < 4; ++i) {
    const formats::Component& c = to.component[i];
    const uint8_t channel = store.source.swizzle[uint32_t(c.channel)];
    if (channel > 3) return {};
    const uint8_t select = texture.swizzle[channel];
    const uint32_t byte = c.shift / 8;
    p.order[byte] = uint8_t(byte);
    if (select < 4) {
      p.order[byte] = uint8_t(from.find(formats::Channel(select))->shift / 8);
      p.keep |= 0xFFu << 8 * byte;
    } else if (select == 5) {
      p.set |= 0xFFu << 8 * byte;
    }
    p.swizzled |= p.order[byte] != byte;
  }
  p.is = true;
  return p;
}

}  // namespace pumice::hw::fast::extended
