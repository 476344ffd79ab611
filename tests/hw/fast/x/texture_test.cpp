// SPDX-License-Identifier: MIT
/// XT slots by native code of each instruction set against hw/radeon/ref/xt, bit for bit (XRig::run): random descriptors, texels,
/// coordinates. Which cases: tests/fuzz.h.
#include <algorithm>
#include <random>

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/jit/x/texture_code.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/x/random_rig.h"

namespace pumice::hw::x_test {
namespace {

using xt::Dim;

constexpr uint32_t kLanes = 64, kSources = 4;
/// Descriptors, in units of 16 bytes; others that registers choose are kOther behind them.
constexpr uint32_t kImageAt = 8, kSamplerAt = 10, kOther = 4;

class XTexture : public RandomRig {
 protected:
  void SetUp() override {
    texels_ = allocate(kTexels);
    in_ = allocate(kLanes * kSources * 16), out_ = allocate(kLanes * 16);
    buffer(0, in_, kLanes * kSources * 16), buffer(1, out_, kLanes * 16);
    local_size(kLanes);
  }

  template <class T, size_t N>
  T among(const T (&list)[N]) {
    return list[below(N)];
  }

  /// Formats that real programs sample come up more often.
  uint8_t any_format() {
    static constexpr uint8_t kUsual[] = {
        formats::R8G8B8A8_UNORM, formats::R8G8B8A8_SRGB, formats::B8G8R8A8_UNORM,      formats::R8_UNORM,
        formats::R8G8_UNORM,     formats::R32_SFLOAT,    formats::R16G16B16A16_SFLOAT, formats::D24_UNORM_S8_UINT,
        formats::D32_SFLOAT,     formats::D16_UNORM,     formats::R8G8B8A8_UINT,       formats::R16_UNORM};
    if (!one_in(3)) return among(kUsual);
    for (;;)
      if (const auto f = uint8_t(1 + below(formats::kFormats - 1)); formats::is_known(f) && (one_in(4) || !formats::info(f).compressed()))
        return f;
  }

  uint32_t extent() { return one_in(2) ? 1u << below(7) : 1 + below(70); }

  xt::Image any_image() {
    xt::Image i;
    i.format = any_format();
    const formats::Info& f = formats::info(i.format);
    i.dim = one_in(2) ? Dim::d2 : Dim(below(7));
    i.stencil = f.find(formats::Channel::s) && f.find(formats::Channel::d) && one_in(2);
    i.width = extent(), i.height = i.is_cube() ? i.width : extent();
    if (i.dim == Dim::d1 || i.dim == Dim::d1_array) i.height = 1;
    if (i.dim == Dim::d3) i.width = 1 + below(16), i.height = 1 + below(16), i.depth = 1 + below(9);
    if (i.is_array() || i.is_cube()) i.layers = (i.is_cube() ? 6 : 1) * (i.is_array() ? 1 + below(4) : 1), i.first_layer = below(3);
    i.levels = uint8_t(1 + (one_in(2) ? 0 : below(7)));
    i.first_level = uint8_t(below(i.levels)), i.last_level = uint8_t(i.first_level + below(i.levels - i.first_level));
    if (i.dim == Dim::d2 && one_in(8) && i.levels == 1) i.samples_log2 = uint8_t(1 + below(3));
    if (one_in(4))
      for (uint8_t& s : i.swizzle) s = uint8_t(below(6));
    const uint32_t columns = (i.width + f.block_width - 1) / f.block_width;
    i.pitch = (columns * f.bytes + 63) / 64 * 64;
    i.layer_pitch = 0;
    const xt::Level top = xt::level_of(i, i.levels);
    i.layer_pitch = top.offset;
    i.base = texels_;
    return i;
  }
  void write(const xt::Image& i, uint32_t at) {
    uint32_t* d = dwords(sets) + 4 * at;
    d[0] = uint32_t(i.base);
    d[1] = uint32_t(i.base >> 32) | uint32_t(i.format) << 16 | uint32_t(i.dim) << 24 | uint32_t(i.samples_log2) << 27 |
           uint32_t(i.stencil) << 31;
    d[2] = (i.width - 1) | (i.height - 1) << 16;
    d[3] = (i.dim == Dim::d3 ? i.depth - 1 : i.first_layer) | (i.layers - 1) << 16;
    d[4] = uint32_t(i.first_level) | uint32_t(i.last_level) << 4 | (i.levels - 1u) << 8;
    for (uint32_t c = 0; c < 4; ++c) d[4] |= uint32_t(i.swizzle[c]) << (12 + 3 * c);
    d[5] = i.pitch, d[6] = uint32_t(i.layer_pitch / 64), d[7] = 0;
  }
  void any_sampler(uint32_t at) {
    uint32_t* d = dwords(sets) + 4 * at;
    d[0] = random() & 7;
    const uint32_t mode = below(5);
    for (uint32_t a = 0; a < 3; ++a) d[0] |= (one_in(3) ? below(5) : mode) << (3 + 3 * a);
    d[0] |= below(8) << 12 | below(4) << 22;
    if (one_in(8)) d[0] |= 1u << 16;
    if (one_in(8)) d[0] |= 1u << 24;
    if (one_in(4)) d[0] |= (1 + below(16)) << 17;
    const uint32_t low = one_in(2) ? 0 : below(1024), high = one_in(2) ? 0xFFFF : low + below(1024);
    d[1] = low | high << 16;
    d[2] = one_in(2) ? 0 : bits(float(int32_t(below(512)) - 256) / 64.0f);
    d[3] = 0;
    if (one_in(3)) d[0] |= 1u << 25;
    if (one_in(3)) d[0] |= (1 + below(2)) << 26;
    for (uint32_t c = 4; c < 8; ++c) d[c] = one_in(4) ? random() : bits(float(int32_t(below(512)) - 128) / 256.0f);
  }
  void any_texels(const xt::Image& i) {
    const formats::Info& f = formats::info(i.format);
    uint32_t* d = dwords(texels_);
    const bool wide = f.cls == formats::Class::sfloat && f.count && f.component[0].bits == 32;
    for (uint32_t n = 0; n < kTexels / 4; ++n) d[n] = wide && !one_in(16) ? bits(float(int32_t(below(4096)) - 2048) / 1024.0f) : random();
  }
  uint32_t coordinate(uint32_t size) {
    switch (below(20)) {
      case 0: return random();
      case 1: return 0x7F800000u | random() << 31;
      case 2: return 0x7FC00000u;
      case 3: return bits(float(int32_t(random())));
      case 4: return bits(float(int32_t(below(1u << 24)) - (1 << 23)) / 64.0f);
      case 5:
      case 6: return bits(float(int32_t(below(4 * size + 1)) - int32_t(size)) / float(size));  // between texels
      case 7:
      case 8: return bits((float(below(2 * size)) + 0.5f) / float(size));  // in the middle
      case 9: return bits(float(below(2 * size)));
      default: return bits(float(below(4096)) / 2048.0f - 0.5f);
    }
  }

