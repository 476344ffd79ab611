// SPDX-License-Identifier: MIT
/// PNG output through libpng's simplified interface. The library is opened at run time: the driver links nothing that an
/// application may have in another version, and only captures need it.
#include "winsys/png_file.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "winsys/library.h"

namespace pumice::winsys {

bool write_png(const std::string& path, const Frame& frame, std::string& error) {
  Library library("libpng16.so.16");
  decltype(::png_image_write_to_file)* write_to_file = nullptr;
  library.get(write_to_file, "png_image_write_to_file");
  if (!library.ok()) {
    error = path + ": " + library.error();
    return false;
  }
  std::vector<uint8_t> rgb(size_t{frame.extent.width} * frame.extent.height * 3);
  uint8_t* out = rgb.data();
  for (uint32_t y = 0; y < frame.extent.height; ++y) {
    const uint8_t* in = frame.pixels + size_t{y} * frame.pitch_bytes;
    for (uint32_t x = 0; x < frame.extent.width; ++x, in += 4, out += 3) {
      out[0] = in[frame.red_first ? 0 : 2];
      out[1] = in[1];
      out[2] = in[frame.red_first ? 2 : 0];
    }
  }
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = frame.extent.width;
  image.height = frame.extent.height;
  image.format = PNG_FORMAT_RGB;
  const std::string partial = path + ".part";
  if (!write_to_file(&image, partial.c_str(), 0, rgb.data(), 0, nullptr)) {
    error = path + ": " + image.message;
    return false;
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0) {
    error = path + ": " + std::strerror(errno);
    return false;
  }
  return true;
}

}  // namespace pumice::winsys
