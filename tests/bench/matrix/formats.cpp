// SPDX-License-Identifier: MIT
#include "tests/bench/matrix/formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace pumice::bench::matrix {

namespace {

using enum Numeric;
/// One row per format: what it is used as, and as what it has lines of its own in --quick.
struct Row {
  const char* name;
  VkFormat format;
  Numeric numeric;
  const char* layout;
  unsigned use, quick = 0;
};
constexpr unsigned kTexture = 1, kColor = 2, kDepth = 4;
constexpr Row kRows[] = {
    {"R8_UNORM", VK_FORMAT_R8_UNORM, unorm, "r8", kTexture | kColor},
    {"R8G8_UNORM", VK_FORMAT_R8G8_UNORM, unorm, "r8g8", kTexture | kColor},
    {"R8G8B8A8_UNORM", VK_FORMAT_R8G8B8A8_UNORM, unorm, "r8g8b8a8", kTexture | kColor, kTexture | kColor},
    {"B8G8R8A8_UNORM", VK_FORMAT_B8G8R8A8_UNORM, unorm, "b8g8r8a8", kTexture | kColor},
    {"R8G8B8A8_SRGB", VK_FORMAT_R8G8B8A8_SRGB, srgb, "r8g8b8a8", kTexture | kColor, kTexture | kColor},
    {"R8G8B8A8_SNORM", VK_FORMAT_R8G8B8A8_SNORM, snorm, "r8g8b8a8", kTexture | kColor},
    {"R5G6B5_UNORM", VK_FORMAT_R5G6B5_UNORM_PACK16, unorm, "b5g6r5", kTexture | kColor},
    {"A1R5G5B5_UNORM", VK_FORMAT_A1R5G5B5_UNORM_PACK16, unorm, "b5g5r5a1", kTexture | kColor},
    {"B4G4R4A4_UNORM", VK_FORMAT_B4G4R4A4_UNORM_PACK16, unorm, "a4r4g4b4", kTexture | kColor},
    {"A2B10G10R10_UNORM", VK_FORMAT_A2B10G10R10_UNORM_PACK32, unorm, "r10g10b10a2", kTexture | kColor},
    {"R16_UNORM", VK_FORMAT_R16_UNORM, unorm, "r16", kTexture | kColor},
    {"R16G16_SNORM", VK_FORMAT_R16G16_SNORM, snorm, "r16g16", kTexture},
    {"R16G16B16A16_UNORM", VK_FORMAT_R16G16B16A16_UNORM, unorm, "r16g16b16a16", kTexture | kColor},
    {"R16_SFLOAT", VK_FORMAT_R16_SFLOAT, sfloat, "r16", kTexture | kColor},
    {"R16G16_SFLOAT", VK_FORMAT_R16G16_SFLOAT, sfloat, "r16g16", kColor},
    {"R16G16B16A16_SFLOAT", VK_FORMAT_R16G16B16A16_SFLOAT, sfloat, "r16g16b16a16", kTexture | kColor, kTexture | kColor},
    {"R32_SFLOAT", VK_FORMAT_R32_SFLOAT, sfloat, "r32", kTexture | kColor, kTexture},
    {"R32G32_SFLOAT", VK_FORMAT_R32G32_SFLOAT, sfloat, "r32g32", kTexture | kColor},
    {"R32G32B32A32_SFLOAT", VK_FORMAT_R32G32B32A32_SFLOAT, sfloat, "r32g32b32a32", kTexture | kColor},
    {"B10G11R11_UFLOAT", VK_FORMAT_B10G11R11_UFLOAT_PACK32, ufloat, "r11g11b10", kTexture | kColor},
    {"E5B9G9R9_UFLOAT", VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, shared, "r9g9b9x5", kTexture},
    {"BC1_RGBA_UNORM", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, block, "8", kTexture, kTexture},
    {"BC1_RGBA_SRGB", VK_FORMAT_BC1_RGBA_SRGB_BLOCK, block, "8", kTexture},
    {"BC2_UNORM", VK_FORMAT_BC2_UNORM_BLOCK, block, "16", kTexture},
    {"BC3_UNORM", VK_FORMAT_BC3_UNORM_BLOCK, block, "16", kTexture},
    {"BC4_UNORM", VK_FORMAT_BC4_UNORM_BLOCK, block, "8", kTexture},
    {"BC5_UNORM", VK_FORMAT_BC5_UNORM_BLOCK, block, "16", kTexture},
    {"BC6H_UFLOAT", VK_FORMAT_BC6H_UFLOAT_BLOCK, block, "16", kTexture},
    {"BC7_UNORM", VK_FORMAT_BC7_UNORM_BLOCK, block, "16", kTexture},
    {"ETC2_R8G8B8_UNORM", VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, block, "8", kTexture},
    {"EAC_R11_UNORM", VK_FORMAT_EAC_R11_UNORM_BLOCK, block, "8", kTexture},
    {"R8_UINT", VK_FORMAT_R8_UINT, uint, "r8", kTexture | kColor},
    {"R8G8B8A8_UINT", VK_FORMAT_R8G8B8A8_UINT, uint, "r8g8b8a8", kTexture | kColor, kColor},
    {"R16G16B16A16_SINT", VK_FORMAT_R16G16B16A16_SINT, sint, "r16g16b16a16", kTexture | kColor},
    {"R32_UINT", VK_FORMAT_R32_UINT, uint, "r32", kTexture | kColor},
    {"R32G32B32A32_UINT", VK_FORMAT_R32G32B32A32_UINT, uint, "r32g32b32a32", kTexture | kColor},
    {"D16_UNORM", VK_FORMAT_D16_UNORM, depth, "d16", kTexture | kDepth},
    {"X8_D24_UNORM", VK_FORMAT_X8_D24_UNORM_PACK32, depth, "d24x8", kTexture | kDepth},
    {"D32_SFLOAT", VK_FORMAT_D32_SFLOAT, depth, "d32", kTexture | kDepth, kDepth},
    {"D24_UNORM_S8_UINT", VK_FORMAT_D24_UNORM_S8_UINT, depth, "d24x8", kDepth, kDepth},
    {"D32_SFLOAT_S8_UINT", VK_FORMAT_D32_SFLOAT_S8_UINT, depth, "d32", kDepth},
    {"S8_UINT", VK_FORMAT_S8_UINT, uint, "r8", kDepth},
};

template <unsigned kUse>
constexpr size_t kCount = size_t(std::count_if(std::begin(kRows), std::end(kRows), [](const Row& r) { return r.use & kUse; }));

/// The formats of a use, in the order of the table.
template <unsigned kUse>
constexpr auto kFormats = [] {
  std::array<Format, kCount<kUse>> out{};
  size_t n = 0;
  for (const Row& r : kRows)
    if (r.use & kUse) out[n++] = {r.name, r.format, r.numeric, r.layout, (r.quick & kUse) != 0};
  return out;
}();

/// Calls `f(channel, bits)` from bit 0 up; channel 4 is unused.
template <class F>
void each_channel(const Format& format, F f) {
  for (const char* p = format.layout; *p;) {
    const char letter = *p++;
    uint32_t bits = 0;
    for (; *p >= '0' && *p <= '9'; ++p) bits = bits * 10 + static_cast<uint32_t>(*p - '0');
    const uint32_t channel = letter == 'r' || letter == 'd' ? 0 : letter == 'g' ? 1 : letter == 'b' ? 2 : letter == 'a' ? 3 : 4;
    f(channel, bits);
  }
}

/// A float of 5 bits of exponent: 10 bits of fraction and a sign (half), or 6 or 5 and none. Values within the normal range only.
uint32_t small_float(float value, uint32_t fraction) {
  if (!(value > 6.2e-5f)) return 0;
  const uint32_t bits = std::bit_cast<uint32_t>(value) + (1u << (22 - fraction));
  return ((bits >> 23) - 112) << fraction | (bits & 0x7fffff) >> (23 - fraction);
}
float from_small_float(uint32_t word, uint32_t fraction) {
  const uint32_t exponent = word >> fraction & 31, rest = word & ((1u << fraction) - 1);
  const float one = static_cast<float>(1u << fraction);
  const float value = exponent ? std::ldexp(1.0f + static_cast<float>(rest) / one, static_cast<int>(exponent) - 15)
                               : std::ldexp(static_cast<float>(rest) / one, -14);
  return fraction == 10 && word >> 15 & 1 ? -value : value;
}

float largest(uint32_t bits) { return static_cast<float>((uint64_t{1} << bits) - 1); }
constexpr float kLargestInteger = 200.0f;

uint32_t encode_channel(const Format& f, uint32_t channel, uint32_t bits, float value) {
  value = std::clamp(value, 0.0f, 1.0f);
  switch (f.numeric) {
    case srgb:
      if (channel < 3) value = value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
      [[fallthrough]];
    case unorm: return static_cast<uint32_t>(value * largest(bits) + 0.5f);
    case snorm: return static_cast<uint32_t>(value * largest(bits - 1) + 0.5f);
    case uint:
    case sint: return static_cast<uint32_t>(value * kLargestInteger);
    case depth: return bits == 32 ? std::bit_cast<uint32_t>(value) : static_cast<uint32_t>(static_cast<double>(value) * largest(bits));
    case sfloat: return bits == 32 ? std::bit_cast<uint32_t>(value) : small_float(value, 10);
    case ufloat: return small_float(value, bits - 5);
    case shared: return bits == 9 ? static_cast<uint32_t>(value * 255.0f) : 0;  // the exponent is encode()'s
    case block: break;
  }
  return 0;
}

float decode_channel(const Format& f, uint32_t channel, uint32_t bits, uint32_t word) {
  const float value = static_cast<float>(word);
  const uint32_t sign = 32 - bits;
  switch (f.numeric) {
    case srgb: {
      const float c = value / largest(bits);
      if (channel == 3) return c;
      return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
    }
    case unorm: return value / largest(bits);
    case snorm: return std::max(-1.0f, static_cast<float>(static_cast<int32_t>(word << sign) >> sign) / largest(bits - 1));
    case uint: return value / kLargestInteger;
    case sint: return static_cast<float>(static_cast<int32_t>(word << sign) >> sign) / kLargestInteger;
    case depth: return bits == 32 ? std::bit_cast<float>(word) : value / largest(bits);
    case sfloat: return bits == 32 ? std::bit_cast<float>(word) : from_small_float(word, 10);
    case ufloat: return from_small_float(word, bits - 5);
    case shared:
    case block: break;
  }
  throw std::logic_error("not a format of targets");
}

/// Blocks of valid bits: modes that every decoder has, the rest from a generator with a fixed start.
void random_block(const Format& f, uint64_t& state, std::vector<uint8_t>& out) {
  uint8_t bytes[16];
  for (uint8_t& b : bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    b = static_cast<uint8_t>(state >> 56);
  }
  if (f.format == VK_FORMAT_BC7_UNORM_BLOCK) bytes[0] = static_cast<uint8_t>((bytes[0] & 0x80) | 0x40);    // mode 6: one subset
  if (f.format == VK_FORMAT_BC6H_UFLOAT_BLOCK) bytes[0] = static_cast<uint8_t>((bytes[0] & 0xe0) | 0x03);  // 10 bits, one region
  if (f.format == VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK) bytes[3] &= 0xfd;                                     // two colours of 4 bits
  out.insert(out.end(), bytes, bytes + texel_bytes(f));
}

float triangle(float x) { return std::fabs(x - std::floor(x) - 0.5f) * 2; }

}  // namespace

