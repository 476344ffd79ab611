// SPDX-License-Identifier: MIT
/// Depth bounds, stencil and depth test of one sample of a block (hw/radeon/ref/xz/test.cpp, su::Depth).
#include "hw/radeon/fast/extended/pixel_code.h"
#include "hw/radeon/jit/x/format.h"

namespace pumice::hw::fast::extended {

using formats::Channel;
using lane::kArgs;

/// In the pixels of the block, not limited.
lane::Value PixelCode::depth_at(Group& g, Sample s) {
  lane::Builder& b = g.b;
  if (key_.collected) return b.lanes(lanes_, offsetof(CollectedLanes, z));
  const auto step = [&](size_t offset, Value lane) { return b.mul(lane, b.splat(kArgs, uint32_t(offset))); };
  const Place p = lane_place(g);
  const Value inside = b.add(step(offsetof(PixelArgs, z_step_x), p.x), step(offsetof(PixelArgs, z_step_y), p.y));
  return b.add(argument_at(g, offsetof(PixelArgs, z), s), inside);
}

/// What is no number is 0.
lane::Value PixelCode::number_or_zero(Group& g, Value z) { return g.b.select(g.b.eq(z, z), z, g.b.constant(0.0f)); }

/// As it is tested: 0..1, or any number, then the viewport's range.
lane::Value PixelCode::limited_depth(Group& g, Value z) {
  lane::Builder& b = g.b;
  z = key_.unrestricted ? number_or_zero(g, b.flush(z)) : b.minimum(b.maximum(z, b.constant(0.0f)), b.constant(1.0f));
  if (!key_.depth_clamp) return z;
  const Value low = b.splat(kArgs, offsetof(PixelArgs, z_low)), high = b.splat(kArgs, offsetof(PixelArgs, z_high));
  return b.minimum(high, b.maximum(low, z));
}

lane::Mask PixelCode::compare(Group& g, uint32_t func, Value a, Value b, bool is_float) {
  lane::Builder& l = g.b;
  switch (func) {
    case 0: return none_;
    case 1: return is_float ? l.lt(a, b) : l.ult(a, b);
    case 2: return is_float ? l.eq(a, b) : l.ieq(a, b);
    case 3: return is_float ? l.le(a, b) : l.ule(a, b);
    case 4: return is_float ? l.lt(b, a) : l.ult(b, a);
    case 5: return is_float ? l.ne(a, b) : l.ine(a, b);
    case 6: return is_float ? l.le(b, a) : l.ule(b, a);
    default: return all_;
  }
}

/// On values of 8 bits.
lane::Value PixelCode::operate(Group& g, uint32_t op, Value stored, Value reference) {
  lane::Builder& b = g.b;
  const auto number = [&](uint32_t n) { return b.constant_bits(n); };
  switch (op) {
    case 0: return stored;
    case 1: return number(0);
    case 2: return reference;
    case 3: return b.umin(b.iadd(stored, number(1)), number(255));
    case 4: return b.isub(b.umax(stored, number(1)), number(1));
    case 5: return b.bit_xor(stored, number(255));
    case 6: return b.bit_and(b.iadd(stored, number(1)), number(255));
    default: return b.bit_and(b.isub(stored, number(1)), number(255));
  }
}

/// The tests of the lanes of m, without storing. `e`: the program's exports, if it has run.
PixelCode::Tested PixelCode::test(Group& g, Sample s, Mask m, const Exports* e) {
  lane::Builder& b = g.b;
  if (!key_.depth_format) return {m, none_, {}, {}};
  namespace slot = hw::x::slot;
  const formats::Info& f = formats::info(key_.depth_format);
  const Stored at = stored_at(g, offsetof(PixelArgs, depth), offsetof(PixelConstants, depth), f.bytes, s);
  const format::Raw stored = format::load(b, f, at.buffer, at.offset, at.whole() ? all_ : m, lane::Builder::Memory::changes, 0, at.layout);
  format::Raw result = stored;

  if (key_.bounds_test) {
    const Value z = format::finish(b, xt::decoding_of(f, false), format::decode(b, f, false, stored))[0];
    const Value low = b.splat(constants_, offsetof(PixelConstants, bounds_min)),
                high = b.splat(constants_, offsetof(PixelConstants, bounds_max));
    m = b.mask_and(m, b.mask_and(b.le(low, z), b.le(z, high)));
  }
  Mask stencil_pass = all_, depth_pass = all_;
  Value old_stencil, reference;
  if (key_.stencil_test) {
    old_stencil = format::decode(b, f, true, stored)[0];
    reference = b.splat(kArgs, offsetof(PixelArgs, reference));
    if (e && key_.writes_stencil) reference = b.bit_and(g.bits(e->value[slot::stencil][0]), b.constant_bits(255));
    const Value mask = b.splat(kArgs, offsetof(PixelArgs, compare));
    stencil_pass = compare(g, key_.stencil.func, b.bit_and(reference, mask), b.bit_and(old_stencil, mask), false);
  }
  if (key_.depth_test) {
    const bool own = e && key_.writes_depth;
    Value z = own ? e->value[slot::depth][0].v : depth_at(g, s);
    // Else the encoding limits it.
    if (own || f.cls == formats::Class::sfloat || key_.depth_clamp) z = limited_depth(g, z);
    const format::Raw fresh = format::encode(b, f, false, {z, z, z, z});
    const formats::Component& d = *f.find(Channel::d);
    const bool is_float = f.cls == formats::Class::sfloat;
    // Codes are compared where they are; a fresh texel has no other bits.
    const uint32_t other = d.bits + d.shift == 32 ? (1u << d.shift) - 1 : ~(((1u << d.bits) - 1) << d.shift);
    const Value code = is_float || !other ? stored.dword[0] : b.bit_and(stored.dword[0], b.constant_bits(~other));
    depth_pass = compare(g, key_.depth_func, fresh.dword[0], code, is_float);
    if (key_.depth_write) {
      const format::Raw merged = format::merge_aspect(b, f, false, fresh, stored);
      const Mask written = b.mask_and(stencil_pass, depth_pass);
      for (uint32_t i = 0; i < merged.count; ++i)
        result.dword[i] = key_.stencil_test ? b.select(written, merged.dword[i], stored.dword[i]) : merged.dword[i];
    }
  }
  const Mask pass = b.mask_and(m, b.mask_and(stencil_pass, depth_pass));
  Mask changed = key_.depth_write ? pass : none_;
  if (key_.stencil_test && !key_.stencil.keeps()) {
    const auto done = [&](uint32_t op) { return operate(g, op, old_stencil, reference); };
    Value v = b.select(stencil_pass, b.select(depth_pass, done(key_.stencil.pass), done(key_.stencil.depth_fail)), done(key_.stencil.fail));
    const Value mask = b.splat(kArgs, offsetof(PixelArgs, write));
    v = b.bit_or(b.bit_andnot(mask, old_stencil), b.bit_and(mask, v));
    result = format::merge_aspect(b, f, true, format::encode(b, f, true, {v, v, v, v}), result);
    changed = m;
  }
  if (changed != none_ && at.whole()) {
    for (uint32_t i = 0; i < result.count; ++i) result.dword[i] = b.select(changed, result.dword[i], stored.dword[i]);
    changed = all_;
  }
  return {pass, changed, result, at};
}

/// Counts and stores.
void PixelCode::write_test(Group& g, Sample s, const Tested& t) {
  lane::Builder& b = g.b;
  if (t.changed != none_) format::store(b, formats::info(key_.depth_format), t.at.buffer, t.at.offset, t.result, t.changed, 0, t.at.layout);
  if (s.number >= 0)
    b.store(block_, uint32_t(offsetof(PixelArgs, passed) + sizeof(PixelArgs::ByBlock<uint32_t>) * uint32_t(s.number)), t.pass);
  else
    b.set(passed_, b.bit_or(b.get(passed_), b.select(t.pass, sample_bit(g, s), b.constant_bits(0))));
}

}  // namespace pumice::hw::fast::extended
