// SPDX-License-Identifier: MIT
/// Which X visuals can show a B,G,R,A frame without conversion: TrueColor, 8 bits per channel in BGRX order, 32-bit pixels, LSB first.
#include "winsys/xcb_visual.h"
#include "winsys/winsys.h"
#include "winsys/xcb_api.h"

namespace pumice::winsys {

std::optional<uint8_t> bgra_visual_depth(const XcbApi& xcb, xcb_connection_t* connection, xcb_visualid_t wanted) {
  const xcb_setup_t* setup = xcb.xcb_get_setup(connection);
  if (!setup || setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST) return std::nullopt;
  const auto pixel_is_32_bits = [&](uint8_t depth) {
    const xcb_format_t* formats = xcb.xcb_setup_pixmap_formats(setup);
    for (int i = 0; i < xcb.xcb_setup_pixmap_formats_length(setup); ++i)
      if (formats[i].depth == depth) return formats[i].bits_per_pixel == 32;
    return false;
  };
  for (auto screen = xcb.xcb_setup_roots_iterator(setup); screen.rem; xcb.xcb_screen_next(&screen))
    for (auto depth = xcb.xcb_screen_allowed_depths_iterator(screen.data); depth.rem; xcb.xcb_depth_next(&depth))
      for (auto visual = xcb.xcb_depth_visuals_iterator(depth.data); visual.rem; xcb.xcb_visualtype_next(&visual)) {
        const xcb_visualtype_t& v = *visual.data;
        if (v.visual_id != wanted) continue;
        const bool bgrx =
            v._class == XCB_VISUAL_CLASS_TRUE_COLOR && v.red_mask == 0xFF0000 && v.green_mask == 0xFF00 && v.blue_mask == 0xFF;
        if (bgrx && pixel_is_32_bits(depth.data->depth)) return depth.data->depth;
        return std::nullopt;
      }
  return std::nullopt;
}

bool xcb_visual_supported(void* connection, uint32_t visual) {
  XcbApi xcb;
  if (!xcb.library.ok() || !connection) return false;
  return bgra_visual_depth(xcb, static_cast<xcb_connection_t*>(connection), visual).has_value();
}

}  // namespace pumice::winsys