std::span<const Format> texture_formats() { return kFormats<kTexture>; }
std::span<const Format> color_formats() { return kFormats<kColor>; }
std::span<const Format> depth_formats() { return kFormats<kDepth>; }

const Format& format_of(VkFormat format) {
  for (const std::span<const Format> table : {color_formats(), depth_formats(), texture_formats()})
    for (const Format& f : table)
      if (f.format == format) return f;
  throw std::logic_error("no such format in the table");
}

uint32_t texel_bytes(const Format& format) {
  if (format.numeric == block) return format.layout[0] == '8' ? 8 : 16;
  uint32_t bits = 0;
  each_channel(format, [&](uint32_t, uint32_t n) { bits += n; });
  return bits / 8;
}

bool is_integer(const Format& format) { return format.numeric == uint || format.numeric == sint; }

void encode(const Format& format, const Texel& color, std::vector<uint8_t>& out) {
  uint8_t bytes[24] = {};
  uint32_t at = 0;
  each_channel(format, [&](uint32_t channel, uint32_t bits) {
    uint32_t word = channel < 4 ? encode_channel(format, channel, bits, color[channel]) : 0;
    if (format.numeric == shared && channel == 4) word = 16;  // 255 / 2^9 * 2^(16 - 15): nearly 1
    uint64_t window;
    std::memcpy(&window, bytes + at / 8, 8);
    window |= uint64_t{word} << (at % 8);
    std::memcpy(bytes + at / 8, &window, 8);
    at += bits;
  });
  out.insert(out.end(), bytes, bytes + at / 8);
}

