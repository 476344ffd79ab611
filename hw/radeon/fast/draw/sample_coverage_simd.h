// SPDX-License-Identifier: MIT
/// Coverage of blocks for the variants of tile_walk_simd.h: of one sample, and of several, whose edges differ in their constants only.
/// `Base` is what the variant draws blocks with; of SampleCoverage it has `samples`.
#pragma once
#include "hw/radeon/fast/draw/tile_walk_simd.h"

namespace pumice::hw::fast::PUMICE_SIMD {
namespace {

constexpr uint32_t kMost = sc::Samples::kMost;

template <class Base>
struct PixelCoverage : Base {
  using Cut = PUMICE_SIMD::Cut;
  using Mask = LaneMask;
  struct Constants {
    int64_t least, most;
  };
  static Constants constants(const Record& r, uint32_t e) { return {r.edge[e].c, r.edge[e].c}; }
  static Cut cut(const Record& r, uint32_t e, const Constants& c, int64_t first) {
    return {r.edge[e].a, r.edge[e].b, static_cast<int32_t>(first + c.least)};
  }
  static void whole(LaneMask in_box, LaneMask& mask) { mask = in_box; }
  static LaneMask box(const Record& record, int32_t x, int32_t y) { return record.boxed ? box_mask(record, x, y) : LaneMask{0xFFFF}; }
  template <class Variant>
  PUMICE_INLINE static void cover(const Cuts<Variant>& cuts, const int32_t (&value)[4][kLanes], int i, const I16* inside_block,
                                  LaneMask in_box, LaneMask& mask) {
    I16 outside = splat(0);  // the sign
    for (uint32_t e = 0; e < cuts.count; ++e) outside = outside | (splat(value[e][i]) + inside_block[e]);
    mask = static_cast<LaneMask>(in_box & ~bits_of(lt(outside, splat(0))));
  }
  static void wide(const Record& record, int32_t x, int32_t y, LaneMask& mask) {
    mask = wide_mask(record, x, y, [&](uint32_t e) { return record.edge[e].c; });
  }
};

/// A block's masks by sample, with their union and intersection, which make() computes from registers: loading the masks as one word right
/// after 16-bit stores would miss store forwarding.
struct Masks {
  LaneMask of[kMost];
  LaneMask any = 0, all = 0;
  /// f(s): of each of n samples.
  template <class F>
  PUMICE_INLINE void make(uint32_t n, F f) {
    uint32_t some = 0, each = 0xFFFF;
    for (uint32_t s = 0; s < n; ++s) {
      const LaneMask m = f(s);
      of[s] = m, some |= m, each &= m;
    }
    any = static_cast<LaneMask>(some), all = static_cast<LaneMask>(each);
  }
  PUMICE_INLINE void keep(uint32_t n, LaneMask pixels) {
    for (uint32_t s = 0; s < n; ++s) of[s] &= pixels;
    any &= pixels, all &= pixels;
  }
};

template <class Base>
struct SampleCoverage : Base {
  using Base::samples;
  using Mask = Masks;
  struct Cut : PUMICE_SIMD::Cut {
    int32_t of_sample[kMost];  ///< what each sample adds to the value
    int32_t lowest, highest;   ///< of them
    int32_t least() const { return lowest; }
    int32_t most() const { return highest; }
  };
  struct Constants {
    int64_t least, most;
  };
  Constants constants(const Record& record, uint32_t e) const {
    int64_t least = record.sample_edges()[0][e], most = least;
    for (uint32_t s = 1; s < samples; ++s) {
      const int64_t c = record.sample_edges()[s][e];
      least = c < least ? c : least, most = c > most ? c : most;
    }
    return {least, most};
  }
  /// The per-sample constants are added separately from the part that is common to all samples.
  Cut cut(const Record& record, uint32_t e, const Constants& constants, int64_t first) const {
    Cut c;
    c.a = record.edge[e].a, c.b = record.edge[e].b, c.value = 0;
    c.lowest = static_cast<int32_t>(first + constants.least), c.highest = static_cast<int32_t>(first + constants.most);
    for (uint32_t s = 0; s < samples; ++s) c.of_sample[s] = static_cast<int32_t>(first + record.sample_edges()[s][e]);
    return c;
  }
  PUMICE_INLINE void whole(LaneMask in_box, Masks& mask) const {
    mask.make(samples, [&](uint32_t) { return in_box; });
  }
  static LaneMask box(const Record& record, int32_t x, int32_t y) { return box_mask(record, x, y); }
  template <class Variant>
  PUMICE_INLINE void cover(const Cuts<Variant>& cuts, const int32_t (&value)[4][kLanes], int i, const I16* inside_block, LaneMask in_box,
                           Masks& mask) const {
    I16 pixel[4];
    for (uint32_t e = 0; e < cuts.count; ++e) pixel[e] = splat(value[e][i]) + inside_block[e];
    mask.make(samples, [&](uint32_t s) {
      I16 outside = splat(0);  // sign bit: outside
      for (uint32_t e = 0; e < cuts.count; ++e) outside = outside | (pixel[e] + splat(cuts.of[e].of_sample[s]));
      return static_cast<LaneMask>(in_box & ~bits_of(lt(outside, splat(0))));
    });
  }
  void wide(const Record& record, int32_t at_x, int32_t at_y, Masks& mask) const {
    mask.make(samples, [&](uint32_t s) { return wide_mask(record, at_x, at_y, [&](uint32_t e) { return record.sample_edges()[s][e]; }); });
  }
};

}  // namespace
}  // namespace pumice::hw::fast::PUMICE_SIMD
