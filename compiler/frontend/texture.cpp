// SPDX-License-Identifier: MIT
/// Image instructions. The tex op takes coordinates in the chip's form (IR: TexKind); projection, offsets and sizes become arithmetic.
#include <bit>
#include <cmath>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::TexKind;
using ir::Type;

namespace {

struct Form {
  bool is_explicit, dref, proj;
};
std::optional<Form> form(spv::Op op) {
  switch (op) {
    case spv::OpImageSampleImplicitLod: return Form{false, false, false};
    case spv::OpImageSampleExplicitLod: return Form{true, false, false};
    case spv::OpImageSampleDrefImplicitLod: return Form{false, true, false};
    case spv::OpImageSampleDrefExplicitLod: return Form{true, true, false};
    case spv::OpImageSampleProjImplicitLod: return Form{false, false, true};
    case spv::OpImageSampleProjExplicitLod: return Form{true, false, true};
    case spv::OpImageSampleProjDrefImplicitLod: return Form{false, true, true};
    case spv::OpImageSampleProjDrefExplicitLod: return Form{true, true, true};
    default: return std::nullopt;
  }
}

ir::Instruction texture_size(uint32_t row, uint32_t offset) {
  return {.op = Op::load_param, .parameter = ConstantRange::Parameter::texture_size, .index = row, .offset = offset};
}

}  // namespace

bool Translator::texture(const Inst& in) {
  const auto each = [&](Operand (Translator::*of_row)(const Inst&, uint32_t)) {
    const ImageRef& ref = image(in, in[0]);
    set(in, choose(ref.rows, ref.index, [&](uint32_t row) { return (this->*of_row)(in, row); }));
    return true;
  };
  if (form(in.op)) return each(&Translator::sample);
  switch (in.op) {
    case spv::OpImage: {
      const ImageRef ref = image(in, in[0]);
      images_[in.result] = ref;
      return true;
    }
    case spv::OpSampledImage: combine(in); return true;
    case spv::OpImageFetch:
    case spv::OpImageRead: return each(&Translator::fetch);
    case spv::OpImageQuerySizeLod:
    case spv::OpImageQuerySize:
    case spv::OpImageQueryLevels: return each(&Translator::query);
    case spv::OpImageQueryLod: fail(in, "asking for the level of detail", "the chip's texture units do not return it");
    case spv::OpImageGather:
    case spv::OpImageDrefGather: return each(&Translator::gather);
    case spv::OpImageWrite: fail(in, "a store to an image", "the chip's shaders cannot write memory");
    default: return false;
  }
}

ImageRef Translator::load_image(const Pointer& p) {
  ImageRef ref{p.kind == Pointer::Kind::sampler, {}, {}};
  if (p.dynamic.empty()) {
    ref.rows = {p.row + p.offset};
    return ref;
  }
  for (uint32_t i = 0; i <= p.dynamic[0].max; ++i) ref.rows.push_back(p.row + i);
  ref.index = p.dynamic[0].value;
  return ref;
}

const ImageRef& Translator::image(const Inst& in, Id id, bool sampler) {
  const auto it = images_.find(id);
  if (it == images_.end() || it->second.sampler != sampler)
    fail(in, "an image or sampler that is not a plain variable", "the texture unit of an instruction is fixed on this chip");
  return it->second;
}

/// OpSampledImage: every pair of image and sampler that occurs is a texture of its own.
void Translator::combine(const Inst& in) {
  const ImageRef images = image(in, in[0]), samplers = image(in, in[1], true);
  ImageRef out;
  for (uint32_t i : images.rows) {
    for (uint32_t s : samplers.rows) {
      ir::Texture texture = m_.textures.at(i);
      texture.pair.sampler = samplers_.at(s);
      size_t row = 0;
      while (row < m_.textures.size() && !(m_.textures[row].pair == texture.pair && m_.textures[row].dim == texture.dim)) ++row;
      if (row == m_.textures.size()) m_.textures.push_back(texture);
      out.rows.push_back(uint32_t(row));
    }
  }
  out.index = images.index;
  if (samplers.index) {
    const Operand i = retag(samplers.index, Type::i32);
    out.index = i;
    if (images.index) {
      const Operand row = retag(images.index, Type::i32);
      out.index = b_.op(Op::iadd, {b_.op(Op::imul, {row, integer(uint32_t(samplers.rows.size()), row)}), i});
    }
  }
  images_[in.result] = out;
}

