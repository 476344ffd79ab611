// SPDX-License-Identifier: MIT
/// See image.h.
#include "hw/radeon/jit/x/image.h"

#include <algorithm>

#include "hw/db/formats.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Selector;
using isa::us_r500::TexOp;
using isa::us_r500::XOp;

namespace {

/// Number of sets (X_*_SET).
constexpr uint32_t kSets = 9;
/// Largest size of a buffer for which offsets of a texel's dwords do not wrap.
constexpr uint64_t kMostBytes = 0xFFFFFFF0u;

uint32_t axes_of(xt::Dim dim) {
  switch (dim) {
    case xt::Dim::d1:
    case xt::Dim::d1_array:
    case xt::Dim::buffer: return 1;
    case xt::Dim::d3: return 3;
    default: return 2;
  }
}
bool has_layers(xt::Dim dim) {
  return dim == xt::Dim::d1_array || dim == xt::Dim::d2_array || dim == xt::Dim::cube || dim == xt::Dim::cube_array;
}

}  // namespace

std::optional<Selector> image_use(const isa::us_r500::Instruction& x) {
  if (x.type != isa::us_r500::Type::TEXTURE || x.tex.inst != TexOp::X) return {};
  switch (x.tex.x.op) {
    case XOp::LDI:
    case XOp::STI:
    case XOp::ATI:
    case XOp::FETCH:
    case XOp::QSIZE: break;
    default: return {};
  }
  const Selector& s = x.tex.x.descriptor;
  if (s.indirect || s.set >= kSets) return {};
  return s;
}

std::vector<ImageUse> image_uses(std::span<const isa::us_r500::Instruction> code) {
  std::vector<ImageUse> uses;
  for (const auto& x : code) {
    const auto s = image_use(x);
    if (!s) continue;
    auto known = std::find_if(uses.begin(), uses.end(), [&](const ImageUse& u) { return u.descriptor == *s; });
    if (known == uses.end()) known = uses.insert(known, {.descriptor = *s});
    known->writes |= x.tex.x.op == XOp::STI || x.tex.x.op == XOp::ATI;
  }
  return uses;
}

uint32_t ImageKey::word() const {
  return uint32_t(native) | uint32_t(stencil) << 1 | uint32_t(dim) << 2 | uint32_t(samples_log2) << 5 | uint32_t(format) << 8;
}

uint64_t image_bytes(const xt::Image& image, uint64_t& begin) {
  const formats::Info& f = formats::info(image.format);
  begin = image.base;
  if (image.dim == xt::Dim::buffer) return uint64_t{image.width} * f.bytes;
  const xt::Level l = xt::level_of(image, image.first_level);
  begin += image.first_layer * image.layer_pitch + l.offset;
  const uint64_t rows = uint64_t{axes_of(image.dim) > 1 ? l.height : 1} << image.samples_log2;
  return (has_layers(image.dim) ? image.layers - 1 : 0) * image.layer_pitch + (l.depth - 1) * l.slice_pitch + (rows - 1) * l.pitch +
         uint64_t{l.width} * f.bytes;
}

ImageKey image_key(const xt::Image& image) {
  ImageKey k;
  if (image.is_null()) {
    k.native = true;
    return k;
  }
  const formats::Info& f = formats::info(image.format);
  uint64_t begin = 0;
  const uint64_t bytes = image_bytes(image, begin);
  // Rows of other levels than the first are aligned.
  // Atomics of 64 bits are at multiples of 8 bytes.
  const bool is_aligned = begin % 4 == 0 && image.pitch % (f.bytes == 8 ? 8 : format::unit_of(f)) == 0;
  if (f.compressed() || !is_aligned || bytes > kMostBytes) return k;
  k.native = true;
  k.format = image.format, k.dim = image.dim;
  k.stencil = image.stencil, k.samples_log2 = image.samples_log2;
  return k;
}

