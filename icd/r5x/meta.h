// SPDX-License-Identifier: MIT
/// The driver's own operations on pixels: fills and copies of whole pixels by the 2D engine, and dispatches of its own programs (shaders/)
/// for everything else. Callers place barriers around them; compute state of the command buffer is emitted again by the next dispatch.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <span>

#include "icd/copy_region.h"
#include "icd/r5x/code.h"
#include "icd/r5x/command_buffer.h"
#include "icd/transfer_2d.h"

namespace pumice::icd::r5x {

enum class MetaProgram : uint8_t {
  dwords,
  bytes,
  blit,
  blit_int,
  blit_uint,
  blit3d,
  blit3d_int,
  blit3d_uint,
  resolve,
  resolve_int,
  resolve_uint,
  count_
};

/// Programs of the driver, compiled when they are first needed. Thread safe.
class MetaPrograms {
 public:
  explicit MetaPrograms(R5xDevice& device) : device_(device) {}
  struct Loaded {
    compiler::XProgram program;
    CodeRange code;
  };
  /// Null (reported) when it cannot be compiled.
  const Loaded* find(MetaProgram which);

 private:
  R5xDevice& device_;
  std::mutex mutex_;
  std::array<std::unique_ptr<Loaded>, static_cast<size_t>(MetaProgram::count_)> loaded_;
};

struct MetaOffset {
  uint32_t x = 0, y = 0;
};

/// Every pixel (each sample) of a rectangle becomes `pixel`.
void fill_pixels(Cs& cs, const Plane& p, const VkRect2D& r, std::span<const uint8_t> pixel);
/// What the plane holds is not needed any more: it becomes `pixel`, or anything else. Nothing for planes that are small.
void fill_unstored(Cs& cs, const Plane& p, std::span<const uint8_t> pixel);
/// A pixel of a depth and stencil format in memory, as many bytes as layout_of() says.
std::array<uint8_t, 8> depth_pixel(const FormatInfo& f, const VkClearDepthStencilValue& value);
/// The aspects of a rectangle get the value; the others stay.
void clear_depth_pixels(CommandBuffer& c, const FormatInfo& f, const Plane& p, const VkRect2D& r, VkImageAspectFlags aspects,
                        const VkClearDepthStencilValue& value);
/// The samples of a rectangle of `from` become the pixels of `to` from (offset) on.
void resolve_pixels(CommandBuffer& c, const FormatInfo& f, const Plane& from, const Plane& to, const VkRect2D& r, VkOffset2D to_offset);
void resolve_pixels(CommandBuffer& c, const FormatInfo& from_format, const FormatInfo& to_format, const Plane& from, const Plane& to,
                    const VkRect2D& r, VkOffset2D to_offset);

/// Tells the chip that the host has written memory, which may be that of numbered surfaces (Image::surface); 0 bytes: any memory.
void say_host_wrote(Cs& cs, hw::GpuAddress address, uint64_t bytes);

/// fill_pixels() of a clear of an attachment, which may depend on a condition.
void clear_pixels(CommandBuffer& c, const Plane& p, const VkRect2D& r, std::span<const uint8_t> pixel);

/// Aspects of sample 0 of each pixel of a rectangle of `from` become those of the same pixel of `to`.
void take_first_sample(CommandBuffer& c, const FormatInfo& from_format, const FormatInfo& to_format, const Plane& from, const Plane& to,
                       const VkRect2D& r, VkImageAspectFlags aspects);

/// One aspect of a depth and stencil format in memory, as an element of `step` bytes, `offset` bytes from the pixel.
struct AspectPlace {
  uint32_t offset, step;
  uint32_t bytes;    ///< of the aspect in a buffer of vkCmdCopyBufferToImage: 1, 2 or 4
  int shift;         ///< bits by which the aspect lies higher in its dword than in a buffer
  uint32_t keep;     ///< bits of the dword that belong to other aspects
  bool whole_pixel;  ///< the aspect is the whole pixel
};
AspectPlace place_of(const FormatInfo& f, VkImageAspectFlags aspect);

/// A surface of elements: its first one, bytes from one row to the next, from one element to the next.
struct Elements2D {
  hw::GpuAddress address;
  uint32_t pitch, step;
};
void move_bytes(CommandBuffer& c, const Elements2D& from, const Elements2D& to, uint32_t width, uint32_t height);
/// Bits outside `keep` of each dword become those of the other surface, shifted left (negative: right).
void move_dwords(CommandBuffer& c, const Elements2D& from, const Elements2D& to, uint32_t width, uint32_t height, uint32_t keep, int shift);
void fill_dwords(CommandBuffer& c, const Elements2D& to, uint32_t width, uint32_t height, uint32_t keep, uint32_t value);

/// A blit to a rectangle of one plane: texel (x, y) of `to` is looked up at origin + step * (texels from the rectangle's corner).
struct MetaBlit {
  ImageWords from;  ///< 2D, or 3D with `volume`
  bool volume = false, linear = false;
  const FormatInfo* to_format;
  Plane to;
  VkRect2D rect;
  std::array<float, 4> origin{}, step{};
  std::array<uint32_t, 2> keep{};
  Numeric numeric = Numeric::unorm;  ///< uint and sint: of integers
};
void blit_plane(CommandBuffer& c, const MetaBlit& b);

/// Copies rows that do not overlap, as X_COPY_ROWS or, where they follow one another, as icd::copy_bytes.
void move_rows(Cs& cs, const Rows& from, const Rows& to, uint32_t row_bytes, uint32_t rows);

/// A blit by X_SCALE, between texels of four bytes; coordinates in texels of `from`.
struct MetaScale {
  Plane from, to;
  VkRect2D rect;  ///< of `to`
  float s = 0, s_step = 0, t = 0, t_step = 0;
  bool linear = false, swap = false;  ///< swap: red and blue change places
};
/// False, and nothing is recorded: the planes overlap, which X_SCALE does not take.
bool scale_plane(CommandBuffer& c, const MetaScale& m);

/// A plane as an image of its own.
ImageWords plane_words(const Plane& p, VkFormat format);

}  // namespace pumice::icd::r5x
