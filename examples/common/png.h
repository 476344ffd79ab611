// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace example {

/// Writes width*height RGBA pixels as a PNG; false with a message on stderr when that fails.
bool write_png(const std::string& path, const uint8_t* rgba, uint32_t width, uint32_t height);

}  // namespace example
