// SPDX-License-Identifier: MIT
/// Every element-wise operation of operations.h on every back end, against what C++ says it should give.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/srgb.h"
#include "hw/radeon/jit/lane/evaluate.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/lane/backends.h"

namespace pumice::hw::fast::lane {
namespace {

using num::bits;
using num::from_bits;

/// Operands as the operation sees them: a, b, c and imm; masks are 0 or 1.
struct In {
  uint32_t a, b, c, imm;
  float fa() const { return num::flush_denormal(from_bits(a)); }
  float fb() const { return num::flush_denormal(from_bits(b)); }
  float fc() const { return num::flush_denormal(from_bits(c)); }
  int32_t ia() const { return int32_t(a); }
  int32_t ib() const { return int32_t(b); }
  int64_t wide_a() const { return int32_t(a); }
  int64_t wide_b() const { return int32_t(b); }
};
using Model = std::function<uint32_t(const In&)>;

uint32_t clamped(float v, double least, double most) {
  if (std::isnan(v)) return 0;
  return uint32_t(int64_t(std::min(std::max(std::trunc(double(v)), least), most)));
}
/// The number of a half float, by what its fields mean.
double half_value(uint32_t h) {
  const int exponent = int(h >> 10 & 31), fraction = int(h & 1023);
  const double magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  return h & 0x8000 ? -magnitude : magnitude;
}
uint32_t half_to_float(uint32_t h) {
  if ((h >> 10 & 31) != 31) return bits(float(half_value(h)));
  const uint32_t fraction = h & 1023;
  return (h & 0x8000) << 16 | 0x7F800000u | (fraction ? 0x400000u | fraction << 13 : 0);
}
/// The nearest of all halves; of two as near, the even one.
uint32_t float_to_half(uint32_t word) {
  const uint32_t sign = word >> 16 & 0x8000;
  const double v = std::fabs(double(from_bits(word)));
  if (std::isnan(v)) return sign | 0x7E00 | (word >> 13 & 0x3FF);
  if (v >= 65536.0) return sign | 0x7C00;
  uint32_t low = 0, high = 0x7C00;  // Inf, which rounding counts as 65536
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (half_value(middle) <= v ? low : high) = middle;
  }
  const double next = high < 0x7C00 ? half_value(high) : 65536.0, below = v - half_value(low);
  return sign | (below < next - v || (below == next - v && low % 2 == 0) ? low : high);
}

const std::map<Op, Model>& models() {
  static const std::map<Op, Model> all = {
      {Op::sqrt, [](const In& x) { return bits(std::sqrt(x.fa())); }},
      {Op::floor, [](const In& x) { return bits(std::floor(x.fa())); }},
      {Op::ceil, [](const In& x) { return bits(std::ceil(x.fa())); }},
      {Op::trunc, [](const In& x) { return bits(std::trunc(x.fa())); }},
      {Op::round_even, [](const In& x) { return bits(std::nearbyint(x.fa())); }},
      {Op::to_float, [](const In& x) { return bits(float(double(x.ia()))); }},
      {Op::uint_to_float, [](const In& x) { return bits(float(double(x.a))); }},
      {Op::to_int, [](const In& x) { return std::fabs(x.fa()) < 0x1p31f ? uint32_t(int32_t(x.fa())) : 0x80000000u; }},
      {Op::to_int_clamped, [](const In& x) { return clamped(x.fa(), -2147483648.0, 2147483647.0); }},
      {Op::to_uint_clamped, [](const In& x) { return clamped(x.fa(), 0.0, 4294967295.0); }},
      {Op::half_to_float, [](const In& x) { return half_to_float(x.a & 0xFFFF); }},
      {Op::float_to_half, [](const In& x) { return float_to_half(x.a); }},
      {Op::popcount,
       [](const In& x) {
         uint32_t n = 0;
         for (uint32_t v = x.a; v; v &= v - 1) ++n;
         return n;
       }},
      {Op::leading_zeros,
       [](const In& x) {
         uint32_t n = 32;
         for (uint32_t v = x.a; v; v /= 2) --n;
         return n;
       }},
      {Op::bit_reverse,
       [](const In& x) {
         uint32_t r = 0;
         for (int i = 0; i < 32; ++i) r = r * 2 + (x.a >> i) % 2;
         return r;
       }},
      {Op::srgb_decode,
       [](const In& x) {
         const uint32_t code = x.a % 256;
         float v = num::srgb::kCurve[5];
         for (int k = 4; k >= 0; --k) v = std::fma(v, float(code), num::srgb::kCurve[k]);
         return bits(code <= 10 ? float(code) : v);
       }},
      {Op::low_bits, [](const In& x) { return uint32_t((uint64_t{1} << std::min(x.a, 32u)) - 1); }},
      {Op::shl, [](const In& x) { return uint32_t(x.a * (uint64_t{1} << x.imm)); }},
      {Op::shr, [](const In& x) { return uint32_t(x.a / (uint64_t{1} << x.imm)); }},
      {Op::sar, [](const In& x) { return uint32_t(int32_t(std::floor(double(x.ia()) / double(int64_t{1} << x.imm)))); }},
      {Op::add, [](const In& x) { return bits(num::add(x.fa(), x.fb())); }},
      {Op::sub, [](const In& x) { return bits(num::sub(x.fa(), x.fb())); }},
      {Op::mul, [](const In& x) { return bits(num::mul(x.fa(), x.fb())); }},
      {Op::div, [](const In& x) { return bits(num::div(x.fa(), x.fb())); }},
      {Op::minimum, [](const In& x) { return bits(x.fa() < x.fb() ? x.fa() : x.fb()); }},
      {Op::maximum, [](const In& x) { return bits(x.fa() > x.fb() ? x.fa() : x.fb()); }},
      {Op::scale, [](const In& x) { return bits(num::round_exact(std::ldexp(double(x.fa()), int(x.fb())))); }},
      {Op::bit_and, [](const In& x) { return x.a & x.b; }},
      {Op::bit_or, [](const In& x) { return x.a | x.b; }},
      {Op::bit_xor, [](const In& x) { return x.a ^ x.b; }},
      {Op::bit_andnot, [](const In& x) { return ~x.a & x.b; }},
      {Op::iadd, [](const In& x) { return uint32_t(uint64_t{x.a} + x.b); }},
      {Op::isub, [](const In& x) { return uint32_t(uint64_t{x.a} - x.b); }},
      {Op::dot_words,
       [](const In& x) {
         const int64_t low = int64_t{int16_t(x.a & 0xFFFF)} * int16_t(x.b & 0xFFFF);
         return uint32_t(low + int64_t{int16_t(x.a >> 16)} * int16_t(x.b >> 16));
       }},
      {Op::imul, [](const In& x) { return uint32_t(x.wide_a() * x.wide_b()); }},
      {Op::imul_high, [](const In& x) { return uint32_t(uint64_t(x.wide_a() * x.wide_b()) >> 32); }},
      {Op::umul_high, [](const In& x) { return uint32_t(uint64_t{x.a} * x.b >> 32); }},
      {Op::idiv, [](const In& x) { return x.b ? uint32_t(x.wide_a() / x.wide_b()) : ~0u; }},
      {Op::udiv, [](const In& x) { return x.b ? x.a / x.b : ~0u; }},
      {Op::imin, [](const In& x) { return x.ia() < x.ib() ? x.a : x.b; }},
      {Op::imax, [](const In& x) { return x.ia() > x.ib() ? x.a : x.b; }},
      {Op::umin, [](const In& x) { return x.a < x.b ? x.a : x.b; }},
      {Op::umax, [](const In& x) { return x.a > x.b ? x.a : x.b; }},
      {Op::shl_by, [](const In& x) { return uint32_t(x.a * (uint64_t{1} << x.b % 32)); }},
      {Op::shr_by, [](const In& x) { return uint32_t(x.a / (uint64_t{1} << x.b % 32)); }},
      {Op::sar_by, [](const In& x) { return uint32_t(int32_t(std::floor(double(x.ia()) / double(int64_t{1} << x.b % 32)))); }},
      {Op::fma, [](const In& x) { return bits(num::fma(x.imm & 1 ? -x.fa() : x.fa(), x.fb(), x.imm & 2 ? -x.fc() : x.fc())); }},
      {Op::select, [](const In& x) { return x.c ? x.a : x.b; }},
      {Op::lt, [](const In& x) { return uint32_t(x.fa() < x.fb()); }},
      {Op::le, [](const In& x) { return uint32_t(x.fa() <= x.fb()); }},
      {Op::eq, [](const In& x) { return uint32_t(x.fa() == x.fb()); }},
      {Op::ne, [](const In& x) { return uint32_t(x.fa() != x.fb()); }},
      {Op::unordered, [](const In& x) { return uint32_t(std::isnan(x.fa()) || std::isnan(x.fb())); }},
      {Op::ieq, [](const In& x) { return uint32_t(x.wide_a() == x.wide_b()); }},
      {Op::ine, [](const In& x) { return uint32_t(x.wide_a() != x.wide_b()); }},
      {Op::ilt, [](const In& x) { return uint32_t(x.wide_a() < x.wide_b()); }},
      {Op::ile, [](const In& x) { return uint32_t(x.wide_a() <= x.wide_b()); }},
      {Op::ult, [](const In& x) { return uint32_t(uint64_t{x.a} < uint64_t{x.b}); }},
      {Op::ule, [](const In& x) { return uint32_t(uint64_t{x.a} <= uint64_t{x.b}); }},
      {Op::mask_and, [](const In& x) { return uint32_t(x.a && x.b); }},
      {Op::mask_or, [](const In& x) { return uint32_t(x.a || x.b); }},
      {Op::mask_xor, [](const In& x) { return uint32_t(x.a != x.b); }},
      {Op::mask_andnot, [](const In& x) { return uint32_t(!x.a && x.b); }},
  };
  return all;
}

struct alignas(64) Args {
  uint32_t in[3][kLanes];
  uint32_t uniform[4];
  uint32_t mask_in[4];
  uint32_t out[kLanes];
  uint32_t mask_out;
};

/// Numbers where integers and floats change their ways, and any.
uint32_t word(std::mt19937& random) {
  static constexpr uint32_t kEdges[] = {
      0u,          1u,          2u,          31u,         32u,         33u,         0x7Fu,       0xFFu,       0xFFFFu,     0x10000u,
      0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xFFFFFFFFu, 0xFFFFFFFEu, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F800001u, 0xFFC12345u,
      0x4F000000u, 0x4EFFFFFFu, 0xCF000000u, 0xCF000001u, 0x4F800000u, 0x4F7FFFFFu, 0x3F000000u, 0x3F7FFFFFu, 0xBF7FFFFFu, 0x00800000u,
      0x007FFFFFu, 0x80000010u, 0x477FEFFFu, 0x477FF000u, 0x387FC000u, 0x33000000u, 0x33000001u, 0x4B000000u, 0x4AFFFFFFu, 0xCB000001u};
  switch (random() % 6) {
    case 0: return kEdges[random() % std::size(kEdges)];
    case 1: return random() % 64;
    case 2: return uint32_t(random()) >> random() % 32;
    case 3: return bits((float(random()) - 0x1p31f) * std::ldexp(1.0f, int(random() % 64) - 60));
    case 4: return ~(uint32_t(random()) >> random() % 32);
    default: return uint32_t(random());
  }
}

/// The operation alone, with operands of random kinds: lanes, a dword of memory for all, constants.
struct Made {
  Program program;
  std::array<std::function<uint32_t(const Args&, int)>, 3> operand;
};
Made made(Op op, uint32_t imm, std::mt19937& random) {
  Made m;
  auto& nodes = m.program.nodes;
  Node n{.op = op, .imm = imm};
  int32_t ids[3] = {-1, -1, -1};
  for (uint32_t k = 0; k < 3; ++k) {
    const Role role = operation(op).operand(int(k));
    if (role == Role::value) {
      const uint32_t constant = word(random);
      switch (random() % 5) {
        case 0:
          nodes.push_back({.op = Op::splat, .p = 0, .imm = uint32_t(offsetof(Args, uniform) + 4 * k)});
          m.operand[k] = [k](const Args& a, int) { return a.uniform[k]; };
          break;
        case 1:
          if (op != Op::scale) {  // its operands have a range
            nodes.push_back({.op = Op::constant, .imm = constant});
            m.operand[k] = [constant](const Args&, int) { return constant; };
            break;
          }
          [[fallthrough]];
        default:
          nodes.push_back({.op = Op::lanes, .p = 0, .b = random() % 2 ? 1 : -1, .imm = uint32_t(offsetof(Args, in) + 64 * k)});
          m.operand[k] = [k](const Args& a, int l) { return a.in[k][l]; };
      }
    } else if (role == Role::mask) {
      if (random() % 4) {
        nodes.push_back({.op = Op::mask_load, .p = 0, .imm = uint32_t(offsetof(Args, mask_in) + 4 * k)});
        m.operand[k] = [k](const Args& a, int l) { return a.mask_in[k] >> l & 1; };
      } else {
        const uint32_t constant = random() % 3 ? random() & 0xFFFF : random() % 2 ? 0xFFFF : 0;
        nodes.push_back({.op = Op::mask_constant, .imm = constant});
        m.operand[k] = [constant](const Args&, int l) { return constant >> l & 1; };
      }
    } else {
      m.operand[k] = [](const Args&, int) { return 0u; };
      continue;
    }
    ids[k] = int32_t(nodes.size()) - 1;
  }
  if (ids[1] >= 0 && op != Op::scale && operation(op).operand(0) == operation(op).operand(1) && random() % 16 == 0)
    ids[1] = ids[0], m.operand[1] = m.operand[0];
  n.a = ids[0], n.b = ids[1], n.c = ids[2];
  nodes.push_back(n);
  const int32_t result = int32_t(nodes.size()) - 1;
  if (type_of(op) == Type::value)
    nodes.push_back({.op = Op::store, .p = 0, .a = result, .imm = uint32_t(offsetof(Args, out))});
  else
    nodes.push_back({.op = Op::mask_store, .p = 0, .a = result, .imm = uint32_t(offsetof(Args, mask_out))});
  return m;
}

TEST(Operations, EveryElementwiseOneHasAModel) {
  for (size_t i = 0; i < std::size(rows::kOperations); ++i) EXPECT_EQ(is_elementwise(Op(i)), models().contains(Op(i))) << name_of(Op(i));
}

TEST(Operations, EveryBackendLikeTheModel) {
  const FuzzRange range = fuzz_range(24);
  for (const auto& [op, model] : models())
    for (uint32_t seed = range.first; seed < range.end(); ++seed) {
      std::mt19937 random(seed * 1000 + uint32_t(op));
      const Role immediate = operation(op).signature.imm;
      const uint32_t imm = immediate == Role::shift ? random() % 32 : immediate == Role::signs ? random() % 4 : 0;
      const Made m = made(op, imm, random);
      ASSERT_EQ(validate(m.program), "") << print(m.program);
      const Backends backends(m.program);
      for (int round = 0; round < 40; ++round) {
        Args args{};
        for (auto& operand : args.in)
          for (uint32_t& v : operand) v = word(random);
        for (uint32_t& v : args.uniform) v = word(random);
        for (uint32_t& v : args.mask_in) v = uint32_t(random());
        if (op == Op::scale) {
          const auto fraction = [&] { return bits((random() % 2 ? 1.0f : -1.0f) * (0.5f + float(random() % 1500) / 1000.0f)); };
          const auto power = [&] { return bits(float(int(random() % 501) - 250)); };
          for (uint32_t& v : args.in[0]) v = fraction();
          for (uint32_t& v : args.in[1]) v = power();
          args.uniform[0] = fraction(), args.uniform[1] = power();
        }
        for (size_t b = 0; b < backends.count(); ++b) {
          Args got = args;
          backends.run(b, &got);
          for (int l = 0; l < kLanes; ++l) {
            const In x{m.operand[0](args, l), m.operand[1](args, l), m.operand[2](args, l), imm};
            const uint32_t want = model(x), have = type_of(op) == Type::mask ? got.mask_out >> l & 1 : got.out[l];
            const bool any_nan = operation(op).is(trait::flushed) && std::isnan(from_bits(want)) && std::isnan(from_bits(have));
            ASSERT_TRUE(want == have || any_nan)
                << std::hex << name_of(op) << " of " << x.a << ", " << x.b << ", " << x.c << ", " << imm << " is " << want << ", not "
                << have << " (" << backends.name(b) << ", lane " << std::dec << l << ")\n"
                << print(m.program) << rerun(seed);
          }
        }
      }
    }
}

/// All halves, and all floats that lie between two of them or on one.
TEST(Operations, HalvesInAndOut) {
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(Args, in));
  b.store(kArgs, offsetof(Args, out), b.half_to_float(x));
  b.store(kArgs, offsetof(Args, in) + 64, b.float_to_half(b.lanes(kArgs, offsetof(Args, in) + 128)));
  const Backends backends(b.program());
  for (uint32_t first = 0; first < 0x10000; first += kLanes) {
    Args args{};
    for (uint32_t l = 0; l < kLanes; ++l) {
      args.in[0][l] = (first + l) | 0xABCD0000u;  // the upper half is no matter
      args.in[2][l] = half_to_float(first + l) + (l % 4 < 2 ? 0 : l % 4 == 2 ? 0xFFFu : 0x1000u) + l % 2;
    }
    for (size_t k = 0; k < backends.count(); ++k) {
      Args got = args;
      backends.run(k, &got);
      for (uint32_t l = 0; l < kLanes; ++l) {
        ASSERT_EQ(half_to_float(first + l), got.out[l]) << backends.name(k) << std::hex << " half " << first + l;
        ASSERT_EQ(float_to_half(args.in[2][l]), got.in[1][l]) << backends.name(k) << std::hex << " float " << args.in[2][l];
      }
    }
  }
}

