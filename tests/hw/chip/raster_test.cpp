// SPDX-License-Identifier: MIT
/// Primitives by packets: which pixels each type covers and how often, which vertex flat shading takes, polygon modes, culling, rectangles.
/// Coverage is worked out here in integers of 1/16 pixel with the top-left rule (pipeline s.2.5, s.3, s.4); lines and points from their
/// geometry, with no pixel centre near a border.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/edge_values.h"

namespace pumice::hw::test {
namespace {

using Vf = regs::VAP_VF_CNTL;

constexpr int kSize = 32, kUnit = 16;
struct Point {
  int x, y;  // 1/16 pixel
};
using Counts = std::array<int, kSize * kSize>;
using Triangle = std::array<uint32_t, 3>;

/// A zigzag for strips and lists, a ring for fans, quads and polygons.
constexpr Point kZigzag[] = {{35, 51}, {67, 451}, {147, 83}, {179, 435}, {275, 41}, {291, 467}, {387, 99}, {403, 419}, {483, 67}};
constexpr Point kRing[] = {{37, 200}, {90, 95}, {201, 37}, {350, 55}, {451, 130}, {489, 301}, {399, 441}, {203, 473}};

TestVertex vertex(Point p, const std::array<float, 4>& attribute, float z = 0.5f) {
  return {{p.x / 256.0f - 1, p.y / 256.0f - 1, z, 1}, attribute};
}

int64_t cross(Point a, Point b, Point c) { return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{c.x - a.x} * (b.y - a.y); }

bool inside(Point a, Point b, Point c, int px, int py) {
  if (cross(a, b, c) < 0) std::swap(b, c);  // clockwise on the screen
  const Point centre{px * kUnit + kUnit / 2, py * kUnit + kUnit / 2};
  const Point p[4] = {a, b, c, a};
  for (int i = 0; i < 3; ++i) {
    const int64_t e = cross(p[i], p[i + 1], centre);
    const int dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y;
    if (e < 0 || (e == 0 && !(dy < 0 || (dy == 0 && dx > 0)))) return false;
  }
  return true;
}

void count_triangle(Counts& counts, Point a, Point b, Point c) {
  for (int i = 0; i < kSize * kSize; ++i) counts[i] += inside(a, b, c, i % kSize, i / kSize);
}
/// A rectangle around the segment, `half` pixels to each side.
void count_line(Counts& counts, Point a, Point b, double half) {
  const double ax = a.x / 16.0, ay = a.y / 16.0, dx = b.x / 16.0 - ax, dy = b.y / 16.0 - ay, length = std::hypot(dx, dy);
  for (int i = 0; i < kSize * kSize; ++i) {
    const double x = i % kSize + 0.5 - ax, y = i / kSize + 0.5 - ay;
    const double along = (x * dx + y * dy) / length, across = std::fabs(x * dy - y * dx) / length;
    const double margin = std::min({std::fabs(along), std::fabs(along - length), std::fabs(across - half)});
    if (margin < 1.0 / 100) counts[i] += 1000;  // too near to say
    counts[i] += along > 0 && along < length && across < half;
  }
}
void count_point(Counts& counts, Point p, double half_width, double half_height) {
  for (int i = 0; i < kSize * kSize; ++i)
    counts[i] += std::fabs(i % kSize + 0.5 - p.x / 16.0) < half_width && std::fabs(i / kSize + 0.5 - p.y / 16.0) < half_height;
}

constexpr double kHalfLine = 1.5, kHalfWidth = 2.5, kHalfHeight = 1.25;

/// Every covered pixel gains 1/255 of red.
Packets counting_state(const Target& t) {
  using Blend = regs::RB3D_BLENDCNTL;
  Packets p = plain_state(t);
  p.set(Blend().ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(Blend::SRCBLEND__GL_ONE).DESTBLEND(Blend::DESTBLEND__GL_ONE));
  p.set(regs::GA_POINT_SIZE().WIDTH(40).HEIGHT(20));
  p.set(regs::GA_LINE_CNTL().WIDTH(24).END_TYPE(regs::GA_LINE_CNTL::END_TYPE__COMPUTED_PERPENDICULAR_TO_SLOPE));
  return p;
}
constexpr std::array<float, 4> kOne = {1 / 255.0f, 0, 0, 1};

void expect_counts(Chip& chip, const Target& t, const Counts& want, const std::string& what) {
  int wrong = 0, covered = 0;
  for (int i = 0; i < kSize * kSize; ++i) {
    const int got = chip.memory(t.color)[i] >> 16 & 0xFF;
    covered += got > 0;
    if (want[i] < 1000 && got != want[i] && ++wrong < 5)
      ADD_FAILURE() << what << ": pixel " << i % kSize << ", " << i / kSize << " drawn " << got << " times, not " << want[i];
  }
  EXPECT_GT(covered, 0) << what;
}

struct PrimitiveType {
  const char* name;
  uint32_t type;
  std::vector<Point> vertices;
  std::vector<Triangle> triangles;             ///< vertex 100 + i: v0 + v2 - v1 of triangle i
  std::vector<std::array<uint32_t, 2>> lines;  ///< the segments; of triangles: the flagged edges
  std::vector<std::array<uint32_t, 4>> flat;   ///< the provoking vertex of each triangle for FIRST, SECOND, THIRD, LAST
};

std::vector<PrimitiveType> primitive_types() {
  const std::vector<Point> zigzag(std::begin(kZigzag), std::end(kZigzag)), ring(std::begin(kRing), std::end(kRing));
  const std::vector<Point> six(zigzag.begin(), zigzag.begin() + 6), eight(zigzag.begin(), zigzag.begin() + 8);
  const std::vector<Point> five(ring.begin(), ring.begin() + 5);
  return {
      {"points", Vf::PRIM_TYPE__POINT_LIST, zigzag, {}, {}, {}},
      {"lines", Vf::PRIM_TYPE__LINE_LIST, zigzag, {}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, {}},
      {"line strip", Vf::PRIM_TYPE__LINE_STRIP, five, {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {}},
      {"line loop", Vf::PRIM_TYPE__LINE_LOOP, five, {}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, {}},
      {"triangles",
       Vf::PRIM_TYPE__TRIANGLE_LIST,
       eight,
       {{0, 1, 2}, {3, 4, 5}},
       {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}},
       {{0, 1, 2, 2}, {3, 4, 5, 5}}},
      {"fan",
       Vf::PRIM_TYPE__TRIANGLE_FAN,
       five,
       {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}},
       {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {2, 3}, {3, 0}, {0, 3}, {3, 4}, {4, 0}},
       {{0, 1, 2, 2}, {0, 2, 3, 3}, {0, 3, 4, 4}}},
      {"strip",
       Vf::PRIM_TYPE__TRIANGLE_STRIP,
       six,
       {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}},
       {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {1, 3}, {3, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 3}, {3, 5}, {5, 4}},
       {{0, 1, 2, 2}, {1, 2, 3, 3}, {2, 3, 4, 4}, {3, 4, 5, 5}}},
      {"rectangles",
       Vf::PRIM_TYPE__RECTANGLE_LIST,
       {{101, 61}, {101, 259}, {303, 259}},
       {{0, 1, 2}, {0, 2, 100}},
       {{0, 1}, {1, 2}, {2, 100}, {100, 0}},
       {{0, 1, 2, 2}, {0, 1, 2, 2}}},
      {"quads",
       Vf::PRIM_TYPE__QUAD_LIST,
       ring,
       {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}},
       {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}},
       {{1, 1, 3, 3}, {1, 1, 3, 3}, {5, 5, 7, 7}, {5, 5, 7, 7}}},
      {"quad strip",
       Vf::PRIM_TYPE__QUAD_STRIP,
       six,
       {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}},
       {{0, 1}, {1, 3}, {3, 2}, {2, 0}, {2, 3}, {3, 5}, {5, 4}, {4, 2}},
       {{1, 1, 3, 3}, {1, 1, 3, 3}, {3, 3, 5, 5}, {3, 3, 5, 5}}},
      {"polygon",
       Vf::PRIM_TYPE__POLYGON,
       five,
       {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}},
       {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}},
       {{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}}},
  };
}
Point at(const PrimitiveType& p, uint32_t i) {
  if (i < 100) return p.vertices[i];
  return {p.vertices[0].x + p.vertices[2].x - p.vertices[1].x, p.vertices[0].y + p.vertices[2].y - p.vertices[1].y};
}
std::vector<TestVertex> vertices(const PrimitiveType& p, const std::array<float, 4>& attribute) {
  std::vector<TestVertex> v;
  for (const Point& q : p.vertices) v.push_back(vertex(q, attribute));
  return v;
}

