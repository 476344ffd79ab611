// SPDX-License-Identifier: MIT
/// The steps of the lane interpreter on the vectors of simd.h, one function for each operation and form of its operands: the simd column of
/// operations.h, and a function for each of the rest.
#include <algorithm>
#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/common/simd/math.h"
#include "hw/radeon/jit/lane/buffer_access.h"
#include "hw/radeon/jit/lane/element_simd.h"
#include "hw/radeon/jit/lane/evaluate.h"
#include "hw/radeon/jit/lane/interpret.h"

namespace pumice::hw::fast::PUMICE_SIMD {

lane::Handler handler_of(lane::Op op, uint32_t imm, uint32_t splats);
lane::Handler end_handler();

namespace {

using lane::BufferView;
using lane::Handler;
using lane::Op;
using lane::Operand;
using lane::Program;
using lane::Step;

template <class T>
PUMICE_INLINE T read(const char* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
PUMICE_INLINE char* address(const Operand& o, const char* frame) { return read<char*>(frame + o.at) + o.offset; }

template <bool kSplat>
PUMICE_INLINE U16 operand(const Operand& o, const char* frame) {
  if constexpr (kSplat)
    return splat(read<uint32_t>(address(o, frame)));
  else
    return load_unaligned<U16>(__builtin_assume_aligned(frame + o.at, 64));
}
PUMICE_INLINE void write(char* frame, uint32_t at, const U16& v) { store_unaligned(__builtin_assume_aligned(frame + at, 64), v); }
PUMICE_INLINE U16 bits(F16 v) { return as_uint(v); }
PUMICE_INLINE U16 bits(I16 v) { return as_uint(v); }
PUMICE_INLINE U16 bits(U16 v) { return v; }
PUMICE_INLINE U16 bits(Mask m) { return PUMICE_PARTS(U16, (native::U)m.part[i]); }
PUMICE_INLINE Mask as_mask(U16 v) { return PUMICE_PARTS(Mask, (native::M)v.part[i]); }

PUMICE_INLINE F16 fused(U16 a, U16 b, U16 c, uint32_t signs) {
  return fma(as_float(signs & 1 ? a ^ 0x80000000u : a), as_float(b), as_float(signs & 2 ? c ^ 0x80000000u : c));
}

// ---- Element-wise operations -----------------------------------------------------------------------------------------------------

template <Op kOp>
struct Elementwise;
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, simd, ...)                                                             \
  template <>                                                                                                                            \
  struct Elementwise<Op::name> {                                                                                                         \
    [[maybe_unused]] static constexpr int kOperands = __builtin_popcount(lane::operand_bits(Op::name));                                  \
    PUMICE_INLINE static U16 of([[maybe_unused]] U16 a, [[maybe_unused]] U16 b, [[maybe_unused]] U16 c, [[maybe_unused]] uint32_t imm) { \
      return bits(simd);                                                                                                                 \
    }                                                                                                                                    \
  };
PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW

template <class O, int kSplats>
const Step* value(const Step& s, char* frame) {
  U16 a, b, c;
  a = operand<(kSplats & 1) != 0>(s.a, frame);
  if constexpr (O::kOperands > 1) b = operand<(kSplats & 2) != 0>(s.b, frame);
  if constexpr (O::kOperands > 2) c = operand<(kSplats & 4) != 0>(s.c, frame);
  write(frame, s.out, O::of(a, b, c, s.imm));
  return &s + 1;
}
template <Op kOp>
Handler pick([[maybe_unused]] uint32_t imm, uint32_t splats) {
  using O = Elementwise<kOp>;
  if constexpr (O::kOperands == 1) {
    static constexpr Handler k[] = {value<O, 0>, value<O, 1>};
    return k[splats];
  } else if constexpr (O::kOperands == 2) {
    static constexpr Handler k[] = {value<O, 0>, value<O, 1>, value<O, 2>, value<O, 3>};
    return k[splats];
  } else {
    static constexpr Handler k[] = {value<O, 0>, value<O, 1>, value<O, 2>, value<O, 3>, value<O, 4>, value<O, 5>, value<O, 6>, value<O, 7>};
    return k[splats];
  }
}

/// kSigns bit 0: -(a*b), bit 1: -c.
template <int kSplats, int kSigns>
const Step* fused(const Step& s, char* frame) {
  write(frame, s.out,
        bits(fma_of<kSigns>(FmaOperand<(kSplats & 1) != 0>(kSplats & 1 ? address(s.a, frame) : frame + s.a.at),
                            FmaOperand<(kSplats & 2) != 0>(kSplats & 2 ? address(s.b, frame) : frame + s.b.at),
                            FmaOperand<(kSplats & 4) != 0>(kSplats & 4 ? address(s.c, frame) : frame + s.c.at))));
  return &s + 1;
}
template <int kSigns>
Handler pick_fused(uint32_t splats) {
  static constexpr Handler k[] = {fused<0, kSigns>, fused<1, kSigns>, fused<2, kSigns>, fused<3, kSigns>,
                                  fused<4, kSigns>, fused<5, kSigns>, fused<6, kSigns>, fused<7, kSigns>};
  return k[splats];
}
/// The most common steps: specialised, so that neither signs are decoded nor operands copied.
template <>
Handler pick<Op::fma>(uint32_t imm, uint32_t splats) {
  static constexpr Handler (*k[])(uint32_t) = {pick_fused<0>, pick_fused<1>, pick_fused<2>, pick_fused<3>};
  return k[imm & 3](splats);
}

// ---- The rest: bit k of kSplats for a dword for all lanes as operand k ---------------------------------------------------------------

namespace steps {

template <int kSplats>
PUMICE_INLINE U16 operand_a(const Step& s, const char* frame) {
  return operand<(kSplats & 1) != 0>(s.a, frame);
}
template <int kSplats>
PUMICE_INLINE U16 operand_b(const Step& s, const char* frame) {
  return operand<(kSplats & 2) != 0>(s.b, frame);
}
template <int kSplats>
PUMICE_INLINE U16 operand_c(const Step& s, const char* frame) {
  return operand<(kSplats & 4) != 0>(s.c, frame);
}

/// Operands of these are always found, a label is no step.
template <Op, int>
constexpr Handler constant = nullptr;
template <Op, int>
constexpr Handler splat = nullptr;
template <Op, int>
constexpr Handler label = nullptr;

template <Op, int>
const Step* lanes(const Step& s, char* frame) {
  write(frame, s.out, load_unaligned<U16>(address(s.memory, frame)));
  return &s + 1;
}
template <Op, int>
const Step* splat_at(const Step& s, char* frame) {
  const auto& range = *static_cast<const Program::Range*>(s.detail);
  const int64_t index = read<int32_t>(frame + s.a.at);
  const bool inside = index >= 0 && index < int64_t{range.count};
  write(frame, s.out, U16(inside ? read<uint32_t>(address(s.memory, frame) + index * range.stride) : 0u));
  return &s + 1;
}
template <Op, int>
const Step* from_scalar(const Step& s, char* frame) {
  write(frame, s.out, U16(read<uint32_t>(frame + s.a.at)));
  return &s + 1;
}
template <Op, int>
const Step* mask_load(const Step& s, char* frame) {
  write(frame, s.out, bits(mask_from(static_cast<LaneMask>(read<uint32_t>(address(s.memory, frame))))));
  return &s + 1;
}
template <Op, int>
const Step* mask_constant(const Step& s, char* frame) {
  write(frame, s.out, bits(mask_from(static_cast<LaneMask>(s.imm))));
  return &s + 1;
}
template <Op, int kSplats>
const Step* gather(const Step& s, char* frame) {
  const U16 offset = operand_a<kSplats>(s, frame), m = operand_c<kSplats>(s, frame);
  write(frame, s.out, gather31(address(s.memory, frame), as_int(offset), as_mask(m)));
  return &s + 1;
}
template <Op, int kSplats>
const Step* gather_first(const Step& s, char* frame) {
  write(frame, s.out, gather_dwords(address(s.memory, frame), operand_a<kSplats>(s, frame)));
  return &s + 1;
}
template <Op, int kSplats>
const Step* gather_second(const Step& s, char* frame) {
  write(frame, s.out, gather_dwords(address(s.memory, frame), operand_c<kSplats>(s, frame)));
  return &s + 1;
}
template <Op kOp, int kSplats>
const Step* gather_beside(const Step& s, char* frame) {
  constexpr int kFirst = kOp == Op::gather_high ? 2 : 0;
  const U16 first = operand_a<kSplats>(s, frame), second = operand_c<kSplats>(s, frame);
  write(frame, s.out, gather_dwords(address(s.memory, frame), by_lane([&](int l) {
                                      const int from = (l & ~3) + kFirst + l % 4 / 2;
                                      return l % 2 ? second[from] : first[from];
                                    })));
  return &s + 1;
}
template <Op, int kSplats>
const Step* look_up(const Step& s, char* frame) {
  const U16 index = operand_a<kSplats>(s, frame) & ((1u << s.imm) - 1);
  write(frame, s.out, gather_dwords(address(s.memory, frame), index << 2));
  return &s + 1;
}
template <Op, int kSplats>
const Step* quad(const Step& s, char* frame) {
  write(frame, s.out, bits(quad_lane(as_float(operand_a<kSplats>(s, frame)), s.imm)));
  return &s + 1;
}
template <Op kOp, int kSplats>
const Step* zip(const Step& s, char* frame) {
  constexpr int kFirst = kOp == Op::zip_high ? 2 : 0;
  const U16 a = operand_a<kSplats>(s, frame), b = operand_b<kSplats>(s, frame);
  write(frame, s.out, by_lane([&](int l) {
          const int from = (l & ~3) + kFirst + l % 4 / 2;
          return l % 2 ? b[from] : a[from];
        }));
  return &s + 1;
}
/// Numbers of binary64 of two rows of lanes, and back: one by one.
struct Numbers {
  alignas(64) uint64_t of[kLanes / 2];
  explicit Numbers(U16 v) { store_unaligned(of, v); }
};
template <Op kOp, int kSplats>
const Step* doubles(const Step& s, char* frame) {
  constexpr int kOperands = __builtin_popcount(lane::operand_bits(kOp));
  Numbers a(operand_a<kSplats>(s, frame)), b = a, c = a;
  if constexpr (kOperands > 1) b = Numbers(operand_b<kSplats>(s, frame));
  if constexpr (kOperands > 2) c = Numbers(operand_c<kSplats>(s, frame));
  const OrdinaryFloats ordinary;
  for (int i = 0; i < kLanes / 2; ++i) a.of[i] = lane::evaluate_double(kOp, a.of[i], b.of[i], c.of[i]);
  write(frame, s.out, load_unaligned<U16>(a.of));
  return &s + 1;
}
template <Op kOp, int kSplats>
const Step* widen(const Step& s, char* frame) {
  constexpr int kFirst = kOp == Op::widen_high ? 2 : 0;
  const U16 v = operand_a<kSplats>(s, frame);
  Numbers out(v);
  const OrdinaryFloats ordinary;
  for (int i = 0; i < kLanes / 2; ++i) out.of[i] = std::bit_cast<uint64_t>(lane::widened(v[i / 2 * 4 + kFirst + i % 2]));
  write(frame, s.out, load_unaligned<U16>(out.of));
  return &s + 1;
}
template <Op, int kSplats>
const Step* narrow(const Step& s, char* frame) {
  const Numbers low(operand_a<kSplats>(s, frame)), high(operand_b<kSplats>(s, frame));
  const OrdinaryFloats ordinary;
  write(frame, s.out,
        by_lane([&](int l) { return lane::narrowed(std::bit_cast<double>((l % 4 < 2 ? low : high).of[l / 4 * 2 + l % 2])); }));
  return &s + 1;
}
template <Op kOp, int kSplats>
const Step* unzip(const Step& s, char* frame) {
  constexpr int kFirst = kOp == Op::unzip_odd ? 1 : 0;
  const U16 a = operand_a<kSplats>(s, frame), b = operand_b<kSplats>(s, frame);
  write(frame, s.out, by_lane([&](int l) {
          const int from = (l & ~3) + kFirst + l % 2 * 2;
          return l % 4 < 2 ? a[from] : b[from];
        }));
  return &s + 1;
}
template <Op, int kSplats>
const Step* shuffle_bytes(const Step& s, char* frame) {
  const U16 a = operand_a<kSplats>(s, frame), from = load_unaligned<U16>(address(s.memory, frame));
  write(frame, s.out, by_lane([&](int l) {
          uint32_t v = 0;
          for (uint32_t k = 0; k < 32; k += 8)
            if (const uint32_t number = from[l] >> k & 255u; number < 128)
              v |= (a[(l & ~3) + static_cast<int>(number % 16 / 4)] >> number % 4 * 8 & 255u) << k;
          return v;
        }));
  return &s + 1;
}
template <Op, int kSplats>
const Step* permute(const Step& s, char* frame) {
  const U16 a = operand_a<kSplats>(s, frame), lane = operand_b<kSplats>(s, frame);
  write(frame, s.out, by_lane([&](int l) { return a[int(lane[l] % kLanes)]; }));
  return &s + 1;
}
template <Op, int kSplats>
const Step* set(const Step& s, char* frame) {
  write(frame, s.out, operand_a<kSplats>(s, frame));
  return &s + 1;
}
template <Op kOp, int>
constexpr Handler get = set<kOp, 0>;
template <Op, int kSplats>
const Step* store(const Step& s, char* frame) {
  store_unaligned(address(s.memory, frame), operand_a<kSplats>(s, frame));
  return &s + 1;
}
template <Op, int kSplats>
const Step* scatter(const Step& s, char* frame) {
  const U16 offset = operand_a<kSplats>(s, frame), v = operand_b<kSplats>(s, frame);
  const LaneMask m = bits_of(as_mask(operand_c<kSplats>(s, frame)));
  char* const to = address(s.memory, frame);
  for (int l = 0; l < kLanes; ++l) {
    const uint32_t word = v[l];
    if (m >> l & 1) std::memcpy(to + offset[l], &word, 4);
  }
  return &s + 1;
}
template <Op, int kSplats>
const Step* mask_store(const Step& s, char* frame) {
  const uint32_t m = bits_of(as_mask(operand_a<kSplats>(s, frame)));
  char* const to = address(s.memory, frame);
  if (s.imm == 2)
    std::memcpy(to, &m, 2);
  else
    std::memcpy(to, &m, 4);
  return &s + 1;
}
template <Op, int>
const Step* store_word(const Step& s, char* frame) {
  std::memcpy(address(s.memory, frame), &s.imm, 4);
  return &s + 1;
}
template <Op, int>
const Step* call(const Step& s, char* frame) {
  const auto& c = *static_cast<const Program::Call*>(s.detail);
  char* const object = read<char*>(frame + 8 * c.object);
  const void* const f = c.function ? c.function : read<const void*>(object + c.offset);
  reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<uintptr_t>(f))(object, read<char*>(frame + 8 * c.argument) + c.argument_offset);
  return &s + 1;
}

// ---- Buffers, lane by lane -------------------------------------------------------------------------------------------------------

BufferView view_of(const Step& s, const char* frame) {
  const auto& b = *static_cast<const Program::Buffer*>(s.detail);
  if (b.is_block()) return lane::block_view_of(b, read<const char*>(frame + s.memory.at), read<const char*>(frame + s.memory.offset));
  return lane::view_of(b, read<const char*>(frame + s.memory.at), b.index >= 0 ? read<int32_t>(frame + s.memory.offset) : 0);
}
template <class T, int kSplats>
const Step* load_buffer(const Step& s, char* frame) {
  const BufferView view = view_of(s, frame);
  const U16 offset = operand_a<kSplats>(s, frame), m = operand_c<kSplats>(s, frame);
  write(frame, s.out, by_lane([&](int l) { return m[l] ? lane::load_lane<T>(view, offset[l] + s.imm) : 0u; }));
  return &s + 1;
}
template <class T, int kSplats>
const Step* store_buffer(const Step& s, char* frame) {
  const BufferView view = view_of(s, frame);
  const U16 offset = operand_a<kSplats>(s, frame), v = operand_b<kSplats>(s, frame), m = operand_c<kSplats>(s, frame);
  for (int l = 0; l < kLanes; ++l)
    if (m[l]) lane::store_lane<T>(view, offset[l] + s.imm, v[l]);
  return &s + 1;
}
template <Op, int kSplats>
constexpr Handler load_rows = load_buffer<uint32_t, kSplats>;
template <Op, int kSplats>
constexpr Handler load_rows_16 = load_buffer<uint16_t, kSplats>;
template <Op, int kSplats>
constexpr Handler load_rows_8 = load_buffer<uint8_t, kSplats>;
template <Op, int kSplats>
constexpr Handler store_rows = store_buffer<uint32_t, kSplats>;
template <Op, int kSplats>
constexpr Handler store_rows_16 = store_buffer<uint16_t, kSplats>;
template <Op, int kSplats>
constexpr Handler store_rows_8 = store_buffer<uint8_t, kSplats>;
template <Op kOp, int kSplats>
const Step* load_part(const Step& s, char* frame) {
  constexpr lane::Part kPart = lane::part_of(kOp);
  const BufferView view = view_of(s, frame);
  const U16 offset = operand_a<kSplats>(s, frame), m = operand_c<kSplats>(s, frame);
  write(frame, s.out, by_lane([&](int l) {
          const auto p = static_cast<int>(kPart.pixel(static_cast<uint32_t>(l)));
          return m[p] ? lane::load_lane<uint32_t>(view, offset[p] + kPart.byte(static_cast<uint32_t>(l))) : 0u;
        }));
  return &s + 1;
}
template <Op kOp, int kSplats>
const Step* store_part(const Step& s, char* frame) {
  constexpr lane::Part kPart = lane::part_of(kOp);
  const BufferView view = view_of(s, frame);
  const U16 offset = operand_a<kSplats>(s, frame), v = operand_b<kSplats>(s, frame), m = operand_c<kSplats>(s, frame);
  for (int l = 0; l < kLanes; ++l) {
    const auto p = static_cast<int>(kPart.pixel(static_cast<uint32_t>(l)));
    if (m[p]) lane::store_lane<uint32_t>(view, offset[p] + kPart.byte(static_cast<uint32_t>(l)), v[l]);
  }
  return &s + 1;
}
template <Op>
struct Atomic;
#define PUMICE_LANE_ROW(name, signature, traits, latency, scalar, ...)                           \
  template <>                                                                                    \
  struct Atomic<Op::name> {                                                                      \
    static uint32_t of(uint32_t old, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t c) { \
      [[maybe_unused]] const int32_t iold = int32_t(old), ib = int32_t(b);                       \
      return scalar;                                                                             \
    }                                                                                            \
  };
PUMICE_LANE_ATOMICS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
template <Op kOp, int kSplats>
const Step* atomic(const Step& s, char* frame) {
  const BufferView view = view_of(s, frame);
  const U16 offset = operand_a<kSplats>(s, frame), v = operand_b<kSplats>(s, frame), c = operand_c<kSplats>(s, frame);
  constexpr bool kMasked = lane::operation(kOp).signature.c == lane::Role::mask;
  write(frame, s.out, by_lane([&](int l) {
          if (kMasked && !c[l]) return 0u;
          return lane::atomic_lane(view, offset[l], [&](uint32_t old) { return Atomic<kOp>::of(old, v[l], c[l]); });
        }));
  return &s + 1;
}

template <Op, int kSplats>
const Step* atomic_64(const Step& s, char* frame) {
  const U16 offset = operand_a<kSplats>(s, frame), mask = operand_c<kSplats>(s, frame);
  lane::atomic_lanes_64(
      lane::Atomic64(s.imm), view_of(s, frame), address(s.b, frame), [&](uint32_t l) { return mask[int(l)] != 0; },
      [&](uint32_t l) { return offset[int(l)]; });
  return &s + 1;
}

// ---- Scalars and control ---------------------------------------------------------------------------------------------------------

PUMICE_INLINE void put(char* frame, uint32_t at, uint32_t v) { std::memcpy(frame + at, &v, sizeof v); }
template <Op, int>
const Step* scalar_set(const Step& s, char* frame) {
  put(frame, s.out, s.imm);
  return &s + 1;
}
template <Op, int>
const Step* scalar_load(const Step& s, char* frame) {
  const auto& f = *static_cast<const Program::Field*>(s.detail);
  uint32_t v = read<uint32_t>(address(s.memory, frame) + f.offset) >> f.shift;
  if (f.bits < 32) v = f.is_signed ? uint32_t(int32_t(v << (32 - f.bits)) >> (32 - f.bits)) : v & ((1u << f.bits) - 1);
  put(frame, s.out, v);
  return &s + 1;
}
template <Op, int>
const Step* scalar_add(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.out) + s.imm);
  return &s + 1;
}
template <Op, int>
const Step* scalar_sum(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.out) + read<uint32_t>(frame + s.a.at));
  return &s + 1;
}
template <Op, int>
const Step* scalar_move(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.a.at));
  return &s + 1;
}
template <Op, int>
const Step* advance(const Step& s, char* frame) {
  const char* const to = read<const char*>(frame + s.memory.at) + s.imm;
  std::memcpy(frame + s.memory.at, &to, sizeof to);
  return &s + 1;
}
template <Op, int>
const Step* jump(const Step& s, char*) {
  return &s + s.jump;
}
template <Op kOp, int kSplats>
const Step* jump_mask(const Step& s, char* frame) {
  return &s + (any(as_mask(operand_a<kSplats>(s, frame))) == (kOp == Op::jump_any) ? s.jump : 1);
}
template <Op kOp, int>
const Step* jump_scalar(const Step& s, char* frame) {
  return &s + ((read<uint32_t>(frame + s.a.at) == 0) == (kOp == Op::jump_scalar_zero) ? s.jump : 1);
}
template <Op, int>
const Step* jump_spent(const Step& s, char* frame) {
  const auto& budget = *static_cast<const Program::Budget*>(s.detail);
  // Another thread may set the budget to 0 at any time, to stop the program.
  const int64_t left =
      __atomic_sub_fetch(reinterpret_cast<int64_t*>(address(s.memory, frame) + budget.offset), int64_t{budget.amount}, __ATOMIC_RELAXED);
  return &s + (left < 0 ? s.jump : 1);
}
const Step* end(const Step&, char*) { return nullptr; }

}  // namespace steps
}  // namespace

