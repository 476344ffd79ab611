// SPDX-License-Identifier: MIT
/// See resolve.h. Of kinds that are not averaged byte by byte vectors copy what all samples of a pixel agree on, and the reference does
/// the rest: pixels at edges.
#include "hw/radeon/fast/blit/resolve.h"

#include "hw/common/simd/choose.h"
#include "hw/radeon/fast/blit/resolve_rows.h"

namespace pumice::hw::fast {

namespace portable {
void resolve_rows(const ResolveRows& rows);
}
namespace avx2 {
void resolve_rows(const ResolveRows& rows);
}
namespace avx512 {
void resolve_rows(const ResolveRows& rows);
}

namespace {

void mixed(const ResolveRows& rows, const std::byte* from, std::byte* to, uint64_t bytes) {
  ResolveInput in = *static_cast<const ResolveInput*>(rows.user);
  in.from = from, in.to = to;
  execute_resolve(in, {0, 0, static_cast<uint32_t>(bytes / in.pixel_bytes), 1});
}

}  // namespace

void resolve_rows(Cpu cpu, const ResolveRows& rows) { PUMICE_RETURN_FOR(cpu, resolve_rows(rows)); }

void resolve(Cpu cpu, const ResolveInput& in, const RowsPart& part) {
  const uint64_t x = uint64_t{part.x} * in.pixel_bytes, y = part.y;
  ResolveRows rows;
  rows.from = in.from + (y << in.samples_log2) * in.source_pitch + x, rows.from_pitch = in.source_pitch;
  rows.to = in.to + y * in.pitch + x, rows.pitch = in.pitch;
  rows.bytes = uint64_t{part.columns} * in.pixel_bytes, rows.rows = part.rows;
  rows.samples_log2 = in.samples_log2;
  rows.by_bytes = in.kind == ResolveInput::Kind::unorm8;
  rows.mixed = mixed, rows.user = &in;
  resolve_rows(cpu, rows);
}

}  // namespace pumice::hw::fast