Operand Translator::sample(const Inst& in, uint32_t row) {
  const Form f = *form(in.op);
  ir::Texture& texture = m_.textures.at(row);
  if (m_.stage == Stage::vertex) fail(in, "a texture lookup in a vertex shader", "the chip's vertex unit has no texture access");
  const unsigned lanes = ir::coord_lanes(texture.dim);
  const Operand given = operand(in[1]);
  Operand coord = given.lanes(0, lanes);
  size_t next = 2;
  Operand dref;
  if (f.dref) dref = operand(in[next++]);
  const Operand divisor = f.proj ? given.lane(lanes) : Operand{};
  // Image operands, in the order of their mask bits.
  const uint32_t mask = next < in.size() ? in[next++] : 0;
  constexpr uint32_t kKnown = uint32_t(spv::ImageOperandsBiasMask) | spv::ImageOperandsLodMask | spv::ImageOperandsGradMask |
                              spv::ImageOperandsConstOffsetMask | spv::ImageOperandsOffsetMask;
  if (mask & ~kKnown) fail(in, "image operands " + std::to_string(mask & ~kKnown), "the chip's texture units have no such control");
  Operand q, dx, dy, offset;
  TexKind kind = TexKind::implicit;
  if (mask & spv::ImageOperandsBiasMask) kind = TexKind::bias, q = operand(in[next++]);
  bool whole_level = false;  // an explicit level that is known to be one level
  if (mask & spv::ImageOperandsLodMask) {
    kind = TexKind::lod;
    if (spv_.def(in[next]).op == spv::OpConstant) {
      const float level = std::bit_cast<float>(spv_.constant_u32(in[next]));
      whole_level = level <= 0 || level == std::floor(level);
    }
    q = operand(in[next++]);
  }
  if (mask & spv::ImageOperandsGradMask) kind = TexKind::grad, dx = operand(in[next]), dy = operand(in[next + 1]), next += 2;
  if (mask & (spv::ImageOperandsConstOffsetMask | spv::ImageOperandsOffsetMask)) offset = operand(in[next++]);
  if (f.proj) {
    if (kind == TexKind::implicit && !f.dref && !offset) {
      kind = TexKind::proj, q = divisor;
    } else {
      const Operand inverse = b_.op(Op::rcp, {divisor});
      coord = b_.mul(coord, inverse);
      if (f.dref) dref = b_.mul(dref, inverse);
    }
  }
  if (offset) {
    // Offsets count texels of the level that is read. A constant whole level is known; otherwise there must be only level 0, which
    // lower_textures checks once the image and the sampler are known: between two levels each has its own texels.
    const Operand inverse = b_.append(texture_size(row, 0), Type::f32, 4).lanes(0, lanes);
    Operand texels = number(offset);
    if (whole_level)
      texels = b_.mul(texels, b_.op(Op::exp2, {b_.op(Op::max, {number(q), constant(0.0f)})}));
    else
      texture.level0_offsets = true;
    coord = b_.mad(texels, inverse, coord);
  }
  ir::Instruction t{.op = Op::tex, .tex_kind = kind, .dref = f.dref, .index = row};
  auto add = [&](const Operand& o) { t.source[t.source_count++] = o.source; };
  add(coord);
  if (q) add(number(q));
  if (dx) add(dx), add(dy);
  if (f.dref) add(dref), texture.shadow = true;
  return b_.append(t, Type::f32, f.dref ? 1 : 4);
}

