// SPDX-License-Identifier: MIT
/// See touched.h. What is named but not read costs bytes in the trace, what is missing would make the replay differ.
#include "hw/radeon/trace/touched.h"

#include "hw/radeon/decode/rb3d/resolve.h"
#include "hw/radeon/decode/xb/target.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::trace {

namespace {

std::vector<TargetView> extended_targets(const ChipState& state) {
  std::vector<TargetView> out;
  for (uint32_t i = 0; i < xb::kTargets; ++i) {
    const xb::Target t = xb::decode(state, i);
    if (!t.enabled) continue;
    TargetView& v = out.emplace_back();
    v.target.pixels.base = t.image.base + t.image.first_layer * t.image.layer_pitch;
    v.target.pixels.layout.pitch_px = t.image.width;
    v.samples = 1u << t.image.samples_log2;
    v.index = i;
    v.x1 = t.image.width, v.y1 = t.image.height;
    v.image = t.image;
  }
  return out;
}

}  // namespace

std::vector<TargetView> color_targets(const ChipState& state) {
  if (x::shaders(state)) return extended_targets(state);
  std::vector<TargetView> out;
  const footprint::Box box = footprint::pixels(state);
  if (box.empty()) return out;
  const rb3d::Shared shared = rb3d::decode_shared(state);
  const bool resolves = rb3d::resolve_mode(state);
  for (uint32_t i = 0; i < (resolves ? 1 : rb3d::kTargets); ++i) {
    TargetView v{.samples = resolves ? 1 : shared.samples,
                 .index = i,
                 .x0 = static_cast<uint32_t>(box.x0),
                 .y0 = static_cast<uint32_t>(box.y0),
                 .x1 = static_cast<uint32_t>(box.x1),
                 .y1 = static_cast<uint32_t>(box.y1)};
    if (!rb3d::decode_target(state, shared, i, v.target) || !v.target.format.valid()) continue;
    if (resolves) v.target.pixels = rb3d::decode_resolve(state).to, v.target.color_mask = {};
    out.push_back(v);
  }
  return out;
}

void touched_by(const DrawContext& ctx, const DrawInput& input, Touched& out) { footprint::draw(ctx, input, out.uses); }

}  // namespace pumice::hw::trace
