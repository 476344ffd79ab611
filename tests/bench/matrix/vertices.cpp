// SPDX-License-Identifier: MIT
/// Vertex layouts, indices and vertex programs: a bumpy sphere in view, or beside it, where only the vertices cost.
#include <array>
#include <bit>
#include <cmath>

#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

struct Vertex {
  std::array<float, 3> position, normal, uv, tint;  ///< uv.z: a number of a bone
};
struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> indices;
};

Mesh sphere(uint32_t rings, uint32_t segments) {
  Mesh m;
  for (uint32_t r = 0; r <= rings; ++r)
    for (uint32_t s = 0; s <= segments; ++s) {
      const float v = static_cast<float>(r) / static_cast<float>(rings), u = static_cast<float>(s) / static_cast<float>(segments);
      const float theta = v * 3.14159265f, phi = u * 6.2831853f, size = 0.8f + 0.1f * std::sin(8 * phi) * std::sin(6 * theta);
      const std::array<float, 3> n{std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)};
      m.vertices.push_back({{n[0] * size, n[1] * size, n[2] * size}, n, {u, v, static_cast<float>((r + s) % 32)}, {u, v, 1 - u}});
    }
  for (uint32_t r = 0; r < rings; ++r)
    for (uint32_t s = 0; s < segments; ++s) {
      const uint32_t a = r * (segments + 1) + s, b = a + segments + 1;
      for (const uint32_t i : {a, b, a + 1, a + 1, b, b + 1}) m.indices.push_back(i);
    }
  return m;
}

/// How an attribute is stored.
struct Type {
  VkFormat format;
  uint32_t bytes;
};
constexpr Type kFloat4{VK_FORMAT_R32G32B32A32_SFLOAT, 16}, kFloat3{VK_FORMAT_R32G32B32_SFLOAT, 12}, kFloat2{VK_FORMAT_R32G32_SFLOAT, 8},
    kHalf4{VK_FORMAT_R16G16B16A16_SFLOAT, 8}, kByte4{VK_FORMAT_R8G8B8A8_UNORM, 4}, kSigned4{VK_FORMAT_R8G8B8A8_SNORM, 4},
    kShort2{VK_FORMAT_R16G16_UNORM, 4}, kShort4{VK_FORMAT_R16G16B16A16_SNORM, 8}, kTen{VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4};

uint32_t quantized(float value, float largest) { return static_cast<uint32_t>(static_cast<int32_t>(std::lround(value * largest))); }

/// Of positive and negative numbers between 2^-14 and 2; smaller ones become 0.
uint32_t half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::fabs(value) < 6.2e-5f) return 0;
  return (bits >> 16 & 0x8000) | ((((bits & 0x7fffffff) + 0x1000) >> 13) - (112 << 10));
}

void put(std::vector<uint8_t>& out, size_t at, const Type& type, const std::array<float, 3>& v) {
  const auto word = [&](size_t offset, uint32_t bits, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) out[at + offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  };
  for (size_t c = 0; c < 3; ++c) switch (type.format) {
      case VK_FORMAT_R32G32_SFLOAT:
        if (c == 2) break;
        [[fallthrough]];
      case VK_FORMAT_R32G32B32_SFLOAT:
      case VK_FORMAT_R32G32B32A32_SFLOAT: word(4 * c, std::bit_cast<uint32_t>(v[c]), 4); break;
      case VK_FORMAT_R16G16B16A16_SFLOAT: word(2 * c, half(v[c]), 2); break;
      case VK_FORMAT_R8G8B8A8_UNORM: word(c, quantized(v[c], 255), 1); break;
      case VK_FORMAT_R8G8B8A8_SNORM: word(c, quantized(v[c], 127), 1); break;
      case VK_FORMAT_R16G16_UNORM:
        if (c < 2) word(2 * c, quantized(v[c], 65535), 2);
        break;
      case VK_FORMAT_R16G16B16A16_SNORM: word(2 * c, quantized(v[c], 32767), 2); break;
      case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        if (c == 2) word(0, quantized(v[0], 1023) | quantized(v[1], 1023) << 10 | quantized(v[2], 1023) << 20, 4);
        break;
      default: break;
    }
}

