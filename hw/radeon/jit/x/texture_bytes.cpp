// SPDX-License-Identifier: MIT
/// The linear filter of four unorm bytes, in integers as far as it is exact in floats, too: of codes of 8 bits and weights of 8 bits the
/// sum over a row has 16 bits, that over two rows 24. The results are 256 times as large (kBytesScale), which the scale of the format takes
/// back: multiplications by powers of two round nothing.
///
/// Layout: both texels of a row lie side by side, those of lanes 0 and 1 of each quad in one register ("low"), those of 2 and 3 in another.
/// Sums over the row are two channels by lane there.
#include "hw/radeon/jit/x/args.h"
#include "hw/radeon/jit/x/block_cache.h"
#include "hw/radeon/jit/x/texture_code.h"

namespace pumice::hw::fast::extended {

namespace {

/// Bytes of two texels of a lane to pairs of words: the channels at `first` and `second` of both.
std::array<uint8_t, 16> pairs_of(uint32_t first, uint32_t second) {
  std::array<uint8_t, 16> from;
  from.fill(128);
  for (uint8_t lane = 0; lane < 2; ++lane)
    for (uint8_t texel = 0; texel < 2; ++texel) {
      const auto at = uint8_t(8 * lane + 4 * texel);
      from[8 * lane + 2 * texel] = uint8_t(at + first), from[8 * lane + 4 + 2 * texel] = uint8_t(at + second);
    }
  return from;
}

}  // namespace

/// Whether filtered texels are dwords of four unorm bytes.
bool TextureCode::filters_bytes(const Request& r) const {
  if (k_.reduction != xt::Reduction::average) return false;
  if (r.compare || k_.border == xt::Border::custom || !k_.mag_linear || !k_.min_linear || format_.cls != formats::Class::unorm)
    return false;
  if (format_.compressed()) return keeps_blocks() && !BlockCache::is_wide(format_);
  if (format_.bytes != 4) return false;
  for (uint32_t i = 0; i < format_.count; ++i)
    if (format_.component[i].bits != 8 || format_.component[i].channel > formats::Channel::a) return false;
  return true;
}

/// Of a component, in the dword; of those that the format lacks some other.
uint32_t TextureCode::byte_of(uint32_t channel) const {
  if (format_.compressed()) return channel;  // as the cache keeps them
  const formats::Component* const c = format_.find(formats::Channel(channel));
  return c ? c->shift / 8u : 0;
}

TextureCode::Beside TextureCode::beside(const Texel& a, const Texel& b) {
  if (!keeps_blocks() && !a.inside && !b.inside)
    return b_.gather_beside(b_.pointer(views_, at_ + uint32_t(offsetof(TextureView, base))), place(a), place(b), changes_);
  uint32_t border = 0;
  const Values codes = border_codes();
  for (uint32_t c = 0; c < 4; ++c)
    if (how_.present[c] && !b_.is_constant(codes[c], 0)) border |= 255u << 8 * byte_of(c);
  const auto dword = [&](const Texel& t) {
    const Value v = keeps_blocks() ? kept_raw(t).dword[0] : raw(t).dword[0];
    return t.inside ? b_.select(t.inside, v, integer(border)) : v;
  };
  const Value first = dword(a), second = dword(b);
  return {b_.zip_low(first, second), b_.zip_high(first, second)};
}

/// Texels in the order of x, y, z.
TextureCode::Values TextureCode::linear_bytes(std::span<const Texel> texels, std::span<const Weight> weights, const Request& r) {
  const uint32_t wanted = wanted_codes(r);
  const auto of_halves = [&](Value v) { return Beside{b_.zip_low(v, v), b_.zip_high(v, v)}; };
  // 256 - w for the first texel, w for the second one.
  const Value w = weights[0].code;
  const Value both = b_.iadd(b_.isub(b_.shl(w, 16), w), integer(256));
  const Beside x = of_halves(r.taken ? b_.select(r.taken, both, integer(0)) : both);
  Beside y, z;
  if (weights.size() > 1) y = of_halves(weights[1].fraction);
  if (weights.size() > 2) z = of_halves(weights[2].fraction);
  std::array<std::array<uint8_t, 16>, 2> pairs;
  for (uint32_t p = 0; p < 2; ++p) pairs[p] = pairs_of(byte_of(2 * p), byte_of(2 * p + 1));
  std::array<Beside, 4> rows;
  for (size_t n = 0; n < texels.size(); n += 2) rows[n / 2] = beside(texels[n], texels[n + 1]);
  const auto row = [&](size_t n, uint32_t pair) {
    Beside sum;
    for (uint32_t half = 0; half < 2; ++half) sum[half] = b_.dot_words(b_.shuffle_bytes(rows[n / 2][half], pairs[pair]), x[half]);
    return sum;
  };
  const auto slice = [&](size_t n, uint32_t pair) {
    const Beside a = row(n, pair), b = weights.size() > 1 ? row(n + 2, pair) : a;
    Beside v;
    for (uint32_t half = 0; half < 2; ++half) {
      v[half] = b_.to_float(a[half]);
      if (weights.size() > 1) v[half] = b_.fma(y[half], b_.to_float(b_.isub(b[half], a[half])), v[half]);
    }
    return v;
  };
  Values out;
  out.fill(integer(0));
  for (uint32_t pair = 0; pair < 2; ++pair) {
    if (!(wanted >> 2 * pair & 3u)) continue;
    Beside v = slice(0, pair);
    if (weights.size() > 2) {
      const Beside next = slice(4, pair);
      for (uint32_t half = 0; half < 2; ++half) v[half] = b_.fma(z[half], b_.sub(next[half], v[half]), v[half]);
    }
    if (wanted >> 2 * pair & 1u) out[2 * pair] = b_.unzip_even(v[0], v[1]);
    if (wanted >> 2 * pair & 2u) out[2 * pair + 1] = b_.unzip_odd(v[0], v[1]);
  }
  return out;
}

}  // namespace pumice::hw::fast::extended
