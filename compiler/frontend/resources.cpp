// SPDX-License-Identifier: MIT
/// What shaders of chips with memory are bound to: variables of buffers, images and samplers become rows of Module::resources, those of the
/// workgroup places in its memory; execution modes.
#include <algorithm>

#include "compiler/chip.h"
#include "compiler/float_modes.h"
#include "compiler/frontend/translator.h"

namespace pumice::compiler::frontend {

using ir::Op;
using ir::Type;
using Kind = DescriptorLayout::Kind;

namespace {
constexpr uint32_t kSets = 8;           // but for the one of dynamic buffers
constexpr uint32_t kMaxBinding = 4096;  // at 64 bytes each, where no layout is given

struct FloatModeRow {
  spv::ExecutionMode mode;
  const char* name;
  uint32_t widths;
};
constexpr FloatModeRow kFloatModeRows[] = {
    {spv::ExecutionModeDenormPreserve, "DenormPreserve", kFloatModes.denorm_preserve},
    {spv::ExecutionModeDenormFlushToZero, "DenormFlushToZero", kFloatModes.denorm_flush_to_zero},
    {spv::ExecutionModeSignedZeroInfNanPreserve, "SignedZeroInfNanPreserve", kFloatModes.signed_zero_inf_nan_preserve},
    {spv::ExecutionModeRoundingModeRTE, "RoundingModeRTE", kFloatModes.rounding_rte},
    {spv::ExecutionModeRoundingModeRTZ, "RoundingModeRTZ", kFloatModes.rounding_rtz},
};
}  // namespace

void Translator::declare_resources() {
  for (const Inst& v : spv_.variables()) {
    try {
      switch (v.as<spv::StorageClass>(0)) {
        case spv::StorageClassUniform:
        case spv::StorageClassStorageBuffer:
        case spv::StorageClassPushConstant: declare_buffer(v); break;
        case spv::StorageClassUniformConstant: declare_image(v); break;
        case spv::StorageClassWorkgroup: declare_shared(v); break;
        case spv::StorageClassInput:
        case spv::StorageClassOutput:
        case spv::StorageClassPrivate: break;
        default: refused_[v.result] = "its storage class does not exist in Vulkan's shaders"; break;
      }
    } catch (const Unsupported& e) {
      refused_[v.result] = e.text;
    }
  }
}

/// Null: refused.
const DescriptorLayout* Translator::layout_of(const Inst& v, Kind kind) {
  const uint32_t set = spv_.decoration(v.result, spv::DecorationDescriptorSet).value_or(0);
  const uint32_t binding = spv_.decoration(v.result, spv::DecorationBinding).value_or(0);
  const std::string place = "set " + std::to_string(set) + ", binding " + std::to_string(binding);
  if (set >= kSets) {
    refused_[v.result] = place + ": the chip has sets 0 to 7";
    return nullptr;
  }
  if (target_.resources.empty() && binding >= kMaxBinding) {
    refused_[v.result] = place + ": without a layout there are bindings 0 to " + std::to_string(kMaxBinding - 1);
    return nullptr;
  }
  ir::Resource& row = m_.resources.emplace_back();
  row.at = v.operands.data();
  if (target_.resources.empty()) {
    row.layout = {.set = set, .binding = binding, .kind = kind, .offset = 64 * binding, .stride = 64};
    return &row.layout;
  }
  for (const DescriptorLayout& layout : target_.resources) {
    if (layout.set != set || layout.binding != binding) continue;
    // An image may be read from a combined descriptor, and its sampler too.
    const bool fits = layout.kind == kind || layout.kind == Kind::any ||
                      (layout.kind == Kind::combined && (kind == Kind::sampled_image || kind == Kind::sampler));
    if (!fits) break;
    row.layout = layout;
    row.layout.kind = kind;
    if (kind == Kind::sampler && layout.kind == Kind::combined) row.layout.offset += 32;
    return &row.layout;
  }
  m_.resources.pop_back();
  refused_[v.result] = "the pipeline layout has no such descriptor at " + place;
  return nullptr;
}

void Translator::declare_buffer(const Inst& v) {
  const Id type = spv_.def(v.type)[1];
  Id block = type;
  while (spv_.def(block).op == spv::OpTypeArray || spv_.def(block).op == spv::OpTypeRuntimeArray) block = spv_.def(block)[0];
  const auto has = [&](spv::Decoration d) { return spv_.decoration(v.result, d).has_value() || spv_.decoration(block, d).has_value(); };
  Pointer p{.kind = Pointer::Kind::buffer, .type = type, .variable = v.result};
  p.block_array = block != type;
  p.coherent = has(spv::DecorationCoherent) || has(spv::DecorationVolatile);
  const auto cls = v.as<spv::StorageClass>(0);
  if (cls == spv::StorageClassPushConstant) {
    p.kind = Pointer::Kind::pushed;
    m_.push_size = type_size(type, false, 16);
  } else {
    p.storage = cls == spv::StorageClassStorageBuffer || spv_.decoration(block, spv::DecorationBufferBlock).has_value();
    p.descriptor.row = uint32_t(m_.resources.size());
    if (!layout_of(v, p.storage ? Kind::storage_buffer : Kind::uniform_buffer)) return;
  }
  pointers_[v.result] = p;
}

void Translator::declare_image(const Inst& v) {
  const Id whole = spv_.def(v.type)[1];
  Id type = whole;
  while (spv_.def(type).op == spv::OpTypeArray || spv_.def(type).op == spv::OpTypeRuntimeArray) type = spv_.def(type)[0];
  const spv::Op op = spv_.def(type).op;
  Pointer p{.kind = Pointer::Kind::image, .type = whole, .variable = v.result};
  p.block_array = whole != type;
  p.descriptor.row = uint32_t(m_.resources.size());
  p.coherent = spv_.decoration(v.result, spv::DecorationCoherent) || spv_.decoration(v.result, spv::DecorationVolatile);
  if (op == spv::OpTypeSampler) {
    if (layout_of(v, Kind::sampler)) pointers_[v.result] = p;
    return;
  }
  const Inst& image = spv_.def(op == spv::OpTypeSampledImage ? spv_.def(type)[0] : type);
  if (image.op != spv::OpTypeImage) {
    refused_[v.result] = "a variable of a type that is no resource";
    return;
  }
  const auto dim = image.as<spv::Dim>(1);
  const bool storage = image[5] == 2 && dim != spv::DimSubpassData, texels = dim == spv::DimBuffer;
  const Kind kind = dim == spv::DimSubpassData      ? Kind::input_attachment
                    : texels                        ? (storage ? Kind::storage_texels : Kind::uniform_texels)
                    : storage                       ? Kind::storage_image
                    : op == spv::OpTypeSampledImage ? Kind::combined
                                                    : Kind::sampled_image;
  const LeafType texel = leaf_type(image[0]);
  if (!layout_of(v, kind)) return;
  ir::Resource& row = m_.resources[p.descriptor.row];
  switch (dim) {
    case spv::Dim1D: row.dim = TextureUse::Dim::d1; break;
    case spv::Dim3D: row.dim = TextureUse::Dim::d3; break;
    case spv::DimCube: row.dim = TextureUse::Dim::cube; break;
    case spv::DimBuffer: row.dim = TextureUse::Dim::d1; break;
    default: row.dim = TextureUse::Dim::d2; break;
  }
  row.texels = texels;
  // An attachment has as many layers as the framebuffer: a fragment reads the one it is drawn to.
  row.arrayed = image[3] != 0 || kind == Kind::input_attachment;
  row.multisampled = image[4] != 0;
  row.wide = ir::is_wide(texel.type);
  row.type = row.wide ? ir::Type::u32 : texel.type;
  pointers_[v.result] = p;
}

void Translator::declare_shared(const Inst& v) {
  const Id type = spv_.def(v.type)[1];
  Pointer p{.kind = Pointer::Kind::shared, .type = type, .variable = v.result, .offset = m_.shared_bytes};
  uint64_t end = uint64_t{m_.shared_bytes} + own_size(type);
  // Blocks (WorkgroupMemoryExplicitLayoutKHR) are all variables of their module, if one is, and all the same memory.
  if (spv_.decoration(type, spv::DecorationBlock)) {
    p.laid_out = true;
    p.offset = 0;
    end = std::max<uint64_t>(m_.shared_bytes, (uint64_t{type_size(type, false, 16)} + 3) & ~uint64_t{3});
  }
  if (end > kMostLocalMemory) {
    refused_[v.result] = std::to_string(end) + " bytes of workgroup memory, the chip has " + std::to_string(kMostLocalMemory);
    return;
  }
  m_.shared_bytes = uint32_t(end);
  pointers_[v.result] = p;
}

/// Those that are obeyed hold without being asked for.
void Translator::check_float_modes() const {
  for (const Inst& mode : spv_.modes())
    for (const FloatModeRow& row : kFloatModeRows)
      if (mode[0] == uint32_t(row.mode) && !(row.widths & mode[1]))
        throw Unsupported{std::string("execution mode ") + row.name + " of " + std::to_string(mode[1]) +
                              "-bit floats (OpExecutionMode): the chip's floats do not promise it",
                          m_.entry};
}

void Translator::declare_modes() {
  check_float_modes();
  for (const Inst& mode : spv_.modes()) m_.signed_zeros |= mode[0] == uint32_t(spv::ExecutionModeSignedZeroInfNanPreserve) && mode[1] == 32;
  using Depth = ir::Module::DepthMode;
  if (spv_.has_mode(spv::ExecutionModeDepthGreater)) m_.depth_mode = Depth::greater;
  if (spv_.has_mode(spv::ExecutionModeDepthLess)) m_.depth_mode = Depth::less;
  if (spv_.has_mode(spv::ExecutionModeDepthUnchanged)) m_.depth_mode = Depth::unchanged;
  if (m_.stage != Stage::compute) return;
  const Inst* literal = spv_.mode(spv::ExecutionModeLocalSize);
  const Inst* ids = spv_.mode(spv::ExecutionModeLocalSizeId);
  const auto constant = spv_.constant_builtin(spv::BuiltInWorkgroupSize);
  for (unsigned i = 0; i < 3; ++i) {
    if (constant && spv_.def(*constant).op == spv::OpConstantComposite)
      m_.local_size[i] = spv_.constant_u32(spv_.def(*constant)[i]);
    else if (ids)
      m_.local_size[i] = spv_.constant_u32((*ids)[1 + i]);
    else if (literal)
      m_.local_size[i] = (*literal)[1 + i];
    if (m_.local_size[i] < 1 || m_.local_size[i] > kMostInvocations)
      throw Unsupported{"a workgroup of " + std::to_string(m_.local_size[i]) + " invocations in one direction: 1 to " +
                            std::to_string(kMostInvocations) + " are possible",
                        m_.entry};
  }
}

/// Rows of one binding are one resource, and what nothing writes does not change. A uniform block may share its binding only with others'
/// types (VK_EXT_mutable_descriptor_type), which are other descriptors.
void Translator::finish_resources() {
  // An address may be in any buffer.
  if (physical_stores_)
    for (ir::Resource& r : m_.resources) r.written |= r.layout.kind == Kind::storage_buffer;
  for (ir::Resource& a : m_.resources)
    for (const ir::Resource& b : m_.resources)
      a.written |=
          b.written && a.layout.set == b.layout.set && a.layout.binding == b.layout.binding && a.layout.kind != Kind::uniform_buffer;
  const auto walk = [&](auto&& self, ir::NodeList& nodes) -> void {
    for (ir::Node& node : nodes) {
      for (ir::Instruction& in : node.instructions)
        if (in.op == Op::load_buffer && !m_.resources[in.index].written && !(in.access().flags & ir::Access::kCoherent))
          in.op = Op::load_const;
      self(self, node.then_list);
      self(self, node.else_list);
    }
  };
  walk(walk, m_.body);
}

}  // namespace pumice::compiler::frontend
