// SPDX-License-Identifier: MIT
#include "icd/r5x/pipeline.h"

#include <algorithm>
#include <cstdio>

#include "icd/debug.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/r5x/creation.h"
#include "icd/r5x/device.h"
#include "icd/r5x/library.h"

namespace pumice::icd {
namespace r5x {

Pipeline::Pipeline(Device& d, VkPipelineBindPoint p, const PipelineLayout* layout) : DeviceObject(d, kType), point(p) {
  if (!layout) return;
  first_dynamic = layout->first_dynamic;
  dynamic_descriptors = layout->dynamic;
}

StageSource stage_source(Device& device, const VkPipelineShaderStageCreateInfo& info, const char* label) {
  StageSource s;
  // VK_EXT_graphics_pipeline_library: the code may come without an object.
  const auto* code = find_next<VkShaderModuleCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  s.code = info.module || !code ? from<ShaderModule>(info.module)->code : device.codes.get(std::span(code->pCode, code->codeSize / 4));
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

VkResult Pipeline::build(const compiler::PipelineSource& source,
                         const std::array<std::shared_ptr<const ShaderCode>, compiler::kStages>& code,
                         const std::shared_ptr<ProgramCache>& cache, bool may_compile) {
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
  if (!source.want_log || !may_compile) {  // the compiler's log needs the compiler
    if (cache) program_ = cache->find(key);
    of_application_cache = program_ != nullptr;
    if (!program_) {
      how = "of the device";
      program_ = d.programs.find(recent);
    }
  }
  if (!program_) {
    if (!may_compile) return VK_PIPELINE_COMPILE_REQUIRED;
    how = "compiled";
    program_ = compile(*this, source);
    if (!program_) return VK_ERROR_INITIALIZATION_FAILED;
  }
  for (size_t i = 0; i < compiler::kStages; ++i) {
    if (source.shaders[i].has_value() != program_->x[i].has_value())
      return report(this, VK_ERROR_INITIALIZATION_FAILED, "the compiler made no program for memory of a stage");
    if (program_->x[i]) {
      code_[i] = d.code->load(*program_->x[i]);
      push_bytes = std::max(push_bytes, program_->x[i]->push_bytes);
    }
  }
  if (cache) cache->add(key, program_);
  d.programs.add(std::move(recent), program_);
  if (d.module_notes) d.module_notes->add(source, *program_);
  if (environment().on(Debug::stats)) print_statistics(*program_, how);
  return VK_SUCCESS;
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

/// The stages as they are compiled, with copies of what they refer to; an error is reported.
VkResult read_stages(const Pipeline& p, uint32_t count, const VkPipelineShaderStageCreateInfo* infos, std::vector<Stage>& out) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!has_subgroup_size(p, infos[i])) return VK_ERROR_INITIALIZATION_FAILED;
    const char* label = infos[i].stage == VK_SHADER_STAGE_VERTEX_BIT     ? "vertex"
                        : infos[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment"
                                                                         : "compute";
    out.push_back({infos[i].stage, stage_source(p.device, infos[i], label)});
  }
  return VK_SUCCESS;
}

/// Compiles the stages; an error is reported.
VkResult build_stages(Pipeline& p, const PipelineLayout& layout, std::vector<Stage> stages, bool discard, PipelineCache* cache,
                      compiler::PipelineSource source, VkPipelineCreateFlags flags) {
  source.chip = p.device.chip.compiler_chip;
  source.resources = layout.resources();
  source.want_log = environment().on(Debug::compiler);
  source.check = false;
  std::array<std::shared_ptr<const ShaderCode>, compiler::kStages> code;
  for (Stage& s : stages) {
    const auto add = [&](compiler::Stage stage) {
      if (flags & VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT) {
        s.source.code = view_is_device(*s.source.code);
        s.source.source.spirv = s.source.code->words;
      }
      code[static_cast<size_t>(stage)] = std::move(s.source.code);
      source.add(stage) = std::move(s.source.source);
    };
    if (s.stage == VK_SHADER_STAGE_VERTEX_BIT) add(compiler::Stage::vertex);
    if (s.stage == VK_SHADER_STAGE_FRAGMENT_BIT && !discard) add(compiler::Stage::fragment);
    if (s.stage == VK_SHADER_STAGE_COMPUTE_BIT) add(compiler::Stage::compute);
  }
  return p.build(source, code, cache ? cache->programs : nullptr, !(flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT));
}

}  // namespace

bool has_dynamic(const VkGraphicsPipelineCreateInfo& info, VkDynamicState state) {
  const VkPipelineDynamicStateCreateInfo* d = info.pDynamicState;
  return d && std::find(d->pDynamicStates, d->pDynamicStates + d->dynamicStateCount, state) != d->pDynamicStates + d->dynamicStateCount;
}

bool always_discards(const VkGraphicsPipelineCreateInfo& info) {
  return info.pRasterizationState->rasterizerDiscardEnable && !has_dynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
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

VkResult check_stages(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  for (uint32_t i = 0; i < info.stageCount; ++i)
    if (info.pStages[i].stage & ~(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT))
      return report(&device, VK_ERROR_FEATURE_NOT_PRESENT,
                    "vkCreateGraphicsPipelines: shader stage %s; there are vertex and fragment programs",
                    names_of<VkShaderStageFlagBits>(info.pStages[i].stage).c_str());
  return VK_SUCCESS;
}

VkResult check_state(Device& device, const VkGraphicsPipelineCreateInfo& info) {
  if (info.pInputAssemblyState && info.pInputAssemblyState->topology >= VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: topology %s; there are no patches",
                  name_of(info.pInputAssemblyState->topology).c_str());
  const auto* ms =
      always_discards(info) || has_dynamic(info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) ? nullptr : info.pMultisampleState;
  if (ms && !(ms->rasterizationSamples & device.chip.limits.framebufferNoAttachmentsSampleCounts))
    return report(&device, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateGraphicsPipelines: %u samples; the device offers %s",
                  ms->rasterizationSamples,
                  names_of<VkSampleCountFlagBits>(device.chip.limits.framebufferNoAttachmentsSampleCounts).c_str());
  return VK_SUCCESS;
}

}  // namespace
}  // namespace r5x

