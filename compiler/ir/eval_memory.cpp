// SPDX-License-Identifier: MIT
#include "compiler/ir/eval_memory.h"

#include <algorithm>

#include "compiler/ir/scalar.h"

namespace pumice::compiler::ir {

uint32_t EvalMemory::load(uint32_t byte, unsigned width, bool is_signed) const {
  const size_t at = byte / 4;
  if (at >= words_.size()) return 0;
  if (width != 8 && width != 16) return words_[at];
  const uint32_t word = words_[at] >> (width == 8 ? 8 * (byte & 3) : 8 * (byte & 2));
  return eval_word(is_signed ? Op::ibfe : Op::ubfe, {word, 0, width});
}

void EvalMemory::store(uint32_t byte, unsigned width, uint32_t value) {
  const size_t at = byte / 4;
  if (at >= words_.size()) return;
  if (width != 8 && width != 16) {
    words_[at] = value;
    return;
  }
  words_[at] = eval_word(Op::bfi, {words_[at], value, width == 8 ? 8 * (byte & 3) : 8 * (byte & 2), width});
}

uint32_t EvalMemory::atomic(uint32_t byte, Atomic op, bool floats, uint32_t data, uint32_t compare) {
  const size_t at = byte / 4;
  if (at >= words_.size()) return 0;
  const uint32_t old = words_[at];
  words_[at] = eval_atomic(op, floats, old, data, compare);
  return old;
}

uint64_t EvalMemory::atomic_wide(uint32_t byte, Atomic op, uint64_t data, uint64_t compare) {
  const size_t at = byte / 8 * 2;
  if (at + 1 >= words_.size()) return 0;
  const uint64_t old = uint64_t{words_[at + 1]} << 32 | words_[at];
  const auto next = [&]() -> uint64_t {
    switch (op) {
      case Atomic::add: return old + data;
      case Atomic::smin: return uint64_t(std::min(int64_t(old), int64_t(data)));
      case Atomic::smax: return uint64_t(std::max(int64_t(old), int64_t(data)));
      case Atomic::umin: return std::min(old, data);
      case Atomic::umax: return std::max(old, data);
      case Atomic::band: return old & data;
      case Atomic::bor: return old | data;
      case Atomic::bxor: return old ^ data;
      case Atomic::exchange: return data;
      case Atomic::compare_exchange: return old == compare ? data : old;
      case Atomic::mul: return old * data;
    }
    return old;
  }();
  words_[at] = uint32_t(next), words_[at + 1] = uint32_t(next >> 32);
  return old;
}

uint32_t eval_atomic(Atomic op, bool floats, uint32_t old, uint32_t data, uint32_t compare) {
  const auto of_floats = [&](Op o) {
    return std::bit_cast<uint32_t>(eval_scalar(o, std::bit_cast<float>(old), std::bit_cast<float>(data), 0));
  };
  const auto of_words = [&](Op o) { return eval_word(o, {old, data}); };
  switch (op) {
    case Atomic::add: return floats ? of_floats(Op::add) : old + data;
    case Atomic::smin: return floats ? of_words(Op::nmin) : of_words(Op::imin);
    case Atomic::smax: return floats ? of_words(Op::nmax) : of_words(Op::imax);
    case Atomic::umin: return std::min(old, data);
    case Atomic::umax: return std::max(old, data);
    case Atomic::band: return old & data;
    case Atomic::bor: return old | data;
    case Atomic::bxor: return old ^ data;
    case Atomic::exchange: return data;
    case Atomic::compare_exchange: return old == compare ? data : old;
    case Atomic::mul: return floats ? of_floats(Op::mul) : old * data;
  }
  return old;
}

uint32_t identity(Atomic op, bool floats) {
  switch (op) {
    case Atomic::smin: return floats ? 0x7F800000u : 0x7FFFFFFFu;
    case Atomic::smax: return floats ? 0xFF800000u : 0x80000000u;
    case Atomic::umin:
    case Atomic::band: return ~0u;
    case Atomic::mul: return floats ? 0x3F800000u : 1u;
    default: return 0;
  }
}

}  // namespace pumice::compiler::ir
