// SPDX-License-Identifier: MIT
/// Scenes that load one part of a driver each, 1024x1024 RGBA8: `bench-scenes [--seconds S] [--only NAME] [--png FILE]`. The driver is the
/// loader's. Prints `name<TAB>value<TAB>unit` a line, the median of repeated submissions, for tests/bench/apps/apps.py.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <numbers>
#include <string_view>

#include "blur.frag.h"
#include "examples/common/matrix.h"
#include "examples/common/pipeline.h"
#include "examples/common/png.h"
#include "examples/common/render_pass.h"
#include "examples/common/texture.h"
#include "flat.frag.h"
#include "image.frag.h"
#include "mesh.frag.h"
#include "mesh.vert.h"
#include "noise.frag.h"
#include "screen.vert.h"
#include "tests/bench/commands.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr uint32_t kSize = 1024;

struct MeshVertex {
  float position[3], normal[3], uv[2];
};

enum class Shape { screen, mesh, grid };

/// What a scene draws: `draws` draws a pass, `passes` passes a submission.
struct SceneInfo {
  const char* name;
  std::span<const uint32_t> fragment;
  Shape shape = Shape::screen;
  bool blend = false;
  uint32_t draws = 1, passes = 4;
  bool depth = false;    ///< LESS, written
  uint32_t cell = 0;     ///< grid: a cell's pixels both ways; two triangles each
  bool samples = false;  ///< four a pixel, resolved
};

const SceneInfo kScenes[] = {
    {"flat fill", flat_frag},
    {"blended fill", flat_frag, Shape::screen, true},
    {"bilinear texture", image_frag},
    {"25-tap blur", blur_frag, Shape::screen, false, 1, 1},
    {"value noise, 5 octaves", noise_frag, Shape::screen, false, 1, 1},
    {"lit textured mesh", mesh_frag, Shape::mesh, false, 1, 1, true},
    {"lit textured mesh, drawn 4 times", mesh_frag, Shape::mesh, false, 4, 1, true},
    {"bilinear texture, 7 of 8 layers hidden", image_frag, Shape::screen, false, 8, 1, true},
    {"triangles of 2 pixels", flat_frag, Shape::grid, false, 1, 1, true, 2},
    {"triangles of 32 pixels", flat_frag, Shape::grid, false, 1, 1, true, 8},
    {"triangles of 512 pixels", flat_frag, Shape::grid, false, 1, 4, true, 32},
    {"4 samples: lit textured mesh", mesh_frag, Shape::mesh, false, 1, 1, true, 0, true},
    {"4 samples: triangles of 2 pixels", flat_frag, Shape::grid, false, 1, 1, true, 2, true},
    {"4 samples: triangles of 32 pixels", flat_frag, Shape::grid, false, 1, 1, true, 8, true},
};

struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
};

