// SPDX-License-Identifier: MIT
/// WIDE slots: numbers of 64 bits (docs/r5x.md s.4.2, hw/radeon/ref/us/wide.cpp).
#include <bit>

#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Extended;
using isa::us_r500::XOp;
using lane::kArgs;

/// Numbers of all lanes: of lanes 0 and 1 of each quad, and of 2 and 3.
struct Translator::Numbers64 {
  Value low, high;
};

/// Code of the operation for the numbers in components c and c + 1. False: it has none.
template <class Word>
bool Translator::wide_code(isa::us_r500::WideOp op, uint32_t sources, uint32_t c, const Word& word, Number* out) {
  using isa::us_r500::WideOp;
  const auto apart = [&](const Numbers64& v) {
    const Numbers64 n{b_.dnumber(v.low), b_.dnumber(v.high)};
    out[0] = {b_.unzip_even(n.low, n.high)}, out[1] = {b_.unzip_odd(n.low, n.high)};
    return true;
  };
  if (op == WideOp::F2D) {
    const Value v = word(0, c).v;
    return apart({b_.widen_low(v), b_.widen_high(v)});
  }
  const auto constant = [&](double v) {
    const auto k = std::bit_cast<uint64_t>(v);
    return b_.zip_low(b_.constant_bits(uint32_t(k)), b_.constant_bits(uint32_t(k >> 32)));
  };
  const auto each = [](const Numbers64& a, auto f) { return Numbers64{f(a.low), f(a.high)}; };
  if (op == WideOp::L2D || op == WideOp::UL2D) {
    // 2^84 + upper * 2^32 and 2^52 + lower are numbers whose lower dwords are those words. What is taken off is exact, the sum rounds.
    const bool is_signed = op == WideOp::L2D;
    const Value lower = bits(word(0, c)), upper = b_.bit_xor(bits(word(0, c + 1)), b_.constant_bits(is_signed ? 0x80000000u : 0));
    const Value k = constant(-(0x1p84 + 0x1p52 + (is_signed ? 0x1p63 : 0))), of_84 = b_.constant_bits(0x45300000u),
                of_52 = b_.constant_bits(0x43300000u);
    return apart({b_.dadd(b_.dadd(b_.zip_low(upper, of_84), k), b_.zip_low(lower, of_52)),
                  b_.dadd(b_.dadd(b_.zip_high(upper, of_84), k), b_.zip_high(lower, of_52))});
  }
  using Of = Value (lane::Builder::*)(Value, Value, Value);
  Of of = nullptr;
  switch (op) {
    case WideOp::DADD: of = &lane::Builder::dadd; break;
    case WideOp::DMUL: of = &lane::Builder::dmul; break;
    case WideOp::DFMA: of = &lane::Builder::dfma; break;
    case WideOp::DDIV: of = &lane::Builder::ddiv; break;
    case WideOp::DSQRT: of = &lane::Builder::dsqrt; break;
    case WideOp::DMIN: of = &lane::Builder::dmin; break;
    case WideOp::DMAX: of = &lane::Builder::dmax; break;
    case WideOp::DFLOOR: of = &lane::Builder::dfloor; break;
    case WideOp::DCEIL: of = &lane::Builder::dceil; break;
    case WideOp::DTRUNC: of = &lane::Builder::dtrunc; break;
    case WideOp::DRNE: of = &lane::Builder::dround_even; break;
    case WideOp::DLT: of = &lane::Builder::dlt; break;
    case WideOp::DGE: of = &lane::Builder::dge; break;
    case WideOp::DEQ: of = &lane::Builder::deq; break;
    case WideOp::D2F:
    case WideOp::D2L:
    case WideOp::D2UL: break;
    default: return false;
  }
  Numbers64 v[3];
  for (uint32_t n = 0; n < sources; ++n) {
    const Value lower = bits(word(n, c)), upper = bits(word(n, c + 1));
    v[n] = {b_.zip_low(lower, upper), b_.zip_high(lower, upper)};
  }
  if (op == WideOp::D2F) {
    out[0] = {b_.narrow(v[0].low, v[0].high), Nan::us};
    return true;
  }
  if (op == WideOp::D2L || op == WideOp::D2UL) {
    // Both words as integral numbers, which are the lower dwords of sums with 2^52.
    const bool is_signed = op == WideOp::D2L;
    const Numbers64 whole = each(v[0], [&](Value x) { return b_.dtrunc(x); });
    const Numbers64 upper = each(whole, [&](Value x) { return b_.dfloor(b_.dmul(x, constant(0x1p-32))); });
    const auto lower = [&](Value u, Value x) { return b_.dadd(b_.dfma(u, constant(-0x1p32), x), constant(0x1p52)); };
    const Numbers64 sum = each(upper, [&](Value x) { return b_.dadd(x, constant(is_signed ? 0x1.8p52 : 0x1p52)); });
    const auto where = [&](auto f) {
      const Numbers64 t = each(v[0], f);
      return b_.ine(b_.unzip_even(t.low, t.high), zero());
    };
    const Mask above = where([&](Value x) { return b_.dge(x, constant(is_signed ? 0x1p63 : 0x1p64)); });
    const Mask below = where([&](Value x) { return b_.dlt(x, constant(is_signed ? -0x1p63 : 0)); });
    const Mask ordered = where([&](Value x) { return b_.deq(x, x); });
    const Value words[] = {b_.unzip_even(lower(upper.low, whole.low), lower(upper.high, whole.high)), b_.unzip_even(sum.low, sum.high)};
    for (uint32_t i = 0; i < 2; ++i) {
      const Value most = b_.constant_bits(i && is_signed ? 0x7FFFFFFFu : ~0u), least = b_.constant_bits(i && is_signed ? 0x80000000u : 0);
      out[i] = {b_.select(ordered, b_.select(above, most, b_.select(below, least, words[i])), zero())};
    }
    return true;
  }
  const Numbers64 r{(b_.*of)(v[0].low, v[1].low, v[2].low), (b_.*of)(v[0].high, v[1].high, v[2].high)};
  if (op != WideOp::DLT && op != WideOp::DGE && op != WideOp::DEQ) return apart(r);
  out[0] = {b_.unzip_even(r.low, r.high)};
  return true;
}

