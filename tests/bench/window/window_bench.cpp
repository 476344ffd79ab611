// SPDX-License-Identifier: MIT
/// Small frames in an X window, presented in each mode the device has: two frames in flight, as most applications have. The time of a frame
/// is that of many divided by their number; what is in flight at the end is waited for, in the device
/// and in the X server. MAILBOX may drop frames that the server did not take in time.
#include <string>

#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "examples/common/window.h"
#include "tests/bench/measure.h"
#include "triangle.frag.h"
#include "triangle.vert.h"

namespace {

using namespace example;
using pumice::bench::Clock;

constexpr uint32_t kInFlight = 2;
constexpr double kSeconds = 0.4;

struct Frame {
  VkCommandBuffer commands;
  VkSemaphore acquired, drawn;
  VkFence done;
};

class Bench {
 public:
  Bench(Context& context, const Options& options, VkPresentModeKHR mode)
      : c_(context), window_(options), surface_(window_.create_surface(c_.instance)) {
    VkSurfaceCapabilitiesKHR caps;
    VK_CHECK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(c_.physical_device, surface_, &caps));
    uint32_t count = 8;
    VkPresentModeKHR modes[8];
    VK_CHECK(vkGetPhysicalDeviceSurfacePresentModesKHR(c_.physical_device, surface_, &count, modes));
    supported_ = std::find(modes, modes + count, mode) != modes + count;
    if (!supported_) return;
    extent_ = {options.width, options.height};
    const uint32_t wanted = caps.minImageCount + 1;
    const VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
    const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                        .surface = surface_,
                                        .minImageCount = caps.maxImageCount ? std::min(wanted, caps.maxImageCount) : wanted,
                                        .imageFormat = format,
                                        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
                                        .imageExtent = extent_,
                                        .imageArrayLayers = 1,
                                        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                        .preTransform = caps.currentTransform,
                                        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                        .presentMode = mode,
                                        .clipped = VK_TRUE};
    VK_CHECK(vkCreateSwapchainKHR(c_.device, &info, nullptr, &swapchain_));
    pass_ = create_render_pass(c_, format, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    layout_ = create_layout(c_);
    pipeline_ = PipelineBuilder().create(c_, pass_, layout_, triangle_vert, triangle_frag);
    VK_CHECK(vkGetSwapchainImagesKHR(c_.device, swapchain_, &count, nullptr));
    std::vector<VkImage> images(count);
    VK_CHECK(vkGetSwapchainImagesKHR(c_.device, swapchain_, &count, images.data()));
    for (const VkImage image : images) {
      const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
      VK_CHECK(vkCreateImageView(c_.device, &view, nullptr, &views_.emplace_back()));
      framebuffers_.push_back(create_framebuffer(c_, pass_, std::span(&views_.back(), 1), extent_));
    }
    for (Frame& f : frames_) {
      const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = c_.command_pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                 .commandBufferCount = 1};
      VK_CHECK(vkAllocateCommandBuffers(c_.device, &allocate, &f.commands));
      const VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
      VK_CHECK(vkCreateSemaphore(c_.device, &semaphore, nullptr, &f.acquired));
      VK_CHECK(vkCreateSemaphore(c_.device, &semaphore, nullptr, &f.drawn));
      const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
      VK_CHECK(vkCreateFence(c_.device, &fence, nullptr, &f.done));
    }
  }
  ~Bench() {
    if (supported_) {
      vkDeviceWaitIdle(c_.device);
      for (Frame& f : frames_) {
        vkFreeCommandBuffers(c_.device, c_.command_pool, 1, &f.commands);
        vkDestroySemaphore(c_.device, f.acquired, nullptr);
        vkDestroySemaphore(c_.device, f.drawn, nullptr);
        vkDestroyFence(c_.device, f.done, nullptr);
      }
      for (const VkFramebuffer f : framebuffers_) vkDestroyFramebuffer(c_.device, f, nullptr);
      for (const VkImageView v : views_) vkDestroyImageView(c_.device, v, nullptr);
      vkDestroyPipeline(c_.device, pipeline_, nullptr);
      vkDestroyPipelineLayout(c_.device, layout_, nullptr);
      vkDestroyRenderPass(c_.device, pass_, nullptr);
      vkDestroySwapchainKHR(c_.device, swapchain_, nullptr);
    }
    vkDestroySurfaceKHR(c_.instance, surface_, nullptr);
  }
  bool supported() const { return supported_; }

  /// Milliseconds of a frame.
  double measure(bool triangle) {
    for (int i = 0; i < 10; ++i) frame(triangle);
    wait();
    const char* calls = std::getenv("PUMICE_BENCH_CALLS");  // measure.h
    const int wanted = calls ? std::atoi(calls) : 0;
    int frames = 0;
    const Clock::time_point begin = Clock::now();
    for (; wanted ? frames < wanted : frames < 20 || pumice::bench::seconds_since(begin) < kSeconds; ++frames) frame(triangle);
    wait();
    return pumice::bench::seconds_since(begin) * 1e3 / frames;
  }

 private:
  /// Frames count when the server has them: a driver that sends them without waiting only fills the server's queue.
  void wait() {
    vkDeviceWaitIdle(c_.device);
    window_.wait_for_server();
  }
  void frame(bool triangle) {
    Frame& f = frames_[next_++ % kInFlight];
    VK_CHECK(vkWaitForFences(c_.device, 1, &f.done, VK_TRUE, UINT64_MAX));
    VK_CHECK(vkResetFences(c_.device, 1, &f.done));
    uint32_t image = 0;
    VK_CHECK(vkAcquireNextImageKHR(c_.device, swapchain_, UINT64_MAX, f.acquired, VK_NULL_HANDLE, &image));
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VK_CHECK(vkBeginCommandBuffer(f.commands, &begin));
    const VkClearValue clear{.color = {{0.1f, 0.2f, static_cast<float>(next_ % 64) / 64, 1}}};
    const VkRenderPassBeginInfo pass{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass_,
                                     .framebuffer = framebuffers_[image],
                                     .renderArea = {{0, 0}, extent_},
                                     .clearValueCount = 1,
                                     .pClearValues = &clear};
    vkCmdBeginRenderPass(f.commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    if (triangle) {
      const VkViewport viewport{0, 0, static_cast<float>(extent_.width), static_cast<float>(extent_.height), 0, 1};
      const VkRect2D scissor{{0, 0}, extent_};
      vkCmdBindPipeline(f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
      vkCmdSetViewport(f.commands, 0, 1, &viewport);
      vkCmdSetScissor(f.commands, 0, 1, &scissor);
      vkCmdDraw(f.commands, 3, 1, 0, 0);
    }
    vkCmdEndRenderPass(f.commands);
    VK_CHECK(vkEndCommandBuffer(f.commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = 1,
                              .pWaitSemaphores = &f.acquired,
                              .pWaitDstStageMask = &stage,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &f.commands,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &f.drawn};
    VK_CHECK(vkQueueSubmit(c_.queue, 1, &submit, f.done));
    const VkPresentInfoKHR present{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &f.drawn,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain_,
                                   .pImageIndices = &image};
    const VkResult presented = vkQueuePresentKHR(c_.queue, &present);
    if (presented != VK_SUBOPTIMAL_KHR) check(presented, "vkQueuePresentKHR");
  }

  Context& c_;
  Window window_;
  VkSurfaceKHR surface_;
  bool supported_ = false;
  VkExtent2D extent_{};
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  std::vector<VkImageView> views_;
  std::vector<VkFramebuffer> framebuffers_;
  Frame frames_[kInFlight] = {};
  uint32_t next_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const char* instance_extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, Window::surface_extension()};
  const char* device_extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  Context context({}, instance_extensions, device_extensions);
  const struct {
    const char* name;
    VkPresentModeKHR mode;
  } modes[] = {{"FIFO", VK_PRESENT_MODE_FIFO_KHR}, {"MAILBOX", VK_PRESENT_MODE_MAILBOX_KHR}, {"IMMEDIATE", VK_PRESENT_MODE_IMMEDIATE_KHR}};
  const VkExtent2D sizes[] = {{256, 256}, {500, 500}, {1920, 1080}};
  for (const VkExtent2D size : sizes)
    for (const auto& mode : modes)
      for (const bool triangle : {false, true}) {
        const std::string name = "window " + std::to_string(size.width) + "x" + std::to_string(size.height) +
                                 (triangle ? ", one triangle, " : ", clear only, ") + mode.name;
        if (!pumice::bench::wanted(argc, argv, name)) continue;
        Options options;
        options.width = size.width;
        options.height = size.height;
        Bench bench(context, options, mode.mode);
        if (bench.supported()) pumice::bench::print(name, bench.measure(triangle), "ms");
      }
  return 0;
}
