// SPDX-License-Identifier: MIT
/// See output.h. The order and the rounding of each operation are those of hw/radeon/ref/xb/write.cpp.
#include "hw/radeon/jit/x/output.h"

#include "hw/common/numerics/float_bits.h"
#include "hw/db/regs_r5x.h"

namespace pumice::hw::fast::extended::output {

namespace {

using formats::Channel;
using formats::Class;
using formats::Info;
using lane::Value;
using xb::BlendEquation;
using Blend = regs::r5x::X_CB_BLEND;
using Control = regs::r5x::X_CB_CONTROL;

/// NaN as arithmetic produces it (docs/r5x.md, rule 5).
constexpr uint32_t kNan = 0x7FFFFFFFu;

bool is_unorm(const Info& f) { return f.cls == Class::unorm || f.cls == Class::srgb; }
bool is_normalized(const Info& f) { return is_unorm(f) || f.cls == Class::snorm; }

/// Channels of X_CB_CONTROL.WRITE_MASK that the format has.
uint32_t channels(const Info& f) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < f.count; ++i) mask |= 1u << (f.component[i].channel <= Channel::a ? uint32_t(f.component[i].channel) : 0u);
  return mask;
}
/// The mask chooses all bits of the texel.
bool covers(const Info& f, uint32_t write_mask) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < f.count; ++i) {
    const Channel c = f.component[i].channel;
    if (c == Channel::e || write_mask >> (c <= Channel::a ? uint32_t(c) : 0u) & 1u) bits += f.component[i].bits;
  }
  return bits == f.bytes * 8u;
}

bool compares(const BlendEquation& e) { return e.operation == Blend::COLOR_OP__MIN || e.operation == Blend::COLOR_OP__MAX; }
BlendEquation normalized(BlendEquation e, bool is_needed) {
  if (!is_needed) return {};
  if (compares(e)) return {0, 0, e.operation};
  return e;
}
/// Whether one of the equations in use satisfies it.
template <class F>
bool any_equation(const Key& k, F f) {
  return k.blend && (f(k.color) || f(k.alpha));
}
template <class F>
bool any_factor(const BlendEquation& e, F f) {
  return !compares(e) && (f(e.source) || f(e.destination));
}

bool combines_stored(uint32_t op) {
  return op != Control::LOGIC_OP__CLEAR && op != Control::LOGIC_OP__COPY && op != Control::LOGIC_OP__COPY_INVERTED &&
         op != Control::LOGIC_OP__SET;
}

class Code {
 public:
  Code(Builder& b, const Key& k) : b_(b), k_(k), f_(formats::info(k.format)) {}

  Color limited(const Color& c) {
    if (!is_normalized(f_)) return c;
    Color out;
    for (uint32_t i = 0; i < 4; ++i) {
      if (!c[i]) continue;
      const Value v = b_.minimum(b_.maximum(c[i], b_.constant(is_unorm(f_) ? 0.0f : -1.0f)), b_.constant(1.0f));
      out[i] = is_unorm(f_) ? v : b_.select(b_.is_nan(c[i]), b_.constant(0.0f), v);
    }
    return out;
  }

  /// Integers narrower than 32 bits become the nearest that the component can hold.
  Color saturated(const Color& c) {
    if (f_.cls != Class::uint && f_.cls != Class::sint) return c;
    Color out = c;
    for (uint32_t i = 0; i < f_.count; ++i) {
      const formats::Component& of = f_.component[i];
      if (of.bits >= 32 || of.channel > Channel::a || !c[uint32_t(of.channel)]) continue;
      Value& v = out[uint32_t(of.channel)];
      const uint32_t most = (1u << (of.bits - 1)) - 1;
      v = f_.cls == Class::uint ? b_.umin(v, b_.constant_bits((1u << of.bits) - 1))
                                : b_.imax(b_.imin(v, b_.constant_bits(most)), b_.constant_bits(~most));
    }
    return out;
  }

  struct Sources {
    Color source, second, destination, constant;
  };

