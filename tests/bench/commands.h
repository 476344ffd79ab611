// SPDX-License-Identifier: MIT
/// A command buffer with the fence its submissions are waited for with: what every benchmark through Vulkan needs.
#pragma once
#include "examples/common/check.h"
#include "examples/common/context.h"

namespace pumice::bench {

class Commands {
 public:
  explicit Commands(example::Context& context) : context_(context) {
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = context_.command_pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    VK_CHECK(vkAllocateCommandBuffers(context_.device, &info, &buffer_));
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VK_CHECK(vkCreateFence(context_.device, &fence, nullptr, &fence_));
  }
  ~Commands() {
    vkDestroyFence(context_.device, fence_, nullptr);
    vkFreeCommandBuffers(context_.device, context_.command_pool, 1, &buffer_);
  }
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  operator VkCommandBuffer() const { return buffer_; }

  /// Records anew; what `what` does with the buffer is between begin and end.
  template <class F>
  void record(F what, VkCommandBufferUsageFlags flags = 0) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = flags};
    VK_CHECK(vkBeginCommandBuffer(buffer_, &begin));
    what();
    VK_CHECK(vkEndCommandBuffer(buffer_));
  }
  /// Submits what is recorded and waits for it.
  void run() { submit(1); }
  /// A submission of no command buffer at all.
  void run_nothing() { submit(0); }

 private:
  void submit(uint32_t count) {
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = count, .pCommandBuffers = &buffer_};
    VK_CHECK(vkQueueSubmit(context_.queue, 1, &info, fence_));
    VK_CHECK(vkWaitForFences(context_.device, 1, &fence_, VK_TRUE, UINT64_MAX));
    VK_CHECK(vkResetFences(context_.device, 1, &fence_));
  }

  example::Context& context_;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace pumice::bench
