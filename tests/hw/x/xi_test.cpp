// SPDX-License-Identifier: MIT
/// Every XI operation on edge values and random ones, against an evaluation of its own.
#include <cmath>
#include <limits>
#include <random>

#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using i128 = __int128;

constexpr uint32_t kEdges[] = {0,          1,          2,          31,         32,         33,         0x7F,       0xFFFF,
                               0x10000,    0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x3F800000, 0xBF800000,
                               0x3F000000, 0x3FC00000, 0x40200000, 0xC0200000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345,
                               0x00400000, 0x80000123, 0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x4B000001, 0x4F000000,
                               0x4F800000, 0xCF000000, 0xCF000001, 0x00003C00, 0x7C007E01, 0x03FF8001, 0x3DCCCCCD, 0x33800000};

bool nan(float f) { return f != f; }
/// What float arithmetic reads and leaves.
float flushed(uint32_t v) { return (v & 0x7F800000) ? flt(v) : flt(v & 0x80000000); }
uint32_t result(double exact) {
  if (exact != exact) return 0x7FFFFFFF;
  // Tiny after rounding to 24 bits with unbounded exponent: zero.
  const float f = float(exact);
  const float scaled = float(exact * 0x1p60);
  if (std::fabs(scaled) < 0x1p-66f) return bits(std::copysign(0.0f, f));
  return bits(f);
}

