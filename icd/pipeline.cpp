// SPDX-License-Identifier: MIT
#include "icd/pipeline.h"

#include <cstdio>
#include <cstring>

#include "icd/debug.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/radeon.h"
#include "icd/render_pass.h"

namespace pumice::icd {

Pipeline::Stage Pipeline::make_stage(const VkPipelineShaderStageCreateInfo& info) {
  Stage s;
  s.code = from<ShaderModule>(info.module)->code;
  s.entry_point = info.pName;
  if (const VkSpecializationInfo* spec = info.pSpecializationInfo)
    for (uint32_t i = 0; i < spec->mapEntryCount; ++i) {
      const VkSpecializationMapEntry& e = spec->pMapEntries[i];
      const auto* data = static_cast<const uint8_t*>(spec->pData) + e.offset;
      s.specializations.push_back({e.constantID, {data, data + e.size}});
    }
  return s;
}

Pipeline::Pipeline(Device& d, PipelineCache* cache, const VkGraphicsPipelineCreateInfo& info) : DeviceObject(d, kType) {
  if (cache) cache_ = cache->programs;
  FixedState& f = fixed;
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; ++i) f.dynamic |= dynamic_bit(info.pDynamicState->pDynamicStates[i]);
  f.topology = info.pInputAssemblyState->topology;
  f.restart = info.pInputAssemblyState->primitiveRestartEnable;
  const VkPipelineVertexInputStateCreateInfo& vi = *info.pVertexInputState;
  f.bindings.assign(vi.pVertexBindingDescriptions, vi.pVertexBindingDescriptions + vi.vertexBindingDescriptionCount);
  f.attributes.assign(vi.pVertexAttributeDescriptions, vi.pVertexAttributeDescriptions + vi.vertexAttributeDescriptionCount);
  const VkPipelineRasterizationStateCreateInfo& rs = *info.pRasterizationState;
  f.discard = rs.rasterizerDiscardEnable;
  f.polygon_mode = rs.polygonMode;
  f.cull = rs.cullMode;
  f.front_face = rs.frontFace;
  f.depth_bias_enable = rs.depthBiasEnable;
  f.depth_bias_constant = rs.depthBiasConstantFactor;
  f.depth_bias_slope = rs.depthBiasSlopeFactor;
  f.line_width = rs.lineWidth;
  const Subpass& subpass = from<RenderPass>(info.renderPass)->subpasses[info.subpass];
  // With rasterization off the state below must not be looked at.
  if (!f.discard) {
    if (const auto* vp = info.pViewportState) {
      if (vp->pViewports && vp->viewportCount) f.viewport = vp->pViewports[0];
      if (vp->pScissors && vp->scissorCount) f.scissor = vp->pScissors[0];
    }
    if (const auto* ms = info.pMultisampleState) {
      f.samples = ms->rasterizationSamples;
      if (ms->pSampleMask) f.sample_mask = ms->pSampleMask[0];
      f.alpha_to_coverage = ms->alphaToCoverageEnable;
    }
    const auto* ds = info.pDepthStencilState;
    if (ds && subpass.depth.attachment != VK_ATTACHMENT_UNUSED) {
      f.depth_test = ds->depthTestEnable;
      f.depth_write = ds->depthTestEnable && ds->depthWriteEnable;
      f.depth_compare = ds->depthCompareOp;
      f.stencil_test = ds->stencilTestEnable;
      f.front = ds->front;
      f.back = ds->back;
    }
    if (const auto* cb = info.pColorBlendState) {
      f.logic_op_enable = cb->logicOpEnable;
      f.logic_op = cb->logicOp;
      f.blend_count = cb->attachmentCount < 4 ? cb->attachmentCount : 4;
      for (uint32_t i = 0; i < f.blend_count; ++i) f.blend[i] = cb->pAttachments[i];
      std::memcpy(f.blend_constants, cb->blendConstants, sizeof f.blend_constants);
    }
    for (size_t i = 0; i < subpass.color.size(); ++i)
      if (subpass.color[i].attachment != VK_ATTACHMENT_UNUSED) color_attachments_ |= 1u << i;
  }
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    if (info.pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT) vertex_ = make_stage(info.pStages[i]);
    if (info.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && !f.discard)
      fragment_ = std::make_unique<Stage>(make_stage(info.pStages[i]));
  }
}

compiler::PipelineSource Pipeline::source(const TextureVariant& textures) const {
  compiler::PipelineSource out;
  const auto fill = [](compiler::ShaderSource& shader, const Stage& s, const char* label) {
    shader.spirv = s.code->words;
    shader.entry_point = s.entry_point;
    shader.specializations = s.specializations;
    shader.name = label;
  };
  fill(out.add(compiler::Stage::vertex), vertex_, "vertex");
  if (fragment_) fill(out.add(compiler::Stage::fragment), *fragment_, "fragment");
  out.chip = device.chip.compiler_chip;
  out.textures = textures;
  out.want_log = environment().on(Debug::compiler);
  out.check = false;
  out.color_attachments = color_attachments_;
  out.point_topology = fixed.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST || fixed.polygon_mode == VK_POLYGON_MODE_POINT;
  return out;
}

