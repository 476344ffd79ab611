// SPDX-License-Identifier: MIT
/// Loads, stores and atomic operations on buffers: bounds, order of lanes, widths, chosen views, offsets beyond 2 GiB, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "hw/common/numerics/arithmetic.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/lane/backends.h"
#include "tests/hw/fast/lane/guarded.h"

namespace pumice::hw::fast::lane {
namespace {

constexpr uint32_t kAccesses = 10;

struct alignas(64) Args {
  uint32_t offset[kAccesses][kLanes], value[kAccesses][kLanes], other[kAccesses][kLanes], out[kAccesses][kLanes];
  uint32_t mask[kAccesses];
  uint32_t index;
  const BufferView* views;
};

/// One access as the test sees it.
struct Access {
  Op op;
  uint32_t view;       ///< 0..3; 4: the one that Args::index chooses
  bool wanted = true;  ///< the result is used
  bool own = false;    ///< of one thread: not of view 4
};
constexpr Op kOps[] = {Op::load_u8,     Op::load_i8,     Op::load_u16,    Op::load_i16,    Op::load_32,         Op::store_8,
                       Op::store_16,    Op::store_32,    Op::atomic_add,  Op::atomic_and,  Op::atomic_or,       Op::atomic_xor,
                       Op::atomic_imin, Op::atomic_imax, Op::atomic_umin, Op::atomic_umax, Op::atomic_exchange, Op::atomic_compare_exchange,
                       Op::atomic_imul, Op::atomic_fadd, Op::atomic_fmul, Op::atomic_fmin, Op::atomic_fmax};

Program program_of(const std::vector<Access>& accesses, std::mt19937& random) {
  Builder b;
  const Pointer views = b.pointer(kArgs, offsetof(Args, views));
  const Scalar index = b.scalar();
  b.load(index, kArgs, {.offset = offsetof(Args, index), .shift = 0, .bits = 32, .is_signed = true});
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const auto [op, view, wanted, own] = accesses[i];
    const Buffer buffer =
        view < 4 ? b.buffer(views, view * uint32_t(sizeof(BufferView)), own) : b.buffer(views, 0, index, uint32_t(sizeof(BufferView)), 4);
    const auto row = [&](size_t at) { return b.lanes(kArgs, uint32_t(at + 64 * i)); };
    const Value offset = random() % 4 ? row(offsetof(Args, offset)) : b.isub(row(offsetof(Args, offset)), b.constant_bits(0));
    const Value value = row(offsetof(Args, value));
    const Mask mask = b.mask_load(kArgs, uint32_t(offsetof(Args, mask) + 4 * i));
    Value out;
    switch (op) {
      case Op::load_u8: out = b.load_u8(buffer, offset, mask); break;
      case Op::load_i8: out = b.load_i8(buffer, offset, mask); break;
      case Op::load_u16: out = b.load_u16(buffer, offset, mask); break;
      case Op::load_i16: out = b.load_i16(buffer, offset, mask); break;
      case Op::load_32: out = b.load_32(buffer, offset, mask); break;
      case Op::store_8: b.store_8(buffer, offset, value, mask); break;
      case Op::store_16: b.store_16(buffer, offset, value, mask); break;
      case Op::store_32: b.store_32(buffer, offset, value, mask); break;
      case Op::atomic_compare_exchange: out = b.atomic_compare_exchange(buffer, offset, row(offsetof(Args, other)), value, mask); break;
      default: out = b.atomic(op, buffer, offset, value, mask); break;
    }
    if (out && wanted) b.store(kArgs, uint32_t(offsetof(Args, out) + 64 * i), out);
  }
  return b.program();
}

uint32_t written(float f) { return num::is_nan(f) ? 0x7FFFFFFFu : num::bits(f); }
uint32_t combined(Op op, uint32_t old, uint32_t v, uint32_t other) {
  const float x = num::flush_denormal(num::from_bits(old)), y = num::flush_denormal(num::from_bits(v));
  switch (op) {
    case Op::atomic_add: return old + v;
    case Op::atomic_and: return old & v;
    case Op::atomic_or: return old | v;
    case Op::atomic_xor: return old ^ v;
    case Op::atomic_imin: return int32_t(v) < int32_t(old) ? v : old;
    case Op::atomic_imax: return int32_t(v) > int32_t(old) ? v : old;
    case Op::atomic_umin: return v < old ? v : old;
    case Op::atomic_umax: return v > old ? v : old;
    case Op::atomic_compare_exchange: return old == other ? v : old;
    case Op::atomic_imul: return old * v;
    case Op::atomic_fadd: return written(num::add(x, y));
    case Op::atomic_fmul: return written(num::mul(x, y));
    case Op::atomic_fmin: return written(num::is_nan(y) || x < y ? x : y);
    case Op::atomic_fmax: return written(num::is_nan(y) || x > y ? x : y);
    default: return v;
  }
}

/// Numbers of every class.
uint32_t float_bits(std::mt19937& random) {
  const auto word = uint32_t(random());
  switch (random() % 5) {
    case 0: return word & 0x80000000u;
    case 1: return word & 0x807FFFFFu;
    case 2: return word | 0x7F800000u;
    case 3: return (word & 0x80000000u) | 0x7F800000u;
    default: return num::bits(float(int32_t(word % 64) - 32));
  }
}

/// What accesses do, byte by byte.
void expect(const std::vector<Access>& accesses, std::vector<std::vector<uint8_t>>& memory, Args& args) {
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const Op op = accesses[i].op;
    const uint32_t chosen = accesses[i].view < 4 ? accesses[i].view : args.index;
    const bool is_store = op == Op::store_8 || op == Op::store_16 || op == Op::store_32;
    const uint64_t width = op == Op::load_u8 || op == Op::load_i8 || op == Op::store_8      ? 1
                           : op == Op::load_u16 || op == Op::load_i16 || op == Op::store_16 ? 2
                                                                                            : 4;
    for (int l = 0; l < kLanes; ++l) {
      uint64_t old = 0;
      const uint64_t at = args.offset[i][l] / width * width;
      if (args.mask[i] >> l & 1 && chosen < 4 && at + width <= memory[chosen].size()) {
        uint8_t* const place = &memory[chosen][at];
        for (uint64_t k = 0; k < width; ++k) old |= uint64_t{place[k]} << 8 * k;
        const bool is_load = op <= Op::load_32 && op >= Op::load_u8;
        const uint32_t now = is_store ? args.value[i][l] : combined(op, uint32_t(old), args.value[i][l], args.other[i][l]);
        for (uint64_t k = 0; k < width && !is_load; ++k) place[k] = uint8_t(now >> 8 * k);
        if (op == Op::load_i8 && old >= 0x80) old |= 0xFFFFFF00u;
        if (op == Op::load_i16 && old >= 0x8000) old |= 0xFFFF0000u;
      }
      if (!is_store && accesses[i].wanted) args.out[i][l] = uint32_t(old);
    }
  }
}

