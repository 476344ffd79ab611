// SPDX-License-Identifier: MIT
/// Offsets whose lanes follow each other: what find_strides() says of values, and accesses at such offsets around the ends of buffers on
/// all back ends against the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "hw/radeon/jit/lane/strides.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/lane/backends.h"
#include "tests/hw/fast/lane/guarded.h"

namespace pumice::hw::fast::lane {
namespace {

constexpr uint32_t kBytes = 4000, kOut = 4;

struct alignas(64) Args {
  uint32_t out[kOut][kLanes];
  uint32_t value[kOut][kLanes];
  uint32_t first, scale, mask;
  BufferView view;
};

std::array<uint32_t, kLanes> counting(uint32_t stride, uint32_t period = kLanes, uint32_t pitch = 0) {
  std::array<uint32_t, kLanes> t;
  for (uint32_t l = 0; l < kLanes; ++l) t[l] = stride * (l % period) + pitch * (l / period);
  return t;
}

TEST(Strides, OfArithmetic) {
  Builder b;
  const Value lanes = b.table(counting(1)), same = b.splat(kArgs, offsetof(Args, first)), other = b.splat(kArgs, offsetof(Args, scale));
  const Value unknown = b.lanes(kArgs, offsetof(Args, value));
  const Value halves = b.table(counting(4, 8)), bent = b.table({0, 4, 8, 13});
  struct Case {
    Value value;
    Stride wide, narrow;
  };
  const Case cases[] = {
      {lanes, 1, 1},
      {same, 0, 0},
      {b.imul(same, other), 0, 0},
      {b.shl(b.iadd(same, lanes), 2), 4, 4},
      {b.imul(lanes, b.constant_bits(12)), 12, 12},
      {b.imul(lanes, same), {}, {}},
      {b.isub(same, b.shl(lanes, 4)), uint32_t(-16), uint32_t(-16)},
      {b.umin(b.shl(b.iadd(lanes, other), 4), b.constant_bits(0xFFFFFFF0u)), 16, 16},
      {b.umin(b.shl(b.iadd(lanes, other), 4), b.constant_bits(0x1000u)), {}, {}},
      {b.iadd(unknown, same), {}, {}},
      {halves, {}, 4},
      {bent, {}, {}},
      {b.select(b.ult(same, other), b.iadd(lanes, same), b.iadd(lanes, other)), 1, 1},
      {b.select(b.ult(lanes, other), b.iadd(lanes, same), b.iadd(lanes, other)), {}, {}},
      {b.permute(b.imul(lanes, lanes), lanes), {}, {}},
  };
  for (const Case& c : cases) b.store(kArgs, 0, c.value);
  const auto wide = find_strides(b.program(), 16), narrow = find_strides(b.program(), 8);
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    EXPECT_EQ(wide[size_t(c.value.id)], c.wide);
    EXPECT_EQ(narrow[size_t(c.value.id)], c.narrow);
  }
}

/// A loop's variables: one that counts for all lanes alike, one whose stride changes, one that follows the other.
TEST(Strides, OfVariables) {
  Builder b;
  const Variable count = b.variable(), drifts = b.variable(), follows = b.variable();
  const Value lanes = b.table(counting(1));
  b.set(count, b.constant_bits(0));
  b.set(drifts, b.constant_bits(0));
  b.set(follows, lanes);
  const Label loop = b.make_label();
  b.place(loop);
  const Value c = b.get(count), d = b.get(drifts), f = b.get(follows);
  b.set(drifts, b.iadd(d, lanes));
  b.set(follows, b.iadd(lanes, c));
  const Value next = b.iadd(c, b.constant_bits(1));
  b.set(count, next);
  b.jump_any(b.ult(next, b.constant_bits(9)), loop);
  const auto strides = find_strides(b.program(), 16);
  EXPECT_EQ(strides[size_t(c.id)], 0u);
  EXPECT_EQ(strides[size_t(d.id)], Stride{});
  EXPECT_EQ(strides[size_t(f.id)], 1u);
}

/// What is the same in all lanes, not only in those of one half, nor only where it is within bounds.
TEST(Strides, WhatIsTheSameInAllLanes) {
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(Args, view));
  const Variable count = b.variable();
  b.set(count, b.constant_bits(0));
  const Label loop = b.make_label();
  b.place(loop);
  const Value lanes = b.table(counting(4)), halves = b.table(counting(0, 8, 64)), same = b.splat(kArgs, offsetof(Args, first));
  const Value c = b.get(count), next = b.iadd(c, same);
  const Mask all = b.mask_constant(0xFFFF), some = b.mask_load(kArgs, offsetof(Args, mask)), more = b.ult(next, same);
  const Value far = b.constant_bits(0xFFFFFFF0u), limited = b.isub(b.umin(b.iadd(lanes, next), far), lanes);
  const std::pair<Value, bool> cases[] = {
      {next, true},
      {b.to_float(b.imul(next, next)), true},
      {b.load_32(buffer, next, all), true},
      {b.load_32(buffer, next, some), false},
      {b.load_32(buffer, lanes, all), false},
      {b.select(more, next, same), true},
      {b.select(some, next, same), false},
      {b.iadd(halves, next), false},
      {b.isub(b.iadd(lanes, next), lanes), true},
      {limited, false},
      {c, false},  // read where it is used
  };
  for (const auto& [value, is] : cases) b.store(kArgs, 0, value);
  b.set(count, next);
  b.jump_any(more, loop);
  const auto uniform = find_uniform(b.program());
  for (const auto& [value, is] : cases) {
    SCOPED_TRACE(value.id);
    EXPECT_EQ(uniform[size_t(value.id)], is);
  }
  EXPECT_TRUE(uniform[size_t(more.id)]);
}

