// SPDX-License-Identifier: MIT
/// Operations over lanes: quads, ballots, shuffles, reductions and scans, with some lanes inactive.
#include <cmath>

#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

class Across : public XRig {
 protected:
  uint64_t in = 0, out = 0;
  /// Lane l has in[4 l ..] in r1 and its byte offset in r0; r2 is stored to out. `only`: lanes that run the middle; the others keep r2
  /// = 99.
  void lanes(std::vector<Instruction> middle, const std::array<uint32_t, 16>& value, uint32_t only = 0xFFFF) {
    if (!in) {
      in = allocate(256), out = allocate(256);
      buffer(0, in, 256), buffer(1, out, 256);
    }
    for (uint32_t l = 0; l < 16; ++l)
      for (uint32_t k = 0; k < 4; ++k) dwords(in)[4 * l + k] = value[l] + (k ? k * 1000 : 0);
    std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 48},
        xi(XiOp::SHL, 3, kX, n(1), r(0)),
        xi(XiOp::AND, 3, kX, r(3), c(0)),
        xi(XiOp::SHL, 0, kX, r(0), n(4)),
        X{.op = XOp::LDB, .dest = 1, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(0)},
        xi(XiOp::MOV, 2, kXyzw, n(99)),
        test_not_zero(r(3).x()),
        flow(Jump::if_, 0),
    };
    const size_t begin = code.size() - 1;
    for (const Instruction& x : middle) code.push_back(x);
    code.push_back(flow(Jump::endif, uint16_t(code.size() + 1)));
    code[begin].flow.target = uint16_t(code.size());
    code.push_back(X{.op = XOp::STB, .source = 0, .src2 = 2, .components = 4, .descriptor = at(1)});
    program(code, {{only, 0, 0, 0}});
    run();
    ASSERT_TRUE(reports.empty()) << reports[0];
  }
  uint32_t result(uint32_t lane, uint32_t component = 0) { return dwords(out)[4 * lane + component]; }
};

TEST_F(Across, Quads) {
  std::array<uint32_t, 16> v;
  for (uint32_t l = 0; l < 16; ++l) v[l] = 100 + l * l;
  const struct {
    XiOp op;
    uint32_t from[4];
  } kMoves[] = {{XiOp::QBC0, {0, 0, 0, 0}}, {XiOp::QBC1, {1, 1, 1, 1}}, {XiOp::QBC2, {2, 2, 2, 2}}, {XiOp::QBC3, {3, 3, 3, 3}},
                {XiOp::QSWH, {1, 0, 3, 2}}, {XiOp::QSWV, {2, 3, 0, 1}}, {XiOp::QSWD, {3, 2, 1, 0}}};
  for (const auto& m : kMoves) {
    lanes({xi(m.op, 2, kXyzw, r(1))}, v);
    for (uint32_t l = 0; l < 16; ++l) {
      EXPECT_EQ(result(l), v[l / 4 * 4 + m.from[l % 4]]) << info(m.op).name.c_str() << " " << l;
      EXPECT_EQ(result(l, 3), v[l / 4 * 4 + m.from[l % 4]] + 3000) << info(m.op).name.c_str();
    }
  }
  std::array<float, 16> f;
  for (uint32_t l = 0; l < 16; ++l) f[l] = std::sqrt(float(l * 7)), v[l] = bits(f[l]);
  const struct {
    XiOp op;
    uint32_t to[4], from[4];
  } kDifferences[] = {{XiOp::DDXC, {1, 1, 1, 1}, {0, 0, 0, 0}},
                      {XiOp::DDYC, {2, 2, 2, 2}, {0, 0, 0, 0}},
                      {XiOp::DDXF, {1, 1, 3, 3}, {0, 0, 2, 2}},
                      {XiOp::DDYF, {2, 3, 2, 3}, {0, 1, 0, 1}}};
  for (const auto& d : kDifferences) {
    // Quads are read whatever lanes are active.
    lanes({xi(d.op, 2, kX, r(1))}, v, 0x5555);
    for (uint32_t l = 0; l < 16; l += 2)
      EXPECT_EQ(result(l), bits(f[l / 4 * 4 + d.to[l % 4]] - f[l / 4 * 4 + d.from[l % 4]])) << info(d.op).name.c_str() << " " << l;
    EXPECT_EQ(result(1), 99u);
  }
}

