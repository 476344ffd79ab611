// SPDX-License-Identifier: MIT
/// Every operation of WIDE slots (docs/r5x.md s.4.2) on pairs of edge values and random ones, against an evaluation of its own.
#include <cmath>
#include <random>

#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using isa::us_r500::WideOp;

constexpr uint32_t kOps = uint32_t(WideOp::DFREXPE) + 1;
constexpr uint64_t kNan = 0x7FF8000000000000;
constexpr uint64_t kSign = uint64_t{1} << 63;

std::vector<uint64_t> numbers() {
  std::vector<uint64_t> out{0,
                            kSign,
                            1,
                            0x000FFFFFFFFFFFFF,
                            0x0010000000000000,
                            0x8010000000000001,
                            0x3FF0000000000000,
                            0xBFF0000000000000,
                            0x7FF0000000000000,
                            0xFFF0000000000000,
                            kNan,
                            0xFFF4000000000123,
                            0x7FEFFFFFFFFFFFFF,
                            0x3FE0000000000000,
                            0x3FF8000000000000,
                            0xC004000000000000,
                            0x4330000000000001,
                            0x4340000000000000,
                            0x43E0000000000000,
                            0xC3E0000000000000,
                            0x43F0000000000000,
                            0x43EFFFFFFFFFFFFF,
                            0x7FFFFFFFFFFFFFFF,
                            0x3810000000000000,
                            0x380FFFFFF0000000,
                            0x380FFFFFE8000000,
                            0x47EFFFFFF0000000,
                            0x47EFFFFFEFFFFFFF,
                            0x3690000000000000,
                            0x00000000FFFFFFFF,
                            0x000000007F800000,
                            0x00000000FFC00001,
                            0x0000000000400000};
  std::mt19937_64 random(7);
  while (out.size() < 40) out.push_back(random());
  while (out.size() < 56) out.push_back(std::bit_cast<uint64_t>(std::ldexp(double(int64_t(random())), int(random() % 140) - 100)));
  return out;
}

uint64_t expected(WideOp op, uint64_t a, uint64_t b, uint64_t c) {
  const auto x = std::bit_cast<double>(a), y = std::bit_cast<double>(b), z = std::bit_cast<double>(c);
  const auto real = [](double r) { return r != r ? kNan : std::bit_cast<uint64_t>(r); };
  const auto truth = [](bool t) { return t ? uint64_t{0xFFFFFFFF} : 0; };
  switch (op) {
    case WideOp::DADD: return real(x + y);
    case WideOp::DMUL: return real(x * y);
    case WideOp::DFMA: return real(std::fma(x, y, z));
    case WideOp::DDIV: return real(x / y);
    case WideOp::DSQRT: return real(std::sqrt(x));
    case WideOp::DMIN: return x != x ? real(y) : y != y ? a : x < y ? a : b;
    case WideOp::DMAX: return x != x ? real(y) : y != y ? a : x > y ? a : b;
    case WideOp::DLT: return truth(x < y);
    case WideOp::DGE: return truth(x >= y);
    case WideOp::DEQ: return truth(x == y);
    case WideOp::DFLOOR: return real(std::floor(x));
    case WideOp::DCEIL: return real(std::ceil(x));
    case WideOp::DTRUNC: return real(std::trunc(x));
    case WideOp::DRNE: return real(std::nearbyint(x));
    case WideOp::F2D: return real((a & 0x7F800000) ? double(flt(uint32_t(a))) : std::copysign(0.0, flt(uint32_t(a))));
    case WideOp::D2F: {
      if (x != x) return 0x7FFFFFFF;
      const double magnitude = std::fabs(x);
      // Half a step of 24 bits below 2^-126 the number still becomes 2^-126.
      return magnitude < 0x1p-126 - 0x1p-151 ? bits(std::copysign(0.0f, float(x))) : bits(float(x));
    }
    case WideOp::L2D: return real(double(int64_t(a)));
    case WideOp::UL2D: return real(double(a));
    case WideOp::D2L: return x != x ? 0 : x >= 0x1p63 ? kSign - 1 : x < -0x1p63 ? kSign : uint64_t(int64_t(x));
    case WideOp::D2UL: return !(x > 0) ? 0 : x >= 0x1p64 ? ~uint64_t{0} : uint64_t(x);
    case WideOp::DLDEXP: return real(std::scalbn(x, int32_t(b)));
    case WideOp::DFREXPM: {
      if (x == 0 || !std::isfinite(x)) return real(x);
      return real(std::scalbn(x, -std::ilogb(x) - 1));
    }
    case WideOp::DFREXPE: return x == 0 || !std::isfinite(x) ? 0 : uint32_t(std::ilogb(x) + 1);
  }
  return 0;
}

