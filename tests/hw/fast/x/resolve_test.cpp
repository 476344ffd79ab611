// SPDX-License-Identifier: MIT
/// Resolves between draws and fills: by tiles, with what is known of tiles that nothing was drawn in, the pixels are those of the
/// reference, which resolves all of them. Random sequences: tests/fuzz.h.
#include "hw/radeon/fast/blit/resolve.h"

#include "hw/radeon/fast/draw/resolves.h"
#include "hw/radeon/fast/draw/surfaces.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/x/kept_rig.h"

namespace pumice::hw::x_test {
namespace {

using Kind = ResolveInput::Kind;

class XResolve : public XKept {
 protected:
  static constexpr uint32_t kWidth = 152, kHeight = 140, kMostSamples = 8, kMostBytes = 8;
  struct Format {
    uint32_t format, bytes;
    Kind kind;
  };
  static constexpr Format kFormats[] = {{formats::R8G8B8A8_UNORM, 4, Kind::unorm8},
                                        {formats::R8G8B8A8_SRGB, 4, Kind::srgb8},
                                        {formats::R16G16B16A16_SFLOAT, 8, Kind::half},
                                        {formats::R8_UNORM, 1, Kind::unorm8}};

  XResolve() {
    source_ = allocate(source_bytes()), destination_ = allocate(destination_bytes());
    more_ = {{source_, source_ + source_bytes()}, {destination_, destination_ + destination_bytes()}};
    set(r5x::X_ZB_BASE_HI{});
    first_state_ = *state;
  }
  static uint64_t source_bytes() { return uint64_t{kWidth + 10} * kMostBytes * kHeight * kMostSamples; }
  static uint64_t destination_bytes() { return uint64_t{kWidth + 10} * kMostBytes * kHeight; }
  /// Gaps that fills of numbered memory leave alone: those with pitches of 16 bytes may fill what lies between the rows.
  uint32_t source_pitch() const { return kWidth * format_.bytes + gap_; }
  uint32_t pitch() const { return kWidth * format_.bytes + 3 * gap_; }

