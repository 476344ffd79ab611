// SPDX-License-Identifier: MIT
/// Texels: bytes to codes, comparison, codes to results (hw/radeon/decode/xt/texel.cpp).
#include <algorithm>
#include <cmath>

#include "hw/radeon/jit/x/texture_code.h"

namespace pumice::hw::fast::extended {

bool TextureCode::can_fetch(const TextureKey& key) {
  const formats::Info& f = formats::info(key.format);
  const bool has_shifts = std::has_single_bit(unsigned{f.block_width}) && std::has_single_bit(unsigned{f.block_height});
  return key.native && (key.format == 0 || (format::can_decode(f) && has_shifts && !(f.compressed() && key.samples_log2)));
}
bool TextureCode::can_sample(const TextureKey& key) {
  if (key.format == 0) return key.native;
  return can_fetch(key) && !key.samples_log2;
}
bool TextureCode::can_gather(const TextureKey& key) {
  if (key.format == 0) return key.native;
  return can_fetch(key) && !key.samples_log2;
}

bool TextureCode::never_nan() const {
  return how_.integer || (format_.cls != formats::Class::sfloat && format_.cls != formats::Class::ufloat);
}

/// Bytes from the base.
TextureCode::Value TextureCode::place(const Texel& t) {
  return b_.iadd(t.row, b_.imul(b_.shr(t.i, uint32_t(std::countr_zero(unsigned{format_.block_width}))), integer(format_.bytes)));
}

format::Raw TextureCode::raw(const Texel& t) {
  const uint32_t bytes = format_.bytes;
  format::Raw out{{}, (bytes + 3) / 4};
  const lane::Pointer base = b_.pointer(views_, at_ + uint32_t(offsetof(TextureView, base)));
  const Mask m = t.inside ? t.inside : b_.mask_constant(0xFFFF);
  const Value at = place(t);
  const auto load = [&](Value offset, uint32_t more = 0) {
    return changes_ ? b_.gather_now(base, offset, m, more) : b_.gather(base, offset, m, more);
  };
  const auto aligned = [&](Value offset) { return load(b_.bit_and(offset, integer(~3u))); };
  for (uint32_t i = 0; i < out.count; ++i) {
    const uint32_t rest = std::min(bytes - 4 * i, 4u);
    if (bytes % 4 == 0) {
      out.dword[i] = load(at, 4 * i);
      continue;
    }
    const Value from = i ? b_.iadd(at, integer(4 * i)) : at;
    // From the aligned dwords around them (one or two), so that nothing beyond the image is read.
    const Value shift = b_.shl(from, 3);
    Value v = b_.shr_by(aligned(from), shift);
    if (bytes % 3 == 0) v = b_.bit_or(v, b_.shl_by(aligned(b_.iadd(from, integer(rest - 1))), b_.isub(integer(0), shift)));
    out.dword[i] = rest == 4 ? v : b_.bit_and(v, integer((1u << 8 * rest) - 1));
  }
  return out;
}

TextureCode::Values TextureCode::codes(const Texel& t) {
  if (keeps_blocks()) return kept_codes(t);
  if (!format_.compressed()) return format::decode(b_, format_, k_.stencil, raw(t));
  const Value x = b_.bit_and(t.i, integer(format_.block_width - 1u));
  return format::decode(b_, format_, k_.stencil, raw(t), x, t.j ? b_.bit_and(t.j, integer(format_.block_height - 1u)) : integer(0));
}

TextureCode::Values TextureCode::border_codes() {
  if (k_.border == xt::Border::custom) {
    const auto code = [&](uint32_t c) { return number(offsetof(TextureView, border) + 4 * c); };
    return {code(0), code(1), code(2), code(3)};
  }
  const bool white = k_.border == xt::Border::opaque_white, opaque = k_.border != xt::Border::transparent_black;
  Values out;
  for (uint32_t c = 0; c < 4; ++c) {
    const float one = xt::code_of_one(how_, c);
    out[c] = !(c < 3 ? white : opaque) ? integer(0) : how_.integer ? integer(1) : constant(one);
  }
  return out;
}

TextureCode::Value TextureCode::compared(Value code, Value reference) {
  Value r = reference;
  if (how_.fixed_depth) r = b_.minimum(b_.maximum(r, constant(0.0f)), constant(1.0f));
  Values codes;
  codes.fill(code);
  const Value depth = format::finish(b_, how_, codes)[0];
  Mask m;
  switch (k_.compare) {
    case xt::Compare::never: return integer(0);
    case xt::Compare::less: m = b_.lt(r, depth); break;
    case xt::Compare::equal: m = b_.eq(r, depth); break;
    case xt::Compare::less_or_equal: m = b_.le(r, depth); break;
    case xt::Compare::greater: m = b_.lt(depth, r); break;
    case xt::Compare::not_equal: m = b_.ne(r, depth); break;
    case xt::Compare::greater_or_equal: m = b_.le(depth, r); break;
    case xt::Compare::always: return constant(1.0f);
  }
  return b_.select(m, constant(1.0f), constant(0.0f));
}

std::array<TextureCode::Values, 2> TextureCode::two_texels(const Texel& a, const Texel& b, const Request& r) {
  const uint32_t dwords = format_.bytes / 4;
  if ((format_.bytes != 4 && format_.bytes != 8) || format_.compressed() || a.inside || b.inside) return {texel(a, r), texel(b, r)};
  const lane::Pointer base = b_.pointer(views_, at_ + uint32_t(offsetof(TextureView, base)));
  const std::array<Value, 4> row = b_.gather_row(base, place(a), place(b), dwords, changes_);
  const auto of = [&](const Texel& t, uint32_t first) {
    format::Raw raw{{}, dwords};
    for (uint32_t d = 0; d < dwords; ++d) raw.dword[d] = row[first + d];
    return texel(t, format::decode(b_, format_, k_.stencil, raw), r);
  };
  return {of(a, 0), of(b, dwords)};
}

TextureCode::Values TextureCode::texel(const Texel& t, Values v, const Request& r) {
  if (t.inside) {
    const Values border = border_codes();
    for (uint32_t c = 0; c < 4; ++c) v[c] = b_.select(t.inside, v[c], border[c]);
  }
  if (r.compare) v.fill(compared(v[0], r.reference));
  return v;
}

TextureCode::Values TextureCode::finish(const Values& codes, bool compare, float scale) {
  if (compare) return {codes[0], codes[0], codes[0], codes[0]};
  xt::Decoding how = how_;
  for (float& s : how.scale) s /= scale;
  return format::swizzled(b_, k_.swizzle, how_.integer, format::finish(b_, how, codes));
}

}  // namespace pumice::hw::fast::extended
