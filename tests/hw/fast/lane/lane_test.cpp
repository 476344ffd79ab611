// SPDX-License-Identifier: MIT
/// Random lane programs on every back end, bit for bit (any NaN equals any NaN), and operations at their edges.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "hw/common/numerics/arithmetic.h"
#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/kernels.h"
#include "hw/common/numerics/transcendental.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/fast/lane/backends.h"
#include "tests/hw/fast/lane/random_program.h"

namespace pumice::hw::fast::lane {
namespace {

std::vector<Cpu> native() {
  std::vector<Cpu> r = cpus();
  std::erase(r, Cpu::portable);
  return r;
}

bool same(const Lanes& a, const Lanes& b, int lane) {
  return num::bits(a.v[lane]) == num::bits(b.v[lane]) || (num::is_nan(a.v[lane]) && num::is_nan(b.v[lane]));
}

void check(uint32_t seed, bool show, Program program) {
  ASSERT_EQ(validate(program), "") << rerun(seed);
  remove_dead(program);
  ASSERT_EQ(validate(program), "") << rerun(seed);
  if (show) std::fputs(print(program).c_str(), stderr);
  std::mt19937 random(seed + 77);
  float constants[64];
  for (float& c : constants) c = random() % 3 ? num::from_bits(0x3F000000u + random() % 0x2000000u) : num::from_bits(random());
  Args start;
  for (Lanes& l : start.in)
    for (float& v : l.v) v = random() % 4 ? float(int32_t(random() % 4000) - 2000) / 128.0f : num::from_bits(random());
  for (float& v : start.uniform) v = num::from_bits(random());
  start.mask_in = random();
  start.constants = constants;
  start.budget = 500;
  for (int32_t& c : start.counts) c = int32_t(random());
  start.function = doubled;
  for (Lanes& l : start.out) l = {};
  for (Lanes& l : start.shared) l = {};
  alignas(64) std::array<uint32_t, 64> memory_start, memory_want;
  for (uint32_t& w : memory_start) w = random() % 2 ? uint32_t(random()) : uint32_t(random() % 8);
  const auto run = [&](const Backends& backends, size_t k, Args& args, auto& memory) {
    args = start, memory = memory_start;
    args.self = &start;
    args.view = {memory.data(), uint32_t(sizeof memory) - seed % 7};
    backends.run(k, &args);
  };
  Args want, got;
  run(Backends(program), 0, want, memory_want);
  if (pair_variables(program)) {
    ASSERT_EQ(validate(program), "") << rerun(seed);
    remove_dead(program);
  }
  for (int32_t label = 0; label < program.labels; ++label) hoist(program, {label});
  ASSERT_EQ(validate(program), "") << rerun(seed);
  const Backends backends(program);
  for (size_t k = 0; k < backends.count(); ++k) {
    alignas(64) std::array<uint32_t, 64> memory;
    run(backends, k, got, memory);
    for (int o = 0; o < 24; ++o)
      for (int l = 0; l < kLanes; ++l)
        ASSERT_TRUE(same(want.out[o], got.out[o], l))
            << backends.name(k) << " output " << o << " lane " << l << std::hex << ": " << num::bits(got.out[o].v[l]) << ", not "
            << num::bits(want.out[o].v[l]) << rerun(seed);
    for (int m = 0; m < 4; ++m) ASSERT_EQ(want.masks_out[m], got.masks_out[m]) << backends.name(k) << rerun(seed);
    ASSERT_EQ(want.budget, got.budget) << backends.name(k) << rerun(seed);
    ASSERT_EQ(want.counts[3], got.counts[3]);
    ASSERT_EQ(memory_want, memory) << backends.name(k) << rerun(seed);
  }
}

TEST(Lane, CrowdedProgramsNativeLikeInterpreted) {
  const FuzzRange range = fuzz_range(200);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    check(seed, range.one(), crowded(seed));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Lane, RandomProgramsNativeLikeInterpreted) {
  const FuzzRange range = fuzz_range(3000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    check(seed, range.one(), Maker(seed).make());
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// On a processor that lacks an instruction set its code cannot run, but has to be made: an operand that an instruction does not have is
/// an error of the assembler.
TEST(Lane, RandomProgramsAreAssembledForEveryInstructionSet) {
  const FuzzRange range = fuzz_range(1000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    Program program = Maker(seed).make();
    remove_dead(program);
    for (const Cpu cpu : {Cpu::avx512, Cpu::avx2})
      for (const CpuExtras extras : {CpuExtras{}, CpuExtras{true, true, true}})
        ASSERT_NE(assemble(program, cpu, "random", {}, extras), nullptr) << rerun(seed);
  }
}

/// Each kernel of hw/common/numerics, as a lane program, against the scalar function.
TEST(Lane, KernelsLikeTheScalarFunctions) {
  using Model = float (*)(float);
  using Make = Value (*)(Builder&, Value);
  const struct {
    const char* name;
    Model model;
    Make make;
  } rows[] = {
      {"rcp", num::rcp, [](Builder& b, Value x) { return num::rcp_kernel(b, x); }},
      {"rsq", num::rsq, [](Builder& b, Value x) { return num::rsq_kernel(b, x); }},
      {"exp2", num::exp2f_, [](Builder& b, Value x) { return num::exp2_kernel(b, x); }},
      {"exp", num::expf_, [](Builder& b, Value x) { return num::exp_kernel(b, x); }},
      {"log2", num::log2f_, [](Builder& b, Value x) { return num::log2_kernel(b, x); }},
      {"sin", num::sin_cycles, [](Builder& b, Value x) { return num::sin_cycles_kernel(b, x); }},
      {"cos", num::cos_cycles, [](Builder& b, Value x) { return num::cos_cycles_kernel(b, x); }},
      {"sin radians", num::sin_radians, [](Builder& b, Value x) { return num::sin_radians_kernel(b, x); }},
      {"cos radians", num::cos_radians, [](Builder& b, Value x) { return num::cos_radians_kernel(b, x); }},
  };
  for (const auto& row : rows) {
    Builder b;
    b.store(kArgs, offsetof(Args, out), row.make(b, b.lanes(kArgs, offsetof(Args, in))));
    std::vector<std::shared_ptr<const Code>> codes;
    for (const Cpu cpu : native()) codes.push_back(assemble(b.program(), cpu, row.name));
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
      Args args;
      for (float& v : args.in[0].v) {
        const uint32_t r = random();
        v = r % 4 == 0 ? num::from_bits(random()) : num::from_bits((r & 0x807FFFFFu) | (0x70u + random() % 32) << 23);
        if (r % 64 == 1) v = std::ldexp(1.0f + float(r >> 31) * 0x1p-23f, int(r >> 8 & 255) - 128);
        if (r % 64 == 2) v = float(int32_t(r) >> 20) * 0.25f;
      }
      for (size_t c = 0; c <= codes.size(); ++c) {
        if (c == codes.size() && i > 500) continue;
        {
          const FlushDenormals flush;
          if (c < codes.size())
            codes[c]->function()(&args);
          else
            interpret(b.program(), &args);
        }
        for (int l = 0; l < kLanes; ++l) {
          const float want = row.model(args.in[0].v[l]), got = args.out[0].v[l];
          ASSERT_TRUE(num::bits(want) == num::bits(got) || (num::is_nan(want) && num::is_nan(got)))
              << row.name << " of " << std::hexfloat << args.in[0].v[l] << ": " << got << ", not " << want << " code " << c;
        }
      }
    }
  }
}

/// Operations on what processors disagree about (denormals, results that round up to the smallest normal float, conversions out of range,
/// zeros' signs), against the Builder's constant folding, that is hw/common/numerics.
TEST(Lane, OperationsAtTheEdges) {
  using Make = Value (*)(Builder&, Value, Value);
  const struct {
    const char* name;
    Make make;
  } rows[] = {
      {"add", [](Builder& b, Value x, Value y) { return b.add(x, y); }},
      {"sub", [](Builder& b, Value x, Value y) { return b.sub(x, y); }},
      {"mul", [](Builder& b, Value x, Value y) { return b.mul(x, y); }},
      {"div", [](Builder& b, Value x, Value y) { return b.div(x, y); }},
      {"min", [](Builder& b, Value x, Value y) { return b.minimum(x, y); }},
      {"max", [](Builder& b, Value x, Value y) { return b.maximum(x, y); }},
      {"sqrt", [](Builder& b, Value x, Value) { return b.sqrt(x); }},
      {"floor", [](Builder& b, Value x, Value) { return b.floor(x); }},
      {"round_even", [](Builder& b, Value x, Value) { return b.round_even(x); }},
      {"to_int", [](Builder& b, Value x, Value) { return b.to_int(x); }},
      {"to_float", [](Builder& b, Value x, Value) { return b.to_float(x); }},
      {"sar", [](Builder& b, Value x, Value) { return b.sar(x, 31); }},
      {"shr", [](Builder& b, Value x, Value) { return b.shr(x, 9); }},
  };
  std::vector<float> edges;
  for (const uint32_t magnitude :
       {0u,          1u,          0x400000u,   0x7FFFFFu,   0x800000u,   0x800001u,   0xFFFFFFu,   0x1000000u,  0x1FFFFFFFu, 0x20000000u,
        0x20000001u, 0x1FFFFFFEu, 0x3EFFFFFFu, 0x3F000000u, 0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x3FC00000u, 0x40200000u, 0x4AFFFFFFu,
        0x4B000000u, 0x4B000001u, 0x4EFFFFFFu, 0x4F000000u, 0x4F000001u, 0x5F000000u, 0x7F000000u, 0x7F7FFFFFu, 0x7F800000u, 0x7FC00000u})
    for (const uint32_t sign : {0u, 0x80000000u}) edges.push_back(num::from_bits(magnitude | sign));
  uint32_t compared = 0;
  for (const auto& row : rows) {
    Builder b;
    const Value x = b.lanes(kArgs, offsetof(Args, in)), y = b.lanes(kArgs, offsetof(Args, in) + 64);
    b.store(kArgs, offsetof(Args, out), row.make(b, x, y));
    const Interpreter interpreter(b.program());
    std::vector<std::shared_ptr<const Code>> codes;
    for (const Cpu cpu : native()) codes.push_back(assemble(b.program(), cpu, row.name));
    for (size_t first = 0; first < edges.size() * edges.size(); first += kLanes) {
      Args args;
      for (size_t l = 0; l < kLanes; ++l) {
        const size_t k = std::min(first + l, edges.size() * edges.size() - 1);
        args.in[0].v[l] = edges[k / edges.size()], args.in[1].v[l] = edges[k % edges.size()];
      }
      for (size_t c = 0; c <= codes.size(); ++c) {
        {
          const FlushDenormals flush;
          if (c < codes.size())
            codes[c]->function()(&args);
          else
            interpreter.run(&args);
        }
        for (int l = 0; l < kLanes; ++l) {
          Builder scalar;
          const Node want = scalar.node(row.make(scalar, scalar.constant(args.in[0].v[l]), scalar.constant(args.in[1].v[l])));
          ASSERT_EQ(want.op, Op::constant) << row.name;
          const float got = args.out[0].v[l];
          ASSERT_TRUE(want.imm == num::bits(got) || (num::is_nan(num::from_bits(want.imm)) && num::is_nan(got)))
              << row.name << std::hexfloat << " of " << args.in[0].v[l] << " and " << args.in[1].v[l] << ": " << got << ", not " << std::hex
              << want.imm << " code " << c;
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 13u * 3600u);
}

/// Operands whose sum is hard to round: within a hair of half-way between floats, or of the smallest normal one.
void hard_sum(std::mt19937& random, float& a, float& b, float& c) {
  const auto pick = [&](int least, int most) { return least + int(random() % uint32_t(most - least + 1)); };
  const int exponent = random() % 4 ? pick(-126, 127) : pick(-126, -120);  // of c
  c = std::ldexp(random() % 4 ? 1.0f + float(random() & 0x7FFFFFu) * 0x1p-23f : 1.0f, exponent);
  // The product: half a unit of c (of the binade below too), less a hair, exact, or more.
  const float hair = float(random() % 4 ? 1u << random() % 12 : random() & 0xFFFu) * 0x1p-23f;
  const int to_go = exponent - pick(22, 27), part = pick(std::max(-126, to_go - 100), std::min(127, to_go + 126));
  switch (random() % 4) {
    case 0: a = 1.0f + hair, b = 1.0f - hair; break;
    case 1: a = b = 1.0f; break;
    case 2: a = b = 1.0f + hair; break;
    default: a = 1.0f + float(random() & 0x7FFFFFu) * 0x1p-23f, b = 1.0f + float(random() & 0x7FFFFFu) * 0x1p-23f; break;
  }
  a = std::ldexp(a, part), b = std::ldexp(b, to_go - part);
  if (random() % 8 == 0) c = random() % 2 ? 0.0f : num::from_bits(random());
  if (random() % 2) a = -a;
  if (random() % 2) c = -c;
  if (random() % 64 == 0) (random() % 2 ? a : random() % 2 ? b : c) = num::from_bits(random() % 2 ? random() : random() & 0x80FFFFFFu);
  if (random() % 2) std::swap(a, b);
}

/// Every form of fma, interpreted and native, against num::fma (std::fma and the rule for tiny results): hard and random operands.
TEST(Lane, FusedLikeTheScalarFunction) {
  Builder b;
  const auto in = [&](uint32_t i) { return b.lanes(kArgs, offsetof(Args, in) + 64 * i); };
  const auto uniform = [&](uint32_t i) { return b.splat(kArgs, offsetof(Args, uniform) + 4 * i); };
  uint32_t outs = 0;
  for (uint32_t signs = 0; signs < 4; ++signs)
    for (uint32_t splats = 0; splats < 6; ++splats) {
      const Value x = splats == 5 ? uniform(0) : in(0), y = splats & 1 ? uniform(1) : in(1), z = splats & 2 ? uniform(2) : in(2);
      const Value v = b.fma(signs & 1 ? b.negate(x) : x, y, signs & 2 ? b.negate(z) : z);
      b.store(kArgs, offsetof(Args, out) + 64 * outs++, v);
    }
  ASSERT_EQ(outs, 24u);
  std::vector<std::shared_ptr<const Code>> codes;
  for (const Cpu cpu : native()) codes.push_back(assemble(b.program(), cpu, "fma"));
  const Interpreter interpreter(b.program());
  std::mt19937 random(11);
  uint32_t hard = 0;
  for (int i = 0; i < 12000; ++i) {
    Args args;
    args.self = &args;
    for (int l = 0; l < kLanes; ++l) {
      float &x = args.in[0].v[l], &y = args.in[1].v[l], &z = args.in[2].v[l];
      hard_sum(random, x, y, z);
      if (i % 4 == 0) x = num::from_bits(random()), y = num::from_bits(random()), z = num::from_bits(random());
      const double sum = double(x) * double(y) + double(z);  // of one that std::fma and two roundings disagree about
      hard += !num::is_nan(float(sum)) && num::bits(float(sum)) != num::bits(std::fma(x, y, z));
    }
    for (int k = 0; k < 3; ++k) args.uniform[k] = args.in[k].v[random() % kLanes];
    for (size_t c = 0; c <= codes.size(); ++c) {
      {
        const FlushDenormals flush;
        if (c < codes.size())
          codes[c]->function()(&args);
        else
          interpreter.run(&args);
      }
      for (uint32_t o = 0; o < outs; ++o)
        for (int l = 0; l < kLanes; ++l) {
          const uint32_t signs = o / 6, splats = o % 6;
          float x = splats == 5 ? args.uniform[0] : args.in[0].v[l], z = splats & 2 ? args.uniform[2] : args.in[2].v[l];
          const float y = splats & 1 ? args.uniform[1] : args.in[1].v[l];
          if (signs & 1) x = -x;
          if (signs & 2) z = -z;
          const float want = num::fma(x, y, z), got = args.out[o].v[l];
          ASSERT_TRUE(num::bits(want) == num::bits(got) || (num::is_nan(want) && num::is_nan(got)))
              << std::hexfloat << x << " * " << y << " + " << z << ": " << got << ", not " << want << " code " << c << " form " << o;
        }
    }
  }
  EXPECT_GT(hard, 1000u);
}

}  // namespace
}  // namespace pumice::hw::fast::lane
