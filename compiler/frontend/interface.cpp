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
constexpr uint32_t kLocations = 32;      // of chips with memory: attributes, varyings
constexpr uint32_t kDistances = 8;       // clip or cull distances
constexpr const char* kNoBuiltin = " is not something this chip can feed to or take from a shader";

}  // namespace

namespace {
/// Of chips with memory: inputs that the chip gives as they are.
std::optional<Builtin> system_value(uint32_t builtin) {
  switch (builtin) {
    case spv::BuiltInSampleId: return Builtin::sample_id;
    case spv::BuiltInSamplePosition: return Builtin::sample_position;
    case spv::BuiltInSampleMask: return Builtin::sample_mask;
    case spv::BuiltInPrimitiveId: return Builtin::primitive_id;
    case spv::BuiltInLayer: return Builtin::layer;
    case spv::BuiltInViewportIndex: return Builtin::viewport_index;
    case spv::BuiltInHelperInvocation: return Builtin::helper;
    case spv::BuiltInBaseVertex: return Builtin::base_vertex;
    case spv::BuiltInBaseInstance: return Builtin::base_instance;
    case spv::BuiltInDrawIndex: return Builtin::draw_index;
    case spv::BuiltInViewIndex: return Builtin::view_index;
    case spv::BuiltInLocalInvocationId: return Builtin::local_id;
    case spv::BuiltInWorkgroupId: return Builtin::group_id;
    case spv::BuiltInNumWorkgroups: return Builtin::group_count;
    case spv::BuiltInLocalInvocationIndex: return Builtin::local_index;
    case spv::BuiltInSubgroupLocalInvocationId: return Builtin::lane;
    default: return std::nullopt;
  }
}
}  // namespace

bool Translator::input_builtin(uint32_t builtin, Builtin& out) const {
  if (const auto value = memory_ ? system_value(builtin) : std::nullopt) {
    const bool tested = *value == Builtin::sample_mask && spv_.has_mode(spv::ExecutionModePostDepthCoverage);
    out = tested ? Builtin::tested_mask : *value;
    return true;
  }
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
  // What the tests leave can be known early only.
  m_.early_fragment_tests = spv_.has_mode(spv::ExecutionModeEarlyFragmentTests) || spv_.has_mode(spv::ExecutionModePostDepthCoverage);
  if (memory_) {
    declare_modes();
    declare_resources();
  }
  for (const Inst& v : spv_.variables()) {
    const auto cls = v.as<spv::StorageClass>(0);
    if (memory_ && cls != spv::StorageClassInput && cls != spv::StorageClassOutput && cls != spv::StorageClassPrivate) continue;
    if ((cls == spv::StorageClassInput || cls == spv::StorageClassOutput) && !in_interface(v.result)) continue;
    of_variable(v, [&] { declare(v, cls); });
  }
}