TEST(Raster, EveryPrimitiveTypeCoversItsPixels) {
  for (const PrimitiveType& type : primitive_types()) {
    Chip chip;
    const Target t = make_target(chip, kSize, kSize);
    Packets p = counting_state(t);
    p.append(draw(type.type, vertices(type, kOne)));
    ASSERT_TRUE(chip.run(p));
    Counts want{};
    for (const Triangle& v : type.triangles) count_triangle(want, at(type, v[0]), at(type, v[1]), at(type, v[2]));
    if (type.triangles.empty()) {
      for (const auto& l : type.lines) count_line(want, at(type, l[0]), at(type, l[1]), kHalfLine);
      if (type.lines.empty())
        for (const Point& v : type.vertices) count_point(want, v, kHalfWidth, kHalfHeight);
    }
    expect_counts(chip, t, want, type.name);
    EXPECT_TRUE(chip.reports().empty());
  }
}

/// Culling keeps just the triangles that turn the right way: odd triangles of strips are turned round.
TEST(Raster, EveryPrimitiveTypeKeepsItsWinding) {
  for (const PrimitiveType& type : primitive_types())
    for (const bool keep_clockwise : {false, true}) {
      if (type.triangles.empty()) continue;
      Chip chip;
      const Target t = make_target(chip, kSize, kSize);
      Packets p = counting_state(t);
      p.set(regs::SU_CULL_MODE().CULL_FRONT(keep_clockwise).CULL_BACK(!keep_clockwise));
      p.append(draw(type.type, vertices(type, kOne)));
      ASSERT_TRUE(chip.run(p));
      Counts want{};
      for (const Triangle& v : type.triangles)
        if ((cross(at(type, v[0]), at(type, v[1]), at(type, v[2])) > 0) == keep_clockwise)
          count_triangle(want, at(type, v[0]), at(type, v[1]), at(type, v[2]));
      for (int i = 0; i < kSize * kSize; ++i)
        ASSERT_EQ(static_cast<int>(chip.memory(t.color)[i] >> 16 & 0xFF), want[i]) << type.name << " pixel " << i;
    }
}

