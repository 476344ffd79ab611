// SPDX-License-Identifier: MIT
#define VK_USE_PLATFORM_XCB_KHR
#include <xcb/xcb.h>
// volk.h comes after the platform macro and the header it needs.
#include "examples/common/window.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace example {
namespace {

xcb_atom_t intern(xcb_connection_t* connection, const char* name) {
  auto* reply = xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, static_cast<uint16_t>(std::strlen(name)), name), nullptr);
  const xcb_atom_t atom = reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  std::free(reply);
  return atom;
}

}  // namespace

Window::Window(const Options& options) : extent_{options.width, options.height} {
  connection_ = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(connection_)) {
    std::fprintf(stderr, "no X display; try --headless --png FILE\n");
    std::exit(1);
  }
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
  window_ = xcb_generate_id(connection_);
  const uint32_t events = XCB_EVENT_MASK_KEY_PRESS;
  xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, static_cast<uint16_t>(extent_.width),
                    static_cast<uint16_t>(extent_.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_EVENT_MASK,
                    &events);
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, window_, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                      static_cast<uint32_t>(options.title.size()), options.title.c_str());
  delete_atom_ = intern(connection_, "WM_DELETE_WINDOW");
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, window_, intern(connection_, "WM_PROTOCOLS"), XCB_ATOM_ATOM, 32, 1,
                      &delete_atom_);
  xcb_map_window(connection_, window_);
  xcb_flush(connection_);
}

Window::~Window() { xcb_disconnect(connection_); }

void Window::wait_for_server() const { std::free(xcb_get_input_focus_reply(connection_, xcb_get_input_focus(connection_), nullptr)); }

bool Window::process_events() {
  constexpr uint8_t kEscape = 9, kQ = 24;  // key codes of the usual PC layout
  bool open = !xcb_connection_has_error(connection_);
  while (xcb_generic_event_t* event = xcb_poll_for_event(connection_)) {
    const uint8_t type = event->response_type & 0x7F;
    if (type == XCB_CLIENT_MESSAGE && reinterpret_cast<xcb_client_message_event_t*>(event)->data.data32[0] == delete_atom_) open = false;
    if (type == XCB_KEY_PRESS) {
      const uint8_t key = reinterpret_cast<xcb_key_press_event_t*>(event)->detail;
      if (key == kEscape || key == kQ) open = false;
    }
    std::free(event);
  }
  return open;
}

const char* Window::surface_extension() { return VK_KHR_XCB_SURFACE_EXTENSION_NAME; }

VkSurfaceKHR Window::create_surface(VkInstance instance) const {
  const VkXcbSurfaceCreateInfoKHR info{
      .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = connection_, .window = window_};
  VkSurfaceKHR surface;
  VK_CHECK(vkCreateXcbSurfaceKHR(instance, &info, nullptr, &surface));
  return surface;
}

