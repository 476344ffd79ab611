// SPDX-License-Identifier: MIT
/// r5x: every allocation of a call fails once: those through VkAllocationCallbacks, and those that the driver's code makes by malloc (its
/// operator new) on the calling thread, which this program replaces. The call returns VK_ERROR_OUT_OF_HOST_MEMORY or manages without,
/// nothing leaks (PUMICE_DEBUG=leaks), and the device goes on.
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <functional>

#include "full.vert.h"
#include "groups.comp.h"
#include "point.frag.h"
#include "tests/vk/render_fixture.h"

extern "C" void* __libc_malloc(size_t size);
extern "C" void* __libc_memalign(size_t alignment, size_t size);

namespace {

/// Allocations of this thread until one fails; negative: none does.
thread_local long left = -1;
thread_local bool failed = false;
/// The driver's code.
uintptr_t driver_begin = 0, driver_end = 0;

bool fails() {
  if (left < 0 || left-- != 0) return false;
  failed = true;
  return true;
}
bool fails_for(const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(caller);
  return left >= 0 && at >= driver_begin && at < driver_end && fails();
}

/// dl_iterate_phdr
int find_driver(dl_phdr_info* info, size_t, void*) {
  if (!std::strstr(info->dlpi_name, "libvulkan_pumice")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      driver_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      driver_end = driver_begin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

}  // namespace

extern "C" void* malloc(size_t size) { return fails_for(__builtin_return_address(0)) ? nullptr : __libc_malloc(size); }
extern "C" void* aligned_alloc(size_t alignment, size_t size) {
  return fails_for(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

namespace vktest {
namespace {

/// VkAllocationCallbacks; their failures count with the rest.
struct Callbacks {
  long live = 0;
  VkAllocationCallbacks table{this, allocate_block, reallocate_block, free_block, nullptr, nullptr};

  static void* VKAPI_CALL allocate_block(void* user, size_t size, size_t alignment, VkSystemAllocationScope) {
    void* p = fails() ? nullptr : __libc_memalign(alignment, size);
    static_cast<Callbacks*>(user)->live += p != nullptr;
    return p;
  }
  static void* VKAPI_CALL reallocate_block(void*, void*, size_t, size_t, VkSystemAllocationScope) { return nullptr; }
  static void VKAPI_CALL free_block(void* user, void* p) {
    static_cast<Callbacks*>(user)->live -= p != nullptr;
    std::free(p);
  }
};

class OutOfMemory : public Render {
 protected:
  Callbacks callbacks;

  void SetUp() override {
    Render::SetUp();
    dl_iterate_phdr(find_driver, nullptr);
    ASSERT_NE(driver_begin, 0u);
  }
  /// Fails the first allocation of `call`, then the second, ...: after `every` of them each `step`-th only. Returns how many failed.
  long each_allocation(const char* what, const std::function<VkResult()>& call, long every = 400, long step = 37) {
    long count = 0;
    for (long n = 0;; n += n < every ? 1 : step) {
      const long live = callbacks.live;
      failed = false, left = n;
      const VkResult r = call();
      left = -1;
      EXPECT_EQ(callbacks.live, live) << what << ", allocation " << n;
      if (!failed) {
        EXPECT_EQ(VK_SUCCESS, r) << what;
        RecordProperty(what, static_cast<int>(count));
        return count;
      }
      EXPECT_TRUE(r == VK_ERROR_OUT_OF_HOST_MEMORY || r == VK_SUCCESS) << what << ", allocation " << n << ": " << r;
      if (HasFailure()) return count;
      ++count;
    }
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

}  // namespace
}  // namespace vktest