/// Numbers of 64 bits. Lanes' lower and upper words are brought together where an operation has code; values that one operation makes for
/// the next never come apart (Builder::zip). False: not one of them, or one that the reference complains about.
bool Translator::wide(const Instruction& x) {
  const Extended& e = x.tex.x;
  if (e.op != XOp::WIDE || !(e.components & 1u) || reserved(e.wide())) return false;
  const uint32_t words = e.components + 1u;
  const isa::us_r500::Port* const operands[] = {&x.tex.source, &x.tex.dx, &x.tex.dy};
  const uint32_t sources = info(e.wide()).sources;
  const auto word = [&](uint32_t n, uint32_t c) { return read_temp(operands[n]->temp, operands[n]->swizzle[c]); };
  Values out;
  out.fill({zero()});
  bool has_code = true;
  for (uint32_t c = 0; c < words && has_code; c += 2) has_code = wide_code(e.wide(), sources, c, word, &out[c]);
  if (has_code) {
    write_port(x, out);
    return true;
  }
  for (uint32_t n = 0; n < sources; ++n)
    for (uint32_t c = 0; c < words; ++c)
      b_.store(kArgs, uint32_t(offsetof(GroupArgs, temp) + (4 * n + c) * sizeof(Lanes)), bits(word(n, c)));
  b_.store_word(kArgs, offsetof(GroupArgs, wide), int32_t(uint32_t(e.wide()) | (words == 4 ? 1u << 8 : 0u)));
  b_.call(callbacks_.wide, kArgs, kArgs, 0);
  for (uint32_t c = 0; c < words; ++c) out[c] = {b_.lanes_now(kArgs, uint32_t(offsetof(GroupArgs, out) + c * sizeof(Lanes)))};
  write_port(x, out);
  return true;
}

}  // namespace pumice::hw::fast::extended
