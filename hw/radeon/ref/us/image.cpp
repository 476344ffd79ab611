// SPDX-License-Identifier: MIT
/// XT slots and image accesses (docs/r5x.md s.4), lane by lane through hw/radeon/ref/xt, and strict texture slots in extended programs.
#include <cstring>

#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/group.h"
#include "hw/radeon/ref/xt/lookup.h"

namespace pumice::hw::us {

using isa::us_r500::Extended;
using isa::us_r500::selector_of;
using isa::us_r500::SubOp;
using isa::us_r500::TexOp;
using isa::us_r500::XOp;

namespace {

template <size_t N>
using Lanes4 = typename GroupThread<N>::Lanes4;

template <size_t N>
xt::Image image_of(GroupThread<N>& t, const Extended& e, uint32_t lane) {
  std::array<uint32_t, xt::kImageDwords> words;
  load_descriptor(t, e.descriptor, lane, words);
  return xt::decode_image(words);
}

template <size_t N>
xt::Sampler sampler_of(GroupThread<N>& t, const Extended& e, uint32_t lane) {
  std::array<uint32_t, xt::kSamplerDwords> words;
  load_descriptor(t, selector_of(e.immediate), lane, words, true);
  return xt::decode_sampler(words);
}

template <size_t N>
struct Sources {
  Lanes4<N> a, b, c;
};

std::array<int8_t, 3> offset_of(const Extended& e, const Bits4& third) {
  if (!e.offset) return {};
  return {int8_t(third[3]), int8_t(third[3] >> 8), int8_t(third[3] >> 16)};
}

template <size_t N>
xt::Request request_of(const Extended& e, const Sources<N>& s, uint32_t l) {
  xt::Request r;
  r.coord = s.a[l];
  r.pixel = l;
  r.compare = e.compare;
  r.reference = from_bits(s.b[l][e.op == XOp::SAMPLEG ? 3 : 1]);
  r.offset = offset_of(e, s.c[l]);
  r.lod = from_bits(s.b[l][0]);
  switch (e.op) {
    case XOp::SAMPLEB: r.mode = xt::Lod::bias; break;
    case XOp::SAMPLEL: r.mode = xt::Lod::level; break;
    case XOp::SAMPLEG:
      for (uint32_t c = 0; c < 3; ++c) r.dx[c] = from_bits(s.b[l][c]), r.dy[c] = from_bits(s.c[l][c]);
      return r;
    default: r.lod = 0;
  }
  // The same for all of a quad.
  const uint32_t first = l & ~3u;
  for (uint32_t c = 0; c < 3; ++c) {
    r.dx[c] = num::sub(from_bits(s.a[first + 1][c]), from_bits(s.a[first][c]));
    r.dy[c] = num::sub(from_bits(s.a[first + 2][c]), from_bits(s.a[first][c]));
  }
  return r;
}

std::array<int32_t, 4> integers(const Bits4& v) { return {int32_t(v[0]), int32_t(v[1]), int32_t(v[2]), int32_t(v[3])}; }

template <size_t N>
Bits4 look_up(GroupThread<N>& t, const Extended& e, const Sources<N>& s, uint32_t l) {
  const Memory& memory = t.ctx.memory;
  const xt::Image image = image_of(t, e, l);
  switch (e.op) {
    case XOp::FETCH: return xt::fetch(memory, image, integers(s.a[l]), int32_t(s.b[l][0]), int32_t(s.b[l][2]), offset_of(e, s.c[l]));
    case XOp::LDI: return xt::load(memory, image, integers(s.a[l]));
    case XOp::QSIZE: return xt::query_size(image, int32_t(s.b[l][0]));
    case XOp::QLEVELS: return image.is_null() ? Bits4{} : Bits4{image.top_level() + 1, 1u << image.samples_log2, 0, 0};
    default: break;
  }
  const xt::Sampler sampler = sampler_of(t, e, l);
  xt::Request request = request_of(e, s, l);
  request.inspector = t.ctx.inspector;
  if (e.op == XOp::GATHER) return xt::gather(memory, image, sampler, request, e.sub & 3u);
  if (e.op != XOp::QLOD) return xt::sample(memory, image, sampler, request);
  const std::array<float, 2> lod = xt::query_lod(image, sampler, request);
  return {bits(lod[0]), bits(lod[1]), 0, 0};
}

template <size_t N>
Bits4 atomic(GroupThread<N>& t, const Extended& e, const Sources<N>& s, uint32_t l) {
  const uint32_t bytes = 4 * (e.components + 1u);
  const uint64_t at = xt::texel_address(image_of(t, e, l), integers(s.a[l]), bytes);
  if (at == 0) return {};
  if (!t.ctx.memory.backed(at, bytes)) {
    t.fault(at, "memory of an image");
    return {};
  }
  auto* const host = reinterpret_cast<uint8_t*>(t.ctx.memory.host_pointer(at));
  if (bytes == 4) return {exchange(host, e, s.b[l][0], s.c[l][0])};
  const auto old = exchange_wide(host, e.sub, s.b[l], s.c[l]);
  return {old[0], old[1]};
}

}  // namespace

template <size_t N>
void execute_image(GroupThread<N>& t, const Instruction& x) {
  const Extended& e = x.tex.x;
  const Sources<N> s{t.read(x.tex.source), t.read(x.tex.dx), t.read(x.tex.dy)};
  const auto effects = typename GroupThread<N>::Mask(t.acting(x) & ~t.helpers);
  if (e.op == XOp::ATI && !has_atomic(e)) return t.complain(Complaint::reserved, "atomic operation that does not exist: nothing done");
  Lanes4<N> out{};
  for (uint32_t l = 0; l < N; ++l) {
    if (e.op == XOp::STI) {
      if (effects >> l & 1u) xt::store(t.ctx.memory, image_of(t, e, l), integers(s.a[l]), s.b[l]);
    } else if (e.op == XOp::ATI) {
      if (effects >> l & 1u) out[l] = atomic(t, e, s, l);
    } else if (t.live(x) >> l & 1u) {
      out[l] = look_up(t, e, s, l);
    }
  }
  if (e.op != XOp::STI) t.write(x, out);
}

template <size_t N>
void execute_strict_tex(GroupThread<N>& t, const Instruction& x) {
  const isa::us_r500::Texture& tex = x.tex;
  if (tex.inst == TexOp::NOP) return;
  const Lanes4<N> coord = t.read(tex.source);
  if (tex.inst == TexOp::TEXKILL) {
    const auto enabled = t.enabled_channels(x);
    typename GroupThread<N>::Mask killed = 0;
    for (uint32_t l = 0; l < N; ++l)
      for (uint32_t c = 0; c < 4; ++c)
        if (((t.active & enabled[c]) >> l & 1u) && !is_nan(from_bits(coord[l][c])) && coord[l][c] >> 31)
          killed |= typename GroupThread<N>::Mask(1u << l);
    return t.kill(killed);
  }
  const Lanes4<N> dx = t.read(tex.dx), dy = t.read(tex.dy);
  Lanes4<N> out{};
  typename GroupThread<N>::Mask killed = 0;
  for (uint32_t q = 0; q < N; q += 4) {
    if (!(t.live(x) >> q & 15u)) continue;
    tx::Request r;
    r.unit = tex.unit;
    r.unscaled = tex.unscaled;
    switch (tex.inst) {
      case TexOp::PROJ: r.lookup = tx::Lookup::proj; break;
      case TexOp::LODBIAS: r.lookup = tx::Lookup::lod_bias; break;
      case TexOp::LOD: r.lookup = tx::Lookup::lod; break;
      case TexOp::DXDY: r.lookup = tx::Lookup::dxdy; break;
      default: r.lookup = tx::Lookup::ld;
    }
    std::memcpy(r.coord.data(), &coord[q], sizeof r.coord);
    std::memcpy(r.dx.data(), &dx[q], sizeof r.dx);
    std::memcpy(r.dy.data(), &dy[q], sizeof r.dy);
    std::array<Vec4, 4> texel;
    killed |= typename GroupThread<N>::Mask(tx::sample(t.ctx, r, texel) << q);
    std::memcpy(&out[q], texel.data(), sizeof texel);
  }
  t.kill(typename GroupThread<N>::Mask(killed & t.active));
  t.write(x, out);
}

template void execute_image(GroupThread<4>&, const Instruction&);
template void execute_image(GroupThread<kGroupLanes>&, const Instruction&);
template void execute_strict_tex(GroupThread<4>&, const Instruction&);
template void execute_strict_tex(GroupThread<kGroupLanes>&, const Instruction&);

}  // namespace pumice::hw::us
