// SPDX-License-Identifier: MIT
/// VK_EXT_graphics_pipeline_library: a library keeps copies of what it was made with; linking puts them together and compiles then, so
/// nothing of a pipeline depends on how it was divided.
#pragma once
#include <optional>
#include <vector>

#include "icd/r5x/pipeline.h"

namespace pumice::icd::r5x {

class GraphicsParts {
 public:
  /// Copies what `info` says of the parts `which`; its stages are given.
  void take(const VkGraphicsPipelineCreateInfo& info, VkGraphicsPipelineLibraryFlagsEXT which, std::vector<Stage> stages);
  void take(const GraphicsParts& library);

  const std::vector<Stage>& stages() const { return stages_; }
  const PassFacts& pass() const { return pass_; }
  /// All of it as one structure that points to this object, with `base`'s flags and layout. Stages and pass are above.
  class Whole;

 private:
  VkGraphicsPipelineLibraryFlagsEXT have_ = 0;
  std::vector<Stage> stages_;
  PassFacts pass_;
  std::vector<VkDynamicState> dynamic_;
  std::vector<VkVertexInputBindingDescription> bindings_;
  std::vector<VkVertexInputAttributeDescription> attributes_;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors_;
  VkPipelineInputAssemblyStateCreateInfo assembly_{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  uint32_t viewport_count_ = 1, scissor_count_ = 1;
  std::vector<VkViewport> viewports_;
  std::vector<VkRect2D> scissors_;
  VkPipelineRasterizationStateCreateInfo raster_{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  std::optional<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT> provoking_;
  std::optional<VkPipelineRasterizationDepthClipStateCreateInfoEXT> depth_clip_;
  std::optional<VkPipelineRasterizationLineStateCreateInfoEXT> lines_;
  std::optional<VkPipelineViewportDepthClipControlCreateInfoEXT> depth_control_;
  std::optional<VkPipelineMultisampleStateCreateInfo> multisample_;
  std::optional<VkSampleMask> sample_mask_;
  std::optional<VkPipelineDepthStencilStateCreateInfo> depth_;
  std::optional<VkPipelineColorBlendStateCreateInfo> blend_;
  std::vector<VkPipelineColorBlendAttachmentState> blend_attachments_;
  std::vector<VkBool32> color_writes_;
};

class GraphicsParts::Whole {
 public:
  Whole(const GraphicsParts& parts, const VkGraphicsPipelineCreateInfo& base);
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
  VkGraphicsPipelineCreateInfo info;

 private:
  VkPipelineVertexInputStateCreateInfo input_{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisors_{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT};
  VkPipelineViewportStateCreateInfo viewport_{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster_{};
  std::optional<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT> provoking_;
  std::optional<VkPipelineRasterizationDepthClipStateCreateInfoEXT> depth_clip_;
  std::optional<VkPipelineRasterizationLineStateCreateInfoEXT> lines_;
  VkPipelineMultisampleStateCreateInfo multisample_{};
  VkPipelineColorBlendStateCreateInfo blend_{};
  VkPipelineColorWriteCreateInfoEXT writes_{VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT};
  VkPipelineDynamicStateCreateInfo dynamic_{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
};

/// The parts that `info` itself brings; all of them where it is no library and links none.
VkGraphicsPipelineLibraryFlagsEXT own_parts(const VkGraphicsPipelineCreateInfo& info);
bool links_or_is_library(const VkGraphicsPipelineCreateInfo& info);

}  // namespace pumice::icd::r5x