uint64_t combined_64(Atomic64 op, uint64_t old, uint64_t v, uint64_t other) {
  switch (op) {
    case Atomic64::add: return old + v;
    case Atomic64::imin: return int64_t(v) < int64_t(old) ? v : old;
    case Atomic64::imax: return int64_t(v) > int64_t(old) ? v : old;
    case Atomic64::umin: return v < old ? v : old;
    case Atomic64::umax: return v > old ? v : old;
    case Atomic64::bit_and: return old & v;
    case Atomic64::bit_or: return old | v;
    case Atomic64::bit_xor: return old ^ v;
    case Atomic64::compare_exchange: return old == other ? v : old;
    case Atomic64::mul: return old * v;
    case Atomic64::exchange: break;
  }
  return v;
}

TEST(Buffers, RandomAccessesLikeTheModel) {
  const Guarded guarded[4] = {Guarded(1), Guarded(1), Guarded(1), Guarded(1)};
  const FuzzRange range = fuzz_range(1500);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    std::vector<Access> accesses;
    for (uint32_t n = 1 + random() % kAccesses; n > 0; --n)
      accesses.push_back({kOps[random() % std::size(kOps)], uint32_t(random() % 5), random() % 3 != 0, random() % 4 == 0});
    const Program program = program_of(accesses, random);
    ASSERT_EQ(validate(program), "");
    std::vector<std::vector<uint8_t>> memory;
    BufferView views[4];
    for (int v = 0; v < 4; ++v) {
      static constexpr size_t kSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 66, 200, 201};
      memory.emplace_back(kSizes[random() % std::size(kSizes)]);
      for (uint8_t& x : memory.back()) x = uint8_t(random());
      views[v] = {guarded[v].last(memory.back().size()), uint32_t(memory.back().size())};
      if (memory.back().empty() && random() % 2) views[v].base = nullptr;
    }
    Args args{};
    args.views = views;
    args.index = random() % 8 ? uint32_t(random() % 5) : uint32_t(random());
    const uint32_t reach = 1 + random() % 260;
    for (uint32_t i = 0; i < kAccesses; ++i) {
      // Places in turn are one access.
      const bool in_turn = random() % 4 == 0;
      const uint32_t first = random() % 8 ? uint32_t(random() % reach) : uint32_t(random()) | 0x7FFFFF00u;
      for (int l = 0; l < kLanes; ++l) {
        args.offset[i][l] = in_turn         ? first + 4 * uint32_t(l)
                            : random() % 16 ? uint32_t(random() % reach)
                                            : uint32_t(random()) | (random() % 2 ? 0xFFFFFF00u : 0);
        args.value[i][l] = uint32_t(random()), args.other[i][l] = uint32_t(random() % 4);
        if (random() % 2) args.value[i][l] = uint32_t(random() % 4);
        if (random() % 4 == 0) args.value[i][l] = float_bits(random);
        args.mask[i] = random() % 4 ? uint32_t(random()) : 0xFFFF;
      }
    }
    const auto start = memory;
    Args want = args;
    expect(accesses, memory, want);
    const Backends backends(program);
    for (size_t k = 0; k < backends.count(); ++k) {
      for (int v = 0; v < 4; ++v)
        if (views[v].size) std::memcpy(const_cast<void*>(views[v].base), start[size_t(v)].data(), start[size_t(v)].size());
      Args got = args;
      backends.run(k, &got);
      for (uint32_t i = 0; i < accesses.size(); ++i)
        for (int l = 0; l < kLanes; ++l)
          ASSERT_EQ(want.out[i][l], got.out[i][l])
              << backends.name(k) << " " << name_of(accesses[i].op) << " (access " << i << ", lane " << l << ")\n"
              << print(program) << rerun(seed);
      for (int v = 0; v < 4; ++v) {
        if (!views[v].size) continue;
        ASSERT_EQ(std::memcmp(views[v].base, memory[size_t(v)].data(), memory[size_t(v)].size()), 0)
            << backends.name(k) << " view " << v << "\n"
            << print(program) << rerun(seed);
      }
    }
  }
}