uint32_t half(float f) {
  if (nan(f)) return 0x7E00;
  const uint32_t sign = bits(f) >> 31 << 15;
  const double a = std::fabs(double(f));
  // The nearest of all finite halves, ties to the even code; 65536 stands for infinity.
  const auto value = [](uint32_t code) {
    return code >= 0x400 ? std::ldexp(1024 + (code & 1023), int(code >> 10) - 25) : std::ldexp(double(code), -24);
  };
  if (a >= 65536) return sign | 0x7C00;
  uint32_t low = 0, high = 0x7C00;
  while (high - low > 1) (value((low + high) / 2) <= a ? low : high) = (low + high) / 2;
  const double down = a - value(low), up = value(high) - a;
  return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

uint32_t from_half(uint32_t h) {
  const uint32_t e = h >> 10 & 31, m = h & 1023;
  const double sign = h & 0x8000 ? -1 : 1;
  if (e == 31) return m ? 0x7FFFFFFF : bits(float(sign * INFINITY));
  return bits(float(sign * (e ? std::ldexp(1024 + m, int(e) - 25) : std::ldexp(double(m), -24))));
}

uint32_t expected(XiOp op, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t sa = int32_t(a), sb = int32_t(b);
  const float fa = flushed(a), fb = flushed(b);
  const auto truth = [](bool t) { return t ? 0xFFFFFFFFu : 0u; };
  const auto bit = [&](uint32_t v, uint32_t i) { return i < 32 && (v >> i & 1); };
  switch (op) {
    case XiOp::IADD: return uint32_t(sa + sb);
    case XiOp::IMUL: return uint32_t(i128(sa) * sb);
    case XiOp::IMAD: return uint32_t(i128(sa) * sb + int32_t(c));
    case XiOp::IMULH: return uint32_t((i128(sa) * sb) >> 32);
    case XiOp::UMULH: return uint32_t((unsigned __int128)(a)*b >> 32);
    case XiOp::IDIV: return sb ? uint32_t(sa / sb) : 0;
    case XiOp::UDIV: return b ? a / b : 0;
    case XiOp::IREM: return sb ? uint32_t(sa % sb) : a;
    case XiOp::UREM: return b ? a % b : a;
    case XiOp::AND: return a & b;
    case XiOp::OR: return ~(~a & ~b);
    case XiOp::XOR: return (a | b) - (a & b);
    case XiOp::BITSEL: {
      uint32_t v = 0;
      for (uint32_t i = 0; i < 32; ++i) v |= uint32_t(bit(c, i) ? bit(a, i) : bit(b, i)) << i;
      return v;
    }
    case XiOp::SHL: return uint32_t(uint64_t(a) * (1ull << b % 32));
    case XiOp::LSHR: return uint32_t(a / (1ull << b % 32));
    case XiOp::ASHR: return uint32_t(std::floor(double(sa) / double(1ull << b % 32)) + (sa < 0 ? 0x1p32 : 0));
    case XiOp::IMIN: return sa < sb ? a : b;
    case XiOp::IMAX: return sa < sb ? b : a;
    case XiOp::UMIN: return a < b ? a : b;
    case XiOp::UMAX: return a < b ? b : a;
    case XiOp::IEQ: return truth(!(a ^ b));
    case XiOp::INE: return truth(a ^ b);
    case XiOp::ILT: return truth(sa - sb < 0);
    case XiOp::IGE: return truth(sa - sb >= 0);
    case XiOp::ULT: return truth(int64_t(a) - int64_t(b) < 0);
    case XiOp::UGE: return truth(int64_t(a) - int64_t(b) >= 0);
    case XiOp::FEQ: return truth(!nan(fa) && !nan(fb) && fa == fb);
    case XiOp::FNE: return truth(nan(fa) || nan(fb) || fa != fb);
    case XiOp::FLT: return truth(!nan(fa) && !nan(fb) && fa < fb);
    case XiOp::FGE: return truth(!nan(fa) && !nan(fb) && !(fa < fb));
    case XiOp::SEL: return c ? a : b;
    case XiOp::MOV: return a;
    case XiOp::F2I: return nan(fa) ? 0 : fa >= 0x1p31f ? 0x7FFFFFFF : fa <= -0x1p31f ? 0x80000000 : uint32_t(int32_t(fa));
    case XiOp::F2U: return nan(fa) || fa <= 0 ? 0 : fa >= 0x1p32f ? 0xFFFFFFFF : uint32_t(fa);
    case XiOp::I2F: return bits(float(double(sa)));
    case XiOp::U2F: return bits(float(double(a)));
    case XiOp::FLOOR:
    case XiOp::CEIL:
    case XiOp::TRUNC:
    case XiOp::RNE: {
      if (nan(fa)) return 0x7FFFFFFF;
      if (std::fabs(fa) >= 0x1p23f) return bits(fa);
      double v = double(int64_t(fa));  // toward zero
      const double rest = std::fabs(fa - v);
      if (op == XiOp::FLOOR && fa < v) v -= 1;
      if (op == XiOp::CEIL && fa > v) v += 1;
      if (op == XiOp::RNE && (rest > 0.5 || (rest == 0.5 && int64_t(v) % 2))) v += fa < 0 ? -1 : 1;
      return bits(std::copysign(float(v), fa));
    }
    case XiOp::FDIV: return result((long double)(fa) / fb);
    case XiOp::FSQRT: return fa < 0 ? 0x7FFFFFFF : nan(fa) ? 0x7FFFFFFF : bits(float(std::sqrt(double(fa))));
    case XiOp::FMIN:
    case XiOp::FMAX: {
      if (nan(fa) && nan(fb)) return 0x7FFFFFFF;
      if (nan(fa) || nan(fb)) return bits(nan(fa) ? fb : fa);
      if (fa == fb) return bits(fb);
      return bits((fa < fb) == (op == XiOp::FMIN) ? fa : fb);
    }
    case XiOp::LDEXP: {
      if (nan(fa)) return 0x7FFFFFFF;
      if (fa == 0 || std::isinf(fa)) return bits(fa);
      const int e = int(bits(fa) >> 23 & 255);
      const int64_t to = e + sb;
      const uint32_t sign = bits(fa) & 0x80000000u;
      return to <= 0 ? sign : to >= 255 ? sign | 0x7F800000u : sign | uint32_t(to) << 23 | (bits(fa) & 0x7FFFFF);
    }
    case XiOp::FREXPM: {
      if (nan(fa)) return 0x7FFFFFFF;
      int e;
      return bits(std::frexp(fa, &e));
    }
    case XiOp::FREXPE: {
      int e = 0;
      if (std::isfinite(fa)) static_cast<void>(std::frexp(fa, &e));
      return uint32_t(e);
    }
    case XiOp::BCNT: {
      uint32_t v = 0;
      for (uint32_t i = 0; i < 32; ++i) v += bit(a, i);
      return v;
    }
    case XiOp::FFBL:
      for (uint32_t i = 0; i < 32; ++i)
        if (bit(a, i)) return i;
      return ~0u;
    case XiOp::FFBH:
      for (uint32_t i = 32; i-- > 0;)
        if (bit(a, i)) return i;
      return ~0u;
    case XiOp::FFBI:
      for (uint32_t i = 32; i-- > 0;)
        if (bit(a, i) != bit(a, 31)) return i;
      return ~0u;
    case XiOp::BREV: {
      uint32_t v = 0;
      for (uint32_t i = 0; i < 32; ++i) v = v * 2 + bit(a, i);
      return v;
    }
    case XiOp::BFM: {
      uint32_t v = 0;
      for (uint64_t i = 0; i < 32; ++i) v |= uint32_t(i >= b % 32 && i < uint64_t(a) + b % 32) << i;
      return v;
    }
    case XiOp::UBFE:
    case XiOp::IBFE: {
      uint32_t v = 0, taken = 0;
      for (; taken < c && uint64_t(b) + taken < 32; ++taken) v |= uint32_t(bit(a, b + taken)) << taken;
      if (op == XiOp::IBFE && taken && (v >> (taken - 1) & 1))
        for (uint32_t i = taken; i < 32; ++i) v |= 1u << i;
      return v;
    }
    case XiOp::PKH: return half(flt(a)) | half(flt(b)) << 16;
    case XiOp::UNPKL: return from_half(a & 0xFFFF);
    case XiOp::UNPKH: return from_half(a >> 16);
    default: return 0;
  }
}

class Xi : public XRig {
 protected:
  std::vector<uint32_t> first, second, third;
  std::mt19937 random{5};

  void fill() {
    const auto add = [&](uint32_t x, uint32_t y, uint32_t z) { first.push_back(x), second.push_back(y), third.push_back(z); };
    for (const uint32_t x : kEdges)
      for (const uint32_t y : kEdges) add(x, y, kEdges[random() % std::size(kEdges)]);
    for (int i = 0; i < 3000; ++i) add(random(), random(), random());
    for (int i = 0; i < 3000; ++i) add(random(), random() % 40, random() % 40);  // shifts and fields
    while (first.size() % 256) add(0, 0, 0);
  }
  uint64_t upload(uint32_t n, const std::vector<uint32_t>& v) {
    const uint64_t at = allocate(v.size() * 4);
    std::copy(v.begin(), v.end(), dwords(at));
    buffer(n, at, uint32_t(v.size() * 4));
    return at;
  }
};

TEST_F(Xi, EveryOperationOfALane) {
  fill();
  upload(0, first), upload(1, second), upload(2, third);
  const uint64_t out = upload(3, std::vector<uint32_t>(first.size()));
  local_size(64);
  size_t operations = 0;
  for (const XiOpInfo& op : kXiOps) {
    if (op.neighbours) continue;
    ++operations;
    program({
        X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 35},
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 33},
        xi(XiOp::IMAD, 0, kX, r(1), n(64), r(0)),
        xi(XiOp::SHL, 0, kX, r(0), n(4)),
        X{.op = XOp::LDB, .dest = 2, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(0)},
        X{.op = XOp::LDB, .dest = 3, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(1)},
        X{.op = XOp::LDB, .dest = 4, .mask = kXyzw, .source = 0, .components = 4, .descriptor = at(2)},
        xi(op.op, 5, kXyzw, r(2), r(3), r(4)),
        X{.op = XOp::STB, .source = 0, .src2 = 5, .components = 4, .descriptor = at(3)},
    });
    run({uint32_t(first.size() / 256), 1, 1});
    ASSERT_TRUE(reports.empty()) << op.name.c_str() << ": " << reports[0];
    for (size_t i = 0; i < first.size(); ++i)
      ASSERT_EQ(dwords(out)[i], expected(op.op, first[i], second[i], third[i]))
          << op.name.c_str() << std::hex << " " << first[i] << ", " << second[i] << ", " << third[i];
  }
  EXPECT_EQ(operations, 58u);
}

