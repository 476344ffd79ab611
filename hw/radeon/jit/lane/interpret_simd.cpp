// SPDX-License-Identifier: MIT
/// The steps of the lane interpreter on the vectors of simd.h, one function for each operation and form of its operands.
#if !defined(__AVX2__)  // native code serves the others
#include "hw/common/simd/math.h"
#include "hw/radeon/jit/lane/interpret.h"

namespace pumice::hw::fast::PUMICE_SIMD {

lane::Handler handler_of(lane::Op op, uint32_t imm, uint32_t splats);
lane::Handler end_handler();

namespace {

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
PUMICE_INLINE U16 bits(Mask m) { return PUMICE_PARTS(U16, (native::U)m.part[i]); }
PUMICE_INLINE Mask as_mask(U16 v) { return PUMICE_PARTS(Mask, (native::M)v.part[i]); }

// ---- Values ----------------------------------------------------------------------------------------------------------------------

#define PUMICE_LANE_OP(name, count, expression)                                                                         \
  struct name {                                                                                                         \
    static constexpr int kOperands = count;                                                                             \
    PUMICE_INLINE static U16 of([[maybe_unused]] U16 a, [[maybe_unused]] U16 b, [[maybe_unused]] U16 c, uint32_t imm) { \
      (void)imm;                                                                                                        \
      return expression;                                                                                                \
    }                                                                                                                   \
  };
PUMICE_LANE_OP(Add, 2, bits(as_float(a) + as_float(b)))
PUMICE_LANE_OP(Sub, 2, bits(as_float(a) - as_float(b)))
PUMICE_LANE_OP(Mul, 2, bits(as_float(a) * as_float(b)))
PUMICE_LANE_OP(Div, 2, bits(as_float(a) / as_float(b)))
PUMICE_LANE_OP(Sqrt, 1, bits(sqrt(as_float(a))))
PUMICE_LANE_OP(Min, 2, bits(min(as_float(a), as_float(b))))
PUMICE_LANE_OP(Max, 2, bits(max(as_float(a), as_float(b))))
PUMICE_LANE_OP(Floor, 1, bits(floor(as_float(a))))
PUMICE_LANE_OP(RoundEven, 1, bits(SimdMath::round_even(as_float(a))))
PUMICE_LANE_OP(Scale, 2, bits(SimdMath::scale(as_float(a), as_float(b))))
PUMICE_LANE_OP(And, 2, a& b)
PUMICE_LANE_OP(Or, 2, a | b)
PUMICE_LANE_OP(Xor, 2, a ^ b)
PUMICE_LANE_OP(AndNot, 2, ~a& b)
PUMICE_LANE_OP(Shl, 1, a << int(imm))
PUMICE_LANE_OP(Shr, 1, a >> int(imm))
PUMICE_LANE_OP(Sar, 1, as_uint(as_int(a) >> int(imm)))
PUMICE_LANE_OP(IAdd, 2, a + b)
PUMICE_LANE_OP(ISub, 2, a - b)
PUMICE_LANE_OP(ToFloat, 1, bits(to_float(as_int(a))))
PUMICE_LANE_OP(ToInt, 1, as_uint(truncate(as_float(a))))
PUMICE_LANE_OP(Quad, 1, bits(quad_lane(as_float(a), imm)))
PUMICE_LANE_OP(Select, 3, select(as_mask(c), a, b))
PUMICE_LANE_OP(Copy, 1, a)
PUMICE_LANE_OP(Lt, 2, bits(lt(as_float(a), as_float(b))))
PUMICE_LANE_OP(Le, 2, bits(le(as_float(a), as_float(b))))
PUMICE_LANE_OP(Eq, 2, bits(eq(as_float(a), as_float(b))))
PUMICE_LANE_OP(Ne, 2, bits(ne(as_float(a), as_float(b))))
PUMICE_LANE_OP(Unordered, 2, bits(ne(as_float(a), as_float(a)) | ne(as_float(b), as_float(b))))
PUMICE_LANE_OP(IEq, 2, bits(eq(as_int(a), as_int(b))))
PUMICE_LANE_OP(ILt, 2, bits(lt(as_int(a), as_int(b))))
#undef PUMICE_LANE_OP

template <class O, int kSplats>
const Step* value(const Step& s, char* frame) {
  U16 a, b, c;
  a = operand<(kSplats & 1) != 0>(s.a, frame);
  if constexpr (O::kOperands > 1) b = operand<(kSplats & 2) != 0>(s.b, frame);
  if constexpr (O::kOperands > 2) c = operand<(kSplats & 4) != 0>(s.c, frame);
  write(frame, s.out, O::of(a, b, c, s.imm));
  return &s + 1;
}
template <class O>
Handler pick(uint32_t splats) {
  static constexpr Handler kUnary[] = {value<O, 0>, value<O, 1>};
  if constexpr (O::kOperands == 1)
    return kUnary[splats];
  else if constexpr (O::kOperands == 2) {
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

// ---- Memory ----------------------------------------------------------------------------------------------------------------------

const Step* lanes(const Step& s, char* frame) {
  write(frame, s.out, load_unaligned<U16>(address(s.memory, frame)));
  return &s + 1;
}
const Step* splat_at(const Step& s, char* frame) {
  const auto& range = *static_cast<const Program::Range*>(s.detail);
  const int64_t index = read<int32_t>(frame + s.a.at);
  const bool inside = index >= 0 && index < int64_t{range.count};
  write(frame, s.out, splat(inside ? read<uint32_t>(address(s.memory, frame) + index * range.stride) : 0u));
  return &s + 1;
}
const Step* from_scalar(const Step& s, char* frame) {
  write(frame, s.out, splat(read<uint32_t>(frame + s.a.at)));
  return &s + 1;
}
const Step* mask_load(const Step& s, char* frame) {
  write(frame, s.out, bits(mask_from(static_cast<LaneMask>(read<uint32_t>(address(s.memory, frame))))));
  return &s + 1;
}
const Step* mask_constant(const Step& s, char* frame) {
  write(frame, s.out, bits(mask_from(static_cast<LaneMask>(s.imm))));
  return &s + 1;
}
template <int kSplats>
const Step* gather(const Step& s, char* frame) {
  const U16 offset = operand<(kSplats & 1) != 0>(s.a, frame), m = operand<(kSplats & 4) != 0>(s.c, frame);
  write(frame, s.out, gather31(address(s.memory, frame), as_int(offset), as_mask(m)));
  return &s + 1;
}
template <int kSplats>
const Step* store(const Step& s, char* frame) {
  store_unaligned(address(s.memory, frame), operand<kSplats != 0>(s.a, frame));
  return &s + 1;
}
template <int kSplats>
const Step* scatter(const Step& s, char* frame) {
  Lanes offset, v;
  store_unaligned(&offset, operand<(kSplats & 1) != 0>(s.a, frame));
  store_unaligned(&v, operand<(kSplats & 2) != 0>(s.b, frame));
  const LaneMask m = bits_of(as_mask(operand<(kSplats & 4) != 0>(s.c, frame)));
  char* const to = address(s.memory, frame);
  for (int l = 0; l < kLanes; ++l)
    if (m >> l & 1) std::memcpy(to + __builtin_bit_cast(uint32_t, offset.v[l]), &v.v[l], 4);
  return &s + 1;
}
template <int kSplats>
const Step* mask_store(const Step& s, char* frame) {
  const uint32_t m = bits_of(as_mask(operand<kSplats != 0>(s.a, frame)));
  char* const to = address(s.memory, frame);
  if (s.imm == 2)
    std::memcpy(to, &m, 2);
  else
    std::memcpy(to, &m, 4);
  return &s + 1;
}
const Step* store_word(const Step& s, char* frame) {
  std::memcpy(address(s.memory, frame), &s.imm, 4);
  return &s + 1;
}
const Step* call(const Step& s, char* frame) {
  const auto& c = *static_cast<const Program::Call*>(s.detail);
  char* const object = read<char*>(frame + 8 * c.object);
  const void* const f = c.function ? c.function : read<const void*>(object + c.offset);
  reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<uintptr_t>(f))(object, read<char*>(frame + 8 * c.argument) + c.argument_offset);
  return &s + 1;
}

// ---- Scalars and control ---------------------------------------------------------------------------------------------------------

PUMICE_INLINE void put(char* frame, uint32_t at, uint32_t v) { std::memcpy(frame + at, &v, sizeof v); }
const Step* scalar_set(const Step& s, char* frame) {
  put(frame, s.out, s.imm);
  return &s + 1;
}
const Step* scalar_load(const Step& s, char* frame) {
  const auto& f = *static_cast<const Program::Field*>(s.detail);
  uint32_t v = read<uint32_t>(address(s.memory, frame) + f.offset) >> f.shift;
  if (f.bits < 32) v = f.is_signed ? uint32_t(int32_t(v << (32 - f.bits)) >> (32 - f.bits)) : v & ((1u << f.bits) - 1);
  put(frame, s.out, v);
  return &s + 1;
}
const Step* scalar_add(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.out) + s.imm);
  return &s + 1;
}
const Step* scalar_sum(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.out) + read<uint32_t>(frame + s.a.at));
  return &s + 1;
}
const Step* scalar_move(const Step& s, char* frame) {
  put(frame, s.out, read<uint32_t>(frame + s.a.at));
  return &s + 1;
}
const Step* jump(const Step& s, char*) { return &s + s.jump; }
template <int kSplats, bool kAny>
const Step* jump_mask(const Step& s, char* frame) {
  return &s + (any(as_mask(operand<kSplats != 0>(s.a, frame))) == kAny ? s.jump : 1);
}
template <bool kZero>
const Step* jump_scalar(const Step& s, char* frame) {
  return &s + ((read<uint32_t>(frame + s.a.at) == 0) == kZero ? s.jump : 1);
}
const Step* jump_spent(const Step& s, char* frame) {
  const auto& budget = *static_cast<const Program::Budget*>(s.detail);
  // Another thread may set the budget to 0 meanwhile, to end the program.
  const int64_t left =
      __atomic_sub_fetch(reinterpret_cast<int64_t*>(address(s.memory, frame) + budget.offset), int64_t{budget.amount}, __ATOMIC_RELAXED);
  return &s + (left < 0 ? s.jump : 1);
}
const Step* end(const Step&, char*) { return nullptr; }

}  // namespace

