// SPDX-License-Identifier: MIT
/// PUMICE_EXEC=check: every draw on the reference and on the fast executor, from the same memory, then compared byte for byte. The
/// first difference is reported with draw, surface and pixel, and hangs the chip.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "hw/radeon/fast/draw/derived.h"
#include "hw/radeon/fast/extended/dispatch.h"

namespace pumice::hw::fast {

/// The registers as they are for this draw of those that are drawn together; `first`: as they are in front of them. `state`: as the draw
/// before left them.
void set_registers(const ChipState& first, const NextDraw& draw, ChipState& state);

class CheckExecutor final : public DrawExecutor {
 public:
  CheckExecutor(Memory& memory, Cpu cpu, std::unique_ptr<DrawExecutor> fast)
      : memory_(memory), surfaces_(memory, cpu), fast_(std::move(fast)), dispatcher_(memory, alone_, cpu, {}), footprints_(memory) {}

  /// Extended draws that write memory beside their targets are not compared: the order of their pixels differs.
  void draw(DrawContext& ctx, const DrawInput& input) override;
  size_t draw_more(DrawContext& ctx, std::span<const NextDraw> draws, NextBindings& bindings) override;
  /// On one thread, in the reference's order, and compared where the program names what it writes.
  void dispatch(DrawContext& ctx, const DispatchInput& input) override;
  bool scale(const ScaleInput& input, const RowsPart& part) const override;
  bool resolve_part(const ResolveInput& input, const RowsPart& part) const override;
  void abandon() override { fast_->abandon(); }
  void interrupt() override { fast_->interrupt(); }
  uint64_t lost_draw() const override { return fast_->lost_draw(); }
  uint64_t stretched_pixels() const override { return fast_->stretched_pixels(); }
  std::vector<DrawReport> take_reports() override { return fast_->take_reports(); }

 private:
  using Bytes = std::vector<std::byte>;
  Bytes copy(const ByteRange& range) const;
  void restore(const ByteRange& range, const Bytes& bytes);
  /// Empty when the surface holds what the reference made of it.
  std::string difference(size_t number, const Bytes& wanted) const;

  void draw_extended(DrawContext& ctx, const DrawInput& input);
  /// `fast`, then `draw` on the reference; false: `fast` does nothing. Nothing either where the draw cannot be compared.
  std::optional<bool> compare_extended(DrawContext& ctx, const std::function<void(DrawContext&)>& draw, const std::function<bool()>& fast);
  /// What a dispatch may write; nothing where its program does not name it, or where it is not backed.
  std::optional<std::vector<ByteRange>> stored(const DrawContext& ctx) const;
  std::string difference(const footprint::TargetUse& target, const Bytes& wanted) const;

  Memory& memory_;
  Derived surfaces_;
  std::unique_ptr<DrawExecutor> fast_;
  Team alone_{1};
  extended::Dispatcher dispatcher_;
  footprint::ExtendedDraws footprints_;
};

}  // namespace pumice::hw::fast