/// Numbers of 64 bits, of buffers that begin at multiples of 4, one operation after the other.
TEST(Buffers, AtomicsOf64BitsLikeTheModel) {
  constexpr uint32_t kOperations = 4;
  struct alignas(64) WideArgs {
    uint32_t offset[kOperations][kLanes], value[kOperations][4][kLanes], out[kOperations][2][kLanes];
    uint32_t mask[kOperations];
    BufferView view;
  };
  const Guarded guarded(1);
  const FuzzRange range = fuzz_range(1000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    Builder b;
    Atomic64 operations[kOperations];
    bool wanted[kOperations];
    const Buffer buffer = b.buffer(kArgs, offsetof(WideArgs, view), random() % 4 == 0);
    const bool any_wanted = random() % 2;
    for (uint32_t i = 0; i < kOperations; ++i) {
      operations[i] = Atomic64(random() % 11), wanted[i] = any_wanted && random() % 3 != 0;
      const auto row = [&](size_t at) { return b.lanes(kArgs, uint32_t(at)); };
      const auto value = [&](uint32_t w) { return row(offsetof(WideArgs, value) + (4 * i + w) * 64); };
      const auto old = b.atomic(operations[i], buffer, row(offsetof(WideArgs, offset) + 64 * i), {value(0), value(1)}, {value(2), value(3)},
                                b.mask_load(kArgs, uint32_t(offsetof(WideArgs, mask) + 4 * i)));
      for (uint32_t w = 0; w < 2 && wanted[i]; ++w) b.store(kArgs, uint32_t(offsetof(WideArgs, out) + (2 * i + w) * 64), old[w]);
    }
    ASSERT_EQ(validate(b.program()), "");
    const uint32_t size = 4 * (random() % 40);
    std::vector<uint8_t> before(size);
    for (uint8_t& x : before) x = random() % 3 ? uint8_t(random()) : 0;
    std::vector<uint8_t> after = before;
    WideArgs args{};
    args.view = {guarded.last(size), size};
    const uint32_t within = size >= 8 && random() % 2 ? size & ~7u : 0, places = 1 + uint32_t(random() % 24);
    for (uint32_t i = 0; i < kOperations; ++i) {
      args.mask[i] = random() % 2 ? 0xFFFF : random() & 0xFFFF;
      for (uint32_t l = 0; l < kLanes; ++l) {
        args.offset[i][l] = within          ? 8 * uint32_t(random() % places) % within
                            : random() % 16 ? uint32_t(random() % 180)
                                            : uint32_t(random());
        for (auto& row : args.value[i]) row[l] = random() % 2 ? uint32_t(random()) : random() % 2 ? 0 : ~0u;
        const uint64_t at = args.offset[i][l] & ~7u;
        if (at + 8 <= size && random() % 2)
          std::memcpy(&args.value[i][2][l], &before[at], 4), std::memcpy(&args.value[i][3][l], &before[at + 4], 4);
      }
    }
    WideArgs want = args;
    for (uint32_t i = 0; i < kOperations; ++i)
      for (uint32_t l = 0; l < kLanes; ++l) {
        const uint64_t at = args.offset[i][l] & ~7u;
        uint64_t old = 0;
        if (args.mask[i] >> l & 1 && at + 8 <= size) {
          std::memcpy(&old, &after[at], 8);
          const auto number = [&](uint32_t w) { return uint64_t{args.value[i][w + 1][l]} << 32 | args.value[i][w][l]; };
          const uint64_t now = combined_64(operations[i], old, number(0), number(2));
          std::memcpy(&after[at], &now, 8);
        }
        if (wanted[i]) want.out[i][0][l] = uint32_t(old), want.out[i][1][l] = uint32_t(old >> 32);
      }
    const Backends backends(b.program());
    for (size_t k = 0; k < backends.count(); ++k) {
      if (size) std::memcpy(guarded.last(size), before.data(), size);
      WideArgs got = args;
      backends.run(k, &got);
      ASSERT_EQ(std::memcmp(got.out, want.out, sizeof want.out), 0) << backends.name(k) << "\n" << print(b.program()) << rerun(seed);
      ASSERT_TRUE(size == 0 || std::memcmp(guarded.last(size), after.data(), size) == 0) << backends.name(k) << "\n"
                                                                                         << print(b.program()) << rerun(seed);
    }
  }
}

