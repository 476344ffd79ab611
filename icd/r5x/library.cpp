// SPDX-License-Identifier: MIT
#include "icd/r5x/library.h"

#include <algorithm>

namespace pumice::icd::r5x {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                                            kBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                                            kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
                                            kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

/// The parts in which a dynamic state means something; elsewhere it is ignored.
VkGraphicsPipelineLibraryFlagsEXT parts_of(VkDynamicState s) {
  switch (s) {
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT: return kInput;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_OP: return kFragment;
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT: return kFragment | kOutput;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT: return kOutput;
    default: return kBefore;
  }
}

template <class T>
void assign(std::vector<T>& to, const T* from, uint32_t count) {
  to.assign(from, from + (from ? count : 0));
}

template <class T>
T without_chain(const T& info) {
  T copy = info;
  copy.pNext = nullptr;
  return copy;
}

/// The structure of this type in the chain, if there is one, without what follows it.
template <class T>
void keep(std::optional<T>& to, const void* chain, VkStructureType type) {
  const auto* s = find_next<T>(chain, type);
  to = s ? std::optional(without_chain(*s)) : std::nullopt;
}

/// Puts a copy of `from` before what `to` is chained to.
template <class T, class Head>
void chain(Head& head, std::optional<T>& to, const std::optional<T>& from) {
  if (!from) return;
  to = from;
  to->pNext = head.pNext;
  head.pNext = &*to;
}

}  // namespace

