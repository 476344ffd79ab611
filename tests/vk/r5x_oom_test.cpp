// SPDX-License-Identifier: MIT
/// r5x: every allocation of a call fails once (oom.h). The call returns VK_ERROR_OUT_OF_HOST_MEMORY, or VK_ERROR_OUT_OF_DEVICE_MEMORY where
/// the chip's memory failed, or manages without; nothing leaks (PUMICE_DEBUG=leaks), and the device goes on.
#include <unistd.h>

#include <cstdint>
#include <functional>

#include "full.vert.h"
#include "groups.comp.h"
#include "point.frag.h"
#include "tests/vk/oom.h"
#include "tests/vk/render_fixture.h"
#include "tests/vk/swapchain_fixture.h"
#include "texture.frag.h"

namespace vktest {
namespace {

using oom::left;

class OutOfMemory : public Render {
 protected:
  oom::Callbacks callbacks;

  void SetUp() override {
    Render::SetUp();
    oom::find_driver();
  }
  long each_allocation(const char* what, const std::function<VkResult()>& call, long every = 400, long step = 37) {
    return oom::each_allocation(what, callbacks, call, every, step);
  }
  /// Of objects that `create` makes and `destroy` takes.
  template <class Handle>
  void objects(const char* what, const std::function<VkResult(Handle*)>& create, const std::function<void(Handle)>& destroy) {
    EXPECT_GT(each_allocation(what,
                              [&] {
                                Handle h = VK_NULL_HANDLE;
                                const VkResult r = create(&h);
                                left = -1;
                                if (r == VK_SUCCESS) destroy(h);
                                return r;
                              }),
              0)
        << what;
  }
  template <class Handle, class Info>
  void objects(const char* what, VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*),
               const Info& info, void(VKAPI_PTR* destroy)(VkDevice, Handle, const VkAllocationCallbacks*)) {
    objects<Handle>(
        what, [&](Handle* h) { return create(device, &info, &callbacks.table, h); },
        [&](Handle h) { destroy(device, h, &callbacks.table); });
  }
};

TEST_F(OutOfMemory, ObjectsOfADevice) {
  make_pass();
  VkBufferCreateInfo bi{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  bi.size = 256, bi.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  objects("buffer", vkCreateBuffer, bi, vkDestroyBuffer);
  VkImageCreateInfo ii{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  ii.imageType = VK_IMAGE_TYPE_2D, ii.format = VK_FORMAT_R8G8B8A8_UNORM, ii.extent = {64, 64, 1}, ii.mipLevels = 7, ii.arrayLayers = 3;
  ii.samples = VK_SAMPLE_COUNT_1_BIT, ii.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  objects("image", vkCreateImage, ii, vkDestroyImage);
  VkImageViewCreateInfo vi{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  vi.image = color[0].handle, vi.viewType = VK_IMAGE_VIEW_TYPE_2D, vi.format = color[0].format;
  vi.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  objects("image view", vkCreateImageView, vi, vkDestroyImageView);
  const VkSamplerCreateInfo sampler_info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  objects("sampler", vkCreateSampler, sampler_info, vkDestroySampler);
  VkMemoryAllocateInfo mi{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  mi.allocationSize = 1 << 20;
  objects("memory", vkAllocateMemory, mi, vkFreeMemory);
  VkShaderModuleCreateInfo si{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  si.codeSize = sizeof groups_comp, si.pCode = groups_comp;
  objects("shader module", vkCreateShaderModule, si, vkDestroyShaderModule);
  const VkDescriptorSetLayoutBinding bindings[2] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL, nullptr},
                                                    {3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 5, VK_SHADER_STAGE_ALL, nullptr}};
  VkDescriptorSetLayoutCreateInfo li{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  li.bindingCount = 2, li.pBindings = bindings;
  objects("set layout", vkCreateDescriptorSetLayout, li, vkDestroyDescriptorSetLayout);
  VkDescriptorSetLayout l = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &li, nullptr, &l));
  defer([this, l] { vkDestroyDescriptorSetLayout(device, l, nullptr); });
  VkPipelineLayoutCreateInfo pi{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  pi.setLayoutCount = 1, pi.pSetLayouts = &l;
  objects("pipeline layout", vkCreatePipelineLayout, pi, vkDestroyPipelineLayout);
  const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4}, {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 10}};
  VkDescriptorPoolCreateInfo di{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  di.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  di.maxSets = 2, di.poolSizeCount = 2, di.pPoolSizes = sizes;
  objects("descriptor pool", vkCreateDescriptorPool, di, vkDestroyDescriptorPool);
  VkDescriptorPool dp = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorPool(device, &di, nullptr, &dp));
  defer([this, dp] { vkDestroyDescriptorPool(device, dp, nullptr); });
  const VkDescriptorSetLayout two[2] = {l, l};
  VkDescriptorSetAllocateInfo ai{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  ai.descriptorPool = dp, ai.descriptorSetCount = 2, ai.pSetLayouts = two;
  each_allocation("descriptor sets", [&] {
    VkDescriptorSet sets[2];
    const VkResult r = vkAllocateDescriptorSets(device, &ai, sets);
    left = -1;
    if (r == VK_SUCCESS) vkFreeDescriptorSets(device, dp, 2, sets);
    return r;
  });
  const VkAttachmentDescription attachment{0,
                                           VK_FORMAT_R8G8B8A8_UNORM,
                                           VK_SAMPLE_COUNT_1_BIT,
                                           VK_ATTACHMENT_LOAD_OP_CLEAR,
                                           VK_ATTACHMENT_STORE_OP_STORE,
                                           VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                           VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                           VK_IMAGE_LAYOUT_UNDEFINED,
                                           VK_IMAGE_LAYOUT_GENERAL};
  const VkAttachmentReference ref{0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription sub{};
  sub.colorAttachmentCount = 1, sub.pColorAttachments = &ref;
  VkRenderPassCreateInfo ri{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  ri.attachmentCount = 1, ri.pAttachments = &attachment, ri.subpassCount = 1, ri.pSubpasses = &sub;
  objects("render pass", vkCreateRenderPass, ri, vkDestroyRenderPass);
  VkFramebufferCreateInfo fi{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  fi.renderPass = pass, fi.attachmentCount = 1, fi.pAttachments = &color[0].view, fi.width = fi.height = kSize, fi.layers = 1;
  objects("framebuffer", vkCreateFramebuffer, fi, vkDestroyFramebuffer);
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_TIMESTAMP, qi.queryCount = 8;
  objects("query pool", vkCreateQueryPool, qi, vkDestroyQueryPool);
  objects("fence", vkCreateFence, VkFenceCreateInfo{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}, vkDestroyFence);
  objects("semaphore", vkCreateSemaphore, VkSemaphoreCreateInfo{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO}, vkDestroySemaphore);
  objects("event", vkCreateEvent, VkEventCreateInfo{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO}, vkDestroyEvent);
  objects("command pool", vkCreateCommandPool, VkCommandPoolCreateInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}, vkDestroyCommandPool);
  objects("pipeline cache", vkCreatePipelineCache, VkPipelineCacheCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO},
          vkDestroyPipelineCache);
  VkCommandBufferAllocateInfo ci{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  ci.commandPool = pool, ci.commandBufferCount = 3;
  each_allocation("command buffers", [&] {
    VkCommandBuffer c[3];
    const VkResult r = vkAllocateCommandBuffers(device, &ci, c);
    left = -1;
    if (r == VK_SUCCESS) vkFreeCommandBuffers(device, pool, 3, c);
    return r;
  });
}

TEST_F(OutOfMemory, ComputePipelines) {
  VkDescriptorSetLayoutBinding b{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo si{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  si.bindingCount = 1, si.pBindings = &b;
  VkDescriptorSetLayout l = VK_NULL_HANDLE;
  VK_OK(vkCreateDescriptorSetLayout(device, &si, nullptr, &l));
  VkPipelineLayoutCreateInfo li{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  li.setLayoutCount = 1, li.pSetLayouts = &l;
  VkPipelineLayout pl = VK_NULL_HANDLE;
  VK_OK(vkCreatePipelineLayout(device, &li, nullptr, &pl));
  defer([this, l, pl] {
    vkDestroyPipelineLayout(device, pl, nullptr);
    vkDestroyDescriptorSetLayout(device, l, nullptr);
  });
  VkComputePipelineCreateInfo ci{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  ci.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  ci.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, ci.stage.module = shader(groups_comp, sizeof groups_comp), ci.stage.pName = "main";
  ci.layout = pl;
  objects<VkPipeline>(
      "compute pipeline",
      [&](VkPipeline* p) {
        const VkResult r = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &ci, &callbacks.table, p);
        EXPECT_TRUE(r == VK_SUCCESS || *p == VK_NULL_HANDLE);
        return r;
      },
      [&](VkPipeline p) { vkDestroyPipeline(device, p, &callbacks.table); });
}

/// Programs of two stages, and of one that is compiled already.
TEST_F(OutOfMemory, GraphicsPipelines) {
  make_pass({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D24_UNORM_S8_UINT);
  const auto pipelines = [&](const char* what, Spirv vertex, Spirv fragment, VkPipelineLayout l, const PipelineOptions& o = {}) {
    with_pipeline_info(vertex, fragment, l, o, [&](const VkGraphicsPipelineCreateInfo& info) {
      objects<VkPipeline>(
          what,
          [&](VkPipeline* p) {
            const VkResult r = vkCreateGraphicsPipelines(device, o.cache, 1, &info, &callbacks.table, p);
            EXPECT_TRUE(r == VK_SUCCESS || *p == VK_NULL_HANDLE);
            return r;
          },
          [&](VkPipeline p) { vkDestroyPipeline(device, p, &callbacks.table); });
    });
  };
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkPipelineCacheCreateInfo ci{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VK_OK(vkCreatePipelineCache(device, &ci, nullptr, &cache));
  defer([this, cache] { vkDestroyPipelineCache(device, cache, nullptr); });
  PipelineOptions o;
  o.depth_stencil = VkPipelineDepthStencilStateCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  pipelines("graphics pipeline", SPIRV(full_vert), SPIRV(point_frag), layout(), o);
  o.cache = cache;
  pipelines("graphics pipeline into a cache", SPIRV(full_vert), SPIRV(texture_frag), layout(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER), o);
}

/// All of the chip's memory is taken: what needs some says so, and the device goes on once some is free.
TEST_F(OutOfMemory, AFullHeap) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline before = pipeline(SPIRV(full_vert), SPIRV(point_frag), l);
  const VkCommandBuffer c = command_buffer();
  const Buffer target = buffer(65536);
  std::vector<VkDeviceMemory> taken;
  for (VkDeviceSize size = VkDeviceSize{1} << 31; size >= 4096;) {
    VkMemoryAllocateInfo mi{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    mi.allocationSize = size;
    VkDeviceMemory m = VK_NULL_HANDLE;
    const VkResult r = vkAllocateMemory(device, &mi, nullptr, &m);
    if (r == VK_SUCCESS) {
      taken.push_back(m);
      continue;
    }
    ASSERT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, r);
    size /= 2;
  }
  const auto refused_or_good = [](VkResult r) { return r == VK_SUCCESS || r == VK_ERROR_OUT_OF_DEVICE_MEMORY; };
  VkDescriptorPool dp = VK_NULL_HANDLE;
  const VkDescriptorPoolSize large{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 10000};
  VkDescriptorPoolCreateInfo di{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  di.maxSets = 1, di.poolSizeCount = 1, di.pPoolSizes = &large;
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkCreateDescriptorPool(device, &di, nullptr, &dp));
  VkQueryPool qp = VK_NULL_HANDLE;
  VkQueryPoolCreateInfo qi{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  qi.queryType = VK_QUERY_TYPE_TIMESTAMP, qi.queryCount = 100000;
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, vkCreateQueryPool(device, &qi, nullptr, &qp));
  const VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  const std::vector<uint8_t> data(65536, 3);
  VkResult recorded = vkBeginCommandBuffer(c, &bi);
  EXPECT_TRUE(refused_or_good(recorded)) << recorded;
  if (recorded == VK_SUCCESS) {
    for (int i = 0; i < 64; ++i) vkCmdUpdateBuffer(c, target.handle, 0, data.size(), data.data());
    recorded = vkEndCommandBuffer(c);
  }
  EXPECT_EQ(VK_ERROR_OUT_OF_DEVICE_MEMORY, recorded);
  // Code lies in blocks: some pipeline meets one that is full, and the next one after it too.
  with_pipeline_info(SPIRV(full_vert), SPIRV(point_frag), l, {}, [&](const VkGraphicsPipelineCreateInfo& info) {
    std::vector<VkPipeline> made;
    VkResult r = VK_SUCCESS;
    for (int i = 0; i < 100 && r == VK_SUCCESS; ++i) {
      VkPipeline p = VK_NULL_HANDLE;
      r = vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &p);
      EXPECT_TRUE(refused_or_good(r)) << r;
      if (r == VK_SUCCESS) made.push_back(p);
    }
    for (VkPipeline p : made) vkDestroyPipeline(device, p, nullptr);
  });
  for (VkDeviceMemory m : taken) vkFreeMemory(device, m, nullptr);
  VK_OK(vkResetCommandPool(device, pool, 0));
  render([&](VkCommandBuffer cmd) {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, before);
    push(cmd, l);
    vkCmdDraw(cmd, 3, 1, 0, 0);
  });
  picture();
  EXPECT_EQ(count({0, 0, 0, 0}), 0u);
}

/// Recording reports at vkEndCommandBuffer; submissions and waits fail as calls do; the next frame is whole.
TEST_F(OutOfMemory, RecordingAndSubmitting) {
  make_pass();
  const VkPipelineLayout l = layout();
  const VkPipeline p = pipeline(SPIRV(full_vert), SPIRV(point_frag), l);
  const VkCommandBuffer c = command_buffer();
  const Buffer b = buffer(65536);
  const VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  std::vector<uint8_t> data(65536, 3);
  const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
  const VkClearValue black{{{0, 0, 0, 1}}};
  VkRenderPassBeginInfo pass_info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  pass_info.renderPass = pass, pass_info.framebuffer = framebuffer, pass_info.renderArea = {{0, 0}, {kSize, kSize}};
  pass_info.clearValueCount = 1, pass_info.pClearValues = &black;
  const auto record_all = [&] {
    if (const VkResult r = vkBeginCommandBuffer(c, &bi); r != VK_SUCCESS) return r;
    vkCmdUpdateBuffer(c, b.handle, 0, data.size(), data.data());
    // What the fixture's helpers do, without allocations of their own.
    vkCmdBeginRenderPass(c, &pass_info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdSetViewport(c, 0, 1, &viewport);
    vkCmdSetScissor(c, 0, 1, &pass_info.renderArea);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
    for (int i = 0; i < 600; ++i) {
      PushConstants constants;
      constants.number = i;
      push(c, l, constants);
      vkCmdDraw(c, 3, 1, 0, 0);
    }
    vkCmdEndRenderPass(c);
    return vkEndCommandBuffer(c);
  };
  EXPECT_GT(each_allocation("recording",
                            [&] {
                              const VkResult r = record_all();
                              left = -1;
                              vkResetCommandPool(device, pool, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
                              return r;
                            }),
            0);
  VK_OK(record_all());
  VkSubmitInfo si{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  si.commandBufferCount = 1, si.pCommandBuffers = &c;
  each_allocation("submitting", [&] {
    const VkResult r = vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE);
    left = -1;
    EXPECT_EQ(VK_SUCCESS, vkQueueWaitIdle(queue));
    return r;
  });
  picture();
  EXPECT_EQ(count({0, 0, 0, 255}), kSize * kSize);
}

/// Batches that wait for the host go through the queue's thread: where it cannot be made, or runs out of memory.
TEST_F(OutOfMemory, TheThreadOfTheQueue) {
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timeline.timelineSemaphore = VK_TRUE;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.pNext = &timeline;
  const char* extension = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
  di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi, di.enabledExtensionCount = 1, di.ppEnabledExtensionNames = &extension;
  bool failed = true;
  for (long n = -1; failed; ++n) {
    VkDevice d = VK_NULL_HANDLE;
    VK_OK(vkCreateDevice(physical, &di, nullptr, &d));
    VolkDeviceTable f;
    volkLoadDeviceTable(&f, d);
    VkQueue q = VK_NULL_HANDLE;
    f.vkGetDeviceQueue(d, 0, 0, &q);
    const VkCommandPoolCreateInfo pi{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool p = VK_NULL_HANDLE;
    VK_OK(f.vkCreateCommandPool(d, &pi, nullptr, &p));
    VkCommandBufferAllocateInfo ai{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    ai.commandPool = p, ai.commandBufferCount = 1;
    VkCommandBuffer c = VK_NULL_HANDLE;
    VK_OK(f.vkAllocateCommandBuffers(d, &ai, &c));
    const VkCommandBufferBeginInfo bi{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK_OK(f.vkBeginCommandBuffer(c, &bi));
    VK_OK(f.vkEndCommandBuffer(c));
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo si{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    si.pNext = &type;
    VkSemaphore s = VK_NULL_HANDLE;
    VK_OK(f.vkCreateSemaphore(d, &si, nullptr, &s));
    const uint64_t wanted = 1, given = 2;
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &wanted, values.pSignalSemaphoreValues = &given;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.pNext = &values;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = submit.commandBufferCount = 1;
    submit.pWaitSemaphores = submit.pSignalSemaphores = &s;
    submit.pWaitDstStageMask = &stage, submit.pCommandBuffers = &c;
    if (n < 0) {
      oom::no_thread = true;
      EXPECT_EQ(VK_ERROR_OUT_OF_HOST_MEMORY, f.vkQueueSubmit(q, 1, &submit, VK_NULL_HANDLE));
      ASSERT_FALSE(oom::no_thread) << "no thread was made";
    }
    oom::watched_failed = false, oom::watched_left = n, oom::watches = true;
    VK_OK(f.vkQueueSubmit(q, 1, &submit, VK_NULL_HANDLE));
    oom::watches = false;
    VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = s, signal.value = 1;
    VK_OK(f.vkSignalSemaphoreKHR(d, &signal));
    const VkResult r = f.vkQueueWaitIdle(q);
    oom::watched_left = -1;
    failed = oom::watched_failed || n < 0;
    EXPECT_TRUE(r == VK_SUCCESS || (oom::watched_failed && r == VK_ERROR_DEVICE_LOST)) << "allocation " << n << ": " << r;
    f.vkDestroySemaphore(d, s, nullptr);
    f.vkDestroyCommandPool(d, p, nullptr);
    f.vkDestroyDevice(d, nullptr);
    ASSERT_LT(n, 10000);
  }
}

/// A wait takes a payload that was imported for it. Where the submission fails, the semaphore still has it.
TEST_F(OutOfMemory, TemporaryPayloads) {
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  const char* const extensions[] = {VK_KHR_EXTERNAL_SEMAPHORE_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi, di.enabledExtensionCount = 2, di.ppEnabledExtensionNames = extensions;
  // Another device signals what is imported.
  VkDevice other = VK_NULL_HANDLE;
  VK_OK(vkCreateDevice(physical, &di, nullptr, &other));
  VolkDeviceTable o;
  volkLoadDeviceTable(&o, other);
  VkQueue other_queue = VK_NULL_HANDLE;
  o.vkGetDeviceQueue(other, 0, 0, &other_queue);
  long failures = 0;
  for (bool failed = true; failed;) {
    // A new device each time: its first submission that waits makes the queue's thread.
    VkDevice d = VK_NULL_HANDLE;
    VK_OK(vkCreateDevice(physical, &di, nullptr, &d));
    VolkDeviceTable f;
    volkLoadDeviceTable(&f, d);
    VkQueue q = VK_NULL_HANDLE;
    f.vkGetDeviceQueue(d, 0, 0, &q);
    VkExportSemaphoreCreateInfo xi{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
    xi.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    const VkSemaphoreCreateInfo shared_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &xi, 0},
        plain_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore source = VK_NULL_HANDLE, s = VK_NULL_HANDLE;
    VK_OK(o.vkCreateSemaphore(other, &shared_info, nullptr, &source));
    VK_OK(f.vkCreateSemaphore(d, &plain_info, nullptr, &s));
    VkSemaphoreGetFdInfoKHR gi{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, source,
                               VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    VK_OK(o.vkGetSemaphoreFdKHR(other, &gi, &fd));
    VkImportSemaphoreFdInfoKHR ii{VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
    ii.semaphore = s, ii.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, ii.fd = fd;
    ii.flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
    VK_OK(f.vkImportSemaphoreFdKHR(d, &ii));
    VkSubmitInfo signal{VK_STRUCTURE_TYPE_SUBMIT_INFO}, wait{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    signal.signalSemaphoreCount = 1, signal.pSignalSemaphores = &source;
    VK_OK(o.vkQueueSubmit(other_queue, 1, &signal, VK_NULL_HANDLE));
    VK_OK(o.vkQueueWaitIdle(other_queue));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    wait.waitSemaphoreCount = 1, wait.pWaitSemaphores = &s, wait.pWaitDstStageMask = &stage;

    gi.semaphore = s;
    oom::failure = oom::Failure::none, left = failures;
    const VkResult r = f.vkQueueSubmit(q, 1, &wait, VK_NULL_HANDLE);
    left = -1;
    failed = oom::failure != oom::Failure::none;
    int again = -1;
    if (r != VK_SUCCESS) {
      EXPECT_EQ(VK_ERROR_OUT_OF_HOST_MEMORY, r) << "allocation " << failures;
      EXPECT_EQ(VK_SUCCESS, f.vkGetSemaphoreFdKHR(d, &gi, &again)) << "allocation " << failures << ": the payload is lost";
      if (again >= 0) close(again);
      VK_OK(f.vkQueueSubmit(q, 1, &wait, VK_NULL_HANDLE));
    }
    EXPECT_EQ(VK_ERROR_FEATURE_NOT_PRESENT, f.vkGetSemaphoreFdKHR(d, &gi, &again)) << "the wait took it";
    VK_OK(f.vkQueueWaitIdle(q));
    f.vkDestroySemaphore(d, s, nullptr);
    o.vkDestroySemaphore(other, source, nullptr);
    f.vkDestroyDevice(d, nullptr);
    if (failed) ++failures;
    ASSERT_LT(failures, 1000);
    if (HasFailure()) break;
  }
  o.vkDestroyDevice(other, nullptr);
  EXPECT_GT(failures, 0);
}

TEST_F(OutOfMemory, InstancesAndDevices) {
  const VkInstanceCreateInfo ii{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  // The loader's own allocations fail too, and it says so in the same way.
  each_allocation("instance", [&] {
    VkInstance i = VK_NULL_HANDLE;
    const VkResult r = vkCreateInstance(&ii, nullptr, &i);
    left = -1;
    if (r == VK_SUCCESS) vkDestroyInstance(i, nullptr);
    return r == VK_ERROR_INCOMPATIBLE_DRIVER ? VK_ERROR_OUT_OF_HOST_MEMORY : r;  // the loader found no driver that works
  });
  const float priority = 1;
  VkDeviceQueueCreateInfo qi{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  qi.queueCount = 1, qi.pQueuePriorities = &priority;
  VkDeviceCreateInfo di{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  di.queueCreateInfoCount = 1, di.pQueueCreateInfos = &qi;
  each_allocation(
      "device",
      [&] {
        VkDevice d = VK_NULL_HANDLE;
        const VkResult r = vkCreateDevice(physical, &di, nullptr, &d);
        left = -1;
        if (r == VK_SUCCESS) reinterpret_cast<PFN_vkDestroyDevice>(vkGetDeviceProcAddr(d, "vkDestroyDevice"))(d, nullptr);
        return r;
      },
      200, 11);
}

class OutOfMemoryForFrames : public Frames {
 protected:
  oom::Callbacks callbacks;

  OutOfMemoryForFrames() { instance_extensions.push_back(VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME); }
  void SetUp() override {
    Frames::SetUp();
    oom::find_driver();
    const VkHeadlessSurfaceCreateInfoEXT hi{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const auto create = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT"));
    VK_OK(create(instance, &hi, nullptr, &surface));
  }
};

TEST_F(OutOfMemoryForFrames, Swapchains) {
  for (const VkPresentModeKHR mode : {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR}) {
    const VkSwapchainCreateInfoKHR si = swapchain_info(mode, 64, 64);
    const long failures = oom::each_allocation("swapchain", callbacks, [&] {
      VkSwapchainKHR s = VK_NULL_HANDLE;
      const VkResult r = vkCreateSwapchainKHR(device, &si, &callbacks.table, &s);
      left = -1;
      EXPECT_TRUE(r == VK_SUCCESS || s == VK_NULL_HANDLE);
      if (r == VK_SUCCESS) vkDestroySwapchainKHR(device, s, &callbacks.table);
      return r;
    });
    EXPECT_GT(failures, 0);
  }
}

/// Acquiring and presenting: an image that was refused can be presented again, and the queue's thread shows what it can.
TEST_F(OutOfMemoryForFrames, Presents) {
  make_swapchain(VK_PRESENT_MODE_MAILBOX_KHR, 64, 64);
  uint32_t number = 0;
  ASSERT_EQ(VK_SUCCESS, frame(++number));
  uint32_t n = 0;
  VkFence fence = VK_NULL_HANDLE;
  const VkFenceCreateInfo fi{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VK_OK(vkCreateFence(device, &fi, nullptr, &fence));
  defer([this, fence] { vkDestroyFence(device, fence, nullptr); });
  const long failures = oom::each_allocation("present", callbacks, [&] {
    left = -1;
    uint32_t index = 0;
    EXPECT_EQ(VK_SUCCESS, vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    EXPECT_EQ(VK_SUCCESS, vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    EXPECT_EQ(VK_SUCCESS, vkResetFences(device, 1, &fence));
    VkPresentInfoKHR pi{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    pi.swapchainCount = 1, pi.pSwapchains = &swapchain, pi.pImageIndices = &index;
    left = n++;
    const VkResult r = vkQueuePresentKHR(queue, &pi);
    left = -1;
    if (r != VK_SUCCESS) {
      EXPECT_EQ(VK_SUCCESS, vkQueuePresentKHR(queue, &pi)) << "the image is still the application's";
    }
    return r;
  });
  EXPECT_GT(failures, 0);
  for (uint32_t i = 0; i < 8; ++i) ASSERT_EQ(VK_SUCCESS, frame(++number));
  VK_OK(vkDeviceWaitIdle(device));
}

}  // namespace
}  // namespace vktest
