// SPDX-License-Identifier: MIT
/// See stretch.h: decodes registers to a Plan.
#include <algorithm>

#include "hw/radeon/fast/blit/stretch.h"
#include "hw/common/simd/choose.h"
#include "hw/radeon/fast/pixel/output.h"
#include "hw/radeon/fast/texture/tx.h"
#include "hw/radeon/jit/us/texel_copy.h"

namespace pumice::hw::fast {

namespace portable {
void draw_stretched(const stretch::Plan& plan, const stretch::Piece& piece);
}
namespace avx2 {
void draw_stretched(const stretch::Plan& plan, const stretch::Piece& piece);
}
namespace avx512 {
void draw_stretched(const stretch::Plan& plan, const stretch::Piece& piece);
}

namespace stretch {

namespace {

/// Unsigned bytes over 255, finest level only, with one filter for every level of detail.
bool takes(const tx::Prepared& u) {
  if (!u.direct || u.shape != tx::Shape::flat || u.texels != tx::Texels::codes4 || !u.constant_level) return false;
  return std::all_of(u.field, u.field + 4, [](const tx::Unit::Field& f) { return f.divisor == 255.0f; });
}

}  // namespace

Routine routine(Cpu cpu) {
  PUMICE_RETURN_FOR(cpu, draw_stretched);
}

bool make_plan(Plan& plan, const us::TexelCopy& copy, const tx::Prepared& unit, const output::State& output) {
  using us::TexelCopy;
  if (!copy.is || output.samples > 1 || output.resolves || output.depth || output.fog_alpha || output.zero_output || output.color_reports ||
      output.target_count != 1)
    return false;
  const output::Target& target = output.target[0];
  if (target.source != copy.target || !output::stores_codes(target)) return false;
  if (!takes(unit)) return false;
  plan.unit = &unit;
  plan.linear = unit.linear[0];
  plan.unscaled = copy.unscaled;
  plan.s = copy.s, plan.t = copy.t;
  plan.keep = plan.set = 0;
  plan.swizzled = false;
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t from = copy.channel[target.channel[i]];
    if (from < 4) from = unit.select[from] < 4 ? unit.select[from] : unit.select[from] == 5 ? TexelCopy::kOne : TexelCopy::kZero;
    if (from < 4) plan.keep |= 0xFFu << (8 * i);
    if (from == TexelCopy::kOne) plan.set |= 0xFFu << (8 * i);
    plan.order[i] = static_cast<uint8_t>(from < 4 ? from : i);
    plan.swizzled |= plan.order[i] != i;
  }
  plan.target = target.host.base;
  plan.pitch = target.host.pitch_bytes;
  return true;
}

}  // namespace stretch
}  // namespace pumice::hw::fast
