// SPDX-License-Identifier: MIT
/// See counts.h.
#include "hw/radeon/ref/xv/counts.h"

#include <algorithm>
#include <array>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/ref/vap/assemble.h"

namespace pumice::hw::xv {

namespace r = regs::r5x;

void count_vertices(const DrawContext& ctx, const DrawInput& input, Sequence& sequence, PipelineCounts& counts) {
  constexpr uint32_t kEntries = 256;
  constexpr uint64_t kNone = ~uint64_t{0};
  std::array<uint64_t, kEntries> cache;
  cache.fill(kNone);
  const uint32_t base = ctx.state.get<r::X_DRAW_BASE_VERTEX>().raw, type = input.vf_cntl.PRIM_TYPE();
  const uint32_t code = provoking(ctx.state, input.vf_cntl);
  uint64_t primitives = 0, shaded = 0;
  sequence.for_each_run([&](std::span<const uint32_t> run) {
    const auto use = [&](uint32_t position) {
      const uint32_t index = run[position] + base;
      uint64_t& entry = cache[index % kEntries];
      if (entry == index) return;
      entry = index;
      ++shaded;
    };
    return vap::assemble(type, uint32_t(run.size()), code, [&](const vap::Assembled& a) {
      ++primitives;
      for (uint32_t i = 0; i < vap::corner_count(a.kind); ++i) use(a.element[i]);
      use(a.provoking);
      return true;
    });
  });
  // Each instance begins with an empty cache.
  const uint64_t instances = std::max(ctx.state.get<r::X_DRAW_INSTANCES>().raw, 1u);
  counts.vertices += instances * sequence.vertices();
  counts.primitives += instances * primitives;
  counts.clip_invocations += instances * primitives;
  counts.vertex_invocations += instances * shaded;
}

}  // namespace pumice::hw::xv