  void draw_to(bool source) {
    const uint64_t base = source ? source_ : destination_;
    set(r5x::X_CB_BASE_LO{uint32_t(base)});
    set(r5x::X_CB_BASE_HI{}.ADDRESS(uint32_t(base >> 32)).FORMAT(format_.format).ENABLE(1));
    set(r5x::X_CB_PITCH{source ? source_pitch() : pitch()});
    set(r5x::X_CB_EXTENT{}.WIDTH(kWidth - 1).HEIGHT(kHeight - 1));
    set(r5x::X_CB_LAYER_PITCH{uint32_t((source ? source_bytes() : destination_bytes()) / r5x::X_CB_LAYER_PITCH::BYTES__UNIT)});
    set(r5x::X_CB_SAMPLES{source ? log2_ : 0}), set(r5x::X_RS_CTRL{}.SAMPLES(source ? log2_ : 0).DEPTH_CLAMP(1));
    set(r5x::X_VIEWPORT_XSCALE{bits(kWidth / 2)}), set(r5x::X_VIEWPORT_XOFFSET{bits(kWidth / 2)});
    set(r5x::X_VIEWPORT_YSCALE{bits(kHeight / 2)}), set(r5x::X_VIEWPORT_YOFFSET{bits(kHeight / 2)});
  }
  void scissor() {
    const uint32_t x = below(kWidth), y = below(kHeight);
    set(r5x::X_SCISSOR_TL{}.X(x).Y(y));
    set(r5x::X_SCISSOR_BR{}.X(x + 1 + below(kWidth - x)).Y(y + 1 + below(kHeight - y)));
  }
  /// Of pixels that are all the same.
  std::array<uint32_t, 4> color() {
    const uint32_t a = uint32_t(engine_()) & 0x3BFF3BFF, b = uint32_t(engine_()) & 0x3BFF3BFF;
    if (format_.bytes == 8) return {a, b, a, b};
    const uint32_t v = format_.bytes == 1 ? (a & 255) * 0x01010101u : a;
    return {v, v, v, v};
  }
  FillInput fill_source() {
    if (below(3) == 0) color_ = color();
    return {source_, kWidth * format_.bytes, source_pitch(), kHeight << log2_, color_, below(4) ? 3u : 0u};
  }
  FillInput fill_destination() {
    return {destination_, kWidth * format_.bytes, pitch(), kHeight, below(2) ? color_ : color(), below(4) ? 4u : 0u};
  }
  ResolveInput whole(bool numbered) {
    return {.source = source_,
            .destination = destination_,
            .source_pitch = source_pitch(),
            .pitch = pitch(),
            .width = kWidth,
            .height = kHeight,
            .pixel_bytes = format_.bytes,
            .samples_log2 = log2_,
            .kind = format_.kind,
            .source_surface = numbered ? 3u : 0u,
            .surface = numbered && below(4) ? 4u : 0u};
  }
  ResolveInput part() {
    ResolveInput in = whole(false);
    const uint32_t x = below(20) * 4, y = below(kHeight);
    in.source += uint64_t{y} * (source_pitch() << log2_) + x * format_.bytes;
    in.destination += below(kHeight - y) * pitch() + 4 * below(15);
    in.width = 1 + below(60), in.height = 1 + below(kHeight - y);
    if (in.destination + in.range() > destination_ + destination_bytes()) in.height = 1;
    return in;
  }
  void random_frame() {
    const bool undefined = std::exchange(unstored_, false);
    if (below(5) || undefined) fills_.push_back(fill_source());
    if (below(6) == 0) fills_.push_back(fill_destination());
    draw_to(true);
    for (uint32_t draws = std::max(below(4), undefined ? 1u : 0u); draws; --draws) {  // a step resolves before it fills
      if (below(2)) scissor();
      below(8) ? change_of_state() : vertices_in(whole_, 3);
      step({}, 3 * (1 + below(3)));
      if (below(12) == 0) resolves_.push_back(part());
    }
    resolves_.push_back(below(8) ? whole(below(5) != 0) : part());
    if (below(6) == 0) resolves_.push_back(whole(true));
    if (below(2)) {
      FillInput f = fill_source();
      f.unstored = unstored_ = true;
      fills_.push_back(f);
    }
    if (below(5) == 0) {
      draw_to(false);
      step({}, 3);
    }
  }
  void change_of_state() {
    switch (below(5)) {
      case 0: set(r5x::X_CB_CONTROL{}.WRITE_MASK(1 + below(15)).BLEND(below(2))); break;
      case 1: set(r5x::X_RS_SAMPLE_MASK{uint32_t(engine_())}); break;
      case 2: fragment_program(2 + below(2)); break;
      default: vertices_at(below(20));
    }
  }

