// SPDX-License-Identifier: MIT
/// Inputs that the rasterizer of a chip does not give (us-isa, Part C). Window coordinates are made of the clip position, which comes as
/// one more varying; flat vectors and the facing are refused with the line of their declaration.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

void refuse_missing(Context& c) {
  const ChipLimits& chip = *c.options.chip;
  const std::string name(chip.name);
  Vec<uint8_t> read(c.module.inputs.size());
  any_instruction(c.module.body, [&](const Instruction& in) {
    if (in.op == Op::load_input) read[in.index] = 1;
    return false;
  });
  for (size_t i = 0; i < c.module.inputs.size(); ++i) {
    const Input& in = c.module.inputs[i];
    if (!read[i]) continue;
    if (in.builtin == Builtin::none && in.flat && !chip.flat_varyings)
      return c.refuse("a flat input: the rasterizer of the " + name + " interpolates all vectors", in.at);
    if (in.builtin == Builtin::front_facing && !chip.facing)
      return c.refuse("gl_FrontFacing: the rasterizer of the " + name + " does not tell the fragment program", in.at);
  }
}

}  // namespace

bool lower_inputs(Context& c) {
  Module& m = c.module;
  if (m.stage != Stage::fragment || m.memory || c.options.chip->window_position) return false;
  refuse_missing(c);
  const auto is_coord = [&](const Instruction& in) { return in.op == Op::load_input && m.inputs[in.index].builtin == Builtin::frag_coord; };
  if (!any_instruction(m.body, is_coord)) return false;
  const auto row = uint32_t(m.inputs.size());
  m.inputs.push_back({.builtin = Builtin::position});
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if (!is_coord(in)) return std::nullopt;
    const auto param = [&](ConstantRange::Parameter p) { return b.append({.op = Op::load_param, .parameter = p}, Type::f32, 4); };
    const Operand position = b.append({.op = Op::load_input, .index = row}, Type::f32, 4);
    const Operand window = param(ConstantRange::Parameter::viewport_window);
    const Operand depth = param(ConstantRange::Parameter::viewport_transform);
    const Operand w = b.op(Op::rcp, {position.lane(3)});
    const Operand ndc = b.mul(position.lanes(0, 3), w);
    const Operand xy = b.mad(ndc.lanes(0, 2), window.swizzle({0, 2}), window.swizzle({1, 3}));
    // Numbers of 24 bits are off by some hundredths of a pixel: the centre is what it must be.
    const Operand centre = b.add(b.sub(xy, b.op(Op::fract, {xy})), b.constant(0.5f));
    const Operand z = b.mad(ndc.lane(2), depth.lane(0), depth.lane(1));
    const Operand parts[] = {centre.lane(0), centre.lane(1), z, w};
    return b.vec(parts);
  });
}

}  // namespace pumice::compiler::passes
