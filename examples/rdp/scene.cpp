// SPDX-License-Identifier: MIT
#include "examples/rdp/scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "examples/common/matrix.h"
#include "hw/db/rdp_commands.h"
#include "hw/rdp/ref/triangle_setup.h"

namespace rdp_scene {
namespace {

using example::Mat4;
using example::Vec3;
namespace rdp = pumice::hw::rdp;

constexpr float kNear = 1.0f, kFar = 20.0f, kPi = 3.14159265f;
constexpr uint32_t k16Bit = 2, kCubeTile = 0, kFloorTile = 1, kLoadTile = 7;

struct Corner {
  Vec3 position, normal;
  float s, t;  // texels
};

Vec3 transformed(const Mat4& m, const Vec3& v, float w) {
  Vec3 r{};
  for (size_t row = 0; row < 3; ++row) r[row] = m.m[row] * v[0] + m.m[4 + row] * v[1] + m.m[8 + row] * v[2] + m.m[12 + row] * w;
  return r;
}

class List {
 public:
  explicit List(const Mat4& view) : view_(view) {}

  template <class Command>
  void put(const Command& c) {
    words.insert(words.end(), c.raw.begin(), c.raw.end());
  }

  /// Lights and projects; `tint` is the colour of the material, 0 to 1.
  rdp::Vertex vertex(const Mat4& model, const Corner& c, const Vec3& tint) const {
    const Vec3 normal = transformed(model, c.normal, 0), world = transformed(model, c.position, 1), eye = transformed(view_, world, 1);
    constexpr Vec3 kSun{0.48f, 0.76f, 0.44f};
    const float sun = std::max(0.0f, normal[0] * kSun[0] + normal[1] * kSun[1] + normal[2] * kSun[2]);
    const float depth = std::max(-eye[2], 0.01f), focal = kHeight * 0.9f;
    rdp::Vertex v;
    v.x = kWidth * 0.5 + focal * eye[0] / depth;
    v.y = kHeight * 0.5 - focal * eye[1] / depth;
    v.z = (1 / kNear - 1 / depth) / (1 / kNear - 1 / kFar);  // linear on the screen
    v.w = kNear / depth;
    v.s = c.s;
    v.t = c.t;
    for (size_t i = 0; i < 3; ++i) v.rgba[i] = 255.0f * std::min(1.0f, tint[i] * (0.28f + 0.8f * sun));
    v.rgba[3] = 255;
    return v;
  }

  void triangle(const rdp::Vertex& a, const rdp::Vertex& b, const rdp::Vertex& c, uint32_t tile) {
    // Counter-clockwise from outside; y points down on the screen. Nothing here comes nearer than the near plane.
    if ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) >= 0) return;
    const auto w = rdp::triangle_words({a, b, c}, {.shade = true, .texture = true, .depth = true, .perspective = true, .tile = tile});
    words.insert(words.end(), w.begin(), w.end());
  }

  void quad(const Mat4& model, const std::array<Corner, 4>& q, const Vec3& tint, uint32_t tile) {
    std::array<rdp::Vertex, 4> v;
    for (size_t i = 0; i < 4; ++i) v[i] = vertex(model, q[i], tint);
    triangle(v[0], v[1], v[2], tile);
    triangle(v[0], v[2], v[3], tile);
  }

  std::vector<uint64_t> words;

 private:
  Mat4 view_;
};

void clear(List& list, uint32_t image, uint32_t halfword) {
  list.put(rdp::SetColorImage().size(k16Bit).width(kWidth - 1).address(image));
  list.put(rdp::SetFillColor().color(halfword << 16 | halfword));
  list.put(rdp::FillRectangle().xl((kWidth - 1) * 4).yl((kHeight - 1) * 4));
  list.put(rdp::SyncPipe());
}