/// Four point lookups at the centres of the texels that the linear filter would blend in level 0. The filter rounds coordinates to 1/256 of
/// a texel (hw/radeon/ref/tx), hence the small addend; at a centre the sampler's linear filter gives that texel alone, and its address
/// modes hold.
Operand Translator::gather(const Inst& in, uint32_t row) {
  const bool dref = in.op == spv::OpImageDrefGather;
  ir::Texture& texture = m_.textures.at(row);
  if (m_.stage == Stage::vertex) fail(in, "a texture lookup in a vertex shader", "the chip's vertex unit has no texture access");
  if (texture.dim != TextureUse::Dim::d2) fail(in, "textureGather from a cube", "neighbours of a face's edge lie on another face");
  const uint32_t component = dref ? 0 : spv_.constant_u32(in[2]);
  const Operand reference = dref ? operand(in[2]) : Operand{};
  const uint32_t mask = in.size() > 3 ? in[3] : 0;
  constexpr uint32_t kOne = uint32_t(spv::ImageOperandsConstOffsetMask) | spv::ImageOperandsOffsetMask;
  if (mask & ~(kOne | spv::ImageOperandsConstOffsetsMask) || (mask & (mask - 1)))
    fail(in, "image operands " + std::to_string(mask), "the chip's texture units have no such control");
  const Leaves offsets = mask ? leaves(in[4]) : Leaves{};

  const Operand size = b_.append(texture_size(row, 1), Type::f32, 4).lanes(0, 2);
  const Operand inverse = b_.append(texture_size(row, 0), Type::f32, 4).lanes(0, 2);
  const Operand corner = b_.op(Op::floor, {b_.mad(operand(in[1]).lanes(0, 2), size, constant(-0.5f + 1.0f / 512.0f, 2))});
  // (i0, j1), (i1, j1), (i1, j0), (i0, j0); four offsets each name the i0, j0 of their own.
  constexpr float kSteps[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Vec<Operand> result;
  for (unsigned k = 0; k < 4; ++k) {
    const bool own = offsets.size() == 4;
    Operand texel = b_.add(
        corner, constant_lanes(std::array{own ? 0.5f : kSteps[k][0] + 0.5f, own ? 0.5f : kSteps[k][1] + 0.5f, 0.0f, 0.0f}, 2, Type::f32));
    if (!offsets.empty()) texel = b_.add(texel, number(offsets.at(own ? k : 0)));
    ir::Instruction t{.op = Op::tex, .tex_kind = TexKind::lod, .dref = dref, .index = row};
    auto add = [&](const Operand& o) { t.source[t.source_count++] = o.source; };
    add(b_.mul(texel, inverse));
    add(constant(-16.0f));  // the finest level whatever the sampler's bias is
    if (dref) add(reference);
    result.push_back(b_.append(t, Type::f32, dref ? 1 : 4).lane(component));
  }
  if (dref) texture.shadow = true;
  return b_.vec(result);
}

/// OpImageFetch, and OpImageRead of input attachments.
Operand Translator::fetch(const Inst& in, uint32_t row) {
  const ir::Texture& texture = m_.textures.at(row);
  if (m_.stage == Stage::vertex) fail(in, "a texture fetch in a vertex shader", "the chip's vertex unit has no texture access");
  const unsigned lanes = ir::coord_lanes(texture.dim);
  Operand texel = number(operand(in[1]));
  Operand lod = constant(0.0f);
  size_t next = 2;
  const uint32_t mask = next < in.size() ? in[next++] : 0;
  if (mask & spv::ImageOperandsLodMask) lod = number(operand(in[next++]));
  if (mask & (spv::ImageOperandsConstOffsetMask | spv::ImageOperandsOffsetMask)) texel = b_.add(texel, number(operand(in[next++])));
  if (mask & ~uint32_t(spv::ImageOperandsLodMask | spv::ImageOperandsConstOffsetMask | spv::ImageOperandsOffsetMask |
                       spv::ImageOperandsSampleMask))
    fail(in, "image operands " + std::to_string(mask), "the chip's texture units have no such control");
  Operand coord = b_.add(texel, constant(0.5f, lanes));
  if (texture.input_attachment) {
    // The pixel itself, plus the (usually zero) offset given.
    ir::Input* found = nullptr;
    for (ir::Input& i : m_.inputs)
      if (i.builtin == ir::Builtin::frag_coord) found = &i;
    if (!found) found = &m_.inputs.emplace_back(ir::Input{.builtin = ir::Builtin::frag_coord});
    const Operand pixel = b_.append({.op = Op::load_input, .index = uint32_t(found - m_.inputs.data())}, Type::f32, 4);
    coord = b_.add(pixel.lanes(0, 2), texel);
  } else if (mask & spv::ImageOperandsLodMask) {
    coord = b_.mul(coord, b_.op(Op::exp2, {lod}));
  }
  ir::Instruction t{.op = Op::tex, .source_count = 2, .tex_kind = TexKind::fetch, .index = row};
  t.source[0] = coord.source;
  t.source[1] = lod.source;
  return b_.append(t, Type::f32, 4);
}

Operand Translator::query(const Inst& in, uint32_t row) {
  const Operand size = b_.append(texture_size(row, 1), Type::f32, 4);
  const LeafType to = leaf_type(in.type);
  const Op to_integer = to.type == Type::u32 ? Op::whole2u : Op::whole2i;
  if (in.op == spv::OpImageQueryLevels) return b_.op_typed(to_integer, to.type, {size.lane(3)});
  Operand r = size.lanes(0, to.comps);
  if (in.op == spv::OpImageQuerySizeLod) {
    const Operand scaled = b_.mul(r, b_.op(Op::exp2, {-number(operand(in[1]))}));
    r = b_.op(Op::max, {b_.op(Op::floor, {scaled}), constant(1.0f)});
  }
  return b_.op_typed(to_integer, to.type, {r});
}

}  // namespace pumice::compiler::frontend
