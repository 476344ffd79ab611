// SPDX-License-Identifier: MIT
/// The RDP through Vulkan (VK_PUMICE_rdp): a scene of RDP commands is put into a VkBuffer, executed by the queue, scanned out
/// into a picture, and shown in a window or written as PNG. docs/VK_PUMICE_rdp.md explains the calls.
///   example-rdp-vulkan [--png FILE] [--size WxH] [--frames N]        (examples/rdp/scene.cpp makes the commands)
#include <pumice/vulkan_pumice_rdp.h>

#include <cstdlib>
#include <cstring>

#include "examples/common/png.h"
#include "examples/common/window.h"
#include "examples/rdp/scene.h"

namespace {

using example::Buffer;
using example::Context;
using example::transition;

/// Everything the chip reads and writes, in one buffer of RDRAM: the pictures, the textures, the list.
class Rdp {
 public:
  explicit Rdp(Context& context) : context_(context) {
    load(get_address_, "vkGetBufferRdpAddressPUMICE");
    load(execute_, "vkCmdExecuteRdpListPUMICE");
    load(scan_out_, "vkCmdScanOutRdpPUMICE");
    memory_ = context.create_buffer(kListAt + kListBytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const uint32_t address = get_address_(context.device, memory_.buffer);
    if (!address) std::exit(1);  // the driver has said why
    places_ = {.color = address + kColorAt, .depth = address + kDepthAt, .textures = address + kTexturesAt};
    const std::vector<uint8_t> texels = rdp_scene::textures();
    std::memcpy(static_cast<uint8_t*>(memory_.mapped) + kTexturesAt, texels.data(), texels.size());
  }
  void destroy() { context_.destroy(memory_); }

  /// Draws one frame and converts it to `image`, which is in the general layout. The queue must be idle: there is only one list.
  void record(VkCommandBuffer commands, uint64_t frame, VkImage image, VkExtent2D extent) {
    const std::vector<uint64_t> words = rdp_scene::frame(places_, frame);
    if (words.size() * 8 > kListBytes) {
      std::fprintf(stderr, "the list has %zu words\n", words.size());
      std::exit(1);
    }
    rdp_scene::store_big_endian(words, static_cast<uint8_t*>(memory_.mapped) + kListAt);
    execute_(commands, memory_.buffer, kListAt, words.size() * 8);
    const VkRdpScanOutInfoPUMICE picture{.sType = VK_STRUCTURE_TYPE_RDP_SCAN_OUT_INFO_PUMICE,
                                         .srcBuffer = memory_.buffer,
                                         .srcOffset = kColorAt,
                                         .pixelSize = VK_RDP_PIXEL_SIZE_16_PUMICE,
                                         .srcExtent = {rdp_scene::kWidth, rdp_scene::kHeight},
                                         .dstImage = image,
                                         .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .dstArea = {{0, 0}, extent},
                                         .filter = VK_FILTER_LINEAR};
    scan_out_(commands, &picture);
  }

 private:
  static constexpr uint32_t kColorAt = 0, kDepthAt = rdp_scene::kPictureBytes, kTexturesAt = 2 * rdp_scene::kPictureBytes,
                            kListAt = kTexturesAt + 2 * rdp_scene::kTextureBytes, kListBytes = 512 << 10;

  template <class Function>
  void load(Function& f, const char* name) {
    f = reinterpret_cast<Function>(vkGetDeviceProcAddr(context_.device, name));
    if (f) return;
    std::fprintf(stderr, "the device has no %s\n", name);
    std::exit(1);
  }

  Context& context_;
  Buffer memory_;
  rdp_scene::Places places_;
  PFN_vkGetBufferRdpAddressPUMICE get_address_ = nullptr;
  PFN_vkCmdExecuteRdpListPUMICE execute_ = nullptr;
  PFN_vkCmdScanOutRdpPUMICE scan_out_ = nullptr;
};

int run_headless(const example::Options& options) {
  const char* const extensions[] = {VK_PUMICE_RDP_EXTENSION_NAME};
  Context context(options, {}, extensions, VK_QUEUE_TRANSFER_BIT);
  Rdp rdp(context);
  example::Image image = context.create_image(
      {.width = options.width, .height = options.height, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
  Buffer pixels = context.create_buffer(VkDeviceSize{4} * options.width * options.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  for (uint64_t i = 0; i < options.frames; ++i)
    context.run_once([&](VkCommandBuffer commands) {
      transition(commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      rdp.record(commands, i, image.image, {options.width, options.height});
      transition(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
      const VkBufferImageCopy region{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {options.width, options.height, 1}};
      vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &region);
    });
  bool ok = true;
  if (!options.png.empty()) {
    ok = example::write_png(options.png, static_cast<const uint8_t*>(pixels.mapped), options.width, options.height);
    if (ok) std::printf("%s\n", options.png.c_str());
  }
  context.destroy(pixels);
  context.destroy(image);
  rdp.destroy();
  return ok && context.validation_messages() == 0 ? 0 : 1;
}

int run_window(const example::Options& options) {
  example::Window window(options);
  const char* const instance_extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, example::Window::surface_extension()};
  const char* const device_extensions[] = {VK_PUMICE_RDP_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  Context context(options, instance_extensions, device_extensions, VK_QUEUE_TRANSFER_BIT);
  Rdp rdp(context);
  example::Swapchain swapchain(context, window);
  for (uint64_t i = 0; (options.frames == 0 || i < options.frames) && window.process_events(); ++i) {
    const bool shown = swapchain.show([&](VkCommandBuffer commands, uint32_t index) {
      const VkImage image = swapchain.image(index);
      transition(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      rdp.record(commands, i, image, swapchain.extent());
      transition(commands, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    });
    if (!shown) break;  // the window was resized or closed: a demonstration ends here
  }
  vkDeviceWaitIdle(context.device);
  swapchain.destroy();
  rdp.destroy();
  return context.validation_messages() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // The driver enumerates the RDP only with this environment variable.
  setenv("PUMICE_CHIP", "rdp", 0);
  example::Options options = example::parse_options(argc, argv, "RDP");
  options.unwrapped_handles = true;  // layers do not know the extension
  return options.headless ? run_headless(options) : run_window(options);
}
