// SPDX-License-Identifier: MIT
/// US ALU and OUT instructions (us-isa A3..A6): an RGB and an alpha operation on the lanes of a thread. Order: fetch, presubtract,
/// select and swizzle, modifier, operation, OMOD, clamp, writes. Both units read every source before either writes. XI operations
/// (docs/r5x.md s.3) fetch by the class of the operand and skip OMOD and clamp.
/// `T` is a Thread (thread.h) or a group of hw/radeon/ref/x: kLanes, Mask, kAll, temp(i), constant(i), color(target, lane), depth(lane) and
/// the members of FlowState.
#pragma once
#include "hw/common/numerics/transcendental.h"
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"
#include "hw/radeon/ref/us/xi.h"

namespace pumice::hw::us::alu {

using isa::us_r500::Address;
using isa::us_r500::AluOp;
using isa::us_r500::AluOpInfo;
using isa::us_r500::OperandClass;
using isa::us_r500::Type;
using isa::us_r500::Unit;
using isa::us_r500::XiOp;
using isa::us_r500::XiOpInfo;

template <size_t N>
using Lanes = std::array<float, N>;  ///< one value per lane

inline constexpr uint32_t kPresubtracted = regs::US_ALU_RGB_INST::RGB_SEL_A__SRCP;
inline constexpr uint32_t kAlphaChannel = 3;

/// The location of a source's four components: pixel p at base[p * stride]. Constants have stride 0.
struct Source {
  const float* base = nullptr;
  uint32_t stride = 0;
  float at(uint32_t channel, uint32_t pixel) const { return base[pixel * stride + channel]; }
};

/// The three sources of one unit (RGB or alpha), and room for those that are not temps.
struct Bank {
  std::array<Source, 3> src;
  std::array<Vec4, 3> immediate;
  std::array<int32_t, 3> code{-1, -1, -1};  ///< of inline constants: the number that integers are
};

template <class T>
void resolve(T& t, Bank& bank, uint32_t n, const Address& a) {
  Vec4& local = bank.immediate[n];
  bank.src[n] = {local.data(), 0};
  switch (a.file) {
    case Address::File::constant: {
      const int32_t i = int32_t(a.value) + (a.relative ? t.al : 0);
      if (i < 0 || i > 255) {
        t.complain(Complaint::constant, "constant outside 0..255: reads 0");
        local = {};
        return;
      }
      for (uint32_t c = 0; c < 4; ++c) local[c] = from_bits(t.constant(size_t(i))[c]);
      return;
    }
    case Address::File::inline_float:
      if (a.relative) t.complain(Complaint::reserved, "relative inline constant: aL is not added");
      local.fill(isa::us_r500::inline_float_value(a.value));
      bank.code[n] = a.value;
      return;
    case Address::File::temp: {
      const int32_t i = t.temp_index(a.value, a.relative);
      if (i < 0)
        local = {};
      else
        bank.src[n] = {t.temp(size_t(i))[0].data(), 4};
      return;
    }
  }
}

template <class T>
void resolve_all(T& t, Bank& bank, const Unit& unit) {
  for (uint32_t n = 0; n < 3; ++n) resolve(t, bank, n, unit.address[n]);
}

template <size_t N>
struct Operands {
  using Lanes = alu::Lanes<N>;
  Bank rgb, alpha;
  uint32_t rgb_srcp, alpha_srcp;
  bool fp24 = false;

  /// Component of a selected source: R, G, B come through the RGB addresses, A through the alpha addresses.
  float read(uint32_t select, uint32_t channel, uint32_t pixel) const {
    const bool is_alpha = channel == kAlphaChannel;
    const Bank& bank = is_alpha ? alpha : rgb;
    if (select != kPresubtracted) return bank.src[select].at(channel, pixel);
    const float v = presubtract(is_alpha ? alpha_srcp : rgb_srcp, bank.src[0].at(channel, pixel), bank.src[1].at(channel, pixel));
    return fp24 ? us::fp24(v) : v;
  }

  Lanes operand(uint32_t select, uint32_t swizzle, uint32_t modifier) const {
    Lanes v;
    if (swizzle > 3) {
      static constexpr float kLiteral[4] = {0.0f, 0.5f, 1.0f, 0.0f};  // code 7 is "unused"
      v.fill(modify(kLiteral[swizzle - 4], modifier));
      return v;
    }
    if (select == kPresubtracted) {
      for (uint32_t p = 0; p < N; ++p) v[p] = modify(read(select, swizzle, p), modifier);
      return v;
    }
    const Source& source = (swizzle == kAlphaChannel ? alpha : rgb).src[select];
    for (uint32_t p = 0; p < N; ++p) v[p] = modify(source.at(swizzle, p), modifier);
    return v;
  }

