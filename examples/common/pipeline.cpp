// SPDX-License-Identifier: MIT
#include "examples/common/pipeline.h"

namespace example {

PipelineBuilder::PipelineBuilder() {
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  rasterization.polygonMode = VK_POLYGON_MODE_FILL;
  rasterization.cullMode = VK_CULL_MODE_NONE;
  rasterization.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  rasterization.lineWidth = 1.0f;
  depth_stencil.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  blend.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
}

VkPipeline PipelineBuilder::create(Context& context, VkRenderPass render_pass, VkPipelineLayout layout, std::span<const uint32_t> vertex,
                                   std::span<const uint32_t> fragment) const {
  const VkShaderModule modules[] = {context.create_shader(vertex), context.create_shader(fragment)};
  const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                     .module = modules[0],
                                                     .pName = "main"},
                                                    {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     .module = modules[1],
                                                     .pName = "main"}};
  const VkPipelineVertexInputStateCreateInfo input{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                   .vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size()),
                                                   .pVertexBindingDescriptions = bindings.data(),
                                                   .vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size()),
                                                   .pVertexAttributeDescriptions = attributes.data()};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineMultisampleStateCreateInfo multisample{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = samples};
  const VkPipelineColorBlendStateCreateInfo blending{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = color_attachments, .pAttachments = &blend};
  const VkPipelineDynamicStateCreateInfo dynamic_state{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                       .dynamicStateCount = static_cast<uint32_t>(dynamic.size()),
                                                       .pDynamicStates = dynamic.data()};
  const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .stageCount = 2,
                                          .pStages = stages,
                                          .pVertexInputState = &input,
                                          .pInputAssemblyState = &assembly,
                                          .pViewportState = &viewport,
                                          .pRasterizationState = &rasterization,
                                          .pMultisampleState = &multisample,
                                          .pDepthStencilState = &depth_stencil,
                                          .pColorBlendState = &blending,
                                          .pDynamicState = &dynamic_state,
                                          .layout = layout,
                                          .renderPass = render_pass};
  VkPipeline pipeline;
  VK_CHECK(vkCreateGraphicsPipelines(context.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  for (const VkShaderModule m : modules) vkDestroyShaderModule(context.device, m, nullptr);
  return pipeline;
}

VkPipelineLayout create_layout(Context& context, std::span<const VkDescriptorSetLayout> sets, std::span<const VkPushConstantRange> push) {
  const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                        .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                        .pSetLayouts = sets.data(),
                                        .pushConstantRangeCount = static_cast<uint32_t>(push.size()),
                                        .pPushConstantRanges = push.data()};
  VkPipelineLayout layout;
  VK_CHECK(vkCreatePipelineLayout(context.device, &info, nullptr, &layout));
  return layout;
}

DescriptorSet create_descriptor_set(Context& context, std::span<const VkDescriptorSetLayoutBinding> bindings) {
  DescriptorSet d;
  const VkDescriptorSetLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = static_cast<uint32_t>(bindings.size()),
                                               .pBindings = bindings.data()};
  VK_CHECK(vkCreateDescriptorSetLayout(context.device, &layout, nullptr, &d.layout));
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto& b : bindings) sizes.push_back({b.descriptorType, b.descriptorCount});
  const VkDescriptorPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                        .maxSets = 1,
                                        .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                        .pPoolSizes = sizes.data()};
  VK_CHECK(vkCreateDescriptorPool(context.device, &pool, nullptr, &d.pool));
  const VkDescriptorSetAllocateInfo allocate{
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = d.pool, .descriptorSetCount = 1, .pSetLayouts = &d.layout};
  VK_CHECK(vkAllocateDescriptorSets(context.device, &allocate, &d.set));
  return d;
}

void write_buffer(Context& context, VkDescriptorSet set, uint32_t binding, const Buffer& buffer) {
  const VkDescriptorBufferInfo info{buffer.buffer, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = set,
                                   .dstBinding = binding,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                   .pBufferInfo = &info};
  vkUpdateDescriptorSets(context.device, 1, &write, 0, nullptr);
}

void write_texture(Context& context, VkDescriptorSet set, uint32_t binding, VkImageView view, VkSampler sampler) {
  const VkDescriptorImageInfo info{sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = set,
                                   .dstBinding = binding,
                                   .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                   .pImageInfo = &info};
  vkUpdateDescriptorSets(context.device, 1, &write, 0, nullptr);
}

void destroy(Context& context, DescriptorSet& d) {
  vkDestroyDescriptorPool(context.device, d.pool, nullptr);
  vkDestroyDescriptorSetLayout(context.device, d.layout, nullptr);
  d = {};
}

}  // namespace example
