// SPDX-License-Identifier: MIT
/// From three vertices to the words of a triangle command: what a game's microcode does, for examples, tests and
/// users without microcode. The chip's arithmetic is in edge.cpp; this is ordinary floating point.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace pumice::hw::rdp {

struct Vertex {
  double x = 0, y = 0;  // pixels
  double z = 0;         // 0 near .. 1 far
  std::array<double, 4> rgba{255, 255, 255, 255};
  double s = 0, t = 0;  // texels
  double w = 1;         // normalised 1/w, 0 < w <= 1
};

struct TriangleOptions {
  bool shade = false, texture = false, depth = false;
  bool perspective = false;  // s and t are multiplied by w, for persp_tex_en
  uint32_t tile = 0, level = 0;
};

/// y is rounded to quarters of a line. Empty for a triangle without height or area then.
std::vector<uint64_t> triangle_words(const std::array<Vertex, 3>& v, const TriangleOptions& o);

}  // namespace pumice::hw::rdp
