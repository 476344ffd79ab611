// SPDX-License-Identifier: MIT
/// vkcube's scene, off-screen: the shaders are read out of the installed vkcube binary, so the drivers compile exactly what
/// Debian's vkcube gives them; camera, rotation and uniform block are vkcube's, the texture is our own.
/// usage: like an example, plus --vkcube PATH (default /usr/bin/vkcube); frame 100 is drawn unless --frames says otherwise.
#include <cstring>
#include <fstream>
#include <iterator>

#include "examples/common/matrix.h"
#include "examples/common/pipeline.h"
#include "examples/common/texture.h"
#include "tests/pictures/embedded_spirv.h"

namespace {

constexpr uint32_t kCorners = 36;

struct Uniforms {
  example::Mat4 mvp;
  float position[kCorners][4];
  float attribute[kCorners][4];
};

// vkcube's faces as two triangles each: -x, -z, -y, +y, +x, +z order of corners chosen so that all face outwards alike.
void fill_cube(Uniforms& u) {
  uint32_t n = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = -1; side <= 1; side += 2)
      for (const int corner : {0, 1, 2, 2, 3, 0}) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        float s = (corner == 1 || corner == 2) ? 1.0f : 0.0f;
        const float t = corner >= 2 ? 1.0f : 0.0f;
        u.attribute[n][0] = s;
        u.attribute[n][1] = t;
        if (side < 0) s = 1.0f - s;
        u.position[n][axis] = static_cast<float>(side);
        u.position[n][a] = s * 2 - 1;
        u.position[n][b] = t * 2 - 1;
        u.position[n][3] = 1.0f;
        ++n;
      }
}

class VkcubeScene final : public example::Scene {
 public:
  VkcubeScene(std::vector<uint32_t> vertex, std::vector<uint32_t> fragment) : vertex_(std::move(vertex)), fragment_(std::move(fragment)) {}

  VkFormat depth_format(const example::Context&) const override { return VK_FORMAT_D16_UNORM; }
  VkClearColorValue clear_color(uint64_t) const override { return {{0.2f, 0.2f, 0.2f, 0.2f}}; }

  void create(example::Context& context, const example::Target& target) override {
    uniforms_ = context.create_buffer(sizeof(Uniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::memset(uniforms_.mapped, 0, sizeof(Uniforms));
    fill_cube(*static_cast<Uniforms*>(uniforms_.mapped));
    image_ = context.create_image({.width = 256, .height = 256, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
    context.upload(image_, example::checkerboard(256, 8, {250, 220, 180, 255}, {180, 60, 40, 255}));
    sampler_ = example::create_sampler(context, {.filter = VK_FILTER_NEAREST, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    set_ = example::create_descriptor_set(context, bindings);
    example::write_buffer(context, set_.set, 0, uniforms_);
    example::write_texture(context, set_.set, 1, image_.view, sampler_);
    layout_ = example::create_layout(context, {&set_.layout, 1});
    example::PipelineBuilder builder;
    builder.rasterization.cullMode = VK_CULL_MODE_BACK_BIT;
    builder.depth_stencil.depthTestEnable = VK_TRUE;
    builder.depth_stencil.depthWriteEnable = VK_TRUE;
    pipeline_ = builder.create(context, target.render_pass, layout_, vertex_, fragment_);
  }

  void draw(example::Context&, const example::Frame& frame) override {
    using namespace example;
    // Eye (0,3,5) looking at the origin, 45 degrees, 4 degrees a frame about y.
    constexpr float kDegree = 3.14159265358979f / 180;
    const float pitch = std::atan2(3.0f, 5.0f), away = std::sqrt(34.0f);
    static_cast<Uniforms*>(uniforms_.mapped)->mvp = perspective(45 * kDegree, 1.0f, 0.1f, 100.0f) * translate({0, 0, -away}) *
                                                    rotate_x(pitch) * rotate_y(4 * kDegree * static_cast<float>(frame.index));
    vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_.set, 0, nullptr);
    vkCmdDraw(frame.commands, kCorners, 1, 0, 0);
  }

  void destroy(example::Context& context) override {
    vkDestroyPipeline(context.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(context.device, layout_, nullptr);
    example::destroy(context, set_);
    vkDestroySampler(context.device, sampler_, nullptr);
    context.destroy(image_);
    context.destroy(uniforms_);
  }

 private:
  std::vector<uint32_t> vertex_, fragment_;
  example::Buffer uniforms_;
  example::Image image_;
  VkSampler sampler_ = VK_NULL_HANDLE;
  example::DescriptorSet set_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

/// Draws only the last of the requested frames: vkcube's frames do not depend on each other.
class OneFrame final : public example::Scene {
 public:
  OneFrame(Scene& scene, uint64_t frame) : scene_(scene), frame_(frame) {}
  VkFormat depth_format(const example::Context& c) const override { return scene_.depth_format(c); }
  VkClearColorValue clear_color(uint64_t) const override { return scene_.clear_color(frame_); }
  void create(example::Context& c, const example::Target& t) override { scene_.create(c, t); }
  void draw(example::Context& c, const example::Frame& f) override { scene_.draw(c, {f.commands, f.framebuffer, frame_}); }
  void destroy(example::Context& c) override { scene_.destroy(c); }

 private:
  Scene& scene_;
  uint64_t frame_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string binary = "/usr/bin/vkcube";
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--vkcube") == 0 && i + 1 < argc)
      binary = argv[++i];
    else
      rest.push_back(argv[i]);
  }
  example::Options options = example::parse_options(static_cast<int>(rest.size()), rest.data(), "vkcube scene");
  std::ifstream file(binary, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<uint32_t> vertex, fragment;
  for (auto& module : embedded_spirv::find_modules(bytes)) {
    if (module.execution_model == 0 && vertex.empty()) vertex = std::move(module.words);
    if (module.execution_model == 4 && fragment.empty()) fragment = std::move(module.words);
  }
  if (vertex.empty() || fragment.empty()) {
    std::fprintf(stderr, "%s holds no vertex and fragment SPIR-V\n", binary.c_str());
    return 77;
  }
  VkcubeScene scene(std::move(vertex), std::move(fragment));
  const uint64_t frame = options.frames > 1 ? options.frames : 100;
  if (options.headless) options.frames = 1;
  OneFrame one(scene, frame);
  return example::run(options, options.headless ? static_cast<example::Scene&>(one) : scene);
}
