// SPDX-License-Identifier: MIT
/// Seeded random command lists.
#include "hw/rdp/tools/random_list.h"

#include <cmath>

#include "hw/db/rdp_commands.h"
#include "hw/rdp/ref/triangle_setup.h"

namespace pumice::hw::rdp {
namespace {

constexpr uint32_t kColorAddress = 0x2000, kDepthAddress = 0x6000, kTextureAddress = 0x8000;

class Builder {
 public:
  explicit Builder(uint64_t seed) : r_(seed) {}

  std::vector<uint64_t> build() {
    images();
    scissor();
    modes();
    colors();
    textures();
    const uint32_t primitives = 1 + r_.below(8);
    for (uint32_t i = 0; i < primitives; ++i) {
      change();
      primitive();
    }
    put(SyncFull());
    return std::move(words_);
  }

 private:
  template <typename Command>
  void put(const Command& c) {
    words_.insert(words_.end(), c.raw.begin(), c.raw.end());
  }
  uint32_t field(int bits) { return static_cast<uint32_t>(r_.bits() >> (64 - bits)); }

  void images() {
    static constexpr uint32_t kSizes[] = {2, 2, 2, 3, 3, 1};
    SetColorImage c;
    size_ = kSizes[r_.below(6)];
    width_ = 8 + r_.below(56) + 1;
    // Spans longer than what the SIMD path takes at a time.
    wide_ = r_.one_in(10);
    if (wide_) width_ = 200 + r_.below(500);
    c.format(r_.one_in(5) ? field(3) : 0).size(size_).width(width_ - 1).address(kColorAddress + (r_.one_in(6) ? r_.below(64) : 0));
    put(c);
    SetZImage z;
    z.address(kDepthAddress + (r_.one_in(6) ? r_.below(64) : 0));
    if (r_.one_in(30)) z.address(kColorAddress + r_.below(0x2000));
    put(z);
  }

  void scissor() {
    SetScissor s;
    const bool whole = !r_.one_in(3);
    s.xh(whole ? 0 : r_.below(80))
        .yh(whole ? 0 : r_.below(60))
        .xl(!whole         ? r_.below(280)
            : r_.one_in(4) ? 256
                           : 4 * width_)
        .yl(wide_   ? 4 + r_.below(40)
            : whole ? 192
                    : r_.below(200));
    if (wide_) s.yh(r_.below(8)).xl(r_.one_in(3) ? r_.below(4 * width_) : 4 * width_);
    if (r_.one_in(8)) s.field(1).odd(r_.below(2));
    put(s);
  }

  /// Random bits, with the things that make all pixels vanish or all look alike kept rare.
  void modes() {
    SetOtherModes m;
    m.raw[0] |= r_.bits() >> 8;
    static constexpr uint32_t kCycles[] = {0, 0, 0, 1, 1, 1, 2, 3};
    uint32_t cycle = kCycles[r_.below(8)];
    if (cycle == 2 && size_ == 3) cycle = 0;
    m.cycle_type(cycle);
    if (!r_.one_in(4)) m.en_tlut(0);
    if (!r_.one_in(4)) m.bi_lerp_0(1).bi_lerp_1(1).convert_one(0);
    if (!r_.one_in(4)) m.key_en(0);
    if (!r_.one_in(3)) m.alpha_compare_en(0);
    if (!r_.one_in(3)) m.color_on_cvg(0);
    if (!r_.one_in(3)) m.z_source_sel(0);
    if (!r_.one_in(3)) m.tex_lod_en(0);
    const bool visible = r_.one_in(2);
    if (visible) {
      // Every pixel with coverage shows what the combiner made of it.
      m.image_read_en(0).z_compare_en(0).alpha_compare_en(0).antialias_en(1).color_on_cvg(0).force_blend(0);
      m.m1a_0(0).m1b_0(3).m2a_0(0).m2b_0(2).m1a_1(0).m1b_1(3).m2a_1(0).m2b_1(2);
    }
    if (cycle == 3) m.image_read_en(0).z_compare_en(0).z_update_en(0);
    put(m);
    SetCombineMode c;
    c.raw[0] |= r_.bits() >> 8;
    if (r_.one_in(2)) c.sub_a_rgb_1(1).sub_b_rgb_1(8).mul_rgb_1(4).add_rgb_1(7).sub_a_a_1(1).sub_b_a_1(7).mul_a_1(4).add_a_1(7);
    if (visible && r_.one_in(2)) c.mul_rgb_1(16).add_rgb_1(1 + r_.below(2)).mul_a_1(7).add_a_1(1 + r_.below(2));
    put(c);
  }

