// SPDX-License-Identifier: MIT
/// See held_fills.h.
#include "hw/radeon/fast/draw/held_fills.h"

#include <algorithm>

#include "hw/extents.h"

namespace pumice::hw::fast {

FillInput input_of(const Clear& c) {
  return {.address = c.base,
          .row_bytes = uint64_t{static_cast<uint32_t>(c.width)} * c.pixel_bytes,
          .pitch = c.pitch,
          .rows = uint64_t{static_cast<uint32_t>(c.height)} * c.samples,
          .pattern = std::to_array(c.pattern),
          .surface = c.surface};
}

bool HeldFills::behind() const {
  return std::any_of(fills_.begin(), fills_.end(), [](const Held& h) { return h.behind; });
}

void HeldFills::settle() {
  for (Held& h : fills_) h.behind = false;
}

bool HeldFills::overlaps(const ByteRange& range) const {
  return std::any_of(fills_.begin(), fills_.end(), [&](const Held& h) { return range_of(h.fill).overlaps(range); });
}

bool HeldFills::overlaps(std::span<const ByteRange> ranges) const {
  return !fills_.empty() && std::any_of(ranges.begin(), ranges.end(), [this](const ByteRange& r) { return overlaps(r); });
}

bool HeldFills::can_hold(const FillInput& input) {
  return range_of(input).size() >= kLeastBytes && (input.rows <= 1 || input.pitch >= input.row_bytes);
}

void HeldFills::make_room(const FillInput& input, const FillNow& fill_now) {
  std::erase_if(fills_, [&](const Held& held) {
    const FillInput& f = held.fill;
    if (!range_of(f).overlaps(range_of(input))) return false;
    if (!same_rows(f, input)) fill_now(f);
    return true;
  });
}

void HeldFills::add(const FillInput& input, bool behind, const FillNow& fill_now) {
  if (fills_.size() == kMost) fill_all(fill_now);
  fills_.push_back({input, behind});
}

void HeldFills::fill_all(const FillNow& fill_now) {
  for (const Held& h : fills_) fill_now(h.fill);
  fills_.clear();
}

void HeldFills::place(const footprint::Extended& draw, Memory& memory, const FillNow& fill_now, Clears& clears, const Writes& writes) {
  const auto overlap = [](const ByteRange& range, std::span<const ByteRange> ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange& r) { return r.overlaps(range); });
  };
  // First those that are done now: that may wait for what is queued.
  uint32_t count = 0;
  std::erase_if(fills_, [&](Held& held) {
    const FillInput& f = held.fill;
    const ByteRange range = range_of(f);
    const bool reads = draw.reads_any || draw.reads_any_early || overlap(range, draw.read) || overlap(range, draw.read_early) ||
                       overlap(range, draw.buffers);
    bool touches = reads;
    held.target = nullptr;
    for (const footprint::TargetUse& t : draw.uses()) {
      if (!t.range.overlaps(range)) continue;
      touches = true;
      const bool same = t.layers == 1 && t.base == f.address && t.row == f.row_bytes && t.pitch == f.pitch && t.rows == f.rows;
      const uint64_t width = t.row / t.bytes, height = t.rows >> t.samples_log2;
      if (reads || !same || count == Clears::kMost || width > kMaxExtent || height > kMaxExtent) continue;
      const auto rare = std::find(rare_.begin(), rare_.end(), f.address);
      if (rare != rare_.end() && !held.behind) {
        if (++placed_ % kRetry) continue;
        *rare = 0;
      }
      ++count;
      held.target = &t;
      return false;
    }
    if (touches) fill_now(f);
    return touches;
  });
  if (count == 0) return;
  std::erase_if(fills_, [&](const Held& held) {
    if (!held.target) return false;
    const FillInput& f = held.fill;
    const footprint::TargetUse& t = *held.target;
    // A depth target that is tested only is written all the same.
    footprint::TargetUse written = t;
    written.writes = true;
    written.range = {std::min(t.range.begin, f.address), std::max(t.range.end, f.address + f.range())};
    writes(written);
    Clear& c = clears.clear[clears.count++];
    c = {.base = t.base,
         .to = memory.host_pointer(t.base),
         .pitch = t.pitch,
         .pixel_bytes = t.bytes,
         .samples = 1u << t.samples_log2,
         .width = static_cast<int32_t>(t.row / t.bytes),
         .height = static_cast<int32_t>(t.rows >> t.samples_log2)};
    std::copy(f.pattern.begin(), f.pattern.end(), c.pattern);
    c.surface = f.surface;
    c.depth = t.what == footprint::What::depth;
    c.behind = held.behind;
    c.is_run = f.is_run();
    return true;
  });
}

}  // namespace pumice::hw::fast
