// SPDX-License-Identifier: MIT
/// --draw N and --dispatch N, looked into: the state, textures and depth as pictures, the life of a pixel, vertex or invocation.
#pragma once
#include <memory>
#include <optional>

#include "hw/radeon/trace/inspect/compute_life.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/vertex_life.h"
#include "hw/radeon/trace/inspect/writers.h"
#include "hw/radeon/trace/names/names.h"
#include "hw/radeon/trace/tools/pictures.h"

namespace pumice::hw::trace {

struct InspectedPixel {
  int32_t x = 0, y = 0;
};
struct InspectOptions {
  std::optional<InspectedPixel> pixel;
  std::optional<uint32_t> sample, vertex;
  bool dispatch = false;  ///< PictureOptions::draw is the number of a dispatch
  std::optional<std::array<uint32_t, 3>> invocation;
  std::string modules;  ///< folder for the modules of the draw or dispatch
  bool life() const { return pixel || vertex || invocation; }
};

/// Watches draws and dispatches up to PictureOptions::draw (0: watches nothing) and prints what is asked of that one.
class Inspection : public Pictures {
 public:
  Inspection(const PictureOptions& pictures, const InspectOptions& options, Profile profile);

  void packet(const Where& where, std::span<const uint32_t> words) override;
  Inspector* inspector(uint64_t draw) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void drawn(const DrawContext& ctx) override;
  Inspector* dispatch_inspector(uint64_t dispatch) override;
  void dispatch(const DrawContext& ctx, const DispatchInput& input) override;
  void dispatched(const DrawContext& ctx) override;

 private:
  /// What the programs of the draw (else: dispatch) at hand are called, from here on until it has been executed.
  void name(const DrawContext& ctx, bool draw);
  void write_modules();
  void state(const DrawContext& ctx, Stages stages);
  void textures(const DrawContext& ctx);
  void images(const DrawContext& ctx, Stages stages);
  void depth(const DrawContext& ctx);

  const uint64_t draw_;
  const InspectOptions options_;
  Writers writers_;
  std::unique_ptr<NameSource> source_;
  const ProgramNames* names_ = nullptr;  ///< of the draw or dispatch; null: not known
  std::unique_ptr<ChipState> before_;    ///< the draw's or dispatch's before
  std::optional<PixelLife> pixel_;
  std::optional<VertexLife> vertex_;
  std::optional<ComputeLife> compute_;
};

}  // namespace pumice::hw::trace
