// SPDX-License-Identifier: MIT
/// VkCommandBuffer of a Radeon: recording writes PM4 at once. The vkCmd* functions live in cmd_*.cpp by topic.
#pragma once
#include "icd/commands.h"
#include "icd/cs.h"
#include "icd/gfx_state.h"
#include "icd/radeon.h"
#include "icd/recorded_pipelines.h"

namespace pumice::icd {

class CommandBuffer : public RadeonCommands {
 public:
  CommandBuffer(RadeonDevice& d, CommandPool& p, VkCommandBufferLevel l);
  ~CommandBuffer() override;

  GfxState gfx;
  RecordedPipelines pipelines;
  /// What draws need besides registers (draw.h), in `pipelines`; made anew by the draw after `draw_state_stale` was set.
  DrawState* draw_state = nullptr;
  bool draw_state_stale = true;

  void reset() override;
  /// Caches written back and forgotten, engines idle: what follows sees what went before.
  void barrier();
  /// The targets of the current subpass from pass and framebuffer.
  void enter_subpass();
  void clear_on_load();
  /// Performs the resolves (pResolveAttachments) of the subpass that ends (cmd_resolve.cpp).
  void resolve_attachments();
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
