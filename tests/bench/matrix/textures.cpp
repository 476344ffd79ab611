// SPDX-License-Identifier: MIT
/// Texture fetches: every format class x filter x dimension x how much the image is shrunk; compare, address modes, sizes, several fetches.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/bench/matrix/formats.h"
#include "tests/bench/matrix/target.h"

namespace pumice::bench::matrix {

namespace {

struct Dimension {
  const char* name;    ///< of the line
  const char* shader;  ///< the end of its shader's name
  VkImageViewType view;
  VkExtent3D extent;
  uint32_t layers;
};
constexpr Dimension kDimensions[] = {
    {"1D", "1D", VK_IMAGE_VIEW_TYPE_1D, {1024, 1, 1}, 1},
    {"2D", "2D", VK_IMAGE_VIEW_TYPE_2D, {512, 512, 1}, 1},
    {"3D", "3D", VK_IMAGE_VIEW_TYPE_3D, {64, 64, 64}, 1},
    {"cube", "Cube", VK_IMAGE_VIEW_TYPE_CUBE, {256, 256, 1}, 6},
};
constexpr Dimension kArrays[] = {
    {"1D array", "1DArray", VK_IMAGE_VIEW_TYPE_1D_ARRAY, {1024, 1, 1}, 4},
    {"2D array", "2DArray", VK_IMAGE_VIEW_TYPE_2D_ARRAY, {256, 256, 1}, 4},
    {"cube array", "CubeArray", VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, {128, 128, 1}, 12},
};

struct Filter {
  const char* name;
  VkFilter filter;
  VkSamplerMipmapMode mip;
  bool levels;
  float anisotropy;
};
constexpr Filter kFilters[] = {
    {"nearest", VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, false, 0},
    {"bilinear", VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST, false, 0},
    {"trilinear", VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, true, 0},
    {"anisotropic", VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, true, 8},
};

/// Texels per pixel across and down, and by how many degrees the image is turned.
struct View {
  const char* name;
  float across, down, degrees;
};
constexpr View kViews[] = {{"minified", 3.0f, 1.3f, 0}, {"magnified", 0.21f, 0.21f, 0}, {"rotated", 1.9f, 0.8f, 35}};

struct Texture {
  const Format& format;
  const Dimension& dimension;
  const Filter& filter;
  const View& view;
  const char* shader = nullptr;  ///< instead of that of the dimension
  VkSamplerAddressMode address = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  VkExtent3D extent{};  ///< instead of that of the dimension
  bool compare = false;
  bool minimum = false;  ///< instead of the average
};

Push coordinates(const Dimension& d, VkExtent3D extent, const View& view) {
  Push p;
  const float turn = view.degrees * 3.14159265f / 180, size = static_cast<float>(kSize) / 2;
  const float x = view.across * size / static_cast<float>(extent.width), y = view.down * size / static_cast<float>(extent.height);
  const bool cube = d.layers % 6 == 0;
  const float centre = cube ? 0.1f : 0.37f, both = cube ? 2 : 1;  // a face is two wide
  const float u[] = {both * x * std::cos(turn), -both * x * std::sin(turn), centre, 0},
              v[] = {both * y * std::sin(turn), both * y * std::cos(turn), centre, 0};
  std::copy_n(u, 4, p.u);
  std::copy_n(v, 4, p.v);
  // The third coordinate: of a volume with a slope of its own, of cubes the direction ahead, of arrays the layer.
  const float slope = extent.depth > 1 ? 0.5f * x : 0;
  const float w[] = {slope, slope * 0.5f, cube ? 1.0f : d.layers > 1 ? 1.5f : 0.4f, 0};
  std::copy_n(w, 4, p.w);
  p.extra[0] = view.across / static_cast<float>(extent.width),
  p.extra[1] = view.down / static_cast<float>(extent.height);  // between several fetches
  return p;
}

Case texture_case(Gpu& gpu, const Texture& t) {
  const Format& f = t.format;
  VkFormatFeatureFlags features = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  if (t.filter.filter == VK_FILTER_LINEAR) features |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  gpu.need(f.format, features);
  if (t.dimension.view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY) gpu.need(gpu.features.imageCubeArray, "imageCubeArray");
  if (t.filter.anisotropy > 0) gpu.need(gpu.features.samplerAnisotropy, "samplerAnisotropy");
  const VkExtent3D extent = t.extent.width ? t.extent : t.dimension.extent;
  const uint32_t levels = t.filter.levels ? static_cast<uint32_t>(std::bit_width(std::max(extent.width, extent.height))) : 1;
  const Image image = gpu.image({.format = f.format,
                                 .view = t.dimension.view,
                                 .extent = extent,
                                 .levels = levels,
                                 .layers = t.dimension.layers,
                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  gpu.upload(image, [&](uint32_t level, uint32_t layer) {
    const VkExtent3D part{std::max(1u, extent.width >> level), std::max(1u, extent.height >> level), std::max(1u, extent.depth >> level)};
    return pattern(f, part, layer);
  });
  if (t.minimum) {
    gpu.need(gpu.minmax, "VK_EXT_sampler_filter_minmax");
    gpu.need(f.format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT);
  }
  const VkSamplerReductionModeCreateInfo least{.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                               .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
  const VkSampler sampler = gpu.sampler({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .pNext = t.minimum ? &least : nullptr,
                                         .magFilter = t.filter.filter,
                                         .minFilter = t.filter.filter,
                                         .mipmapMode = t.filter.mip,
                                         .addressModeU = t.address,
                                         .addressModeV = t.address,
                                         .addressModeW = t.address,
                                         .anisotropyEnable = t.filter.anisotropy > 0,
                                         .maxAnisotropy = std::max(1.0f, t.filter.anisotropy),
                                         .compareEnable = t.compare,
                                         .compareOp = VK_COMPARE_OP_LESS,
                                         .maxLod = t.filter.levels ? 16.0f : 0.0f,
                                         .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK});
  const Binding binding{
      .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .stages = VK_SHADER_STAGE_FRAGMENT_BIT, .view = image.view, .sampler = sampler};
  const char* letter = f.numeric == Numeric::uint ? "u" : f.numeric == Numeric::sint ? "i" : "";
  const std::string shader = t.shader ? t.shader : std::string(letter) + "texture" + t.dimension.shader;
  return screen_case(gpu, shader, gpu.set({&binding, 1}), coordinates(t.dimension, extent, t.view));
}

void add(std::vector<Line>& lines, const std::string& name, bool quick, const Texture& t) {
  lines.push_back({"texture/" + name, kMegapixels, "Mpix/s", quick, [t](Gpu& gpu) { return texture_case(gpu, t); }});
}

}  // namespace

void add_textures(std::vector<Line>& lines) {
  const Format& plain = format_of(VK_FORMAT_R8G8B8A8_UNORM);
  const Dimension& d2 = kDimensions[1];
  const Filter &nearest = kFilters[0], &bilinear = kFilters[1], &trilinear = kFilters[2];
  const View &minified = kViews[0], &magnified = kViews[1], &rotated = kViews[2];
  for (const Format& f : texture_formats())
    for (const Dimension& d : kDimensions)
      for (const Filter& filter : kFilters)
        for (const View& view : kViews) {
          if (filter.filter == VK_FILTER_LINEAR && is_integer(f)) continue;
          // Blocks are of 2D images; one-dimensional ones have no shape that anisotropy could follow.
          if (f.numeric == Numeric::block && d.view != VK_IMAGE_VIEW_TYPE_2D && d.view != VK_IMAGE_VIEW_TYPE_CUBE) continue;
          if (f.numeric == Numeric::depth && d.view != VK_IMAGE_VIEW_TYPE_2D && d.view != VK_IMAGE_VIEW_TYPE_CUBE) continue;
          if (filter.anisotropy > 0 && (d.view == VK_IMAGE_VIEW_TYPE_1D || d.view == VK_IMAGE_VIEW_TYPE_3D)) continue;
          const bool two = &d == &d2;
          const bool quick = (f.quick && two && &view != &rotated) || (two && &filter == &bilinear && &view == &minified) ||
                             (two && is_integer(f) && &view == &minified) || (f.format == plain.format && &view == &minified);
          add(lines, std::string(f.name) + "/" + filter.name + "/" + d.name + "/" + view.name, quick, {f, d, filter, view});
        }
  for (const Dimension& d : kArrays)
    for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_UINT})
      for (const Filter* filter : {&nearest, &bilinear, &trilinear}) {
        const Format& f = format_of(format);
        if (filter != &nearest && is_integer(f)) continue;
        add(lines, std::string(f.name) + "/" + filter->name + "/" + d.name + "/minified", format == plain.format && filter != &trilinear,
            {f, d, *filter, minified});
      }
  for (const VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT})
    for (const Filter* filter : {&nearest, &bilinear}) {
      const Format& f = format_of(format);
      add(lines, std::string(f.name) + "/compare " + filter->name + "/2D/magnified", format == VK_FORMAT_D16_UNORM,
          {.format = f, .dimension = d2, .filter = *filter, .view = magnified, .shader = "compare2D", .compare = true});
    }
  constexpr std::pair<const char*, VkSamplerAddressMode> kModes[] = {{"clamped", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
                                                                     {"mirrored", VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT},
                                                                     {"border", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}};
  for (const auto& [name, mode] : kModes)
    add(lines, std::string("R8G8B8A8_UNORM/bilinear/2D/minified, ") + name, true,
        {.format = plain, .dimension = d2, .filter = bilinear, .view = minified, .address = mode});
  add(lines, "R8_UNORM/bilinear/2D/minified, least", true,
      {.format = format_of(VK_FORMAT_R8_UNORM), .dimension = d2, .filter = bilinear, .view = minified, .minimum = true});
  add(lines, "R8G8B8A8_UNORM/bilinear/2D 500x300/minified", true,
      {.format = plain, .dimension = d2, .filter = bilinear, .view = minified, .extent = {500, 300, 1}});
  add(lines, "R8G8B8A8_UNORM/bilinear/2D 2048x2048/minified", true,
      {.format = plain, .dimension = d2, .filter = bilinear, .view = minified, .extent = {2048, 2048, 1}});
  for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT,
                                VK_FORMAT_BC1_RGBA_UNORM_BLOCK})
    for (const auto& [taps, shader] :
         {std::pair{"9", "texture2D x9"}, std::pair{"15", "texture2D x15"}, std::pair{"25", "texture2D x25"}}) {
      const Format& f = format_of(format);
      const bool floats = f.numeric == Numeric::sfloat;  // not every driver filters those
      for (const Filter* filter : {&nearest, &bilinear, &trilinear})
        add(lines, std::string(f.name) + "/" + filter->name + "/2D/" + taps + " fetches",
            f.quick && *taps == '2' && filter == (floats ? &nearest : &bilinear),
            {.format = f, .dimension = d2, .filter = *filter, .view = magnified, .shader = shader});
    }
}

}  // namespace pumice::bench::matrix
