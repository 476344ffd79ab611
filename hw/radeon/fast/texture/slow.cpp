// SPDX-License-Identifier: MIT
/// Lookups through the reference, for units that have no SIMD routine or whose memory is not fully backed; and disabled units.
#include "hw/radeon/fast/texture/tx.h"

namespace pumice::hw::fast::tx {
namespace {

constexpr hw::tx::Lookup kLookup[kKinds] = {hw::tx::Lookup::ld, hw::tx::Lookup::proj, hw::tx::Lookup::lod_bias, hw::tx::Lookup::lod,
                                            hw::tx::Lookup::dxdy};

/// Quads without an active lane are skipped: they must not fault.
void slow(const Unit& unit, SampleArgs& a, LookupKind kind, bool unscaled) {
  const Prepared& u = static_cast<const Prepared&>(unit);
  if (u.complaints && !u.touched.load(std::memory_order_relaxed)) u.touched.store(true, std::memory_order_relaxed);
  hw::tx::Request request;
  request.lookup = kLookup[static_cast<size_t>(kind)];
  request.unscaled = unscaled;
  for (int first = 0; first < kLanes; first += 4) {
    if (!(a.active >> first & 15)) continue;
    for (int p = 0; p < 4; ++p)
      for (size_t c = 0; c < 4; ++c) {
        request.coord[size_t(p)][c] = a.coord[c].v[first + p];
        if (kind != LookupKind::dxdy) continue;
        request.dx[size_t(p)][c] = a.dx[c].v[first + p];
        request.dy[size_t(p)][c] = a.dy[c].v[first + p];
      }
    std::array<Vec4, 4> out;
    const uint32_t killed = hw::tx::lookup(*u.memory, *u.kernel, u.texture, request, out);
    a.killed |= static_cast<LaneMask>(killed << first & a.active);
    for (int p = 0; p < 4; ++p)
      for (size_t c = 0; c < 4; ++c) a.out[c].v[first + p] = out[size_t(p)][c];
  }
}

template <LookupKind kKind, bool kUnscaled>
void slow_entry(const Unit& unit, SampleArgs& args) {
  slow(unit, args, kKind, kUnscaled);
}

void disabled(const Unit&, SampleArgs& args) {
  for (int c = 0; c < 4; ++c)
    for (float& v : args.out[c].v) v = c == 3 ? 1.0f : 0.0f;
}

template <bool kUnscaled>
constexpr std::array<SampleRoutine, size_t(LookupKind::count)> kSlow = {
    slow_entry<LookupKind::ld, kUnscaled>, slow_entry<LookupKind::proj, kUnscaled>, slow_entry<LookupKind::lod_bias, kUnscaled>,
    slow_entry<LookupKind::lod, kUnscaled>, slow_entry<LookupKind::dxdy, kUnscaled>};

}  // namespace

void use_slow_routines(Prepared& unit) {
  unit.routine = kSlow<false>;
  unit.routine_unscaled = kSlow<true>;
}

void use_disabled_routines(Prepared& unit) {
  unit.routine.fill(disabled);
  unit.routine_unscaled.fill(disabled);
}

void take_reports(const Prepared& unit, DrawContext& ctx) {
  if (unit.touched.exchange(false)) hw::tx::report(ctx, unit.number, unit.complaints);
}

}  // namespace pumice::hw::fast::tx
