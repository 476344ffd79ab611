// SPDX-License-Identifier: MIT
/// The fragment programs of tests/bench/scenes as the compiler makes them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace pumice::hw::fast::us {

struct SceneProgram {
  const char* name;
  std::vector<std::array<uint32_t, 6>> code;
  std::array<std::array<float, 4>, 256> constants{};
  std::array<uint32_t, 32> int_constants{};
  uint32_t temps = 1;
  std::vector<uint32_t> varyings;  ///< temp of each
  bool textured = false;
};
std::vector<SceneProgram> scene_programs();

}  // namespace pumice::hw::fast::us