TEST(Raster, PolygonModes) {
  using Mode = regs::GA_POLY_MODE;
  for (const PrimitiveType& type : primitive_types()) {
    if (type.triangles.empty()) continue;
    for (const uint32_t mode : {Mode::FRONT_PTYPE__POINTS, Mode::FRONT_PTYPE__LINES, Mode::FRONT_PTYPE__TRIANGLES}) {
      Chip chip;
      const Target t = make_target(chip, kSize, kSize);
      Packets p = counting_state(t);
      p.set(Mode().POLY_MODE(Mode::POLY_MODE__DUAL).FRONT_PTYPE(mode).BACK_PTYPE(mode));
      p.append(draw(type.type, vertices(type, kOne)));
      ASSERT_TRUE(chip.run(p));
      Counts want{};
      if (mode == Mode::FRONT_PTYPE__TRIANGLES)
        for (const Triangle& v : type.triangles) count_triangle(want, at(type, v[0]), at(type, v[1]), at(type, v[2]));
      else
        for (const auto& l : type.lines)
          if (mode == Mode::FRONT_PTYPE__LINES)
            count_line(want, at(type, l[0]), at(type, l[1]), kHalfLine);
          else
            count_point(want, at(type, l[0]), kHalfWidth, kHalfHeight);
      expect_counts(chip, t, want, std::string(type.name) + " as mode " + std::to_string(mode));
    }
  }
}

