// SPDX-License-Identifier: MIT
/// The shader's interface: inputs are loaded into their variables first, outputs stored from theirs last; uniform blocks, push constants
/// and textures become rows of the module's tables. What the chip lacks is refused only if the shader uses it.
#include <algorithm>

#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Builtin;
using ir::Op;
using ir::Type;

namespace {

struct BuiltinName {
  spv::BuiltIn builtin;
  const char* name;
};
/// Built-ins this chip cannot provide, by the names people know.
constexpr BuiltinName kRefused[] = {
    {spv::BuiltInSampleId, "gl_SampleID"},
    {spv::BuiltInSamplePosition, "gl_SamplePosition"},
    {spv::BuiltInSampleMask, "gl_SampleMask"},
    {spv::BuiltInHelperInvocation, "gl_HelperInvocation"},
    {spv::BuiltInPrimitiveId, "gl_PrimitiveID"},
    {spv::BuiltInLayer, "gl_Layer"},
    {spv::BuiltInViewportIndex, "gl_ViewportIndex"},
    {spv::BuiltInClipDistance, "gl_ClipDistance"},
    {spv::BuiltInCullDistance, "gl_CullDistance"},
    {spv::BuiltInViewIndex, "gl_ViewIndex"},
    {spv::BuiltInBaseVertex, "gl_BaseVertex"},
    {spv::BuiltInBaseInstance, "gl_BaseInstance"},
    {spv::BuiltInDrawIndex, "gl_DrawID"},
    {spv::BuiltInFragStencilRefEXT, "gl_FragStencilRef"},
};
std::string refused_name(uint32_t builtin) {
  for (const BuiltinName& n : kRefused)
    if (uint32_t(n.builtin) == builtin) return n.name;
  return "built-in " + std::to_string(builtin);
}
constexpr uint32_t kMaxElements = 1024;  // of an array of descriptors
constexpr const char* kNoBuiltin = " is not something this chip can feed to or take from a shader";

}  // namespace

bool Translator::input_builtin(uint32_t builtin, Builtin& out) const {
  switch (builtin) {
    case spv::BuiltInFragCoord: out = Builtin::frag_coord; return true;
    case spv::BuiltInFrontFacing: out = Builtin::front_facing; return true;
    case spv::BuiltInPointCoord: out = Builtin::point_coord; return true;
    case spv::BuiltInVertexIndex: out = Builtin::vertex_index; return true;
    case spv::BuiltInInstanceIndex: out = Builtin::instance_index; return true;
    default: return false;
  }
}

void Translator::declare_interface() {
  const auto interface = spv_.interface();
  auto in_interface = [&](Id id) { return std::find(interface.begin(), interface.end(), id) != interface.end(); };
  m_.early_fragment_tests = spv_.has_mode(spv::ExecutionModeEarlyFragmentTests);
  for (const Inst& v : spv_.variables()) {
    switch (spv::StorageClass(v[0])) {
      case spv::StorageClassInput:
        if (in_interface(v.result)) declare_input(v);
        break;
      case spv::StorageClassOutput:
        if (in_interface(v.result)) declare_output(v);
        break;
      case spv::StorageClassPrivate: declare_variable(v); break;
      case spv::StorageClassUniform:
      case spv::StorageClassPushConstant: declare_uniform(v); break;
      case spv::StorageClassUniformConstant: declare_texture(v); break;
      case spv::StorageClassStorageBuffer:
        refused_[v.result] = "storage buffers: the chip's shaders cannot read or write memory by address";
        break;
      default: refused_[v.result] = "its storage class does not exist on this chip"; break;
    }
  }
}

void Translator::add_decorations(ir::Input& input, Id id, int member) const {
  auto has = [&](spv::Decoration d) {
    return (member < 0 ? spv_.decoration(id, d) : spv_.member_decoration(id, uint32_t(member), d)).has_value();
  };
  input.flat |= has(spv::DecorationFlat);
  input.no_perspective |= has(spv::DecorationNoPerspective);
  // Centroid is taken to be the pixel's centre, where all else is evaluated.
  if (has(spv::DecorationSample)) throw Unsupported{"an input for each sample: the program runs once a pixel"};
}

