// SPDX-License-Identifier: MIT
/// A fixed-size xcb window and the swapchain on it.
#pragma once
#include <functional>
#include <vector>

#include "examples/common/context.h"

struct xcb_connection_t;

namespace example {

class Window {
 public:
  explicit Window(const Options& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  /// False when the user closed the window or pressed Escape or q.
  bool process_events();
  /// Until the server has carried out all that was sent on the window's connection.
  void wait_for_server() const;
  /// The instance extension that create_surface() needs.
  static const char* surface_extension();
  VkSurfaceKHR create_surface(VkInstance instance) const;
  VkExtent2D extent() const { return extent_; }

 private:
  xcb_connection_t* connection_ = nullptr;
  uint32_t window_ = 0, delete_atom_ = 0;
  VkExtent2D extent_{};
};

class Swapchain {
 public:
  Swapchain(Context& context, const Window& window);
  void destroy();
  VkFormat format() const { return format_; }
  VkExtent2D extent() const { return extent_; }
  const std::vector<VkImageView>& views() const { return views_; }
  VkImage image(uint32_t i) const { return images_[i]; }
  /// Acquires an image, submits what `record` recorded for it, presents. False when the surface changed.
  bool show(const std::function<void(VkCommandBuffer, uint32_t image)>& record);

 private:
  Context& context_;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkFormat format_ = VK_FORMAT_UNDEFINED;
  VkExtent2D extent_{};
  std::vector<VkImage> images_;
  std::vector<VkImageView> views_;
  VkSemaphore acquired_ = VK_NULL_HANDLE, drawn_ = VK_NULL_HANDLE;
  VkFence done_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace example
