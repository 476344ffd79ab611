// SPDX-License-Identifier: MIT
/// Colour images as pictures. The scale is the VI's 10-bit stepping with 5-bit bilinear weights; its other filters
/// (anti-aliasing, divot, gamma, dither removal) are not modelled.
#include "hw/rdp/tools/picture.h"

#include <png.h>

#include <algorithm>

namespace pumice::hw::rdp {

Picture picture_of(const Rdram& ram, const ImageView& view) {
  Picture p{view.width, view.height, {}};
  p.rgb.reserve(size_t{3} * view.width * view.height);
  const auto put = [&](uint32_t r, uint32_t g, uint32_t b) {
    for (uint32_t v : {r, g, b}) p.rgb.push_back(static_cast<uint8_t>(v));
  };
  const auto five = [](uint32_t v) { return (v & 31) << 3 | (v & 31) >> 2; };
  for (uint32_t i = 0; i < view.width * view.height; ++i) {
    if (view.size == 3) {
      const uint32_t v = ram.read32((view.address >> 2) + i);
      put(v >> 24, v >> 16, v >> 8);
    } else if (view.size == 2) {
      const uint32_t v = ram.read16((view.address >> 1) + i);
      put(five(v >> 11), five(v >> 6), five(v >> 1));
    } else {
      const uint32_t v = ram.read8(view.address + i);
      put(v, v, v);
    }
  }
  return p;
}

Picture scaled(const Picture& p, uint32_t width, uint32_t height) {
  Picture out{width, height, std::vector<uint8_t>(size_t{3} * width * height)};
  if (!p.width || !p.height) return out;
  const uint32_t step_x = p.width * 1024 / width, step_y = p.height * 1024 / height;
  const auto at = [&](uint32_t x, uint32_t y, uint32_t c) {
    return int32_t{p.rgb[(size_t{std::min(y, p.height - 1)} * p.width + std::min(x, p.width - 1)) * 3 + c]};
  };
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      for (uint32_t c = 0; c < 3; ++c) {
        const uint32_t px = x * step_x, py = y * step_y, ix = px >> 10, iy = py >> 10;
        const int32_t fx = static_cast<int32_t>(px >> 5 & 31), fy = static_cast<int32_t>(py >> 5 & 31);
        const int32_t up = at(ix, iy, c) + ((at(ix + 1, iy, c) - at(ix, iy, c)) * fx + 16) / 32;
        const int32_t down = at(ix, iy + 1, c) + ((at(ix + 1, iy + 1, c) - at(ix, iy + 1, c)) * fx + 16) / 32;
        out.rgb[(size_t{y} * width + x) * 3 + c] = static_cast<uint8_t>(std::clamp(up + ((down - up) * fy + 16) / 32, 0, 255));
      }
  return out;
}

bool write_png(const std::string& path, const Picture& p) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = p.width;
  image.height = p.height;
  image.format = PNG_FORMAT_RGB;
  return p.width && p.height && png_image_write_to_file(&image, path.c_str(), 0, p.rgb.data(), 0, nullptr);
}

}  // namespace pumice::hw::rdp
