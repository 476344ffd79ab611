// SPDX-License-Identifier: MIT
/// See surfaces.h.
#include "hw/radeon/fast/draw/surfaces.h"

#include <algorithm>

namespace pumice::hw::fast {

using footprint::RamUse;
using footprint::Surface;

namespace {

void add_use(std::vector<RamUse>& uses, const RamUse& use) {
  if (use.empty()) return;
  const auto known = std::find_if(uses.begin(), uses.end(), [&](const RamUse& z) { return z.same_tiles(use); });
  if (known == uses.end()) {
    uses.push_back(use);
  } else {
    known->begin = std::min(known->begin, use.begin);
    known->end = std::max(known->end, use.end);
  }
}

bool conflicts_with(const std::vector<RamUse>& uses, const RamUse& use) {
  return std::any_of(uses.begin(), uses.end(), [&](const RamUse& z) { return z.overlaps(use) && !z.same_tiles(use); });
}

}  // namespace

WrittenSurfaces written_surfaces(const ChipState& state, const Memory& memory) {
  WrittenSurfaces out{.footprint = footprint::surfaces(state)};
  for (uint32_t i = 0; i < out.footprint.count; ++i) {
    const Surface& s = out.footprint.surface[i];
    out.range[i] = s.bytes();
    // Negative positions are dropped; as in the reference blocks.
    out.backed &= !s.leaves() && memory.backed(out.range[i].begin, out.range[i].size());
  }
  return out;
}

SampledRanges sampled_ranges(const ChipState& state, const Memory& memory, uint32_t units) {
  SampledRanges out;
  for (uint32_t unit = 0; unit < out.range.size(); ++unit) {
    if (!(units >> unit & 1)) continue;
    const ByteRange r = out.range[out.count++] = footprint::texture(state, unit);
    out.backed &= memory.backed(r.begin, r.size());
  }
  return out;
}

bool PendingMemory::writes(const ByteRange& range) const {
  return std::any_of(written_.begin(), written_.end(), [&](const Written& w) { return w.range.overlaps(range); }) ||
         std::any_of(targets_.begin(), targets_.end(), [&](const footprint::TargetUse& t) { return t.writes && t.range.overlaps(range); });
}

bool PendingMemory::writes(std::span<const ByteRange> ranges) const {
  return std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange& r) { return writes(r); });
}

bool PendingMemory::conflicts(const footprint::Extended& draw) const {
  if ((draw.reads_any || draw.reads_any_early) && wrote_any_) return true;
  if (writes(draw.read) || writes(draw.read_early) || writes(draw.buffers)) return true;
  const auto uses = draw.uses();
  return std::any_of(uses.begin(), uses.end(), [this](const footprint::TargetUse& t) { return conflicts(t); });
}

bool PendingMemory::conflicts(const footprint::TargetUse& t) const {
  for (const Written& w : written_)
    if (w.range.overlaps(t.range)) return true;
  for (const footprint::TargetUse& o : targets_)
    if ((t.writes || o.writes) && o.range.overlaps(t.range) && !o.same_pixels(t)) return true;
  return t.writes && (read_any_ || sampled_.overlaps(t.range));
}

void PendingMemory::add(const footprint::TargetUse& t) {
  writes_any_ |= t.writes;
  // Depth behind colour in memory may be like another layer of it, but is another target: see only_drawn_to().
  const auto known =
      std::find_if(targets_.begin(), targets_.end(), [&](const footprint::TargetUse& o) { return o.base == t.base && o.same_pixels(t); });
  if (known == targets_.end()) {
    targets_.push_back(t);
  } else {
    known->range = {std::min(known->range.begin, t.range.begin), std::max(known->range.end, t.range.end)};
    known->writes |= t.writes;
    if (known->what != t.what) known->what = footprint::What::anything;
  }
}

bool PendingMemory::touches(const ByteRange& range) const {
  return reads_any_ || read_any_ || sampled_.overlaps(range) || writes(range) ||
         std::any_of(targets_.begin(), targets_.end(), [&](const footprint::TargetUse& t) { return t.range.overlaps(range); });
}

bool PendingMemory::only_drawn_to(const footprint::TargetUse& rows) const {
  if (reads_any_ || read_any_ || sampled_.overlaps(rows.range)) return false;
  if (std::any_of(written_.begin(), written_.end(), [&](const Written& w) { return w.range.overlaps(rows.range); })) return false;
  return std::all_of(targets_.begin(), targets_.end(), [&](const footprint::TargetUse& t) {
    return !t.range.overlaps(rows.range) ||
           (t.layers == 1 && t.base == rows.base && t.row == rows.row && t.pitch == rows.pitch && t.rows == rows.rows);
  });
}

bool PendingMemory::only_targets(footprint::What what, const ByteRange& range) const {
  return std::all_of(targets_.begin(), targets_.end(),
                     [&](const footprint::TargetUse& t) { return !t.range.overlaps(range) || t.what == what; });
}

void PendingMemory::add(const footprint::Extended& draw) {
  for (const footprint::TargetUse& t : draw.uses()) add(t);
  add_reads(draw);
}

void PendingMemory::add_reads(const footprint::Extended& draw) {
  for (const ByteRange& r : draw.read) sampled_.add(r);
  reads_any_ |= draw.reads_any;
}

bool PendingMemory::conflicts(const WrittenSurfaces& written, const SampledRanges& sampled) const {
  for (const ByteRange& r : sampled.ranges())
    if (writes(r)) return true;
  for (size_t i = 0; i < written.surfaces().size(); ++i) {
    if (reads_any_ || read_any_) return true;
    for (const footprint::TargetUse& t : targets_)
      if (t.range.overlaps(written.range[i])) return true;
    for (const Written& w : written_)
      if (w.range.overlaps(written.range[i]) && !w.surface.same_pixels(written.surfaces()[i])) return true;
    if (sampled_.overlaps(written.range[i])) return true;
  }
  for (const RamUse& use : written.cmasks())
    if (conflicts_with(cmask_, use)) return true;
  return conflicts_with(zmask_, written.footprint.zmask);
}

DrawExecutor::RamRange PendingMemory::in_use(OnChipRam which) const {
  DrawExecutor::RamRange all;
  for (const RamUse& z : which == OnChipRam::cmask ? cmask_ : zmask_)
    all = all.empty() ? DrawExecutor::RamRange{z.begin, z.end}
                      : DrawExecutor::RamRange{std::min(all.begin, z.begin), std::max(all.end, z.end)};
  return all;
}

void PendingMemory::add(const WrittenSurfaces& written, const SampledRanges& sampled) {
  writes_any_ = true;
  for (size_t i = 0; i < written.surfaces().size(); ++i) {
    const Surface& s = written.surfaces()[i];
    const ByteRange& r = written.range[i];
    const auto known = std::find_if(written_.begin(), written_.end(), [&](const Written& w) { return w.surface.same_pixels(s); });
    if (known == written_.end()) {
      written_.push_back({r, s});
    } else {
      known->range = {std::min(known->range.begin, r.begin), std::max(known->range.end, r.end)};
    }
  }
  add_use(zmask_, written.footprint.zmask);
  for (const RamUse& use : written.cmasks()) add_use(cmask_, use);
  for (const ByteRange& r : sampled.ranges()) sampled_.add(r);
}

}  // namespace pumice::hw::fast