void Translator::add_input_leaves(const Inst& variable, Id type, ir::Input input, uint32_t& location, Leaves& out) {
  if (is_leaf(type)) {
    const LeafType leaf = leaf_type(type);
    input.location = location++;
    input.comps = uint8_t(leaf.comps);
    input.type = leaf.type;
    if (input.builtin == Builtin::vertex_index || input.builtin == Builtin::instance_index) input.type = Type::i32;
    if (input.builtin != Builtin::none) input.location = 0;
    if (input.component + input.comps > 4) throw Unsupported{"an input that does not fit its location"};
    m_.inputs.push_back(input);
    const Operand value = b_.append({.op = Op::load_input, .index = uint32_t(m_.inputs.size() - 1)}, input.type, input.comps);
    out.push_back(input.type == leaf.type ? value : b_.mov(value, leaf.type));
    return;
  }
  for (unsigned i = 0; i < member_count(type); ++i) {
    ir::Input member = input;
    if (spv_.def(type).op == spv::OpTypeStruct) {
      add_decorations(member, type, int(i));
      if (const auto l = spv_.member_decoration(type, i, spv::DecorationLocation)) location = *l;
      if (const auto c = spv_.member_decoration(type, i, spv::DecorationComponent)) member.component = uint8_t(*c);
      if (const auto b = spv_.member_decoration(type, i, spv::DecorationBuiltIn)) throw Unsupported{refused_name(*b) + kNoBuiltin};
    }
    add_input_leaves(variable, member_type(type, i), member, location, out);
  }
}

void Translator::declare_input(const Inst& v) {
  ir::Input input;
  if (const auto builtin = spv_.decoration(v.result, spv::DecorationBuiltIn)) {
    if (!input_builtin(*builtin, input.builtin)) {
      refused_[v.result] = refused_name(*builtin) + kNoBuiltin;
      return;
    }
  }
  add_decorations(input, v.result, -1);
  input.component = uint8_t(spv_.decoration(v.result, spv::DecorationComponent).value_or(0));
  uint32_t location = spv_.decoration(v.result, spv::DecorationLocation).value_or(0);
  const Id type = spv_.def(v.type)[1];
  Leaves values;
  add_input_leaves(v, type, input, location, values);
  declare_variable(v);
  std::span<const Operand> rest(values);
  store_tree(tree_of(v.result, type), type, 0, {}, rest);
}

void Translator::declare_output(const Inst& v) {
  // Without one it is as good as Position here.
  const uint32_t builtin = spv_.decoration(v.result, spv::DecorationBuiltIn).value_or(spv::BuiltInPosition);
  if (builtin != spv::BuiltInPosition && builtin != spv::BuiltInPointSize && builtin != spv::BuiltInFragDepth) {
    refused_[v.result] = refused_name(builtin) + kNoBuiltin;
    return;
  }
  if (spv_.decoration(v.result, spv::DecorationIndex).value_or(0) != 0) {
    refused_[v.result] = "a second colour for blending (Index 1): the chip's blender has no dual-source factors";
    return;
  }
  declare_variable(v);
  if (v.size() > 1) stored_variables_.insert(v.result);
  output_variables_.push_back(v.result);
}

void Translator::store_output_leaves(Id type, ir::Output output, uint32_t& location, std::span<const Operand>& values) {
  if (!is_leaf(type)) {
    for (unsigned i = 0; i < member_count(type); ++i) {
      if (const auto l = spv_.def(type).op == spv::OpTypeStruct ? spv_.member_decoration(type, i, spv::DecorationLocation) : std::nullopt)
        location = *l;
      store_output_leaves(member_type(type, i), output, location, values);
    }
    return;
  }
  const LeafType leaf = leaf_type(type);
  output.location = output.builtin == Builtin::none ? location++ : 0;
  output.comps = uint8_t(leaf.comps);
  output.type = leaf.type;
  if (output.component + output.comps > 4) throw Unsupported{"an output that does not fit its location"};
  if (m_.stage == Stage::fragment && leaf.type != Type::f32)
    throw Unsupported{"an integer colour output: the chip has no integer render targets"};
  m_.outputs.push_back(output);
  ir::Instruction in{.op = Op::store_output, .source_count = 1, .index = uint32_t(m_.outputs.size() - 1)};
  in.mask = uint8_t((1u << leaf.comps) - 1);
  in.source[0] = values.front().source;
  values = values.subspan(1);
  b_.append(in, Type::f32, 0);
}

