// SPDX-License-Identifier: MIT
/// X_RESOLVE (docs/r5x.md s.9) as the CP decodes it and as executors take it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/types.h"

namespace pumice::hw {

/// The samples of a surface become pixels of another one.
struct ResolveInput {
  /// What a pixel consists of.
  enum class Kind : uint8_t { unorm8, srgb8, half, count_ };
  GpuAddress source = 0, destination = 0;
  uint32_t source_pitch = 0, pitch = 0;  ///< bytes; sample s of row y is row y * samples + s of the source
  uint32_t width = 0, height = 0;        ///< pixels
  uint32_t pixel_bytes = 0, samples_log2 = 0;
  Kind kind = Kind::unorm8;
  uint32_t source_surface = 0, surface = 0;  ///< as FillInput::surface
  const std::byte* from = nullptr;           ///< the source for the host
  std::byte* to = nullptr;
  uint32_t samples() const { return 1u << samples_log2; }
  uint64_t row_bytes() const { return uint64_t{width} * pixel_bytes; }
  uint64_t source_range() const { return ((uint64_t{height} << samples_log2) - 1) * source_pitch + row_bytes(); }
  uint64_t range() const { return uint64_t{height - 1} * pitch + row_bytes(); }
};

}  // namespace pumice::hw
