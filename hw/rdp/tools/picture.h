// SPDX-License-Identifier: MIT
/// Colour images as pictures.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/rdp/ref/rdram.h"

namespace pumice::hw::rdp {

struct ImageView {
  uint32_t address = 0, width = 0, height = 0;
  uint32_t size = 2;  // 1, 2, 3: 8, 16, 32 bits
};

struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgb;
};

/// 8-bit images are grey.
Picture picture_of(const Rdram& ram, const ImageView& view);
/// Bilinear, as the VI's scaler does: each output pixel samples at x * width / new width.
Picture scaled(const Picture& p, uint32_t width, uint32_t height);
bool write_png(const std::string& path, const Picture& p);

}  // namespace pumice::hw::rdp