/// The two modes are told apart by facing; culling takes one of them away.
TEST(Raster, FacingAndCulling) {
  using Cull = regs::SU_CULL_MODE;
  using Mode = regs::GA_POLY_MODE;
  const std::vector<Point> clockwise = {{35, 51}, {250, 59}, {61, 243}}, counter = {{301, 303}, {310, 471}, {483, 291}};
  for (uint32_t bits = 0; bits < 8; ++bits)
    for (const bool modes : {false, true}) {
      const Cull cull = Cull().CULL_FRONT(bits & 1).CULL_BACK(bits >> 1 & 1).FACE(bits >> 2);
      Chip chip;
      const Target t = make_target(chip, kSize, kSize);
      Packets p = counting_state(t);
      p.set(cull);
      if (modes) p.set(Mode().POLY_MODE(1).FRONT_PTYPE(Mode::FRONT_PTYPE__LINES).BACK_PTYPE(Mode::BACK_PTYPE__POINTS));
      Counts want{};
      for (const auto& v : {clockwise, counter}) {
        std::vector<TestVertex> tv;
        for (const Point& q : v) tv.push_back(vertex(q, kOne));
        p.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, tv));
        // FACE 0: what turns counter-clockwise on the screen is front.
        const bool front = (cross(v[0], v[1], v[2]) > 0) == (cull.FACE() == 1);
        if (front ? cull.CULL_FRONT() : cull.CULL_BACK()) continue;
        if (!modes) count_triangle(want, v[0], v[1], v[2]);
        for (int i = 0; modes && i < 3; ++i)
          if (front)
            count_line(want, v[i], v[(i + 1) % 3], kHalfLine);
          else
            count_point(want, v[i], kHalfWidth, kHalfHeight);
      }
      ASSERT_TRUE(chip.run(p));
      if (bits % 4 == 3)
        for (int i = 0; i < kSize * kSize; ++i) EXPECT_EQ(chip.memory(t.color)[i], 0u);
      else
        expect_counts(chip, t, want, "cull " + std::to_string(bits) + (modes ? " modes" : ""));
    }
}

TEST(Raster, ProvokingVertices) {
  for (const PrimitiveType& type : primitive_types())
    for (uint32_t code = 0; code < 4; ++code) {
      if (type.type == Vf::PRIM_TYPE__POINT_LIST) continue;
      Chip chip;
      Target t = make_target(chip, kSize, kSize);
      t.color = chip.allocate(size_t{kSize} * kSize * 4);
      Packets p = plain_state(t);
      p.append(float_target(t.color, kSize));
      p.set(regs::GA_LINE_CNTL().WIDTH(24).END_TYPE(3));
      p.set(regs::GA_COLOR_CONTROL().PROVOKING_VERTEX(code));
      p.set(regs::GA_COLOR_CONTROL_PS3().TEX0_SHADING_PS3(1));
      std::vector<TestVertex> v;
      for (size_t i = 0; i < type.vertices.size(); ++i) v.push_back(vertex(type.vertices[i], {i + 1.0f, 0, 0, 1}));
      p.append(draw(type.type, v));
      ASSERT_TRUE(chip.run(p));
      std::vector<Counts> segments(type.triangles.empty() ? type.lines.size() : 0);
      for (size_t k = 0; k < segments.size(); ++k)
        count_line(segments[k], at(type, type.lines[k][0]), at(type, type.lines[k][1]), kHalfLine);
      const auto got = [&](int i) { return std::bit_cast<float>(chip.memory(t.color)[4 * i]); };
      for (int i = 0; i < kSize * kSize; ++i) {
        float want = 0;
        bool sure = true;
        for (size_t k = 0; k < type.triangles.size(); ++k) {
          const Triangle& q = type.triangles[k];
          if (inside(at(type, q[0]), at(type, q[1]), at(type, q[2]), i % kSize, i / kSize)) want = type.flat[k][code] + 1.0f;
        }
        for (size_t k = 0; k < segments.size(); ++k) {
          if (segments[k][i] >= 1000) sure = false;
          if (segments[k][i] == 1) want = type.lines[k][code == 0 ? 0 : 1] + 1.0f;
        }
        ASSERT_TRUE(!sure || got(i) == want) << type.name << " code " << code << " pixel " << i << ": " << got(i) << ", not " << want;
      }
    }
}

TEST(Raster, ScissorAndClipRectangles) {
  for (uint32_t test = 0; test < 6; ++test) {
    Chip chip;
    const Target t = make_target(chip, kSize, kSize);
    Packets p = plain_state(t);
    p.set(regs::SC_SCISSOR0().XS0(3).YS0(5));
    p.set(regs::SC_SCISSOR1().XS1(28).YS1(30));
    const uint32_t rectangles[][4] = {{2, 2, 12, 20}, {8, 6, 25, 13}, {20, 10, 30, 31}, {6, 18, 22, 28}};
    for (uint32_t i = 0; i < 4; ++i) {
      const auto& r = rectangles[i];
      const uint32_t words[] = {regs::SC_CLIP_0_A().XS0(r[0]).YS0(r[1]).raw, regs::SC_CLIP_0_B().XS1(r[2]).YS1(r[3]).raw};
      p.write(regs::SC_CLIP_0_A::offset + 8 * i, words);
    }
    const uint32_t rules[] = {0xFFFF, 0xAAAA, 0x8000, 0xFFFE, 0x0001, 0x6996};
    p.set(regs::SC_CLIP_RULE().CLIP_RULE(rules[test]));
    p.append(full_quad({1, 1, 1, 1}));
    ASSERT_TRUE(chip.run(p));
    for (uint32_t i = 0; i < kSize * kSize; ++i) {
      const uint32_t x = i % kSize, y = i / kSize;
      uint32_t code = 0;
      for (uint32_t n = 0; n < 4; ++n) {
        const auto& r = rectangles[n];
        if (x >= r[0] && y >= r[1] && x <= r[2] && y <= r[3]) code |= 1u << n;
      }
      const bool drawn = x >= 3 && x <= 28 && y >= 5 && y <= 30 && (rules[test] >> code & 1);
      ASSERT_EQ(chip.memory(t.color)[i], drawn ? 0xFFFFFFFFu : 0u) << std::hex << rules[test] << std::dec << " " << x << " " << y;
    }
  }
}