/// Reads of memory that does not change are merged, those of memory that changes are not.
/// A block at any place of a surface: within it, at its right edge, behind its last dword.
void check_rows(uint32_t bytes, bool computed) {
  struct alignas(64) RowArgs {
    uint32_t offset[kLanes], value[kLanes], out[kLanes];
    uint32_t mask, zero = 0;
    BufferView view;
  };
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(RowArgs, view));
  Value offset = b.lanes(kArgs, offsetof(RowArgs, offset));
  if (computed) offset = b.isub(offset, b.splat(kArgs, offsetof(RowArgs, zero)));
  const Mask mask = b.mask_load(kArgs, offsetof(RowArgs, mask));
  b.store(kArgs, offsetof(RowArgs, out), b.load_rows(buffer, offset, mask, Builder::Memory::changes, bytes));
  b.store_rows(buffer, offset, b.lanes(kArgs, offsetof(RowArgs, value)), mask, bytes);
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  const Guarded guarded(1);
  const FuzzRange range = fuzz_range(2000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    const uint32_t pitch = bytes * (4 + random() % 60), size = pitch * (1 + random() % 6) + random() % 16,
                   first = bytes * (random() % (size / bytes));
    RowArgs a;
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint32_t x = l / 4 % 2 * 2 + l % 2, y = l / 8 * 2 + l % 4 / 2;
      a.offset[l] = first + y * pitch + bytes * x, a.value[l] = uint32_t(random());
    }
    a.mask = random() % 2 ? 0xFFFF : random() & 0xFFFF;
    a.view = {guarded.last(size), size};
    std::vector<uint8_t> before(size);
    for (uint8_t& byte : before) byte = uint8_t(random());
    std::vector<uint8_t> after = before;
    uint32_t out[kLanes];
    for (uint32_t l = 0; l < kLanes; ++l) {
      const bool there = a.mask >> l & 1 && a.offset[l] + bytes <= size;
      out[l] = 0;
      if (there) std::memcpy(&out[l], &before[a.offset[l]], bytes);
      if (there) std::memcpy(&after[a.offset[l]], &a.value[l], bytes);
    }
    for (size_t i = 0; i < backends.count(); ++i) {
      std::memcpy(guarded.last(size), before.data(), size);
      backends.run(i, &a);
      ASSERT_EQ(std::memcmp(a.out, out, sizeof out), 0) << backends.name(i) << rerun(seed);
      ASSERT_EQ(std::memcmp(guarded.last(size), after.data(), size), 0) << backends.name(i) << rerun(seed);
    }
  }
}
TEST(Buffers, RowsLikeTheModel) {
  for (const uint32_t bytes : {4u, 2u, 1u})
    for (const bool computed : {false, true}) check_rows(bytes, computed);
}

