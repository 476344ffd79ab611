// SPDX-License-Identifier: MIT
/// Clears, fills, copies and blits through the loader, in GB of destination a second, next to memset and memcpy of as many bytes. A command
/// buffer holds kRepeat of them with a barrier after each, as an application would have.
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "examples/common/context.h"
#include "examples/common/render_pass.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"

namespace {

using namespace pumice::bench;

constexpr int kRepeat = 16;
constexpr VkImageUsageFlags kTransfer = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
constexpr VkImageSubresourceLayers kLayer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
constexpr VkImageSubresourceRange kWhole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

void barrier(VkCommandBuffer c) {
  const VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, nullptr, 0, nullptr);
}

class Bench {
 public:
  Bench(int argc, char** argv) : argc_(argc), argv_(argv), context_(options(), {}, {}), commands_(context_) {}

  void image_size(uint32_t size);
  void buffers(size_t bytes, const std::string& name);

 private:
  static example::Options options() {
    example::Options o;
    o.title = "transfer";
    o.headless = true;
    return o;
  }
  bool selected(const std::string& name) const { return wanted(argc_, argv_, name); }

  void gpu(const std::string& name, size_t bytes, const std::function<void(VkCommandBuffer)>& record) {
    if (!selected(name)) return;
    commands_.record([&] {
      for (int i = 0; i < kRepeat; ++i) {
        record(commands_);
        barrier(commands_);
      }
    });
    const auto times = sample([&] { commands_.run(); });
    print(name, static_cast<double>(bytes) * kRepeat / times.front() * 1e-9, "GB/s");
  }
  void host(const std::string& name, size_t bytes, const std::function<void()>& once) {
    if (!selected(name)) return;
    const auto times = sample([&] {
      for (int i = 0; i < kRepeat; ++i) once();
    });
    print(name, static_cast<double>(bytes) * kRepeat / times.front() * 1e-9, "GB/s");
  }
  void blit(const std::string& name, const example::Image& from, const example::Image& to, VkFilter filter) {
    const auto corner = [](const VkExtent3D& e) { return VkOffset3D{static_cast<int32_t>(e.width), static_cast<int32_t>(e.height), 1}; };
    const VkImageBlit region{kLayer, {{}, corner(from.extent)}, kLayer, {{}, corner(to.extent)}};
    gpu(name, size_t{4} * to.extent.width * to.extent.height, [&](VkCommandBuffer c) {
      vkCmdBlitImage(c, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region, filter);
    });
  }
  example::Image image(uint32_t size, VkImageUsageFlags more = 0) {
    const example::Image i = context_.create_image({.width = size, .height = size, .usage = kTransfer | VK_IMAGE_USAGE_SAMPLED_BIT | more});
    context_.run_once([&](VkCommandBuffer c) { example::transition(c, i.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL); });
    return i;
  }

  int argc_;
  char** argv_;
  example::Context context_;
  Commands commands_;
};

