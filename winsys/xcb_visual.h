// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "winsys/xcb_api.h"

namespace pumice::winsys {

/// Depth of the visual when a B,G,R,A frame can be put there unchanged; nothing otherwise.
std::optional<uint8_t> bgra_visual_depth(const XcbApi& xcb, xcb_connection_t* connection, xcb_visualid_t wanted);

}  // namespace pumice::winsys
