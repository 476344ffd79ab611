// SPDX-License-Identifier: MIT
/// US ALU and OUT instructions (us-isa A3..A6): an RGB and an alpha operation on the four pixels of a quad. Order: fetch, presubtract,
/// select and swizzle, modifier, operation, OMOD, clamp, writes. Both units read every source before either writes.
#include "hw/common/numerics/transcendental.h"
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {
namespace {

using isa::us_r500::Address;
using isa::us_r500::AluOp;
using isa::us_r500::AluOpInfo;
using isa::us_r500::Type;
using isa::us_r500::Unit;

using Lanes = std::array<float, 4>;  ///< one value per pixel

constexpr uint32_t kPresubtracted = regs::US_ALU_RGB_INST::RGB_SEL_A__SRCP;
constexpr uint32_t kAlphaChannel = 3;

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
};

void resolve(Thread& t, Bank& bank, uint32_t n, const Address& a) {
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
      for (uint32_t c = 0; c < 4; ++c) local[c] = from_bits(t.ctx.state.us_const[size_t(i)][c]);
      return;
    }
    case Address::File::inline_float:
      if (a.relative) t.complain(Complaint::reserved, "relative inline constant: aL is not added");
      local.fill(isa::us_r500::inline_float_value(a.value));
      return;
    case Address::File::temp: {
      const int32_t i = t.temp_index(a.value, a.relative);
      if (i < 0)
        local = {};
      else
        bank.src[n] = {t.quad.temp[size_t(i)][0].data(), 4};
      return;
    }
  }
}

void resolve_all(Thread& t, Bank& bank, const Unit& unit) {
  for (uint32_t n = 0; n < 3; ++n) resolve(t, bank, n, unit.address[n]);
}

struct Operands {
  Bank rgb, alpha;
  uint32_t rgb_srcp, alpha_srcp;

  /// Component of a selected source: R, G, B come through the RGB addresses, A through the alpha addresses.
  float read(uint32_t select, uint32_t channel, uint32_t pixel) const {
    const bool is_alpha = channel == kAlphaChannel;
    const Bank& bank = is_alpha ? alpha : rgb;
    if (select != kPresubtracted) return bank.src[select].at(channel, pixel);
    return presubtract(is_alpha ? alpha_srcp : rgb_srcp, bank.src[0].at(channel, pixel), bank.src[1].at(channel, pixel));
  }

  Lanes operand(uint32_t select, uint32_t swizzle, uint32_t modifier) const {
    Lanes v;
    if (swizzle > 3) {
      static constexpr float kLiteral[4] = {0.0f, 0.5f, 1.0f, 0.0f};  // code 7 is "unused"
      v.fill(modify(kLiteral[swizzle - 4], modifier));
      return v;
    }
    if (select == kPresubtracted) {
      for (uint32_t p = 0; p < 4; ++p) v[p] = modify(read(select, swizzle, p), modifier);
      return v;
    }
    const Source& source = (swizzle == kAlphaChannel ? alpha : rgb).src[select];
    for (uint32_t p = 0; p < 4; ++p) v[p] = modify(source.at(swizzle, p), modifier);
    return v;
  }

  /// src0 of one pixel of the quad, seen by all four: the fixed operands of MDH and MDV.
  Lanes neighbour(uint32_t channel, uint32_t pixel, uint32_t modifier) const {
    Lanes v;
    v.fill(modify(read(0, channel, pixel), modifier));
    return v;
  }
};

template <class F>
Lanes each(F f) {
  Lanes r;
  for (uint32_t p = 0; p < 4; ++p) r[p] = f(p);
  return r;
}

/// The operands of one channel of one unit, fetched when the operation reads them.
struct Channel {
  const Operands& in;
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
    return each([&](uint32_t p) { return mad(a[p], m[p], c[p], zero_wins); });
  }
};

template <class F>
Lanes unary(const Channel& ch, F f) {
  const Lanes a = ch.a();
  return each([&](uint32_t p) { return f(a[p]); });
}
template <class F>
Lanes binary(const Channel& ch, F f) {
  const Lanes a = ch.a(), b = ch.b();
  return each([&](uint32_t p) { return f(a[p], b[p]); });
}
template <class F>
Lanes ternary(const Channel& ch, F f) {
  const Lanes a = ch.a(), b = ch.b(), c = ch.c();
  return each([&](uint32_t p) { return f(a[p], b[p], c[p]); });
}

/// The result of a componentwise or scalar operation for one channel.
Lanes operation(AluOp op, const Channel& ch, bool zero_wins) {
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
    case AluOp::XI: break;   // not of strict programs
  }
  return {};
}