TEST_F(Across, BallotFirstAndShuffle) {
  std::array<uint32_t, 16> v;
  for (uint32_t l = 0; l < 16; ++l) v[l] = l % 3 ? 15 - l : 0;
  lanes({X{.op = XOp::BALLOT, .dest = 2, .mask = kXyzw, .source = 1}}, v, 0xFFF0);
  uint32_t ballot = 0;
  for (uint32_t l = 4; l < 16; ++l) ballot |= uint32_t(v[l] != 0) << l;
  EXPECT_EQ(result(4), ballot);
  EXPECT_EQ(result(15), ballot);
  EXPECT_EQ(result(15, 1), 0u);
  EXPECT_EQ(result(3), 99u);
  lanes({X{.op = XOp::FIRST, .dest = 2, .mask = kXyzw, .source = 1}}, v, 0xFFE0);
  EXPECT_EQ(result(9), v[5]);
  EXPECT_EQ(result(9, 2), v[5] + 2000);
  EXPECT_EQ(result(0), 99u);
  for (uint32_t l = 0; l < 16; ++l) v[l] = (l * 5 + 3) % 16;
  lanes({X{.op = XOp::SHUFFLE, .dest = 2, .mask = kXyzw, .source = 1, .src2 = 1}}, v);
  for (uint32_t l = 0; l < 16; ++l) EXPECT_EQ(result(l), v[v[l]]) << l;
  v[7] = 16;  // beyond
  lanes({X{.op = XOp::SHUFFLE, .dest = 2, .mask = kXyzw, .source = 1, .src2 = 1}}, v);
  EXPECT_EQ(result(7), 0u);
}

uint32_t fold(SubOp sub, bool real, uint32_t a, uint32_t b) {
  const int32_t sa = int32_t(a), sb = int32_t(b);
  const float fa = flt(a), fb = flt(b);
  switch (sub) {
    case SubOp::ADD: return real ? bits(fa + fb) : a + b;
    case SubOp::SMIN: return real ? bits(fa < fb ? fa : fb) : uint32_t(sa < sb ? sa : sb);
    case SubOp::SMAX: return real ? bits(fa > fb ? fa : fb) : uint32_t(sa > sb ? sa : sb);
    case SubOp::UMIN: return a < b ? a : b;
    case SubOp::UMAX: return a > b ? a : b;
    case SubOp::AND: return a & b;
    case SubOp::OR: return a | b;
    case SubOp::XOR: return a ^ b;
    case SubOp::MUL: return real ? bits(fa * fb) : a * b;
    default: return 0;
  }
}

TEST_F(Across, ReductionsAndScans) {
  const struct {
    SubOp sub;
    bool real;
    uint32_t identity;
  } kKinds[] = {{SubOp::ADD, false, 0},
                {SubOp::SMIN, false, 0x7FFFFFFF},
                {SubOp::SMAX, false, 0x80000000},
                {SubOp::UMIN, false, ~0u},
                {SubOp::UMAX, false, 0},
                {SubOp::AND, false, ~0u},
                {SubOp::OR, false, 0},
                {SubOp::XOR, false, 0},
                {SubOp::MUL, false, 1},
                {SubOp::ADD, true, 0},
                {SubOp::SMIN, true, bits(INFINITY)},
                {SubOp::SMAX, true, bits(-INFINITY)},
                {SubOp::MUL, true, bits(1.0f)}};
  for (const auto& k : kKinds) {
    std::array<uint32_t, 16> v;
    for (uint32_t l = 0; l < 16; ++l)
      v[l] = k.real ? bits(0.75f + float((l * 11) % 7) * (l % 2 ? -0.5f : 0.25f)) : (l * 0x9E3779B9u) ^ (l << 29);
    for (const uint32_t only : {0xFFFFu, 0xB6D2u}) {
      for (const XOp op : {XOp::REDUCE, XOp::SCANI, XOp::SCANX}) {
        lanes({X{.op = op, .dest = 2, .mask = kX, .source = 1, .is_float = k.real, .sub = k.sub}}, v, only);
        uint32_t sum = k.identity;
        bool begun = false;
        std::array<uint32_t, 16> inclusive{}, exclusive{};
        for (uint32_t l = 0; l < 16; ++l) {
          if (!(only >> l & 1)) continue;
          exclusive[l] = sum;
          sum = inclusive[l] = begun ? fold(k.sub, k.real, sum, v[l]) : v[l];
          begun = true;
        }
        for (uint32_t l = 0; l < 16; ++l) {
          const uint32_t want = !(only >> l & 1) ? 99u : op == XOp::REDUCE ? sum : op == XOp::SCANI ? inclusive[l] : exclusive[l];
          ASSERT_EQ(result(l), want) << info(op).name.c_str() << " sub " << int(k.sub) << " float " << k.real << " lane " << l;
        }
      }
    }
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