  Value inverse(Value v) { return b_.sub(b_.constant(1.0f), v); }
  Value factor(uint32_t code, const Sources& s, uint32_t c) {
    switch (code) {
      case Blend::COLOR_SRC__ONE: return b_.constant(1.0f);
      case Blend::COLOR_SRC__SRC_COLOR: return s.source[c];
      case Blend::COLOR_SRC__ONE_MINUS_SRC_COLOR: return inverse(s.source[c]);
      case Blend::COLOR_SRC__DST_COLOR: return s.destination[c];
      case Blend::COLOR_SRC__ONE_MINUS_DST_COLOR: return inverse(s.destination[c]);
      case Blend::COLOR_SRC__SRC_ALPHA: return s.source[3];
      case Blend::COLOR_SRC__ONE_MINUS_SRC_ALPHA: return inverse(s.source[3]);
      case Blend::COLOR_SRC__DST_ALPHA: return s.destination[3];
      case Blend::COLOR_SRC__ONE_MINUS_DST_ALPHA: return inverse(s.destination[3]);
      case Blend::COLOR_SRC__CONSTANT_COLOR: return s.constant[c];
      case Blend::COLOR_SRC__ONE_MINUS_CONSTANT_COLOR: return inverse(s.constant[c]);
      case Blend::COLOR_SRC__CONSTANT_ALPHA: return s.constant[3];
      case Blend::COLOR_SRC__ONE_MINUS_CONSTANT_ALPHA: return inverse(s.constant[3]);
      case Blend::COLOR_SRC__SRC_ALPHA_SATURATE: return c == 3 ? b_.constant(1.0f) : b_.minimum(inverse(s.destination[3]), s.source[3]);
      case Blend::COLOR_SRC__SRC1_COLOR: return s.second[c];
      case Blend::COLOR_SRC__ONE_MINUS_SRC1_COLOR: return inverse(s.second[c]);
      case Blend::COLOR_SRC__SRC1_ALPHA: return s.second[3];
      case Blend::COLOR_SRC__ONE_MINUS_SRC1_ALPHA: return inverse(s.second[3]);
      default: return b_.constant(0.0f);
    }
  }
  /// A factor ZERO drops its term.
  Value term(Value v, uint32_t code, const Sources& s, uint32_t c) {
    return code == Blend::COLOR_SRC__ZERO ? b_.constant(0.0f) : b_.mul(v, factor(code, s, c));
  }
  Value blended(const BlendEquation& e, const Sources& s, uint32_t c) {
    if (e.operation == Blend::COLOR_OP__MIN) return b_.minimum(s.destination[c], s.source[c]);
    if (e.operation == Blend::COLOR_OP__MAX) return b_.maximum(s.destination[c], s.source[c]);
    const Value x = term(s.source[c], e.source, s, c), y = term(s.destination[c], e.destination, s, c);
    switch (e.operation) {
      case Blend::COLOR_OP__SUBTRACT: return b_.sub(x, y);
      case Blend::COLOR_OP__REVERSE_SUBTRACT: return b_.sub(y, x);
      default: return b_.add(x, y);
    }
  }
  Color blend(const Raw& stored, const Color& source, const Color& second, const Color& constant) {
    Color old;
    old.fill(b_.constant(0.0f));
    if (any_equation(k_, [](const BlendEquation& e) { return reads_destination(e); }))
      old = format::finish(b_, xt::decoding_of(f_, false), format::decode(b_, f_, false, stored));
    const Sources s{limited(source), limited(second), old, limited(constant)};
    Color out;
    for (uint32_t c = 0; c < 4; ++c) {
      const Value v = blended(c < 3 ? k_.color : k_.alpha, s, c);
      out[c] = f_.cls == Class::sfloat ? b_.select(b_.is_nan(v), b_.constant_bits(kNan), v) : v;
    }
    return out;
  }
  static bool reads_destination(const BlendEquation& e) {
    if (compares(e) || e.destination != Blend::COLOR_SRC__ZERO) return true;
    switch (e.source) {
      case Blend::COLOR_SRC__DST_COLOR:
      case Blend::COLOR_SRC__ONE_MINUS_DST_COLOR:
      case Blend::COLOR_SRC__DST_ALPHA:
      case Blend::COLOR_SRC__ONE_MINUS_DST_ALPHA:
      case Blend::COLOR_SRC__SRC_ALPHA_SATURATE: return true;
      default: return false;
    }
  }

  Value logic(Value s, Value d) {
    switch (k_.logic_op) {
      case Control::LOGIC_OP__CLEAR: return b_.constant_bits(0);
      case Control::LOGIC_OP__AND: return b_.bit_and(s, d);
      case Control::LOGIC_OP__AND_REVERSE: return b_.bit_andnot(d, s);
      case Control::LOGIC_OP__COPY: return s;
      case Control::LOGIC_OP__AND_INVERTED: return b_.bit_andnot(s, d);
      case Control::LOGIC_OP__NO_OP: return d;
      case Control::LOGIC_OP__XOR: return b_.bit_xor(s, d);
      case Control::LOGIC_OP__OR: return b_.bit_or(s, d);
      case Control::LOGIC_OP__NOR: return b_.bit_not(b_.bit_or(s, d));
      case Control::LOGIC_OP__EQUIVALENT: return b_.bit_not(b_.bit_xor(s, d));
      case Control::LOGIC_OP__INVERT: return b_.bit_not(d);
      case Control::LOGIC_OP__OR_REVERSE: return b_.bit_or(s, b_.bit_not(d));
      case Control::LOGIC_OP__COPY_INVERTED: return b_.bit_not(s);
      case Control::LOGIC_OP__OR_INVERTED: return b_.bit_or(b_.bit_not(s), d);
      case Control::LOGIC_OP__NAND: return b_.bit_not(b_.bit_and(s, d));
      default: return b_.constant_bits(~0u);
    }
  }