/// Neighbouring dwords, one after the other for all lanes, at places of any and of usual patterns: side by side, vectors of any alignment,
/// lanes that meet, around the end, and from where they wrap.
void check_groups(uint32_t dwords, bool all, bool computed, bool changes) {
  struct alignas(64) GroupArgs {
    uint32_t offset[2][kLanes], value[6][kLanes], out[6][kLanes];
    uint32_t mask, zero = 0;
    BufferView view;
  };
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(GroupArgs, view));
  Value from = b.lanes(kArgs, offsetof(GroupArgs, offset)), to = b.lanes(kArgs, offsetof(GroupArgs, offset) + 64), loaded[6];
  const Value zero = b.splat(kArgs, offsetof(GroupArgs, zero));
  if (computed) from = b.isub(from, zero), to = b.isub(to, zero);
  const Mask mask = all ? b.mask_constant(0xFFFF) : b.mask_load(kArgs, offsetof(GroupArgs, mask));
  const auto at = [&](Value offset, uint32_t d) { return b.iadd(offset, b.constant_bits(4 * d + 8)); };
  for (uint32_t d = 0; d < dwords; ++d)
    loaded[d] = b.load_32(buffer, at(from, d), mask, changes ? Builder::Memory::changes : Builder::Memory::unchanging);
  for (uint32_t d = 0; d < dwords; ++d) b.store(kArgs, uint32_t(offsetof(GroupArgs, out) + d * 64), loaded[d]);
  for (uint32_t d = 0; d < dwords; ++d) b.store_32(buffer, at(to, d), b.lanes(kArgs, uint32_t(offsetof(GroupArgs, value) + d * 64)), mask);
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  const Guarded guarded(1);
  const FuzzRange range = fuzz_range(800);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    const uint32_t size = random() % 4 ? 260 + random() % 500 : random() % 70;
    GroupArgs a;
    for (auto& row : a.offset) {
      static constexpr uint32_t kStrides[] = {4, 4, 8, 12, 16, 16, 16, 20, 0};
      const uint32_t stride = kStrides[random() % std::size(kStrides)], kind = random() % 6;
      const uint32_t first =
          kind == 0 ? uint32_t(0) - random() % 300 : random() % (kind == 1 ? size + 1 : 40) / (kind < 4 ? 4 : 1) * (kind < 4 ? 4 : 1);
      for (uint32_t l = 0; l < kLanes; ++l) row[l] = first + (kind == 5 ? uint32_t(random() % 8) * stride : stride * l) - 8;
      if (random() % 4 == 0) row[random() % kLanes] = uint32_t(random());
    }
    for (auto& row : a.value)
      for (uint32_t& v : row) v = uint32_t(random());
    a.mask = all || random() % 2 ? 0xFFFF : random() & 0xFFFF;
    a.view = {guarded.last(size), size};
    std::vector<uint8_t> before(size);
    for (uint8_t& byte : before) byte = uint8_t(random());
    std::vector<uint8_t> after = before;
    uint32_t out[6][kLanes] = {};
    for (uint32_t d = 0; d < dwords; ++d)
      for (uint32_t l = 0; l < kLanes; ++l) {
        const uint64_t read = (a.offset[0][l] + 8 + 4 * d) & ~3u, written = (a.offset[1][l] + 8 + 4 * d) & ~3u;
        if (!(a.mask >> l & 1)) continue;
        if (read + 4 <= size) std::memcpy(&out[d][l], &before[read], 4);
        if (written + 4 <= size) std::memcpy(&after[written], &a.value[d][l], 4);
      }
    for (size_t i = 0; i < backends.count(); ++i) {
      if (size) std::memcpy(guarded.last(size), before.data(), size);
      backends.run(i, &a);
      ASSERT_EQ(std::memcmp(a.out, out, dwords * sizeof out[0]), 0) << backends.name(i) << "\n" << print(b.program()) << rerun(seed);
      ASSERT_TRUE(size == 0 || std::memcmp(guarded.last(size), after.data(), size) == 0) << backends.name(i) << "\n"
                                                                                         << print(b.program()) << rerun(seed);
    }
  }
}
TEST(Buffers, NeighboursLikeTheModel) {
  for (uint32_t dwords = 1; dwords <= 6; ++dwords)
    for (const bool all : {false, true})
      for (const bool computed : {false, true})
        for (const bool changes : {false, true}) check_groups(dwords, all, computed, changes);
}

/// Blocks that lie in memory as a whole (Builder::block_buffer), up to its end; masks that are known, too. The size of the view is
/// anything.
void check_block_rows(uint32_t dwords, uint32_t bytes, bool all) {
  struct alignas(64) BlockArgs {
    uint32_t offset[kLanes], value[4][kLanes], out[4][kLanes];
    uint32_t mask = 0;
    BlockRows rows[2];
    BufferView view;
  };
  Builder b;
  const Pointer more = b.moving(0);
  const Buffer buffer = b.block_buffer(more, offsetof(BlockArgs, view), kArgs, offsetof(BlockArgs, rows) + sizeof(BlockRows));
  const Value offset = b.lanes(kArgs, offsetof(BlockArgs, offset));
  const Mask mask = all ? b.mask_constant(0xFFFF) : b.mask_load(kArgs, offsetof(BlockArgs, mask));
  Value loaded[4], stored[4];
  for (uint32_t d = 0; d < dwords; ++d) stored[d] = b.lanes(kArgs, uint32_t(offsetof(BlockArgs, value) + d * 64));
  if (dwords == 1)
    loaded[0] = b.load_rows(buffer, offset, mask, Builder::Memory::changes, bytes);
  else
    b.load_pixels(buffer, offset, mask, loaded, dwords);
  for (uint32_t d = 0; d < dwords; ++d) b.store(kArgs, uint32_t(offsetof(BlockArgs, out) + d * 64), loaded[d]);
  if (dwords == 1)
    b.store_rows(buffer, offset, stored[0], mask, bytes);
  else
    b.store_pixels(buffer, offset, stored, dwords, mask);
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  const Guarded guarded(2);
  const uint32_t pixel = dwords == 1 ? bytes : 4 * dwords;
  const FuzzRange range = fuzz_range(1000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    const uint32_t pitch = 4 * pixel + 4 * (random() % 20), before_it = 4 * (random() % 10);
    const uint32_t size = before_it + 3 * pitch + 4 * pixel;
    BlockArgs a;
    a.mask = all ? 0xFFFF : random() & 0xFFFF;
    a.rows[0] = {uint32_t(random()), uint32_t(random())}, a.rows[1] = {pitch, before_it};
    a.view = {guarded.last(size), uint32_t(random())};
    std::vector<uint8_t> before(size);
    for (uint8_t& byte : before) byte = uint8_t(random());
    std::vector<uint8_t> after = before;
    uint32_t out[4][kLanes] = {};
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint32_t x = l / 4 % 2 * 2 + l % 2, y = l / 8 * 2 + l % 4 / 2;
      a.offset[l] = y * pitch + pixel * x;
      for (uint32_t d = 0; d < dwords; ++d) {
        a.value[d][l] = uint32_t(random());
        if (!(a.mask >> l & 1)) continue;
        std::memcpy(&out[d][l], &before[before_it + a.offset[l] + 4 * d], pixel / dwords);
        std::memcpy(&after[before_it + a.offset[l] + 4 * d], &a.value[d][l], pixel / dwords);
      }
    }
    for (size_t i = 0; i < backends.count(); ++i) {
      std::memcpy(guarded.last(size), before.data(), size);
      backends.run(i, &a);
      ASSERT_EQ(std::memcmp(a.out, out, dwords * sizeof out[0]), 0) << backends.name(i) << rerun(seed);
      ASSERT_EQ(std::memcmp(guarded.last(size), after.data(), size), 0) << backends.name(i) << rerun(seed);
    }
  }
}
TEST(Buffers, BlocksLikeTheModel) {
  for (const bool all : {false, true}) {
    for (const uint32_t bytes : {4u, 2u, 1u}) check_block_rows(1, bytes, all);
    for (const uint32_t dwords : {2u, 4u}) check_block_rows(dwords, 4, all);
  }
}

