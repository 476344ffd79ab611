// SPDX-License-Identifier: MIT
/// The smallest frame: a render pass that clears its attachment, and two smaller rectangles cleared inside it.
/// Shows: load operations, vkCmdClearAttachments.
#include <cmath>

#include "examples/common/scene.h"

namespace {

class Clear final : public example::Scene {
 public:
  VkClearColorValue clear_color(uint64_t frame) const override {
    const float t = static_cast<float>(frame) * 0.02f;
    return {{0.5f + 0.5f * std::sin(t), 0.25f, 0.5f + 0.5f * std::cos(t), 1.0f}};
  }

  void create(example::Context&, const example::Target& target) override { extent_ = target.extent; }

  void draw(example::Context&, const example::Frame& frame) override {
    const VkClearAttachment orange{VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{1.0f, 0.5f, 0.0f, 1.0f}}}};
    const VkClearAttachment green{VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{0.0f, 0.6f, 0.3f, 1.0f}}}};
    const uint32_t w = extent_.width, h = extent_.height;
    const VkClearRect left{{{static_cast<int32_t>(w / 8), static_cast<int32_t>(h / 4)}, {w / 4 + 1, h / 2 + 1}}, 0, 1};
    const VkClearRect right{{{static_cast<int32_t>(w / 2), static_cast<int32_t>(h / 3)}, {w / 3 + 1, h / 3 + 1}}, 0, 1};
    vkCmdClearAttachments(frame.commands, 1, &orange, 1, &left);
    vkCmdClearAttachments(frame.commands, 1, &green, 1, &right);
  }

  void destroy(example::Context&) override {}

 private:
  VkExtent2D extent_{};
};

}  // namespace

int main(int argc, char** argv) {
  Clear scene;
  return example::run(example::parse_options(argc, argv, "clear"), scene);
}