enum class Indices { words, shorts, none, strip };
struct Layout {
  const char* name;
  const char* vertex = "mesh 0";
  std::vector<Type> types{kFloat3, kFloat3, kFloat3, kFloat3};
  bool separate = false;  ///< a buffer per attribute
  Indices indices = Indices::words;
  uint32_t instances = 1;
  const char* fragment = "color";  ///< others read a texture with a level per pixel
  float anisotropy = 0;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {"position only", "only_position.vert", {kFloat3}},
      {"interleaved floats"},
      {"separate buffers", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, true},
      {"four floats each", "mesh 0", {kFloat4, kFloat4, kFloat4, kFloat4}},
      {"halves and bytes", "mesh 0", {kHalf4, kSigned4, kShort2, kByte4}},
      {"halves and bytes, separate buffers", "mesh 0", {kHalf4, kSigned4, kShort2, kByte4}, true},
      {"normalized shorts and ten bits", "mesh 0", {kShort4, kShort4, kFloat2, kTen}},
      {"eight attributes", "many.vert", std::vector<Type>(8, kFloat4)},
      {"eight separate buffers", "many.vert", std::vector<Type>(8, kFloat4), true},
      {"short indices", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::shorts},
      {"no indices", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::none},
      {"strip", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::strip},
      {"1000 instances of 64 triangles", "mesh 1", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::words, 1000},
      {"long program", "mesh 2"},
      {"skinned", "mesh 3"},
      {"lights", "mesh 4"},
      {"textured", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::words, 1, "texture2D"},
      {"textured, anisotropic", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::words, 1, "texture2D", 16},
      {"textured, cut out", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::words, 1, "texture2D cut"},
      {"textured with 16 lookups", "mesh 0", {kFloat3, kFloat3, kFloat3, kFloat3}, false, Indices::words, 1, "FETCHES 16"},
      {"1000 instances of 64 triangles, cut out",
       "mesh 1",
       {kFloat3, kFloat3, kFloat3, kFloat3},
       false,
       Indices::words,
       1000,
       "texture2D cut"},
  };
  return all;
}
constexpr uint32_t kRings = 128, kSegments = 128;

double triangles(const Layout& l) { return l.instances > 1 ? 64.0 * l.instances : 2.0 * kRings * kSegments; }

Set texture_set(Gpu& gpu, float anisotropy) {
  constexpr uint32_t kExtent = 256;
  if (anisotropy > 0) gpu.need(gpu.features.samplerAnisotropy, "samplerAnisotropy");
  const Image image = gpu.image({.extent = {kExtent, kExtent, 1},
                                 .levels = static_cast<uint32_t>(std::bit_width(kExtent)),
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  gpu.upload(image, [&](uint32_t level, uint32_t layer) {
    return pattern(format_of(image.info.format), {kExtent >> level, kExtent >> level, 1}, layer);
  });
  const VkSampler sampler = gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .magFilter = VK_FILTER_LINEAR,
                                         .minFilter = VK_FILTER_LINEAR,
                                         .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                         .anisotropyEnable = anisotropy > 0,
                                         .maxAnisotropy = anisotropy > 0 ? anisotropy : 1,
                                         .maxLod = 16});
  const Binding binding{
      .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .view = image.view, .sampler = sampler};
  return gpu.set({&binding, 1});
}