/// Pixels of 8 and 16 bytes; those in the mask are within the surface.
void check_pixels(uint32_t dwords, bool computed) {
  struct alignas(64) PixelRowArgs {
    uint32_t offset[kLanes], value[4][kLanes], out[4][kLanes];
    uint32_t mask, zero = 0;
    BufferView view;
  };
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(PixelRowArgs, view));
  Value offset = b.lanes(kArgs, offsetof(PixelRowArgs, offset));
  if (computed) offset = b.isub(offset, b.splat(kArgs, offsetof(PixelRowArgs, zero)));
  const Mask mask = b.mask_load(kArgs, offsetof(PixelRowArgs, mask));
  Value loaded[4], stored[4];
  b.load_pixels(buffer, offset, mask, loaded, dwords);
  for (uint32_t d = 0; d < dwords; ++d) {
    b.store(kArgs, uint32_t(offsetof(PixelRowArgs, out) + d * 64), loaded[d]);
    stored[d] = b.lanes(kArgs, uint32_t(offsetof(PixelRowArgs, value) + d * 64));
  }
  b.store_pixels(buffer, offset, stored, dwords, mask);
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  const Guarded guarded(1);
  const uint32_t bytes = 4 * dwords;
  const FuzzRange range = fuzz_range(2000);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    const uint32_t pitch = bytes * (4 + random() % 7), size = pitch * (1 + random() % 6), first = bytes * (random() % (size / bytes));
    PixelRowArgs a;
    a.mask = random() % 2 ? 0xFFFF : random() & 0xFFFF;
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint32_t x = l / 4 % 2 * 2 + l % 2, y = l / 8 * 2 + l % 4 / 2;
      a.offset[l] = first + y * pitch + bytes * x;
      if (a.offset[l] + bytes > size) a.mask &= ~(1u << l);
      for (auto& value : a.value) value[l] = uint32_t(random());
    }
    a.view = {guarded.last(size), size};
    std::vector<uint8_t> before(size);
    for (uint8_t& byte : before) byte = uint8_t(random());
    std::vector<uint8_t> after = before;
    uint32_t out[4][kLanes] = {};
    for (uint32_t l = 0; l < kLanes; ++l)
      for (uint32_t d = 0; d < dwords && (a.mask >> l & 1); ++d) {
        std::memcpy(&out[d][l], &before[a.offset[l] + 4 * d], 4);
        std::memcpy(&after[a.offset[l] + 4 * d], &a.value[d][l], 4);
      }
    for (size_t i = 0; i < backends.count(); ++i) {
      std::memcpy(guarded.last(size), before.data(), size);
      backends.run(i, &a);
      ASSERT_EQ(std::memcmp(a.out, out, dwords * sizeof out[0]), 0) << backends.name(i) << rerun(seed);
      ASSERT_EQ(std::memcmp(guarded.last(size), after.data(), size), 0) << backends.name(i) << rerun(seed);
    }
  }
}
TEST(Buffers, PixelsOfManyDwordsLikeTheModel) {
  for (const uint32_t dwords : {2u, 4u})
    for (const bool computed : {false, true}) check_pixels(dwords, computed);
}

