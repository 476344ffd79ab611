// SPDX-License-Identifier: MIT
/// Fragment programs by kind and length, one full-screen draw each.
#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

struct Program {
  const char* name;    ///< of the line
  const char* shader;  ///< KIND and length
  uint32_t images = 0;
  bool quick = true;
};
constexpr Program kPrograms[] = {
    {"arithmetic, one chain of 8", "CHAIN 8"},
    {"arithmetic, one chain of 32", "CHAIN 32", 0, false},
    {"arithmetic, one chain of 128", "CHAIN 128"},
    {"arithmetic, one chain of 400", "CHAIN 400", 0, false},
    {"arithmetic, four chains, 32 in all", "WIDE 32", 0, false},
    {"arithmetic, four chains, 128 in all", "WIDE 128"},
    {"matrices, 4 products", "MATRICES 4", 0, false},
    {"matrices, 16 products", "MATRICES 16"},
    {"transcendental, 1", "TRANSCENDENTAL 1", 0, false},
    {"transcendental, 4", "TRANSCENDENTAL 4"},
    {"transcendental, 8", "TRANSCENDENTAL 8", 0, false},
    {"physically based, 1 light", "LIGHTS 1"},
    {"physically based, 4 lights", "LIGHTS 4"},
    {"value noise, 2 octaves", "NOISE 2", 0, false},
    {"value noise, 5 octaves", "NOISE 5"},
    {"selects, 16", "SELECTS 16"},
    {"branch, same in all pixels", "BRANCH_UNIFORM 16"},
    {"branch, halves of the picture", "BRANCH_COHERENT 16"},
    {"branch, other in each pixel", "BRANCH_DIVERGENT 16"},
    {"loop of 200", "LOOP_FIXED 200"},
    {"loop counted by a uniform", "LOOP_UNIFORM 1"},
    {"loop counted per pixel", "LOOP_PIXEL 64"},
    {"discard", "DISCARD 16"},
    {"derivatives", "DERIVATIVES 4"},
    {"4 fetches", "FETCHES 4", 1},
    {"16 fetches", "FETCHES 16", 1},
    {"25 fetches", "FETCHES 25", 1, false},
    {"64 fetches", "FETCHES 64", 1, false},
    {"2 dependent fetches", "DEPENDENT 2", 1},
    {"4 dependent fetches", "DEPENDENT 4", 1, false},
    {"8 dependent fetches", "DEPENDENT 8", 1},
    {"4 fetches, textures by number", "CHOSEN 4", 4},
    {"integers, hash", "integer hash"},
    {"integers, division", "integer divide"},
    {"integers, bit operations", "integer bits"},
};

Case program_case(Gpu& gpu, const Program& p) {
  Push values;
  const float row[] = {0.08f, 0.05f, 0.03f, 0.02f};
  std::copy_n(row, 4, values.w);
  values.extra[0] = 0.5f, values.extra[1] = 64;  // the side of a branch, the turns of a loop
  Set set;
  if (p.images) {
    gpu.need(p.images == 1 || gpu.features.shaderSampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing");
    const VkExtent3D extent{256, 256, 1};
    const Image image = gpu.image({.extent = extent, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    gpu.upload(image, [&](uint32_t, uint32_t) { return pattern(format_of(VK_FORMAT_R8G8B8A8_UNORM), extent, 0); });
    const VkSampler sampler =
        gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR});
    const Binding binding{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                          .stages = VK_SHADER_STAGE_FRAGMENT_BIT,
                          .view = image.view,
                          .sampler = sampler,
                          .count = p.images};
    set = gpu.set({&binding, 1});
  }
  return screen_case(gpu, p.shader, set, values);
}

Case storage_case(Gpu& gpu, const char* shader) {
  gpu.need(gpu.features.fragmentStoresAndAtomics, "fragmentStoresAndAtomics");
  const Buffer data = gpu.buffer(std::vector<float>(size_t{kSize} * kSize * 4, 0.25f), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
               counts = gpu.buffer(1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const Binding bindings[] = {{.type = type, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .buffer = data.buffer},
                              {.type = type, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .buffer = counts.buffer}};
  return screen_case(gpu, shader, gpu.set(bindings));
}

}  // namespace

void add_programs(std::vector<Line>& lines) {
  for (const Program& p : kPrograms)
    lines.push_back({std::string("program/") + p.name, kMegapixels, "Mpix/s", p.quick, [&p](Gpu& gpu) { return program_case(gpu, p); }});
  constexpr std::pair<const char*, const char*> kStorage[] = {{"storage buffer read", "storage 1"},
                                                              {"storage buffer written", "storage 2"},
                                                              {"atomics on a buffer", "storage 3"},
                                                              {"16 lights of a buffer", "storage 4"}};
  for (const auto& [name, shader] : kStorage)
    lines.push_back(
        {std::string("program/") + name, kMegapixels, "Mpix/s", true, [shader](Gpu& gpu) { return storage_case(gpu, shader); }});
}

}  // namespace pumice::bench::matrix