void load_texture(List& list, uint32_t address, uint32_t tile) {
  constexpr uint32_t kLine = kTextureSize * 2 / 8, kTmemWords = kTextureBytes / 8, kLast = (kTextureSize - 1) * 4;
  list.put(rdp::SetTextureImage().size(k16Bit).width(kTextureSize - 1).address(address));
  list.put(rdp::SetTile().size(k16Bit).line(kLine).tmem(tile * kTmemWords).tile(kLoadTile));
  list.put(rdp::SyncLoad());
  list.put(rdp::LoadTile().tile(kLoadTile).sh(kLast).th(kLast));
  list.put(rdp::SyncTile());
  list.put(rdp::SetTile().size(k16Bit).line(kLine).tmem(tile * kTmemWords).tile(tile).mask_s(5).mask_t(5));
  list.put(rdp::SetTileSize().tile(tile).sh(kLast).th(kLast));
}

/// (A - B) * C + D of the one cycle; the selectors of D = 4 are the shade colour.
void combine_shade(List& list) {
  list.put(rdp::SetCombineMode().sub_a_rgb_1(8).sub_b_rgb_1(8).mul_rgb_1(16).add_rgb_1(4).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(4));
}
void combine_texture_times_shade(List& list) {
  list.put(rdp::SetCombineMode().sub_a_rgb_1(1).sub_b_rgb_1(8).mul_rgb_1(4).add_rgb_1(7).sub_a_a_1(7).sub_b_a_1(7).mul_a_1(7).add_a_1(4));
}

void sky(List& list) {
  const auto corner = [](double x, double y, double r, double g, double b) {
    rdp::Vertex v;
    v.x = x, v.y = y, v.rgba = {r, g, b, 255};
    return v;
  };
  const auto a = corner(0, 0, 30, 60, 130), b = corner(kWidth, 0, 30, 60, 130), c = corner(kWidth, kHeight, 220, 225, 235),
             d = corner(0, kHeight, 220, 225, 235);
  for (const auto& t : {std::array{a, b, c}, std::array{a, c, d}}) {
    const auto w = rdp::triangle_words(t, {.shade = true});
    list.words.insert(list.words.end(), w.begin(), w.end());
  }
}

void floor(List& list) {
  constexpr int kHalf = 5;
  for (int z = -kHalf; z < kHalf; ++z)
    for (int x = -kHalf; x < kHalf; ++x) {
      // Round, so that no corner comes near the camera: triangles are not clipped.
      if ((2 * x + 1) * (2 * x + 1) + (2 * z + 1) * (2 * z + 1) > 80) continue;
      const auto corner = [&](int i, int j) {
        const float u = static_cast<float>(x + i), v = static_cast<float>(z + j);
        return Corner{{u, -1.2f, v}, {0, 1, 0}, 16 * u, 16 * v};
      };
      list.quad({}, {corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)}, {1, 1, 1}, kFloorTile);
    }
}

void cube(List& list, const Mat4& model) {
  constexpr std::array<Vec3, 6> kTints{{{1, 0.5f, 0.4f}, {0.5f, 1, 0.5f}, {0.5f, 0.6f, 1}, {1, 0.9f, 0.4f}, {1, 0.5f, 1}, {0.5f, 1, 1}}};
  for (size_t face = 0; face < 6; ++face) {
    const size_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float side = face % 2 ? 1.0f : -1.0f;
    std::array<Corner, 4> q;
    for (size_t i = 0; i < 4; ++i) {
      const float a = i == 1 || i == 2 ? 1.0f : -1.0f, b = i >= 2 ? 1.0f : -1.0f;
      q[i] = {};
      q[i].position[axis] = q[i].normal[axis] = side;
      q[i].position[u] = a * side;
      q[i].position[v] = b;
      q[i].s = a * 15.5f + 15.5f;
      q[i].t = b * 15.5f + 15.5f;
    }
    list.quad(model, q, kTints[face], kCubeTile);
  }
}

void torus(List& list, const Mat4& model) {
  constexpr int kAround = 28, kAcross = 14;
  const auto corner = [](int i, int j) {
    const float a = 2 * kPi * static_cast<float>(i) / kAround, b = 2 * kPi * static_cast<float>(j) / kAcross;
    const Vec3 normal{std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b)};
    const Vec3 middle{std::cos(a) * 2.1f, 0, std::sin(a) * 2.1f};
    constexpr float kTube = 0.42f;
    return Corner{{middle[0] + kTube * normal[0], kTube * normal[1], middle[2] + kTube * normal[2]},
                  normal,
                  32.0f * 7 * static_cast<float>(i) / kAround,
                  32.0f * 2 * static_cast<float>(j) / kAcross};
  };
  for (int i = 0; i < kAround; ++i)
    for (int j = 0; j < kAcross; ++j)
      list.quad(model, {corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)}, {1, 0.8f, 0.55f}, kFloorTile);
}

}  // namespace

