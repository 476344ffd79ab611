// SPDX-License-Identifier: MIT
#include "examples/common/png.h"

#include <png.h>

#include <cstdio>
#include <cstring>

namespace example {

bool write_png(const std::string& path, const uint8_t* rgba, uint32_t width, uint32_t height) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&image, path.c_str(), 0, rgba, 0, nullptr)) return true;
  std::fprintf(stderr, "%s: %s\n", path.c_str(), image.message);
  return false;
}

}  // namespace example