  Format format_ = kFormats[0];
  uint32_t log2_ = 2, gap_ = 0;
  uint64_t source_ = 0, destination_ = 0;
  std::array<uint32_t, 4> color_{};
  bool unstored_ = false;  ///< the contents of the source are undefined
};

TEST_F(XResolve, RandomFramesLikeTheReference) {
  check_random([&] {
    *state = first_state_;
    format_ = kFormats[below(4)], log2_ = 1 + below(3), gap_ = below(2) ? 0 : 4 + 16 * below(2);
    color_ = color();
    unstored_ = false;
    for (uint32_t i = 0; i < 7; ++i) random_frame();
    if (unstored_) fills_.push_back(fill_source());
    draw_to(true);
    step({}, 3);
  });
  EXPECT_GT(queued_resolves_, 0u);
}

/// Of a destination with a number only tiles are written that were drawn to, or that hold something else than the source's pattern.
TEST_F(XResolve, TilesWithoutDrawsAreNotRead) {
  make_executors();
  gap_ = 0;
  draw_to(true);
  vertices_in(whole_, 3);
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(15));
  set(r5x::X_SCISSOR_BR{}.X(10).Y(10));
  color_ = {0x01020304, 0x01020304, 0x01020304, 0x01020304};
  const FillInput fill{source_, kWidth * 4, source_pitch(), kHeight * 4, color_, 3};
  ResolveInput resolve = whole(true);
  resolve.surface = 4;
  // The host writes behind the executor's back what it is not to read, and what it is not to overwrite.
  const auto spoil = [this] { dwords(source_)[source_pitch() * 4 * 100 / 4 + 100] = dwords(destination_)[pitch() * 130 / 4 + 130] = 7; };
  fills_ = {fill};
  step({}, 3);
  step([] {}, 0);
  resolves_ = {resolve}, fills_ = {fill};
  step({}, 3);
  step(spoil, 0);
  resolves_ = {resolve};
  step({}, 0);
  for (Executor& e : executors_) {
    const auto got = execute([&](DrawContext& ctx, const DrawInput& input) { e.executor->draw(ctx, input); },
                             [&](DrawContext& ctx) { e.executor->finish(ctx); },
                             [&](DrawContext& ctx, const FillInput& f) { return e.executor->fill(ctx, f); },
                             [&](DrawContext& ctx, const ResolveInput& in) { return e.executor->resolve(ctx, in); });
    EXPECT_GT(got[0], 0u);
    const uint32_t* const to = dwords(destination_);
    EXPECT_NE(to[0], 0x01020304u) << "drawn to";
    EXPECT_EQ(to[100 * pitch() / 4 + 100], 0x01020304u);
    EXPECT_EQ(to[130 * pitch() / 4 + 130], 7u);
  }
}

/// Samples that are filled, drawn to, resolved and not needed any more.
TEST_F(XResolve, SamplesOfAPassStayInTheTile) {
  make_executors();
  draw_to(true);
  vertices_in(whole_, 3);
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(15));
  set(r5x::X_SCISSOR_BR{}.X(70).Y(10));
  color_ = {0x01020304, 0x01020304, 0x01020304, 0x01020304};
  FillInput fill{source_, kWidth * 4, source_pitch(), kHeight * 4, color_, 3};
  const auto pass = [&] {
    fill.unstored = false;
    fills_.push_back(fill);
    step({}, 3);
    resolves_.push_back(whole(true));
    fill.unstored = true;
    fills_.push_back(fill);
    step({}, 0);
    step([] {}, 0);  // all is done before it
  };
  pass(), pass();
  for (Executor& e : executors_) {
    const auto got = execute([&](DrawContext& ctx, const DrawInput& input) { e.executor->draw(ctx, input); },
                             [&](DrawContext& ctx) { e.executor->finish(ctx); },
                             [&](DrawContext& ctx, const FillInput& f) { return e.executor->fill(ctx, f); },
                             [&](DrawContext& ctx, const ResolveInput& in) { return e.executor->resolve(ctx, in); });
    EXPECT_EQ(got[0], 2 * 70 * 10 * 4u) << "samples that passed";
    const uint32_t *const from = dwords(source_), *const to = dwords(destination_);
    EXPECT_EQ(std::count(from, from + source_bytes() / 4, 0x5A5A5A5Au), std::ptrdiff_t(source_bytes() / 4));
    EXPECT_NE(to[9 * pitch() / 4 + 69], 0x01020304u) << "drawn to";
    EXPECT_EQ(to[9 * pitch() / 4 + 70], 0x01020304u);
    EXPECT_EQ(to[100 * pitch() / 4 + 100], 0x01020304u) << "in a tile that was not drawn to";
  }
}

/// A resolve is ordered with draws tile by tile, though only draws know what would be the distance of layers.
TEST_F(XResolve, DoesNotWaitForDrawsToItsSource) {
  draw_to(true);
  const footprint::Targets drawn = footprint::targets(*state);
  const footprint::TargetUse read = fast::source_use(whole(false));
  ASSERT_EQ(drawn.count, 1u);
  EXPECT_NE(drawn.target[0].layer_pitch, read.layer_pitch);
  EXPECT_TRUE(read.same_pixels(drawn.target[0]));
  fast::PendingMemory pending;
  pending.add(drawn.target[0]);
  EXPECT_FALSE(pending.conflicts(read));
  EXPECT_TRUE(pending.conflicts(fast::source_use(part())));
}

