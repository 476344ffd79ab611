// SPDX-License-Identifier: MIT
#include "icd/r5x/pipeline.h"

#include <cstdio>

#include "icd/debug.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/r5x/device.h"

namespace pumice::icd {
namespace r5x {

Pipeline::Pipeline(Device& d, VkPipelineBindPoint p, const PipelineLayout& layout)
    : DeviceObject(d, kType), point(p), first_dynamic(layout.first_dynamic), dynamic_descriptors(layout.dynamic) {}

StageSource stage_source(const VkPipelineShaderStageCreateInfo& info, const char* label) {
  StageSource s;
  s.code = from<ShaderModule>(info.module)->code;
  s.source.spirv = s.code->words;
  s.source.entry_point = info.pName;
  s.source.name = label;
  if (const VkSpecializationInfo* spec = info.pSpecializationInfo)
    for (uint32_t i = 0; i < spec->mapEntryCount; ++i) {
      const VkSpecializationMapEntry& e = spec->pMapEntries[i];
      const auto* data = static_cast<const uint8_t*>(spec->pData) + e.offset;
      s.source.specializations.push_back({e.constantID, {data, data + e.size}});
    }
  return s;
}

namespace {

ProgramCache::ProgramPtr compile(const Pipeline& p, const compiler::PipelineSource& source) {
  compiler::Result result = compiler::compile(source);
  if (environment().on(Debug::compiler) && !result.log.empty()) std::fprintf(stderr, "%s\n", result.log.c_str());
  for (const compiler::Diagnostic& d : result.diagnostics) {
    if (result.program)
      note(&p, "%s", d.text.c_str());
    else
      report(&p, VK_ERROR_INITIALIZATION_FAILED, "%s", d.text.c_str());
  }
  if (!result.program) {
    if (result.diagnostics.empty()) report(&p, VK_ERROR_INITIALIZATION_FAILED, "the compiler gave no program and no reason");
    return nullptr;
  }
  return std::make_shared<const compiler::Program>(std::move(*result.program));
}

void print_statistics(const compiler::Program& program, const char* how) {
  constexpr const char* kNames[compiler::kStages] = {"vertex", "fragment", "compute"};
  std::string text;
  for (size_t i = 0; i < compiler::kStages; ++i)
    if (const auto& x = program.x[i])
      text += std::string(text.empty() ? "" : "; ") + kNames[i] + " " + std::to_string(x->code.size()) + " slots " +
              std::to_string(x->temps) + " temps " + std::to_string(x->literals.size()) + " literals " + std::to_string(x->scratch_bytes) +
              " bytes of scratch";
  std::fprintf(stderr, "pumice: pipeline: %s: %s\n", how, text.c_str());
}

}  // namespace

bool Pipeline::build(const compiler::PipelineSource& source, const std::array<std::shared_ptr<const ShaderCode>, compiler::kStages>& code,
                     const std::shared_ptr<ProgramCache>& cache) {
  R5xDevice& d = r5x_of(device);
  const auto& [vertex, fragment, compute] = code;
  RecentPrograms::Source recent(vertex ? vertex : compute, fragment, compiler::source_bytes(source));
  ProgramCache::Key key{};
  if (cache) {
    compiler::CodeDigests digests;
    for (size_t i = 0; i < compiler::kStages; ++i)
      if (code[i]) digests.of[i] = code[i]->digest();
    key = compiler::source_key(source, digests);
  }
  const char* how = "of the pipeline cache";
  if (!source.want_log) {  // the compiler's log needs the compiler
    if (cache) program_ = cache->find(key);
    if (!program_) {
      how = "of the device";
      program_ = d.programs.find(recent);
    }
  }
  if (!program_) {
    how = "compiled";
    program_ = compile(*this, source);
    if (!program_) return false;
  }
  for (size_t i = 0; i < compiler::kStages; ++i) {
    if (source.shaders[i].has_value() != program_->x[i].has_value()) {
      report(this, VK_ERROR_INITIALIZATION_FAILED, "the compiler made no program for memory of a stage");
      return false;
    }
    if (program_->x[i]) {
      code_[i] = d.code->load(*program_->x[i]);
      push_bytes = std::max(push_bytes, program_->x[i]->push_bytes);
    }
  }
  if (cache) cache->add(key, program_);
  d.programs.add(std::move(recent), program_);
  if (d.module_notes) d.module_notes->add(source, *program_);
  if (environment().on(Debug::stats)) print_statistics(*program_, how);
  return true;
}

namespace {

/// VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT: the module with ViewIndex decorated as DeviceIndex.
std::shared_ptr<const ShaderCode> view_is_device(const ShaderCode& code) {
  constexpr uint32_t kHeader = 5, kDecorate = 71, kMemberDecorate = 72, kFunction = 54, kBuiltin = 11, kDeviceIndex = 4438,
                     kViewIndex = 4440;
  std::vector<uint32_t> words(code.words.begin(), code.words.end());
  for (size_t at = kHeader; at < words.size();) {
    const uint32_t op = words[at] & 0xFFFF, size = words[at] >> 16;
    if (!size || op == kFunction) break;  // decorations come before
    const size_t decoration = op == kDecorate ? at + 2 : op == kMemberDecorate ? at + 3 : 0;
    if (decoration && decoration + 1 < std::min(at + size, words.size()) && words[decoration] == kBuiltin &&
        words[decoration + 1] == kViewIndex)
      words[decoration + 1] = kDeviceIndex;
    at += size;
  }
  return std::make_shared<const ShaderCode>(words);
}

bool has_subgroup_size(const Pipeline& p, const VkPipelineShaderStageCreateInfo& stage) {
  const auto* required = find_next<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  if (!required || required->requiredSubgroupSize == kSubgroup) return true;
  report(&p, VK_ERROR_FEATURE_NOT_PRESENT, "requiredSubgroupSize is %u; the only size is %u", required->requiredSubgroupSize, kSubgroup);
  return false;
}

/// Compiles the stages and returns whether there is a pipeline.
bool build_stages(Pipeline& p, const PipelineLayout& layout, uint32_t count, const VkPipelineShaderStageCreateInfo* stages, bool discard,
                  PipelineCache* cache, compiler::PipelineSource source, VkPipelineCreateFlags flags) {
  source.chip = p.device.chip.compiler_chip;
  source.resources = layout.resources();
  source.want_log = environment().on(Debug::compiler);
  source.check = false;
  std::array<std::shared_ptr<const ShaderCode>, compiler::kStages> code;
  for (uint32_t i = 0; i < count; ++i) {
    if (!has_subgroup_size(p, stages[i])) return false;
    const auto add = [&](compiler::Stage stage, const char* label) {
      StageSource s = stage_source(stages[i], label);
      if (flags & VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT) {
        s.code = view_is_device(*s.code);
        s.source.spirv = s.code->words;
      }
      code[static_cast<size_t>(stage)] = std::move(s.code);
      source.add(stage) = std::move(s.source);
    };
    if (stages[i].stage == VK_SHADER_STAGE_VERTEX_BIT) add(compiler::Stage::vertex, "vertex");
    if (stages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT && !discard) add(compiler::Stage::fragment, "fragment");
    if (stages[i].stage == VK_SHADER_STAGE_COMPUTE_BIT) add(compiler::Stage::compute, "compute");
  }
  return p.build(source, code, cache ? cache->programs : nullptr);
}

}  // namespace

bool always_discards(const VkGraphicsPipelineCreateInfo& info) {
  const VkPipelineDynamicStateCreateInfo* d = info.pDynamicState;
  for (uint32_t i = 0; d && i < d->dynamicStateCount; ++i)
    if (d->pDynamicStates[i] == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) return false;
  return info.pRasterizationState->rasterizerDiscardEnable;
}

PassFacts pass_facts(const VkGraphicsPipelineCreateInfo& info) {
  PassFacts f;
  if (const auto* pass = from<RenderPass>(info.renderPass)) {
    const Subpass& s = pass->subpasses[info.subpass];
    for (size_t i = 0; i < s.color.size(); ++i)
      if (s.color[i].attachment != VK_ATTACHMENT_UNUSED) f.color |= 1u << i;
    f.depth = s.depth.attachment != VK_ATTACHMENT_UNUSED;
    f.view_mask = s.view_mask;
  } else if (const auto* r = find_next<VkPipelineRenderingCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)) {
    for (uint32_t i = 0; i < r->colorAttachmentCount; ++i)
      if (r->pColorAttachmentFormats[i] != VK_FORMAT_UNDEFINED) f.color |= 1u << i;
    f.depth = r->depthAttachmentFormat != VK_FORMAT_UNDEFINED || r->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
    f.view_mask = r->viewMask;
  }
  return f;
}

namespace {

VkResult check_graphics(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  if (info.pInputAssemblyState && info.pInputAssemblyState->topology >= VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: topology %s; there are no patches",
                  name_of(info.pInputAssemblyState->topology).c_str());
  for (uint32_t i = 0; i < info.stageCount; ++i)
    if (info.pStages[i].stage & ~(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateGraphicsPipelines: shader stage %s; there are vertex and fragment programs",
                    names_of<VkShaderStageFlagBits>(info.pStages[i].stage).c_str());
  const auto* ms = always_discards(info) ? nullptr : info.pMultisampleState;
  if (ms && !(ms->rasterizationSamples & device.chip.limits.framebufferNoAttachmentsSampleCounts))
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: %u samples; the device offers %s",
                  ms->rasterizationSamples,
                  names_of<VkSampleCountFlagBits>(device.chip.limits.framebufferNoAttachmentsSampleCounts).c_str());
  return VK_SUCCESS;
}

}  // namespace
}  // namespace r5x

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                          const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* a,
                                                          VkPipeline* out) {
  auto& device = *from<Device>(handle);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) out[i] = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < count; ++i) {
    const auto& layout = *from<r5x::PipelineLayout>(infos[i].layout);
    Created p(create<r5x::Pipeline>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, VK_PIPELINE_BIND_POINT_COMPUTE, layout), a);
    if (!r5x::build_stages(*p, layout, 1, &infos[i].stage, false, from<PipelineCache>(cache), {}, infos[i].flags)) {
      result = VK_ERROR_INITIALIZATION_FAILED;
      continue;
    }
    const compiler::XProgram& x = *p->program(compiler::Stage::compute);
    r5x::RegisterList r(p->registers);
    r5x::state_code<r5x::xr::X_CS_CODE_LO, r5x::xr::X_CS_CODE_HI, r5x::xr::X_CS_CODE_SIZE, r5x::xr::X_CS_CODE_RSRC>(
        r, p->code(compiler::Stage::compute));
    r.state(r5x::xr::X_CS_LOCAL_SIZE{}.X(x.local_size[0] - 1).Y(x.local_size[1] - 1).Z(x.local_size[2] - 1));
    r.state(r5x::xr::X_CS_LDS_SIZE{}.BYTES(x.lds_bytes));
    journal("created", "compute pipeline", "yes", true);
    out[i] = to_handle(p.release());
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                           const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* a,
                                                           VkPipeline* out) {
  auto& device = *from<Device>(handle);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) out[i] = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < count; ++i) {
    const VkGraphicsPipelineCreateInfo& info = infos[i];
    if (const VkResult r = r5x::check_graphics(device, info); r != VK_SUCCESS) {
      result = r;
      continue;
    }
    const auto& layout = *from<r5x::PipelineLayout>(info.layout);
    Created p(create<r5x::Pipeline>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, VK_PIPELINE_BIND_POINT_GRAPHICS, layout), a);
    compiler::PipelineSource source;
    const bool discard = r5x::always_discards(info);
    source.color_attachments = discard ? 0 : r5x::pass_facts(info).color;
    source.point_topology = info.pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
                            info.pRasterizationState->polygonMode == VK_POLYGON_MODE_POINT;
    if (!r5x::build_stages(*p, layout, info.stageCount, info.pStages, discard, from<PipelineCache>(cache), std::move(source), info.flags)) {
      result = VK_ERROR_INITIALIZATION_FAILED;
      continue;
    }
    r5x::make_graphics_state(*p, info);
    journal("created", "graphics pipeline", "yes", true);
    out[i] = to_handle(p.release());
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL r5x_DestroyPipeline(VkDevice, VkPipeline p, const VkAllocationCallbacks* a) {
  destroy(from<r5x::Pipeline>(p), a);
}

}  // namespace pumice::icd