/// Clamped as floats where the limit is below 2^24 (Builder), and masks that take nothing away.
TEST(Operations, FewBitsOfClampedIntegers) {
  struct alignas(64) ClampArgs {
    uint32_t in[kLanes], out[6][kLanes];
  };
  constexpr uint32_t kLimits[] = {0, 1, 255, 1023, 0xFFFFFF, 0xFFFFFFF};
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(ClampArgs, in));
  for (uint32_t i = 0; i < std::size(kLimits); ++i) {
    const Value v = b.umin(b.to_uint_clamped(x), b.constant_bits(kLimits[i]));
    b.store(kArgs, uint32_t(offsetof(ClampArgs, out) + 64 * i), b.bit_and(v, b.constant_bits(kLimits[i] | 0xFF)));
  }
  const Backends backends(b.program());
  std::mt19937 random(3);
  constexpr float kEdges[] = {0.0f,        -0.0f,       1e-40f,        -1.0f,         0.999f, 1.0f,   254.9f,   255.0f,    255.5f, 256.0f,
                              16777214.0f, 16777216.0f, 2147483648.0f, 4294967040.0f, 1e30f,  -1e30f, INFINITY, -INFINITY, NAN};
  for (uint32_t round = 0; round < 2000; ++round) {
    ClampArgs args;
    for (uint32_t& v : args.in) {
      v = uint32_t(random());
      if (random() % 2) v = num::bits(kEdges[random() % std::size(kEdges)]);
      if (random() % 4 == 0) v = num::bits(std::ldexp(float(random() % 4096), int(random() % 24) - 4));
    }
    for (size_t k = 0; k < backends.count(); ++k) {
      backends.run(k, &args);
      for (uint32_t i = 0; i < std::size(kLimits); ++i)
        for (uint32_t l = 0; l < kLanes; ++l) {
          const float f = num::from_bits(args.in[l]);
          const uint32_t whole = !(f >= 1.0f) ? 0 : f >= 4294967296.0f ? ~0u : uint32_t(f);
          ASSERT_EQ(args.out[i][l], std::min(whole, kLimits[i])) << backends.name(k) << " of " << f << " to " << kLimits[i];
        }
    }
  }
}