  template <typename Command>
  void color() {
    Command c;
    put(c.red(field(8)).green(field(8)).blue(field(8)).alpha(field(8)));
  }

  void colors() {
    color<SetEnvColor>();
    color<SetBlendColor>();
    color<SetFogColor>();
    SetPrimColor p;
    put(p.red(field(8)).green(field(8)).blue(field(8)).alpha(field(8)).lod_frac(field(8)).min_level(r_.one_in(3) ? field(5) : 0));
    SetPrimDepth d;
    put(d.z(field(16)).dz(r_.one_in(2) ? field(16) : 1u << r_.below(16)));
    SetFillColor f;
    put(f.color(field(32)));
    SetConvert v;
    v.raw[0] |= r_.bits() >> 10;
    put(v);
    SetKeyR kr;
    put(kr.width_r(field(12)).center_r(field(8)).scale_r(field(8)));
    SetKeyGb kg;
    put(kg.width_g(field(12)).width_b(field(12)).center_g(field(8)).center_b(field(8)).scale_g(field(8)).scale_b(field(8)));
  }

  void tile(uint32_t n) {
    static constexpr uint32_t kFormats[][2] = {{0, 2}, {0, 2}, {0, 3}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}, {4, 0}, {4, 1}, {1, 2}};
    const auto& f = kFormats[r_.below(11)];
    SetTile t;
    t.tile(n).format(f[0]).size(f[1]).line(1 + r_.below(8)).tmem(r_.one_in(3) ? field(9) : r_.below(64)).palette(field(4));
    if (r_.one_in(10)) t.format(field(3)).size(field(2));
    t.clamp_s(field(1)).mirror_s(field(1)).mask_s(r_.one_in(8) ? field(4) : r_.below(6)).shift_s(r_.one_in(4) ? field(4) : 0);
    t.clamp_t(field(1)).mirror_t(field(1)).mask_t(r_.one_in(8) ? field(4) : r_.below(6)).shift_t(r_.one_in(4) ? field(4) : 0);
    put(t);
    SetTileSize s;
    const uint32_t sl = r_.one_in(3) ? r_.below(60) : 0, tl = r_.one_in(3) ? r_.below(60) : 0;
    put(s.tile(n).sl(sl).tl(tl).sh(sl + r_.below(200)).th(tl + r_.below(200)));
  }

  void load() {
    SetTextureImage i;
    const uint32_t n = r_.below(8), size = 1 + r_.below(3);
    i.format(field(3)).size(size).width(7 + r_.below(57)).address(kTextureAddress + (r_.one_in(3) ? r_.below(4096) : 0));
    SetTile t;
    t.tile(n).format(r_.one_in(4) ? field(3) : 0).size(size).line(1 + r_.below(15)).tmem(r_.below(256));
    if (r_.one_in(3)) {
      put(i.size(2));
      LoadTlut l;
      const uint32_t sl = r_.below(64);
      put(t.size(0).tmem(256 + r_.below(64)));
      put(l.tile(n).sl(4 * sl).sh(4 * (sl + r_.below(256))));
    } else if (r_.one_in(2)) {
      put(i);
      put(t);
      LoadBlock l;
      put(l.tile(n).sl(r_.below(8)).tl(0).sh(16 + r_.below(1000)).dxt(r_.one_in(3) ? 0 : field(12)));
    } else {
      put(i);
      put(t);
      LoadTile l;
      const uint32_t sl = r_.below(40), tl = r_.below(40);
      put(l.tile(n).sl(sl).tl(tl).sh(sl + r_.below(150)).th(tl + r_.below(100)));
    }
  }

  void textures() {
    SetTextureImage i;
    put(i.size(2).width(63).address(kTextureAddress));
    LoadBlock l;
    put(l.tile(7).sh(0x7FF));
    for (uint32_t n = r_.below(3); n; --n) load();
    for (uint32_t n = 0; n < 8; ++n) tile(n);
  }