  void make(uint32_t seed) {
    engine_.seed(seed);
    const auto image_that_fits = [&] {
      xt::Image i;
      do i = any_image();
      while (xt::extent_of(i) + 8 * i.layer_pitch > kTexels);
      return i;
    };
    image_ = image_that_fits();
    write(image_, kImageAt);
    any_sampler(kSamplerAt);
    chooses_ = one_in(3);
    if (chooses_) {
      write(one_in(2) ? image_ : image_that_fits(), kImageAt + kOther);
      any_sampler(kSamplerAt + kOther);
    }
    any_texels(image_);
    static constexpr XOp kOps[] = {XOp::SAMPLE, XOp::SAMPLE, XOp::SAMPLEB, XOp::SAMPLEL, XOp::SAMPLEL, XOp::SAMPLEG,
                                   XOp::FETCH,  XOp::GATHER, XOp::QSIZE,   XOp::QLEVELS, XOp::QLOD};
    op_ = among(kOps);
    const bool smooth = one_in(2);  // neighbours are near
    for (uint32_t l = 0; l < kLanes; ++l) {
      uint32_t* s = dwords(in_) + l * kSources * 4;
      const uint32_t size[3] = {image_.width, image_.height, image_.is_cube() ? image_.width : image_.depth};
      for (uint32_t c = 0; c < 4; ++c) {
        s[c] = coordinate(c < 3 ? size[c] : 4);
        if (smooth && c < 3) s[c] = bits(float(l % 2 + l / 4 % 2 * 2) * 0.01f * float(1 + c) + float(l / 8) * 0.02f);
        if (c >= 1 && one_in(2) && image_.is_array()) s[c] = bits(float(below(6)) - 0.5f * float(below(2)));
        if (op_ == XOp::FETCH) s[c] = one_in(16) ? random() : below((c < 3 ? size[c] : 4) + 2) - 1;
        s[4 + c] = bits(float(int32_t(below(2048)) - 512) / 256.0f);
        if (op_ == XOp::SAMPLEG) s[4 + c] = bits(float(int32_t(below(2048)) - 1024) / float(1u << (9 + below(8))));
        if (op_ == XOp::FETCH || op_ == XOp::QSIZE) s[4 + c] = one_in(16) ? random() : below(image_.top_level() + 2);
        if (one_in(16)) s[4 + c] = random();
        s[8 + c] = bits(float(int32_t(below(2048)) - 1024) / float(1u << (9 + below(8))));
      }
      s[11] = random() & 0x07070707u;
      for (uint32_t c = 0; c < 3; ++c)
        if (one_in(2)) s[11] |= 0xF8u << 8 * c;
      // All lanes, some or half of the first 16 choose the other ones; the last 16 all.
      for (uint32_t c = 0; c < 2; ++c) s[12 + c] = 16 * kOther * (l < 32 ? below(2) : l / 16 - 2);
    }
    std::vector<Instruction> code = {X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
                                     xi(XiOp::IMUL, 2, kX, r(1), n(16 * kSources))};
    for (uint8_t i = 0; i < kSources; ++i)
      code.push_back(X{
          .op = XOp::LDC, .dest = uint8_t(4 + i), .mask = kXyzw, .source = 2, .components = 4, .immediate = 16u * i, .descriptor = at(0)});
    Instruction x =
        X{.op = op_, .dest = 8, .mask = kXyzw, .source = 4, .src2 = 5, .src3 = 6, .descriptor = at(kImageAt), .sub = SubOp(below(4))};
    if (op_ != XOp::FETCH && op_ != XOp::QSIZE && op_ != XOp::QLEVELS) {
      x.tex.x.immediate = word_of(chooses_ && one_in(2) ? chosen(kSamplerAt, 1) : at(kSamplerAt));
      x.tex.x.compare = op_ != XOp::QLOD && one_in(4);
    }
    if (op_ != XOp::GATHER) x.tex.x.sub = 0;
    offset_ = x.tex.x.offset = one_in(4) && op_ != XOp::QSIZE && op_ != XOp::QLEVELS && op_ != XOp::QLOD;
    if (chooses_) x.tex.x.descriptor = chosen(kImageAt, 0);
    code.push_back(x);
    code.push_back(xi(XiOp::SHL, 3, kX, r(1), n(4)));
    code.push_back(X{.op = XOp::STB, .source = 3, .src2 = 8, .components = 4, .descriptor = at(1)});
    program(code);
  }
  static Selector chosen(uint32_t first, uint8_t component) {
    return {.set = 0, .indirect = true, .temp = 7, .component = component, .offset = first};
  }
  static uint32_t word_of(const Selector& s) {
    return uint32_t(s.set) | uint32_t(s.indirect) << 4 | uint32_t(s.temp) << 5 | uint32_t(s.component) << 12 | s.offset << 14;
  }
  /// Integers beyond corners with a reduction, blocks whose extents are no powers of two, and what Vulkan does not have: offsets in cubes,
  /// filters and blocks of multisampled images.
  bool by_reference() {
    const bool samples = op_ != XOp::FETCH && op_ != XOp::QSIZE && op_ != XOp::QLEVELS && op_ != XOp::QLOD;
    const bool reads = samples || op_ == XOp::FETCH;
    const formats::Info& f = formats::info(image_.format);
    const bool odd = !std::has_single_bit(unsigned{f.block_width}) || !std::has_single_bit(unsigned{f.block_height});
    std::array<uint32_t, xt::kSamplerDwords> words;
    std::copy_n(dwords(sets) + 4 * kSamplerAt, words.size(), words.begin());
    const xt::Sampler s = xt::decode_sampler(words);
    const bool integer = xt::decoding_of(f, image_.stencil).integer;
    if ((samples || op_ == XOp::QLOD) && s.reduction != xt::Reduction::average && integer && image_.is_cube() && !s.seams) return true;
    if (reads && (odd || (f.compressed() && image_.samples_log2))) return true;
    return samples && ((image_.is_cube() && offset_) || image_.samples_log2);
  }
  std::string describe() const {
    return std::string(formats::info(image_.format).name) + " dimension " + std::to_string(int(image_.dim)) + ' ' +
           std::to_string(image_.width) + 'x' + std::to_string(image_.height) + 'x' + std::to_string(image_.depth) + " layers " +
           std::to_string(image_.layers) + " levels " + std::to_string(image_.first_level) + ".." + std::to_string(image_.last_level) +
           " samples " + std::to_string(1 << image_.samples_log2) + " " + info(op_).name;
  }

  static constexpr uint32_t kTexels = 256u << 10;
  uint64_t texels_ = 0, in_ = 0, out_ = 0;
  xt::Image image_;
  XOp op_ = XOp::SAMPLE;
  bool offset_ = false, chooses_ = false;
};

TEST_F(XTexture, AnyLookup) {
  const FuzzRange range = fuzz_range(400);
  for (uint32_t seed = range.first; seed < range.end() && !HasFailure(); ++seed) {
    make(seed);
    run();
    EXPECT_TRUE(is_native) << rerun(seed);
    if (!chooses_) {
      EXPECT_EQ(calls, by_reference()) << describe() << rerun(seed);
    }
    if (chooses_ && !by_reference()) {
      EXPECT_GT(slot_routines, 0u) << describe() << rerun(seed);
    }
    if (HasFailure()) ADD_FAILURE() << describe() << (calls ? " by the reference's code" : "") << rerun(seed);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