/// What changes nothing is left out, and only that.
TEST(Operations, ClampsZerosAndChoicesAreLeftOut) {
  struct alignas(64) TwoArgs {
    uint32_t x[kLanes], y[kLanes], out[5][kLanes];
  };
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(TwoArgs, x)), y = b.lanes(kArgs, offsetof(TwoArgs, y));
  const Value zero = b.constant(0), one = b.constant(1), half = b.constant(0.5f);
  const Value clamped = b.minimum(b.maximum(x, zero), one), sum = b.add(x, half), square = b.mul(x, x);
  EXPECT_EQ(b.maximum(clamped, zero).id, clamped.id);
  EXPECT_EQ(b.minimum(clamped, one).id, clamped.id);
  EXPECT_NE(b.minimum(clamped, half).id, clamped.id);
  EXPECT_NE(b.maximum(b.minimum(x, one), zero).id, clamped.id);
  EXPECT_EQ(b.add(sum, zero).id, sum.id);
  EXPECT_EQ(b.fma(zero, zero, square).id, square.id);
  EXPECT_EQ(b.fma(zero, zero, x).id, b.add(x, zero).id);
  EXPECT_NE(b.add(b.add(x, y), zero).id, b.add(x, y).id);
  const Mask few = b.lt(x, y), some = b.mask_or(few, b.lt(y, half)), fewer = b.mask_and(few, b.lt(x, half));
  EXPECT_EQ(b.select(fewer, x, b.select(few, x, y)).id, b.select(few, x, y).id);
  EXPECT_EQ(b.select(few, x, b.select(fewer, one, y)).id, b.select(few, x, y).id);
  EXPECT_EQ(b.select(fewer, b.select(few, x, one), y).id, b.select(fewer, x, y).id);
  EXPECT_NE(b.select(some, x, b.select(few, x, y)).id, b.select(few, x, y).id);
  const Variable v = b.variable();
  b.set(v, x);
  const size_t before = b.program().nodes.size();
  b.set(v, x);
  EXPECT_EQ(b.program().nodes.size(), before);
  b.set(v, y);
  b.set(v, x);
  EXPECT_EQ(b.program().nodes.size(), before + 2);

  const Value made[] = {b.minimum(b.maximum(clamped, zero), one), b.add(sum, zero), b.fma(zero, zero, b.fma(y, y, square)),
                        b.fma(zero, b.constant(-2.0f), b.fma(x, y, half)), b.fma(b.negate(zero), one, x)};
  for (uint32_t i = 0; i < std::size(made); ++i) b.store(kArgs, uint32_t(offsetof(TwoArgs, out) + 64 * i), made[i]);
  const Backends backends(b.program());
  std::mt19937 random(4);
  for (uint32_t round = 0; round < 2000; ++round) {
    TwoArgs args;
    for (uint32_t l = 0; l < kLanes; ++l) {
      args.x[l] = word(random), args.y[l] = word(random);
      if (random() % 4 == 0) args.y[l] = args.x[l] ^ uint32_t(random() % 2) << 31;
      if (random() % 8 == 0) args.x[l] = bits(-0.5f) + uint32_t(random() % 3) - 1;
    }
    for (size_t k = 0; k < backends.count(); ++k) {
      backends.run(k, &args);
      for (uint32_t l = 0; l < kLanes; ++l) {
        const float fx = num::flush_denormal(from_bits(args.x[l])), fy = num::flush_denormal(from_bits(args.y[l]));
        const auto fused = [](float p, float q, float r) { return num::fma(p, q, r); };
        const float up = fx > 0 ? fx : 0.0f,
                    want[] = {up < 1 ? up : 1.0f, num::add(num::add(fx, 0.5f), 0.0f), fused(0.0f, 0.0f, fused(fy, fy, num::mul(fx, fx))),
                              fused(0.0f, -2.0f, fused(fx, fy, 0.5f)), fused(-0.0f, 1.0f, fx)};
        for (uint32_t i = 0; i < std::size(want); ++i)
          ASSERT_TRUE(args.out[i][l] == bits(want[i]) || (num::is_nan(from_bits(args.out[i][l])) && num::is_nan(want[i])))
              << backends.name(k) << ", " << i << " of " << std::hex << args.x[l] << ", " << args.y[l] << ": " << args.out[i][l];
      }
    }
  }
}