Handler end_handler() { return steps::end; }

Handler handler_of(Op op, uint32_t imm, uint32_t splats) {
  switch (op) {
#define PUMICE_LANE_ROW(name, ...) \
  case Op::name: return pick<Op::name>(imm, splats);
    PUMICE_LANE_ELEMENTWISE(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
// One function for each form that the operation has. (A table of pointers would be relocated when the driver is loaded.)
#define PUMICE_LANE_FORMS(name, function, first)     \
  case Op::name: {                                   \
    constexpr int k = lane::operand_bits(Op::name);  \
    switch (splats) {                                \
      case 0: return steps::function<first, 0>;      \
      case 1: return steps::function<first, k & 1>;  \
      case 2: return steps::function<first, k & 2>;  \
      case 3: return steps::function<first, k & 3>;  \
      case 4: return steps::function<first, k & 4>;  \
      case 5: return steps::function<first, k & 5>;  \
      case 6: return steps::function<first, k & 6>;  \
      default: return steps::function<first, k & 7>; \
    }                                                \
  }
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) PUMICE_LANE_FORMS(name, load_buffer, type)
    PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, type) PUMICE_LANE_FORMS(name, store_buffer, type)
    PUMICE_LANE_STORES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, ...) PUMICE_LANE_FORMS(name, atomic, Op::name)
    PUMICE_LANE_ATOMICS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, ...) PUMICE_LANE_FORMS(name, doubles, Op::name)
    PUMICE_LANE_DOUBLES(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#define PUMICE_LANE_ROW(name, signature, traits, latency, function) PUMICE_LANE_FORMS(name, function, Op::name)
    PUMICE_LANE_OTHERS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
#undef PUMICE_LANE_FORMS
  }
  return nullptr;
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
