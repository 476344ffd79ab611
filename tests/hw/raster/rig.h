// SPDX-License-Identifier: MIT
/// Drives the raster blocks at register level, without CP, driver or shader: US, ZB, FG, RB3D and VAP are fakes that record what reaches
/// them (rig.cpp). One Rig is one chip; the fakes find it through DrawContext::config.
#pragma once
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "hw/radeon/draw/draw.h"

namespace pumice::hw::test {

struct Rig;
struct RigConfig : Listener {
  Rig* rig = nullptr;
};

/// What us::run saw: the quad and the first registers.
struct Seen {
  Quad quad;
  std::array<std::array<Vec4, 4>, 8> temp;
};

struct Rig {
  Rig();
  ChipState state{Profile::r500};
  DrawCounters counters;
  RigConfig config;
  alignas(Memory) std::array<std::byte, sizeof(Memory)> no_memory{};  // never touched
  DrawContext ctx{state, reinterpret_cast<Memory&>(no_memory), counters, config};

  std::vector<Seen> seen;
  std::vector<std::string> calls;  ///< order of the blocks, when wanted
  bool log_calls = false;
  std::vector<std::pair<ReportKind, std::string>> reports;
  std::function<void(PixelQuad&)> shader;
  std::function<uint8_t(uint8_t)> depth_test, alpha_test;
  std::array<float, 4> tested_z{};
  uint8_t written = 0;
  std::function<void(DrawContext&)> vertices;  ///< vap::run

  template <class R>
  void set(R value, uint32_t i = 0) {
    state.set(value, i);
  }
  template <class R>
  void set_float(float v) {
    state.reg[R::offset / 4] = std::bit_cast<uint32_t>(v);
  }
  void scissor(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
    set(regs::SC_SCISSOR0{}.XS0(x0).YS0(y0));
    set(regs::SC_SCISSOR1{}.XS1(x1).YS1(y1));
  }

  void draw(const Primitive& p) { ga::primitive(ctx, p); }
  void triangle(const WindowVertex& a, const WindowVertex& b, const WindowVertex& c, const WindowVertex* provoking = nullptr,
                uint8_t edges = 7) {
    draw({PrimitiveKind::triangle, {&a, &b, &c}, provoking ? provoking : &a, edges});
  }
  void line(const WindowVertex& a, const WindowVertex& b) { draw({PrimitiveKind::line, {&a, &b, nullptr}, &a, 7}); }
  void point(const WindowVertex& a) { draw({PrimitiveKind::point, {&a, nullptr, nullptr}, &a, 7}); }

  /// How often each pixel was covered since the last call.
  std::map<std::pair<int, int>, int> take_coverage();
  /// Register `reg` of pixel (x, y), covered or helper; fails the test when no quad holds it.
  Vec4 at(int x, int y, uint32_t reg) const;
  float z_at(int x, int y) const;
};

inline WindowVertex vertex(float x, float y, float z = 0, float inv_w = 1) {
  WindowVertex v;
  v.x = x;
  v.y = y;
  v.z = z;
  v.inv_w = inv_w;
  return v;
}

}  // namespace pumice::hw::test
