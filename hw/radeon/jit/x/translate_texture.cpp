// SPDX-License-Identifier: MIT
/// XT slots whose descriptors the code names (docs/r5x.md s.4, hw/radeon/ref/us/image.cpp).
#include <algorithm>

#include "hw/radeon/jit/x/texture_code.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::XOp;

namespace {
/// Number of pointers of a routine (of 256 at most) from which no further texture is added.
constexpr size_t kMostPointers = 200;
}  // namespace

/// False: the reference's code executes the slot.
bool Translator::texture(const Instruction& x) {
  const auto use = texture_use(x);
  if (!use || textures_.empty() || b_.program().pointers.size() >= kMostPointers) return false;
  const auto number = size_t(std::find(texture_uses_.begin(), texture_uses_.end(), *use) - texture_uses_.begin());
  const TextureKey& key = textures_[number];
  const isa::us_r500::Extended& e = x.tex.x;
  switch (e.op) {
    case XOp::QSIZE:
    case XOp::QLEVELS:
    case XOp::QLOD:
      if (!key.native) return false;
      break;
    case XOp::FETCH:
      if (!TextureCode::can_fetch(key)) return false;
      break;
    case XOp::GATHER:
      if (!TextureCode::can_gather(key)) return false;
      break;
    default:
      if (!TextureCode::can_sample(key)) return false;
      break;
  }
  // No offsets beyond edges of cubes: Vulkan has none.
  if (e.offset && (key.dim == xt::Dim::cube || key.dim == xt::Dim::cube_array) && e.op != XOp::FETCH) return false;
  const lane::Pointer views = b_.pointer(lane::kArgs, offsetof(GroupArgs, textures));
  TextureCode code(b_, key, views, uint32_t(number * sizeof(TextureView)), writes_memory_);
  const Values source = read_port(x.tex.source);
  TextureCode::Request r;
  for (uint32_t c = 0; c < 4; ++c) r.coord[c] = e.op == XOp::FETCH ? bits(source[c]) : source[c].v;  // bits of NaN do not matter
  if (e.offset) {
    const Value packed = bits(read_port(x.tex.dy)[3]);
    r.has_offset = true;
    for (uint32_t c = 0; c < 3; ++c) r.offset[c] = b_.sar(b_.shl(packed, 24 - 8 * c), 24);
  }
  const auto second = [&](uint32_t c) { return read_port(x.tex.dx)[c].v; };
  const auto integer = [&](uint32_t c) { return bits(read_port(x.tex.dx)[c]); };
  const auto results = [&](const TextureCode::Values& v, us::Nan nan) {
    Values out;
    for (uint32_t c = 0; c < 4; ++c) out[c] = {v[c], nan};
    write_port(x, out);
    return true;
  };
  switch (e.op) {
    case XOp::QSIZE: return results(code.query_size(integer(0)), Nan::exact);
    case XOp::QLEVELS: return results(code.query_levels(), Nan::exact);
    case XOp::FETCH: return results(code.fetch(r.coord, integer(0), integer(2), r), Nan::exact);
    default: break;
  }
  r.compare = e.compare;
  if (e.op != XOp::GATHER) {
    r.components = 0;
    for (uint32_t c = 0; c < 4; ++c)
      if ((x.rgb.write | x.alpha.write << 3) >> c & 1u) r.components |= 1u << x.tex.dest.swizzle[c];
  }
  if (e.compare) r.reference = second(e.op == XOp::SAMPLEG ? 3 : 1);
  r.mode = e.op == XOp::SAMPLEB ? TextureCode::Lod::bias : e.op == XOp::SAMPLEL ? TextureCode::Lod::level : TextureCode::Lod::gradients;
  if (r.mode != TextureCode::Lod::gradients) r.lod = second(0);
  if (e.op == XOp::SAMPLEG) {
    const Values third = read_port(x.tex.dy);
    for (uint32_t c = 0; c < 3; ++c) r.dx[c] = second(c), r.dy[c] = third[c].v;
  } else {
    for (uint32_t c = 0; c < 3; ++c) {
      const Value first = b_.quad(r.coord[c], 0);
      r.dx[c] = b_.sub(b_.quad(r.coord[c], 1), first), r.dy[c] = b_.sub(b_.quad(r.coord[c], 2), first);
    }
  }
  const us::Nan nan = e.compare || code.never_nan() ? Nan::exact : Nan::us;
  switch (e.op) {
    case XOp::QLOD: return results(code.query_lod(r), Nan::exact);
    case XOp::GATHER: return results(code.gather(r, e.sub & 3u), nan);
    default: return results(code.sample(r), nan);
  }
}

}  // namespace pumice::hw::fast::extended