/// Constant divisors, and numerators around multiples of them: products instead of divisions.
TEST(Operations, DivisionByConstants) {
  std::mt19937 random(7);
  std::vector<uint32_t> divisors;
  for (uint32_t i = 0; i <= 130; ++i) divisors.push_back(i), divisors.push_back(0u - i);
  for (uint32_t i = 7; i < 32; ++i)
    for (const uint32_t d : {(1u << i) - 1, 1u << i, (1u << i) + 1, 0u - (1u << i), 3u << (i - 2)}) divisors.push_back(d);
  for (int i = 0; i < 200; ++i) divisors.push_back(word(random));
  for (const uint32_t d : divisors) {
    Builder b;
    const Value x = b.lanes(kArgs, offsetof(Args, in)), by = b.constant_bits(d);
    b.store(kArgs, offsetof(Args, in) + 64, b.udiv(x, by));
    b.store(kArgs, offsetof(Args, in) + 128, b.idiv(x, by));
    for (const Node& n : b.program().nodes) ASSERT_TRUE(n.op != Op::udiv && n.op != Op::idiv) << d;
    const Backends backends(b.program());
    for (int round = 0; round < 12; ++round) {
      Args args{};
      for (uint32_t& v : args.in[0]) v = random() % 2 ? word(random) : d * (word(random) / std::max(d, 1u)) + random() % 3 - 1;
      for (size_t k = 0; k < backends.count(); ++k) {
        Args got = args;
        backends.run(k, &got);
        for (uint32_t l = 0; l < kLanes; ++l) {
          const uint32_t a = args.in[0][l];
          ASSERT_EQ(models().at(Op::udiv)({a, d, 0, 0}), got.in[1][l]) << backends.name(k) << " " << a << " / " << d;
          ASSERT_EQ(models().at(Op::idiv)({a, d, 0, 0}), got.in[2][l]) << backends.name(k) << " " << int32_t(a) << " / " << int32_t(d);
        }
      }
    }
  }
}

