// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "winsys/winsys.h"

namespace pumice::winsys {

/// Writes the frame as an opaque 8-bit RGB PNG, first under a temporary name, so that a reader never sees half a file.
bool write_png(const std::string& path, const Frame& frame, std::string& error);

}  // namespace pumice::winsys
