// SPDX-License-Identifier: MIT
/// Random lane programs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/numerics/kernels.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

struct alignas(64) Args {
  Lanes in[8];
  Lanes out[24];
  uint32_t mask_in = 0, masks_out[4] = {};
  float uniform[8];
  const float* constants = nullptr;
  const Args* self = nullptr;  ///< pointer chains
  int64_t budget = 0;
  int32_t counts[4] = {};
  void (*function)(void*, void*) = nullptr;
  Lanes shared[2];
  BufferView view;  ///< of memory that all lanes reach
};
inline void doubled(void*, void* lanes) {
  for (float& v : static_cast<Lanes*>(lanes)->v) v = num::from_bits(num::bits(v) ^ 0x00400001u);
}

/// Looked up.
inline constexpr auto kTable = [] {
  std::array<uint32_t, 256> t{};
  for (uint32_t i = 0; i < t.size(); ++i) t[i] = 0x3F000000u + i * 0x13579u;
  return t;
}();

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}
  Program make() {
    for (uint32_t i = 0; i < 4; ++i) values_.push_back(b.lanes(kArgs, offsetof(Args, in) + 64 * i));
    values_.push_back(b.constant(1.0f));
    values_.push_back(b.constant_bits(random_()));
    masks_.push_back(b.mask_load(kArgs, offsetof(Args, mask_in)));
    masks_.push_back(b.mask_constant(0xFFFF));
    const int variables = int(below(4));
    for (int i = 0; i < variables; ++i) {
      variables_.push_back(b.variable());
      b.set(variables_.back(), any());
      mask_variables_.push_back(b.mask_variable());
      b.set(mask_variables_.back(), any_mask());
    }
    scratch_ = b.scratch(8 * sizeof(Lanes));
    for (uint32_t i = 0; i < 8; ++i) b.store(scratch_, 64 * i, b.constant(float(i)));
    buffer_ = b.buffer(kArgs, offsetof(Args, view));
    stop_ = b.make_label();
    block(3 + below(4), 0);
    for (uint32_t i = 0; i < 24; ++i) b.store(kArgs, offsetof(Args, out) + 64 * i, any());
    for (uint32_t i = 0; i < 4; ++i) b.store(kArgs, offsetof(Args, masks_out) + 4 * i, any_mask());
    b.place(stop_);
    b.store_word(kArgs, offsetof(Args, counts) + 12, int32_t(random_()));
    return b.program();
  }

 private:
  uint32_t below(uint32_t n) { return random_() % n; }
  Value any() {
    return values_[values_.size() - 1 - std::min<size_t>(values_.size() - 1, below(4) ? below(8) : below(uint32_t(values_.size())))];
  }
  Mask any_mask() { return masks_[below(uint32_t(masks_.size()))]; }

  Value integer() {
    switch (below(21)) {
      case 19: return b.dot_words(any(), any());
      case 0: return b.imul(any(), any());
      case 1: return b.imul_high(any(), any());
      case 2: return b.umul_high(any(), any());
      case 3: return b.idiv(any(), any());
      case 4: return b.udiv(any(), any());
      case 5: return b.irem(any(), any());
      case 6: return b.urem(any(), any());
      case 7: return b.imin(any(), any());
      case 8: return b.imax(any(), any());
      case 9: return b.umin(any(), any());
      case 10: return b.umax(any(), any());
      case 11: return b.shl_by(any(), any());
      case 12: return b.shr_by(any(), any());
      case 13: return b.sar_by(any(), any());
      case 14: return b.popcount(any());
      case 15: return b.leading_zeros(any());
      case 16: return b.bit_reverse(any());
      case 17: return b.low_bits(b.bit_and(any(), b.constant_bits(63)));
      case 18: return b.find_lsb(any());
      default: return b.extract_signed(any(), b.constant_bits(below(16)), b.constant_bits(below(17)));
    }
  }
  Value conversion() {
    switch (below(8)) {
      case 0: return b.ceil(any());
      case 1: return b.trunc(any());
      case 2: return b.uint_to_float(any());
      case 3: return b.to_int_clamped(any());
      case 4: return b.to_uint_clamped(any());
      case 5: return b.half_to_float(any());
      case 6: return b.srgb_decode(any());
      default: return b.float_to_half(any());
    }
  }
  /// Offsets within and around the 256 bytes of the buffer.
  void access() {
    const Value at = b.bit_and(any(), b.constant_bits(511));
    const Mask m = any_mask();
    switch (below(12)) {
      case 10:
        for (uint32_t d = 0; d < 4; ++d) values_.push_back(b.load_32(buffer_, b.iadd(at, b.constant_bits(4 * d)), m));
        break;
      case 11: {
        const Value x[] = {any(), any(), any(), any()};
        for (uint32_t d = 0; d < 4; ++d) b.store_32(buffer_, b.iadd(at, b.constant_bits(4 * d)), x[d], m);
        break;
      }
      case 0: values_.push_back(b.load_u8(buffer_, at, m)); break;
      case 1: values_.push_back(b.load_i8(buffer_, at, m)); break;
      case 2: values_.push_back(b.load_u16(buffer_, at, m)); break;
      case 3: values_.push_back(b.load_i16(buffer_, at, m)); break;
      case 4: values_.push_back(b.load_32(buffer_, at, m)); break;
      case 5: b.store_8(buffer_, at, any(), m); break;
      case 6: b.store_16(buffer_, at, any(), m); break;
      case 7: b.store_32(buffer_, at, any(), m); break;
      case 8: values_.push_back(b.atomic_compare_exchange(buffer_, at, any(), any(), m)); break;
      default: {
        static constexpr Op kOps[] = {Op::atomic_add,  Op::atomic_and,      Op::atomic_or,   Op::atomic_xor,  Op::atomic_imin,
                                      Op::atomic_imax, Op::atomic_umin,     Op::atomic_umax, Op::atomic_imul, Op::atomic_fadd,
                                      Op::atomic_fmin, Op::atomic_exchange, Op::atomic_fmul, Op::atomic_fmax};
        if (below(4)) {
          values_.push_back(b.atomic(kOps[below(14)], buffer_, at, any(), m));
          break;
        }
        const Value v[] = {any(), any(), any(), any()};
        for (const Value old : b.atomic(Atomic64(below(11)), buffer_, at, {v[0], v[1]}, {v[2], v[3]}, m))
          if (below(3)) values_.push_back(old);
      }
    }
  }

  /// A dword of the lane in one of the eight rows of scratch memory.
  Value place() {
    std::array<uint32_t, kLanes> own;
    for (uint32_t l = 0; l < kLanes; ++l) own[l] = 4 * l;
    return b.iadd(b.bit_and(any(), b.constant_bits(7 * 64)), b.table(own));
  }
  void operation() {
    const Pointer chain = b.pointer(b.pointer(kArgs, offsetof(Args, self)), offsetof(Args, constants));
    // Bits of a NaN that arithmetic made must not be seen.
    const auto push = [&](Value v) {
      const Op op = b.node(v).op;  // a product with the sign turned is arithmetic as well
      values_.push_back(lane::operation(op).is(trait::flushed) || op == Op::bit_xor ? b.select(b.is_nan(v), b.constant_bits(0x7FC00001u), v)
                                                                                    : v);
    };
    switch (below(60)) {
      case 46: push(integer()); break;
      case 47: push(conversion()); break;
      case 48:
        masks_.push_back(below(2)   ? (below(2) ? b.ult(any(), any()) : b.ule(any(), any()))
                         : below(2) ? b.ine(any(), any())
                                    : b.ile(any(), any()));
        break;
      case 49: push(b.permute(any(), any())); break;
      case 52: push(b.look_up(kTable.data(), 4 + below(5), any())); break;
      case 54: {
        const uint32_t dwords = 1 + below(2);
        const Value first = b.bit_and(any(), b.constant_bits(0xD8u)), next = b.iadd(first, b.constant_bits(4 * dwords));
        const Value second = below(2) ? next : below(2) ? b.select(any_mask(), next, first) : b.bit_and(any(), b.constant_bits(0xD8u));
        const std::array<Value, 4> row = b.gather_row(chain, first, second, dwords, below(2));
        for (uint32_t n = below(3) ? 0 : below(2 * dwords); n < 2 * dwords; ++n) push(row[n]);
        break;
      }
      case 55: push(below(2) ? b.zip_low(any(), any()) : b.zip_high(any(), any())); break;
      case 56:
        push(below(2) ? b.unzip_even(any(), any()) : b.unzip_odd(any(), any()));
        if (below(2)) {
          std::array<uint8_t, 16> from;
          for (uint8_t& n : from) n = uint8_t(below(4) ? below(16) : 128 + below(128));
          push(b.shuffle_bytes(any(), from));
        }
        break;
      case 57: {
        const auto number = [&] { return below(3) ? any() : below(2) ? b.zip_low(any(), any()) : b.widen_high(any()); };
        using Of = Value (Builder::*)(Value, Value, Value);
        static constexpr Of kBinary[] = {&Builder::dadd, &Builder::dmul, &Builder::ddiv, &Builder::dmin,
                                         &Builder::dmax, &Builder::dlt,  &Builder::dge,  &Builder::deq};
        static constexpr Of kUnary[] = {&Builder::dsqrt, &Builder::dfloor, &Builder::dceil, &Builder::dtrunc, &Builder::dround_even};
        Value v = number();
        for (uint32_t n = 1 + below(4); n > 0; --n)
          v = below(4) == 0   ? (b.*kUnary[below(std::size(kUnary))])(v, {}, {})
              : below(4) == 0 ? b.dfma(number(), v, number())
                              : (b.*kBinary[below(std::size(kBinary))])(v, number(), {});
        push(b.dnumber(v));
        break;
      }
      case 59:  // words of a number in two variables
        if (variables_.size() > 1) {
          const size_t i = below(uint32_t(variables_.size()) - 1), j = below(8) ? i + 1 : 0;
          const auto together = [&](bool low) {
            const Value lower = b.get(variables_[i]), upper = b.get(variables_[j]);
            return low ? b.zip_low(lower, upper) : b.zip_high(lower, upper);
          };
          const Value low = b.dnumber(b.dadd(together(true), any())), high = b.dnumber(b.dmul(together(false), any()));
          if (below(4)) {
            b.set(variables_[i], b.unzip_even(low, high));
            b.set(variables_[j], b.unzip_odd(low, high));
          } else {
            push(low), push(b.unzip_odd(low, high));
          }
        }
        break;
      case 58: push(below(2) ? b.dnumber(b.widen_low(any())) : b.narrow(any(), any())); break;
      case 53: {
        const Value at = b.bit_and(any(), b.constant_bits(0xECu));
        const Mask m = any_mask();
        for (uint32_t n = 1 + below(4); n > 0; --n) push(b.gather(chain, at, m, 4 * (n - 1)));
        break;
      }
      case 50:
      case 51: access(); break;
      case 0: push(b.add(any(), any())); break;
      case 1: push(b.sub(any(), any())); break;
      case 2: push(b.mul(any(), any())); break;
      case 3: push(b.div(any(), any())); break;
      case 4:
      case 5:
      case 6: push(b.fma(any(), any(), any())); break;
      case 7: push(b.fma(b.negate(any()), any(), b.negate(any()))); break;
      case 8: push(b.sqrt(any())); break;
      case 9: push(b.minimum(any(), any())); break;
      case 10: push(b.maximum(any(), any())); break;
      case 11: push(b.floor(any())); break;
      case 12: push(b.round_even(any())); break;
      case 13: push(num::exp2_kernel(b, any())); break;
      case 14: push(b.bit_and(any(), any())); break;
      case 15: push(b.bit_or(any(), any())); break;
      case 16: push(b.bit_xor(any(), any())); break;
      case 17: push(b.bit_andnot(any(), any())); break;
      case 18: push(b.shl(any(), below(32))); break;
      case 19: push(b.shr(any(), below(32))); break;
      case 20: push(b.sar(any(), below(32))); break;
      case 21: push(b.iadd(any(), any())); break;
      case 22: push(b.isub(any(), any())); break;
      case 23: push(b.to_float(any())); break;
      case 24: push(b.to_int(b.add(any(), b.constant(0.5f)))); break;
      case 25: push(b.quad(any(), below(4))); break;
      case 26:
      case 27: push(b.select(any_mask(), any(), any())); break;
      case 28: push(b.select(any_mask(), any(), b.constant(0.0f))); break;
      case 29: push(b.splat(kArgs, offsetof(Args, uniform) + 4 * below(8))); break;
      case 30: push(b.splat(chain, 4 * below(64))); break;
      case 31: push(b.constant_bits(random_())); break;
      case 32: push(b.gather(chain, b.bit_and(any(), b.constant_bits(0xFCu)), any_mask())); break;
      case 33: masks_.push_back(b.lt(any(), any())); break;
      case 34: masks_.push_back(b.le(any(), any())); break;
      case 35: masks_.push_back(below(2) ? b.eq(any(), any()) : b.ne(any(), any())); break;
      case 36: masks_.push_back(below(2) ? b.ieq(any(), any()) : b.ilt(any(), any())); break;
      case 37: masks_.push_back(b.is_nan(any())); break;
      case 38: masks_.push_back(below(2) ? b.mask_and(any_mask(), any_mask()) : b.mask_or(any_mask(), any_mask())); break;
      case 39: masks_.push_back(below(2) ? b.mask_xor(any_mask(), any_mask()) : b.mask_andnot(any_mask(), any_mask())); break;
      case 40: masks_.push_back(below(2) ? b.mask_constant(LaneMask(random_())) : b.mask_not(any_mask())); break;
      case 41:
        if (!variables_.empty()) {
          const size_t i = below(uint32_t(variables_.size()));
          if (below(2))
            b.set(variables_[i], any()), b.set(mask_variables_[i], any_mask());
          else
            push(b.get(variables_[i])), masks_.push_back(b.get(mask_variables_[i]));
        }
        break;
      case 42: {
        std::array<uint32_t, kLanes> t;
        for (uint32_t& x : t) x = random_();
        push(b.table(t));
        break;
      }
      case 43: push(b.gather_now(scratch_, place(), any_mask())); break;
      case 44: {
        const Value v = any();
        b.scatter(scratch_, place(), b.select(b.is_nan(v), b.constant(2.0f), v), any_mask());
        break;
      }
      default:
        if (below(4) == 0) {
          const uint32_t place = uint32_t(offsetof(Args, shared) + 64 * below(2));
          // NaN bits are undefined, so no NaN goes through a function that depends on bits.
          const Value v = any();
          b.store(kArgs, place, b.select(b.is_nan(v), b.constant(2.0f), v));
          if (below(2))
            b.call_through(kArgs, offsetof(Args, function), kArgs, place);
          else
            b.call(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(&doubled)), kArgs, kArgs, place);
          push(b.lanes_now(kArgs, place));
        }
        break;
    }
  }
  /// What a branch or loop makes is forgotten behind it, but for variables.
  template <class F>
  void scope(F f) {
    const auto values = values_;
    const auto masks = masks_;
    f();
    values_ = values, masks_ = masks;
  }
  void block(uint32_t parts, int depth) {
    for (uint32_t part = 0; part < parts; ++part) {
      for (uint32_t n = below(40); n > 0; --n) operation();
      if (depth >= 3) continue;
      switch (below(6)) {
        case 0: {
          const Label end = b.make_label();
          if (below(2))
            b.jump_none(any_mask(), end);
          else
            b.jump_any(any_mask(), end);
          scope([&] { block(1, depth + 1); });
          b.place(end);
          break;
        }
        case 1: {
          const Scalar s = b.scalar();
          const Label begin = b.make_label(), end = b.make_label();
          b.load(s, kArgs,
                 {.offset = uint32_t(offsetof(Args, counts) + 4 * below(3)), .shift = 8 * below(3), .bits = 2, .is_signed = false});
          b.jump_zero(s, end);
          b.place(begin);
          scope([&] {
            block(1, depth + 1);
            values_.push_back(b.splat_at(b.pointer(kArgs, offsetof(Args, constants)), s, 8, 16, 3));
            values_.push_back(b.from_scalar(s));
            if (!variables_.empty()) {
              const Value sum = b.add(any(), any());
              b.set(variables_[0], b.select(b.is_nan(sum), b.constant_bits(0x7FC00001u), sum));
            }
            b.jump_spent(kArgs, offsetof(Args, budget), 3, stop_);
            b.add_to(s, -1);
          });
          b.jump_nonzero(s, begin);
          b.place(end);
          break;
        }
        default: break;
      }
    }
  }

  std::mt19937 random_;
  Builder b;
  std::vector<Value> values_;
  std::vector<Mask> masks_;
  std::vector<Variable> variables_;
  std::vector<MaskVariable> mask_variables_;
  Label stop_;
  Pointer scratch_;
  Buffer buffer_;
};

/// More values alive than there are registers: results drive others out while operands are read from the stack.
inline Program crowded(uint32_t seed) {
  std::mt19937 random(seed);
  Builder b;
  std::vector<Value> alive;
  for (uint32_t i = 0; i < 50; ++i) alive.push_back(b.add(b.lanes(kArgs, offsetof(Args, in) + 64 * (i % 8)), b.constant(float(i))));
  while (alive.size() > 24) {
    const auto pick = [&] {
      const size_t at = random() % alive.size();
      const Value v = alive[at];
      if (random() % 4) alive.erase(alive.begin() + ptrdiff_t(at));  // its last use
      return v;
    };
    const Value x = pick(), y = pick();
    switch (random() % 4) {
      case 0: alive.push_back(b.add(x, y)); break;
      case 1: alive.push_back(b.sub(x, y)); break;
      case 2: alive.push_back(b.minimum(x, y)); break;
      default: alive.push_back(b.maximum(x, y)); break;
    }
  }
  for (uint32_t i = 0; i < alive.size(); ++i) b.store(kArgs, offsetof(Args, out) + 64 * i, alive[i]);
  return b.program();
}

}  // namespace pumice::hw::fast::lane
