// SPDX-License-Identifier: MIT
/// Reader of the vector container "RDPVEC01" (docs/rdp.md section 7) and the check of one vector.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/rdp/rdp.h"

namespace pumice::hw::rdp {

struct VectorRegion {
  uint32_t kind = 0;  // 0 bytes, 1 hidden bits (one byte per halfword)
  uint32_t address = 0, length = 0;
  std::vector<uint8_t> data;
};

struct Vector {
  static constexpr uint32_t kExpected = 1, kQuirk = 2, kNoHidden = 4;
  std::string name;
  uint32_t flags = 0, rdram_size = 0;
  std::vector<VectorRegion> preload, outputs;
  std::vector<uint64_t> commands;
};

/// False, with a reason, if the file cannot be read or is damaged.
bool read_vectors(const std::string& path, std::vector<Vector>& out, std::string& error);

/// Runs the list and compares outputs, all other bytes and hidden bits. Empty if equal, else the first difference.
std::string check_vector(const Vector& v, Execution execution = Execution::simd, unsigned threads = 1);

}  // namespace pumice::hw::rdp
