// SPDX-License-Identifier: MIT
/// Image instructions of chips that have descriptors in memory (docs/r5x.md, XT and the image operations of XM). What a lookup needs
/// besides its coordinate is collected in two vectors, as the chip reads them (ir::Access).
#include <bit>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Access;
using ir::Op;
using ir::TexKind;
using ir::Type;

ImageRef Translator::loaded_image(const Pointer& p) const {
  ImageRef ref;
  ref.sampler = m_.resources[p.descriptor.row].layout.kind == DescriptorLayout::Kind::sampler;
  ref.image = p.descriptor;
  return ref;
}

ImageRef Translator::image_ref(const Inst& in, Id id) const {
  const auto it = images_.find(id);
  if (it == images_.end()) fail(in, "an image or sampler that is not loaded from a variable", "the SPIR-V is not valid");
  return it->second;
}

/// Appends the instruction for the image, with the index of its descriptor (and its sampler's).
Operand Translator::image_instruction(const ImageRef& ref, ir::Instruction in, std::initializer_list<Operand> sources, Type type,
                                      unsigned comps) {
  in.index = ref.image.row;
  for (const Operand& o : sources) in.source[in.source_count++] = o.source;
  Access a = in.access();
  a.element = ref.image.element;
  Operand index = ref.image.index;
  if (index) a.flags |= Access::kIndexed;
  if (ref.sampled_with) {
    const Descriptor& s = *ref.sampled_with;
    a.sampler = uint16_t(s.row + 1);
    a.sampler_element = s.element;
    if (s.index) {
      a.flags |= Access::kSamplerIndexed;
      index = index ? b_.vec(std::array{index, s.index}) : s.index;
    }
  }
  if (index) in.source[in.source_count++] = index.source;
  in.set_access(a);
  return b_.append(in, type, comps);
}

/// Up to four lanes of one type; those that are missing read another one.
Operand Translator::four(const std::array<Operand, 4>& lanes) {
  Operand some;
  for (const Operand& o : lanes)
    if (!some) some = o;
  Vec<Operand> all;
  for (const Operand& o : lanes) all.push_back(o ? o.lane(0) : some.lane(0));
  return b_.vec(all);
}

Translator::ImageOperands Translator::image_operands(const Inst& in, size_t at) {
  ImageOperands o;
  if (at >= in.size()) return o;
  const uint32_t mask = in[at++];
  const auto next = [&] { return operand(in[at++]); };
  if (mask & spv::ImageOperandsBiasMask) o.bias = next();
  if (mask & spv::ImageOperandsLodMask) o.lod = next();
  if (mask & spv::ImageOperandsGradMask) o.dx = next(), o.dy = next();
  if (mask & spv::ImageOperandsConstOffsetMask) o.offset = next();
  if (mask & spv::ImageOperandsOffsetMask) o.offset = next();
  if (mask & spv::ImageOperandsConstOffsetsMask) o.offsets = leaves(in[at++]);
  if (mask & spv::ImageOperandsSampleMask) o.sample = next();
  if (mask & spv::ImageOperandsMinLodMask) fail(in, "a minimum level of detail", "the chip's lookups have none (MinLod)");
  if (mask & spv::ImageOperandsMakeTexelAvailableMask) ++at, o.coherent = true;
  if (mask & spv::ImageOperandsMakeTexelVisibleMask) ++at, o.coherent = true;
  o.coherent |= (mask & (spv::ImageOperandsNonPrivateTexelMask | spv::ImageOperandsVolatileTexelMask)) != 0;
  return o;
}

/// Signed bytes of one word, given as a float with these bits.
Operand Translator::packed_offsets(const Operand& offset) {
  Operand word;
  for (unsigned i = 0; i < offset.comps; ++i) {
    const Operand lane = retag(offset.lane(i), Type::u32);
    Operand byte = b_.op(Op::iand, {lane, integer(0xFF, lane)});
    if (i) byte = shifted(Op::ishl, byte, 8 * i);
    word = word ? b_.op(Op::ior, {word, byte}) : byte;
  }
  return b_.op_typed(Op::bitcast, Type::f32, {word});
}