VkGraphicsPipelineLibraryFlagsEXT own_parts(const VkGraphicsPipelineCreateInfo& info) {
  const auto* own =
      find_next<VkGraphicsPipelineLibraryCreateInfoEXT>(info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  if (own) return own->flags;
  const auto* libraries = find_next<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return libraries && libraries->libraryCount ? 0 : kInput | kBefore | kFragment | kOutput;
}

bool links_or_is_library(const VkGraphicsPipelineCreateInfo& info) {
  const auto* libraries = find_next<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || (libraries && libraries->libraryCount);
}

void GraphicsParts::take(const VkGraphicsPipelineCreateInfo& info, VkGraphicsPipelineLibraryFlagsEXT which, std::vector<Stage> stages) {
  have_ |= which;
  for (Stage& s : stages) stages_.push_back(std::move(s));
  const auto* pd = info.pDynamicState;
  for (uint32_t i = 0; pd && i < pd->dynamicStateCount; ++i)
    if (parts_of(pd->pDynamicStates[i]) & which) dynamic_.push_back(pd->pDynamicStates[i]);
  // A render pass says all of it to every part, vkCmdBeginRendering's formats to the output only.
  if (which & ~kInput) {
    const PassFacts facts = pass_facts(info);
    pass_.view_mask |= facts.view_mask;
    if (info.renderPass || (which & kOutput)) {
      pass_.color |= facts.color;
      pass_.depth |= facts.depth;
    }
  }
  if (which & kInput) {
    if (const auto* vi = info.pVertexInputState; vi && !has_dynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)) {
      assign(bindings_, vi->pVertexBindingDescriptions, vi->vertexBindingDescriptionCount);
      assign(attributes_, vi->pVertexAttributeDescriptions, vi->vertexAttributeDescriptionCount);
      if (const auto* d = find_next<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
              vi->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT))
        assign(divisors_, d->pVertexBindingDivisors, d->vertexBindingDivisorCount);
    }
    if (info.pInputAssemblyState) assembly_ = without_chain(*info.pInputAssemblyState);
  }
  bool discards = false;
  if (which & kBefore) {
    if (info.pRasterizationState) {
      const VkPipelineRasterizationStateCreateInfo& rs = *info.pRasterizationState;
      raster_ = without_chain(rs);
      keep(provoking_, rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
      keep(depth_clip_, rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
      keep(lines_, rs.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
      discards = always_discards(info);
    }
    if (const auto* vp = info.pViewportState; vp && !discards) {
      viewport_count_ = vp->viewportCount, scissor_count_ = vp->scissorCount;
      keep(depth_control_, vp->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
      if (!has_dynamic(info, VK_DYNAMIC_STATE_VIEWPORT) && !has_dynamic(info, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
        assign(viewports_, vp->pViewports, vp->viewportCount);
      if (!has_dynamic(info, VK_DYNAMIC_STATE_SCISSOR) && !has_dynamic(info, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
        assign(scissors_, vp->pScissors, vp->scissorCount);
    }
  }
  if (discards) return;  // what follows must not be read
  if ((which & (kFragment | kOutput)) && info.pMultisampleState) {
    const auto& ms = *info.pMultisampleState;
    multisample_ = without_chain(ms);
    if (ms.pSampleMask && !has_dynamic(info, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT)) sample_mask_ = ms.pSampleMask[0];
    multisample_->pSampleMask = nullptr;
  }
  if ((which & kFragment) && (!info.renderPass || pass_.depth) && info.pDepthStencilState) depth_ = without_chain(*info.pDepthStencilState);
  if ((which & kOutput) && pass_.color && info.pColorBlendState) {
    const auto& cb = *info.pColorBlendState;
    blend_ = without_chain(cb);
    if (cb.pAttachments) assign(blend_attachments_, cb.pAttachments, cb.attachmentCount);
    if (const auto* w = find_next<VkPipelineColorWriteCreateInfoEXT>(cb.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT))
      assign(color_writes_, w->pColorWriteEnables, w->attachmentCount);
  }
}

void GraphicsParts::take(const GraphicsParts& l) {
  have_ |= l.have_;
  stages_.insert(stages_.end(), l.stages_.begin(), l.stages_.end());
  dynamic_.insert(dynamic_.end(), l.dynamic_.begin(), l.dynamic_.end());
  pass_.color |= l.pass_.color;
  pass_.depth |= l.pass_.depth;
  pass_.view_mask |= l.pass_.view_mask;
  if (l.have_ & kInput) {
    bindings_ = l.bindings_, attributes_ = l.attributes_, divisors_ = l.divisors_;
    assembly_ = l.assembly_;
  }
  if (l.have_ & kBefore) {
    viewport_count_ = l.viewport_count_, scissor_count_ = l.scissor_count_;
    viewports_ = l.viewports_, scissors_ = l.scissors_;
    raster_ = l.raster_;
    provoking_ = l.provoking_, depth_clip_ = l.depth_clip_, lines_ = l.lines_, depth_control_ = l.depth_control_;
  }
  if (l.multisample_) multisample_ = l.multisample_, sample_mask_ = l.sample_mask_;
  if (l.have_ & kFragment) depth_ = l.depth_;
  if (l.have_ & kOutput) blend_ = l.blend_, blend_attachments_ = l.blend_attachments_, color_writes_ = l.color_writes_;
}

GraphicsParts::Whole::Whole(const GraphicsParts& p, const VkGraphicsPipelineCreateInfo& base) : info(base) {
  info.pNext = nullptr;
  info.stageCount = 0, info.pStages = nullptr;
  info.renderPass = VK_NULL_HANDLE;
  input_.vertexBindingDescriptionCount = static_cast<uint32_t>(p.bindings_.size());
  input_.pVertexBindingDescriptions = p.bindings_.data();
  input_.vertexAttributeDescriptionCount = static_cast<uint32_t>(p.attributes_.size());
  input_.pVertexAttributeDescriptions = p.attributes_.data();
  divisors_.vertexBindingDivisorCount = static_cast<uint32_t>(p.divisors_.size()), divisors_.pVertexBindingDivisors = p.divisors_.data();
  if (!p.divisors_.empty()) input_.pNext = &divisors_;
  info.pVertexInputState = &input_;
  info.pInputAssemblyState = &p.assembly_;
  info.pTessellationState = nullptr;
  viewport_.viewportCount = p.viewport_count_, viewport_.scissorCount = p.scissor_count_;
  viewport_.pViewports = p.viewports_.empty() ? nullptr : p.viewports_.data();
  viewport_.pScissors = p.scissors_.empty() ? nullptr : p.scissors_.data();
  if (p.depth_control_) viewport_.pNext = &*p.depth_control_;
  info.pViewportState = &viewport_;
  raster_ = p.raster_;
  chain(raster_, provoking_, p.provoking_);
  chain(raster_, depth_clip_, p.depth_clip_);
  chain(raster_, lines_, p.lines_);
  info.pRasterizationState = &raster_;
  if (p.multisample_) {
    multisample_ = *p.multisample_;
    if (p.sample_mask_) multisample_.pSampleMask = &*p.sample_mask_;
  }
  info.pMultisampleState = p.multisample_ ? &multisample_ : nullptr;
  info.pDepthStencilState = p.depth_ ? &*p.depth_ : nullptr;
  if (p.blend_) {
    blend_ = *p.blend_;
    blend_.attachmentCount = static_cast<uint32_t>(p.blend_attachments_.size()), blend_.pAttachments = p.blend_attachments_.data();
    writes_.attachmentCount = static_cast<uint32_t>(p.color_writes_.size()), writes_.pColorWriteEnables = p.color_writes_.data();
    if (!p.color_writes_.empty()) blend_.pNext = &writes_;
  }
  info.pColorBlendState = p.blend_ ? &blend_ : nullptr;
  dynamic_.dynamicStateCount = static_cast<uint32_t>(p.dynamic_.size()), dynamic_.pDynamicStates = p.dynamic_.data();
  info.pDynamicState = &dynamic_;
}

}  // namespace pumice::icd::r5x