Handler end_handler() { return end; }

Handler handler_of(Op op, uint32_t imm, uint32_t splats) {
  switch (op) {
    case Op::table:
    case Op::lanes: return lanes;
    case Op::splat_at: return splat_at;
    case Op::from_scalar: return from_scalar;
    case Op::gather: {
      static constexpr Handler k[] = {gather<0>, gather<1>, nullptr, nullptr, gather<4>, gather<5>};
      return k[splats];
    }
    case Op::add: return pick<Add>(splats);
    case Op::sub: return pick<Sub>(splats);
    case Op::mul: return pick<Mul>(splats);
    case Op::div: return pick<Div>(splats);
    case Op::fma: {
      static constexpr Handler (*k[])(uint32_t) = {pick_fused<0>, pick_fused<1>, pick_fused<2>, pick_fused<3>};
      return k[imm & 3](splats);
    }
    case Op::sqrt: return pick<Sqrt>(splats);
    case Op::min: return pick<Min>(splats);
    case Op::max: return pick<Max>(splats);
    case Op::floor: return pick<Floor>(splats);
    case Op::round_even: return pick<RoundEven>(splats);
    case Op::scale: return pick<Scale>(splats);
    case Op::mask_and:
    case Op::bit_and: return pick<And>(splats);
    case Op::mask_or:
    case Op::bit_or: return pick<Or>(splats);
    case Op::mask_xor:
    case Op::bit_xor: return pick<Xor>(splats);
    case Op::mask_andnot:
    case Op::bit_andnot: return pick<AndNot>(splats);
    case Op::shl: return pick<Shl>(splats);
    case Op::shr: return pick<Shr>(splats);
    case Op::sar: return pick<Sar>(splats);
    case Op::iadd: return pick<IAdd>(splats);
    case Op::isub: return pick<ISub>(splats);
    case Op::to_float: return pick<ToFloat>(splats);
    case Op::to_int: return pick<ToInt>(splats);
    case Op::quad: return pick<Quad>(splats);
    case Op::select: return pick<Select>(splats);
    case Op::get:
    case Op::mask_get:
    case Op::set:
    case Op::mask_set: return pick<Copy>(splats);
    case Op::mask_constant: return mask_constant;
    case Op::mask_load: return mask_load;
    case Op::lt: return pick<Lt>(splats);
    case Op::le: return pick<Le>(splats);
    case Op::eq: return pick<Eq>(splats);
    case Op::ne: return pick<Ne>(splats);
    case Op::unordered: return pick<Unordered>(splats);
    case Op::ieq: return pick<IEq>(splats);
    case Op::ilt: return pick<ILt>(splats);
    case Op::store: return splats ? store<1> : store<0>;
    case Op::scatter: {
      static constexpr Handler k[] = {scatter<0>, scatter<1>, scatter<2>, scatter<3>, scatter<4>, scatter<5>, scatter<6>, scatter<7>};
      return k[splats];
    }
    case Op::mask_store: return splats ? mask_store<1> : mask_store<0>;
    case Op::store_word: return store_word;
    case Op::call: return call;
    case Op::scalar_set: return scalar_set;
    case Op::scalar_load: return scalar_load;
    case Op::scalar_add: return scalar_add;
    case Op::scalar_sum: return scalar_sum;
    case Op::scalar_move: return scalar_move;
    case Op::jump: return jump;
    case Op::jump_any: return splats ? jump_mask<1, true> : jump_mask<0, true>;
    case Op::jump_none: return splats ? jump_mask<1, false> : jump_mask<0, false>;
    case Op::jump_scalar_zero: return jump_scalar<true>;
    case Op::jump_scalar_nonzero: return jump_scalar<false>;
    case Op::jump_spent: return jump_spent;
    case Op::constant:
    case Op::splat:
    case Op::label: break;
  }
  return nullptr;
}

}  // namespace pumice::hw::fast::PUMICE_SIMD
#endif