void Translator::store_outputs() {
  for (Id id : output_variables_) {
    if (!stored_variables_.count(id)) continue;
    const Id type = pointers_[id].type;
    ir::Output output;
    uint32_t location = spv_.decoration(id, spv::DecorationLocation).value_or(0);
    output.component = uint8_t(spv_.decoration(id, spv::DecorationComponent).value_or(0));
    auto builtin_output = [&](uint32_t builtin) {
      switch (builtin) {
        case spv::BuiltInPosition: return Builtin::position;
        case spv::BuiltInPointSize: return Builtin::point_size;
        case spv::BuiltInFragDepth: return Builtin::frag_depth;
        default: throw Unsupported{refused_name(builtin) + kNoBuiltin};
      }
    };
    if (const auto builtin = spv_.decoration(id, spv::DecorationBuiltIn)) output.builtin = builtin_output(*builtin);
    const Pointer p = pointers_[id];
    if (spv_.def(type).op == spv::OpTypeStruct && output.builtin == Builtin::none) {
      for (unsigned i = 0; i < member_count(type); ++i) {
        const auto builtin = spv_.member_decoration(type, i, spv::DecorationBuiltIn);
        if (builtin && !stored_members_.count({id, i})) continue;
        ir::Output member = output;
        if (builtin) member.builtin = builtin_output(*builtin);
        if (const auto l = spv_.member_decoration(type, i, spv::DecorationLocation)) location = *l;
        if (const auto c = spv_.member_decoration(type, i, spv::DecorationComponent)) member.component = uint8_t(*c);
        Leaves values;
        load_tree(p.tree->members[i], member_type(type, i), 0, {}, values);
        std::span<const Operand> rest(values);
        store_output_leaves(member_type(type, i), member, location, rest);
      }
      continue;
    }
    Leaves values;
    load_tree(*p.tree, type, 0, {}, values);
    std::span<const Operand> rest(values);
    store_output_leaves(type, output, location, rest);
  }
}

uint32_t Translator::type_size(Id type, bool row_major, uint32_t matrix_stride) const {
  const Inst& t = spv_.def(type);
  switch (t.op) {
    case spv::OpTypeStruct: {
      uint32_t end = 0;
      for (unsigned i = 0; i < member_count(type); ++i) {
        const uint32_t offset = spv_.member_decoration(type, i, spv::DecorationOffset).value_or(0);
        end = std::max(end, offset + type_size(member_type(type, i), spv_.member_decoration(type, i, spv::DecorationRowMajor).has_value(),
                                               spv_.member_decoration(type, i, spv::DecorationMatrixStride).value_or(16)));
      }
      return end;
    }
    case spv::OpTypeArray:
      return (member_count(type) - 1) * spv_.decoration(type, spv::DecorationArrayStride).value_or(16) +
             type_size(t[0], row_major, matrix_stride);
    case spv::OpTypeMatrix: {
      const uint32_t rows = leaf_type(t[0]).comps, columns = t[1];
      return row_major ? (rows - 1) * matrix_stride + columns * 4 : (columns - 1) * matrix_stride + rows * 4;
    }
    default: return leaf_type(type).comps * 4;
  }
}