ProgramCache::ProgramPtr Pipeline::compile(const compiler::PipelineSource& source) {
  compiler::Result result = compiler::compile(source);
  if (environment().on(Debug::compiler) && !result.log.empty()) std::fprintf(stderr, "%s\n", result.log.c_str());
  for (const compiler::Diagnostic& d : result.diagnostics) {
    if (result.program)
      note(this, "%s", d.text.c_str());
    else
      report(this, VK_ERROR_INITIALIZATION_FAILED, "%s", d.text.c_str());
  }
  if (!result.program) {
    if (result.diagnostics.empty()) report(this, VK_ERROR_INITIALIZATION_FAILED, "the compiler gave no program and no reason");
    return nullptr;
  }
  return std::make_shared<const compiler::Program>(std::move(*result.program));
}

ProgramCache::ProgramPtr Pipeline::find_or_compile(const TextureVariant& textures) {
  const compiler::PipelineSource wanted = source(textures);
  RecentPrograms::Source recent(vertex_.code, fragment_ ? fragment_->code : nullptr, compiler::source_bytes(wanted));
  const std::shared_ptr<ProgramCache> cache = cache_.lock();
  ProgramCache::Key key{};
  if (cache) key = compiler::source_key(wanted, {vertex_.code->digest(), fragment_ ? fragment_->code->digest() : compiler::Digest{}});
  ProgramCache::ProgramPtr program;
  const char* how = "of the pipeline cache";
  if (!wanted.want_log) {  // the compiler's log needs the compiler
    if (cache) program = cache->find(key);
    if (!program) {
      how = "of the device";
      program = radeon(device).programs.find(recent);
    }
  }
  if (!program) {
    how = "compiled";
    program = compile(wanted);
    // A failure is found again each time, and said again.
    if (!program) return nullptr;
  }
  if (cache) cache->add(key, program);
  radeon(device).programs.add(std::move(recent), program);
  if (radeon(device).module_notes) radeon(device).module_notes->add(wanted, *program);
  if (environment().on(Debug::stats)) {
    const compiler::Statistics &v = program->vertex.stats, &p = program->fragment.stats;
    std::fprintf(
        stderr, "pumice: pipeline: %s: vertex %u slots %u temps %u constants; fragment %u slots %u temps %u constants, %u tex, %u paired\n",
        how, v.slots, v.temps, v.constants, p.slots, p.temps, p.constants, p.tex, p.paired);
  }
  return program;
}

