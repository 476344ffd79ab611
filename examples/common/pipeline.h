// SPDX-License-Identifier: MIT
/// A graphics pipeline with every state at its plainest value. Examples set the members they teach and call create().
#pragma once
#include <vector>

#include "examples/common/context.h"
#include "examples/common/scene.h"

namespace example {

struct PipelineBuilder {
  PipelineBuilder();

  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo rasterization{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineDepthStencilStateCreateInfo depth_stencil{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState blend{};
  uint32_t color_attachments = 1;  ///< 0 or 1
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  std::vector<VkDynamicState> dynamic{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};

  /// Shaders are given as SPIR-V words; both entry points are `main`.
  VkPipeline create(Context& context, VkRenderPass render_pass, VkPipelineLayout layout, std::span<const uint32_t> vertex,
                    std::span<const uint32_t> fragment) const;
};

VkPipelineLayout create_layout(Context& context, std::span<const VkDescriptorSetLayout> sets = {},
                               std::span<const VkPushConstantRange> push = {});

/// One descriptor set with its own layout and pool: enough for a demonstration.
struct DescriptorSet {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};
DescriptorSet create_descriptor_set(Context& context, std::span<const VkDescriptorSetLayoutBinding> bindings);
void write_buffer(Context& context, VkDescriptorSet set, uint32_t binding, const Buffer& buffer);
void write_texture(Context& context, VkDescriptorSet set, uint32_t binding, VkImageView view, VkSampler sampler);
void destroy(Context& context, DescriptorSet& set);

}  // namespace example
