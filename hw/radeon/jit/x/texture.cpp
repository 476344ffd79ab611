// SPDX-License-Identifier: MIT
/// See texture.h.
#include "hw/radeon/jit/x/texture.h"

#include <algorithm>
#include <bit>

#include "hw/common/numerics/float_bits.h"
#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/texel.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::TexOp;
using isa::us_r500::XOp;

std::optional<TextureUse> texture_use(const isa::us_r500::Instruction& x) {
  if (x.type != isa::us_r500::Type::TEXTURE || x.tex.inst != TexOp::X) return {};
  TextureUse use{.image = x.tex.x.descriptor};
  switch (x.tex.x.op) {
    case XOp::SAMPLE:
    case XOp::SAMPLEB:
    case XOp::SAMPLEL:
    case XOp::SAMPLEG:
    case XOp::GATHER:
    case XOp::QLOD:
      use.sampler = isa::us_r500::selector_of(x.tex.x.immediate);
      use.has_sampler = true;
      break;
    case XOp::FETCH:
    case XOp::QSIZE:
    case XOp::QLEVELS: break;
    default: return {};
  }
  if (use.image.indirect || use.sampler.indirect) return {};
  return use;
}

std::vector<TextureUse> texture_uses(std::span<const isa::us_r500::Instruction> code) {
  std::vector<TextureUse> uses;
  for (const auto& x : code)
    if (const auto use = texture_use(x); use && std::find(uses.begin(), uses.end(), *use) == uses.end()) uses.push_back(*use);
  return uses;
}

std::array<uint32_t, 3> TextureKey::words() const {
  uint32_t a = uint32_t(native) | uint32_t(stencil) << 1 | uint32_t(mips) << 2 | uint32_t(mag_linear) << 3 | uint32_t(min_linear) << 4 |
               uint32_t(mip_off) << 5 | uint32_t(mip_linear) << 6 | uint32_t(bias) << 7 | uint32_t(dim) << 8 |
               uint32_t(samples_log2) << 11 | uint32_t(border) << 14 | uint32_t(compare) << 16 | uint32_t(probes) << 19 |
               uint32_t(seams) << 24 | uint32_t(reduction) << 25;
  uint32_t b = format, c = 0;
  for (uint32_t i = 0; i < 4; ++i) b |= uint32_t(swizzle[i]) << (8 + 3 * i);
  for (uint32_t i = 0; i < 3; ++i) c |= uint32_t(address[i]) << 3 * i | uint32_t(power_of_two[i]) << (9 + i);
  return {a, b, c};
}

namespace {

uint32_t axes_of(const xt::Image& image) {
  switch (image.dim) {
    case xt::Dim::d1:
    case xt::Dim::d1_array:
    case xt::Dim::buffer: return 1;
    case xt::Dim::d3: return 3;
    default: return 2;
  }
}

}  // namespace

TextureKey texture_key(const xt::Image& image, const xt::Sampler* sampler) {
  TextureKey k;
  k.native = true;
  if (image.is_null() || image.dim == xt::Dim::buffer) {
    k.native = image.is_null();
    return k;
  }
  const formats::Info& f = formats::info(image.format);
  const xt::Decoding how = xt::decoding_of(f, image.stencil);
  k.format = image.format, k.stencil = image.stencil, k.dim = image.dim;
  k.swizzle = image.swizzle;
  k.mips = image.top_level() > 0;
  k.samples_log2 = image.samples_log2;
  if (!sampler) return k;
  k.seams = sampler->seams && image.is_cube(), k.reduction = sampler->reduction;
  // Integers beyond corners, which GATHER finds: the reference's code.
  if (k.reduction != xt::Reduction::average && how.integer && image.is_cube() && !k.seams) k.native = false;
  k.mag_linear = sampler->mag_linear && !how.integer, k.min_linear = sampler->min_linear && !how.integer;
  k.mip_off = sampler->mip_off || !k.mips, k.mip_linear = !k.mip_off && sampler->mip_linear && !how.integer;
  k.bias = sampler->lod_bias != 0;
  k.probes = sampler->max_anisotropy > 1 ? sampler->max_anisotropy : 0;
  k.compare = sampler->compare;
  const uint32_t size[3] = {image.width, image.height, image.depth};
  if (image.is_cube() && !k.seams) return k;
  for (uint32_t a = 0; a < axes_of(image); ++a) {
    k.address[a] = sampler->address[a];
    if (k.address[a] == xt::Address::clamp_to_border) k.border = sampler->border;
    if (k.address[a] <= xt::Address::mirrored_repeat) k.power_of_two[a] = std::has_single_bit(size[a]);
  }
  return k;
}

void fill_view(TextureView& v, const xt::Image& image, const xt::Sampler* sampler, const void* base) {
  v = {};
  v.base = base;
  if (image.is_null()) return;
  const uint32_t faces = image.is_cube() ? 6 : 1;
  v.layers = image.layers;
  v.size_layers = image.layers / faces;
  v.last_layer = float(std::max(image.layers / faces, 1u) - 1);
  if (image.layers > 1 || image.is_cube()) v.face_pitch = uint32_t(image.layer_pitch), v.layer_pitch = uint32_t(image.layer_pitch * faces);
  v.top_level = image.top_level();
  v.top = float(v.top_level);
  for (uint32_t l = 0; l <= v.top_level; ++l) {
    const xt::Level level = xt::level_of(image, image.first_level + l);
    const uint32_t size[3] = {level.width, level.height, level.depth};
    for (uint32_t a = 0; a < 3; ++a) {
      v.extent[a].v[l] = sampler && sampler->unnormalized ? 1.0f : float(size[a]);
      v.steps[a].v[l] = 256 * v.extent[a].v[l];
      v.inverse[a].v[l] = 1.0f / float(size[a]);
      v.last[a].v[l] = num::from_bits(size[a] - 1);
    }
    v.pitch.v[l] = num::from_bits(level.pitch);
    v.slice_pitch.v[l] = num::from_bits(uint32_t(level.slice_pitch));
    v.offset.v[l] = num::from_bits(uint32_t(level.offset));
  }
  if (!sampler) return;
  v.min_lod = sampler->min_lod, v.max_lod = sampler->max_lod, v.bias = sampler->lod_bias;
  if (sampler->border != xt::Border::custom) return;
  const formats::Info& f = formats::info(image.format);
  const xt::Decoding how = xt::decoding_of(f, image.stencil);
  for (uint32_t c = 0; c < 4; ++c) v.border[c] = num::from_bits(xt::border_code(f, how, c, sampler->border_color[c]));
}

}  // namespace pumice::hw::fast::extended