void Translator::sample_image(const Inst& in) {
  if (ir::is_wide(leaf_type(in.type).type)) fail(in, "a sampled texel of 64 bits", "no sampled image has such a format");
  const ImageRef ref = image_ref(in, in[0]);
  const ir::Resource& r = m_.resources[ref.image.row];
  const bool dref = in.op == spv::OpImageSampleDrefImplicitLod || in.op == spv::OpImageSampleDrefExplicitLod ||
                    in.op == spv::OpImageSampleProjDrefImplicitLod || in.op == spv::OpImageSampleProjDrefExplicitLod;
  const bool proj = in.op >= spv::OpImageSampleProjImplicitLod && in.op <= spv::OpImageSampleProjDrefExplicitLod;
  const unsigned lanes = ir::sample_lanes(r);
  const Operand given = operand(in[1]);
  if (given.comps < lanes + proj) fail(in, "a coordinate of " + std::to_string(given.comps) + " components", "the SPIR-V is not valid");
  Operand coord = given.lanes(0, lanes), reference;
  if (dref) reference = operand(in[2]);
  const ImageOperands o = image_operands(in, dref ? 3 : 2);
  if (proj) {
    const Operand divisor = given.lane(lanes);
    coord = b_.op(Op::div, {coord, divisor});
    if (dref) reference = b_.op(Op::div, {reference, divisor});
  }
  ir::Instruction t{.op = Op::sample, .dref = dref};
  std::array<Operand, 4> two{}, three{};
  if (o.bias && m_.stage == Stage::fragment) t.tex_kind = TexKind::bias, two[0] = o.bias;
  if (o.lod) t.tex_kind = TexKind::lod, two[0] = number(o.lod);
  if (o.dx) {
    t.tex_kind = TexKind::grad;
    for (unsigned i = 0; i < o.dx.comps; ++i) two[i] = o.dx.lane(i), three[i] = o.dy.lane(i);
  }
  if (t.tex_kind == TexKind::implicit && m_.stage != Stage::fragment) t.tex_kind = TexKind::lod, two[0] = constant(0.0f);
  if (dref) two[o.dx ? 3 : 1] = reference;
  Access a;
  if (o.offset) a.flags = Access::kOffset, three[3] = packed_offsets(o.offset);
  t.set_access(a);
  const auto any = [](const std::array<Operand, 4>& v) { return v[0] || v[1] || v[2] || v[3]; };
  Operand texel;
  if (any(three)) {
    const Operand src3 = four(three);
    texel = image_instruction(ref, t, {coord, any(two) ? four(two) : src3, src3}, r.type, 4);
  } else if (any(two)) {
    texel = image_instruction(ref, t, {coord, four(two)}, r.type, 4);
  } else {
    texel = image_instruction(ref, t, {coord}, r.type, 4);
  }
  set(in, dref ? texel.lane(0) : texel);
}

/// Four offsets each name the (i0, j0) of their own, which a gather returns last.
void Translator::gather_image(const Inst& in) {
  if (ir::is_wide(leaf_type(in.type).type)) fail(in, "gathered texels of 64 bits", "no sampled image has such a format");
  const ImageRef ref = image_ref(in, in[0]);
  const ir::Resource& r = m_.resources[ref.image.row];
  const bool dref = in.op == spv::OpImageDrefGather;
  const Operand coord = operand(in[1]).lanes(0, ir::sample_lanes(r));
  const Operand reference = dref ? operand(in[2]) : Operand{};
  const ImageOperands o = image_operands(in, 3);
  const auto gather = [&](const Operand& offset) {
    ir::Instruction t{.op = Op::sample, .tex_kind = TexKind::gather, .dref = dref};
    Access a;
    a.sub = dref ? 0 : uint8_t(spv_.constant_u32(in[2]) & 3);
    if (offset) a.flags = Access::kOffset;
    t.set_access(a);
    if (offset) {
      const Operand src3 = four({Operand{}, Operand{}, Operand{}, packed_offsets(offset)});
      return image_instruction(ref, t, {coord, dref ? four({Operand{}, reference}) : src3, src3}, r.type, 4);
    }
    return dref ? image_instruction(ref, t, {coord, four({Operand{}, reference})}, r.type, 4)
                : image_instruction(ref, t, {coord}, r.type, 4);
  };
  if (o.offsets.empty()) return set(in, gather(o.offset));
  Vec<Operand> lanes;
  for (const Operand& offset : o.offsets) lanes.push_back(gather(offset).lane(3));
  set(in, lanes_to(in, lanes));
}

