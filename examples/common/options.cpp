// SPDX-License-Identifier: MIT
#include "examples/common/options.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace example {
namespace {

[[noreturn]] void usage(const char* program, int code) {
  std::fprintf(code ? stderr : stdout,
               "usage: %s [--headless] [--png FILE] [--size WxH] [--frames N] [--validate]\n"
               "  --headless   draw into an image instead of a window\n"
               "  --png FILE   write the last frame (implies --headless)\n"
               "  --size WxH   picture size (default 640x480)\n"
               "  --frames N   stop after N frames (default: until the window closes; headless: 1)\n"
               "  --validate   run under the Khronos validation layer; its errors fail the program\n",
               program);
  std::exit(code);
}

}  // namespace

Options parse_options(int argc, char** argv, const char* title) {
  Options o;
  o.title = title;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&]() -> const char* {
      if (i + 1 >= argc) {
        std::fprintf(stderr, "%s: %s needs a value\n", argv[0], argv[i]);
        usage(argv[0], 2);
      }
      return argv[++i];
    };
    if (word == "--headless") {
      o.headless = true;
    } else if (word == "--png") {
      o.png = value();
      o.headless = true;
    } else if (word == "--size") {
      const char* text = value();
      char rest = 0;
      if (std::sscanf(text, "%ux%u%c", &o.width, &o.height, &rest) != 2 || o.width < 1 || o.height < 1 || o.width > 4096 ||
          o.height > 4096) {
        std::fprintf(stderr, "%s: --size %s: expected WxH, each 1..4096\n", argv[0], text);
        usage(argv[0], 2);
      }
    } else if (word == "--frames") {
      const char* text = value();
      char* end = nullptr;
      o.frames = std::strtoull(text, &end, 10);
      if (*end || end == text || o.frames == 0) {
        std::fprintf(stderr, "%s: --frames %s: expected a positive number\n", argv[0], text);
        usage(argv[0], 2);
      }
    } else if (word == "--validate") {
      o.validation = true;
    } else if (word == "--help" || word == "-h") {
      usage(argv[0], 0);
    } else {
      std::fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]);
      usage(argv[0], 2);
    }
  }
  if (o.headless && o.frames == 0) o.frames = 1;
  return o;
}

}  // namespace example