void Translator::declare_uniform(const Inst& v) {
  const bool push = spv::StorageClass(v[0]) == spv::StorageClassPushConstant;
  Id type = spv_.def(v.type)[1], block = type;
  uint32_t elements = 1;
  if (spv_.def(type).op == spv::OpTypeArray) {
    elements = member_count(type);
    block = member_type(type, 0);
    if (elements > kMaxElements) {
      refused_[v.result] = "an array of more than " + std::to_string(kMaxElements) + " uniform blocks";
      return;
    }
  }
  if (spv_.def(block).op != spv::OpTypeStruct || spv_.decoration(block, spv::DecorationBufferBlock)) {
    refused_[v.result] = "storage buffers: the chip's shaders cannot read or write memory by address";
    return;
  }
  uint32_t size = 0;
  try {
    size = type_size(block, false, 16);
  } catch (const Unsupported& e) {
    refused_[v.result] = e.text;
    return;
  }
  Pointer p{.kind = push ? Pointer::Kind::push : Pointer::Kind::uniform, .type = type, .variable = v.result};
  if (push) {
    m_.push_size = size;
  } else {
    p.row = uint32_t(m_.uniforms.size());
    p.block_array = type != block;
    for (uint32_t e = 0; e < elements; ++e)
      m_.uniforms.push_back({spv_.decoration(v.result, spv::DecorationDescriptorSet).value_or(0),
                             spv_.decoration(v.result, spv::DecorationBinding).value_or(0),
                             e,
                             size,
                             {}});
  }
  pointers_[v.result] = p;
}

void Translator::declare_texture(const Inst& v) {
  Id type = spv_.def(v.type)[1];
  uint32_t elements = 1;
  const Id whole = type;
  if (spv_.def(type).op == spv::OpTypeRuntimeArray) {
    refused_[v.result] = "texture arrays of run-time length: the chip has 16 fixed texture units";
    return;
  }
  if (spv_.def(type).op == spv::OpTypeArray) {
    elements = member_count(type);
    type = member_type(type, 0);
    if (elements > kMaxElements) {
      refused_[v.result] = "an array of more than " + std::to_string(kMaxElements) + " textures or samplers";
      return;
    }
  }
  if (spv_.def(type).op == spv::OpTypeSampler) return declare_sampler(v, whole, elements);
  const Inst& image = spv_.def(spv_.def(type).op == spv::OpTypeSampledImage ? spv_.def(type)[0] : type);
  if (image.op != spv::OpTypeImage) {
    refused_[v.result] = "its type does not exist on this chip";
    return;
  }
  ir::Texture texture;
  texture.pair.image = {spv_.decoration(v.result, spv::DecorationDescriptorSet).value_or(0),
                        spv_.decoration(v.result, spv::DecorationBinding).value_or(0), 0};
  switch (spv::Dim(image[1])) {
    case spv::Dim1D: texture.dim = TextureUse::Dim::d1; break;
    case spv::Dim2D: texture.dim = TextureUse::Dim::d2; break;
    case spv::Dim3D: texture.dim = TextureUse::Dim::d3; break;
    case spv::DimCube: texture.dim = TextureUse::Dim::cube; break;
    case spv::DimSubpassData: texture.input_attachment = true; break;
    default: refused_[v.result] = "texel buffers and rectangle images: the chip's texture units cannot address them"; return;
  }
  if (image[3]) refused_[v.result] = "array textures: the chip's texture units have no layer coordinate";
  if (image[4]) refused_[v.result] = "multisampled images: the chip's texture units cannot read samples";
  if (image[5] == 2 && !texture.input_attachment) refused_[v.result] = "storage images: the chip's shaders cannot write memory";
  if (spv_.def(image[0]).op != spv::OpTypeFloat) refused_[v.result] = "integer textures: the chip's texture units return floats only";
  if (refused_.count(v.result)) return;
  pointers_[v.result] = {.kind = Pointer::Kind::texture, .type = whole, .variable = v.result, .row = uint32_t(m_.textures.size())};
  for (uint32_t e = 0; e < elements; ++e) {
    texture.pair.image.element = e;
    // A separate image gets its samplers where it is combined with them (texture.cpp).
    if (spv_.def(type).op == spv::OpTypeSampledImage) texture.pair.sampler = texture.pair.image;
    m_.textures.push_back(texture);
  }
}

void Translator::declare_sampler(const Inst& v, Id whole, uint32_t elements) {
  pointers_[v.result] = {.kind = Pointer::Kind::sampler, .type = whole, .variable = v.result, .row = uint32_t(samplers_.size())};
  for (uint32_t e = 0; e < elements; ++e)
    samplers_.push_back({spv_.decoration(v.result, spv::DecorationDescriptorSet).value_or(0),
                         spv_.decoration(v.result, spv::DecorationBinding).value_or(0), e});
}

}  // namespace pumice::compiler::frontend
