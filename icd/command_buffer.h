// SPDX-License-Identifier: MIT
/// VkCommandPool and VkCommandBuffer: recording writes PM4 at once. The vkCmd* functions live in cmd_*.cpp by topic.
#pragma once
#include <memory>
#include <vector>

#include "icd/cs.h"
#include "icd/gfx_state.h"

namespace pumice::icd {

class CommandBuffer;
struct DrawState;

class CommandPool : public DeviceObject {
 public:
  using Handle = VkCommandPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_POOL;
  explicit CommandPool(Device& d) : DeviceObject(d, kType) {}
  ~CommandPool();
  std::vector<CommandBuffer*> buffers;
};

class CommandBuffer : public DeviceObject {
 public:
  using Handle = VkCommandBuffer;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_COMMAND_BUFFER;
  CommandBuffer(Device& d, CommandPool& p, VkCommandBufferLevel l);
  ~CommandBuffer();

  CommandPool& pool;
  VkCommandBufferLevel level;
  Cs cs;
  GfxState gfx;
  /// What draws need besides registers (draw.h); made anew by the draw after `draw_state_stale` was set.
  std::unique_ptr<DrawState> draw_state;
  bool draw_state_stale = true;

  /// The first failure of recording; vkEndCommandBuffer returns it.
  void fail(VkResult r) {
    if (status == VK_SUCCESS) status = r;
  }
  VkResult status = VK_SUCCESS;

  void reset();
  /// Caches written back and forgotten, engines idle: what follows sees what went before.
  void barrier();
  /// The targets of the current subpass from pass and framebuffer.
  void enter_subpass();
  void clear_on_load();
};

/// The Z-pass counter before and after draws that no query may count.
class UncountedDraws {
 public:
  explicit UncountedDraws(CommandBuffer& c);
  ~UncountedDraws() noexcept(false);

 private:
  CommandBuffer& c_;
  hw::GpuAddress saved_ = 0;
};

}  // namespace pumice::icd
