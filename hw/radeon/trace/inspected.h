// SPDX-License-Identifier: MIT
/// An executor that hands the draws and dispatches that a watcher inspects to the scalar reference and all others to the executor that it
/// has.
#pragma once
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

class Inspected final : public DrawExecutor {
 public:
  /// `stopping` is set behind a dispatch when the watcher has seen enough.
  Inspected(std::unique_ptr<DrawExecutor> inner, Watcher& watcher, std::atomic<bool>& stopping)
      : inner_(std::move(inner)), watcher_(watcher), stopping_(stopping) {}
  void draw(DrawContext& ctx, const DrawInput& input) override {
    Inspector* const inspector = watcher_.inspector(ctx.draw);
    if (!inspector) return inner_->draw(ctx, input);
    inner_->finish(ctx);
    DrawContext inspected = ctx;
    inspected.inspector = inspector;
    execute_draw(inspected, input);
  }
  void dispatch(DrawContext& ctx, const DispatchInput& input) override {
    watcher_.dispatch(ctx, input);
    if (Inspector* const inspector = watcher_.dispatch_inspector(ctx.draw)) {
      inner_->finish(ctx);
      DrawContext inspected = ctx;
      inspected.inspector = inspector;
      execute_dispatch(inspected, input);
    } else {
      inner_->dispatch(ctx, input);
    }
    watcher_.dispatched(ctx);
    if (watcher_.enough()) stopping_ = true;
  }
  void finish(DrawContext& ctx) override { inner_->finish(ctx); }
  void abandon() override { inner_->abandon(); }
  void interrupt() override { inner_->interrupt(); }
  std::vector<DrawReport> take_reports() override { return inner_->take_reports(); }
  bool writes(GpuAddress address, uint64_t bytes) const override { return inner_->writes(address, bytes); }
  RamRange in_use(OnChipRam ram) const override { return inner_->in_use(ram); }
  uint64_t lost_draw() const override { return inner_->lost_draw(); }
  uint64_t stretched_pixels() const override { return inner_->stretched_pixels(); }

 private:
  std::unique_ptr<DrawExecutor> inner_;
  Watcher& watcher_;
  std::atomic<bool>& stopping_;
};

}  // namespace pumice::hw::trace
