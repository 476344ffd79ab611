// SPDX-License-Identifier: MIT
/// Colour image access (docs/reference/rdp.md sections 4, 16.1 and 19). A 4-bit colour image reads black and takes no writes.
#include "hw/rdp/ref/framebuffer.h"

namespace pumice::hw::rdp {

MemoryPixel read_pixel(const State& state, const Rdram& ram, int x, int y) {
  MemoryPixel m;
  if (!state.modes.image_read_en()) return m;
  const Image& image = state.color_image;
  const uint32_t p = pixel_index(image, x, y);
  const auto grey = [&](uint32_t v) { m.rgb.fill(static_cast<int32_t>(v)); };
  switch (image.size) {
    case k8b: grey(ram.read8(image.address + p)); break;
    case k16b: {
      const uint32_t i = (image.address >> 1) + p, v = ram.read16(i);
      if (image.format == kRgba) {
        m.rgb = {static_cast<int32_t>(v >> 8 & 0xF8), static_cast<int32_t>(v >> 3 & 0xF8), static_cast<int32_t>(v << 2 & 0xF8)};
        m.coverage = static_cast<int>((v & 1) << 2 | ram.hidden(i));
      } else {
        grey(v >> 8);
        m.coverage = static_cast<int>(v >> 5 & 7);
      }
      break;
    }
    case k32b: {
      const uint32_t v = ram.read32((image.address >> 2) + p);
      m.rgb = {static_cast<int32_t>(v >> 24), static_cast<int32_t>(v >> 16 & 0xFF), static_cast<int32_t>(v >> 8 & 0xFF)};
      m.coverage = static_cast<int>(v >> 5 & 7);
      break;
    }
    default: break;
  }
  return m;
}

void write_pixel(const State& state, Rdram& ram, int x, int y, const std::array<int32_t, 3>& rgb, int coverage) {
  const Image& image = state.color_image;
  const uint32_t p = pixel_index(image, x, y), c = static_cast<uint32_t>(coverage) & 7;
  const uint32_t r = static_cast<uint32_t>(rgb[0]), g = static_cast<uint32_t>(rgb[1]), b = static_cast<uint32_t>(rgb[2]);
  switch (image.size) {
    case k8b: {
      const uint32_t a = image.address + p;
      ram.write8(a, a & 1 ? g : r);
      break;
    }
    case k16b: {
      const uint32_t i = (image.address >> 1) + p;
      if (image.format == kRgba)
        ram.write16(i, (r & 0xF8) << 8 | (g & 0xF8) << 3 | (b & 0xF8) >> 2 | c >> 2, c & 3);
      else
        ram.write16(i, r << 8 | c << 5, 0);
      break;
    }
    case k32b: {
      const uint32_t i = 2 * ((image.address >> 2) + p);
      ram.write16(i, r << 8 | g, g & 1 ? 3 : 0);
      ram.write16(i + 1, b << 8 | c << 5, 0);
      break;
    }
    default: break;
  }
}

int final_coverage(const State& state, bool blend_en, int coverage, int memory_coverage) {
  switch (state.modes.cvg_dest()) {
    case 0: {
      const int v = blend_en ? coverage + memory_coverage : coverage - 1;
      return v & 8 ? 7 : v & 7;
    }
    case 1: return (coverage + memory_coverage) & 7;
    case 2: return 7;
    default: return memory_coverage;
  }
}

}  // namespace pumice::hw::rdp
