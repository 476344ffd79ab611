// SPDX-License-Identifier: MIT
/// Which memory draws write and sample, so that a draw waits for those whose results it needs. Two draws that write the same pixels of the
/// same surface need not wait: tiles keep their order.
#pragma once
#include <array>
#include <vector>

#include "hw/radeon/fast/pixel/output.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::fast {

struct ByteRange {
  uint64_t begin = 0, end = 0;
  bool overlaps(const ByteRange& o) const { return begin < o.end && o.begin < end; }
};

/// A depth or colour buffer as a draw addresses it; also what a resolve reads, since pixels of the same place are in order by tiles.
struct WrittenSurface {
  ByteRange range;  ///< what pixels of the draw's rectangle may touch
  uint64_t base = 0;
  surface::Layout layout;
  uint8_t endian = 0;
  int32_t x_offset = 0, y_offset = 0;
  uint32_t samples = 1;  ///< of a pixel; layout is sample 0's
  /// Equal screen positions are equal addresses.
  bool same_pixels(const WrittenSurface& o) const {
    return base == o.base && layout.pitch_px == o.layout.pitch_px && layout.bytes_per_pixel == o.layout.bytes_per_pixel &&
           layout.macro_tiled == o.layout.macro_tiled && layout.micro == o.layout.micro && endian == o.endian && x_offset == o.x_offset &&
           y_offset == o.y_offset && samples == o.samples;
  }
};

/// Dwords of the Z mask RAM.
struct ZmaskUse {
  uint32_t begin = 0, end = 0;
  uint32_t first = 0, row = 0, shift = 0;
  int32_t x_offset = 0, y_offset = 0;
  bool empty() const { return begin >= end; }
  bool overlaps(const ZmaskUse& o) const { return begin < o.end && o.begin < end; }
  /// Equal screen positions are equal bits.
  bool same_tiles(const ZmaskUse& o) const {
    return first == o.first && row == o.row && shift == o.shift && x_offset == o.x_offset && y_offset == o.y_offset;
  }
};

/// Colour targets (or the two surfaces of a resolve) and the depth buffer of a prepared back end, if it touches them.
struct WrittenSurfaces {
  std::array<WrittenSurface, 5> surface;
  int count = 0;
  ZmaskUse zmask;
  std::array<ZmaskUse, rb3d::kTargets> cmask;  ///< likewise, of the colour mask RAM
  int cmask_count = 0;
  bool backed = true;  ///< all of them, everywhere in the rectangle
};
WrittenSurfaces written_surfaces(const output::State& state, const output::Rect& rect, const Memory& memory);

/// The textures of the units in `units`.
struct SampledRanges {
  std::array<ByteRange, 16> range;
  int count = 0;
  bool backed = true;
};
SampledRanges sampled_ranges(const ChipState& state, const Memory& memory, uint32_t units);

/// What queued draws touch.
class PendingMemory {
 public:
  void clear() {
    written_.clear();
    sampled_.clear();
    zmask_.clear();
    cmask_.clear();
  }
  DrawExecutor::RamRange in_use(OnChipRam which) const;
  /// Whether a draw must wait for the queued ones.
  bool conflicts(const WrittenSurfaces& written, const SampledRanges& sampled) const;
  bool writes(const ByteRange& range) const;
  void add(const WrittenSurfaces& written, const SampledRanges& sampled);

 private:
  std::vector<WrittenSurface> written_;
  std::vector<ByteRange> sampled_;
  std::vector<ZmaskUse> zmask_, cmask_;
};

}  // namespace pumice::hw::fast
