// SPDX-License-Identifier: MIT
/// What a shader reads, and what it gives: the form that both executors and the judge share.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/run/module.h"

namespace pumice::run {

using Vec4 = std::array<float, 4>;
inline constexpr uint32_t kLocations = 16;
/// Invocations come in blocks of 4x4 pixels, whose quads lie together: a vertex has no neighbours, but is counted the same way.
inline constexpr uint32_t kBlock = 16;
constexpr uint32_t pixel_x(uint32_t invocation) { return 4 * (invocation / 16) + 2 * (invocation / 4 % 2) + invocation % 2; }
constexpr uint32_t pixel_y(uint32_t invocation) { return 2 * (invocation % 16 / 8) + invocation / 2 % 2; }
inline constexpr float kDepth = 0.5f;     ///< gl_FragCoord.z
inline constexpr uint32_t kInstance = 2;  ///< gl_InstanceIndex; gl_VertexIndex is the invocation

/// What every texture of a shader is, and how it is read.
struct Sampling {
  enum class Wrap : uint8_t { repeat, mirror, clamp };
  uint32_t width = 4, height = 4;
  bool linear = false;  ///< those that are compared are nearest
  Wrap wrap = Wrap::repeat;
};
/// Strict chips repeat powers of two only; else the program does it, and the unit clamps.
constexpr bool wraps_in_program(const Sampling& s, uint32_t size) { return s.wrap != Sampling::Wrap::clamp && (size & (size - 1)); }
inline constexpr uint32_t kMostTexels = 2048;  ///< each way
/// Error of a linear filter with texels from 0 to 1: the chip's weights have 8 bits.
inline constexpr float kFilterError = 0x1p-7f;

/// Channel c of texel x, y; 8 bits.
constexpr uint32_t texel(uint32_t x, uint32_t y, uint32_t c) { return (x * 16 + y * 4 + c * 60 + 5) & 255; }

struct Inputs {
  uint32_t invocations = 4 * kBlock;
  std::vector<std::array<Vec4, kLocations>> values;  ///< by invocation and location; integers as numbers
  std::vector<std::vector<uint8_t>> blocks;          ///< of Module::blocks, as they lie in memory
  Sampling sampling;
};

/// Slots of a result: outputs by location, and two that have none.
inline constexpr uint32_t kPosition = 16, kExtra = 17, kSlots = 18;  ///< gl_Position; gl_PointSize or gl_FragDepth
using Result = std::array<Vec4, kSlots>;
struct Results {
  std::vector<Result> value;    ///< by invocation
  std::vector<uint8_t> killed;  ///< by invocation
};

/// Numbers between `low` and `high` by a seed, with at most 11 significant bits, so that they are the same in 24 bits; integers and
/// booleans of uniforms from 0 to 3.
Inputs random_inputs(const Module& module, float low, float high, uint32_t seed);

/// The same with inputs that change little within a quad, and linearly: the differences between its pixels are nearly derivatives.
Inputs smooth(const Module& module, const Inputs& inputs, uint32_t seed);

/// The same with every number of type float changed by up to `step` times itself.
Inputs neighbour(const Module& module, const Inputs& inputs, float step, uint32_t seed);

/// Overwrites what a text names. A line is `NAME NUMBER...`, NAME an input, a member of a uniform block (`BLOCK.MEMBER` or `MEMBER`), or
/// `invocation N`: what follows is for this one, until the next; before the first, for all. `#` begins a remark. False with file, line and
/// reason.
bool read_inputs(const std::string& file, const Module& module, Inputs& inputs, std::string& error);

}  // namespace pumice::run