namespace {

VkResult make_compute(Device& device, PipelineCache* cache, const VkComputePipelineCreateInfo& info, const VkAllocationCallbacks* a,
                      VkPipeline& out) {
  const r5x::CreationFeedback feedback(info.pNext);
  const auto& layout = *from<r5x::PipelineLayout>(info.layout);
  Created p(create<r5x::Pipeline>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, VK_PIPELINE_BIND_POINT_COMPUTE, &layout), a);
  std::vector<r5x::Stage> stages;
  if (const VkResult r = r5x::read_stages(*p, 1, &info.stage, stages); r != VK_SUCCESS) return r;
  if (const VkResult r = r5x::build_stages(*p, layout, std::move(stages), false, cache, {}, info.flags); r != VK_SUCCESS) return r;
  const compiler::XProgram& x = *p->program(compiler::Stage::compute);
  r5x::RegisterList r(p->registers);
  r5x::state_code<r5x::xr::X_CS_CODE_LO, r5x::xr::X_CS_CODE_HI, r5x::xr::X_CS_CODE_SIZE, r5x::xr::X_CS_CODE_RSRC>(
      r, p->code(compiler::Stage::compute));
  r.state(r5x::xr::X_CS_LOCAL_SIZE{}.X(x.local_size[0] - 1).Y(x.local_size[1] - 1).Z(x.local_size[2] - 1));
  r.state(r5x::xr::X_CS_LDS_SIZE{}.BYTES(x.lds_bytes));
  journal("created", "compute pipeline", "yes", true);
  feedback.write(p->of_application_cache);
  out = to_handle(p.release());
  return VK_SUCCESS;
}