  /// src0 of one pixel of the quad, seen by all four: the fixed operands of MDH and MDV.
  Lanes neighbour(uint32_t channel, uint32_t pixel, uint32_t modifier) const {
    Lanes v;
    for (uint32_t q = 0; q < N; q += 4) std::fill_n(v.begin() + q, 4, modify(read(0, channel, q + pixel), modifier));
    return v;
  }

  /// The bits of an operand of an XI operation: integers and raw bits, floats as above.
  std::array<uint32_t, N> bits_of(const isa::us_r500::Operand& o, uint32_t swizzle, OperandClass read_as, bool has_modifier) const {
    std::array<uint32_t, N> v{};
    if (read_as == OperandClass::real) {
      const Lanes f = operand(o.select, swizzle, has_modifier ? o.modifier : 0);
      for (uint32_t p = 0; p < N; ++p) v[p] = bits(f[p]);
      return v;
    }
    if (swizzle > 3) {
      v.fill(swizzle == 6);
    } else if (o.select < 3) {
      const Bank& bank = swizzle == kAlphaChannel ? alpha : rgb;
      for (uint32_t p = 0; p < N; ++p)
        v[p] = bank.code[o.select] >= 0 ? uint32_t(bank.code[o.select]) : bits(bank.src[o.select].at(swizzle, p));
    }
    if (!has_modifier) return v;
    for (uint32_t& x : v) {
      if (o.modifier & 2) x = ~x;
      if (o.modifier & 1) x = 0u - x;
    }
    return v;
  }
};

template <size_t N, class F>
Lanes<N> each(F f) {
  Lanes<N> r;
  for (uint32_t p = 0; p < N; ++p) r[p] = f(p);
  return r;
}

/// The operands of one channel of one unit, fetched when the operation reads them.
template <size_t N>
struct Channel {
  using Lanes = alu::Lanes<N>;
  const Operands<N>& in;
  const Unit& unit;
  uint32_t channel;  ///< 0..2 RGB unit, 3 alpha unit
  Lanes operand(uint32_t n) const {
    const isa::us_r500::Operand& o = unit.operand[n];
    return in.operand(o.select, o.swizzle[channel == kAlphaChannel ? 0 : channel], o.modifier);
  }
  Lanes a() const { return operand(0); }
  Lanes b() const { return operand(1); }
  Lanes c() const { return operand(2); }
  /// MDH, MDV: the top left pixel and the other one in place of A and C.
  Lanes mad_across(uint32_t other, bool zero_wins) const {
    const Lanes a = in.neighbour(channel, 0, unit.operand[0].modifier), m = b();
    const Lanes c = in.neighbour(channel, other, unit.operand[2].modifier);
    return each<N>([&](uint32_t p) { return mad(a[p], m[p], c[p], zero_wins); });
  }
};

template <size_t N, class F>
Lanes<N> unary(const Channel<N>& ch, F f) {
  const Lanes<N> a = ch.a();
  return each<N>([&](uint32_t p) { return f(a[p]); });
}
template <size_t N, class F>
Lanes<N> binary(const Channel<N>& ch, F f) {
  const Lanes<N> a = ch.a(), b = ch.b();
  return each<N>([&](uint32_t p) { return f(a[p], b[p]); });
}
template <size_t N, class F>
Lanes<N> ternary(const Channel<N>& ch, F f) {
  const Lanes<N> a = ch.a(), b = ch.b(), c = ch.c();
  return each<N>([&](uint32_t p) { return f(a[p], b[p], c[p]); });
}

/// The result of an XI operation for one channel.
template <size_t N>
Lanes<N> extended_operation(const Channel<N>& ch) {
  const XiOp op = ch.unit.xi();
  const XiOpInfo& i = info(op);
  std::array<std::array<uint32_t, N>, 3> v{};
  for (uint32_t n = 0; n < i.sources; ++n) {
    const isa::us_r500::Operand& o = ch.unit.operand[n];
    v[n] = ch.in.bits_of(o, o.swizzle[ch.channel == kAlphaChannel ? 0 : ch.channel], i.classes[n], n < 2);
  }
  return each<N>([&](uint32_t p) {
    return from_bits(i.neighbours ? xi::across(op, &v[0][p & ~3u], p & 3) : xi::evaluate(op, v[0][p], v[1][p], v[2][p]));
  });
}

/// The result of a componentwise or scalar operation for one channel.
template <size_t N>
Lanes<N> operation(AluOp op, const Channel<N>& ch, bool zero_wins) {
  switch (op) {
    case AluOp::MAD: return ternary(ch, [&](float a, float b, float c) { return mad(a, b, c, zero_wins); });
    case AluOp::MIN: return binary(ch, minimum);
    case AluOp::MAX: return binary(ch, maximum);
    case AluOp::CND: return ternary(ch, select_cnd);
    case AluOp::CMP: return ternary(ch, select_cmp);
    case AluOp::FRC: return unary(ch, fraction);
    case AluOp::MDH: return ch.mad_across(1, zero_wins);
    case AluOp::MDV: return ch.mad_across(2, zero_wins);
    case AluOp::EX2: return unary(ch, [](float a) { return canonical(num::exp2f_(a)); });
    case AluOp::LN2: return unary(ch, [](float a) { return canonical(num::log2f_(a)); });
    case AluOp::RCP: return unary(ch, [](float a) { return canonical(num::rcp(a)); });
    case AluOp::RSQ: return unary(ch, [](float a) { return canonical(num::rsq(a)); });
    case AluOp::SIN: return unary(ch, [](float a) { return canonical(num::sin_cycles(a)); });
    case AluOp::COS: return unary(ch, [](float a) { return canonical(num::cos_cycles(a)); });
    case AluOp::DP3:
    case AluOp::DP4:
    case AluOp::D2A: break;  // dot()
    case AluOp::DP:
    case AluOp::SOP: break;  // the other unit's result: execute_alu()
    case AluOp::XI: return extended_operation(ch);
  }
  return {};
}

/// From left to right: r*r' rounded, then fused with g*g', b*b' (D2A: C.b added instead) and, for DP4, a*a'.
template <size_t N>
Lanes<N> dot(const Operands<N>& in, const Instruction& x, bool zero_wins) {
  using Channel = alu::Channel<N>;
  using Lanes = alu::Lanes<N>;
  Lanes sum = binary(Channel{in, x.rgb, 0}, [&](float a, float b) { return multiply(a, b, zero_wins); });
  const auto fuse = [&](const Channel& ch) {
    const Lanes a = ch.a(), b = ch.b();
    for (uint32_t p = 0; p < N; ++p) sum[p] = multiply_add(a[p], b[p], sum[p], zero_wins);
  };
  fuse(Channel{in, x.rgb, 1});
  if (x.rgb.op == AluOp::D2A) {
    const Lanes c = Channel{in, x.rgb, 2}.c();
    for (uint32_t p = 0; p < N; ++p) sum[p] = num::add(sum[p], c[p]);
  } else {
    fuse(Channel{in, x.rgb, 2});
  }
  if (x.rgb.op == AluOp::DP4) fuse(Channel{in, x.alpha, kAlphaChannel});
  for (float& v : sum) v = canonical(v);
  return sum;
}

/// Results after OMOD and clamp, [channel][pixel], and everything the instruction does with them (us-isa A6).
template <class T>
void write_results(T& t, const std::array<Lanes<T::kLanes>, 4>& result, const Instruction& x) {
  using Mask = typename T::Mask;
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3, omask = x.rgb.output | x.alpha.output << 3;
  const bool is_out = x.type == Type::OUTPUT;
  const Mask live = x.write_inactive ? T::kAll : t.active;
  // Of XI operations the bits are tested, a predicate is whether there are any.
  const auto tested = [&](uint32_t c, uint32_t op, float v) {
    const bool extended = (c < 3 ? x.rgb : x.alpha).op == AluOp::XI;
    return extended ? xi::test(op, bits(v)) : test(op, v);
  };
  const std::array<Mask, 4> enabled = t.enabled_channels(x);  // read before predicates change

  const int32_t rgb_temp = x.rgb.write ? t.temp_index(x.rgb.dest, x.rgb.dest_relative) : -1;
  const int32_t alpha_temp = x.alpha.write ? t.temp_index(x.alpha.dest, x.alpha.dest_relative) : -1;
  for (uint32_t c = 0; c < 4; ++c) {
    const int32_t temp = c < 3 ? rgb_temp : alpha_temp;
    const Unit& unit = c < 3 ? x.rgb : x.alpha;
    const uint32_t target = unit.op == AluOp::XI ? regs::US_ALU_RGB_INST::TARGET__TARGET_D_PREDICATE_0 : unit.target;
    const bool to_temp = (wmask >> c & 1u) && temp >= 0, to_output = omask >> c & 1u;
    const Mask temp_pixels = to_temp ? Mask(enabled[c] & live) : Mask(0), output_pixels = to_output ? Mask(enabled[c] & t.active) : Mask(0);
    if (!temp_pixels && !output_pixels) continue;
    for (uint32_t p = 0; p < T::kLanes; ++p) {
      if (temp_pixels >> p & 1u) t.temp(size_t(temp))[p][c] = result[c][p];
      if (!(output_pixels >> p & 1u)) continue;
      if (is_out)
        t.color(target, p)[c] = result[c][p];
      else
        t.predicate[c] = Mask((t.predicate[c] & ~(1u << p)) | uint32_t(tested(c, target, result[c][p])) << p);
    }
  }
  if (!x.depth_write && !x.result_write) return;
  for (uint32_t p = 0; p < T::kLanes; ++p) {
    if (!(t.active >> p & 1u)) continue;
    if (is_out && x.depth_write && (enabled[3] >> p & 1u)) t.depth(p) = result[3][p];
    if (x.result_write) {
      const uint32_t c = x.result_alpha ? 3 : 0;
      const bool set = tested(c, x.result_op, result[c][p]);
      t.alu_result = Mask((t.alu_result & ~(1u << p)) | uint32_t(set) << p);
    }
  }
}

template <class T>
void execute(T& t, const Instruction& x) {
  constexpr size_t kLanes = T::kLanes;
  using Lanes = alu::Lanes<kLanes>;
  using Channel = alu::Channel<kLanes>;
  Operands<kLanes> in;
  in.rgb_srcp = x.rgb.presubtract;
  in.alpha_srcp = x.alpha.presubtract;
  in.fp24 = t.fp24;
  resolve_all(t, in.rgb, x.rgb);
  resolve_all(t, in.alpha, x.alpha);

  // Results that are not read are not computed.
  const AluOpInfo &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
  const bool result_red = x.result_write && !x.result_alpha, result_alpha = x.result_write && x.result_alpha;
  const uint32_t rgb_needed = x.rgb.write | x.rgb.output | uint32_t(result_red);
  const bool alpha_needed = x.alpha.write || x.alpha.output || x.depth_write || result_alpha;

  std::array<Lanes, 4> result{};
  Lanes product{};
  if (rgb.dot && (rgb_needed || alpha.takes_dot)) product = dot(in, x, t.zero_wins);

  if (alpha_needed || (rgb_needed && rgb.takes_scalar)) {
    if (alpha.componentwise || alpha.scalar || x.alpha.op == AluOp::XI)
      result[3] = operation(x.alpha.op, Channel{in, x.alpha, kAlphaChannel}, t.zero_wins);
    else if (alpha.takes_dot && rgb.dot)
      result[3] = product;
    else
      t.complain(Complaint::reserved, "reserved ALPHA_OP, or DP without a dot product: result 0");
  }
  if (rgb_needed) {
    if (rgb.componentwise || x.rgb.op == AluOp::XI) {
      for (uint32_t c = 0; c < 3; ++c)
        if (rgb_needed >> c & 1u) result[c] = operation(x.rgb.op, Channel{in, x.rgb, c}, t.zero_wins);
    } else if (rgb.takes_scalar && alpha.scalar) {
      result[0] = result[1] = result[2] = result[3];
    } else if (rgb.dot) {
      result[0] = result[1] = result[2] = product;
    } else {
      t.complain(Complaint::reserved, "reserved RGB_OP, or SOP without a scalar operation: result 0");
    }
  }
  const auto finish = [&](float v, const Unit& u) {
    if (!t.fp24) return output_modifier(v, u.omod, u.clamp);
    if (u.omod == 7) t.complain(Complaint::reserved, "reserved OMOD: not applied");
    return fp24(output_modifier(v, u.omod % 7, u.clamp));
  };
  for (uint32_t c = 0; c < 3; ++c)
    if ((rgb_needed >> c & 1u) && x.rgb.op != AluOp::XI)
      for (float& v : result[c]) v = finish(v, x.rgb);
  if (alpha_needed && x.alpha.op != AluOp::XI)
    for (float& v : result[3]) v = finish(v, x.alpha);
  write_results(t, result, x);
}

}  // namespace pumice::hw::us::alu
