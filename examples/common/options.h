// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace example {

/// What every example understands on its command line.
struct Options {
  std::string title;
  bool headless = false;  ///< draw into an image, no window
  std::string png;        ///< write the last frame here (headless)
  uint32_t width = 640, height = 480;
  uint64_t frames = 0;             ///< stop after so many; 0: until the window closes (headless: 1)
  bool unwrapped_handles = false;  ///< the program hands handles to an extension that the validation layer does not know
  bool validation = false;         ///< enable VK_LAYER_KHRONOS_validation; its errors make the program fail
};

/// Parses argv; on --help or a mistake prints usage and exits.
Options parse_options(int argc, char** argv, const char* title);

}  // namespace example
