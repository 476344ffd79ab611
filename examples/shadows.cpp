// SPDX-License-Identifier: MIT
/// A lit, shadowed, textured scene: spheres, a ring and crates between columns on a tiled floor, under a low sun.
/// Shows: a depth-only pass into a shadow map, sampling it with comparison, several samples per pixel, mipmapped textures, depth bias,
/// descriptor sets by how often they change, push constants per object.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "examples/common/matrix.h"
#include "examples/common/pipeline.h"
#include "examples/common/render_pass.h"
#include "examples/common/solids.h"
#include "examples/common/texture.h"
#include "shadow_map.frag.h"
#include "shadow_map.vert.h"
#include "shadowed.frag.h"
#include "shadowed.vert.h"

namespace {

using example::Mat4;
using example::Vec3;

constexpr uint32_t kShadowSize = 1024, kTextureSize = 256;
constexpr VkFormat kShadowFormat = VK_FORMAT_D16_UNORM;  // Vulkan has it everywhere
constexpr float kFog[4] = {0.66f, 0.72f, 0.80f, 1.0f};

struct SceneUniforms {
  Mat4 view_projection, light_projection;
  float to_light[4];  ///< direction; w: distance of the texels that a shadow is averaged over
  float eye[4];       ///< position
  float fog[4];
};

struct Push {
  Mat4 model;
  float color[4];  ///< w: gloss
};

enum Material : size_t { kTiles, kWood, kStone, kMaterials };

struct Object {
  example::Solid solid;
  Material material;
  Mat4 model;
  std::array<float, 4> color;
};

Vec3 normalize(Vec3 v) {
  const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

/// Parallel light from the direction `to_light`: what is within `reach` of the origin fills the clip volume.
Mat4 light_projection(Vec3 to_light, float reach) {
  const Vec3 z = to_light, x = normalize({z[2], 0, -z[0]});
  const Vec3 y{z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
  Mat4 m;
  for (size_t c = 0; c < 3; ++c) {
    m.m[c * 4] = x[c] / reach;
    m.m[c * 4 + 1] = y[c] / reach;
    m.m[c * 4 + 2] = -z[c] / (2 * reach);
  }
  m.m[14] = 0.5f;
  return m;
}

/// The texture of a material.
std::vector<uint8_t> picture(Material material) {
  std::vector<uint8_t> pixels;
  pixels.reserve(size_t{4} * kTextureSize * kTextureSize);
  uint32_t noise = 1;
  for (uint32_t y = 0; y < kTextureSize; ++y)
    for (uint32_t x = 0; x < kTextureSize; ++x) {
      noise = noise * 1664525u + 1013904223u;
      const float grain = static_cast<float>(noise >> 24) / 255.0f - 0.5f;
      const float u = static_cast<float>(x) / kTextureSize, v = static_cast<float>(y) / kTextureSize;
      Vec3 c{};
      if (material == kTiles) {
        const bool joint = x % 128 < 5 || y % 128 < 5;
        const float tone = (x / 128 + y / 128) % 2 ? 205.0f : 158.0f;
        c = joint ? Vec3{92, 88, 84} : Vec3{tone, tone * 0.95f, tone * 0.86f};
      } else if (material == kWood) {
        const float ring = std::sin(40 * v + 3 * std::sin(7 * u) + 1.5f * std::sin(19 * v));
        const bool frame = x < 22 || y < 22 || x >= kTextureSize - 22 || y >= kTextureSize - 22;
        const bool plank = !frame && y % 53 < 3;
        const float tone = (frame ? 150.0f : 205.0f) + 18 * ring - (plank ? 110 : 0);
        c = {tone, tone * 0.72f, tone * 0.42f};
      } else {
        const float around = 6.2831853f;  // whole turns, so that the texture repeats without a seam
        const float vein = std::abs(std::sin(around * (u + v) * 0.5f + 1.3f * std::sin(around * u) * std::cos(2 * around * v)));
        const float tone = 172 + 62 * std::sqrt(std::sqrt(vein));
        c = {tone, tone, tone};
      }
      for (const float f : c) pixels.push_back(static_cast<uint8_t>(std::clamp(f + 4 * grain, 0.0f, 255.0f)));
      pixels.push_back(255);
    }
  return pixels;
}

class Shadows final : public example::Scene {
 public:
  VkFormat depth_format(const example::Context& context) const override {
    const VkFormat candidates[] = {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT};
    return context.choose_format(candidates, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
  }
  VkSampleCountFlagBits samples() const override { return VK_SAMPLE_COUNT_4_BIT; }
  VkClearColorValue clear_color(uint64_t) const override { return {{kFog[0], kFog[1], kFog[2], 1.0f}}; }

  void create(example::Context& context, const example::Target& target) override {
    aspect_ = static_cast<float>(target.extent.width) / static_cast<float>(target.extent.height);
    create_objects(context);
    create_shadow_map(context);
    create_sets(context);
    create_pipelines(context, target);
  }

  /// The shadow map.
  void prepare(example::Context&, const example::Frame& frame) override {
    set_uniforms(frame);
    VkClearValue clear{};
    clear.depthStencil = {1.0f, 0};
    const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = shadow_pass_,
                                      .framebuffer = shadow_framebuffer_,
                                      .renderArea = {{0, 0}, {kShadowSize, kShadowSize}},
                                      .clearValueCount = 1,
                                      .pClearValues = &clear};
    vkCmdBeginRenderPass(frame.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{0, 0, kShadowSize, kShadowSize, 0.0f, 1.0f};
    const VkRect2D scissor{{0, 0}, {kShadowSize, kShadowSize}};
    vkCmdSetViewport(frame.commands, 0, 1, &viewport);
    vkCmdSetScissor(frame.commands, 0, 1, &scissor);
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shadow_pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &scene_set_.set, 0, nullptr);
    draw_objects(frame, false);
    vkCmdEndRenderPass(frame.commands);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &scene_set_.set, 0, nullptr);
    draw_objects(frame, true);
  }

  void destroy(example::Context& context) override {
    for (const VkPipeline p : {pipeline_, shadow_pipeline_}) vkDestroyPipeline(context.device, p, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    for (example::DescriptorSet& set : material_sets_) example::destroy(context, set);
    example::destroy(context, scene_set_);
    for (const VkSampler s : {sampler_, shadow_sampler_}) vkDestroySampler(context.device, s, nullptr);
    for (example::Image& image : textures_) context.destroy(image);
    vkDestroyFramebuffer(context.device, shadow_framebuffer_, nullptr);
    vkDestroyRenderPass(context.device, shadow_pass_, nullptr);
    context.destroy(shadow_map_);
    context.destroy(uniforms_);
    context.destroy(indices_);
    context.destroy(vertices_);
  }

 private:
  void create_objects(example::Context& context) {
    using namespace example;
    Solids solids;
    const Solid box = solids.box(), ball = solids.sphere(40, 20), ring = solids.torus(0.3f, 48, 20), column = solids.cylinder(24);
    const auto add = [&](const Solid& solid, Material material, const Mat4& model, std::array<float, 4> color) {
      objects_.push_back({solid, material, model, color});
    };
    floor_ = {solids.plane(24), kTiles, scale({24, 1, 24}), {1, 1, 1, 0.12f}};
    for (int i = 0; i < 6; ++i) {  // of a circle of eight; the side of the camera stays open
      const float angle = 2.7489f + 0.7854f * static_cast<float>(i), x = 4.6f * std::cos(angle), z = 4.6f * std::sin(angle);
      add(column, kStone, translate({x, 1.5f, z}) * scale({0.32f, 1.5f, 0.32f}), {1, 0.97f, 0.9f, 0.25f});
      for (const float y : {0.12f, 3.0f})
        add(box, kStone, translate({x, y, z}) * rotate_y(-angle) * scale({0.45f, 0.12f, 0.45f}), {1, 0.95f, 0.86f, 0.2f});
    }
    add(box, kWood, translate({0, 0.55f, 0}) * rotate_y(0.5f) * scale({0.55f, 0.55f, 0.55f}), {1, 1, 1, 0.1f});
    add(box, kWood, translate({2.3f, 0.45f, 1.1f}) * rotate_y(0.25f) * scale({0.45f, 0.45f, 0.45f}), {1, 0.95f, 0.9f, 0.1f});
    add(box, kWood, translate({2.2f, 1.2f, 1.05f}) * rotate_y(0.8f) * scale({0.3f, 0.3f, 0.3f}), {0.95f, 1, 0.9f, 0.1f});
    add(ball, kStone, translate({-2.1f, 0.7f, 1.3f}) * scale({0.7f, 0.7f, 0.7f}), {0.95f, 0.35f, 0.3f, 0.9f});
    add(ball, kStone, translate({1.2f, 0.4f, 2.6f}) * scale({0.4f, 0.4f, 0.4f}), {0.35f, 0.6f, 1.0f, 0.9f});
    add(ball, kStone, translate({-1.0f, 0.3f, 2.7f}) * scale({0.3f, 0.3f, 0.3f}), {0.5f, 0.9f, 0.45f, 0.9f});
    add(ball, kStone, translate({1.5f, 0.5f, -1.9f}) * scale({0.5f, 0.5f, 0.5f}), {0.8f, 0.5f, 0.95f, 0.9f});
    add(ring, kStone, {}, {1.0f, 0.78f, 0.25f, 0.9f});
    turning_ = objects_.size() - 1;
    vertices_ =
        context.create_buffer(solids.vertices.size() * sizeof(SolidVertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, solids.vertices.data());
    indices_ = context.create_buffer(solids.indices.size() * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, solids.indices.data());
  }

  void create_shadow_map(example::Context& context) {
    shadow_map_ = context.create_image({.format = kShadowFormat,
                                        .width = kShadowSize,
                                        .height = kShadowSize,
                                        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT});
    const VkAttachmentDescription depth{.format = kShadowFormat,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                        .finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .pDepthStencilAttachment = &reference};
    // Drawn after the frame before has sampled it, sampled after it has been drawn.
    const VkPipelineStageFlags tests = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    const VkAccessFlags drawing = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    const VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, tests, VK_ACCESS_SHADER_READ_BIT, drawing, 0},
        {0, VK_SUBPASS_EXTERNAL, tests, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, drawing, VK_ACCESS_SHADER_READ_BIT, 0}};
    const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                      .attachmentCount = 1,
                                      .pAttachments = &depth,
                                      .subpassCount = 1,
                                      .pSubpasses = &subpass,
                                      .dependencyCount = 2,
                                      .pDependencies = dependencies};
    VK_CHECK(vkCreateRenderPass(context.device, &info, nullptr, &shadow_pass_));
    shadow_framebuffer_ = example::create_framebuffer(context, shadow_pass_, {&shadow_map_.view, 1}, {kShadowSize, kShadowSize});
  }

  void create_sets(example::Context& context) {
    uniforms_ = context.create_buffer(sizeof(SceneUniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    sampler_ = example::create_sampler(context, {.mipmap = VK_SAMPLER_MIPMAP_MODE_LINEAR, .max_lod = 8});
    const VkSamplerCreateInfo compare{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .compareEnable = VK_TRUE,
                                      .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
    VK_CHECK(vkCreateSampler(context.device, &compare, nullptr, &shadow_sampler_));
    const VkDescriptorSetLayoutBinding scene[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    scene_set_ = example::create_descriptor_set(context, scene);
    example::write_buffer(context, scene_set_.set, 0, uniforms_);
    example::write_texture(context, scene_set_.set, 1, shadow_map_.view, shadow_sampler_);
    const VkDescriptorSetLayoutBinding material{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    for (size_t i = 0; i < kMaterials; ++i) {
      textures_[i] = example::create_mipmapped(context, kTextureSize, picture(static_cast<Material>(i)));
      material_sets_[i] = example::create_descriptor_set(context, {&material, 1});
      example::write_texture(context, material_sets_[i].set, 0, textures_[i].view, sampler_);
    }
  }

  void create_pipelines(example::Context& context, const example::Target& target) {
    const VkDescriptorSetLayout sets[] = {scene_set_.layout, material_sets_[0].layout};
    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
    layout_ = example::create_layout(context, sets, {&push, 1});
    example::PipelineBuilder builder;
    builder.bindings = {{0, sizeof(example::SolidVertex), VK_VERTEX_INPUT_RATE_VERTEX}};
    builder.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}};
    builder.depth_stencil.depthTestEnable = VK_TRUE;
    builder.depth_stencil.depthWriteEnable = VK_TRUE;
    builder.rasterization.depthBiasEnable = VK_TRUE;  // a surface must not shadow itself
    builder.rasterization.depthBiasConstantFactor = 4.0f;
    builder.rasterization.depthBiasSlopeFactor = 3.0f;
    builder.color_attachments = 0;
    shadow_pipeline_ = builder.create(context, shadow_pass_, layout_, shadow_map_vert, shadow_map_frag);

    builder.rasterization.depthBiasEnable = VK_FALSE;
    builder.rasterization.cullMode = VK_CULL_MODE_BACK_BIT;
    builder.color_attachments = 1;
    builder.samples = samples();
    builder.attributes.push_back({1, 0, VK_FORMAT_R32G32B32_SFLOAT, 12});
    builder.attributes.push_back({2, 0, VK_FORMAT_R32G32_SFLOAT, 24});
    pipeline_ = builder.create(context, target.render_pass, layout_, shadowed_vert, shadowed_frag);
  }

  /// One frame is in flight at a time, so the buffer may be rewritten.
  void set_uniforms(const example::Frame& frame) {
    using namespace example;
    const float turn = 0.25f * std::sin(0.01f * static_cast<float>(frame.index) + 0.4f);
    auto& u = *static_cast<SceneUniforms*>(uniforms_.mapped);
    const float back = 9.6f, tilt = 0.34f;
    u.view_projection = perspective(0.75f, aspect_, 0.5f, 60.0f) * translate({0, -0.9f, -back}) * rotate_x(tilt) * rotate_y(turn);
    const Vec3 sun = normalize({-0.62f, 0.55f, -0.38f});
    u.light_projection = light_projection(sun, 7.5f);
    const float light[] = {sun[0], sun[1], sun[2], 1.4f / kShadowSize};
    // Where the matrix above puts the camera.
    const float y = 0.9f * std::cos(tilt) + back * std::sin(tilt), away = back * std::cos(tilt) - 0.9f * std::sin(tilt);
    const float eye[] = {-away * std::sin(turn), y, away * std::cos(turn), 1.0f};
    std::copy(std::begin(light), std::end(light), u.to_light);
    std::copy(std::begin(eye), std::end(eye), u.eye);
    std::copy(std::begin(kFog), std::end(kFog), u.fog);
    objects_[turning_].model =
        translate({0, 2.15f, 0}) * rotate_y(0.03f * static_cast<float>(frame.index)) * rotate_x(1.25f) * scale({0.8f, 0.8f, 0.8f});
  }

  void draw_objects(const example::Frame& frame, bool picture) {
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(frame.commands, 0, 1, &vertices_.buffer, &offset);
    vkCmdBindIndexBuffer(frame.commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT16);
    if (picture) draw_object(frame, floor_, true);  // nothing lies below it that it could shadow
    for (const Object& o : objects_) draw_object(frame, o, picture);
  }

  void draw_object(const example::Frame& frame, const Object& object, bool picture) {
    Push push{object.model, {}};
    std::copy(object.color.begin(), object.color.end(), push.color);
    if (picture)
      vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 1, 1, &material_sets_[object.material].set, 0,
                              nullptr);
    vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof push, &push);
    vkCmdDrawIndexed(frame.commands, object.solid.index_count, 1, object.solid.first_index, 0, 0);
  }

  float aspect_ = 1;
  std::vector<Object> objects_;
  Object floor_;
  size_t turning_ = 0;  ///< the ring
  example::Buffer vertices_, indices_, uniforms_;
  example::Image shadow_map_;
  VkRenderPass shadow_pass_ = VK_NULL_HANDLE;
  VkFramebuffer shadow_framebuffer_ = VK_NULL_HANDLE;
  VkSampler sampler_ = VK_NULL_HANDLE, shadow_sampler_ = VK_NULL_HANDLE;
  std::array<example::Image, kMaterials> textures_;
  example::DescriptorSet scene_set_;
  std::array<example::DescriptorSet, kMaterials> material_sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE, shadow_pipeline_ = VK_NULL_HANDLE;
};

}  // namespace

int main(int argc, char** argv) {
  Shadows scene;
  return example::run(example::parse_options(argc, argv, "shadows"), scene);
}
