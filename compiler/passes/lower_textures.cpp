// SPDX-License-Identifier: MIT
/// What the texture units leave to the program (us-isa A8): depth comparison, and repeat or mirrored repeat where the sizes are no powers
/// of two (TextureFacts of the pipeline variant). Where lookups choose their level themselves and know normalized coordinates only (R3xx),
/// lookups of a given level and of texels are those of an image with one level.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

using Wrap = TextureFacts::Wrap;

TextureFacts facts_of(const Context& c, const Texture& t) {
  for (const auto& [pair, facts] : c.options.textures)
    if (pair == t.pair) return facts;
  return {};
}

Operand compare(Builder& b, uint8_t compare_op, const Operand& reference, const Operand& texel) {
  auto as_float = [&](Op op, const Operand& x, const Operand& y) { return b.mov(b.number(b.op(op, {x, y})), Type::f32); };
  switch (compare_op) {
    case 0: return b.constant(0.0f);
    case 1: return as_float(Op::slt, reference, texel);
    case 2: return as_float(Op::seq, reference, texel);
    case 3: return as_float(Op::sge, texel, reference);
    case 4: return as_float(Op::slt, texel, reference);
    case 5: return as_float(Op::sne, reference, texel);
    case 6: return as_float(Op::sge, reference, texel);
    default: return b.constant(1.0f);
  }
}

Operand wrapped(Builder& b, Wrap wrap, const Operand& x) {
  switch (wrap) {
    case Wrap::hardware: return x;
    case Wrap::repeat: return b.op(Op::fract, {x});
    case Wrap::mirrored_repeat: {
      // 1 - |2 fract(x / 2) - 1|
      const Operand t = b.mad(b.op(Op::fract, {b.mul(x, b.constant(0.5f))}), b.constant(2.0f), b.constant(-1.0f));
      return b.sub(b.constant(1.0f), t.abs());
    }
  }
  return x;
}

}  // namespace

namespace {

/// Lookups by level, of texels and with coordinates that count texels, on chips that have none of them.
bool use_implicit_levels(Context& c) {
  Module& m = c.module;
  bool refused = false;
  const bool changed = replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if (in.op != Op::tex || refused) return std::nullopt;
    Texture& texture = m.textures[in.index];
    const bool texels = in.tex_kind == TexKind::fetch || facts_of(c, texture).unnormalized;
    if (in.tex_kind == TexKind::grad) {
      refused = true;
      c.refuse("a texture lookup with gradients: the texture units of the " + std::string(c.options.chip->name) +
                   " choose the level of detail themselves",
               origin(m, in));
      return std::nullopt;
    }
    const bool by_level = in.tex_kind == TexKind::lod || in.tex_kind == TexKind::fetch;
    if (!by_level && !texels) return std::nullopt;
    Instruction t = in;
    t.result = 0;
    if (by_level) {
      texture.level0_offsets = true;
      t.tex_kind = TexKind::implicit;
      t.source[1] = t.source[2];  // the reference, if there is one
      --t.source_count;
    }
    if (texels) {
      const unsigned n = coord_lanes(texture.dim);
      const Operand size =
          b.append({.op = Op::load_param, .parameter = ConstantRange::Parameter::texture_size, .index = in.index}, Type::f32, 4);
      t.source[0] = b.mul(Operand{in.source[0], Type::f32, uint8_t(n)}, size.lanes(0, n)).source;
    }
    return b.append(t, Type::f32, m.comps(in.result));
  });
  return changed;
}

}  // namespace

bool lower_textures(Context& c) {
  Module& m = c.module;
  if (m.textures.empty()) return false;
  const bool by_level = c.options.chip->lookups_by_level;
  bool moved = !by_level && use_implicit_levels(c);
  for (Texture& t : m.textures) {
    t.unnormalized = by_level && facts_of(c, t).unnormalized;
    if (!t.level0_offsets || !facts_of(c, t).several_levels) continue;
    c.refuse(!by_level ? "a lookup with a given level of detail, or of texels, on an image with several levels (set " +
                             std::to_string(t.pair.image.set) + ", binding " + std::to_string(t.pair.image.binding) +
                             "): the texture units of the " + std::string(c.options.chip->name) +
                             " choose the level themselves; use a view of one level"
                       : "a texel offset with a level of detail that is not a constant whole number on an image with several levels (set " +
                             std::to_string(t.pair.image.set) + ", binding " + std::to_string(t.pair.image.binding) +
                             "): offsets are added in the program, and the texture units do not tell which level they read; use "
                             "textureLodOffset with such "
                             "a level or a view "
                             "of one level",
             t.at);
    return false;
  }
  if (c.options.textures.empty() && !any_instruction(m.body, [](const Instruction& in) { return in.op == Op::tex && in.dref; }))
    return moved;
  moved |= replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if (in.op != Op::tex) return std::nullopt;
    const Texture& texture = m.textures[in.index];
    const TextureFacts facts = facts_of(c, texture);
    const unsigned lanes = coord_lanes(texture.dim);
    const Wrap wraps[3] = {facts.wrap_s, lanes > 1 ? facts.wrap_t : Wrap::hardware, lanes > 2 ? facts.wrap_r : Wrap::hardware};
    bool wraps_here = false;
    for (Wrap w : wraps) wraps_here |= w != Wrap::hardware;
    wraps_here &= in.tex_kind != TexKind::fetch && texture.dim != TextureUse::Dim::cube;
    if (!in.dref && !wraps_here) return std::nullopt;

    Instruction t = in;
    t.result = 0;
    Operand reference;
    if (in.dref) {
      reference = {in.source[in.source_count - 1], Type::f32, 1};
      t.dref = false;
      --t.source_count;
    }
    if (wraps_here) {
      Operand coord{in.source[0], Type::f32, uint8_t(lanes)};
      if (in.tex_kind == TexKind::proj) {
        coord = b.mul(coord, b.op(Op::rcp, {Operand{in.source[1], Type::f32, 1}}));
        t.tex_kind = TexKind::implicit;
      }
      // The jump at a seam must not show in the level of detail: gradients of the coordinate before wrapping.
      // Such images have one level, so where there are no gradients the filter alone is at stake.
      if (by_level && (t.tex_kind == TexKind::implicit || t.tex_kind == TexKind::bias)) {
        Operand dx = b.op(Op::ddx, {coord}), dy = b.op(Op::ddy, {coord});
        if (t.tex_kind == TexKind::bias) {
          const Operand scale = b.op(Op::exp2, {Operand{in.source[1], Type::f32, 1}});
          dx = b.mul(dx, scale);
          dy = b.mul(dy, scale);
        }
        t.tex_kind = TexKind::grad;
        t.source_count = 3;
        t.source[1] = dx.source;
        t.source[2] = dy.source;
      }
      Vec<Operand> parts;
      for (unsigned i = 0; i < lanes; ++i) parts.push_back(wrapped(b, wraps[i], coord.lane(i)));
      t.source[0] = b.vec(parts).source;
    }
    const Operand texel = b.append(t, Type::f32, 4);
    if (!in.dref) return texel;
    // Depth formats here are fixed point: the reference is clamped as the stored depth was.
    Operand clamped = b.op(Op::mov, {reference});
    b.list().back().instructions.back().saturate = true;
    return compare(b, facts.compare_op, clamped, texel.lane(0));
  });
  return moved;
}

}  // namespace pumice::compiler::passes
