// SPDX-License-Identifier: MIT
/// Compares two PNGs by the project's measure: at least SHARE percent of the pixels agree within TOLERANCE/255 in every
/// channel, and every other pixel lies at an edge (its neighbourhood in one of the pictures spans more than the tolerance).
/// usage: compare-images A.png B.png [TOLERANCE=2] [SHARE=99.5] [DIFFERENCE.png]
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgb;
  const uint8_t* at(uint32_t x, uint32_t y) const { return &rgb[(size_t{y} * width + x) * 3]; }
};

bool read(const char* path, Picture& p) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path)) {
    std::fprintf(stderr, "%s: %s\n", path, image.message);
    return false;
  }
  image.format = PNG_FORMAT_RGB;
  p.width = image.width;
  p.height = image.height;
  p.rgb.resize(PNG_IMAGE_SIZE(image));
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&image, &black, p.rgb.data(), 0, nullptr)) return true;
  std::fprintf(stderr, "%s: %s\n", path, image.message);
  return false;
}

int distance(const uint8_t* a, const uint8_t* b) { return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])}); }

/// The largest channel span in the 3x3 neighbourhood.
int span(const Picture& p, uint32_t x, uint32_t y) {
  int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  for (uint32_t j = y ? y - 1 : 0; j <= std::min(y + 1, p.height - 1); ++j)
    for (uint32_t i = x ? x - 1 : 0; i <= std::min(x + 1, p.width - 1); ++i)
      for (int c = 0; c < 3; ++c) {
        low[c] = std::min<int>(low[c], p.at(i, j)[c]);
        high[c] = std::max<int>(high[c], p.at(i, j)[c]);
      }
  return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s A.png B.png [TOLERANCE=2] [SHARE=99.5] [DIFFERENCE.png]\n", argv[0]);
    return 2;
  }
  const int tolerance = argc > 3 ? std::atoi(argv[3]) : 2;
  const double wanted = argc > 4 ? std::atof(argv[4]) : 99.5;
  Picture a, b;
  if (!read(argv[1], a) || !read(argv[2], b)) return 2;
  if (a.width != b.width || a.height != b.height) {
    std::printf("sizes differ: %ux%u and %ux%u\n", a.width, a.height, b.width, b.height);
    return 1;
  }
  uint64_t differing = 0, off_edge = 0;
  int worst = 0;
  std::string where;
  std::vector<uint8_t> picture(size_t{a.width} * a.height);
  for (uint32_t y = 0; y < a.height; ++y)
    for (uint32_t x = 0; x < a.width; ++x) {
      const int d = distance(a.at(x, y), b.at(x, y));
      worst = std::max(worst, d);
      picture[size_t{y} * a.width + x] = static_cast<uint8_t>(std::min(255, d * 16));
      if (d <= tolerance) continue;
      ++differing;
      if (span(a, x, y) > tolerance || span(b, x, y) > tolerance) continue;
      if (off_edge++ == 0) where = " first at " + std::to_string(x) + "," + std::to_string(y);
    }
  const uint64_t total = uint64_t{a.width} * a.height;
  const double share = 100.0 * static_cast<double>(total - differing) / static_cast<double>(total);
  std::printf("%.3f %% within %d/255 (wanted %.2f), %llu pixels differ, %llu of them away from edges%s, largest difference %d\n", share,
              tolerance, wanted, static_cast<unsigned long long>(differing), static_cast<unsigned long long>(off_edge), where.c_str(),
              worst);
  if (argc > 5) {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = a.width;
    image.height = a.height;
    image.format = PNG_FORMAT_GRAY;
    png_image_write_to_file(&image, argv[5], 0, picture.data(), 0, nullptr);
  }
  return share >= wanted && off_edge == 0 ? 0 : 1;
}
