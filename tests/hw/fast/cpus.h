// SPDX-License-Identifier: MIT
/// The instruction sets that a test runs with: those of this processor. The others are named as skipped, once per program.
#pragma once
#include <cstdio>
#include <vector>

#include "hw/common/simd/cpu.h"

namespace pumice::hw::fast {

inline const std::vector<Cpu>& cpus() {
  static const std::vector<Cpu> list = [] {
    constexpr const char* kNames[kCpus] = {"portable", "avx2", "avx512"};
    std::vector<Cpu> here;
    for (int i = 0; i < kCpus; ++i) {
      if (runs(Cpu(i)))
        here.push_back(Cpu(i));
      else
        std::printf("skipped: %s, which this processor lacks\n", kNames[i]);
    }
    return here;
  }();
  return list;
}

}  // namespace pumice::hw::fast