Case mesh_case(Gpu& gpu, const Layout& l, bool seen) {
  Mesh mesh = l.instances > 1 ? sphere(4, 8) : sphere(kRings, kSegments);
  if (l.indices == Indices::none) {
    std::vector<Vertex> flat;
    for (const uint32_t i : mesh.indices) flat.push_back(mesh.vertices[i]);
    mesh.vertices = flat;
  }
  if (l.indices == Indices::strip) {
    mesh.indices.clear();
    for (uint32_t r = 0; r < kRings; ++r) {
      mesh.indices.push_back(r * (kSegments + 1));
      for (uint32_t s = 0; s <= kSegments; ++s)
        for (const uint32_t i : {r * (kSegments + 1) + s, (r + 1) * (kSegments + 1) + s}) mesh.indices.push_back(i);
      mesh.indices.push_back(mesh.indices.back());
    }
  }
  PipelineInfo p{.vertex = l.vertex, .fragment = l.fragment, .bindings = {}, .attributes = {}};
  std::vector<Buffer> buffers;
  uint32_t stride = 0, offset = 0;
  for (const Type& t : l.types) stride += t.bytes;
  std::vector<uint8_t> together(mesh.vertices.size() * stride);
  for (uint32_t a = 0; a < l.types.size(); ++a) {
    const Type& t = l.types[a];
    const uint32_t step = l.separate ? t.bytes : stride;
    std::vector<uint8_t> alone(l.separate ? mesh.vertices.size() * step : 0);
    for (size_t i = 0; i < mesh.vertices.size(); ++i) {
      const Vertex& v = mesh.vertices[i];
      const std::array<float, 3>* const parts[] = {&v.position, &v.normal, &v.uv, &v.tint};
      put(l.separate ? alone : together, i * step + (l.separate ? 0 : offset), t, *parts[a % 4]);
    }
    if (l.separate) buffers.push_back(gpu.buffer(alone, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT));
    if (l.separate || a == 0) p.bindings.push_back({l.separate ? a : 0, step, VK_VERTEX_INPUT_RATE_VERTEX});
    p.attributes.push_back({a, l.separate ? a : 0, t.format, l.separate ? 0 : offset});
    offset += t.bytes;
  }
  if (!l.separate) buffers.push_back(gpu.buffer(together, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT));
  if (l.instances > 1) {
    std::vector<std::array<float, 4>> places;
    for (uint32_t i = 0; i < l.instances; ++i) {
      const float x = static_cast<float>(i % 32) / 16 - 0.97f, y = static_cast<float>(i / 32) / 16 - 0.97f;
      places.push_back({x, y, static_cast<float>(i) / static_cast<float>(l.instances) - 0.5f, 0.04f});
    }
    buffers.push_back(gpu.buffer(places, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT));
    p.bindings.push_back({1, 16, VK_VERTEX_INPUT_RATE_INSTANCE});
    p.attributes.push_back({4, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  }
  Set set;
  if (std::string_view(l.vertex) == "mesh 3") {
    std::vector<std::array<float, 4>> bones;
    for (uint32_t b = 0; b < 96; ++b) {
      std::array<float, 4> row{0, 0, 0, 0.02f * static_cast<float>(b % 5)};
      row[b % 3] = 1;
      bones.push_back(row);
    }
    const Binding binding{.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                          .stages = VK_SHADER_STAGE_VERTEX_BIT,
                          .buffer = gpu.buffer(bones, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT).buffer};
    set = gpu.set({&binding, 1});
  }
  if (std::string_view(l.fragment) != "color") set = texture_set(gpu, l.anisotropy);
  Buffer index;
  if (l.indices == Indices::shorts)
    index = gpu.buffer(std::vector<uint16_t>(mesh.indices.begin(), mesh.indices.end()), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  else if (l.indices != Indices::none)
    index = gpu.buffer(mesh.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Target target = make_target(gpu, {.depth = VK_FORMAT_D16_UNORM});
  p.layout = make_layout(gpu, set);
  p.pass = target.pass;
  p.depth.depthTestEnable = p.depth.depthWriteEnable = VK_TRUE;
  if (l.indices == Indices::strip) p.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  const VkPipeline pipeline = make_pipeline(gpu, p);
  const auto count = static_cast<uint32_t>(l.indices == Indices::none ? mesh.vertices.size() : mesh.indices.size());
  Push values{.u = {1, 0, 0, seen ? 0.0f : 4.0f}, .v = {0, 0.9f, 0.4f, 0}, .w = {0, -0.4f, 0.9f, 0}};
  return {.record =
              [=, &l, layout = p.layout](VkCommandBuffer commands) {
                target.begin(commands);
                vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
                if (set.set) vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, nullptr);
                push(commands, layout, values);
                const VkDeviceSize offsets[8] = {};
                VkBuffer handles[8];
                for (size_t i = 0; i < buffers.size(); ++i) handles[i] = buffers[i].buffer;
                vkCmdBindVertexBuffers(commands, 0, static_cast<uint32_t>(buffers.size()), handles, offsets);
                if (l.indices == Indices::none) {
                  vkCmdDraw(commands, count, l.instances, 0, 0);
                } else {
                  vkCmdBindIndexBuffer(commands, index.buffer, 0,
                                       l.indices == Indices::shorts ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
                  vkCmdDrawIndexed(commands, count, l.instances, 0, 0, 0);
                }
                vkCmdEndRenderPass(commands);
              },
          .picture = target.picture()};
}

}  // namespace

void add_vertices(std::vector<Line>& lines) {
  for (const Layout& l : layouts())
    for (const bool seen : {true, false})
      lines.push_back({std::string("vertex/") + l.name + (seen ? "/in view" : "/out of view"), triangles(l) * 1e-6, "Mtri/s", true,
                       [&l, seen](Gpu& gpu) { return mesh_case(gpu, l, seen); }});
}

}  // namespace pumice::bench::matrix