/// A loop over places that a moving pointer comes by.
TEST(Buffers, MovingPointers) {
  struct alignas(64) MovingArgs {
    uint32_t count = 0;
    uint32_t in[kLanes];
    BufferView view[kLanes];
    uint32_t memory[kLanes][kLanes];
  };
  Builder b;
  const Pointer words = b.moving(offsetof(MovingArgs, in)), views = b.moving(offsetof(MovingArgs, view));
  const Scalar left = b.scalar();
  b.load(left, kArgs, {.offset = offsetof(MovingArgs, count)});
  const Label again = b.make_label();
  b.place(again);
  std::array<uint32_t, kLanes> numbers{};
  for (uint32_t l = 0; l < kLanes; ++l) numbers[l] = 4 * l;
  const Value number = b.table(numbers);
  b.store_32(b.buffer(views, 0), number, b.iadd(number, b.splat(words, 0)), b.mask_load(words, 0));
  b.advance(words, 4), b.advance(views, sizeof(BufferView));
  b.add_to(left, -1);
  b.jump_nonzero(left, again);
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  for (uint32_t count = 1; count <= kLanes; ++count)
    for (size_t i = 0; i < backends.count(); ++i) {
      MovingArgs a{.count = count};
      for (uint32_t k = 0; k < kLanes; ++k) {
        a.in[k] = 0x3579 + 0x1111 * k, a.view[k] = {a.memory[k], sizeof a.memory[k]};
        for (uint32_t& word : a.memory[k]) word = 7;
      }
      backends.run(i, &a);
      for (uint32_t k = 0; k < kLanes; ++k)
        for (uint32_t l = 0; l < kLanes; ++l)
          ASSERT_EQ(a.memory[k][l], k < count && a.in[k] >> l & 1 ? 4 * l + a.in[k] : 7) << backends.name(i) << " place " << k;
    }
}

TEST(Buffers, UnchangingReadsAreMerged) {
  Builder b;
  const Buffer buffer = b.buffer(kArgs, offsetof(Args, views));
  const Value offset = b.lanes(kArgs, 0);
  const Mask all = b.mask_constant(0xFFFF);
  const auto read = [&](Builder::Memory memory) { return b.load_32(buffer, offset, all, memory); };
  EXPECT_EQ(read(Builder::Memory::unchanging), read(Builder::Memory::unchanging));
  EXPECT_FALSE(read(Builder::Memory::changes) == read(Builder::Memory::changes));
}

TEST(Buffers, OffsetsBeyondTwoGibibytes) {
  constexpr size_t kSize = size_t{UINT32_MAX};
  const Guarded guarded((kSize + 1) / size_t(sysconf(_SC_PAGESIZE)));
  const std::vector<Access> accesses = {{Op::store_32, 0},   {Op::load_32, 0}, {Op::load_u8, 0}, {Op::load_i16, 0},
                                        {Op::atomic_add, 0}, {Op::load_32, 0}, {Op::store_8, 0}, {Op::load_u8, 0}};
  std::mt19937 random(1);
  const Program program = program_of(accesses, random);
  const Backends backends(program);
  const BufferView view{guarded.last(kSize), uint32_t(kSize)};
  Args args{};
  args.views = &view;
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    args.mask[i] = 0xFFFF;
    for (uint32_t l = 0; l < kLanes; ++l) args.offset[i][l] = 0x0FFFFFFFu * l + 4 * l, args.value[i][l] = 0x80F0E000u + l;
  }
  for (uint32_t l = 0; l < kLanes; ++l) args.offset[6][l] = args.offset[7][l] = UINT32_MAX - 1 - l;
  for (size_t k = 0; k < backends.count(); ++k) {
    Args got = args;
    backends.run(k, &got);
    for (uint32_t l = 0; l < kLanes; ++l) {
      const uint32_t v = args.value[0][l], at = args.offset[0][l];
      const uint32_t byte = v >> (at % 4 * 8) & 0xFF;
      ASSERT_EQ(got.out[1][l], v) << backends.name(k) << " lane " << l;
      ASSERT_EQ(got.out[2][l], byte) << backends.name(k) << " lane " << l;
      ASSERT_EQ(got.out[3][l], uint32_t(int16_t(v >> (at & 2) * 8))) << backends.name(k) << " lane " << l;
      ASSERT_EQ(got.out[4][l], v) << backends.name(k) << " lane " << l;
      ASSERT_EQ(got.out[5][l], 2 * v) << backends.name(k) << " lane " << l;
      ASSERT_EQ(got.out[7][l], args.value[6][l] & 0xFF) << backends.name(k) << " lane " << l;
    }
  }
}

