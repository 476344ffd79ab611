// SPDX-License-Identifier: MIT
/// See wide.h: lane by lane with the reference's arithmetic.
#include "hw/radeon/fast/extended/wide.h"

#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/ref/us/wide.h"

namespace pumice::hw::fast::extended {

void wide_lanes(GroupArgs* args, GroupArgs*) {
  const OrdinaryFloats ordinary;
  const auto op = static_cast<hw::us::wide::WideOp>(args->wide & 255u);
  for (uint32_t c = 0; c <= (args->wide >> 8) * 2; c += 2)
    for (uint32_t l = 0; l < kLanes; ++l) {
      const auto operand = [&](uint32_t n) {
        const auto word = [&](uint32_t i) { return uint64_t{std::bit_cast<uint32_t>(args->temp[n][c + i].v[l])}; };
        return word(1) << 32 | word(0);
      };
      const uint64_t r = hw::us::wide::evaluate(op, operand(0), operand(1), operand(2));
      args->out[c].v[l] = std::bit_cast<float>(uint32_t(r)), args->out[c + 1].v[l] = std::bit_cast<float>(uint32_t(r >> 32));
    }
}

}  // namespace pumice::hw::fast::extended
