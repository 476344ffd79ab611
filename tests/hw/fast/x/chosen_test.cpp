// SPDX-License-Identifier: MIT
/// Buffers whose descriptors registers choose, lane by lane, by native code of each instruction set against the reference, bit for bit
/// (XRig::run). Textures: texture_test.cpp, images: image_test.cpp. Which cases: tests/fuzz.h.
#include "tests/fuzz.h"
#include "tests/hw/fast/x/random_rig.h"

namespace pumice::hw::x_test {
namespace {

constexpr uint32_t kLanes = 64, kSlots = 4, kSources = 3;
constexpr uint32_t kBuffers = 12, kFirst = 8;  ///< descriptors, in units of 16 bytes
constexpr uint32_t kBytes = 512;

class XChosen : public RandomRig {
 protected:
  void SetUp() override {
    for (uint64_t& b : buffer_) b = allocate(kBytes);
    in_ = allocate(kLanes * kSources * 16), out_ = allocate(kLanes * kSlots * 16);
    buffer(0, in_, kLanes * kSources * 16), buffer(1, out_, kLanes * kSlots * 16);
    local_size(kLanes);
  }

  /// `backed`: of all buffers.
  void make(uint32_t seed, bool backed) {
    engine_.seed(seed);
    for (uint32_t n = 0; n < kBuffers; ++n) {
      const uint32_t bytes = one_in(8) ? 0 : one_in(4) ? below(kBytes) & ~3u : kBytes;
      buffer(kFirst + n, !backed && one_in(6) ? uint64_t{0x7F'0000'0000} : buffer_[n], bytes);
      for (uint32_t d = 0; d < kBytes / 4; ++d) dwords(buffer_[n])[d] = random();
    }
    // All lanes choose the same, a few differ, or each its own.
    const uint32_t some = one_in(3) ? 1 : one_in(2) ? 3 : kBuffers;
    for (uint32_t l = 0; l < kLanes; ++l) {
      uint32_t* s = dwords(in_) + l * kSources * 4;
      // Lanes store to places of their own, so that their order does not matter.
      s[0] = 16 * (l % (kBytes / 16)) + (one_in(16) ? kBytes : 0), s[1] = 16 * below(some);
      for (uint32_t c = 4; c < 12; ++c) s[c] = random();
    }
    std::vector<Instruction> code = {X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
                                     xi(XiOp::IMUL, 2, kX, r(1), n(16 * kSources))};
    for (uint8_t i = 0; i < kSources; ++i)
      code.push_back(X{
          .op = XOp::LDC, .dest = uint8_t(4 + i), .mask = kXyzw, .source = 2, .components = 4, .immediate = 16u * i, .descriptor = at(0)});
    const bool has_branch = one_in(3);
    const size_t branch = code.size() + 1;
    if (has_branch) {
      code.push_back(test_not_zero(r(6)));
      code.push_back(flow(Jump::if_, 0));
    }
    for (uint8_t i = 0; i < kSlots; ++i) {
      static constexpr XOp kOps[] = {XOp::LDB, XOp::LDB, XOp::LDC, XOp::STB, XOp::ATB, XOp::LENB};
      X x{.op = kOps[below(std::size(kOps))],
          .dest = uint8_t(8 + i),
          .mask = kXyzw,
          .source = 4,
          .src2 = 5,
          .src3 = 6,
          .components = uint8_t(1 + below(4)),
          .descriptor = {.set = 0, .indirect = true, .temp = 4, .component = 1, .offset = kFirst}};
      if (x.op == XOp::ATB) x.sub = SubOp(below(11)), x.components = 1;
      if (x.op == XOp::STB) x.mask = 0, x.dest = 0;
      if ((x.op == XOp::LDB || x.op == XOp::STB) && one_in(4)) x.width = one_in(2) ? XWidth::BYTE : XWidth::HALF, x.components = 1;
      if (x.op == XOp::LENB) x.components = 1;
      code.push_back(x);
    }
    if (has_branch) {
      const auto behind = uint16_t(code.size() + 1);
      code.push_back(flow(Jump::endif, behind));
      code[branch].flow.target = behind;
    }
    code.push_back(xi(XiOp::SHL, 3, kX, r(1), n(6)));
    for (uint8_t i = 0; i < kSlots; ++i)
      code.push_back(X{.op = XOp::STB, .source = 3, .src2 = uint8_t(8 + i), .components = 4, .immediate = 16u * i, .descriptor = at(1)});
    program(code);
  }

  std::array<uint64_t, kBuffers> buffer_{};
  uint64_t in_ = 0, out_ = 0;
};

TEST_F(XChosen, Buffers) {
  const FuzzRange range = fuzz_range(300);
  for (uint32_t seed = range.first; seed < range.end() && !HasFailure(); ++seed) {
    make(seed, true);
    run();
    EXPECT_TRUE(is_native) << rerun(seed);
    EXPECT_GT(slot_routines, 0u) << rerun(seed);
  }
}

// The reference reports them; nothing is stored or counted twice.
TEST_F(XChosen, BuffersThatAreNotBacked) {
  const FuzzRange range = fuzz_range(100);
  for (uint32_t seed = range.first; seed < range.end() && !HasFailure(); ++seed) {
    make(seed, false);
    run();
    if (HasFailure()) ADD_FAILURE() << rerun(seed);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