/// What the Builder makes of several operations.
TEST(Operations, ComposedOnes) {
  using Make = Value (*)(Builder&, Value, Value, Value);
  using Want = uint32_t (*)(uint32_t, uint32_t, uint32_t);
  // Bit fields: the first bit and the count from b.
  const auto first = [](Builder& b, Value x) { return b.bit_and(x, b.constant_bits(15)); };
  static const auto first_of = [](uint32_t x) { return x & 15; };
  static const auto count = [](Builder& b, Value x) { return b.umin(b.bit_and(b.shr(x, 4), b.constant_bits(31)), b.constant_bits(17)); };
  static const auto count_of = [](uint32_t x) { return std::min(x >> 4 & 31, 17u); };
  static const auto first_in = first;
  struct Row {
    const char* name;
    Make make;
    Want want;
  };
  const Row rows[] = {
      {"irem", [](Builder& b, Value x, Value y, Value) { return b.irem(x, y); },
       [](uint32_t x, uint32_t y, uint32_t) { return y == 0 ? x : uint32_t(int64_t{int32_t(x)} % int64_t{int32_t(y)}); }},
      {"urem", [](Builder& b, Value x, Value y, Value) { return b.urem(x, y); },
       [](uint32_t x, uint32_t y, uint32_t) { return y == 0 ? x : x % y; }},
      {"find_lsb", [](Builder& b, Value x, Value, Value) { return b.find_lsb(x); },
       [](uint32_t x, uint32_t, uint32_t) { return x ? uint32_t(std::countr_zero(x)) : ~0u; }},
      {"find_msb", [](Builder& b, Value x, Value, Value) { return b.find_msb(x); },
       [](uint32_t x, uint32_t, uint32_t) { return uint32_t(31 - std::countl_zero(x)); }},
      {"find_imsb", [](Builder& b, Value x, Value, Value) { return b.find_imsb(x); },
       [](uint32_t x, uint32_t, uint32_t) {
         for (int i = 31; i >= 0; --i)
           if ((x >> i & 1) != x >> 31) return uint32_t(i);
         return ~0u;
       }},
      {"bit_not", [](Builder& b, Value x, Value, Value) { return b.bit_not(x); }, [](uint32_t x, uint32_t, uint32_t) { return ~x; }},
      {"extract", [](Builder& b, Value x, Value y, Value) { return b.extract(x, first_in(b, y), count(b, y)); },
       [](uint32_t x, uint32_t y, uint32_t) { return uint32_t(uint64_t{x} >> first_of(y) & ((uint64_t{1} << count_of(y)) - 1)); }},
      {"extract_signed", [](Builder& b, Value x, Value y, Value) { return b.extract_signed(x, first_in(b, y), count(b, y)); },
       [](uint32_t x, uint32_t y, uint32_t) {
         const uint32_t n = count_of(y);
         return n ? uint32_t(int32_t(x << (32 - n - first_of(y))) >> (32 - n)) : 0;
       }},
      {"insert", [](Builder& b, Value x, Value y, Value z) { return b.insert(x, z, first_in(b, y), count(b, y)); },
       [](uint32_t x, uint32_t y, uint32_t z) {
         for (uint32_t i = 0; i < count_of(y); ++i) {
           const uint32_t bit = 1u << (first_of(y) + i);
           x = z >> i & 1 ? x | bit : x & ~bit;
         }
         return x;
       }},
      {"multiplied by 8", [](Builder& b, Value x, Value, Value) { return b.imul(b.constant_bits(8), x); },
       [](uint32_t x, uint32_t, uint32_t) { return x * 8; }},
      {"by 16", [](Builder& b, Value x, Value, Value) { return b.udiv(x, b.constant_bits(16)); },
       [](uint32_t x, uint32_t, uint32_t) { return x / 16; }},
      {"shifted by 37", [](Builder& b, Value x, Value, Value) { return b.sar_by(x, b.constant_bits(37)); },
       [](uint32_t x, uint32_t, uint32_t) { return uint32_t(int32_t(x) >> 5); }},
  };
  std::mt19937 random(3);
  for (const auto& row : rows) {
    Builder b;
    const auto in = [&](uint32_t k) { return b.lanes(kArgs, uint32_t(offsetof(Args, in) + 64 * k)); };
    b.store(kArgs, offsetof(Args, out), row.make(b, in(0), in(1), in(2)));
    const Backends backends(b.program());
    for (int round = 0; round < 300; ++round) {
      Args args{};
      for (auto& operand : args.in)
        for (uint32_t& v : operand) v = word(random);
      for (size_t k = 0; k < backends.count(); ++k) {
        Args got = args;
        backends.run(k, &got);
        for (int l = 0; l < kLanes; ++l) {
          const uint32_t x = args.in[0][l], y = args.in[1][l], z = args.in[2][l];
          ASSERT_EQ(row.want(x, y, z), got.out[l])
              << row.name << std::hex << " of " << x << ", " << y << ", " << z << " (" << backends.name(k) << ")";
          Builder constants;  // folded
          const Value folded = row.make(constants, constants.constant_bits(x), constants.constant_bits(y), constants.constant_bits(z));
          ASSERT_TRUE(constants.is_constant(folded, row.want(x, y, z))) << row.name;
        }
      }
    }
  }
}