std::vector<uint8_t> textures() {
  std::vector<uint8_t> out;
  const auto put = [&](uint32_t r, uint32_t g, uint32_t b) {  // 0..31 each; opaque
    const uint32_t v = r << 11 | g << 6 | b << 1 | 1;
    out.push_back(static_cast<uint8_t>(v >> 8));
    out.push_back(static_cast<uint8_t>(v));
  };
  constexpr int kSize = kTextureSize;
  for (int y = 0; y < kSize; ++y)  // a frame with a disc in it
    for (int x = 0; x < kSize; ++x) {
      const int dx = 2 * x - kSize + 1, dy = 2 * y - kSize + 1, r = dx * dx + dy * dy;
      const bool rim = x < 2 || y < 2 || x >= kSize - 2 || y >= kSize - 2;
      if (rim)
        put(10, 9, 8);
      else if (r < 18 * 18)
        put(31, static_cast<uint32_t>(31 - r / 30), 12);
      else
        put(26, 26, static_cast<uint32_t>(22 + (x + y) % 4));
    }
  for (int y = 0; y < kSize; ++y)  // squares with joints
    for (int x = 0; x < kSize; ++x) {
      const bool joint = x % 16 == 0 || y % 16 == 0, light = (x / 16 + y / 16) % 2;
      if (joint)
        put(6, 6, 7);
      else if (light)
        put(29, 28, 25);
      else
        put(13, 15, 19);
    }
  return out;
}

std::vector<uint64_t> frame(const Places& places, uint64_t index) {
  const float turn = static_cast<float>(index % 100000) * 0.02f;
  const Mat4 view = example::translate({0, -0.3f, -6.2f}) * example::rotate_x(0.42f) * example::rotate_y(turn * 0.3f);
  List list(view);

  list.put(rdp::SetScissor().xl(kWidth * 4).yl(kHeight * 4));
  list.put(rdp::SetOtherModes().cycle_type(3));
  clear(list, places.depth, 0xFFFC);  // as far as can be
  clear(list, places.color, 0x0001);
  list.put(rdp::SetZImage().address(places.depth));

  combine_shade(list);
  list.put(rdp::SetOtherModes().rgb_dither_sel(0).alpha_dither_sel(3));
  sky(list);

  load_texture(list, places.textures, kCubeTile);
  load_texture(list, places.textures + kTextureBytes, kFloorTile);
  list.put(rdp::SyncPipe());
  combine_texture_times_shade(list);
  // Anti-aliased, z-buffered, opaque: blend with memory by coverage at edges.
  list.put(rdp::SetOtherModes()
               .persp_tex_en(1)
               .sample_type(1)
               .bi_lerp_0(1)
               .bi_lerp_1(1)
               .rgb_dither_sel(0)
               .alpha_dither_sel(3)
               .m2a_0(1)
               .m2b_0(1)
               .alpha_cvg_select(1)
               .image_read_en(1)
               .z_update_en(1)
               .z_compare_en(1)
               .antialias_en(1));
  floor(list);
  cube(list, example::rotate_y(turn) * example::rotate_x(turn * 0.7f) * example::scale({0.85f, 0.85f, 0.85f}));
  torus(list, example::rotate_x(0.5f * std::sin(turn * 0.6f)) * example::rotate_y(-turn * 0.5f));
  list.put(rdp::SyncFull());
  return list.words;
}

void store_big_endian(const std::vector<uint64_t>& words, uint8_t* to) {
  for (uint64_t w : words)
    for (int shift = 56; shift >= 0; shift -= 8) *to++ = static_cast<uint8_t>(w >> shift);
}

}  // namespace rdp_scene