/// Constants added by lanes that share places, with and without results.
TEST(Buffers, ConstantsAddedLikeTheModel) {
  struct alignas(64) AddArgs {
    uint32_t offset[kLanes], out[kLanes];
    uint32_t mask;
    BufferView views[2];
  };
  constexpr uint32_t kNumber = 0x10001, kWords = 5;
  Builder b;
  const Value offset = b.lanes(kArgs, offsetof(AddArgs, offset)), number = b.constant_bits(kNumber);
  const Mask mask = b.mask_load(kArgs, offsetof(AddArgs, mask));
  b.atomic(Op::atomic_add, b.buffer(kArgs, offsetof(AddArgs, views)), offset, number, mask);
  b.store(kArgs, offsetof(AddArgs, out),
          b.atomic(Op::atomic_add, b.buffer(kArgs, offsetof(AddArgs, views) + sizeof(BufferView)), offset, number, mask));
  ASSERT_EQ(validate(b.program()), "");
  const Backends backends(b.program());
  const FuzzRange range = fuzz_range(300);
  for (uint32_t seed = range.first; seed < range.end(); ++seed) {
    std::mt19937 random(seed);
    AddArgs args{};
    const uint32_t places = 1 + uint32_t(random() % (4 * kWords + 8));
    for (uint32_t& o : args.offset) o = uint32_t(random() % places);
    args.mask = random() % 3 ? 0xFFFF : random() & 0xFFFF;
    std::array<uint32_t, kWords> start, want;
    for (uint32_t& w : start) w = uint32_t(random());
    want = start;
    uint32_t out[kLanes] = {};
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t word = args.offset[l] / 4;
      if (!(args.mask >> l & 1) || word >= kWords) continue;
      out[l] = want[word];
      want[word] += kNumber;
    }
    for (size_t k = 0; k < backends.count(); ++k) {
      std::array<uint32_t, kWords> memory[2] = {start, start};
      for (int v = 0; v < 2; ++v) args.views[v] = {memory[v].data(), uint32_t(sizeof start)};
      backends.run(k, &args);
      ASSERT_EQ(memory[0], want) << backends.name(k) << rerun(seed);
      ASSERT_EQ(memory[1], want) << backends.name(k) << rerun(seed);
      ASSERT_EQ(std::memcmp(args.out, out, sizeof out), 0) << backends.name(k) << rerun(seed);
    }
  }
}

/// Many threads on one counter: nothing is lost, and each old value is seen once.
TEST(Buffers, AtomicBetweenThreads) {
  std::mt19937 random(1);
  const Program program = program_of({{Op::atomic_add, 0}}, random);
  const Backends backends(program);
  constexpr uint32_t kThreads = 4, kRounds = 2000;
  for (size_t k = 0; k < backends.count(); ++k) {
    alignas(4) uint32_t counter = 0;
    const BufferView view{&counter, 4};
    std::vector<std::vector<uint32_t>> seen(kThreads);
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        Args args{};
        args.views = &view;
        args.mask[0] = 0xFFFF;
        for (uint32_t& v : args.value[0]) v = 1;
        for (uint32_t i = 0; i < kRounds; ++i) {
          backends.run(k, &args);
          seen[t].insert(seen[t].end(), std::begin(args.out[0]), std::end(args.out[0]));
        }
      });
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(counter, kThreads * kRounds * kLanes) << backends.name(k);
    std::vector<uint8_t> times(counter, 0);
    for (const auto& s : seen)
      for (const uint32_t old : s) ++times[old];
    ASSERT_EQ(std::count(times.begin(), times.end(), 1), int64_t{counter}) << backends.name(k);
  }
}

/// Atomic operations whose results are not used.
TEST(Buffers, AtomicBetweenThreadsWithoutResults) {
  std::mt19937 random(2);
  constexpr uint32_t kThreads = 4, kRounds = 2000;
  const Program program =
      program_of({{Op::atomic_add, 0, false}, {Op::atomic_xor, 1, false}, {Op::atomic_umax, 2, false}, {Op::atomic_or, 3, false}}, random);
  const Backends backends(program);
  for (size_t k = 0; k < backends.count(); ++k) {
    alignas(4) uint32_t memory[4] = {};
    const BufferView views[4] = {{&memory[0], 4}, {&memory[1], 4}, {&memory[2], 4}, {&memory[3], 4}};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        Args args{};
        args.views = views;
        for (uint32_t i = 0; i < kRounds; ++i) {
          for (uint32_t l = 0; l < kLanes; ++l) {
            const uint32_t n = (i * kThreads + t) * kLanes + l;  // each once
            args.value[0][l] = 1, args.value[1][l] = n * 2654435761u, args.value[2][l] = n, args.value[3][l] = 1u << (n * 7 % 31);
          }
          for (uint32_t& mask : args.mask) mask = 0xFFFF;
          backends.run(k, &args);
        }
      });
    for (std::thread& t : threads) t.join();
    uint32_t all = 0;
    for (uint32_t n = 0; n < kThreads * kRounds * kLanes; ++n) all ^= n * 2654435761u;
    EXPECT_EQ(memory[0], kThreads * kRounds * kLanes) << backends.name(k);
    EXPECT_EQ(memory[1], all) << backends.name(k);
    EXPECT_EQ(memory[2], kThreads * kRounds * kLanes - 1) << backends.name(k);
    EXPECT_EQ(memory[3], 0x7FFFFFFFu) << backends.name(k);
  }
}

}  // namespace
}  // namespace pumice::hw::fast::lane
