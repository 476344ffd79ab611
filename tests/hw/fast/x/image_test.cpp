// SPDX-License-Identifier: MIT
/// Image and texel buffer slots by native code of each instruction set against hw/radeon/ref/xt, bit for bit (XRig::run): random
/// descriptors, texels, coordinates. Which cases: tests/fuzz.h.
#include <algorithm>
#include <random>

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/descriptor.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/x/random_rig.h"
#include "tests/hw/fast/x/values.h"

namespace pumice::hw::x_test {
namespace {

using xt::Dim;

constexpr uint32_t kLanes = 64, kSlots = 4;
constexpr uint32_t kSources = 4;  ///< the last: bytes from the first descriptor to the one that a lane chooses
constexpr uint32_t kImageAt = 8;  ///< descriptors of two images, in units of 16 bytes
constexpr uint64_t kTexels = 64u << 10;

class XImage : public RandomRig {
 protected:
  void SetUp() override {
    for (uint64_t& t : texels_) t = allocate(kTexels);
    in_ = allocate(kLanes * kSources * 16), out_ = allocate(kLanes * kSlots * 16);
    buffer(0, in_, kLanes * kSources * 16), buffer(1, out_, kLanes * kSlots * 16);
    local_size(kLanes);
  }

  uint8_t any_format() {
    static constexpr uint8_t kUsual[] = {formats::R32_UINT,
                                         formats::R32_SINT,
                                         formats::R8G8B8A8_UNORM,
                                         formats::R32_SFLOAT,
                                         formats::R16G16B16A16_SFLOAT,
                                         formats::R32G32B32A32_SFLOAT,
                                         formats::R8_UINT,
                                         formats::R16G16_SINT,
                                         formats::R8G8B8A8_SNORM};
    if (!one_in(3)) return kUsual[below(std::size(kUsual))];
    for (;;)
      if (const auto f = uint8_t(1 + below(formats::kFormats - 1)); formats::is_known(f) && !formats::info(f).compressed()) return f;
  }

  xt::Image any_image(uint64_t base) {
    xt::Image i;
    i.base = base;
    if (one_in(32)) return i.width = i.height = 4, i;  // a null descriptor
    i.format = any_format();
    const formats::Info& f = formats::info(i.format);
    i.dim = one_in(3) ? Dim::d2 : Dim(below(8));
    if (i.dim == Dim::buffer) {
      i.width = one_in(8) ? 0 : 1 + below(300);
      return i;
    }
    i.stencil = f.find(formats::Channel::s) && f.find(formats::Channel::d) && one_in(2);
    i.width = 1 + below(20), i.height = i.is_cube() ? i.width : 1 + below(20);
    if (i.dim == Dim::d3) i.depth = 1 + below(5);
    if (i.is_array() || i.is_cube()) i.layers = (i.is_cube() ? 6 : 1) * (i.is_array() ? 1 + below(3) : 1), i.first_layer = below(3);
    i.levels = uint8_t(1 + (one_in(2) ? 0 : below(4)));
    i.first_level = uint8_t(below(i.levels)), i.last_level = i.first_level;
    if (i.levels == 1 && i.dim != Dim::d3 && one_in(4)) i.samples_log2 = uint8_t(1 + below(3));
    i.pitch = i.width * f.bytes;
    // Tight rows, aligned ones, and rows that no dword is aligned to.
    if (one_in(2)) i.pitch = (i.pitch + 63) / 64 * 64;
    if (one_in(16)) i.pitch += 1;
    i.layer_pitch = xt::level_of(i, i.levels).offset;
    return i;
  }
  void write(uint32_t number, const xt::Image& i) {
    uint32_t* d = dwords(sets) + 4 * (kImageAt + 2 * number);
    d[0] = uint32_t(i.base);
    d[1] = uint32_t(i.base >> 32) | uint32_t(i.format) << 16 | uint32_t(i.dim) << 24 | uint32_t(i.samples_log2) << 27 |
           uint32_t(i.stencil) << 31;
    if (i.dim == Dim::buffer) {
      d[2] = i.width * formats::info(i.format).bytes + below(2);
      for (uint32_t n = 3; n < 8; ++n) d[n] = random();  // 3: what QSIZE returns; others are not looked at
      return;
    }
    d[2] = (i.width - 1) | (i.height - 1) << 16;
    d[3] = (i.dim == Dim::d3 ? i.depth - 1 : i.first_layer) | (i.layers - 1) << 16;
    d[4] = uint32_t(i.first_level) | uint32_t(i.last_level) << 4 | (i.levels - 1u) << 8 | (random() & 0xFFF) << 12;
    d[5] = i.pitch, d[6] = uint32_t(i.layer_pitch / 64), d[7] = 0;
  }

