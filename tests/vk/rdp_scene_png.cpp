// SPDX-License-Identifier: MIT
/// Draws a frame of the example's scene with the chip alone and compares it with the PNG that the example made through Vulkan, at the
/// chip's own resolution: every pixel is the same. usage: rdp-scene-png EXAMPLE OUT.png
#include <png.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "examples/rdp/scene.h"
#include "hw/rdp/rdp.h"
#include "hw/rdp/tools/picture.h"

int main(int argc, char** argv) {
  using namespace pumice::hw::rdp;
  if (argc != 3) return 2;
  constexpr uint64_t kFrame = 12;
  const std::string size = std::to_string(rdp_scene::kWidth) + "x" + std::to_string(rdp_scene::kHeight);
  const std::string command = std::string(argv[1]) + " --size " + size + " --frames " + std::to_string(kFrame + 1) + " --png " + argv[2];
  if (std::system(command.c_str()) != 0) return 1;

  std::vector<uint8_t> memory(1 << 20);
  const rdp_scene::Places places{.color = 0x1000, .depth = 0x40000, .textures = 0x80000};
  const std::vector<uint8_t> texels = rdp_scene::textures();
  std::memcpy(memory.data() + places.textures, texels.data(), texels.size());
  Rdp rdp(memory);
  rdp.enqueue(rdp_scene::frame(places, kFrame));
  const Picture alone = picture_of(rdp.rdram(), {places.color, rdp_scene::kWidth, rdp_scene::kHeight, 2});

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, argv[2]) || image.width != alone.width || image.height != alone.height) {
    std::fprintf(stderr, "%s: not the picture\n", argv[2]);
    return 1;
  }
  image.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> through_vulkan(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, through_vulkan.data(), 0, nullptr)) return 1;
  size_t different = 0;
  for (size_t i = 0; i < through_vulkan.size(); ++i) different += through_vulkan[i] != alone.rgb[i];
  std::printf("%zu of %zu bytes differ\n", different, through_vulkan.size());
  return different == 0 ? 0 : 1;
}
