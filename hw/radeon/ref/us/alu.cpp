// SPDX-License-Identifier: MIT
/// US ALU and OUT instructions (us-isa A3..A6): an RGB and an alpha operation on the four pixels of a quad. Order: fetch, presubtract,
/// select and swizzle, modifier, operation, OMOD, clamp, writes. Both units read every source before either writes.
#include "hw/common/numerics/transcendental.h"
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {
namespace {

using Cmn = regs::US_CMN_INST;
using RgbInst = regs::US_ALU_RGB_INST;
using AlphaInst = regs::US_ALU_ALPHA_INST;
using RgbaInst = regs::US_ALU_RGBA_INST;

using Lanes = std::array<float, 4>;  ///< one value a pixel

constexpr uint32_t kPresubtracted = 3;  ///< SEL code of srcp
constexpr uint32_t kAlphaChannel = 3;

/// Where a source's four components lie: pixel p at base[p * stride]. Constants have stride 0.
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

void resolve(Thread& t, Bank& bank, uint32_t n, uint32_t address, bool is_const, bool relative) {
  Vec4& local = bank.immediate[n];
  bank.src[n] = {local.data(), 0};
  if (is_const) {
    const int32_t i = int32_t(address) + (relative ? t.al : 0);
    if (i < 0 || i > 255) {
      t.complain(Complaint::constant, "constant outside 0..255: reads 0");
      local = {};
      return;
    }
    for (uint32_t c = 0; c < 4; ++c) local[c] = from_bits(t.ctx.state.us_const[size_t(i)][c]);
  } else if (address & 0x80u) {
    if (relative) t.complain(Complaint::reserved, "relative inline constant: aL is not added");
    local.fill(inline_constant(address & 0x7Fu));
  } else {
    const int32_t i = t.temp_index(address, relative);
    if (i < 0)
      local = {};
    else
      bank.src[n] = {t.quad.temp[size_t(i)][0].data(), 4};
  }
}

template <class Address>
void resolve_all(Thread& t, Bank& bank, Address a) {
  resolve(t, bank, 0, a.ADDR0(), a.ADDR0_CONST(), a.ADDR0_REL());
  resolve(t, bank, 1, a.ADDR1(), a.ADDR1_CONST(), a.ADDR1_REL());
  resolve(t, bank, 2, a.ADDR2(), a.ADDR2_CONST(), a.ADDR2_REL());
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

/// Operations that both units have, under one name.
enum class Op : uint8_t { mad, min, max, cnd, cmp, frc, mdh, mdv, other };

Op common_rgb(uint32_t op) {
  switch (op) {
    case RgbaInst::RGB_OP__MAD: return Op::mad;
    case RgbaInst::RGB_OP__MIN: return Op::min;
    case RgbaInst::RGB_OP__MAX: return Op::max;
    case RgbaInst::RGB_OP__CND: return Op::cnd;
    case RgbaInst::RGB_OP__CMP: return Op::cmp;
    case RgbaInst::RGB_OP__FRC: return Op::frc;
    case RgbaInst::RGB_OP__MDH: return Op::mdh;
    case RgbaInst::RGB_OP__MDV: return Op::mdv;
    default: return Op::other;
  }
}
Op common_alpha(uint32_t op) {
  switch (op) {
    case AlphaInst::ALPHA_OP__MAD: return Op::mad;
    case AlphaInst::ALPHA_OP__MIN: return Op::min;
    case AlphaInst::ALPHA_OP__MAX: return Op::max;
    case AlphaInst::ALPHA_OP__CND: return Op::cnd;
    case AlphaInst::ALPHA_OP__CMP: return Op::cmp;
    case AlphaInst::ALPHA_OP__FRC: return Op::frc;
    case AlphaInst::ALPHA_OP__MDH: return Op::mdh;
    case AlphaInst::ALPHA_OP__MDV: return Op::mdv;
    default: return Op::other;
  }
}

/// The operands of one channel of one unit, fetched when the operation asks for them.
struct Channel {
  const Operands& in;
  uint32_t channel;  ///< 0..2 RGB unit, 3 alpha unit
  uint32_t sel_a, swiz_a, mod_a, sel_b, swiz_b, mod_b, sel_c, swiz_c, mod_c;
  Lanes a() const { return in.operand(sel_a, swiz_a, mod_a); }
  Lanes b() const { return in.operand(sel_b, swiz_b, mod_b); }
  Lanes c() const { return in.operand(sel_c, swiz_c, mod_c); }
};

Lanes common(Op op, const Channel& ch, bool zero_wins) {
  const auto mad_of = [&](const Lanes& a, const Lanes& b, const Lanes& c) {
    return each([&](uint32_t p) { return mad(a[p], b[p], c[p], zero_wins); });
  };
  switch (op) {
    case Op::mad: return mad_of(ch.a(), ch.b(), ch.c());
    case Op::mdh: return mad_of(ch.in.neighbour(ch.channel, 0, ch.mod_a), ch.b(), ch.in.neighbour(ch.channel, 1, ch.mod_c));
    case Op::mdv: return mad_of(ch.in.neighbour(ch.channel, 0, ch.mod_a), ch.b(), ch.in.neighbour(ch.channel, 2, ch.mod_c));
    case Op::frc: {
      const Lanes a = ch.a();
      return each([&](uint32_t p) { return fraction(a[p]); });
    }
    default: break;
  }
  const Lanes a = ch.a(), b = ch.b();
  if (op == Op::min) return each([&](uint32_t p) { return minimum(a[p], b[p]); });
  if (op == Op::max) return each([&](uint32_t p) { return maximum(a[p], b[p]); });
  const Lanes c = ch.c();
  if (op == Op::cnd) return each([&](uint32_t p) { return select_cnd(a[p], b[p], c[p]); });
  return each([&](uint32_t p) { return select_cmp(a[p], b[p], c[p]); });
}

Channel rgb_channel(const Operands& in, uint32_t channel, RgbInst rgb, RgbaInst rgba) {
  const uint32_t a[3] = {rgb.RED_SWIZ_A(), rgb.GREEN_SWIZ_A(), rgb.BLUE_SWIZ_A()};
  const uint32_t b[3] = {rgb.RED_SWIZ_B(), rgb.GREEN_SWIZ_B(), rgb.BLUE_SWIZ_B()};
  const uint32_t c[3] = {rgba.RED_SWIZ_C(), rgba.GREEN_SWIZ_C(), rgba.BLUE_SWIZ_C()};
  return {in,         channel,         rgb.RGB_SEL_A(),  a[channel], rgb.RGB_MOD_A(), rgb.RGB_SEL_B(),
          b[channel], rgb.RGB_MOD_B(), rgba.RGB_SEL_C(), c[channel], rgba.RGB_MOD_C()};
}

Channel alpha_channel(const Operands& in, AlphaInst alpha, RgbaInst rgba) {
  return {in,
          kAlphaChannel,
          alpha.ALPHA_SEL_A(),
          alpha.ALPHA_SWIZ_A(),
          alpha.ALPHA_MOD_A(),
          alpha.ALPHA_SEL_B(),
          alpha.ALPHA_SWIZ_B(),
          alpha.ALPHA_MOD_B(),
          rgba.ALPHA_SEL_C(),
          rgba.ALPHA_SWIZ_C(),
          rgba.ALPHA_MOD_C()};
}

bool is_scalar(uint32_t alpha_op) { return alpha_op >= AlphaInst::ALPHA_OP__EX2 && alpha_op <= AlphaInst::ALPHA_OP__COS; }
bool is_dot(uint32_t rgb_op) { return rgb_op >= RgbaInst::RGB_OP__DP3 && rgb_op <= RgbaInst::RGB_OP__D2A; }

Lanes scalar(uint32_t op, const Lanes& a) {
  return each([&](uint32_t p) {
    switch (op) {
      case AlphaInst::ALPHA_OP__EX2: return canonical(num::exp2f_(a[p]));
      case AlphaInst::ALPHA_OP__LN2: return canonical(num::log2f_(a[p]));
      case AlphaInst::ALPHA_OP__RCP: return canonical(num::rcp(a[p]));
      case AlphaInst::ALPHA_OP__RSQ: return canonical(num::rsq(a[p]));
      case AlphaInst::ALPHA_OP__SIN: return canonical(num::sin_cycles(a[p]));
      default: return canonical(num::cos_cycles(a[p]));
    }
  });
}

/// From left to right: r*r' rounded, then fused with g*g', b*b' (D2A: C.b added instead) and, for DP4, a*a'.
Lanes dot(uint32_t op, const Operands& in, RgbInst rgb, AlphaInst alpha, RgbaInst rgba, bool zero_wins) {
  Lanes sum;
  const auto fuse = [&](const Channel& ch) {
    const Lanes a = ch.a(), b = ch.b();
    for (uint32_t p = 0; p < 4; ++p) sum[p] = multiply_add(a[p], b[p], sum[p], zero_wins);
  };
  const Channel red = rgb_channel(in, 0, rgb, rgba), blue = rgb_channel(in, 2, rgb, rgba);
  const Lanes red_a = red.a(), red_b = red.b();
  sum = each([&](uint32_t p) { return multiply(red_a[p], red_b[p], zero_wins); });
  fuse(rgb_channel(in, 1, rgb, rgba));
  if (op == RgbaInst::RGB_OP__D2A) {
    const Lanes c = blue.c();
    for (uint32_t p = 0; p < 4; ++p) sum[p] = num::add(sum[p], c[p]);
  } else {
    fuse(blue);
  }
  if (op == RgbaInst::RGB_OP__DP4) fuse(alpha_channel(in, alpha, rgba));
  for (float& v : sum) v = canonical(v);
  return sum;
}

/// Results after OMOD and clamp, [channel][pixel], and everything the instruction does with them (us-isa A6).
void write_results(Thread& t, const std::array<Lanes, 4>& result, Cmn cmn, RgbInst rgb, AlphaInst alpha, RgbaInst rgba) {
  const uint32_t wmask = cmn.RGB_WMASK() | cmn.ALPHA_WMASK() << 3, omask = cmn.RGB_OMASK() | cmn.ALPHA_OMASK() << 3;
  const bool is_out = cmn.TYPE() == Cmn::TYPE__OUTPUT;
  const Mask live = cmn.WRITE_INACTIVE() ? kAllPixels : t.active;
  std::array<Mask, 4> enabled;  // read before predicates change
  for (uint32_t c = 0; c < 3; ++c) enabled[c] = t.enabled(cmn.RGB_PRED_SEL(), cmn.RGB_PRED_INV(), c);
  enabled[3] = t.enabled(cmn.ALPHA_PRED_SEL(), cmn.ALPHA_PRED_INV(), 3);

  const int32_t rgb_temp = cmn.RGB_WMASK() ? t.temp_index(rgba.RGB_ADDRD(), rgba.RGB_ADDRD_REL()) : -1;
  const int32_t alpha_temp = cmn.ALPHA_WMASK() ? t.temp_index(alpha.ALPHA_ADDRD(), alpha.ALPHA_ADDRD_REL()) : -1;
  for (uint32_t c = 0; c < 4; ++c) {
    const int32_t temp = c < 3 ? rgb_temp : alpha_temp;
    const uint32_t target = c < 3 ? rgb.TARGET() : alpha.TARGET();
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
  if (!alpha.W_OMASK() && !rgb.ALU_WMASK()) return;
  for (uint32_t p = 0; p < 4; ++p) {
    if (!(t.active >> p & 1u)) continue;
    if (is_out && alpha.W_OMASK() && (enabled[3] >> p & 1u)) t.quad.depth[p] = result[3][p];
    if (rgb.ALU_WMASK()) {
      const bool set = test(cmn.ALU_RESULT_OP(), result[cmn.ALU_RESULT_SEL() ? 3 : 0][p]);
      t.alu_result = Mask((t.alu_result & ~(1u << p)) | uint32_t(set) << p);
    }
  }
}

}  // namespace

void execute_alu(Thread& t, const Code& code) {
  const Cmn cmn{code[0]};
  const regs::US_ALU_RGB_ADDR rgb_addr{code[1]};
  const regs::US_ALU_ALPHA_ADDR alpha_addr{code[2]};
  const RgbInst rgb{code[3]};
  const AlphaInst alpha{code[4]};
  const RgbaInst rgba{code[5]};

  Operands in;
  in.rgb_srcp = rgb_addr.SRCP_OP();
  in.alpha_srcp = alpha_addr.SRCP_OP();
  resolve_all(t, in.rgb, rgb_addr);
  resolve_all(t, in.alpha, alpha_addr);

  // What nobody reads is not computed.
  const uint32_t rgb_op = rgba.RGB_OP(), alpha_op = alpha.ALPHA_OP();
  const bool result_red = rgb.ALU_WMASK() && !cmn.ALU_RESULT_SEL(), result_alpha = rgb.ALU_WMASK() && cmn.ALU_RESULT_SEL();
  const uint32_t rgb_needed = cmn.RGB_WMASK() | cmn.RGB_OMASK() | uint32_t(result_red);
  const bool alpha_needed = cmn.ALPHA_WMASK() || cmn.ALPHA_OMASK() || alpha.W_OMASK() || result_alpha;

  std::array<Lanes, 4> result{};
  Lanes shared{};  // the dot product, or the scalar that SOP broadcasts
  const bool alpha_is_dot = alpha_op == AlphaInst::ALPHA_OP__DP;
  if (is_dot(rgb_op) && (rgb_needed || alpha_is_dot)) shared = dot(rgb_op, in, rgb, alpha, rgba, t.zero_wins);

  if (alpha_needed || (rgb_needed && rgb_op == RgbaInst::RGB_OP__SOP)) {
    const Channel ch = alpha_channel(in, alpha, rgba);
    if (const Op op = common_alpha(alpha_op); op != Op::other)
      result[3] = common(op, ch, t.zero_wins);
    else if (is_scalar(alpha_op))
      result[3] = scalar(alpha_op, ch.a());
    else if (alpha_is_dot && is_dot(rgb_op))
      result[3] = shared;
    else
      t.complain(Complaint::reserved, "reserved ALPHA_OP, or DP without a dot product: result 0");
  }
  if (rgb_needed) {
    if (const Op op = common_rgb(rgb_op); op != Op::other) {
      for (uint32_t c = 0; c < 3; ++c)
        if (rgb_needed >> c & 1u) result[c] = common(op, rgb_channel(in, c, rgb, rgba), t.zero_wins);
    } else if (rgb_op == RgbaInst::RGB_OP__SOP && is_scalar(alpha_op)) {
      result[0] = result[1] = result[2] = result[3];
    } else if (is_dot(rgb_op)) {
      result[0] = result[1] = result[2] = shared;
    } else {
      t.complain(Complaint::reserved, "reserved RGB_OP, or SOP without a scalar operation: result 0");
    }
  }
  for (uint32_t c = 0; c < 3; ++c)
    if (rgb_needed >> c & 1u)
      for (float& v : result[c]) v = output_modifier(v, rgb.OMOD(), cmn.RGB_CLAMP());
  if (alpha_needed)
    for (float& v : result[3]) v = output_modifier(v, alpha.OMOD(), cmn.ALPHA_CLAMP());
  write_results(t, result, cmn, rgb, alpha, rgba);
}

}  // namespace pumice::hw::us