  void change() {
    if (r_.one_in(4)) modes();
    if (r_.one_in(4)) colors();
    if (r_.one_in(4)) load();
    if (r_.one_in(3)) tile(r_.below(8));
    if (r_.one_in(8)) scissor();
  }

  void primitive() {
    switch (r_.below(8)) {
      case 0: {
        FillRectangle f;
        put(f.xh(r_.below(200)).yh(r_.below(wide_ ? 20 : 150)).xl(r_.below(wide_ ? 4096 : 300)).yl(r_.below(220)));
        break;
      }
      case 1: {
        TextureRectangle t;
        if (r_.one_in(3)) t.raw[0] |= uint64_t{1} << 56;
        t.xh(r_.below(200)).yh(r_.below(wide_ ? 20 : 150)).xl(r_.below(wide_ ? 4096 : 300)).yl(r_.below(220)).tile(field(3));
        put(t.s(static_cast<int32_t>(r_.below(4096)) - 1024)
                .t(static_cast<int32_t>(r_.below(4096)) - 1024)
                .dsdx(signed_field(13))
                .dtdy(signed_field(13)));
        break;
      }
      default: triangle();
    }
  }
  int32_t signed_field(int bits) { return static_cast<int32_t>(r_.bits() >> 32) >> (32 - bits); }

  void triangle() {
    std::array<Vertex, 3> v;
    const double reach = wide_ || r_.one_in(4) ? 400 : 20;
    for (Vertex& q : v) {
      q.x = r_.real(-reach, 64 + reach);
      q.y = r_.real(-reach, 48 + reach);
      q.z = r_.real(0, 1);
      for (double& c : q.rgba) c = r_.real(-20, 275);
      q.s = r_.real(-50, 100);
      q.t = r_.real(-50, 100);
      q.w = r_.real(0.01, 1);
    }
    TriangleOptions o;
    o.shade = !r_.one_in(4);
    o.texture = !r_.one_in(3);
    o.depth = !r_.one_in(3);
    o.perspective = r_.one_in(2);
    o.tile = field(3);
    o.level = field(3);
    std::vector<uint64_t> w = triangle_words(v, o);
    // Coefficients that fit together badly are legal too.
    if (!w.empty() && r_.one_in(6)) w[1 + r_.below(static_cast<uint32_t>(w.size()) - 1)] ^= uint64_t{1} << r_.below(64);
    // Attributes of any size: what overflows, wraps.
    if (w.size() > Triangle::words && r_.one_in(8))
      for (size_t i = Triangle::words; i < w.size(); ++i) w[i] = r_.one_in(4) ? r_.bits() : w[i] ^ r_.bits() >> r_.below(64);
    words_.insert(words_.end(), w.begin(), w.end());
  }

  Random r_;
  std::vector<uint64_t> words_;
  uint32_t size_ = 2, width_ = 1;
  bool wide_ = false;
};

}  // namespace

RandomList random_list(uint64_t seed, bool damage) {
  Random r(seed * 2 + damage);
  RandomList list;
  list.words = Builder(r.bits()).build();
  uint32_t size = 0x10000;
  if (damage) {
    static constexpr uint32_t kSizes[] = {0, 7, 8, 0x2008, 0x3001, 0x6010, 0x10000, 0x10000};
    size = kSizes[r.below(8)];
    for (uint32_t n = r.below(12); n; --n) {
      const uint32_t at = r.below(static_cast<uint32_t>(list.words.size()));
      const auto here = list.words.begin() + at;
      switch (r.below(5)) {
        case 0: list.words.erase(here); break;
        case 1: list.words.insert(here, r.bits()); break;
        case 2: *here = r.bits(); break;
        case 3:
          list.words.insert(here,
                            SetColorImage().size(r.below(4)).width(r.below(1024)).address(static_cast<uint32_t>(r.bits() >> 40)).raw[0]);
          break;
        default: *here ^= uint64_t{1} << r.below(64); break;
      }
      if (list.words.empty()) break;
    }
    // A scissor box of the whole screen would make one list take a second.
    for (uint64_t& w : list.words)
      if ((w >> 56 & 0x3F) == static_cast<uint64_t>(Op::set_scissor)) w &= ~uint64_t{0xC00C00};
  }
  list.memory.resize(size);
  for (uint8_t& b : list.memory) b = static_cast<uint8_t>(r.bits() >> 56);
  return list;
}

}  // namespace pumice::hw::rdp
