// SPDX-License-Identifier: MIT
/// Colour images as pictures.
#include "hw/rdp/tools/picture.h"

#include <png.h>

#include <algorithm>

#include "hw/rdp/scan_out.h"

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
  Picture out{width, height, {}};
  if (!p.width || !p.height || !width || !height) return out;
  out.rgb.reserve(size_t{3} * width * height);
  const ScanShape shape{.width = p.width,
                        .height = p.height,
                        .out_width = width,
                        .out_height = height,
                        .x_step = p.width * 1024 / width,
                        .y_step = p.height * 1024 / height,
                        .bilinear = true};
  scan_lines(
      shape,
      [&](uint32_t y, ScanLine& line) {
        for (uint32_t x = 0; x < p.width; ++x) std::copy_n(&p.rgb[(size_t{y} * p.width + x) * 3], 3, line[x].begin());
      },
      [&](uint32_t, const ScanLine& line) {
        for (const auto& pixel : line) out.rgb.insert(out.rgb.end(), pixel.begin(), pixel.begin() + 3);
        return true;
      });
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