ImageView image_view(const xt::Image& image, const void* base) {
  ImageView v;
  if (image.is_null()) return v;
  uint64_t begin = 0;
  v.texels = {base, uint32_t(image_bytes(image, begin))};
  if (image.dim == xt::Dim::buffer) {
    v.size[0] = image.width, v.element = image.element;
    return v;
  }
  const xt::Level l = xt::level_of(image, image.first_level);
  v.size[0] = l.width, v.size[1] = l.height, v.size[2] = l.depth;
  v.layers = image.layers;
  // Offsets that wrap are outside of the image.
  v.sample_pitch = l.pitch, v.row_pitch = l.pitch << image.samples_log2;
  v.slice_pitch = uint32_t(l.slice_pitch), v.layer_pitch = uint32_t(image.layer_pitch);
  return v;
}

ImageCode::Place ImageCode::locate(const Values& coord) {
  if (k_.format == 0) return {zero(), b_.mask_constant(0)};
  const uint32_t axes = axes_of(k_.dim);
  Place p{b_.imul(coord[0], b_.constant_bits(format_.bytes)), b_.mask_constant(0xFFFF)};
  const auto limit = [&](Value c, Value size) { p.inside = b_.mask_and(p.inside, b_.ult(c, size)); };
  const auto step = [&](Value c, size_t pitch) { p.offset = b_.iadd(p.offset, b_.imul(c, member(pitch))); };
  for (uint32_t a = 0; a < axes; ++a) limit(coord[a], member(offsetof(ImageView, size) + 4 * a));
  if (axes > 1) step(coord[1], offsetof(ImageView, row_pitch));
  if (axes > 2) step(coord[2], offsetof(ImageView, slice_pitch));
  if (has_layers(k_.dim)) {
    limit(coord[axes], member(offsetof(ImageView, layers)));
    step(coord[axes], offsetof(ImageView, layer_pitch));
  }
  if (k_.samples_log2) {
    limit(coord[3], b_.constant_bits(1u << k_.samples_log2));
    step(coord[3], offsetof(ImageView, sample_pitch));
  }
  return p;
}

ImageCode::Values ImageCode::load(const Values& coord, Mask m) {
  const Place p = locate(coord);
  if (k_.format == 0) return {zero(), zero(), zero(), zero()};
  const Mask on = b_.mask_and(p.inside, m);
  // Lanes that read nothing have zeros, which are zeros in every format.
  return format::finish(b_, xt::decoding_of(format_, k_.stencil),
                        format::decode(b_, format_, k_.stencil, format::load(b_, format_, texels_, p.offset, on, memory_)));
}

void ImageCode::store(const Values& coord, const Values& value, Mask m) {
  if (k_.format == 0) return;
  const Place p = locate(coord);
  format::store(b_, format_, texels_, p.offset, format::encode(b_, format_, k_.stencil, value), b_.mask_and(p.inside, m));
}

ImageCode::Value ImageCode::atomic(lane::Op op, const Values& coord, Value value, Value expected, Mask m) {
  if (format_.bytes != 4) return zero();
  const Place p = locate(coord);
  const Mask on = b_.mask_and(p.inside, m);
  if (op == lane::Op::atomic_compare_exchange) return b_.atomic_compare_exchange(texels_, p.offset, expected, value, on);
  return b_.atomic(op, texels_, p.offset, value, on);
}

std::array<ImageCode::Value, 2> ImageCode::atomic(lane::Atomic64 op, const Values& coord, std::array<Value, 2> value,
                                                  std::array<Value, 2> expected, Mask m) {
  if (format_.bytes != 8) return {zero(), zero()};
  const Place p = locate(coord);
  return b_.atomic(op, texels_, p.offset, value, expected, b_.mask_and(p.inside, m));
}

ImageCode::Values ImageCode::fetch(const Values& coord, Value level, Mask m) { return load(coord, b_.mask_and(m, b_.ieq(level, zero()))); }

ImageCode::Values ImageCode::query_size() { return {member(offsetof(ImageView, size)), member(offsetof(ImageView, element)), zero(), zero()}; }

}  // namespace pumice::hw::fast::extended