TEST_F(Xi, ModifiersInlineConstantsAndLiterals) {
  const uint64_t out = upload(3, std::vector<uint32_t>(1024));
  Src half_literal = c(1);
  half_literal.swizzle = {6, 4, 3, 0};  // one, zero, components
  Src ones = r(0);
  ones.swizzle.fill(6);
  program(
      {
          xi(XiOp::MOV, 1, kXyzw, -c(0)),
          xi(XiOp::MOV, 2, kXyzw, ~c(0)),
          xi(XiOp::MOV, 3, kXyzw, -~c(0)),  // not, then negate: + 1
          xi(XiOp::IADD, 4, kXyzw, half_literal, n(127)),
          xi(XiOp::FMAX, 5, kXyzw, -c(1), n(7 << 3)),  // floats: the inline constant is 1.0
          xi(XiOp::LDEXP, 6, kXyzw, ones, n(3)),       // a float 1, an integer 3
          X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 35},
          xi(XiOp::IMUL, 0, kX, r(0), n(96)),
          X{.op = XOp::STB, .source = 0, .src2 = 1, .components = 4, .descriptor = at(3)},
          X{.op = XOp::STB, .source = 0, .src2 = 2, .components = 4, .immediate = 16, .descriptor = at(3)},
          X{.op = XOp::STB, .source = 0, .src2 = 3, .components = 4, .immediate = 32, .descriptor = at(3)},
          X{.op = XOp::STB, .source = 0, .src2 = 4, .components = 4, .immediate = 48, .descriptor = at(3)},
          X{.op = XOp::STB, .source = 0, .src2 = 5, .components = 4, .immediate = 64, .descriptor = at(3)},
          X{.op = XOp::STB, .source = 0, .src2 = 6, .components = 4, .immediate = 80, .descriptor = at(3)},
      },
      {{0, 1, 0x80000000, 0xFFFFFFFF}, {bits(-2.0f), bits(0.5f), bits(-0.0f), 7}});
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  for (uint32_t lane : {0u, 15u}) {
    const uint32_t* o = dwords(out) + lane * 24;
    EXPECT_EQ(std::vector(o, o + 4), (std::vector{0u, ~0u, 0x80000000u, 1u}));
    EXPECT_EQ(std::vector(o + 4, o + 8), (std::vector{~0u, ~1u, 0x7FFFFFFFu, 0u}));
    EXPECT_EQ(std::vector(o + 8, o + 12), (std::vector{1u, 2u, 0x80000001u, 0u}));
    EXPECT_EQ(std::vector(o + 12, o + 16), (std::vector{128u, 127u, 134u, bits(-2.0f) + 127}));
    EXPECT_EQ(std::vector(o + 16, o + 20), (std::vector{bits(2.0f), bits(1.0f), bits(1.0f), bits(1.0f)}));
    EXPECT_EQ(std::vector(o + 20, o + 24), std::vector<uint32_t>(4, bits(8.0f)));
  }
}

TEST_F(Xi, OneUnitMayDoAStrictOperation) {
  const uint64_t out = upload(3, std::vector<uint32_t>(64));
  Instruction mixed = xi(XiOp::IADD, 1, kXyzw, c(0), c(0));
  mixed.alpha.op = AluOp::MAD;
  mixed.alpha.xi(XiOp(0));  // OMOD, MOD_C and TARGET of the strict operation
  mixed.alpha.address[2] = mixed.alpha.address[0], mixed.rgb.address[2] = mixed.rgb.address[0];
  mixed.alpha.operand[2] = mixed.alpha.operand[0];
  program({mixed, X{.op = XOp::SYS, .dest = 0, .mask = kX, .immediate = 35}, xi(XiOp::SHL, 0, kX, r(0), n(4)),
           X{.op = XOp::STB, .source = 0, .src2 = 1, .components = 4, .descriptor = at(3)}},
          {{1, 2, 3, bits(1.5f)}});
  run();
  ASSERT_TRUE(reports.empty()) << reports[0];
  EXPECT_EQ(std::vector(dwords(out), dwords(out) + 4), (std::vector{2u, 4u, 6u, bits(3.75f)}));
}

}  // namespace
}  // namespace pumice::hw::x_test
