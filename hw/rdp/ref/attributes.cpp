// SPDX-License-Identifier: MIT
/// The attribute commands (command summary; docs/reference/rdp.md sections 2 and 5).
#include "hw/rdp/ref/attributes.h"

#include "hw/rdp/ref/bits.h"

namespace pumice::hw::rdp {
namespace {

template <typename Command>
Color color_of(const Command& c) {
  return {static_cast<int32_t>(c.red()), static_cast<int32_t>(c.green()), static_cast<int32_t>(c.blue()), static_cast<int32_t>(c.alpha())};
}

template <typename Command>
Image image_of(const Command& c) {
  return {c.format(), c.size(), c.width() + 1, c.address()};
}

void other_modes(State& s, const SetOtherModes& m) {
  s.modes = m;
  s.blend[0] = {m.m1a_0(), m.m1b_0(), m.m2a_0(), m.m2b_0()};
  s.blend[1] = {m.m1a_1(), m.m1b_1(), m.m2a_1(), m.m2b_1()};
}

void combine_mode(State& s, const SetCombineMode& c) {
  s.combine[0] = {c.sub_a_rgb_0(), c.sub_b_rgb_0(), c.mul_rgb_0(), c.add_rgb_0(), c.sub_a_a_0(), c.sub_b_a_0(), c.mul_a_0(), c.add_a_0()};
  s.combine[1] = {c.sub_a_rgb_1(), c.sub_b_rgb_1(), c.mul_rgb_1(), c.add_rgb_1(), c.sub_a_a_1(), c.sub_b_a_1(), c.mul_a_1(), c.add_a_1()};
}

void tile(State& s, const SetTile& c) {
  Tile& t = s.tiles[c.tile()];
  t.format = c.format();
  t.size = c.size();
  t.line = c.line();
  t.tmem = c.tmem();
  t.palette = c.palette();
  t.s.set_mask(c.clamp_s(), c.mirror_s(), c.mask_s(), c.shift_s());
  t.t.set_mask(c.clamp_t(), c.mirror_t(), c.mask_t(), c.shift_t());
}

}  // namespace

void set_attributes(State& s, const uint64_t* w) {
  const auto i32 = [](uint32_t v) { return static_cast<int32_t>(v); };
  switch (static_cast<Op>(w[0] >> 56 & 0x3F)) {
    case Op::set_key_gb: {
      const SetKeyGb k(w);
      s.key_width[1] = i32(k.width_g());
      s.key_width[2] = i32(k.width_b());
      s.key_center[1] = i32(k.center_g());
      s.key_center[2] = i32(k.center_b());
      s.key_scale[1] = i32(k.scale_g());
      s.key_scale[2] = i32(k.scale_b());
      break;
    }
    case Op::set_key_r: {
      const SetKeyR k(w);
      s.key_width[0] = i32(k.width_r());
      s.key_center[0] = i32(k.center_r());
      s.key_scale[0] = i32(k.scale_r());
      break;
    }
    case Op::set_convert: {
      const SetConvert c(w);
      s.filter_k = {2 * c.k0() + 1, 2 * c.k1() + 1, 2 * c.k2() + 1, 2 * c.k3() + 1};
      s.k4 = c.k4();
      s.k5 = c.k5();
      break;
    }
    case Op::set_scissor: {
      const SetScissor c(w);
      s.scissor = {c.xh(), c.yh(), c.xl(), c.yl(), c.field() != 0, c.odd()};
      break;
    }
    case Op::set_prim_depth: {
      const SetPrimDepth c(w);
      s.prim_z = (c.z() & 0x7FFF) << 16;
      s.prim_dz = c.dz();
      break;
    }
    case Op::set_other_modes: other_modes(s, SetOtherModes(w)); break;
    case Op::set_tile_size: {
      const SetTileSize c(w);
      s.tiles[c.tile()].s.set_range(c.sl(), c.sh());
      s.tiles[c.tile()].t.set_range(c.tl(), c.th());
      break;
    }
    case Op::set_tile: tile(s, SetTile(w)); break;
    case Op::set_fill_color: s.fill_color = SetFillColor(w).color(); break;
    case Op::set_fog_color: s.fog_color = color_of(SetFogColor(w)); break;
    case Op::set_blend_color: s.blend_color = color_of(SetBlendColor(w)); break;
    case Op::set_prim_color: {
      const SetPrimColor c(w);
      s.prim_color = color_of(c);
      s.min_level = c.min_level();
      s.prim_lod_frac = c.lod_frac();
      break;
    }
    case Op::set_env_color: s.env_color = color_of(SetEnvColor(w)); break;
    case Op::set_combine_mode: combine_mode(s, SetCombineMode(w)); break;
    case Op::set_texture_image: s.texture_image = image_of(SetTextureImage(w)); break;
    case Op::set_z_image: s.z_address = SetZImage(w).address(); break;
    case Op::set_color_image: s.color_image = image_of(SetColorImage(w)); break;
    default: break;
  }
}

}  // namespace pumice::hw::rdp