TEST(Operations, LanesMove) {
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(Args, in)), lane = b.lanes(kArgs, offsetof(Args, in) + 64);
  // The operand as memory, as something computed, and as a constant table.
  std::array<uint32_t, kLanes> squares;
  for (uint32_t l = 0; l < kLanes; ++l) squares[l] = l * l;
  const Value moved = b.isub(b.permute(x, lane), b.permute(b.iadd(x, lane), lane));
  b.store(kArgs, offsetof(Args, out), moved);
  b.store(kArgs, offsetof(Args, in) + 128, b.permute(b.table(squares), b.permute(lane, lane)));
  const Backends backends(b.program());
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    Args args{};
    for (auto& operand : args.in)
      for (uint32_t& v : operand) v = uint32_t(random());
    const auto& in = args.in;
    for (size_t k = 0; k < backends.count(); ++k) {
      Args got = args;
      backends.run(k, &got);
      for (int l = 0; l < kLanes; ++l) {
        ASSERT_EQ(0u - in[1][in[1][l] % 16], got.out[l]) << backends.name(k) << " lane " << l;
        ASSERT_EQ(squares[in[1][in[1][l] % 16] % 16], got.in[2][l]) << backends.name(k) << " lane " << l;
      }
    }
  }
}

/// Within quads: zips, their reverse, and bytes.
TEST(Operations, QuadsAreShuffled) {
  std::array<uint8_t, 16> from = {3, 128, 7, 255, 0, 1, 2, 3, 15, 14, 13, 12, 8, 200, 4, 9};
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(Args, in)), y = b.iadd(b.lanes(kArgs, offsetof(Args, in) + 64), b.constant_bits(1));
  const Value made[] = {b.zip_low(x, y), b.zip_high(x, y), b.unzip_even(x, y), b.unzip_odd(x, y), b.shuffle_bytes(y, from)};
  // One after the other, so that nothing but its place differs.
  for (size_t which = 0; which < std::size(made); ++which) {
    Builder one = b;
    one.store(kArgs, offsetof(Args, out), made[which]);
    const Backends backends(one.program());
    std::mt19937 random(uint32_t(7 + which));
    for (int round = 0; round < 50; ++round) {
      Args args{};
      for (auto& operand : args.in)
        for (uint32_t& v : operand) v = uint32_t(random());
      for (size_t k = 0; k < backends.count(); ++k) {
        Args got = args;
        backends.run(k, &got);
        for (uint32_t l = 0; l < kLanes; ++l) {
          const uint32_t* const p = &args.in[0][l & ~3u];
          const auto q = [&](uint32_t n) { return args.in[1][(l & ~3u) + n] + 1; };
          const uint32_t n = l % 4;
          uint32_t want = 0;
          switch (which) {
            case 0: want = n % 2 ? q(n / 2) : p[n / 2]; break;
            case 1: want = n % 2 ? q(2 + n / 2) : p[2 + n / 2]; break;
            case 2: want = n < 2 ? p[2 * n] : q(2 * n - 4); break;
            case 3: want = n < 2 ? p[2 * n + 1] : q(2 * n - 3); break;
            default:
              for (uint32_t byte = 0; byte < 4; ++byte)
                if (const uint32_t s = from[4 * n + byte]; s < 128) want |= (q(s / 4) >> 8 * (s % 4) & 255) << 8 * byte;
          }
          ASSERT_EQ(want, got.out[l]) << backends.name(k) << " lane " << l << ", operation " << which;
        }
      }
    }
  }
}

