// SPDX-License-Identifier: MIT
/// The colour and depth buffers of a recording, followed from draw to draw.
#pragma once
#include <functional>
#include <optional>

#include "hw/radeon/trace/page/layers.h"

namespace pumice::hw::trace {

/// A buffer as one draw sees it.
struct SurfaceView {
  bool depth = false;
  uint64_t base = 0;
  uint32_t width = 0, height = 0;
  std::string format;
  /// Four bytes per pixel: R, G, B, A, or the depth's 24 bits and 0.
  std::function<Bytes(const Area&)> read;
  std::function<std::vector<std::byte>()> bytes;
};
/// Those of a draw, colour first; they refer to it. Larger ones than `most` pixels are left out.
std::vector<SurfaceView> surfaces_of(const DrawContext& ctx, uint64_t most, const Part& part);

class Surfaces {
 public:
  struct Known {
    bool depth = false;
    uint64_t base = 0;
    uint32_t width = 0, height = 0;
    std::string format;
    Bytes values;
    std::vector<std::byte> bytes;      ///< of which `values` were read
    std::optional<uint64_t> complete;  ///< the last frame that has all of it
  };
  /// Before a draw of frame `frame`: all tiles if the frame does not have them yet, else those that something else has changed. The number
  /// of the surface.
  uint32_t before(const SurfaceView& view, uint64_t frame, Layers& out);
  /// After it: the tiles that it wrote to or changed.
  void after(uint32_t number, const SurfaceView& view, const std::vector<std::unique_ptr<WorkTile>>& work, Layers& out);
  /// The same by comparing all of the buffer with what it was.
  void after(uint32_t number, const SurfaceView& view, Layers& out) { compare(number, view, true, out); }
  /// Of a surface that before() has been called for.
  uint32_t number(const SurfaceView& view) const;
  const std::vector<Known>& all() const { return known_; }

 private:
  void compare(uint32_t number, const SurfaceView& view, bool complete, Layers& out);

  std::vector<Known> known_;
};

}  // namespace pumice::hw::trace