 private:
  Builder& b_;
  const Key& k_;
  const Info& f_;
};

}  // namespace

Key key_of(const xb::Target& target) {
  const Info& f = formats::info(target.image.format);
  Key k;
  if (!target.enabled || !target.write_mask) return k;
  const bool shared = f.find(Channel::e);
  const uint32_t mask = shared ? target.write_mask : target.write_mask & channels(f);
  if (mask == 0 || (target.logic && target.logic_op == Control::LOGIC_OP__NO_OP)) return k;
  k.format = target.image.format;
  k.write_mask = uint8_t(mask);
  k.logic = target.logic && target.logic_op != Control::LOGIC_OP__COPY;
  if (k.logic) k.logic_op = target.logic_op;
  if (!target.blend) return k;
  k.color = normalized(target.color, shared || mask & 7u);
  k.alpha = normalized(target.alpha, mask >> 3 & 1u);
  // The source alone: the store clamps, so no clamp is needed before.
  k.blend = !is_normalized(f) || k.color != BlendEquation{} || k.alpha != BlendEquation{};
  return k;
}

bool reads_stored(const Key& k) {
  if (!writes(k)) return false;
  return !covers(formats::info(k.format), k.write_mask) || any_equation(k, Code::reads_destination) ||
         (k.logic && combines_stored(k.logic_op));
}
bool reads_second(const Key& k) {
  const auto is_second = [](uint32_t f) { return f >= Blend::COLOR_SRC__SRC1_COLOR && f <= Blend::COLOR_SRC__ONE_MINUS_SRC1_ALPHA; };
  return any_equation(k, [&](const BlendEquation& e) { return any_factor(e, is_second); });
}
bool reads_constant(const Key& k) {
  const auto is_constant = [](uint32_t f) {
    return f >= Blend::COLOR_SRC__CONSTANT_COLOR && f <= Blend::COLOR_SRC__ONE_MINUS_CONSTANT_ALPHA;
  };
  return any_equation(k, [&](const BlendEquation& e) { return any_factor(e, is_constant); });
}

Raw combine(Builder& b, const Key& k, const Raw& stored, const Color& source, const Color& second, const Color& constant) {
  Code code(b, k);
  const Info& f = formats::info(k.format);
  Raw fresh = format::encode(b, f, false, k.blend ? code.blend(stored, source, second, constant) : code.saturated(source));
  if (k.logic)
    for (uint32_t d = 0; d < fresh.count; ++d) {
      fresh.dword[d] = code.logic(fresh.dword[d], stored.dword[d] ? stored.dword[d] : b.constant_bits(0));
      if (d == f.bytes / 4u) fresh.dword[d] = b.bit_and(fresh.dword[d], b.constant_bits((1u << f.bytes % 4u * 8u) - 1u));
    }
  return format::merge(b, f, k.write_mask, fresh, stored);
}

void write_target(Builder& b, const Key& k, lane::Buffer buffer, lane::Value offset, lane::Mask m, const Color& source, const Color& second,
                  const Color& constant, format::Layout layout) {
  if (!writes(k)) return;
  const Info& f = formats::info(k.format);
  if (!reads_stored(k)) return format::store(b, f, buffer, offset, combine(b, k, {}, source, second, constant), m, 0, layout);
  const bool whole = layout == format::Layout::whole_block;
  const lane::Mask all = b.mask_constant(0xFFFF);
  const Raw stored = format::load(b, f, buffer, offset, whole ? all : m, Builder::Memory::changes, 0, layout);
  Raw fresh = combine(b, k, stored, source, second, constant);
  if (whole)  // what was read anyway goes back
    for (uint32_t d = 0; d < fresh.count; ++d) fresh.dword[d] = b.select(m, fresh.dword[d], stored.dword[d]);
  format::store(b, f, buffer, offset, fresh, whole ? all : m, 0, layout);
}

}  // namespace pumice::hw::fast::extended::output