void Translator::declare(const Inst& v, spv::StorageClass of) {
  switch (of) {
    case spv::StorageClassInput: declare_input(v); break;
    case spv::StorageClassOutput: declare_output(v); break;
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

void Translator::add_decorations(ir::Input& input, Id id, int member) const {
  auto has = [&](spv::Decoration d) {
    return (member < 0 ? spv_.decoration(id, d) : spv_.member_decoration(id, uint32_t(member), d)).has_value();
  };
  input.flat |= has(spv::DecorationFlat);
  input.no_perspective |= has(spv::DecorationNoPerspective);
  // Centroid is taken to be the pixel's centre, where all else is evaluated.
  if (memory_) {
    input.centroid |= has(spv::DecorationCentroid);
    input.sample |= has(spv::DecorationSample);
    return;
  }
  if (has(spv::DecorationSample)) throw Unsupported{"an input for each sample: the program runs once per pixel"};
}

void Translator::add_input_leaves(const Inst& variable, Id type, ir::Input input, uint32_t& location, Leaves& out) {
  if (is_leaf(type)) {
    const LeafType leaf = leaf_type(type);
    if (ir::is_wide(leaf.type)) return add_wide_input(variable, leaf, input, location, out);
    input.location = location++;
    input.comps = uint8_t(leaf.comps);
    input.type = leaf.type;
    if (input.builtin == Builtin::vertex_index || input.builtin == Builtin::instance_index) input.type = Type::i32;
    if (input.builtin != Builtin::none) input.location = 0;
    if (input.component + input.comps > 4) throw Unsupported{"an input that does not fit its location"};
    if (memory_ && input.location >= kLocations)
      throw Unsupported{"an input at location " + std::to_string(input.location) + ": the chip has " + std::to_string(kLocations)};
    input.at = variable.operands.data();
    m_.inputs.push_back(input);
    m_.per_sample |= input.sample || input.builtin == Builtin::sample_id || input.builtin == Builtin::sample_position;
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
    if (memory_ && extended_input(*builtin, v)) return;
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
  uint32_t row = uint32_t(m_.inputs.size());
  add_input_leaves(v, type, input, location, values);
  declare_variable(v);
  std::span<const Operand> rest(values);
  store_tree(tree_of(v.result, type), type, 0, {}, rest);
  if (memory_ && m_.stage == Stage::fragment && input.builtin == Builtin::none) note_rows(tree_of(v.result, type), type, 0, row);
}

/// Which rows of the inputs the temporaries of an input variable were filled from, in the order of store_tree().
void Translator::note_rows(const TempTree& tree, Id type, uint32_t element, uint32_t& row) {
  const Inst& t = spv_.def(type);
  if (t.op == spv::OpTypeStruct) {
    for (unsigned i = 0; i < tree.members.size(); ++i) note_rows(tree.members[i], member_type(type, i), element, row);
  } else if (t.op == spv::OpTypeArray || t.op == spv::OpTypeMatrix) {
    for (uint32_t i = 0; i < member_count(type); ++i) note_rows(tree, member_type(type, 0), element * member_count(type) + i, row);
  } else {
    // What has 64 bits is never interpolated.
    if (const ir::Temp& temp = m_.temps[tree.temp]; ir::is_wide(temp.type))
      row += 1 + (temp.comps > 2);
    else
      input_rows_[{tree.temp, element}] = row++;
  }
}

/// InterpolateAt*: the input that the pointer names, elsewhere. sub and `at` as of ir::Op::interpolate.
Leaves Translator::interpolated(const Inst& in, const Pointer& p, unsigned sub, const Operand& at) {
  const auto one = [&](uint32_t element) {
    const auto row = p.tree ? input_rows_.find({p.tree->temp, element}) : input_rows_.end();
    if (row == input_rows_.end()) fail(in, "interpolation of something that is no input", "the SPIR-V is not valid");
    const ir::Input& input = m_.inputs[row->second];
    ir::Instruction x{.op = Op::interpolate, .index = row->second};
    ir::Access access;
    access.sub = uint8_t(sub);
    x.set_access(access);
    if (at) x.source[x.source_count++] = at.source;
    return b_.append(x, input.type, input.comps);
  };
  Operand value = one(p.element);
  if (!p.dynamic.empty())
    for (uint32_t i = 1; i <= p.dynamic[0].max; ++i) value = b_.sel(at_least(p.dynamic[0].value, i), one(p.element + i), value);
  if (p.vector_lanes) value = p.lane >= 0 ? value.lane(unsigned(p.lane)) : extract_dynamic(value, p.dynamic_lane);
  return {value};
}

/// Built-in inputs of chips with memory that are computed, or whose rows are not the variable's parts.
bool Translator::extended_input(uint32_t which, const Inst& v) {
  const Id type = spv_.def(v.type)[1];
  Leaves values;
  const auto word = [&](uint32_t x) { return constant_word(x, 1, leaf_type(type).type); };
  switch (which) {
    case spv::BuiltInClipDistance:
    case spv::BuiltInCullDistance: {
      const uint32_t count = member_count(type);
      if (count > kDistances) throw Unsupported{std::to_string(count) + " distances: the chip has " + std::to_string(kDistances)};
      for (uint32_t first = 0; first < count; first += 4) {
        const auto comps = uint8_t(std::min(4u, count - first));
        m_.inputs.push_back({.builtin = which == spv::BuiltInClipDistance ? Builtin::clip_distance : Builtin::cull_distance,
                             .location = first / 4,
                             .comps = comps,
                             .at = v.operands.data()});
        const Operand four = b_.append({.op = Op::load_input, .index = uint32_t(m_.inputs.size() - 1)}, Type::f32, comps);
        for (unsigned i = 0; i < comps; ++i) values.push_back(four.lane(i));
      }
      break;
    }
    case spv::BuiltInGlobalInvocationId: {
      const Operand group = builtin(Builtin::group_id, Type::u32, 3), local = builtin(Builtin::local_id, Type::u32, 3);
      const auto& size = m_.local_size;
      const Operand sizes = constant_lanes(ir::Lanes(std::array{size[0], size[1], size[2], 0u}), 3, Type::u32);
      values = {b_.op(Op::iadd, {b_.op(Op::imul, {group, sizes}), local})};
      break;
    }
    case spv::BuiltInWorkgroupSize: {
      const auto& size = m_.local_size;
      values = {constant_lanes(ir::Lanes(std::array{size[0], size[1], size[2], 0u}), 3, Type::u32)};
      break;
    }
    case spv::BuiltInSubgroupSize: values = {word(16)}; break;
    case spv::BuiltInDeviceIndex: values = {word(0)}; break;
    case spv::BuiltInViewIndex:
      // A view is drawn to its own layer, and to no other.
      if (m_.stage != Stage::fragment) return false;
      values = {builtin(Builtin::layer, leaf_type(type).type, 1)};
      break;
    case spv::BuiltInSubgroupId: values = {builtin(Builtin::subgroup, Type::u32, 2).lane(0)}; break;
    case spv::BuiltInNumSubgroups: values = {builtin(Builtin::subgroup, Type::u32, 2).lane(1)}; break;
    case spv::BuiltInSubgroupEqMask:
    case spv::BuiltInSubgroupGeMask:
    case spv::BuiltInSubgroupGtMask:
    case spv::BuiltInSubgroupLeMask:
    case spv::BuiltInSubgroupLtMask: {
      const Operand mask = lane_mask(spv::BuiltIn(which)), none = integer(0, mask);
      values = {b_.vec(std::array{mask, none, none, none})};
      break;
    }
    default: return false;
  }
  declare_variable(v);
  std::span<const Operand> rest(values);
  store_tree(tree_of(v.result, type), type, 0, {}, rest);
  return true;
}

void Translator::declare_output(const Inst& v) {
  // Without one it is as good as Position here.
  const uint32_t builtin = spv_.decoration(v.result, spv::DecorationBuiltIn).value_or(spv::BuiltInPosition);
  const auto extended = [&] {
    switch (builtin) {
      case spv::BuiltInLayer:
      case spv::BuiltInViewportIndex:
      case spv::BuiltInClipDistance:
      case spv::BuiltInCullDistance:
      case spv::BuiltInSampleMask:
      case spv::BuiltInFragStencilRefEXT: return memory_;
      default: return false;
    }
  };
  if (builtin != spv::BuiltInPosition && builtin != spv::BuiltInPointSize && builtin != spv::BuiltInFragDepth && !extended()) {
    refused_[v.result] = refused_name(builtin) + kNoBuiltin;
    return;
  }
  if (spv_.decoration(v.result, spv::DecorationIndex).value_or(0) != 0 && !memory_) {
    refused_[v.result] = "a second colour for blending (Index 1): the chip's blender has no dual-source factors";
    return;
  }
  declare_variable(v);
  if (v.size() > 1) stored_variables_.insert(v.result);
  output_variables_.push_back(v.result);
}

void Translator::store_output_leaves(Id type, ir::Output output, uint32_t& location, std::span<const Operand>& values) {
  if ((output.builtin == Builtin::clip_distance || output.builtin == Builtin::cull_distance) && !is_leaf(type)) {
    if (values.size() > kDistances)
      throw Unsupported{std::to_string(values.size()) + " distances: the chip has " + std::to_string(kDistances)};
    for (unsigned first = 0; !values.empty(); first += 4) {
      const size_t comps = std::min<size_t>(values.size(), 4);
      const Operand four = b_.vec(values.first(comps));
      output.location = first / 4;
      output.comps = uint8_t(comps);
      output.type = Type::f32;
      m_.outputs.push_back(output);
      ir::Instruction in{.op = Op::store_output, .source_count = 1, .index = uint32_t(m_.outputs.size() - 1)};
      in.mask = uint8_t((1u << comps) - 1);
      in.source[0] = four.source;
      b_.append(in, Type::f32, 0);
      values = values.subspan(comps);
    }
    return;
  }
  if (!is_leaf(type)) {
    for (unsigned i = 0; i < member_count(type); ++i) {
      if (const auto l = spv_.def(type).op == spv::OpTypeStruct ? spv_.member_decoration(type, i, spv::DecorationLocation) : std::nullopt)
        location = *l;
      store_output_leaves(member_type(type, i), output, location, values);
    }
    return;
  }
  const LeafType leaf = leaf_type(type);
  if (ir::is_wide(leaf.type)) {
    store_wide_output(leaf, output, location, values.front());
    values = values.subspan(1);
    return;
  }
  if (output.builtin != Builtin::clip_distance && output.builtin != Builtin::cull_distance)
    output.location = output.builtin == Builtin::none ? location++ : 0;
  output.comps = uint8_t(leaf.comps);
  output.type = leaf.type;
  if (output.component + output.comps > 4) throw Unsupported{"an output that does not fit its location"};
  if (m_.stage == Stage::fragment && leaf.type != Type::f32 && !memory_)
    throw Unsupported{"an integer colour output: the chip has no integer render targets"};
  m_.outputs.push_back(output);
  ir::Instruction in{.op = Op::store_output, .source_count = 1, .index = uint32_t(m_.outputs.size() - 1)};
  in.mask = uint8_t((1u << leaf.comps) - 1);
  in.source[0] = values.front().source;
  values = values.subspan(1);
  b_.append(in, Type::f32, 0);
}

void Translator::store_outputs() {
  for (Id id : output_variables_)
    if (stored_variables_.count(id)) of_variable(spv_.def(id), [&] { store_output(id); });
}

void Translator::store_output(Id id) {
  const Id type = pointers_[id].type;
  ir::Output output;
  output.at = spv_.def(id).operands.data();
  uint32_t location = spv_.decoration(id, spv::DecorationLocation).value_or(0);
  output.component = uint8_t(spv_.decoration(id, spv::DecorationComponent).value_or(0));
  output.second = m_.stage == Stage::fragment && spv_.decoration(id, spv::DecorationIndex).value_or(0) != 0;
  auto builtin_output = [&](uint32_t builtin) {
    const bool common = builtin == spv::BuiltInPosition || builtin == spv::BuiltInPointSize || builtin == spv::BuiltInFragDepth;
    if (!memory_ && !common) throw Unsupported{refused_name(builtin) + kNoBuiltin};
    switch (builtin) {
      case spv::BuiltInPosition: return Builtin::position;
      case spv::BuiltInPointSize: return Builtin::point_size;
      case spv::BuiltInFragDepth: return Builtin::frag_depth;
      case spv::BuiltInLayer: return Builtin::layer;
      case spv::BuiltInViewportIndex: return Builtin::viewport_index;
      case spv::BuiltInClipDistance: return Builtin::clip_distance;
      case spv::BuiltInCullDistance: return Builtin::cull_distance;
      case spv::BuiltInSampleMask: return Builtin::sample_mask;
      case spv::BuiltInFragStencilRefEXT: return Builtin::stencil_ref;
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
    return;
  }
  Leaves values;
  load_tree(*p.tree, type, 0, {}, values);
  std::span<const Operand> rest(values);
  store_output_leaves(type, output, location, rest);
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
      const uint32_t bytes = memory_ ? scalar_bytes(type) : 4;
      return row_major ? (rows - 1) * matrix_stride + columns * bytes : (columns - 1) * matrix_stride + rows * bytes;
    }
    case spv::OpTypeRuntimeArray: return 0;
    case spv::OpTypePointer: return memory_ ? scalar_bytes(type) : 0;
    default: return leaf_type(type).comps * (memory_ ? scalar_bytes(type) : 4);
  }
}

void Translator::declare_uniform(const Inst& v) {
  const bool push = v.as<spv::StorageClass>(0) == spv::StorageClassPushConstant;
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
                             {},
                             Type::f32,
                             false,
                             v.operands.data()});
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
  texture.at = v.operands.data();
  texture.pair.image = {spv_.decoration(v.result, spv::DecorationDescriptorSet).value_or(0),
                        spv_.decoration(v.result, spv::DecorationBinding).value_or(0), 0};
  switch (image.as<spv::Dim>(1)) {
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