/// What is saved and read again has the stride of what was saved, through that pointer alone.
TEST(Strides, OfKeptMemory) {
  Builder b;
  const Pointer kept = b.pointer(kArgs, offsetof(Args, view));
  b.program().kept = kept.id;
  const Value lanes = b.table(counting(4));
  b.store(kept, 0, lanes);
  b.store(kept, 64, lanes);
  b.store(kept, 64, b.constant_bits(0));
  b.store(kArgs, 0, lanes);
  const Value same = b.lanes_now(kept, 0), two = b.lanes_now(kept, 64), elsewhere = b.lanes_now(kArgs, 0);
  for (const Value v : {same, two, elsewhere}) b.store(kArgs, 128, v);
  const auto strides = find_strides(b.program(), 16);
  EXPECT_EQ(strides[size_t(same.id)], 4u);
  EXPECT_EQ(strides[size_t(two.id)], Stride{});
  EXPECT_EQ(strides[size_t(elsewhere.id)], Stride{});
}

struct Shape {
  uint32_t stride, period, pitch, dwords;  ///< pitch: from lane 0 to lane 8 where the period is 8
  bool store, all;
};

Program program_of(const Shape& s) {
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(Args, view));
  Value offset = b.iadd(b.splat(kArgs, offsetof(Args, first)), b.table(counting(s.stride, s.period, s.pitch)));
  if (s.dwords > 1) offset = b.umin(offset, b.constant_bits(0xFFFFFFF0u));
  const Mask mask = s.all ? b.mask_constant(0xFFFF) : b.mask_load(kArgs, offsetof(Args, mask));
  std::vector<Value> loaded;  // all before the first is stored: they are one access
  for (uint32_t k = 0; k < s.dwords; ++k) {
    const Value at = k ? b.iadd(offset, b.constant_bits(4 * k)) : offset;
    if (s.store)
      b.store_32(buffer, at, b.lanes(kArgs, uint32_t(offsetof(Args, value)) + 64 * k), mask);
    else
      loaded.push_back(b.load_32(buffer, at, mask));
  }
  for (uint32_t k = 0; k < loaded.size(); ++k) b.store(kArgs, uint32_t(offsetof(Args, out)) + 64 * k, loaded[k]);
  return b.program();
}

void expect(const Shape& s, Args& args, std::vector<uint8_t>& memory) {
  for (uint32_t k = 0; k < s.dwords; ++k)
    for (uint32_t l = 0; l < uint32_t(kLanes); ++l) {
      uint32_t base = args.first + s.stride * (l % s.period) + s.pitch * (l / s.period);
      if (s.dwords > 1) base = std::min(base, 0xFFFFFFF0u);
      const uint64_t at = (base + 4 * k) & ~3u;
      const bool inside = at + 4 <= args.view.size && (s.all || args.mask >> l & 1u);
      if (s.store && inside) std::memcpy(&memory[at], &args.value[k][l], 4);
      if (s.store) continue;
      args.out[k][l] = 0;
      if (inside) std::memcpy(&args.out[k][l], &memory[at], 4);
    }
}

TEST(Strides, AccessesAtTheEndsOfBuffers) {
  const uint32_t kStrides[] = {0, 4, 8, 16, 32, 48, 4096, 4100, uint32_t(-4), uint32_t(-16)};
  const Guarded guarded(1);
  const FuzzRange range = fuzz_range(300);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    static constexpr uint32_t kPitches[] = {0, 4, 32, 100, 256, uint32_t(-64)};
    const Shape s{kStrides[random() % std::size(kStrides)],
                  random() % 2 ? 16u : 8u,
                  kPitches[random() % std::size(kPitches)],
                  uint32_t(random() % 3 ? 1 + random() % 2 : 3 + random() % 2),
                  random() % 2 == 0,
                  random() % 2 == 0};
    const Program program = program_of(s);
    ASSERT_EQ(validate(program), "");
    const Backends backends(program);
    for (int n = 0; n < 24; ++n) {
      Args args{};
      std::vector<uint8_t> memory(random() % 4 ? kBytes - random() % 8 : random() % 512);
      for (uint8_t& m : memory) m = uint8_t(random());
      args.view = {guarded.last(memory.size()), uint32_t(memory.size())};
      const uint32_t span = 15 * s.stride, size = args.view.size;
      const uint32_t from[] = {uint32_t(random() % kBytes), size - span + uint32_t(random() % 48) - 32, 0u - span - uint32_t(random() % 40),
                               uint32_t(random() % 64), 0u - uint32_t(random() % 300)};
      args.first = from[random() % std::size(from)];
      args.mask = n % 3 ? uint32_t(random()) : n % 2 ? 0xFFFF : 0;
      for (auto& row : args.value)
        for (uint32_t& v : row) v = uint32_t(random());
      Args want = args;
      std::vector<uint8_t> memory_after = memory;
      expect(s, want, memory_after);
      for (size_t k = 0; k < backends.count(); ++k) {
        std::copy(memory.begin(), memory.end(), guarded.last(memory.size()));
        Args got = args;
        backends.run(k, &got);
        ASSERT_EQ(std::memcmp(got.out, want.out, sizeof got.out), 0) << backends.name(k) << ", stride " << s.stride << "\n"
                                                                     << print(program) << rerun(seed);
        ASSERT_TRUE(std::equal(memory_after.begin(), memory_after.end(), guarded.last(memory.size())))
            << backends.name(k) << ", stride " << s.stride << "\n"
            << print(program) << rerun(seed);
      }
    }
  }
}

}  // namespace
}  // namespace pumice::hw::fast::lane
