// SPDX-License-Identifier: MIT
/// Dispatches: arithmetic, bandwidth, shared memory, atomics, matrix product, n-body, image filters. "-" on devices without compute.
#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

struct Kernel {
  const char* name;
  const char* shader;
  uint32_t invocations, group;  ///< in all, in a group
  uint32_t count;               ///< the push constant
  double items;                 ///< of a dispatch, in the unit
  const char* unit;
};
constexpr uint32_t kMany = 1 << 16, kMore = 1 << 18;
constexpr double kMillions = 1e-6, kGigabytes = 16e-9;  // a vector of four floats has 16 bytes
constexpr Kernel kVectors[] = {
    {"arithmetic", "compute CHAIN", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
    {"integers", "compute INTEGER", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
    {"transcendental", "compute TRANSCENDENTAL", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
    {"copy of 4 MB", "compute COPY", kMore, 64, 0, 2.0 * kMore* kGigabytes, "GB/s"},
    {"triad of 4 MB", "compute TRIAD", kMore, 64, kMore, 3.0 * kMore* kGigabytes, "GB/s"},
    {"8 gathers in 1 MB", "compute GATHER", kMany, 64, kMany, kMany* kMillions, "Minvocations/s"},
    {"n-body", "compute NBODY", 4096, 64, 4096, 4096.0 * 4096 * kMillions, "Minteractions/s"},
    {"fractal", "compute FRACTAL", kMore, 64, 0, kMore* kMillions, "Minvocations/s"},
    {"shared memory and barriers", "compute LDS", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
    {"doubles", "compute DOUBLE", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
    {"products of complex numbers", "compute PAIRS", kMore, 64, kMore, 1.5 * kMore* kGigabytes, "GB/s"},
};
constexpr Kernel kWords[] = {
    {"reduction", "words REDUCE", kMore, 256, 0, kMore * 16 * kMillions, "Mwords/s"},
    {"scan in a group", "words SCAN", kMore, 256, 0, kMore* kMillions, "Mwords/s"},
    {"histogram", "words HISTOGRAM", kMore, 256, 0, kMore * 16 * kMillions, "Mwords/s"},
    {"atomics on one word", "words ATOMIC_ONE", kMany, 256, 0, kMany* kMillions, "Mwords/s"},
    {"atomics on 1024 words", "words ATOMIC_MANY", kMany, 256, 0, kMany* kMillions, "Mwords/s"},
    {"two atomics each", "words EXCHANGE", kMany, 256, 0, kMany* kMillions, "Mwords/s"},
    {"sorting in a group", "words SORT", kMany, 256, 0, kMany* kMillions, "Mwords/s"},
};
constexpr Kernel kByAddress[] = {
    {"triad of 4 MB, by address", "addresses TRIAD", kMore, 64, kMore, 3.0 * kMore* kGigabytes, "GB/s"},
    {"8 gathers in 1 MB, by address", "addresses GATHER", kMany, 64, kMany, kMany* kMillions, "Minvocations/s"},
    {"atomics of 64 bits, by address", "addresses ATOMIC", kMany, 64, 0, kMany* kMillions, "Minvocations/s"},
};
constexpr uint32_t kColumns = 256;

Binding storage(const Buffer& b) {
  return {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .stages = VK_SHADER_STAGE_COMPUTE_BIT, .buffer = b.buffer};
}

Case dispatch_case(Gpu& gpu, const char* shader, const Set& set, const std::array<uint32_t, 2>& groups, uint32_t count,
                   const Picture& picture) {
  const VkPipelineLayout layout = gpu.layout({&set.layout, 1}, 8, VK_SHADER_STAGE_COMPUTE_BIT);
  const VkPipeline pipeline = gpu.compute(shader, layout);
  return {.record =
              [=](VkCommandBuffer commands) {
                const uint32_t values[] = {count, 0};
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
                vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, nullptr);
                vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof values, values);
                vkCmdDispatch(commands, groups[0], groups[1], 1);
                barrier(commands);
              },
          .picture = picture};
}

std::vector<float> numbers(size_t count) {
  std::vector<float> out(count);
  uint32_t state = 1;
  for (float& x : out) x = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f;
  return out;
}

Case vector_case(Gpu& gpu, const Kernel& k) {
  gpu.need_compute();
  if (std::string_view(k.name) == "doubles") gpu.need(gpu.features.shaderFloat64, "shaderFloat64");
  const Buffer a = gpu.buffer(numbers(size_t{k.invocations} * 4 * 2), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               b = gpu.buffer(VkDeviceSize{k.invocations} * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Binding bindings[] = {storage(a), storage(b)};
  return dispatch_case(gpu, k.shader, gpu.set(bindings), {k.invocations / k.group, 1}, k.count,
                       {.kind = Picture::Kind::floats, .buffer = b});
}

Case word_case(Gpu& gpu, const Kernel& k) {
  gpu.need_compute();
  std::vector<uint32_t> words(size_t{k.invocations} * 16);
  uint32_t state = 1;
  for (uint32_t& x : words) x = (state = state * 1664525u + 1013904223u) >> 12;
  const Buffer a = gpu.buffer(words, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               b = gpu.buffer(VkDeviceSize{k.invocations} * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Binding bindings[] = {storage(a), storage(b)};
  return dispatch_case(gpu, k.shader, gpu.set(bindings), {k.invocations / k.group, 1}, k.count,
                       {.kind = Picture::Kind::words, .buffer = b});
}

Case address_case(Gpu& gpu, const Kernel& k) {
  gpu.need_compute();
  gpu.need_addresses();
  const bool atomic = std::string_view(k.shader) == "addresses ATOMIC";
  if (atomic) gpu.need_atomics_64();
  constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const Buffer a = gpu.buffer(numbers(size_t{k.invocations} * 4 * 2), kUsage), b = gpu.buffer(VkDeviceSize{k.invocations} * 16, kUsage);
  struct {
    VkDeviceAddress a, b;
    uint32_t count, unused;
  } const values{gpu.address(a), gpu.address(b), k.count, 0};
  const VkPipelineLayout layout = gpu.layout({}, sizeof values, VK_SHADER_STAGE_COMPUTE_BIT);
  const VkPipeline pipeline = gpu.compute(k.shader, layout);
  return {.record =
              [=](VkCommandBuffer commands) {
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
                vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof values, &values);
                vkCmdDispatch(commands, k.invocations / k.group, 1, 1);
                barrier(commands);
              },
          .picture = {.kind = atomic ? Picture::Kind::words : Picture::Kind::floats, .buffer = b}};
}

Case product_case(Gpu& gpu, const char* shader, uint32_t side = 16) {
  gpu.need_compute();
  const size_t elements = size_t{kColumns} * kColumns;
  const Buffer a = gpu.buffer(numbers(elements), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               b = gpu.buffer(elements * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Binding bindings[] = {storage(a), storage(b)};
  return dispatch_case(gpu, shader, gpu.set(bindings), {kColumns / side, kColumns / side}, kColumns,
                       {.kind = Picture::Kind::floats, .buffer = b});
}

/// From one image to another, which is in GENERAL while it is written.
Case filter_case(Gpu& gpu, const char* shader, bool storage_source, bool atomic) {
  gpu.need_compute();
  const VkExtent3D extent{kSize, kSize, 1};
  const VkFormat to_format = atomic ? VK_FORMAT_R32_UINT : VK_FORMAT_R8G8B8A8_UNORM;
  gpu.need(to_format,
           VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | (atomic ? VkFormatFeatureFlags{VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT} : 0));
  const Image from = gpu.image({.extent = extent,
                                .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                         (storage_source ? VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT} : 0)}),
              to = gpu.image({.format = to_format,
                              .extent = extent,
                              .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  gpu.upload(from, [&](uint32_t, uint32_t) { return pattern(format_of(VK_FORMAT_R8G8B8A8_UNORM), extent, 0); });
  gpu.run_once([&](VkCommandBuffer commands) {
    const VkClearColorValue zero{};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    if (storage_source) transition(commands, from, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    transition(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(commands, to.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
    transition(commands, to, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  });
  Binding source{.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                 .stages = VK_SHADER_STAGE_COMPUTE_BIT,
                 .view = from.view,
                 .layout = VK_IMAGE_LAYOUT_GENERAL};
  if (!storage_source) {
    source.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    source.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    source.sampler = gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                  .magFilter = VK_FILTER_LINEAR,
                                  .minFilter = VK_FILTER_LINEAR,
                                  .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                  .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
  }
  const Binding bindings[] = {source,
                              {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                               .stages = VK_SHADER_STAGE_COMPUTE_BIT,
                               .view = to.view,
                               .layout = VK_IMAGE_LAYOUT_GENERAL}};
  Case c = dispatch_case(gpu, shader, gpu.set(bindings), {kSize / 8, kSize / 8}, 0, {.image = to});
  c.record = [to, inner = c.record](VkCommandBuffer commands) {
    transition(commands, to, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    inner(commands);
    transition(commands, to, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  };
  return c;
}

}  // namespace

void add_compute(std::vector<Line>& lines) {
  for (const Kernel& k : kVectors)
    lines.push_back({std::string("compute/") + k.name, k.items, k.unit, true, [&k](Gpu& gpu) { return vector_case(gpu, k); }});
  for (const Kernel& k : kWords)
    lines.push_back({std::string("compute/") + k.name, k.items, k.unit, true, [&k](Gpu& gpu) { return word_case(gpu, k); }});
  for (const Kernel& k : kByAddress)
    lines.push_back({std::string("compute/") + k.name, k.items, k.unit, true, [&k](Gpu& gpu) { return address_case(gpu, k); }});
  const double operations = 2.0 * kColumns * kColumns * kColumns * 1e-9;
  lines.push_back({"compute/matrix product, tiled", operations, "Gflop/s", true, [](Gpu& gpu) { return product_case(gpu, "product 1"); }});
  lines.push_back({"compute/matrix product, plain", operations, "Gflop/s", true, [](Gpu& gpu) { return product_case(gpu, "product 0"); }});
  lines.push_back({"compute/matrix product, groups of 8x8", operations, "Gflop/s", true,
                   [](Gpu& gpu) { return product_case(gpu, "product of 8", 8); }});
  const auto filter = [&](const char* name, const char* shader, bool from_storage, bool atomic) {
    lines.push_back({std::string("compute/") + name, kMegapixels, "Mpix/s", true,
                     [=](Gpu& gpu) { return filter_case(gpu, shader, from_storage, atomic); }});
  };
  filter("image filter, storage image", "filter 1", true, false);
  filter("image filter, sampled", "filter 2", false, false);
  filter("image filter, texelFetch", "filter 3", false, false);
  filter("atomics on an image", "filter 4", false, true);
}

}  // namespace pumice::bench::matrix
