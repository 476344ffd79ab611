// SPDX-License-Identifier: MIT
/// Image and texture operations of r5x for one lane (docs/r5x.md 4, "XT"), scalar reference. Values are raw bits: floats, or integers for
/// formats of the classes uint and sint.
#pragma once
#include <array>
#include <cstdint>

#include "hw/radeon/decode/xt/descriptor.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw {
class Inspector;  // hw/radeon/draw/inspector.h
}

namespace pumice::hw::xt {

using Bits4 = std::array<uint32_t, 4>;

enum class Lod : uint8_t {
  gradients,  ///< of Request::dx and dy
  bias,       ///< the same and `lod` added
  level,      ///< `lod`
};

/// What a sampling instruction is given. Coordinates as docs/r5x.md 4: extents of the dimension, then the layer.
struct Request {
  Bits4 coord{};
  Lod mode = Lod::gradients;
  float lod = 0;                    ///< level or bias
  std::array<float, 3> dx{}, dy{};  ///< gradients of the coordinates, in their units
  bool compare = false;
  float reference = 0;
  std::array<int8_t, 3> offset{};  ///< texels
  Inspector* inspector = nullptr;  ///< receives level of detail and texels, as of
  uint32_t pixel = 0;              ///< this pixel of the quad
};

/// SAMPLE, SAMPLEB, SAMPLEL, SAMPLEG. With `compare` the result is in all components.
Bits4 sample(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request);
/// GATHER of `component` (or compare): (i0,j1), (i1,j1), (i1,j0), (i0,j0).
Bits4 gather(const Memory& memory, const Image& image, const Sampler& sampler, const Request& request, uint32_t component);
/// QLOD: the level (as float) that SAMPLE would use, and unclamped.
std::array<float, 2> query_lod(const Image& image, const Sampler& sampler, const Request& request);

/// FETCH: integer coordinates and layer, `level` of the view, `sample`. Outside of the image: zeros (before the swizzle's constants).
Bits4 fetch(const Memory& memory, const Image& image, const std::array<int32_t, 4>& coord, int32_t level, int32_t sample,
            const std::array<int8_t, 3>& offset);
/// LDI: level first_level of the view; coord[3] is the sample where multisampled. Without swizzle.
Bits4 load(const Memory& memory, const Image& image, const std::array<int32_t, 4>& coord);
/// STI. Outside of the image: nothing.
void store(Memory& memory, const Image& image, const std::array<int32_t, 4>& coord, const Bits4& value);
/// Address of a texel for ATI; 0: outside, or texels of the format do not have `bytes`.
uint64_t texel_address(const Image& image, const std::array<int32_t, 4>& coord, uint32_t bytes);
/// QSIZE: width, height, depth as the dimension has them, then layers (cubes: of whole cubes); texel buffers: texels and Image::element.
Bits4 query_size(const Image& image, int32_t level);

}  // namespace pumice::hw::xt
