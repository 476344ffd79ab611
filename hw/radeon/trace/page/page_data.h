// SPDX-License-Identifier: MIT
/// What a page shows, whichever chip was recorded.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "hw/radeon/trace/page/surfaces.h"

namespace pumice::hw::trace {

struct PageOptions {
  uint64_t first_draw = 1, last_draw = ~0ull;        ///< what the page has
  std::optional<uint64_t> frame;                     ///< this frame alone
  std::vector<std::array<int32_t, 2>> pixels;        ///< whose lives it has
  std::vector<std::array<uint32_t, 3>> invocations;  ///< likewise, of dispatches
  bool quick = false;                                ///< draws are not executed by the reference: no work, no lives
  std::optional<uint32_t> sample;                    ///< whose depth and colours lives have; none: those of all
  Part part;                                         ///< of colour and depth buffers
  uint32_t texture_side = 256;                       ///< larger pictures of textures are made smaller
  static constexpr uint64_t kMostPixels = 1 << 24;   ///< of a surface

  bool wants(uint64_t draw, uint64_t in_frame) const { return draw >= first_draw && draw <= last_draw && (!frame || *frame == in_frame); }
};

/// A draw, a dispatch, or a change of memory before a draw.
struct PageEvent {
  uint64_t draw = 0;   ///< its number, or the dispatch's; 0: neither
  std::string groups;  ///< of a dispatch: "5x3x1 workgroups of 8x4x1 invocations"
  uint64_t frame = 0;
  std::string packet;
  std::vector<uint32_t> surfaces;
  WorkTotals work;
  size_t changes = 0;  ///< registers that differ from the draw before
  bool extended = false;
  std::string layers;   ///< base64
  std::string details;  ///< JSON
};

struct PageFrame {
  std::optional<uint64_t> presented;  ///< address of the picture
};

struct PageData {
  std::string chip;
  std::string program;  ///< the command line that was recorded
  bool works = true;    ///< draws have their work
  std::vector<PageEvent> events;
  std::vector<PageFrame> frames{1};
  std::vector<std::string> pictures;  ///< of textures: PNG, base64
  Surfaces surfaces;

  /// Buffers that a draw of the last frame sees and that something else has changed, or that the frame does not have yet, as an event.
  void before(const std::vector<SurfaceView>& views);
};

}  // namespace pumice::hw::trace