TEST(Operations, TablesAreLookedUp) {
  std::array<uint32_t, 256> entries;
  for (uint32_t n = 0; n < entries.size(); ++n) entries[n] = 0x9E3779B9u * (n + 1);
  Builder b;
  const Value x = b.lanes(kArgs, offsetof(Args, in));
  // All sizes at once, so that registers are short.
  std::array<Value, 5> found;
  for (uint32_t n = 0; n < found.size(); ++n) found[n] = b.look_up(entries.data(), 4 + n, b.iadd(x, b.constant_bits(n)));
  Value sum = found[0];
  for (uint32_t n = 1; n < found.size(); ++n) sum = b.iadd(b.shl(sum, 1), found[n]);
  b.store(kArgs, offsetof(Args, out), sum);
  EXPECT_TRUE(b.is_constant(b.look_up(entries.data(), 5, b.constant_bits(33)), entries[1]));
  const Backends backends(b.program());
  std::mt19937 random(6);
  for (int round = 0; round < 200; ++round) {
    Args args{};
    for (uint32_t& v : args.in[0]) v = uint32_t(random());
    for (size_t k = 0; k < backends.count(); ++k) {
      Args got = args;
      backends.run(k, &got);
      for (int l = 0; l < kLanes; ++l) {
        uint32_t want = 0;
        for (uint32_t n = 0; n < found.size(); ++n) want = want * 2 + entries[(args.in[0][l] + n) % (16u << n)];
        ASSERT_EQ(want, got.out[l]) << backends.name(k) << " lane " << l;
      }
    }
  }
}

/// One to five neighbouring dwords, of all lanes and of some: places of the others are never touched.
TEST(Operations, NeighbouringDwordsAreGathered) {
  std::array<uint32_t, 64> memory;
  for (uint32_t n = 0; n < memory.size(); ++n) memory[n] = 0x9E3779B9u * (n + 1);
  for (uint32_t count = 1; count <= 5; ++count)
    for (const bool masked : {false, true}) {
      Builder b;
      const Value at = b.lanes(kArgs, offsetof(Args, in)), chosen = b.lanes(kArgs, offsetof(Args, in) + 64);
      const Mask m = masked ? b.ine(chosen, b.constant_bits(0)) : b.mask_constant(0xFFFF);
      Value sum = b.constant_bits(0);
      for (uint32_t n = 0; n < count; ++n) sum = b.iadd(b.imul(sum, b.constant_bits(3)), b.gather(b.address(memory.data()), at, m, 4 * n));
      b.store(kArgs, offsetof(Args, out), sum);
      const Backends backends(b.program());
      std::mt19937 random(count);
      for (int round = 0; round < 50; ++round) {
        Args args{};
        for (int l = 0; l < kLanes; ++l) {
          args.in[1][l] = random() % 2;
          args.in[0][l] = masked && !args.in[1][l] ? 0x70000000u : 4 * uint32_t(random() % (memory.size() - count));
        }
        for (size_t k = 0; k < backends.count(); ++k) {
          Args got = args;
          backends.run(k, &got);
          for (int l = 0; l < kLanes; ++l) {
            uint32_t want = 0;
            for (uint32_t n = 0; n < count && (!masked || args.in[1][l]); ++n) want = want * 3 + memory[args.in[0][l] / 4 + n];
            ASSERT_EQ(want, got.out[l]) << backends.name(k) << " lane " << l << ", " << count << " dwords";
          }
        }
      }
    }
}

