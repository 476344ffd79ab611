// SPDX-License-Identifier: MIT
/// What a barrier or an event orders, in the terms of synchronization2; the older commands are turned into it. The chip has one engine that
/// executes packets in order, so a dependency is at most a barrier() of the caches, and image layouts mean nothing to it.
#pragma once
#include <vulkan/vulkan_core.h>

namespace pumice::icd {

/// The scopes of all barriers of one command together.
struct Dependency {
  VkPipelineStageFlags2 source = 0, destination = 0;
  VkAccessFlags2 written = 0, read = 0;  ///< accesses of the source and of the destination scope

  /// Nothing before the command is in the source scope: no stage, or the top of the pipe, and no access.
  bool follows_nothing() const { return (source & ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) == 0 && written == 0; }
  /// Nothing after the command is in the destination scope.
  bool precedes_nothing() const { return (destination & ~VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT) == 0 && read == 0; }
  bool orders() const { return !follows_nothing() && !precedes_nothing(); }
};

inline Dependency dependency(const VkDependencyInfo& info) {
  Dependency d;
  const auto add = [&](const auto* barriers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      d.source |= barriers[i].srcStageMask, d.destination |= barriers[i].dstStageMask;
      d.written |= barriers[i].srcAccessMask, d.read |= barriers[i].dstAccessMask;
    }
  };
  add(info.pMemoryBarriers, info.memoryBarrierCount);
  add(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount);
  add(info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
  return d;
}

/// Of a command that has one pair of stages for all its barriers: an execution dependency between them even without any.
inline Dependency dependency(VkPipelineStageFlags source, VkPipelineStageFlags destination, uint32_t memory_count,
                             const VkMemoryBarrier* memory, uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                             uint32_t image_count, const VkImageMemoryBarrier* images) {
  Dependency d{.source = source, .destination = destination};
  const auto add = [&](const auto* barriers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) d.written |= barriers[i].srcAccessMask, d.read |= barriers[i].dstAccessMask;
  };
  add(memory, memory_count);
  add(buffers, buffer_count);
  add(images, image_count);
  return d;
}

}  // namespace pumice::icd
