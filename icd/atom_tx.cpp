// SPDX-License-Identifier: MIT
/// TX: views and samplers to texture units (pipeline s.6).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "icd/atoms.h"
#include "icd/texture_state.h"

namespace pumice::icd {
namespace {

using F0 = regs::TX_FILTER0;

uint32_t clamp_code(VkSamplerAddressMode m) {
  switch (m) {
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: return F0::CLAMP_S__MIRROR;
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL;
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: return F0::CLAMP_S__CLAMP_TO_BORDER;
    case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: return F0::CLAMP_S__MIRROR_ONCE_TO_EDGE_TEXEL;
    default: return F0::CLAMP_S__WRAP;
  }
}

/// What the program does instead of the chip: repeat and mirror of sizes that are no power of two.
compiler::TextureFacts::Wrap emulated(VkSamplerAddressMode m, uint32_t size) {
  using W = compiler::TextureFacts::Wrap;
  if (std::has_single_bit(size)) return W::hardware;
  return m == VK_SAMPLER_ADDRESS_MODE_REPEAT ? W::repeat : m == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT ? W::mirrored_repeat : W::hardware;
}

/// The border colour in the texture's own packing (pipeline s.6.7).
uint32_t border_bits(const FormatInfo& f, const Sampler& s) {
  VkClearColorValue c{};
  switch (s.info.borderColor) {
    case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
    case VK_BORDER_COLOR_INT_OPAQUE_BLACK: c.float32[3] = 1; break;
    case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
    case VK_BORDER_COLOR_INT_OPAQUE_WHITE: c = {{1, 1, 1, 1}}; break;
    default: break;
  }
  const Layout l = layout_of(f);
  uint32_t bits = 0;
  if (!(f.flags & kCompressed) && l.bytes <= 4) {
    uint8_t raw[4] = {};
    pack_pixel(f, c, raw);
    std::memcpy(&bits, raw, 4);
    return bits;
  }
  if (f.format == VK_FORMAT_R32G32_SFLOAT) {
    uint8_t raw[4];
    pack_pixel(*find_format(VK_FORMAT_R16G16_SFLOAT), c, raw);
    std::memcpy(&bits, raw, 4);
    return bits;
  }
  for (uint32_t i = 0; i < l.count; ++i) {
    const char ch = l.component[i].channel;
    const float v = c.float32[ch == 'r' ? 0 : ch == 'g' ? 1 : ch == 'b' ? 2 : 3];
    bits |= (v != 0 ? 255u : 0u) << (8 * i);
  }
  return bits;
}

const Sampler* sampler_of(const GfxState& g, const compiler::TextureUse& use) {
  const Descriptor* d = use.pair.sampler ? g.descriptor(*use.pair.sampler) : nullptr;
  return d ? d->sampler : nullptr;
}

/// Integral limits only: the nearest ones.
uint32_t level_of(float lod, uint32_t last) { return static_cast<uint32_t>(std::clamp(lod + 0.5f, 0.0f, static_cast<float>(last) + 0.5f)); }

}  // namespace

compiler::TextureFacts texture_facts(const GfxState& g, const compiler::TextureUse& use) {
  compiler::TextureFacts facts;
  const Descriptor* d = g.descriptor(use.pair.image);
  if (!d || !d->view) return facts;
  const Sampler* s = sampler_of(g, use);
  if (!s) return facts;
  const VkExtent3D e = d->view->image.extent(d->view->range.baseMipLevel);
  if (use.dim != compiler::TextureUse::Dim::cube) {
    facts.wrap_s = emulated(s->info.addressModeU, e.width);
    if (use.dim != compiler::TextureUse::Dim::d1) facts.wrap_t = emulated(s->info.addressModeV, e.height);
  }
  facts.unnormalized = s->info.unnormalizedCoordinates;
  // minLod <= maxLod, so level 0 is the only one if maxLod names it.
  if (use.level0_offsets) facts.several_levels = level_of(s->info.maxLod, d->view->range.levelCount - 1) > 0;
  if (use.shadow && s->info.compareEnable) facts.compare_op = static_cast<uint8_t>(s->info.compareOp);
  return facts;
}

void emit_texture(Cs& cs, uint32_t unit, const TextureUnit& t) {
  const FormatInfo& f = *t.format;
  using F1 = regs::TX_FORMAT1;
  const uint32_t w = t.width - 1, h = t.height - 1;
  regs::TX_FORMAT0 f0;
  f0.TXWIDTH(w & 0x7FF).TXHEIGHT(h & 0x7FF).TXDEPTH(static_cast<uint32_t>(std::bit_width(t.depth)) - 1).NUM_LEVELS(t.last_level);
  F1 f1;
  f1.TXFORMAT(f.tx & 31).SEL_RED(t.select[0]).SEL_GREEN(t.select[1]).SEL_BLUE(t.select[2]).SEL_ALPHA(t.select[3]);
  if (f.numeric == Numeric::snorm) f1.SIGNED_COMP0(1).SIGNED_COMP1(1).SIGNED_COMP2(1).SIGNED_COMP3(1);
  f1.GAMMA(f.numeric == Numeric::srgb);
  f1.TEX_COORD_TYPE(t.cube ? F1::TEX_COORD_TYPE__CUBE : t.volume ? F1::TEX_COORD_TYPE__N3D : F1::TEX_COORD_TYPE__N2D);
  regs::TX_FORMAT2 f2;
  f2.TXFORMAT_MSB(f.tx >> 5).TXWIDTH_11(w >> 11).TXHEIGHT_11(h >> 11);  // 0 where the chip has none of them: images and formats are smaller
  if (t.pitch_texels) {
    f0.TXPITCH_EN(1);
    f2.TXPITCH(t.pitch_texels - 1);
  }
  F0 filter = t.filter0;
  filter.MAX_MIP_LEVEL(t.first_level).ID(unit);
  cs.state(filter, unit);
  cs.state(t.filter1, unit);
  cs.state(f0, unit);
  cs.state(f1, unit);
  cs.state(f2, unit);
  cs.state(regs::TX_OFFSET{}.TXOFFSET(address32(t.address) >> 5), unit);
  regs::TX_BORDER_COLOR border;
  border.raw = t.border;
  cs.state(border, unit);
}

void atom_tx(Cs& cs, const GfxState& g) {
  cs.set(regs::TX_INVALTAGS{});
  regs::TX_ENABLE enable;
  for (const compiler::TextureUse& use : g.program->fragment.textures) {
    const Descriptor* d = g.descriptor(use.pair.image);
    if (!d || !d->view) continue;  // a disabled unit returns (0, 0, 0, 1)
    const ImageView& view = *d->view;
    const Image& image = view.image;
    const Sampler* s = use.input_attachment ? nullptr : sampler_of(g, use);
    TextureUnit t;
    t.format = &view.format;
    const uint32_t base = view.range.baseMipLevel;
    const VkExtent3D e = image.extent(base);
    t.width = e.width;
    t.height = e.height;
    t.volume = view.view_type == VK_IMAGE_VIEW_TYPE_3D;
    t.cube = view.view_type == VK_IMAGE_VIEW_TYPE_CUBE;
    t.depth = t.volume ? e.depth : 1;
    t.address = t.volume || t.cube ? image.plane(base, t.cube ? view.range.baseArrayLayer : 0, 0).address : view.plane().address;
    t.select = view.select;
    // Levels count from the view's first one. That level's rows may be longer than the chip would derive from its width.
    const LevelLayout& level = image.layout.level[base];
    t.pitch_texels = level.pitch_units * image.block.width;
    t.last_level = view.range.levelCount - 1;

    // Depth is compared or returned raw: never filtered.
    const bool point = !s || is_depth_stencil(view.format) || !(view.format.flags & kFilter);
    F0& f0 = t.filter0;
    const auto filter = [&](VkFilter f) { return f == VK_FILTER_LINEAR && !point ? F0::MAG_FILTER__LINEAR : F0::MAG_FILTER__POINT; };
    if (s) {
      const VkSamplerCreateInfo& i = s->info;
      const auto known = std::ranges::find(g.variant, use.pair, [](const auto& entry) { return entry.first; });
      const compiler::TextureFacts facts = known == g.variant.end() ? compiler::TextureFacts{} : known->second;
      const auto clamp = [](VkSamplerAddressMode m, compiler::TextureFacts::Wrap w) {
        return w == compiler::TextureFacts::Wrap::hardware ? clamp_code(m) : F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL;
      };
      const bool cube_edges = t.cube;  // faces end at their edge
      f0.CLAMP_S(cube_edges ? F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL : clamp(i.addressModeU, facts.wrap_s));
      f0.CLAMP_T(cube_edges || image.info.imageType == VK_IMAGE_TYPE_1D ? F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL
                                                                        : clamp(i.addressModeV, facts.wrap_t));
      if (t.volume) f0.CLAMP_R(clamp(i.addressModeW, facts.wrap_r));
      f0.MAG_FILTER(filter(i.magFilter)).MIN_FILTER(filter(i.minFilter));
      if (i.anisotropyEnable && i.maxAnisotropy > 1 && !point) {
        // Only linear filters become anisotropic: the specification leaves the others open.
        if (i.magFilter == VK_FILTER_LINEAR) f0.MAG_FILTER(F0::MAG_FILTER__ANISOTROPIC);
        if (i.minFilter == VK_FILTER_LINEAR) f0.MIN_FILTER(F0::MIN_FILTER__ANISOTROPIC);
        // The limit in steps of 1/4.2, which the chip rounds to whole samples.
        const float limit = std::min(i.maxAnisotropy, 16.0f);
        if (cs.chip().has_fine_anisotropy) t.filter1.ANISO_HIGH_QUALITY(1).MAX_ANISO(static_cast<uint32_t>((limit - 1.0f) * 4.2f + 0.5f));
        f0.MAX_ANISO(std::min(static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(limit)) - 1), 4u));
      }
      t.first_level = level_of(i.minLod, t.last_level);
      t.last_level = std::max(t.first_level, std::min(t.last_level, level_of(i.maxLod, t.last_level)));
      f0.MIP_FILTER(t.last_level == 0                                         ? F0::MIP_FILTER__NONE
                    : i.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR && !point ? F0::MIP_FILTER__LINEAR
                                                                              : F0::MIP_FILTER__POINT);
      const float bias = std::clamp(i.mipLodBias, -15.9f, 15.9f);
      t.filter1.LOD_BIAS(static_cast<uint32_t>(std::lrint(bias * 32.0f)) & 0x3FF);
      t.border = border_bits(view.format, *s);
    } else {
      f0.CLAMP_S(F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL).CLAMP_T(F0::CLAMP_S__CLAMP_TO_EDGE_TEXEL);
      f0.MAG_FILTER(F0::MAG_FILTER__POINT)
          .MIN_FILTER(F0::MAG_FILTER__POINT)
          .MIP_FILTER(t.last_level ? F0::MIP_FILTER__POINT : F0::MIP_FILTER__NONE);
    }
    if (cs.chip().has_fine_anisotropy) t.filter1.BORDER_FIX(1);
    emit_texture(cs, use.unit, t);
    enable.raw |= 1u << use.unit;
  }
  cs.state(enable);
}

}  // namespace pumice::icd
