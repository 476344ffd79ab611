// SPDX-License-Identifier: MIT
/// r5x: VK_EXT_graphics_pipeline_library.
#include <cstdint>

#include "color.frag.h"
#include "position_color.vert.h"
#include "tests/vk/render_fixture.h"
#include "uniform.frag.h"

namespace vktest {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                                            kBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                                            kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
                                            kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

class Libraries : public Render {
 protected:
  Libraries() {
    api_version = VK_API_VERSION_1_1;
    device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                         VK_KHR_MAINTENANCE_4_EXTENSION_NAME};
    four_.maintenance4 = VK_TRUE;
    libraries_.graphicsPipelineLibrary = VK_TRUE;
    device_next = &libraries_;
  }
  void SetUp() override {
    Render::SetUp();
    corners_ = buffer(3 * 24, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const float at[18] = {-0.9f, -0.8f, 1, 0.5f, 0, 1, -0.3f, 0.95f, 0, 1, 0.5f, 1, 0.8f, -0.2f, 0, 0, 1, 0.5f};
    std::memcpy(corners_.map, at, sizeof at);
    options.bindings = {{0, 24, VK_VERTEX_INPUT_RATE_VERTEX}};
    options.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
    options.blend = {{VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO,
                      VK_BLEND_OP_ADD, 0xF}};
  }

  /// A library of the parts `which` of a pipeline: what belongs to others is not in the structure.
  VkPipeline library(VkGraphicsPipelineCreateInfo i, VkGraphicsPipelineLibraryFlagsEXT which, const std::vector<VkPipeline>& of = {}) {
    VkPipelineLibraryCreateInfoKHR others{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, static_cast<uint32_t>(of.size()),
                                          of.data()};
    const VkGraphicsPipelineLibraryCreateInfoEXT l{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                   of.empty() ? nullptr : &others, which};
    i.pNext = &l;
    i.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    for (uint32_t n = 0; n < i.stageCount; ++n)
      if (i.pStages[n].stage == VK_SHADER_STAGE_VERTEX_BIT ? which & kBefore : which & kFragment) stages.push_back(i.pStages[n]);
    i.stageCount = static_cast<uint32_t>(stages.size()), i.pStages = stages.data();
    if (!(which & kInput)) i.pVertexInputState = nullptr, i.pInputAssemblyState = nullptr;
    if (!(which & kBefore)) i.pViewportState = nullptr, i.pRasterizationState = nullptr;
    if (!(which & kFragment)) i.pDepthStencilState = nullptr;
    if (!(which & kOutput)) i.pColorBlendState = nullptr;
    if (!(which & (kFragment | kOutput))) i.pMultisampleState = nullptr;
    if (!(which & (kBefore | kFragment))) i.layout = VK_NULL_HANDLE;
    VkPipeline p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    return p;
  }
  VkPipeline link(const std::vector<VkPipeline>& of, VkPipelineLayout l, VkPipelineCreateFlags flags = 0) {
    const VkPipelineLibraryCreateInfoKHR list{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, static_cast<uint32_t>(of.size()),
                                              of.data()};
    VkGraphicsPipelineCreateInfo i{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &list, flags};
    i.layout = l;
    VkPipeline p = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    defer([this, p, of] {
      vkDestroyPipeline(device, p, nullptr);
      for (VkPipeline part : of) vkDestroyPipeline(device, part, nullptr);
    });
    return p;
  }
  std::vector<uint8_t> drawn(VkPipeline p, VkPipelineLayout l, VkDescriptorSet set = VK_NULL_HANDLE) {
    render(
        [&](VkCommandBuffer c) {
          const VkDeviceSize none = 0;
          vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
          vkCmdBindVertexBuffers(c, 0, 1, &corners_.handle, &none);
          if (set) vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, l, 1, 1, &set, 0, nullptr);
          push(c, l);
          vkCmdDraw(c, 3, 1, 0, 0);
        },
        {0, 0.25f, 0, 1});
    return pixels;
  }
  PipelineOptions options;

