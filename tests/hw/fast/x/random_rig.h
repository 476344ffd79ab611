// SPDX-License-Identifier: MIT
/// XRig with random numbers, for tests of random draws and programs. Which seeds: tests/fuzz.h.
#pragma once
#include <random>

#include "hw/common/numerics/float_bits.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {

class RandomRig : public XRig {
 protected:
  uint32_t random() { return uint32_t(engine_()); }
  uint32_t below(uint32_t n) { return random() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  float between(float low, float high) { return low + (high - low) * float(below(1u << 20)) / float(1u << 20); }
  template <class R>
  void set_float(float v, uint32_t i = 0) {
    set(R{num::bits(v)}, i);
  }

  std::mt19937 engine_;
};

}  // namespace pumice::hw::x_test
