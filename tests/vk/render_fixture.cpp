// SPDX-License-Identifier: MIT
#include "tests/vk/render_fixture.h"

#include <algorithm>

namespace vktest {

std::array<VkSubpassDependency, 2> between_passes(uint32_t last_subpass) {
  constexpr VkPipelineStageFlags kTargets = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                            VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
                                 kOthers = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                          kReads = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  return {{{VK_SUBPASS_EXTERNAL, 0, kTargets | kOthers, kTargets, kWrites | VK_ACCESS_TRANSFER_WRITE_BIT, kWrites | kReads, 0},
           {last_subpass, VK_SUBPASS_EXTERNAL, kTargets, kTargets | kOthers, kWrites,
            kWrites | kReads | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, 0}}};
}

void Render::make_pass(std::vector<VkFormat> colors, VkFormat depth_format, VkSampleCountFlagBits n, VkAttachmentLoadOp load) {
  samples = n;
  std::vector<VkAttachmentDescription> attachments;
  std::vector<VkAttachmentReference> refs, resolves;
  std::vector<VkImageView> views;
  color.clear();
  resolved.clear();
  depth = {};
  clear_count = load == VK_ATTACHMENT_LOAD_OP_CLEAR ? static_cast<uint32_t>(colors.size()) + (depth_format ? 1 : 0) : 0;
  const auto attach = [&](VkFormat f, VkSampleCountFlagBits count) {
    VkAttachmentDescription a{};
    a.format = f;
    a.samples = count;
    a.loadOp = a.stencilLoadOp = count == samples ? load : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    if (a.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD) a.initialLayout = VK_IMAGE_LAYOUT_GENERAL;
    a.storeOp = a.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    a.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    attachments.push_back(a);
  };
  for (VkFormat f : colors) {
    ImageOptions o;
    o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    o.view = true;
    o.samples = samples;
    color.push_back(image(f, kSize, kSize, o));
    views.push_back(color.back().view);
    refs.push_back({static_cast<uint32_t>(attachments.size()), VK_IMAGE_LAYOUT_GENERAL});
    attach(f, samples);
  }
  VkAttachmentReference depth_ref{static_cast<uint32_t>(attachments.size()), VK_IMAGE_LAYOUT_GENERAL};
  if (depth_format) {
    ImageOptions o;
    o.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    o.samples = samples;
    o.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | (depth_format == VK_FORMAT_D24_UNORM_S8_UINT ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    o.view = true;
    depth = image(depth_format, kSize, kSize, o);
    views.push_back(depth.view);
    attach(depth_format, samples);
  }
  if (samples != VK_SAMPLE_COUNT_1_BIT)
    for (VkFormat f : colors) {
      ImageOptions o;
      o.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
      o.view = true;
      resolved.push_back(image(f, kSize, kSize, o));
      views.push_back(resolved.back().view);
      resolves.push_back({static_cast<uint32_t>(attachments.size()), VK_IMAGE_LAYOUT_GENERAL});
      attach(f, VK_SAMPLE_COUNT_1_BIT);
    }
  VkSubpassDescription sub{};
  sub.colorAttachmentCount = static_cast<uint32_t>(refs.size());
  sub.pColorAttachments = refs.data();
  if (!resolves.empty()) sub.pResolveAttachments = resolves.data();
  if (depth_format) sub.pDepthStencilAttachment = &depth_ref;
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = static_cast<uint32_t>(attachments.size());
  ri.pAttachments = attachments.data();
  ri.subpassCount = 1;
  ri.pSubpasses = &sub;
  const auto dependencies = between_passes(0);
  ri.dependencyCount = 2;
  ri.pDependencies = dependencies.data();
  VK_OK(vkCreateRenderPass(device, &ri, nullptr, &pass));
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  fi.renderPass = pass;
  fi.attachmentCount = static_cast<uint32_t>(views.size());
  fi.pAttachments = views.data();
  fi.width = fi.height = kSize;
  fi.layers = 1;
  VK_OK(vkCreateFramebuffer(device, &fi, nullptr, &framebuffer));
  defer([this, r = pass, f = framebuffer] {
    vkDestroyFramebuffer(device, f, nullptr);
    vkDestroyRenderPass(device, r, nullptr);
  });
}

VkPipelineLayout Render::layout(VkDescriptorType type) {
  if (type == VK_DESCRIPTOR_TYPE_MAX_ENUM) return layout_of({});
  const bool input = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT | (input ? 0 : VK_SHADER_STAGE_VERTEX_BIT);
  return layout_of({{0, type, 1, stages, nullptr}});
}

VkPipelineLayout Render::layout(const std::vector<Slot>& slots) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const Slot& s : slots) {
    VkDescriptorSetLayoutBinding* b = nullptr;
    for (auto& x : bindings)
      if (x.binding == s.binding) b = &x;
    const bool input = s.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    const VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT | (input ? 0 : VK_SHADER_STAGE_COMPUTE_BIT);
    if (!b) b = &bindings.emplace_back(VkDescriptorSetLayoutBinding{s.binding, s.type, 0, stages, nullptr});
    b->descriptorCount = std::max(b->descriptorCount, s.element + 1);
  }
  return layout_of(bindings);
}