 private:
  Buffer corners_;
  VkPhysicalDeviceMaintenance4Features four_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
                                                                &four_};
};

TEST_F(Libraries, FourPartsAreAPipeline) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_4_BIT);
  const VkPipelineLayout l = layout();
  const std::vector<uint8_t> expected = drawn(pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options), l);
  std::vector<VkPipeline> four, two;
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), l, options, [&](const VkGraphicsPipelineCreateInfo& i) {
    for (const auto which : {kOutput, kInput, kFragment, kBefore}) four.push_back(library(i, which));
    // Two, of which one holds a third.
    const VkPipeline input = library(i, kInput);
    two = {library(i, kBefore, {input}), library(i, kFragment | kOutput)};
    defer([=, this] { vkDestroyPipeline(device, input, nullptr); });
  });
  EXPECT_EQ(drawn(link(four, l, VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT), l), expected);
  EXPECT_EQ(drawn(link(two, l), l), expected);
}

TEST_F(Libraries, APipelineMayBringPartsItself) {
  make_pass();
  const VkPipelineLayout l = layout();
  const std::vector<uint8_t> expected = drawn(pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options), l);
  VkPipeline p = VK_NULL_HANDLE;
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), l, options, [&](VkGraphicsPipelineCreateInfo i) {
    const VkPipeline parts[2] = {library(i, kInput | kBefore), library(i, kOutput)};
    VkPipelineLibraryCreateInfoKHR list{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 2, parts};
    const VkGraphicsPipelineLibraryCreateInfoEXT own{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, &list, kFragment};
    // The code of the stage without an object.
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = sizeof color_frag, code.pCode = color_frag;
    VkPipelineShaderStageCreateInfo stage = i.pStages[1];
    stage.module = VK_NULL_HANDLE, stage.pNext = &code;
    i.pNext = &own, i.stageCount = 1, i.pStages = &stage;
    i.pVertexInputState = nullptr, i.pInputAssemblyState = nullptr, i.pViewportState = nullptr, i.pRasterizationState = nullptr;
    i.pColorBlendState = nullptr;
    VK_OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
    defer([this, a = parts[0], b = parts[1]] {
      vkDestroyPipeline(device, a, nullptr);
      vkDestroyPipeline(device, b, nullptr);
    });
  });
  defer([=, this] { vkDestroyPipeline(device, p, nullptr); });
  EXPECT_EQ(drawn(p, l), expected);
}