/// Vectors against the reference: all kinds and counts, rows of any length, samples that agree and that do not.
TEST(Resolve, RowsAsTheReference) {
  const FuzzRange seeds = fuzz_range(400);
  for (uint32_t seed = seeds.first; seed < seeds.end(); ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    ResolveInput in;
    in.kind = static_cast<Kind>(below(3)), in.samples_log2 = 1 + below(3);
    in.pixel_bytes = in.kind == Kind::srgb8 ? 4 : in.kind == Kind::half ? 2u << below(3) : 1u << below(3);
    in.width = 1 + below(90), in.height = 1 + below(6);
    in.source_pitch = in.width * in.pixel_bytes + below(9), in.pitch = in.width * in.pixel_bytes + below(9);
    std::vector<std::byte> source(in.source_range());
    const uint32_t rarely = 1 + below(40);
    for (uint32_t y = 0; y < in.height << in.samples_log2; ++y)
      for (uint32_t x = 0; x < in.width * in.pixel_bytes; ++x) {
        std::byte& b = source[uint64_t{y} * in.source_pitch + x];
        b = y % in.samples() && below(rarely) ? source[uint64_t{y - 1} * in.source_pitch + x] : static_cast<std::byte>(below(256));
      }
    in.from = source.data();
    RowsPart part;
    part.x = below(in.width), part.columns = 1 + below(in.width - part.x), part.y = below(in.height),
    part.rows = 1 + below(in.height - part.y);
    const auto with = [&](const auto& resolve) {
      std::vector<std::byte> out(in.range(), std::byte{0xA5});
      ResolveInput to = in;
      to.to = out.data();
      resolve(to);
      return out;
    };
    const auto wanted = with([&](const ResolveInput& to) { execute_resolve(to, part); });
    for (const fast::Cpu cpu : fast::cpus()) {
      const auto got = with([&](const ResolveInput& to) { fast::resolve(cpu, to, part); });
      ASSERT_EQ(got, wanted) << "seed " << seed << rerun(seed);
    }
  }
}

/// Halves of bytes go up; sRGB is averaged in linear light but for alpha; NaN is one NaN, unless all samples are the same.
TEST(Resolve, Values) {
  const auto two = [](Kind kind, uint32_t bytes, uint64_t a, uint64_t b) {
    uint64_t from[2] = {a, b}, to = 0;
    ResolveInput in;
    in.kind = kind, in.pixel_bytes = bytes, in.samples_log2 = 1, in.width = in.height = 1, in.source_pitch = in.pitch = 8;
    in.from = reinterpret_cast<const std::byte*>(from), in.to = reinterpret_cast<std::byte*>(&to);
    execute_resolve(in, {0, 0, 1, 1});
    return to;
  };
  EXPECT_EQ(two(Kind::unorm8, 4, 0x00FF0102, 0x00000201), 0x00800202u);
  EXPECT_EQ(two(Kind::srgb8, 4, 0xFF0000FF, 0x000000FF), 0x800000FFu);
  EXPECT_EQ(two(Kind::srgb8, 4, 0x00FF, 0), 0x00BCu);
  EXPECT_EQ(two(Kind::half, 2, 0x3C00, 0x4000), 0x3E00u);  // 1 and 2
  EXPECT_EQ(two(Kind::half, 2, 0x7C00, 0xFC00), 0x7E00u);  // infinities of both signs
  EXPECT_EQ(two(Kind::half, 2, 0xFE01, 0xFE01), 0xFE01u);
  EXPECT_EQ(two(Kind::half, 2, 0x7BFF, 0x7BFF), 0x7BFFu);
}

}  // namespace
}  // namespace pumice::hw::x_test
