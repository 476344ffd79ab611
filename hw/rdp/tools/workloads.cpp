// SPDX-License-Identifier: MIT
/// The workloads of `pumice-rdp bench`.
#include "hw/rdp/tools/workloads.h"

#include "hw/rdp/ref/state.h"
#include "hw/rdp/ref/triangle_setup.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kColor = 0x100000, kDepth = 0x300000, kTexture = 0x400000, kMemory = 0x500000;

template <typename Command>
void put(Words& w, const Command& c) {
  w.insert(w.end(), c.raw.begin(), c.raw.end());
}

SetOtherModes plain_modes(uint32_t cycle) {
  SetOtherModes m;
  m.cycle_type(cycle).sample_type(1).bi_lerp_0(1).bi_lerp_1(1).rgb_dither_sel(0).alpha_dither_sel(3);
  return m;
}
SetOtherModes z_modes(uint32_t cycle) { return plain_modes(cycle).persp_tex_en(1).z_compare_en(1).z_update_en(1); }

/// TEXEL0 * SHADE in the last cycle; in two-cycle mode TEXEL0 goes through.
SetCombineMode modulate(bool two) {
  SetCombineMode c;
  c.sub_a_rgb_0(8).sub_b_rgb_0(8).mul_rgb_0(16).add_rgb_0(1).sub_a_a_0(7).sub_b_a_0(7).mul_a_0(7).add_a_0(1);
  c.sub_a_rgb_1(two ? 0 : 1).sub_b_rgb_1(8).mul_rgb_1(4).add_rgb_1(7).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(4);
  return c;
}
/// (TEXEL1 - TEXEL0) * LOD_FRAC + TEXEL0, then * SHADE.
SetCombineMode trilinear() {
  SetCombineMode c = modulate(true);
  c.sub_a_rgb_0(2).sub_b_rgb_0(1).mul_rgb_0(13).add_rgb_0(1).sub_a_a_0(2).sub_b_a_0(1).mul_a_0(0).add_a_0(1);
  return c;
}

/// Right-angled triangles that cover the screen once, with shade, texture and depth; half a square of `step` pixels each.
void cover(Words& w, Screen s, double step, uint32_t level = 0) {
  TriangleOptions o;
  o.shade = o.texture = o.depth = o.perspective = true;
  o.level = level;
  for (double y = 0; y < s.height; y += step)
    for (double x = 0; x < s.width; x += step) {
      const auto at = [&](double dx, double dy) {
        Vertex v;
        v.x = x + dx;
        v.y = y + dy;
        v.z = 0.5;
        v.rgba = {128 + dx, 200 - dy, 100 + dx, 255};
        v.s = v.x * 0.7;
        v.t = v.y * 0.7;
        v.w = 0.5 + 0.2 * dx / step;
        return v;
      };
      for (const auto& t :
           {triangle_words({at(0, 0), at(step, 0), at(0, step)}, o), triangle_words({at(step, 0), at(step, step), at(0, step)}, o)})
        w.insert(w.end(), t.begin(), t.end());
    }
}
constexpr double kLarge = 35;

void fill(Words& w, Screen s) {
  put(w, plain_modes(kFill));
  put(w, SetFillColor().color(0xFFFCFFFC));
  put(w, FillRectangle().xl(4 * (s.width - 1)).yl(4 * (s.height - 1)));
}

void blended(Words& w) {
  put(w, z_modes(kTwoCycle).antialias_en(1).image_read_en(1).force_blend(1).m1a_0(0).m1b_0(1).m2a_0(3).m2b_0(0).m2a_1(1).m2b_1(0));
}

/// One-cycle, textured, with depth, into a colour image that the SIMD path leaves to the reference.
void elsewhere(Words& w, Screen s, uint32_t size, uint32_t address) {
  put(w, SetColorImage().size(size).width(s.width - 1).address(address));
  put(w, z_modes(kOneCycle));
  put(w, modulate(false));
  cover(w, s, kLarge);
}

/// Uploads are measured by 16-bit texels: 32 loads of 4 KiB.
constexpr uint32_t kLoads = 32;
uint32_t load_texels(Screen) { return kLoads * 2048; }