/// Integer coordinates for operations on storage images and texel buffers.
Operand Translator::texel_of(const ImageRef& ref, const Operand& coord, const Operand& sample) {
  const ir::Resource& r = m_.resources[ref.image.row];
  if (!r.multisampled) return coord.lanes(0, std::min<unsigned>(coord.comps, ir::image_lanes(r)));
  Vec<Operand> lanes;
  for (unsigned i = 0; i < 3; ++i) lanes.push_back(coord.lane(std::min<unsigned>(i, coord.comps - 1u)));
  lanes.push_back(sample ? retag(sample.lane(0), coord.type) : integer(0, coord));
  return b_.vec(lanes);
}

Operand Translator::fetch_texel(const ImageRef& ref, const Operand& given, const ImageOperands& o) {
  const ir::Resource& r = m_.resources[ref.image.row];
  using Kind = DescriptorLayout::Kind;
  if (r.texels || r.layout.kind == Kind::storage_image) {
    ir::Instruction load{.op = Op::load_image};
    Access a;
    a.flags = o.coherent ? Access::kCoherent : 0;
    load.set_access(a);
    return image_instruction(ref, load, {texel_of(ref, given, o.sample)}, r.type, 4);
  }
  Operand coord = given;
  if (r.layout.kind == Kind::input_attachment) {
    const Operand pixel = b_.op_typed(Op::f2i, given.type, {builtin(ir::Builtin::frag_coord, Type::f32, 4).lanes(0, 2)});
    const Operand place = b_.op(Op::iadd, {pixel, given.lanes(0, 2)});
    const Operand layer = retag(builtin(ir::Builtin::layer, Type::i32, 1), given.type);
    coord = b_.vec(std::array{place.lane(0), place.lane(1), layer});
  } else if (o.offset) {
    const Operand offset = retag(o.offset, coord.type);
    Vec<Operand> lanes;
    for (unsigned i = 0; i < coord.comps; ++i)
      lanes.push_back(i < offset.comps ? b_.op(Op::iadd, {coord.lane(i), offset.lane(i)}) : coord.lane(i));
    coord = b_.vec(lanes);
  }
  const Operand zero = constant_word(0, 1, Type::i32);
  ir::Instruction fetch{.op = Op::sample, .tex_kind = TexKind::fetch};
  const std::array<Operand, 4> two{o.lod ? retag(o.lod, Type::i32) : zero, {}, o.sample ? retag(o.sample, Type::i32) : Operand{}, {}};
  return image_instruction(ref, fetch, {coord, four(two)}, r.type, 4);
}

void Translator::fetch_image(const Inst& in) {
  const ImageRef ref = image_ref(in, in[0]);
  const ir::Resource& r = m_.resources[ref.image.row];
  const LeafType type = leaf_type(in.type);
  const ImageOperands o = image_operands(in, 2);
  const Operand texel = !r.wide ? fetch_texel(ref, operand(in[1]), o)
                        : r.layout.kind == DescriptorLayout::Kind::uniform_texels
                            ? wide_element(ref, operand(in[1]), o, type.type)
                            : wide_texel(fetch_texel(ref, operand(in[1]), o), type.type);
  set(in, texel.lanes(0, type.comps));
}

/// A texel of one component of 64 bits, which the chip gives as the words (low, high, 0, 1).
Operand Translator::wide_texel(const Operand& words, Type type) {
  const Operand zero = words.lane(2);
  return joined(b_.vec(std::array{words.lane(0), zero, zero, words.lane(3)}), b_.vec(std::array{words.lane(1), zero, zero, zero}), type);
}

/// An element of a uniform texel buffer: one to four components of 64 bits, each of which is a texel to the chip.
Operand Translator::wide_element(const ImageRef& ref, const Operand& given, const ImageOperands& o, Type type) {
  // Elements behind it are outside of every buffer; first + 3 does not wrap.
  constexpr uint32_t kMostElements = 0x3FFFFFFF;
  const auto word = [&](uint32_t x) { return constant_word(x, 1, Type::u32); };
  const Operand more = image_instruction(ref, {.op = Op::image_size}, {constant_word(0, 1, Type::i32)}, Type::u32, 3).lane(1);
  const Operand element = b_.op(Op::umin, {retag(given.lane(0), Type::u32), word(kMostElements)});
  const Operand first = b_.op(Op::imul, {element, b_.op(Op::iadd, {more, word(1)})});
  Vec<Operand> low, high;
  for (uint32_t c = 0; c < 4; ++c) {
    const Operand words = fetch_texel(ref, b_.op(Op::iadd, {first, word(c)}), o);
    const Operand has = b_.op_typed(Op::uge, Type::boolean, {more, word(c)});
    low.push_back(b_.sel(has, words.lane(0), word(c == 3)));
    high.push_back(b_.sel(has, words.lane(1), word(0)));
  }
  return joined(b_.vec(low), b_.vec(high), type);
}

