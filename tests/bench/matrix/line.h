// SPDX-License-Identifier: MIT
/// One line of the matrix: what is measured, and the groups of lines. A line makes its objects with the Gpu, says how one piece of work is
/// recorded, and where the picture is that drivers have to agree about.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/matrix/gpu.h"

namespace pumice::bench::matrix {

/// What a line leaves: a colour or depth image in TRANSFER_SRC_OPTIMAL, or a buffer of numbers.
struct Picture {
  enum class Kind { image, floats, words } kind = Kind::image;
  Image image;
  Buffer buffer;
};

struct Case {
  std::function<void(VkCommandBuffer)> record;  ///< one piece; several of them in one submission must be allowed
  std::function<void()> step;                   ///< instead of record: one piece with recording, submission and waiting
  bool alone = false;                           ///< a submission is one piece: its overhead is part of what is measured
  Picture picture;
};

struct Line {
  std::string name;
  double items;      ///< of a piece, in `unit` (millions of pixels, say)
  const char* unit;  ///< of the rate: "Mpix/s"
  bool quick;        ///< part of --quick
  std::function<Case(Gpu&)> make;
};

void add_textures(std::vector<Line>& lines);
void add_targets(std::vector<Line>& lines);
void add_vertices(std::vector<Line>& lines);
void add_programs(std::vector<Line>& lines);
void add_passes(std::vector<Line>& lines);
void add_draws(std::vector<Line>& lines);
void add_compute(std::vector<Line>& lines);

/// The averages of 8x8 parts of the picture, four channels each, or of 64 parts of a buffer. Drivers may differ by rounding.
std::vector<double> summary(Gpu& gpu, const Picture& picture);

}  // namespace pumice::bench::matrix