  void make(uint32_t seed) {
    engine_.seed(seed);
    for (uint32_t n = 0; n < 2; ++n) {
      do image_[n] = any_image(texels_[n]);
      while (xt::extent_of(image_[n]) + 8 * image_[n].layer_pitch > kTexels);
      write(n, image_[n]);
      uint32_t* d = dwords(texels_[n]);
      for (uint32_t w = 0; w < kTexels / 4; ++w) d[w] = one_in(2) ? random() : fast::extended::any_number(engine_);
    }
    const xt::Image& i = image_[0];
    for (uint32_t l = 0; l < kLanes; ++l) {
      uint32_t* s = dwords(in_) + l * kSources * 4;
      const uint32_t size[3] = {i.width, i.dim == Dim::d1_array ? i.layers : i.height, i.is_cube() || i.is_array() ? i.layers : i.depth};
      for (uint32_t c = 0; c < 4; ++c) {
        s[c] = one_in(32) ? random() : below((c < 3 ? size[c] : 1u << i.samples_log2) + 1) - (one_in(8) ? 1 : 0);
        s[4 + c] = fast::extended::any_number(engine_);
        s[8 + c] = one_in(2) ? 0 : random();
      }
      s[12] = 32 * below(2);
    }
    std::vector<Instruction> code = {X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
                                     xi(XiOp::IMUL, 2, kX, r(1), n(16 * kSources))};
    const uint8_t to[kSources] = {4, 5, 6, 12};
    for (uint8_t n = 0; n < kSources; ++n)
      code.push_back(
          X{.op = XOp::LDC, .dest = to[n], .mask = kXyzw, .source = 2, .components = 4, .immediate = 16u * n, .descriptor = at(0)});
    // Some lanes do not act.
    const bool has_branch = one_in(3);
    const size_t branch = code.size() + 1;
    if (has_branch) {
      code.push_back(test_not_zero(r(6)));
      code.push_back(flow(Jump::if_, 0));
    }
    text_.clear();
    for (uint8_t n = 0; n < kSlots; ++n) {
      static constexpr XOp kOps[] = {XOp::LDI, XOp::LDI, XOp::STI, XOp::STI, XOp::ATI, XOp::FETCH, XOp::QSIZE};
      const XOp op = kOps[below(one_in(2) ? std::size(kOps) : 2)];
      X x{.op = op,
          .dest = uint8_t(8 + n),
          .mask = kXyzw,
          .source = 4,
          .src2 = 5,
          .src3 = 6,
          .descriptor = at(kImageAt + (one_in(4) ? 2 : 0))};
      if (op == XOp::ATI) x.sub = SubOp(below(11)), x.is_float = one_in(8) && x.sub <= SubOp::SMAX, x.components = 1 + one_in(2);
      if (op == XOp::FETCH || op == XOp::QSIZE) x.src2 = 7;  // level 0
      if (op == XOp::STI) x.mask = 0, x.dest = 0;
      if (one_in(8)) x.descriptor = {.set = 0, .indirect = true, .temp = 12, .offset = kImageAt};
      Instruction slot = x;
      if (op == XOp::FETCH) slot.tex.x.offset = one_in(2);
      code.push_back(slot);
      text_ += std::string(" ") + info(op).name;
    }
    if (has_branch) {
      const auto behind = uint16_t(code.size() + 1);
      code.push_back(flow(Jump::endif, behind));
      code[branch].flow.target = behind;
    }
    code.push_back(xi(XiOp::SHL, 3, kX, r(1), n(6)));
    for (uint8_t n = 0; n < kSlots; ++n)
      code.push_back(X{.op = XOp::STB, .source = 3, .src2 = uint8_t(8 + n), .components = 4, .immediate = 16u * n, .descriptor = at(1)});
    program(code);
  }
  std::string describe() const {
    std::string s = text_;
    for (const xt::Image& i : image_)
      s += "; " + std::string(formats::info(i.format).name) + " dimension " + std::to_string(int(i.dim)) + ' ' + std::to_string(i.width) +
           'x' + std::to_string(i.height) + 'x' + std::to_string(i.depth) + " layers " + std::to_string(i.layers) + " level " +
           std::to_string(i.first_level) + " samples " + std::to_string(1 << i.samples_log2) + " pitch " + std::to_string(i.pitch);
    return s;
  }

  uint64_t texels_[2] = {}, in_ = 0, out_ = 0;
  xt::Image image_[2];
  std::string text_;
};

TEST_F(XImage, AnyAccess) {
  const FuzzRange range = fuzz_range(400);
  uint32_t without_calls = 0;
  for (uint32_t seed = range.first; seed < range.end() && !HasFailure(); ++seed) {
    make(seed);
    run();
    EXPECT_TRUE(is_native) << rerun(seed);
    if (HasFailure()) ADD_FAILURE() << describe() << (calls ? " by the reference's code" : "") << rerun(seed);
    without_calls += !calls;
  }
  if (range.usual) {
    EXPECT_GT(without_calls, range.count / 2);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