/// Rows of texels side by side in all lanes, in some, in none; few of them, and so many that their loads are code of their own.
TEST(Operations, TexelsOfARowAreGathered) {
  std::array<uint32_t, 256> memory;
  for (uint32_t n = 0; n < memory.size(); ++n) memory[n] = 0x9E3779B9u * (n + 1);
  for (const uint32_t dwords : {1u, 2u})
    for (const uint32_t rows : {1u, 20u}) {
      Builder b;
      const Value first = b.lanes(kArgs, offsetof(Args, in)), second = b.lanes(kArgs, offsetof(Args, in) + 64);
      Value sum = b.constant_bits(0);
      for (uint32_t n = 0; n < rows; ++n) {
        const Value more = b.constant_bits(16 * n);
        const auto row = b.gather_row(b.address(memory.data()), b.iadd(first, more), b.iadd(second, more), dwords, n % 2);
        for (uint32_t k = 0; k < 2 * dwords; ++k) sum = b.iadd(b.imul(sum, b.constant_bits(3)), row[k]);
      }
      b.store(kArgs, offsetof(Args, out), sum);
      const Backends backends(b.program());
      std::mt19937 random(dwords);
      for (uint32_t round = 0; round < 60; ++round) {
        Args args{};
        for (int l = 0; l < kLanes; ++l) {
          args.in[0][l] = 4 * uint32_t(random() % 160);
          const bool beside = round % 3 == 0 || (round % 3 == 1 && random() % 8);
          args.in[1][l] = beside ? args.in[0][l] + 4 * dwords : 4 * uint32_t(random() % 160);
        }
        for (size_t k = 0; k < backends.count(); ++k) {
          Args got = args;
          backends.run(k, &got);
          for (int l = 0; l < kLanes; ++l) {
            uint32_t want = 0;
            for (uint32_t n = 0; n < rows; ++n)
              for (uint32_t d = 0; d < 2 * dwords; ++d) want = want * 3 + memory[args.in[d / dwords][l] / 4 + 4 * n + d % dwords];
            ASSERT_EQ(want, got.out[l]) << backends.name(k) << " lane " << l << ", " << dwords << " dwords, " << rows << " rows, round "
                                        << round;
          }
        }
      }
    }
}

/// What is known of values is true, and what is left out for it: signs of conversions, masks, limits of shifts.
TEST(Operations, BoundsHold) {
  const FuzzRange range = fuzz_range(400);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    Builder b;
    Args args{};
    for (auto& row : args.in)
      for (uint32_t& v : row) v = uint32_t(random()) >> below(32);
    struct Known {
      Value value;
      std::array<uint32_t, kLanes> lanes;
    };
    std::vector<Known> made;
    for (uint32_t n = 0; n < 2; ++n) {
      made.push_back({b.lanes(kArgs, uint32_t(offsetof(Args, in) + 64 * n)), {}});
      std::copy_n(args.in[n], kLanes, made.back().lanes.begin());
    }
    const auto add = [&](Value v, auto of) {
      Known m{v, {}};
      for (uint32_t l = 0; l < kLanes; ++l) m.lanes[l] = of(l);
      made.push_back(m);
    };
    for (uint32_t n = 0; n < 30; ++n) {
      const Known x = made[below(uint32_t(made.size()))], y = made[below(uint32_t(made.size()))];
      const uint32_t by = below(32), number = uint32_t(random()) >> below(32);
      const auto of = [&](auto f) { return [&, f](uint32_t l) { return f(x.lanes[l], y.lanes[l]); }; };
      switch (below(13)) {
        case 0: add(b.constant_bits(number), [&](uint32_t) { return number; }); break;
        case 1: add(b.shr(x.value, by), of([&](uint32_t a, uint32_t) { return a >> by; })); break;
        case 2: add(b.shl(x.value, by), of([&](uint32_t a, uint32_t) { return a << by; })); break;
        case 3: add(b.bit_and(x.value, b.constant_bits(number)), of([&](uint32_t a, uint32_t) { return a & number; })); break;
        case 4: add(b.bit_or(x.value, y.value), of([](uint32_t a, uint32_t c) { return a | c; })); break;
        case 5: add(b.bit_xor(x.value, y.value), of([](uint32_t a, uint32_t c) { return a ^ c; })); break;
        case 6: add(b.iadd(x.value, y.value), of([](uint32_t a, uint32_t c) { return a + c; })); break;
        case 7: add(b.umin(x.value, b.constant_bits(number)), of([&](uint32_t a, uint32_t) { return std::min(a, number); })); break;
        case 8: add(b.umax(x.value, y.value), of([](uint32_t a, uint32_t c) { return std::max(a, c); })); break;
        case 9: add(b.select(b.ult(x.value, y.value), x.value, y.value), of([](uint32_t a, uint32_t c) { return a < c ? a : c; })); break;
        case 10: add(b.popcount(x.value), of([](uint32_t a, uint32_t) { return uint32_t(std::popcount(a)); })); break;
        case 11: add(b.shr_by(x.value, y.value), of([](uint32_t a, uint32_t c) { return a >> (c & 31); })); break;
        case 12: add(b.uint_to_float(x.value), of([](uint32_t a, uint32_t) { return bits(float(a)); })); break;
      }
    }
    Value sum = b.constant_bits(0);
    std::array<uint32_t, kLanes> want{};
    for (const Known& m : made) {
      sum = b.iadd(b.imul(sum, b.constant_bits(3)), m.value);
      const uint32_t most = most_of(b.program(), m.value.id);
      for (uint32_t l = 0; l < kLanes; ++l) {
        want[l] = want[l] * 3 + m.lanes[l];
        ASSERT_LE(m.lanes[l], most) << "node " << m.value.id << "\n" << print(b.program()) << rerun(seed);
      }
    }
    b.store(kArgs, offsetof(Args, out), sum);
    const Backends backends(b.program());
    for (size_t k = 0; k < backends.count(); ++k) {
      Args got = args;
      backends.run(k, &got);
      for (uint32_t l = 0; l < kLanes; ++l)
        ASSERT_EQ(got.out[l], want[l]) << backends.name(k) << " lane " << l << "\n" << print(b.program()) << rerun(seed);
    }
  }
}

}  // namespace
}  // namespace pumice::hw::fast::lane
