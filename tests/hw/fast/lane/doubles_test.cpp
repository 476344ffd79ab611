// SPDX-License-Identifier: MIT
/// Operations on numbers of binary64 on every back end, between operations that flush denormals.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "tests/hw/fast/lane/backends.h"

namespace pumice::hw::fast::lane {
namespace {

struct alignas(64) Args {
  uint64_t in[3][kLanes / 2];  ///< rows of two lanes each
  float small[kLanes];
  uint64_t out[kLanes / 2];
  float product[2][kLanes];
};

/// With all kinds of numbers, often two alike.
uint64_t some(std::mt19937_64& random) {
  static constexpr uint64_t kSpecial[] = {0,
                                          0x8000000000000000u,
                                          1,                    // the least denormal
                                          0x000FFFFFFFFFFFFFu,  // the largest
                                          0x0010000000000000u,
                                          0x3FF0000000000000u,
                                          0xBFE0000000000000u,
                                          0x4004000000000000u,  // 2.5
                                          0x400C000000000000u,  // 3.5
                                          0x7FEFFFFFFFFFFFFFu,
                                          0x7FF0000000000000u,
                                          0xFFF0000000000000u,
                                          0x7FF8000000000000u,
                                          0xFFF8000000000001u,
                                          0x7FF0000000000001u};
  switch (random() % 3) {
    case 0: return kSpecial[random() % std::size(kSpecial)];
    case 1: return std::bit_cast<uint64_t>(double(int64_t(random())) * 0x1p-60);
    default: return random();
  }
}

using Of = Value (Builder::*)(Value, Value, Value);
struct Case {
  const char* name;
  Of of;
  std::function<uint64_t(double, double, double)> want;
  uint32_t operands = 2;
  bool truth = false;
};
uint64_t number(double x) { return std::isnan(x) ? 0x7FF8000000000000u : std::bit_cast<uint64_t>(x); }
uint64_t truth(bool x) { return x ? ~uint64_t{0} : 0; }

const Case kCases[] = {
    {"dadd", &Builder::dadd, [](double x, double y, double) { return number(x + y); }},
    {"dmul", &Builder::dmul, [](double x, double y, double) { return number(x * y); }},
    {"ddiv", &Builder::ddiv, [](double x, double y, double) { return number(x / y); }},
    {"dfma", &Builder::dfma, [](double x, double y, double z) { return number(std::fma(x, y, z)); }, 3},
    {"dsqrt", &Builder::dsqrt, [](double x, double, double) { return number(std::sqrt(x)); }, 1},
    {"dmin", &Builder::dmin, [](double x, double y, double) { return number(std::isnan(x)            ? y
                                                                            : std::isnan(y) || x < y ? x
                                                                                                     : y); }},
    {"dmax", &Builder::dmax, [](double x, double y, double) { return number(std::isnan(x)            ? y
                                                                            : std::isnan(y) || x > y ? x
                                                                                                     : y); }},
    {"dfloor", &Builder::dfloor, [](double x, double, double) { return number(std::floor(x)); }, 1},
    {"dceil", &Builder::dceil, [](double x, double, double) { return number(std::ceil(x)); }, 1},
    {"dtrunc", &Builder::dtrunc, [](double x, double, double) { return number(std::trunc(x)); }, 1},
    {"dround_even", &Builder::dround_even, [](double x, double, double) { return number(std::nearbyint(x)); }, 1},
    {"dlt", &Builder::dlt, [](double x, double y, double) { return truth(x < y); }, 2, true},
    {"dge", &Builder::dge, [](double x, double y, double) { return truth(x >= y); }, 2, true},
    {"deq", &Builder::deq, [](double x, double y, double) { return truth(x == y); }, 2, true},
};

/// 2^-100 * 2^-30 is a denormal float: zero in front of and behind an operation whose own denormals stay.
Program program_of(const Case& c) {
  Builder b;
  const auto in = [&](uint32_t n) { return n < c.operands ? b.lanes(kArgs, uint32_t(offsetof(Args, in) + n * sizeof(Lanes))) : Value{}; };
  const Value small = b.lanes(kArgs, offsetof(Args, small));
  b.store(kArgs, offsetof(Args, product), b.mul(small, b.constant(0x1p-30f)));
  const Value v = (b.*c.of)(in(0), in(1), in(2));
  b.store(kArgs, offsetof(Args, out), c.truth ? v : b.dnumber(v));
  b.store(kArgs, offsetof(Args, product) + sizeof(Lanes), b.mul(small, b.constant(0x1p-31f)));
  return b.program();
}

TEST(Doubles, OperationsKeepDenormals) {
  std::mt19937_64 random(3);
  for (const Case& c : kCases) {
    const Backends backends(program_of(c));
    for (int round = 0; round < 200; ++round) {
      Args args{};
      for (auto& row : args.in)
        for (uint64_t& v : row) v = some(random);
      for (float& v : args.small) v = 0x1p-100f;
      for (size_t k = 0; k < backends.count(); ++k) {
        Args got = args;
        backends.run(k, &got);
        for (size_t i = 0; i < kLanes / 2; ++i) {
          const auto x = [&](size_t n) { return std::bit_cast<double>(args.in[n][i]); };
          ASSERT_EQ(c.want(x(0), x(1), x(2)), got.out[i])
              << backends.name(k) << " " << c.name << std::hex << " of " << args.in[0][i] << " " << args.in[1][i] << " " << args.in[2][i];
        }
        for (const auto& row : got.product)
          for (const float v : row) ASSERT_EQ(std::bit_cast<uint32_t>(v), 0u) << backends.name(k) << " " << c.name;
      }
    }
  }
}

TEST(Doubles, ConversionsFlushDenormalFloats) {
  Builder b;
  const Value f = b.lanes(kArgs, offsetof(Args, small)), low = b.widen_low(f), high = b.widen_high(f);
  const Value tiny = b.zip_low(b.constant_bits(0), b.constant_bits(0x38000000u));  // 2^-127
  b.store(kArgs, offsetof(Args, in), b.dnumber(low));
  b.store(kArgs, offsetof(Args, in) + 64, b.dnumber(high));
  b.store(kArgs, offsetof(Args, out), b.narrow(b.dmul(low, tiny), b.dmul(high, tiny)));
  const Backends backends(b.program());
  std::mt19937 random(5);
  const float kSome[] = {0.0f, -0.0f, 1.0f, -1.5f, 2.0f, -1.99999988f, 0x1p-140f, -0x1p-127f, 1e30f, INFINITY, NAN, 1.99999994f};
  for (int round = 0; round < 100; ++round) {
    Args args{};
    for (float& v : args.small) v = random() % 2 ? kSome[random() % std::size(kSome)] : std::bit_cast<float>(uint32_t(random()));
    for (size_t k = 0; k < backends.count(); ++k) {
      Args got = args;
      backends.run(k, &got);
      for (size_t l = 0; l < kLanes; ++l) {
        float v = args.small[l];
        if (std::fpclassify(v) == FP_SUBNORMAL) v = std::copysign(0.0f, v);
        const size_t quad = l / 4, in_quad = l % 4;
        ASSERT_EQ(number(double(v)), got.in[in_quad / 2][quad * 2 + in_quad % 2]) << backends.name(k) << " lane " << l;
        // v * 2^-127, below 2^-126 when rounded as if there were no least exponent: zero.
        const double product = double(v) * 0x1p-127;
        float want = float(product);
        if (std::fabs(float(product * 0x1p60)) < 0x1p-66f) want = std::copysign(0.0f, want);
        uint32_t out = 0;
        std::memcpy(&out, reinterpret_cast<const char*>(got.out) + 4 * l, 4);
        if (std::isnan(want))
          ASSERT_TRUE(std::isnan(std::bit_cast<float>(out))) << backends.name(k);
        else
          ASSERT_EQ(std::bit_cast<uint32_t>(want), out) << backends.name(k) << " lane " << l << " of " << v;
      }
    }
  }
}

/// What one operation makes for the next is not taken apart.
TEST(Doubles, NumbersStayTogether) {
  Builder b;
  const auto in = [&](uint32_t n) { return b.lanes(kArgs, uint32_t(offsetof(Args, in) + n * sizeof(Lanes))); };
  Value lower = in(0), upper = in(1);
  for (int i = 0; i < 5; ++i) {
    const Value low = b.dnumber(b.dmul(b.zip_low(lower, upper), in(2))), high = b.dnumber(b.dmul(b.zip_high(lower, upper), in(2)));
    lower = b.unzip_even(low, high), upper = b.unzip_odd(low, high);
  }
  b.store(kArgs, offsetof(Args, out), lower);
  remove_dead(b.program());
  std::map<Op, int> count;
  for (const Node& n : b.program().nodes) ++count[n.op];
  EXPECT_EQ(count[Op::dmul], 10);
  EXPECT_EQ(count[Op::zip_low], 1);
  EXPECT_EQ(count[Op::zip_high], 1);
  EXPECT_EQ(count[Op::dnumber], 2);
  EXPECT_EQ(count[Op::unzip_even], 1);
  EXPECT_EQ(count[Op::unzip_odd], 0);
}

/// What a loop carries is not taken apart in each round.
struct Carried {
  Builder b;
  Variable lower = b.variable(), upper = b.variable();
  Value number(uint32_t n) { return b.lanes(kArgs, uint32_t(offsetof(Args, in) + n * sizeof(Lanes))); }
  template <class Body>
  void loop(Body body) {
    b.set(lower, number(0)), b.set(upper, number(1));
    const Scalar left = b.scalar();
    b.set(left, 5);
    const Label again = b.make_label();
    b.place(again);
    body();
    b.add_to(left, -1);
    b.jump_nonzero(left, again);
  }
  /// One round: the number times that of in[2].
  void multiply() {
    const Value l = b.get(lower), u = b.get(upper);
    const Value low = b.dnumber(b.dmul(b.zip_low(l, u), number(2))), high = b.dnumber(b.dmul(b.zip_high(l, u), number(2)));
    b.set(lower, b.unzip_even(low, high)), b.set(upper, b.unzip_odd(low, high));
  }
  std::map<Op, int> paired(bool want) {
    remove_dead(b.program());
    EXPECT_EQ(pair_variables(b.program()), want);
    remove_dead(b.program());
    EXPECT_EQ(validate(b.program()), "");
    std::map<Op, int> count;
    for (const Node& n : b.program().nodes) ++count[n.op];
    return count;
  }
};

TEST(Doubles, VariablesHoldNumbers) {
  Carried c;
  c.loop([&] { c.multiply(); });
  const Value l = c.b.get(c.lower), u = c.b.get(c.upper);
  c.b.store(kArgs, offsetof(Args, product), c.b.narrow(c.b.zip_low(l, u), c.b.zip_high(l, u)));
  std::map<Op, int> count = c.paired(true);
  EXPECT_EQ(count[Op::zip_low], 1);  // in front of the loop
  EXPECT_EQ(count[Op::unzip_even], 0);
  EXPECT_EQ(count[Op::dnumber], 0);
  EXPECT_EQ(count[Op::set], 4);
}

/// Words that are seen have the NaN that operations return.
TEST(Doubles, WordsOfNumbersInVariables) {
  Carried c;
  c.loop([&] { c.multiply(); });
  const Value l = c.b.get(c.lower);
  c.b.store(kArgs, offsetof(Args, product), l);
  std::map<Op, int> count = c.paired(true);
  EXPECT_EQ(count[Op::unzip_even], 1);
  EXPECT_EQ(count[Op::dnumber], 2);
}

/// The words of a pair that changed in between are not one number.
TEST(Doubles, WordsSetAloneAreNoNumbers) {
  Carried c;
  c.loop([&] {
    c.multiply();
    c.b.set(c.lower, c.b.iadd(c.b.get(c.lower), c.b.constant_bits(1)));
  });
  c.paired(false);
}

}  // namespace
}  // namespace pumice::hw::fast::lane
