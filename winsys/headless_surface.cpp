// SPDX-License-Identifier: MIT
/// VK_EXT_headless_surface: presents are discarded (Capture still receives them); the swapchain decides the size.
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

class HeadlessSurface final : public Surface {
 public:
  Extent extent() override { return {0xFFFFFFFFu, 0xFFFFFFFFu}; }
  Shown present(const Frame&) override { return {}; }
  bool lost() override { return false; }
};

}  // namespace

std::unique_ptr<Surface> create_headless_surface() { return std::make_unique<HeadlessSurface>(); }

}  // namespace pumice::winsys