TEST_F(Libraries, SetsMayBeIndependent) {
  make_pass();
  VkDescriptorSetLayoutBinding b{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo si{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  VkDescriptorSetLayout sets[2];
  VK_OK(vkCreateDescriptorSetLayout(device, &si, nullptr, &sets[0]));  // empty
  si.bindingCount = 1, si.pBindings = &b;
  VK_OK(vkCreateDescriptorSetLayout(device, &si, nullptr, &sets[1]));
  defer([=, this] {
    for (VkDescriptorSetLayout s : sets) vkDestroyDescriptorSetLayout(device, s, nullptr);
  });
  const auto layout_of = [&](VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(PushConstants)};
    const VkDescriptorSetLayout both[2] = {first, second};
    const VkPipelineLayoutCreateInfo li{
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, 2, both, 1, &range};
    VkPipelineLayout l = VK_NULL_HANDLE;
    EXPECT_EQ(VK_SUCCESS, vkCreatePipelineLayout(device, &li, nullptr, &l));
    defer([=, this] { vkDestroyPipelineLayout(device, l, nullptr); });
    return l;
  };
  const VkPipelineLayout before = layout_of(sets[0], VK_NULL_HANDLE), fragment = layout_of(VK_NULL_HANDLE, sets[1]),
                         whole = layout_of(sets[0], sets[1]);
  // uniform.frag with its block in set 1.
  std::vector<uint32_t> code(uniform_frag, uniform_frag + sizeof uniform_frag / 4);
  for (size_t at = 5; at < code.size(); at += code[at] >> 16)
    if ((code[at] & 0xFFFF) == 71 && code[at + 2] == 34) code[at + 3] = 1;  // OpDecorate DescriptorSet
  std::vector<VkPipeline> parts;
  with_pipeline_info(SPIRV(position_color_vert), {code.data(), code.size() * 4}, before, options, [&](VkGraphicsPipelineCreateInfo i) {
    parts = {library(i, kInput | kBefore), library(i, kOutput)};
    i.layout = fragment;
    parts.push_back(library(i, kFragment));
  });
  const VkPipeline p = link(parts, whole);
  const Buffer u = buffer(256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  for (uint32_t k = 0; k < 16; ++k) reinterpret_cast<float*>(u.map)[k] = 1;
  const VkDescriptorPoolSize size{b.descriptorType, 1};
  const VkDescriptorPoolCreateInfo pi{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &pi, nullptr, &descriptors));
  defer([=, this] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
  const VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, descriptors, 1, &sets[1]};
  VkDescriptorSet set = VK_NULL_HANDLE;
  VK_OK(vkAllocateDescriptorSets(device, &ai, &set));
  const VkDescriptorBufferInfo bi{u.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet w{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  w.dstSet = set, w.descriptorCount = 1, w.descriptorType = b.descriptorType, w.pBufferInfo = &bi;
  vkUpdateDescriptorSets(device, 1, &w, 0, nullptr);
  const std::vector<uint8_t> one = drawn(p, whole, set);
  for (uint32_t k = 0; k < 16; ++k) reinterpret_cast<float*>(u.map)[k] = 0;
  EXPECT_NE(drawn(p, whole, set), one);  // the block is what colours it
}

/// What was linked is a pipeline of its own.
TEST_F(Libraries, MayGoBeforeThePipeline) {
  make_pass();
  const VkPipelineLayout l = layout();
  const std::vector<uint8_t> expected = drawn(pipeline(SPIRV(position_color_vert), SPIRV(color_frag), l, options), l);
  VkPipeline parts[2] = {}, p = VK_NULL_HANDLE;
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), l, options, [&](const VkGraphicsPipelineCreateInfo& i) {
    parts[0] = library(i, kInput | kFragment), parts[1] = library(i, kBefore | kOutput);
  });
  const VkPipelineLibraryCreateInfoKHR list{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 2, parts};
  VkGraphicsPipelineCreateInfo i{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &list};
  i.layout = l;
  VK_OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &i, nullptr, &p));
  for (VkPipeline part : parts) vkDestroyPipeline(device, part, nullptr);
  defer([=, this] { vkDestroyPipeline(device, p, nullptr); });
  EXPECT_EQ(drawn(p, l), expected);
}

TEST_F(Libraries, ALibraryIsNoPipeline) {
  VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT l{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 q{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &l};
  l.graphicsPipelineLibraryFastLinking = VK_TRUE;
  vkGetPhysicalDeviceProperties2(physical, &q);
  EXPECT_FALSE(l.graphicsPipelineLibraryFastLinking);  // linking compiles
  EXPECT_TRUE(l.graphicsPipelineLibraryIndependentInterpolationDecoration);
  make_pass();
  VkPipeline p = VK_NULL_HANDLE;
  with_pipeline_info(SPIRV(position_color_vert), SPIRV(color_frag), layout(), options,
                     [&](const VkGraphicsPipelineCreateInfo& i) { p = library(i, kInput | kBefore); });
  const VkCommandBuffer c = command_buffer();
  const VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VK_OK(vkBeginCommandBuffer(c, &bi));
  vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
  EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, vkEndCommandBuffer(c));
  vkDestroyPipeline(device, p, nullptr);
}

}  // namespace
}  // namespace vktest
