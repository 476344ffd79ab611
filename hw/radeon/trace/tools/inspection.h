// SPDX-License-Identifier: MIT
/// --draw N, looked into: the state of the draw, its textures and depth as pictures, the life of a pixel or of a vertex.
#pragma once
#include <memory>
#include <optional>

#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/vertex_life.h"
#include "hw/radeon/trace/inspect/writers.h"
#include "hw/radeon/trace/tools/pictures.h"

namespace pumice::hw::trace {

struct InspectedPixel {
  int32_t x = 0, y = 0;
};
struct InspectOptions {
  std::optional<InspectedPixel> pixel;
  std::optional<uint32_t> sample, vertex;
  bool life() const { return pixel || vertex; }
};

/// Watches draws up to PictureOptions::draw (0: watches nothing) and prints what is asked of that one.
class Inspection : public Pictures {
 public:
  Inspection(const PictureOptions& pictures, const InspectOptions& options, Profile profile);

  void packet(const Where& where, std::span<const uint32_t> words) override;
  Inspector* inspector(uint64_t draw) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void drawn(const DrawContext& ctx) override;

 private:
  void textures(const DrawContext& ctx);
  void images(const DrawContext& ctx);
  void depth(const DrawContext& ctx);

  const uint64_t draw_;
  const InspectOptions options_;
  Writers writers_;
  std::unique_ptr<ChipState> before_;  ///< the draw before's
  std::optional<PixelLife> pixel_;
  std::optional<VertexLife> vertex_;
};

}  // namespace pumice::hw::trace