const compiler::Program* Pipeline::variant(const TextureVariant& textures) {
  if (const compiler::Program* p = base_.load(std::memory_order_acquire); p && textures.empty()) return p;
  std::lock_guard lock(mutex_);
  for (const Variant& v : variants_)
    if (v.key == textures) return v.program.get();
  // A failure is kept too: it would fail again at each draw.
  variants_.push_back({textures, find_or_compile(textures)});
  if (textures.empty()) base_.store(variants_.back().program.get(), std::memory_order_release);
  return variants_.back().program.get();
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks* a,
                                                     VkShaderModule* out) {
  *out = to_handle(create<ShaderModule>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyShaderModule(VkDevice, VkShaderModule m, const VkAllocationCallbacks* a) {
  destroy(from<ShaderModule>(m), a);
}

/// Refuses stages and primitives the chip lacks. Using them without the feature is invalid anyway, but an error is better than a wrong
/// image.
static VkResult check_stages(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  if (info.pInputAssemblyState && info.pInputAssemblyState->topology > VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                  "vkCreateGraphicsPipelines: topology %s; VAP_VF_CNTL has no primitives with adjacency and no patches",
                  name_of(info.pInputAssemblyState->topology).c_str());
  for (uint32_t i = 0; i < info.stageCount; ++i)
    if (info.pStages[i].stage & ~(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: shader stage %s; the chip has PVS and US only",
                    names_of<VkShaderStageFlagBits>(info.pStages[i].stage).c_str());
  return VK_SUCCESS;
}

static VkResult check_samples(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  const VkPipelineMultisampleStateCreateInfo* ms = info.pRasterizationState->rasterizerDiscardEnable ? nullptr : info.pMultisampleState;
  if (!ms) return VK_SUCCESS;
  const uint32_t wanted = from<RenderPass>(info.renderPass)->subpasses[info.subpass].samples;
  if (!(ms->rasterizationSamples & device.chip.limits.framebufferNoAttachmentsSampleCounts) ||
      (wanted && ms->rasterizationSamples != wanted))
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                  "vkCreateGraphicsPipelines: %u samples in a subpass of %u; the device offers %s, the same in all of a subpass",
                  ms->rasterizationSamples, wanted,
                  names_of<VkSampleCountFlagBits>(device.chip.limits.framebufferNoAttachmentsSampleCounts).c_str());
  if (ms->sampleShadingEnable)
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: sample shading; the US runs once per pixel");
  if (ms->alphaToOneEnable)
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: alpha to one; the FG has no such thing");
  return VK_SUCCESS;
}

/// Programs with derivatives on chips without: their vertex programs know triangles (compiler/driver/slopes.h).
static VkResult check_corners(Device& device, const Pipeline& p, const compiler::Program& program) {
  const FixedState& f = p.fixed;
  if (!program.vertex.reads_corners()) return VK_SUCCESS;
  if (f.topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST && f.polygon_mode == VK_POLYGON_MODE_FILL) return VK_SUCCESS;
  return report(
      &device, VK_ERROR_FEATURE_NOT_PRESENT,
      "vkCreateGraphicsPipelines: derivatives in the fragment shader with topology %s, %s; the chip of this device (%s) has none, "
      "and the driver makes them of a filled triangle's vertices",
      name_of(f.topology).c_str(), name_of(f.polygon_mode).c_str(), device.chip.name);
}

/// What chips have once for all targets and both faces (R3xx).
static VkResult check_targets(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  const hw::Capabilities& chip = hw::capabilities(*device.chip.profile);
  if (info.pRasterizationState->rasterizerDiscardEnable) return VK_SUCCESS;
  const RenderPass& pass = *from<RenderPass>(info.renderPass);
  const Subpass& subpass = pass.subpasses[info.subpass];
  const FormatInfo* first = nullptr;
  uint32_t first_mask = 0;
  for (uint32_t i = 0; i < subpass.color.size(); ++i) {
    if (subpass.color[i].attachment == VK_ATTACHMENT_UNUSED) continue;
    const FormatInfo* f = find_format(pass.attachments[subpass.color[i].attachment].format);
    const auto* blend = info.pColorBlendState;
    const uint32_t mask = f && blend && i < blend->attachmentCount ? target_mask(*f, blend->pAttachments[i].colorWriteMask) : 0;
    if (first && f && !chip.has_target_formats && (f->target != first->target || f->out_fmt != first->out_fmt))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateGraphicsPipelines: targets of formats %s and %s; the chip of this device (%s) has one format for all",
                    first->name.c_str(), f->name.c_str(), device.chip.name);
    if (first && !chip.has_target_masks && mask != first_mask)
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateGraphicsPipelines: colour write masks 0x%X and 0x%X; the chip of this device (%s) has one for all targets",
                    first_mask, mask, device.chip.name);
    if (!first) first = f, first_mask = mask;
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                          const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* a,
                                                          VkPipeline* out) {
  auto& device = *from<Device>(handle);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) out[i] = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < count; ++i) {
    VkResult r = check_stages(device, infos[i]);
    if (r == VK_SUCCESS) r = check_samples(device, infos[i]);
    if (r == VK_SUCCESS) r = check_targets(device, infos[i]);
    if (r != VK_SUCCESS) {
      result = r;
      continue;
    }
    Created p(create<Pipeline>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, from<PipelineCache>(cache), infos[i]), a);
    const compiler::Program* program = p->variant({});
    if (!program) {
      // Vulkan 1.0 has no code for "the shader does not fit the chip". INITIALIZATION_FAILED is the one that says the implementation could
      // not do it for its own reasons; the text is on stderr. (VK_ERROR_INVALID_SHADER_NV belongs to an extension.)
      result = VK_ERROR_INITIALIZATION_FAILED;
      continue;
    }
    if (r = check_corners(device, *p, *program); r != VK_SUCCESS) {
      result = r;
      continue;
    }
    journal("created", "graphics pipeline", "yes", true);
    out[i] = to_handle(p.release());
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateComputePipelines(VkDevice handle, VkPipelineCache, uint32_t count,
                                                         const VkComputePipelineCreateInfo*, const VkAllocationCallbacks*,
                                                         VkPipeline* out) {
  for (uint32_t i = 0; i < count; ++i) out[i] = VK_NULL_HANDLE;
  auto& device = *from<Device>(handle);
  return report_once(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateComputePipelines: the chip of this device (%s) has no compute stage",
                     device.chip.name);
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyPipeline(VkDevice, VkPipeline p, const VkAllocationCallbacks* a) { destroy(from<Pipeline>(p), a); }

}  // namespace pumice::icd