const Workload kWorkloads[] = {
    {"fill", fill, nullptr, true},
    {"copy",
     [](Words& w, Screen s) {
       put(w, plain_modes(kCopy));
       put(w, TextureRectangle().xl(4 * (s.width - 1)).yl(4 * (s.height - 1)).dsdx(4 << 10).dtdy(1 << 10));
     },
     nullptr, true},
    {"1-cycle textured",
     [](Words& w, Screen s) {
       put(w, plain_modes(kOneCycle).persp_tex_en(1));
       put(w, modulate(false));
       cover(w, s, kLarge);
     },
     nullptr, true},
    {"1-cycle textured z",
     [](Words& w, Screen s) {
       put(w, z_modes(kOneCycle));
       put(w, modulate(false));
       cover(w, s, kLarge);
     },
     nullptr, true},
    {"1-cycle textured z, anti-aliased",
     [](Words& w, Screen s) {
       put(w, z_modes(kOneCycle).antialias_en(1).image_read_en(1).m2a_0(1).m2b_0(1));
       put(w, modulate(false));
       cover(w, s, kLarge);
     },
     nullptr, true},
    {"2-cycle textured z",
     [](Words& w, Screen s) {
       put(w, z_modes(kTwoCycle));
       put(w, modulate(true));
       cover(w, s, kLarge);
     },
     nullptr, true},
    {"2-cycle textured z, anti-aliased, blended",
     [](Words& w, Screen s) {
       blended(w);
       put(w, modulate(true));
       cover(w, s, kLarge);
     },
     nullptr, true},
    {"2-cycle mipmapped z (LOD, trilinear)",
     [](Words& w, Screen s) {
       put(w, z_modes(kTwoCycle).tex_lod_en(1));
       put(w, trilinear());
       cover(w, s, kLarge, 2);
     },
     nullptr, true},
    {"1-cycle textured z, triangles of 50 pixels",
     [](Words& w, Screen s) {
       put(w, z_modes(kOneCycle));
       put(w, modulate(false));
       cover(w, s, 10);
     },
     nullptr, true},
    {"1-cycle textured z, triangles of 8x8 pixels",
     [](Words& w, Screen s) {
       put(w, z_modes(kOneCycle));
       put(w, modulate(false));
       cover(w, s, 8);
     },
     nullptr, true},
    {"1-cycle textured z, triangles of 12 pixels",
     [](Words& w, Screen s) {
       put(w, z_modes(kOneCycle));
       put(w, modulate(false));
       cover(w, s, 5);
     },
     nullptr, true},
    {"copy, 8-bit image (reference)",
     [](Words& w, Screen s) {
       put(w, SetColorImage().size(k8b).width(s.width - 1).address(kColor));
       put(w, plain_modes(kCopy));
       put(w, TextureRectangle().xl(4 * (s.width - 1)).yl(4 * (s.height - 1)).dsdx(4 << 10).dtdy(1 << 10));
     },
     nullptr, false},
    {"1-cycle textured z, 4-bit image (reference)", [](Words& w, Screen s) { elsewhere(w, s, k4b, kColor); }, nullptr, false},
    {"1-cycle textured z, image beyond RDRAM (reference)", [](Words& w, Screen s) { elsewhere(w, s, k16b, kMemory - 64); }, nullptr, false},
    {"1-cycle textured z, colour over depth (partly reference)", [](Words& w, Screen s) { elsewhere(w, s, k16b, kDepth + 64); }, nullptr,
     false},
    {"load block (a texel)",
     [](Words& w, Screen) {
       for (uint32_t i = 0; i < kLoads; ++i) put(w, LoadBlock().tile(7).sh(2047).dxt(256));
     },
     load_texels, false},
    {"load tile (a texel)",
     [](Words& w, Screen) {
       for (uint32_t i = 0; i < kLoads; ++i) put(w, LoadTile().tile(7).sh(31 * 4).th(63 * 4));
     },
     load_texels, false},
    {"load TLUT (an entry)",
     [](Words& w, Screen) {
       put(w, SetTile().tile(7).tmem(256));
       for (uint32_t i = 0; i < kLoads; ++i) put(w, LoadTlut().tile(7).sh(255 * 4));
       put(w, SetTile().size(k16b).line(8).tile(7));
     },
     [](Screen) { return kLoads * 256; }, false},
};

}  // namespace

std::span<const Workload> workloads() { return kWorkloads; }

Words workload_setup(Screen s) {
  Words w;
  put(w, SetColorImage().size(k16b).width(s.width - 1).address(kColor));
  put(w, SetZImage().address(kDepth));
  put(w, SetScissor().xl(4 * s.width).yl(4 * s.height));
  put(w, SetTextureImage().size(k16b).width(31).address(kTexture));
  put(w, SetTile().size(k16b).line(8).tile(7));
  put(w, LoadBlock().tile(7).sh(1023).dxt(256));
  for (uint32_t i = 0; i < 4; ++i) {
    put(w, SetTile().size(k16b).line(8 >> i).mask_s(5 - i).mask_t(5 - i).shift_s(i).shift_t(i).tile(i).tmem(i * 64));
    put(w, SetTileSize().sh(31 * 4).th(31 * 4).tile(i));
  }
  // All workloads but the mipmapped ones see a plain 32x32 texture.
  return w;
}

Words workload_clear(Screen s) {
  Words w;
  put(w, SetColorImage().size(k16b).width(s.width - 1).address(kDepth));
  fill(w, s);
  put(w, SetColorImage().size(k16b).width(s.width - 1).address(kColor));
  return w;
}

void build_frame(Words& w) {
  const Screen s{640, 480};
  const Words clear = workload_clear(s);
  w.insert(w.end(), clear.begin(), clear.end());
  fill(w, s);
  put(w, z_modes(kOneCycle).antialias_en(1).image_read_en(1).m2a_0(1).m2b_0(1));
  put(w, modulate(false));
  // 16 textures' worth of loads among strips of the screen.
  Words all;
  cover(all, {640, kFramePixels / 640}, 20);
  constexpr size_t kTriangle = 22, kStrips = 16;
  const size_t triangles = all.size() / kTriangle;
  for (size_t i = 0; i < kStrips; ++i) {
    put(w, LoadBlock().tile(7).sh(1023).dxt(256));
    w.insert(w.end(), all.begin() + static_cast<std::ptrdiff_t>(triangles * i / kStrips * kTriangle),
             all.begin() + static_cast<std::ptrdiff_t>(triangles * (i + 1) / kStrips * kTriangle));
  }
  put(w, SyncFull());
}

std::vector<uint8_t> workload_memory() {
  std::vector<uint8_t> memory(kMemory);
  for (size_t i = kTexture; i < memory.size(); ++i) memory[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  return memory;
}

}  // namespace pumice::hw::rdp