/// Programs and registers of a pipeline all of whose state is there.
VkResult finish_graphics(r5x::Pipeline& p, PipelineCache* cache, const VkGraphicsPipelineCreateInfo& info, const r5x::PassFacts& pass,
                         std::vector<r5x::Stage> stages) {
  if (const VkResult r = r5x::check_state(p.device, info); r != VK_SUCCESS) return r;
  compiler::PipelineSource source;
  const bool discard = r5x::always_discards(info);
  source.color_attachments = discard ? 0 : pass.color;
  source.point_topology = info.pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ||
                          info.pRasterizationState->polygonMode == VK_POLYGON_MODE_POINT ||
                          r5x::has_dynamic(info, VK_DYNAMIC_STATE_POLYGON_MODE_EXT);
  const VkResult r =
      r5x::build_stages(p, *from<r5x::PipelineLayout>(info.layout), std::move(stages), discard, cache, std::move(source), info.flags);
  if (r == VK_SUCCESS) r5x::make_graphics_state(p, info, pass);
  return r;
}

/// A library, or a pipeline of libraries and what `info` adds to them.
VkResult make_of_parts(r5x::Pipeline& p, PipelineCache* cache, const VkGraphicsPipelineCreateInfo& info, std::vector<r5x::Stage> stages) {
  auto parts = std::make_shared<r5x::GraphicsParts>();
  if (const auto* libraries = find_next<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR))
    for (uint32_t i = 0; i < libraries->libraryCount; ++i) {
      const auto* l = from<r5x::Pipeline>(libraries->pLibraries[i]);
      if (!l || !l->parts) return report(&p, VK_ERROR_INITIALIZATION_FAILED, "vkCreateGraphicsPipelines: pLibraries[%u] is no library", i);
      parts->take(*l->parts);
    }
  parts->take(info, r5x::own_parts(info), std::move(stages));
  if (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) {
    p.parts = std::move(parts);
    return VK_SUCCESS;
  }
  if (!info.layout) return report(&p, VK_ERROR_INITIALIZATION_FAILED, "vkCreateGraphicsPipelines: libraries are linked without a layout");
  const r5x::GraphicsParts::Whole whole(*parts, info);
  return finish_graphics(p, cache, whole.info, parts->pass(), parts->stages());
}

VkResult make_graphics(Device& device, PipelineCache* cache, const VkGraphicsPipelineCreateInfo& info, const VkAllocationCallbacks* a,
                       VkPipeline& out) {
  const r5x::CreationFeedback feedback(info.pNext);
  const bool shaders = r5x::own_parts(info) & (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT);
  Created p(create<r5x::Pipeline>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                  from<r5x::PipelineLayout>(info.layout)),
            a);
  std::vector<r5x::Stage> stages;
  VkResult r = VK_SUCCESS;
  if (shaders) {
    r = r5x::check_stages(device, info);
    if (r == VK_SUCCESS) r = r5x::read_stages(*p, info.stageCount, info.pStages, stages);
  }
  if (r == VK_SUCCESS)
    r = r5x::links_or_is_library(info) ? make_of_parts(*p, cache, info, std::move(stages))
                                       : finish_graphics(*p, cache, info, r5x::pass_facts(info), std::move(stages));
  if (r != VK_SUCCESS) return r;
  journal("created", "graphics pipeline", "yes", true);
  feedback.write(p->of_application_cache);
  out = to_handle(p.release());
  return VK_SUCCESS;
}

/// All of a list, or those before one whose failure ends the call; the others are null.
template <class Info, class Make>
VkResult make_all(uint32_t count, const Info* infos, VkPipeline* out, const Make& make) {
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; ++i) out[i] = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < count; ++i) {
    const VkResult one = make(infos[i], out[i]);
    r5x::merge(result, one);
    if (one != VK_SUCCESS && r5x::ends_call(infos[i].flags)) break;
  }
  return result;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                          const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* a,
                                                          VkPipeline* out) {
  return make_all(count, infos, out, [&](const VkComputePipelineCreateInfo& info, VkPipeline& p) {
    return make_compute(*from<Device>(handle), from<PipelineCache>(cache), info, a, p);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                           const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* a,
                                                           VkPipeline* out) {
  return make_all(count, infos, out, [&](const VkGraphicsPipelineCreateInfo& info, VkPipeline& p) {
    return make_graphics(*from<Device>(handle), from<PipelineCache>(cache), info, a, p);
  });
}

VKAPI_ATTR void VKAPI_CALL r5x_DestroyPipeline(VkDevice, VkPipeline p, const VkAllocationCallbacks* a) {
  destroy(from<r5x::Pipeline>(p), a);
}

}  // namespace pumice::icd