void Bench::image_size(uint32_t size) {
  const size_t bytes = size_t{4} * size * size;
  const std::string tail = " " + std::to_string(size) + "^2 RGBA8";
  // Not zero: the kernel would map one page everywhere.
  const std::unique_ptr<char[]> a(new char[bytes]), b(new char[bytes]);
  std::memset(a.get(), 1, bytes);
  std::memset(b.get(), 2, bytes);
  host("memset" + tail, bytes, [&] {
    std::memset(a.get(), 3, bytes);
    asm volatile("" ::"r"(a.get()) : "memory");
  });
  host("memcpy" + tail, bytes, [&] {
    std::memcpy(a.get(), b.get(), bytes);
    asm volatile("" ::"r"(a.get()) : "memory");
  });

  example::Image one = image(size), two = image(size, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT), half = image(size / 2);
  example::Buffer buffer = context_.create_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkClearColorValue color{{0.25f, 0.5f, 0.75f, 1.0f}};
  // What was never written is one page of zeroes everywhere, which copies would read again and again.
  std::memset(buffer.mapped, 5, bytes);
  context_.run_once([&](VkCommandBuffer c) {
    for (const example::Image* i : {&one, &two, &half}) vkCmdClearColorImage(c, i->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole);
  });
  gpu("vkCmdClearColorImage" + tail, bytes,
      [&](VkCommandBuffer c) { vkCmdClearColorImage(c, one.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole); });

  const VkRenderPass pass = create_render_pass(context_, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkImageView views[] = {two.view};
  const VkFramebuffer framebuffer = create_framebuffer(context_, pass, views, {size, size});
  gpu("LOAD_OP_CLEAR" + tail, bytes, [&](VkCommandBuffer c) {
    VkClearValue value;
    value.color = color;
    const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = pass,
                                      .framebuffer = framebuffer,
                                      .renderArea = {{}, {size, size}},
                                      .clearValueCount = 1,
                                      .pClearValues = &value};
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
  });
  vkDestroyFramebuffer(context_.device, framebuffer, nullptr);
  vkDestroyRenderPass(context_.device, pass, nullptr);

  const VkImageCopy region{kLayer, {}, kLayer, {}, {size, size, 1}};
  gpu("vkCmdCopyImage" + tail, bytes,
      [&](VkCommandBuffer c) { vkCmdCopyImage(c, one.image, VK_IMAGE_LAYOUT_GENERAL, two.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region); });
  const int32_t edge = static_cast<int32_t>(size / 8);
  const VkImageCopy part{kLayer, {edge, edge, 0}, kLayer, {edge / 2, edge / 4, 0}, {size / 2, size / 2, 1}};
  gpu("vkCmdCopyImage quarter of" + tail, bytes / 4,
      [&](VkCommandBuffer c) { vkCmdCopyImage(c, one.image, VK_IMAGE_LAYOUT_GENERAL, two.image, VK_IMAGE_LAYOUT_GENERAL, 1, &part); });
  const VkBufferImageCopy between{.imageSubresource = kLayer, .imageExtent = {size, size, 1}};
  gpu("vkCmdCopyBufferToImage" + tail, bytes,
      [&](VkCommandBuffer c) { vkCmdCopyBufferToImage(c, buffer.buffer, one.image, VK_IMAGE_LAYOUT_GENERAL, 1, &between); });
  gpu("vkCmdCopyImageToBuffer" + tail, bytes,
      [&](VkCommandBuffer c) { vkCmdCopyImageToBuffer(c, one.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 1, &between); });
  blit("vkCmdBlitImage 1:1" + tail, one, two, VK_FILTER_NEAREST);
  blit("vkCmdBlitImage linear 1:2" + tail, half, two, VK_FILTER_LINEAR);
  blit("vkCmdBlitImage linear 2:1" + tail, one, half, VK_FILTER_LINEAR);
  context_.destroy(buffer);
  context_.destroy(half);
  context_.destroy(two);
  context_.destroy(one);
}

void Bench::buffers(size_t bytes, const std::string& name) {
  constexpr VkBufferUsageFlags kBoth = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  example::Buffer a = context_.create_buffer(bytes, kBoth), b = context_.create_buffer(bytes, kBoth);
  std::memset(b.mapped, 5, bytes);
  gpu("vkCmdFillBuffer " + name, bytes, [&](VkCommandBuffer c) { vkCmdFillBuffer(c, a.buffer, 0, VK_WHOLE_SIZE, 0x12345678); });
  const VkBufferCopy region{0, 0, bytes};
  gpu("vkCmdCopyBuffer " + name, bytes, [&](VkCommandBuffer c) { vkCmdCopyBuffer(c, b.buffer, a.buffer, 1, &region); });
  if (bytes <= 65536)
    gpu("vkCmdUpdateBuffer " + name, bytes, [&](VkCommandBuffer c) { vkCmdUpdateBuffer(c, a.buffer, 0, bytes, b.mapped); });
  context_.destroy(b);
  context_.destroy(a);
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench(argc, argv);
  bench.image_size(1024);
  bench.image_size(128);
  bench.image_size(4096);
  bench.buffers(size_t{64} << 10, "64 KiB");
  bench.buffers(size_t{4} << 20, "4 MiB");
}