/// From left to right: r*r' rounded, then fused with g*g', b*b' (D2A: C.b added instead) and, for DP4, a*a'.
Lanes dot(const Operands& in, const Instruction& x, bool zero_wins) {
  Lanes sum = binary({in, x.rgb, 0}, [&](float a, float b) { return multiply(a, b, zero_wins); });
  const auto fuse = [&](const Channel& ch) {
    const Lanes a = ch.a(), b = ch.b();
    for (uint32_t p = 0; p < 4; ++p) sum[p] = multiply_add(a[p], b[p], sum[p], zero_wins);
  };
  fuse({in, x.rgb, 1});
  if (x.rgb.op == AluOp::D2A) {
    const Lanes c = Channel{in, x.rgb, 2}.c();
    for (uint32_t p = 0; p < 4; ++p) sum[p] = num::add(sum[p], c[p]);
  } else {
    fuse({in, x.rgb, 2});
  }
  if (x.rgb.op == AluOp::DP4) fuse({in, x.alpha, kAlphaChannel});
  for (float& v : sum) v = canonical(v);
  return sum;
}

/// Results after OMOD and clamp, [channel][pixel], and everything the instruction does with them (us-isa A6).
void write_results(Thread& t, const std::array<Lanes, 4>& result, const Instruction& x) {
  const uint32_t wmask = x.rgb.write | x.alpha.write << 3, omask = x.rgb.output | x.alpha.output << 3;
  const bool is_out = x.type == Type::OUTPUT;
  const Mask live = x.write_inactive ? kAllPixels : t.active;
  const std::array<Mask, 4> enabled = t.enabled_channels(x);  // read before predicates change

  const int32_t rgb_temp = x.rgb.write ? t.temp_index(x.rgb.dest, x.rgb.dest_relative) : -1;
  const int32_t alpha_temp = x.alpha.write ? t.temp_index(x.alpha.dest, x.alpha.dest_relative) : -1;
  for (uint32_t c = 0; c < 4; ++c) {
    const int32_t temp = c < 3 ? rgb_temp : alpha_temp;
    const uint32_t target = c < 3 ? x.rgb.target : x.alpha.target;
    const bool to_temp = (wmask >> c & 1u) && temp >= 0, to_output = omask >> c & 1u;
    const Mask temp_pixels = to_temp ? enabled[c] & live : 0, output_pixels = to_output ? enabled[c] & t.active : 0;
    if (!temp_pixels && !output_pixels) continue;
    for (uint32_t p = 0; p < 4; ++p) {
      if (temp_pixels >> p & 1u) t.quad.temp[size_t(temp)][p][c] = result[c][p];
      if (!(output_pixels >> p & 1u)) continue;
      if (is_out)
        t.quad.color[target][p][c] = result[c][p];
      else
        t.predicate[c] = Mask((t.predicate[c] & ~(1u << p)) | uint32_t(test(target, result[c][p])) << p);
    }
  }
  if (!x.depth_write && !x.result_write) return;
  for (uint32_t p = 0; p < 4; ++p) {
    if (!(t.active >> p & 1u)) continue;
    if (is_out && x.depth_write && (enabled[3] >> p & 1u)) t.quad.depth[p] = result[3][p];
    if (x.result_write) {
      const bool set = test(x.result_op, result[x.result_alpha ? 3 : 0][p]);
      t.alu_result = Mask((t.alu_result & ~(1u << p)) | uint32_t(set) << p);
    }
  }
}

}  // namespace

void execute_alu(Thread& t, const Instruction& x) {
  Operands in;
  in.rgb_srcp = x.rgb.presubtract;
  in.alpha_srcp = x.alpha.presubtract;
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
    if (alpha.componentwise || alpha.scalar)
      result[3] = operation(x.alpha.op, {in, x.alpha, kAlphaChannel}, t.zero_wins);
    else if (alpha.takes_dot && rgb.dot)
      result[3] = product;
    else
      t.complain(Complaint::reserved, "reserved ALPHA_OP, or DP without a dot product: result 0");
  }
  if (rgb_needed) {
    if (rgb.componentwise) {
      for (uint32_t c = 0; c < 3; ++c)
        if (rgb_needed >> c & 1u) result[c] = operation(x.rgb.op, {in, x.rgb, c}, t.zero_wins);
    } else if (rgb.takes_scalar && alpha.scalar) {
      result[0] = result[1] = result[2] = result[3];
    } else if (rgb.dot) {
      result[0] = result[1] = result[2] = product;
    } else {
      t.complain(Complaint::reserved, "reserved RGB_OP, or SOP without a scalar operation: result 0");
    }
  }
  for (uint32_t c = 0; c < 3; ++c)
    if (rgb_needed >> c & 1u)
      for (float& v : result[c]) v = output_modifier(v, x.rgb.omod, x.rgb.clamp);
  if (alpha_needed)
    for (float& v : result[3]) v = output_modifier(v, x.alpha.omod, x.alpha.clamp);
  write_results(t, result, x);
}

}  // namespace pumice::hw::us