class Wide : public XRig {
 protected:
  /// r6 = the operation of the numbers that lane l finds at 48 * l: two of A, of B and of C; then r6 = another one of r6, C and r6.
  static std::vector<Instruction> code(uint32_t op, uint8_t components, uint32_t second = kOps) {
    std::vector<Instruction> v = {
        X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 33},
        xi(XiOp::SHL, 0, kX, r(0), n(4)),
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 48},
        xi(XiOp::IADD, 0, kX, r(0), r(1)),
        xi(XiOp::IMUL, 1, kX, r(0), n(48)),
        xi(XiOp::SHL, 2, kX, r(0), n(4)),
        X{.op = XOp::LDB, .dest = 3, .mask = kXyzw, .source = 1, .components = 4, .descriptor = at(0)},
        X{.op = XOp::LDB, .dest = 4, .mask = kXyzw, .source = 1, .components = 4, .immediate = 16, .descriptor = at(0)},
        X{.op = XOp::LDB, .dest = 5, .mask = kXyzw, .source = 1, .components = 4, .immediate = 32, .descriptor = at(0)},
        X{.op = XOp::WIDE, .dest = 6, .mask = kXyzw, .source = 3, .src2 = 4, .src3 = 5, .components = components, .immediate = op},
    };
    if (second < kOps)
      v.push_back(
          X{.op = XOp::WIDE, .dest = 6, .mask = kXyzw, .source = 6, .src2 = 5, .src3 = 6, .components = components, .immediate = second});
    v.push_back(X{.op = XOp::STB, .source = 2, .src2 = 6, .components = 4, .descriptor = at(1)});
    return v;
  }
  void check(uint32_t op, uint32_t second = kOps);
  uint64_t in = 0, out = 0;
};

void Wide::check(uint32_t op, uint32_t second) {
  const std::vector<uint64_t> all = numbers();
  const auto count = uint32_t(all.size());
  // Lane l: pairs (2 l) and (2 l + 1) of all pairs.
  const uint32_t lanes = count * count / 2;
  if (!in) {
    in = allocate(uint64_t{lanes} * 48), out = allocate(uint64_t{lanes} * 16);
    buffer(0, in, lanes * 48), buffer(1, out, lanes * 16);
  }
  const auto a = [&](uint32_t pair) { return all[pair % count]; };
  const auto b = [&](uint32_t pair) { return all[pair / count]; };
  const auto c = [&](uint32_t pair) { return all[(pair * 7 + pair / 11) % count]; };
  auto* numbers_in = reinterpret_cast<uint64_t*>(dwords(in));
  for (uint32_t pair = 0; pair < 2 * lanes; ++pair) {
    uint64_t* at = numbers_in + pair / 2 * 6 + pair % 2;
    at[0] = a(pair), at[2] = b(pair), at[4] = c(pair);
  }
  program(code(op, 4, second));
  local_size(16);
  run({lanes / 16, 1, 1});
  ASSERT_TRUE(reports.empty()) << reports[0];
  EXPECT_TRUE(is_native && !calls) << "without slots of the reference";
  const auto* results = reinterpret_cast<const uint64_t*>(dwords(out));
  uint32_t wrong = 0;
  for (uint32_t pair = 0; pair < 2 * lanes && wrong < 3; ++pair) {
    uint64_t want = expected(WideOp(op), a(pair), b(pair), c(pair));
    if (second < kOps) want = expected(WideOp(second), want, c(pair), want);
    if (results[pair] == want) continue;
    ++wrong;
    ADD_FAILURE() << info(WideOp(op)).name.c_str() << (second < kOps ? std::string(", ") + std::string(info(WideOp(second)).name) : "")
                  << std::hex << " of " << a(pair) << ", " << b(pair) << ", " << c(pair) << " is " << results[pair] << ", not " << want;
  }
}

TEST_F(Wide, AllOperations) {
  for (uint32_t op = 0; op < kOps; ++op) {
    check(op);
    if (HasFatalFailure()) return;
  }
}

/// Native code does not take numbers apart between two operations.
TEST_F(Wide, AllPairsOfOperations) {
  for (uint32_t op = 0; op < kOps * kOps; ++op) {
    check(op / kOps, op % kOps);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Wide, OneNumberLeavesTheOthers) {
  in = allocate(16 * 48), out = allocate(16 * 16);
  buffer(0, in, 16 * 48), buffer(1, out, 16 * 16);
  for (uint32_t i = 0; i < 16 * 12; ++i) dwords(in)[i] = 0x40000000 + i;
  program(code(uint32_t(WideOp::DADD), 2));
  local_size(16);
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  const uint32_t* d = dwords(out);
  const auto two = [&](const uint32_t* at) { return std::bit_cast<double>(uint64_t{at[1]} << 32 | at[0]); };
  EXPECT_EQ(two(d + 16), two(dwords(in) + 48) + two(dwords(in) + 52));
  EXPECT_EQ(d[18], 0u) << "components that an operation does not give are 0";
  EXPECT_EQ(d[19], 0u);
}

TEST_F(Wide, WhatDoesNotExistIsIllegal) {
  const auto illegal = [](const Instruction& i) { return isa::us_r500::find_illegal(isa::us_r500::pack(i), isa::us_r500::Level::r5x); };
  Instruction x = X{.op = XOp::WIDE, .dest = 1, .mask = kXyzw, .components = 2, .immediate = kOps};
  const auto found = illegal(x);
  ASSERT_TRUE(found);
  EXPECT_STREQ(found->name, "US_X_IMMEDIATE.VALUE");
  x.tex.x.immediate = 256;
  EXPECT_TRUE(illegal(x));
  x.tex.x.immediate = 0;
  EXPECT_FALSE(illegal(x));
  x.tex.x.components = 2;
  EXPECT_TRUE(illegal(x));
}

}  // namespace
}  // namespace pumice::hw::x_test