VkPipelineLayout Render::layout_of(const std::vector<VkDescriptorSetLayoutBinding>& bindings) {
  VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(PushConstants)};
  VkPipelineLayoutCreateInfo li{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  li.pushConstantRangeCount = 1;
  li.pPushConstantRanges = &range;
  if (!bindings.empty()) {
    VkDescriptorSetLayoutCreateInfo si{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    si.bindingCount = static_cast<uint32_t>(bindings.size());
    si.pBindings = bindings.data();
    EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorSetLayout(device, &si, nullptr, &set_layout_));
    defer([this, s = set_layout_] { vkDestroyDescriptorSetLayout(device, s, nullptr); });
    li.setLayoutCount = 1;
    li.pSetLayouts = &set_layout_;
  }
  VkPipelineLayout l = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreatePipelineLayout(device, &li, nullptr, &l));
  defer([this, l] { vkDestroyPipelineLayout(device, l, nullptr); });
  return l;
}

void Render::with_pipeline_info(Spirv vertex, Spirv fragment, VkPipelineLayout l, const PipelineOptions& o,
                                const std::function<void(const VkGraphicsPipelineCreateInfo&)>& use) {
  VkPipelineShaderStageCreateInfo stages[2] = {{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO},
                                               {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO}};
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
  stages[0].module = shader(vertex.words, vertex.bytes);
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  stages[1].module = shader(fragment.words, fragment.bytes);
  stages[0].pName = stages[1].pName = "main";
  stages[0].pSpecializationInfo = stages[1].pSpecializationInfo = o.special;
  VkPipelineVertexInputStateCreateInfo vi{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  vi.pNext = o.vertex_input_next;
  vi.vertexBindingDescriptionCount = static_cast<uint32_t>(o.bindings.size());
  vi.pVertexBindingDescriptions = o.bindings.data();
  vi.vertexAttributeDescriptionCount = static_cast<uint32_t>(o.attributes.size());
  vi.pVertexAttributeDescriptions = o.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo ia{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  ia.topology = o.topology;
  ia.primitiveRestartEnable = o.restart;
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  const VkRect2D scissor{{0, 0}, {kSize, kSize}};
  VkPipelineViewportStateCreateInfo vp{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  vp.viewportCount = vp.scissorCount = 1;
  vp.pViewports = &viewport;
  vp.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo rs{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  rs.rasterizerDiscardEnable = o.discard;
  rs.polygonMode = o.polygon_mode;
  rs.cullMode = o.cull;
  rs.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  rs.lineWidth = o.line_width;
  rs.depthBiasEnable = o.depth_bias != 0;
  rs.depthBiasConstantFactor = o.depth_bias;
  rs.depthBiasClamp = o.depth_bias_clamp;
  VkPipelineMultisampleStateCreateInfo ms{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  ms.rasterizationSamples = samples;
  ms.pSampleMask = &o.sample_mask;
  ms.alphaToCoverageEnable = o.alpha_to_coverage;
  VkPipelineColorBlendStateCreateInfo cb{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  cb.pNext = o.blend_next;
  cb.attachmentCount = static_cast<uint32_t>(o.blend.size());
  cb.pAttachments = o.blend.data();
  cb.logicOpEnable = o.logic_op.has_value();
  cb.logicOp = o.logic_op.value_or(VK_LOGIC_OP_COPY);
  const float constants[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  std::memcpy(cb.blendConstants, constants, sizeof constants);
  std::vector<VkDynamicState> dynamic{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  dynamic.insert(dynamic.end(), o.dynamic.begin(), o.dynamic.end());
  VkPipelineDynamicStateCreateInfo dy{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dy.dynamicStateCount = static_cast<uint32_t>(dynamic.size());
  dy.pDynamicStates = dynamic.data();
  VkGraphicsPipelineCreateInfo pi{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  pi.pNext = o.next;
  pi.flags = o.flags;
  pi.stageCount = 2;
  pi.pStages = stages;
  pi.pVertexInputState = &vi;
  pi.pInputAssemblyState = &ia;
  pi.pViewportState = &vp;
  pi.pRasterizationState = &rs;
  pi.pMultisampleState = &ms;
  if (o.depth_stencil) pi.pDepthStencilState = &*o.depth_stencil;
  pi.pColorBlendState = &cb;
  pi.pDynamicState = &dy;
  pi.layout = l;
  pi.renderPass = o.next ? VK_NULL_HANDLE : pass;
  pi.subpass = o.subpass;
  use(pi);
}

VkPipeline Render::pipeline(Spirv vertex, Spirv fragment, VkPipelineLayout l, const PipelineOptions& o) {
  VkPipeline p = reinterpret_cast<VkPipeline>(1);
  with_pipeline_info(vertex, fragment, l, o, [&](const VkGraphicsPipelineCreateInfo& pi) {
    EXPECT_EQ(o.expected, vkCreateGraphicsPipelines(device, o.cache, 1, &pi, nullptr, &p));
  });
  defer([this, p] { vkDestroyPipeline(device, p, nullptr); });
  return p;
}

VkDescriptorSet Render::descriptor(VkDescriptorType type, const VkDescriptorBufferInfo* b, const VkDescriptorImageInfo* i) {
  const VkDescriptorPoolSize size{type, 1};
  VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pi.maxSets = 1;
  pi.poolSizeCount = 1;
  pi.pPoolSizes = &size;
  VkDescriptorPool p = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorPool(device, &pi, nullptr, &p));
  defer([this, p] { vkDestroyDescriptorPool(device, p, nullptr); });
  VkDescriptorSet s = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, allocate(p, &s));
  VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  w.dstSet = s;
  w.descriptorCount = 1;
  w.descriptorType = type;
  w.pBufferInfo = b;
  w.pImageInfo = i;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  return s;
}

VkDescriptorSet Render::set_of(const std::vector<Slot>& slots) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const Slot& s : slots) sizes.push_back({s.type, 1});
  VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pi.maxSets = 1;
  pi.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pi.pPoolSizes = sizes.data();
  VkDescriptorPool p = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreateDescriptorPool(device, &pi, nullptr, &p));
  defer([this, p] { vkDestroyDescriptorPool(device, p, nullptr); });
  VkDescriptorSet set = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, allocate(p, &set));
  for (const Slot& s : slots) {
    VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    w.dstSet = set;
    w.dstBinding = s.binding;
    w.dstArrayElement = s.element;
    w.descriptorCount = 1;
    w.descriptorType = s.type;
    w.pImageInfo = &s.image;
    w.pBufferInfo = &s.buffer;
    vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  }
  return set;
}

VkResult Render::allocate(VkDescriptorPool p, VkDescriptorSet* set) {
  VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  ai.descriptorPool = p;
  ai.descriptorSetCount = 1;
  ai.pSetLayouts = &set_layout_;
  return vkAllocateDescriptorSets(device, &ai, set);
}

VkSampler Render::sampler(VkFilter filter, VkSamplerAddressMode wrap, std::optional<VkCompareOp> compare) {
  VkSamplerCreateInfo si{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  si.magFilter = si.minFilter = filter;
  si.addressModeU = si.addressModeV = si.addressModeW = wrap;
  si.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  si.compareEnable = compare.has_value();
  si.compareOp = compare.value_or(VK_COMPARE_OP_NEVER);
  si.maxLod = 16;
  VkSampler s = VK_NULL_HANDLE;
  EXPECT_EQ(VK_SUCCESS, vkCreateSampler(device, &si, nullptr, &s));
  defer([this, s] { vkDestroySampler(device, s, nullptr); });
  return s;
}

void Render::begin(VkCommandBuffer c, std::array<float, 4> clear, float d, uint32_t stencil, VkSubpassContents contents) {
  std::vector<VkClearValue> values(color.size() + 1);  // resolve attachments come after these
  for (size_t i = 0; i < color.size(); ++i) std::memcpy(values[i].color.float32, clear.data(), sizeof clear);
  values.back().depthStencil = {d, stencil};
  VkRenderPassBeginInfo bi{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  bi.renderPass = pass;
  bi.framebuffer = framebuffer;
  bi.renderArea = {{0, 0}, {kSize, kSize}};
  bi.clearValueCount = clear_count;
  bi.pClearValues = values.data();
  vkCmdBeginRenderPass(c, &bi, contents);
  if (contents != VK_SUBPASS_CONTENTS_INLINE) return;
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  const VkRect2D scissor{{0, 0}, {kSize, kSize}};
  vkCmdSetViewport(c, 0, 1, &viewport);
  vkCmdSetScissor(c, 0, 1, &scissor);
}

void Render::push(VkCommandBuffer c, VkPipelineLayout l, const PushConstants& p) {
  vkCmdPushConstants(c, l, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof p, &p);
}

void Render::render(const std::function<void(VkCommandBuffer)>& record, std::array<float, 4> clear, float d, uint32_t stencil) {
  run([&](VkCommandBuffer c) {
    begin(c, clear, d, stencil);
    record(c);
    vkCmdEndRenderPass(c);
  });
  if (!color.empty()) picture();
}

uint32_t Render::count(std::array<uint8_t, 4> value) const {
  uint32_t n = 0;
  for (uint32_t y = 0; y < kSize; ++y)
    for (uint32_t x = 0; x < kSize; ++x) n += at(x, y) == value;
  return n;
}

}  // namespace vktest
