// SPDX-License-Identifier: MIT
/// Fill mode (docs/reference/rdp.md section 20): the fill colour into every pixel of the span, both ends included.
#include "hw/rdp/ref/draw.h"
#include "hw/rdp/ref/framebuffer.h"

namespace pumice::hw::rdp {

void fill_span(const DrawTarget& target, const Primitive& primitive, const Span& span) {
  const Image& image = target.state.color_image;
  const uint32_t color = target.state.fill_color;
  for (int k = 0; k < span.count; ++k) {
    const int x = primitive.left_major ? span.start + k : span.start - k;
    const uint32_t p = pixel_index(image, x, span.y);
    target.tell(x, span.y, Fate::written);
    switch (image.size) {
      case k8b: {
        const uint32_t a = image.address + p;
        target.ram.write8(a, color >> (24 - 8 * (a & 3)));
        break;
      }
      case k16b: {
        const uint32_t i = (image.address >> 1) + p, v = i & 1 ? color & 0xFFFF : color >> 16;
        target.ram.write16(i, v, v & 1 ? 3 : 0);
        break;
      }
      default: {
        const uint32_t i = 2 * ((image.address >> 2) + p);
        target.ram.write16(i, color >> 16, color >> 16 & 1 ? 3 : 0);
        target.ram.write16(i + 1, color & 0xFFFF, color & 1 ? 3 : 0);
        break;
      }
    }
  }
}

}  // namespace pumice::hw::rdp