/// A bumpy sphere of 2 * rings * segments triangles.
Mesh make_mesh(uint32_t rings, uint32_t segments) {
  Mesh mesh;
  for (uint32_t r = 0; r <= rings; ++r)
    for (uint32_t s = 0; s <= segments; ++s) {
      const float v = static_cast<float>(r) / static_cast<float>(rings), u = static_cast<float>(s) / static_cast<float>(segments);
      const float theta = v * std::numbers::pi_v<float>, phi = u * 2 * std::numbers::pi_v<float>;
      const std::array<float, 3> n{std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
      const float radius = 1.0f + 0.05f * std::sin(8 * phi) * std::sin(6 * theta);
      mesh.vertices.push_back({{n[0] * radius, n[1] * radius, n[2] * radius}, {n[0], n[1], n[2]}, {u * 8, v * 4}});
    }
  for (uint32_t r = 0; r < rings; ++r)
    for (uint32_t s = 0; s < segments; ++s) {
      const uint32_t a = r * (segments + 1) + s, b = a + segments + 1;
      for (const uint32_t i : {a, b, a + 1, a + 1, b, b + 1}) mesh.indices.push_back(i);
    }
  return mesh;
}

/// A flat grid over the screen.
Mesh make_grid(uint32_t cell) {
  Mesh grid;
  const uint32_t n = kSize / cell;
  for (uint32_t y = 0; y <= n; ++y)
    for (uint32_t x = 0; x <= n; ++x)
      grid.vertices.push_back(
          {{static_cast<float>(x) / static_cast<float>(n) * 2 - 1, static_cast<float>(y) / static_cast<float>(n) * 2 - 1, 0.5f}, {}, {}});
  for (uint32_t y = 0; y < n; ++y)
    for (uint32_t x = 0; x < n; ++x) {
      const uint32_t a = y * (n + 1) + x, b = a + n + 1;
      for (const uint32_t i : {a, b, a + 1, a + 1, b, b + 1}) grid.indices.push_back(i);
    }
  return grid;
}

class Bench {
 public:
  Bench() : context_({.title = "bench-scenes"}, {}, {}) {
    color_ = context_.create_image(
        {.width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
    const VkFormat depths[] = {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
    const VkFormat depth = context_.choose_format(depths, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
    depth_ = context_.create_image({.format = depth,
                                    .width = kSize,
                                    .height = kSize,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                    .aspect = example::depth_aspects(depth)});
    texture_ = context_.create_image({.width = 512, .height = 512, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    context_.upload(texture_, example::checkerboard(512, 16, {230, 120, 40, 255}, {40, 90, 200, 255}));
    sampler_ = example::create_sampler(context_);
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    set_ = example::create_descriptor_set(context_, std::span(&binding, 1));
    example::write_texture(context_, set_.set, 0, texture_.view, sampler_);
    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 64};
    layout_ = example::create_layout(context_, std::span(&set_.layout, 1), std::span(&push, 1));
    pass_ = example::create_render_pass(context_, color_.format, depth, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const VkImageView views[] = {color_.view, depth_.view};
    framebuffer_ = example::create_framebuffer(context_, pass_, views, {kSize, kSize});
    color4_ = context_.create_image({.width = kSize, .height = kSize, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, .samples = kSamples});
    depth4_ = context_.create_image({.format = depth,
                                     .width = kSize,
                                     .height = kSize,
                                     .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                     .aspect = example::depth_aspects(depth),
                                     .samples = kSamples});
    pass4_ = example::create_render_pass(context_, color_.format, depth, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kSamples);
    const VkImageView views4[] = {color4_.view, depth4_.view, color_.view};
    framebuffer4_ = example::create_framebuffer(context_, pass4_, views4, {kSize, kSize});
    const float screen[] = {-1, -1, 3, -1, -1, 3};
    screen_ = context_.create_buffer(sizeof screen, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, screen);
  }
  ~Bench() {
    context_.destroy(screen_);
    for (const VkFramebuffer f : {framebuffer_, framebuffer4_}) vkDestroyFramebuffer(context_.device, f, nullptr);
    for (const VkRenderPass p : {pass_, pass4_}) vkDestroyRenderPass(context_.device, p, nullptr);
    vkDestroyPipelineLayout(context_.device, layout_, nullptr);
    example::destroy(context_, set_);
    vkDestroySampler(context_.device, sampler_, nullptr);
    for (example::Image* i : {&color_, &depth_, &texture_, &color4_, &depth4_}) context_.destroy(*i);
  }

  void run(const SceneInfo& scene, double seconds) {
    const VkPipeline pipeline = create_pipeline(scene);
    if (scene.shape != Shape::screen) {
      const Mesh mesh = scene.shape == Shape::mesh ? make_mesh(255, 255) : make_grid(scene.cell);
      index_count_ = static_cast<uint32_t>(mesh.indices.size());
      vertices_ =
          context_.create_buffer(mesh.vertices.size() * sizeof(MeshVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, mesh.vertices.data());
      indices_ = context_.create_buffer(mesh.indices.size() * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, mesh.indices.data());
    }
    pumice::bench::Commands commands(context_);
    record(commands, pipeline, scene);
    commands.run();  // compiles what is compiled late
    std::vector<double> times;
    const char* calls = std::getenv("PUMICE_BENCH_CALLS");  // as in measure.h: so many whatever they take
    const size_t wanted = calls ? std::strtoul(calls, nullptr, 10) : 0;
    for (const auto end = Clock::now() + std::chrono::duration<double>(seconds);
         wanted ? times.size() < wanted : times.size() < 5 || Clock::now() < end;) {
      const auto begin = Clock::now();
      commands.run();
      times.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    const double items =
        static_cast<double>(scene.passes) * scene.draws * (scene.shape != Shape::screen ? index_count_ / 3.0 : double{kSize} * kSize);
    std::printf("%s\t%.2f\t%s\n", scene.name, items / times[times.size() / 2] * 1e-6, scene.shape != Shape::screen ? "Mtri/s" : "Mpix/s");
    std::fflush(stdout);
    vkDestroyPipeline(context_.device, pipeline, nullptr);
    if (scene.shape == Shape::screen) return;
    context_.destroy(vertices_);
    context_.destroy(indices_);
  }

  bool save(const char* path) {
    example::Buffer pixels = context_.create_buffer(VkDeviceSize{4} * kSize * kSize, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    context_.run_once([&](VkCommandBuffer commands) {
      const VkBufferImageCopy region{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {kSize, kSize, 1}};
      vkCmdCopyImageToBuffer(commands, color_.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &region);
    });
    const bool ok = example::write_png(path, static_cast<const uint8_t*>(pixels.mapped), kSize, kSize);
    context_.destroy(pixels);
    return ok;
  }

 private:
  VkPipeline create_pipeline(const SceneInfo& scene) {
    example::PipelineBuilder builder;
    if (scene.shape != Shape::screen) {
      builder.bindings = {{0, sizeof(MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
      builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, position)},
                            {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, normal)},
                            {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(MeshVertex, uv)}};
    } else {
      builder.bindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX}};
      builder.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
    }
    builder.depth_stencil.depthTestEnable = builder.depth_stencil.depthWriteEnable = scene.depth;
    builder.depth_stencil.depthCompareOp = VK_COMPARE_OP_LESS;
    if (scene.blend) {
      builder.blend.blendEnable = VK_TRUE;
      builder.blend.srcColorBlendFactor = builder.blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
      builder.blend.dstColorBlendFactor = builder.blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    }
    if (scene.samples) builder.samples = kSamples;
    return builder.create(context_, scene.samples ? pass4_ : pass_, layout_,
                          scene.shape != Shape::screen ? std::span<const uint32_t>(mesh_vert) : screen_vert, scene.fragment);
  }

  void record(pumice::bench::Commands& commands, VkPipeline pipeline, const SceneInfo& scene) {
    VkClearValue clear[2]{};
    clear[0].color = {{0.1f, 0.1f, 0.2f, 1.0f}};
    clear[1].depthStencil = {1.0f, 0};
    const VkRenderPassBeginInfo pass{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = scene.samples ? pass4_ : pass_,
                                     .framebuffer = scene.samples ? framebuffer4_ : framebuffer_,
                                     .renderArea = {{0, 0}, {kSize, kSize}},
                                     .clearValueCount = 2,
                                     .pClearValues = clear};
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    const VkRect2D scissor{{0, 0}, {kSize, kSize}};
    const VkDeviceSize offset = 0;
    commands.record([&] {
      for (uint32_t p = 0; p < scene.passes; ++p) {
        vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdSetViewport(commands, 0, 1, &viewport);
        vkCmdSetScissor(commands, 0, 1, &scissor);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
        const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
        if (scene.shape != Shape::screen) {
          const example::Mat4 transform =
              example::perspective(0.9f, 1.0f, 0.5f, 10.0f) * example::translate({0, 0, -2.6f}) * example::rotate_x(0.5f);
          vkCmdPushConstants(commands, layout_, stages, 0, 64, transform.m.data());
          vkCmdBindVertexBuffers(commands, 0, 1, &vertices_.buffer, &offset);
          vkCmdBindIndexBuffer(commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT32);
          for (uint32_t d = 0; d < scene.draws; ++d) vkCmdDrawIndexed(commands, index_count_, 1, 0, 0, 0);
        } else {
          const float color[16] = {0.2f, 0.6f, 0.3f, 0.5f};
          vkCmdPushConstants(commands, layout_, stages, 0, 64, color);
          vkCmdBindVertexBuffers(commands, 0, 1, &screen_.buffer, &offset);
          for (uint32_t d = 0; d < scene.draws; ++d) vkCmdDraw(commands, 3, 1, 0, 0);
        }
        vkCmdEndRenderPass(commands);
      }
    });
  }

  example::Context context_;
  static constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;
  example::Image color_, depth_, texture_, color4_, depth4_;
  example::Buffer screen_, vertices_, indices_;
  example::DescriptorSet set_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE, pass4_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE, framebuffer4_ = VK_NULL_HANDLE;
  uint32_t index_count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0.5;
  const char* only = nullptr;
  const char* png = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view word = argv[i];
    if (word == "--seconds") seconds = std::atof(argv[i + 1]);
    if (word == "--only") only = argv[i + 1];
    if (word == "--png") png = argv[i + 1];
  }
  Bench bench;
  bool found = false;
  for (const SceneInfo& scene : kScenes)
    if (!only || std::string_view(scene.name) == only) {
      bench.run(scene, seconds);
      found = true;
    }
  if (!found) std::fprintf(stderr, "no scene is called %s\n", only);
  return found && (!png || bench.save(png)) ? 0 : 1;
}