/// The clip volume: DX and GL depth, user planes, a vertex behind the eye; perspective interpolation at the cut.
TEST(Raster, Clipping) {
  const struct {
    const char* name;
    bool gl;
    float z0, z1;     // of the left and right edge
    int first, last;  // columns drawn
  } cases[] = {{"inside", false, 0.25f, 0.75f, 0, 31},      {"in front (DX)", false, -0.5f, 0.5f, 16, 31},
               {"in front (GL)", true, -1.5f, 0.5f, 8, 31}, {"GL keeps negative z", true, -0.9f, 0.5f, 0, 31},
               {"behind", false, 0.5f, 1.5f, 0, 15},        {"outside", false, 2, 3, 1, 0}};
  for (const auto& c : cases) {
    Chip chip;
    const Target t = make_target(chip, kSize, kSize);
    Packets p = plain_state(t);
    p.set(regs::VAP_CNTL().PVS_NUM_SLOTS(5).PVS_NUM_CNTLRS(5).PVS_NUM_FPUS(8).VF_MAX_VTX_NUM(12).DX_CLIP_SPACE_DEF(!c.gl));
    const TestVertex v[] = {{{-1, -1, c.z0, 1}, {1, 1, 1, 1}},
                            {{1, -1, c.z1, 1}, {1, 1, 1, 1}},
                            {{1, 1, c.z1, 1}, {1, 1, 1, 1}},
                            {{-1, 1, c.z0, 1}, {1, 1, 1, 1}}};
    p.append(draw(Vf::PRIM_TYPE__QUAD_LIST, v));
    ASSERT_TRUE(chip.run(p));
    for (int i = 0; i < kSize * kSize; ++i)
      ASSERT_EQ(chip.memory(t.color)[i] != 0, i % kSize >= c.first && i % kSize <= c.last) << c.name << " column " << i % kSize;
  }
  // User plane 2: x + y >= 0 keeps the lower right half.
  Chip chip;
  const Target t = make_target(chip, kSize, kSize);
  Packets p = plain_state(t);
  const uint32_t index = 1536 + 2;
  p.write(regs::VAP_PVS_VECTOR_INDX_REG::offset, {&index, 1});
  p.write_port(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, as_bits({1, 1, 0, 0.03125f}));  // half a pixel off the diagonal
  p.set(regs::VAP_CLIP_CNTL().UCP_ENA_2(1));
  p.append(full_quad({1, 1, 1, 1}));
  ASSERT_TRUE(chip.run(p));
  for (int i = 0; i < kSize * kSize; ++i) ASSERT_EQ(chip.memory(t.color)[i] != 0, i % kSize + i / kSize >= kSize - 1) << i;
}

TEST(Raster, PerspectiveInterpolation) {
  Chip chip;
  Target t = make_target(chip, kSize, kSize);
  t.color = chip.allocate(size_t{kSize} * kSize * 4);
  for (const bool linear : {false, true}) {
    Packets p = plain_state(t);
    p.append(float_target(t.color, kSize));
    p.set(regs::GB_SELECT().W_SELECT(linear));
    // w = 1 on the left, 4 on the right: u = (x/4) / ((1-x) + x/4) in window space.
    const TestVertex v[] = {
        {{-1, -1, 0.5f, 1}, {0, 1, 0, 0}}, {{4, -4, 2, 4}, {1, 1, 0, 0}}, {{4, 4, 2, 4}, {1, 1, 0, 0}}, {{-1, 1, 0.5f, 1}, {0, 1, 0, 0}}};
    p.append(draw(Vf::PRIM_TYPE__QUAD_LIST, v));
    ASSERT_TRUE(chip.run(p));
    for (int i = 0; i < kSize * kSize; ++i) {
      const double x = (i % kSize + 0.5) / kSize, want = linear ? x : x / 4 / (1 - x + x / 4);
      EXPECT_NEAR(from_bits(chip.memory(t.color)[4 * i]), want, 1e-6);
      EXPECT_EQ(from_bits(chip.memory(t.color)[4 * i + 1]), 1.0f);
    }
  }
}