void Translator::write_image(const Inst& in) {
  const ImageRef ref = image_ref(in, in[0]);
  ir::Resource& r = m_.resources[ref.image.row];
  r.written = true;
  const ImageOperands o = image_operands(in, 3);
  Operand texel = operand(in[2]);
  if (ir::is_wide(texel.type)) texel = b_.vec(std::array{low_words(texel.lane(0)), high_words(texel.lane(0))});
  if (texel.comps < 4) {
    Vec<Operand> lanes;
    for (unsigned i = 0; i < 4; ++i) lanes.push_back(texel.lane(std::min<unsigned>(i, texel.comps - 1u)));
    texel = b_.vec(lanes);
  }
  ir::Instruction store{.op = Op::store_image, .mask = 15};
  Access a;
  a.flags = o.coherent ? Access::kCoherent : 0;
  store.set_access(a);
  static_cast<void>(image_instruction(ref, store, {texel_of(ref, operand(in[1]), o.sample), texel}, Type::f32, 0));
}

void Translator::query_image(const Inst& in) {
  const ImageRef ref = image_ref(in, in[0]);
  const auto ints = [&](Op op, std::initializer_list<Operand> sources, unsigned comps) {
    return image_instruction(ref, {.op = op}, sources, leaf_type(in.type).type, comps);
  };
  switch (in.op) {
    case spv::OpImageQuerySizeLod: set(in, ints(Op::image_size, {operand(in[1])}, 3).lanes(0, leaf_type(in.type).comps)); break;
    case spv::OpImageQuerySize: {
      Operand size = ints(Op::image_size, {constant_word(0, 1, Type::i32)}, 3);
      const ir::Resource& r = m_.resources[ref.image.row];
      if (r.texels && r.wide) size = b_.op(Op::udiv, {size.lane(0), b_.op(Op::iadd, {size.lane(1), integer(1, size)})});
      set(in, size.lanes(0, leaf_type(in.type).comps));
      break;
    }
    case spv::OpImageQueryLevels: set(in, ints(Op::image_levels, {}, 2).lane(0)); break;
    case spv::OpImageQuerySamples: set(in, ints(Op::image_levels, {}, 2).lane(1)); break;
    default: {
      const unsigned lanes = ir::coord_lanes(m_.resources[ref.image.row].dim);
      set(in, image_instruction(ref, {.op = Op::sample_lod}, {operand(in[1]).lanes(0, lanes)}, Type::f32, 2));
      break;
    }
  }
}

void Translator::texel_pointer(const Inst& in) {
  const Pointer p = pointer(in[0]);
  if (p.kind != Pointer::Kind::image) fail(in, "a texel of something that is no image", "the SPIR-V is not valid");
  const ImageRef ref = loaded_image(p);
  texels_[in.result] = {ref, texel_of(ref, operand(in[1]), operand(in[2]))};
}

bool Translator::images(const Inst& in) {
  switch (in.op) {
    case spv::OpImage: {
      ImageRef ref = image_ref(in, in[0]);
      ref.sampled_with.reset();
      images_[in.result] = ref;
      return true;
    }
    case spv::OpSampledImage: {
      ImageRef ref = image_ref(in, in[0]);
      ref.sampled_with = image_ref(in, in[1]).image;
      images_[in.result] = ref;
      return true;
    }
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageSampleProjImplicitLod:
    case spv::OpImageSampleProjExplicitLod:
    case spv::OpImageSampleProjDrefImplicitLod:
    case spv::OpImageSampleProjDrefExplicitLod: sample_image(in); return true;
    case spv::OpImageGather:
    case spv::OpImageDrefGather: gather_image(in); return true;
    case spv::OpImageFetch:
    case spv::OpImageRead: fetch_image(in); return true;
    case spv::OpImageWrite: write_image(in); return true;
    case spv::OpImageQuerySizeLod:
    case spv::OpImageQuerySize:
    case spv::OpImageQueryLod:
    case spv::OpImageQueryLevels:
    case spv::OpImageQuerySamples: query_image(in); return true;
    default: return false;
  }
}

}  // namespace pumice::compiler::frontend