Swapchain::Swapchain(Context& context, const Window& window) : context_(context), surface_(window.create_surface(context.instance)) {
  VkBool32 supported = VK_FALSE;
  VK_CHECK(vkGetPhysicalDeviceSurfaceSupportKHR(context.physical_device, context.queue_family, surface_, &supported));
  if (!supported) {
    std::fprintf(stderr, "the device cannot present to this window\n");
    std::exit(1);
  }
  VkSurfaceCapabilitiesKHR caps;
  VK_CHECK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(context.physical_device, surface_, &caps));
  uint32_t count = 0;
  VK_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(context.physical_device, surface_, &count, nullptr));
  std::vector<VkSurfaceFormatKHR> formats(count);
  VK_CHECK(vkGetPhysicalDeviceSurfaceFormatsKHR(context.physical_device, surface_, &count, formats.data()));
  VkSurfaceFormatKHR chosen = formats.at(0);
  for (const auto& f : formats)
    if (f.format == VK_FORMAT_B8G8R8A8_UNORM || f.format == VK_FORMAT_R8G8B8A8_UNORM) chosen = f;
  format_ = chosen.format;
  extent_ = caps.currentExtent.width == 0xFFFFFFFFu ? window.extent() : caps.currentExtent;
  const uint32_t wanted = std::max(caps.minImageCount, 2u);
  const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                      .surface = surface_,
                                      .minImageCount = caps.maxImageCount ? std::min(wanted, caps.maxImageCount) : wanted,
                                      .imageFormat = format_,
                                      .imageColorSpace = chosen.colorSpace,
                                      .imageExtent = extent_,
                                      .imageArrayLayers = 1,
                                      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                      .preTransform = caps.currentTransform,
                                      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                      .clipped = VK_TRUE};
  VK_CHECK(vkCreateSwapchainKHR(context.device, &info, nullptr, &swapchain_));
  VK_CHECK(vkGetSwapchainImagesKHR(context.device, swapchain_, &count, nullptr));
  images_.resize(count);
  VK_CHECK(vkGetSwapchainImagesKHR(context.device, swapchain_, &count, images_.data()));
  for (const VkImage image : images_) {
    const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                     .format = format_,
                                     .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    views_.emplace_back();
    VK_CHECK(vkCreateImageView(context.device, &view, nullptr, &views_.back()));
  }
  const VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VK_CHECK(vkCreateSemaphore(context.device, &semaphore, nullptr, &acquired_));
  VK_CHECK(vkCreateSemaphore(context.device, &semaphore, nullptr, &drawn_));
  const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VK_CHECK(vkCreateFence(context.device, &fence, nullptr, &done_));
  const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = context.command_pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
  VK_CHECK(vkAllocateCommandBuffers(context.device, &allocate, &commands_));
}

void Swapchain::destroy() {
  vkFreeCommandBuffers(context_.device, context_.command_pool, 1, &commands_);
  vkDestroyFence(context_.device, done_, nullptr);
  vkDestroySemaphore(context_.device, acquired_, nullptr);
  vkDestroySemaphore(context_.device, drawn_, nullptr);
  for (const VkImageView view : views_) vkDestroyImageView(context_.device, view, nullptr);
  vkDestroySwapchainKHR(context_.device, swapchain_, nullptr);
  vkDestroySurfaceKHR(context_.instance, surface_, nullptr);
}

bool Swapchain::show(const std::function<void(VkCommandBuffer, uint32_t)>& record) {
  uint32_t image = 0;
  const VkResult acquired = vkAcquireNextImageKHR(context_.device, swapchain_, UINT64_MAX, acquired_, VK_NULL_HANDLE, &image);
  if (acquired == VK_ERROR_OUT_OF_DATE_KHR) return false;
  if (acquired != VK_SUBOPTIMAL_KHR) check(acquired, "vkAcquireNextImageKHR");
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VK_CHECK(vkBeginCommandBuffer(commands_, &begin));
  record(commands_, image);
  VK_CHECK(vkEndCommandBuffer(commands_));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;  // whatever the queue can do
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .waitSemaphoreCount = 1,
                            .pWaitSemaphores = &acquired_,
                            .pWaitDstStageMask = &stage,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &commands_,
                            .signalSemaphoreCount = 1,
                            .pSignalSemaphores = &drawn_};
  VK_CHECK(vkQueueSubmit(context_.queue, 1, &submit, done_));
  const VkPresentInfoKHR present{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &drawn_,
                                 .swapchainCount = 1,
                                 .pSwapchains = &swapchain_,
                                 .pImageIndices = &image};
  const VkResult presented = vkQueuePresentKHR(context_.queue, &present);
  VK_CHECK(vkWaitForFences(context_.device, 1, &done_, VK_TRUE, UINT64_MAX));
  VK_CHECK(vkResetFences(context_.device, 1, &done_));
  vkQueueWaitIdle(context_.queue);  // one frame at a time: the semaphores may be used again
  if (presented == VK_ERROR_OUT_OF_DATE_KHR) return false;
  if (presented != VK_SUBOPTIMAL_KHR) check(presented, "vkQueuePresentKHR");
  return true;
}

}  // namespace example