/// RS_INST_COUNT.TX_OFFSET adds a part of a coordinate's range over the triangle, to the sets whose RS_IP says so.
TEST(TextureOffset, IsAPartOfTheRange) {
  constexpr uint32_t kSide = 8;
  const auto value = [](uint32_t code, bool enabled, uint32_t channel) {
    Chip chip;
    const uint32_t pixels = chip.allocate(kSide * kSide * 4);
    Packets p = plain_state({kSide, kSide, pixels, 0});
    p.append(float_target(pixels, kSide));
    p.set(regs::VAP_CLIP_CNTL().CLIP_DISABLE(1));  // what is left of a clipped triangle has a range of its own
    p.set(regs::RS_INST_COUNT().TX_OFFSET(code));
    p.set(regs::RS_IP().TEX_PTR_S(0).TEX_PTR_T(1).TEX_PTR_R(2).TEX_PTR_Q(3).OFFSET_EN(enabled));
    const TestVertex v[] = {{{-1, -1, 0.5f, 1}, {0, 3, 7, 1}}, {{3, -1, 0.5f, 1}, {64, 3, 7, 1}}, {{-1, 3, 0.5f, 1}, {32, 11, 7, 1}}};
    p.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, v));
    EXPECT_TRUE(chip.run(p));
    return std::bit_cast<float>(chip.memory(pixels)[(3 * kSide + 2) * 4 + channel]);
  };
  const double s = 64 * 2.5 / 16 + 32 * 3.5 / 16, t = 3 + 8 * 3.5 / 16;
  EXPECT_FLOAT_EQ(value(0, true, 0), float(s));
  for (uint32_t code = 1; code < 8; ++code) {
    const double part = 1.0 / (4096 << code);
    EXPECT_EQ(value(code, false, 0), float(s));
    EXPECT_NEAR(value(code, true, 0), s + 64 * part, 2e-6) << code;
    EXPECT_NEAR(value(code, true, 1), t + 8 * part, 1e-6) << code;
    EXPECT_EQ(value(code, true, 2), 7) << "no range";
  }
}

/// SU_TEX_WRAP: a component goes the shorter way around the cylinder.
TEST(CylindricalWrap, TakesTheShorterWay) {
  constexpr uint32_t kSide = 8;
  for (const uint32_t wrap : {0u, 1u, 2u, 3u}) {
    Chip chip;
    const uint32_t pixels = chip.allocate(kSide * kSide * 4);
    Packets p = plain_state({kSide, kSide, pixels, 0});
    p.append(float_target(pixels, kSide));
    p.set(regs::VAP_CLIP_CNTL().CLIP_DISABLE(1));
    p.set(regs::SU_TEX_WRAP{wrap});
    const TestVertex v[] = {{{-1, -1, 0.5f, 1}, {0.9375f, 0.125f, 0, 1}},
                            {{3, -1, 0.5f, 1}, {0.0625f, 0.125f, 0, 1}},
                            {{-1, 3, 0.5f, 1}, {0.9375f, 0.875f, 0, 1}}};
    p.append(draw(Vf::PRIM_TYPE__TRIANGLE_LIST, v));
    ASSERT_TRUE(chip.run(p));
    for (uint32_t x = 0; x < kSide; ++x)
      for (uint32_t y = 0; y < kSide; ++y) {
        const uint32_t* const at = chip.memory(pixels) + (y * kSide + x) * 4;
        const float i = (x + 0.5f) / (2 * kSide), j = (y + 0.5f) / (2 * kSide);
        EXPECT_FLOAT_EQ(std::bit_cast<float>(at[0]), 0.9375f + i * (wrap & 1 ? 0.125f : -0.875f));
        EXPECT_FLOAT_EQ(std::bit_cast<float>(at[1]), 0.125f + j * (wrap & 2 ? -0.25f : 0.75f));
      }
  }
}

}  // namespace
}  // namespace pumice::hw::test