Texel decode(const Format& format, const uint8_t* texel) {
  uint8_t bytes[24] = {};
  std::memcpy(bytes, texel, texel_bytes(format));
  Texel color{0, 0, 0, 1};
  uint32_t at = 0;
  each_channel(format, [&](uint32_t channel, uint32_t bits) {
    uint64_t window;
    std::memcpy(&window, bytes + at / 8, 8);
    const uint32_t word = static_cast<uint32_t>(window >> (at % 8) & ((uint64_t{1} << bits) - 1));
    if (channel < 4) color[channel] = decode_channel(format, channel, bits, word);
    at += bits;
  });
  return color;
}

std::vector<uint8_t> pattern(const Format& format, VkExtent3D extent, uint32_t layer) {
  std::vector<uint8_t> out;
  const auto texels = size_t{extent.width} * extent.height * extent.depth;
  if (format.numeric == block) {
    uint64_t state = 0x9e3779b97f4a7c15u + layer;
    for (size_t i = size_t{(extent.width + 3) / 4} * ((extent.height + 3) / 4) * extent.depth; i > 0; --i) random_block(format, state, out);
    return out;
  }
  out.reserve(texels * texel_bytes(format));
  const float shift = static_cast<float>(layer) * 0.13f;
  for (uint32_t z = 0; z < extent.depth; ++z)
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x) {
        const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(extent.width) + shift,
                    v = (static_cast<float>(y) + 0.5f) / static_cast<float>(extent.height),
                    w = (static_cast<float>(z) + 0.5f) / static_cast<float>(extent.depth);
        const float checker = (static_cast<int>(u * 8) + static_cast<int>(v * 8) + static_cast<int>(w * 8)) & 1 ? 0.75f : 0.25f;
        encode(format, {triangle(u * 3 + w), triangle(v * 2 + w), checker, 0.25f + 0.5f * triangle(u + v)}, out);
      }
  return out;
}

}  // namespace pumice::bench::matrix
