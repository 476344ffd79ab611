// SPDX-License-Identifier: MIT
/// The format table: a format is one row of formats.cpp, everything else is derived from it. Codes after pipeline s.6.4 (TX),
/// s.9.1 (RB3D), us-isa A11 (US_OUT_FMT), pipeline s.2.1 (PSC), s.8 (ZB).
#pragma once
#include <vulkan/vulkan_core.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "common/short_text.h"

namespace pumice::icd {

enum class Numeric : uint8_t { unorm, snorm, srgb, sfloat, ufloat, uint, sint, uscaled, sscaled, depth };

inline constexpr uint8_t kNoCode = 0xFF;

struct FormatInfo {
  VkFormat format;
  ShortText<27> name;
  Numeric numeric;
  /// Components from the least significant bit up: a letter (r, g, b, a, d depth, s stencil, e exponent, x unused) and its bits.
  ShortText<14> layout;
  uint8_t tx;              ///< TX_FORMAT1.TXFORMAT, bit 5 = TXFORMAT_MSB; kNoCode: no texture format
  uint8_t target;          ///< RB3D_COLORPITCH.COLORFORMAT; kNoCode: no colour target
  uint8_t out_fmt;         ///< US_OUT_FMT.OUT_FMT
  ShortText<6> out_slots;  ///< where the stored components sit among C0..C3 of US_OUT_FMT, one digit each
  uint8_t psc;             ///< PSC data type; kNoCode: no vertex format, kTranslated: the driver rewrites it to FLOAT_4
  uint8_t flags;           ///< FormatFlag
};

inline constexpr uint8_t kTranslated = 0xFE;

enum FormatFlag : uint8_t {
  kFilter = 1,       ///< TX can filter it linearly (r5x: every format with it)
  kBlend = 2,        ///< RB3D can blend it; of formats that only r5x has: XB
  kDepth = 4,        ///< with depth
  kStencil = 8,      ///< with stencil
  kCompressed = 16,  ///< blocks: block_of()
  kWords = 32        ///< components of 64 bits: storage images and texel buffers only
};

/// One component of a pixel.
struct Component {
  char channel = 'x';
  uint8_t bits = 0, shift = 0;  ///< shift counts from bit 0 of the pixel
};

struct Layout {
  std::array<Component, 4> component{};
  uint8_t count = 0;
  uint8_t bytes = 0;  ///< per pixel, or per block
};

/// Null for a format the driver does not know.
const FormatInfo* find_format(VkFormat format);
Layout layout_of(const FormatInfo& format);
/// Its number in descriptors and registers of r5x: Vulkan's, or what hw/db/formats.xml has for formats of extensions.
uint32_t chip_format(VkFormat format);
/// Texels of that format that an element of a texel buffer has: components of 64 bits are one each, 1 to 4; of all other formats 1.
uint32_t texels_of_element(VkFormat format);
inline uint32_t chip_format(const FormatInfo& f) { return chip_format(f.format); }
/// Texels of a block; 1x1 of plain formats.
VkExtent2D block_of(const FormatInfo& format);

inline bool is_depth_stencil(const FormatInfo& f) { return f.numeric == Numeric::depth; }
VkImageAspectFlags aspects_of(const FormatInfo& f);

/// What vkGetPhysicalDeviceFormatProperties says of strict chips, from the columns above.
VkFormatProperties properties_of(const FormatInfo& f);
/// The same of the R3xx, which has no textures of codes above 31 and no targets of 10 bits.
VkFormatProperties r300_properties_of(const FormatInfo& f);
/// The same of r5x, whose XT, XB, XV and texel buffers know every format (docs/r5x.md 6).
VkFormatProperties r5x_properties_of(const FormatInfo& f);
/// Whether a strict chip has any use for it.
inline bool is_strict(const FormatInfo& f) { return f.tx != kNoCode || f.target != kNoCode || f.psc != kNoCode; }

/// Texture: which component code (0..3, 4 = 0.0, 5 = 1.0) gives channel r, g, b, a.
std::array<uint8_t, 4> texture_select(const FormatInfo& f);

/// Colour target: the channel (0 r, 1 g, 2 b, 3 a) that sits in C0..C3.
std::array<uint8_t, 4> target_channels(const FormatInfo& f);
/// The 4-bit RB3D channel mask for an API colour write mask.
uint32_t target_mask(const FormatInfo& f, VkColorComponentFlags api);

/// The sRGB code of a colour before it is rounded, 0 to 255.
float srgb_code(float v);
/// One pixel to or from four floats (r, g, b, a; depth formats: d in r). Uncompressed formats only.
void pack_pixel(const FormatInfo& f, const VkClearColorValue& color, uint8_t* out);
std::array<float, 4> unpack_pixel(const FormatInfo& f, const uint8_t* in);

}  // namespace pumice::icd
