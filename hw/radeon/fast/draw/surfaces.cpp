// SPDX-License-Identifier: MIT
/// See surfaces.h.
#include "hw/radeon/fast/draw/surfaces.h"

#include <algorithm>

#include "hw/radeon/decode/tx/texture.h"

namespace pumice::hw::fast {

namespace {

ByteRange range_of(uint64_t base, const surface::Layout& layout, const output::Rect& r, uint32_t samples) {
  constexpr uint64_t kMacrotile = 2048, kMicrotile = 32;
  const uint64_t unit = layout.macro_tiled ? kMacrotile : layout.micro ? kMicrotile : layout.bytes_per_pixel;
  const uint64_t first = surface::offset(layout, static_cast<uint32_t>(r.x0), static_cast<uint32_t>(r.y0));
  const uint64_t last = surface::offset(layout, static_cast<uint32_t>(r.x1 - 1), static_cast<uint32_t>(r.y1 - 1)) +
                        uint64_t{samples - 1} * (layout.pitch_px / samples) * layout.bytes_per_pixel;
  // Swaps may move bytes inside a dword.
  return {(base + first / unit * unit) & ~3ull, (base + last / unit * unit + unit + 3) & ~3ull};
}

void add(WrittenSurfaces& out, const surface::PixelAccess& access, const output::Rect& rect, int32_t x_offset, int32_t y_offset,
         const Memory& memory, uint32_t samples, const zb::FastFill& fill = {}) {
  int64_t x0 = int64_t{rect.x0} + x_offset, y0 = int64_t{rect.y0} + y_offset, x1 = int64_t{rect.x1} + x_offset,
          y1 = int64_t{rect.y1} + y_offset;
  zb::grow_to_tiles(fill, x0, y0, x1, y1);
  const output::Rect r{static_cast<int32_t>(x0), static_cast<int32_t>(y0), static_cast<int32_t>(x1), static_cast<int32_t>(y1)};
  if (r.x0 < 0 || r.y0 < 0) {
    out.backed = false;  // negative positions are dropped; the reference blocks say how
    return;
  }
  WrittenSurface& s = out.surface[static_cast<size_t>(out.count++)];
  s = {range_of(access.base, access.layout, r, samples), access.base, access.layout, access.endian, x_offset, y_offset, samples};
  out.backed &= memory.backed(s.range.begin, s.range.end - s.range.begin);
  if (!fill.ram) return;
  const uint64_t first = fill.dword_of(static_cast<uint32_t>(r.x0), static_cast<uint32_t>(r.y0));
  const uint64_t last = fill.dword_of(static_cast<uint32_t>(r.x1 - 1), static_cast<uint32_t>(r.y1 - 1));
  out.zmask = {static_cast<uint32_t>(std::min<uint64_t>(first, fill.dwords)),
               static_cast<uint32_t>(std::min<uint64_t>(last + 1, fill.dwords)),
               fill.first,
               fill.row,
               fill.shift,
               x_offset,
               y_offset};
}

void add_mask(WrittenSurfaces& out, const rb3d::ColorMask& mask, const output::Rect& r) {
  if (!mask.ram) return;
  const auto dword = [&](int32_t x, int32_t y) {
    return std::min<uint64_t>(mask.dword_of(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), mask.dwords);
  };
  const auto begin = static_cast<uint32_t>(dword(r.x0, r.y0)), end = static_cast<uint32_t>(dword(r.x1 - 1, r.y1 - 1));
  out.cmask[static_cast<size_t>(out.cmask_count++)] = {begin, std::min(end + 1, mask.dwords), mask.first, mask.row};
}

void add_use(std::vector<ZmaskUse>& uses, const ZmaskUse& use) {
  if (use.empty()) return;
  const auto known = std::find_if(uses.begin(), uses.end(), [&](const ZmaskUse& z) { return z.same_tiles(use); });
  if (known == uses.end()) {
    uses.push_back(use);
  } else {
    known->begin = std::min(known->begin, use.begin);
    known->end = std::max(known->end, use.end);
  }
}

bool conflicts_with(const std::vector<ZmaskUse>& uses, const ZmaskUse& use) {
  return std::any_of(uses.begin(), uses.end(), [&](const ZmaskUse& z) { return z.overlaps(use) && !z.same_tiles(use); });
}

}  // namespace

WrittenSurfaces written_surfaces(const output::State& state, const output::Rect& rect, const Memory& memory) {
  WrittenSurfaces out;
  if (rect.empty()) return out;
  if (state.zb.enabled && !state.zb.cb_clear && !state.zb.reserved_format && !state.zb.sample_tiles)
    add(out, state.zb.depth, rect, state.zb.x_offset, state.zb.y_offset, memory, state.samples, state.zb.fast_fill);
  if (state.resolves) {
    const rb3d::Resolve& r = state.resolving.reference;
    add(out, r.from.sample(0, state.samples), rect, 0, 0, memory, state.samples);
    add(out, r.to, rect, 0, 0, memory, 1);
    add_mask(out, r.mask, rect);
  }
  for (int i = 0; i < state.target_count; ++i) {
    const output::Target& t = state.target[static_cast<size_t>(i)];
    const output::Rect r = t.color_mask.ram ? output::whole_blocks(rect) : rect;
    add(out, t.reference.pixels, r, 0, 0, memory, state.samples);
    add_mask(out, t.color_mask, r);
  }
  return out;
}

SampledRanges sampled_ranges(const ChipState& state, const Memory& memory, uint32_t units) {
  SampledRanges out;
  hw::tx::Complaints complaints = 0;  // said when the unit is used
  for (uint32_t unit = 0; unit < most::texture_units; ++unit) {
    if (!(units >> unit & 1)) continue;
    const hw::tx::Texture t = hw::tx::read_registers(state, unit, complaints);
    const hw::tx::MipLevel last = hw::tx::mip_level(t.mips, t.num_levels);
    const uint64_t end = t.base + last.offset + last.layer_bytes * last.layers;
    // Endian swaps read whole dwords, pairs of texels four bytes.
    out.range[static_cast<size_t>(out.count++)] = {t.base & ~3ull, (end + 3) & ~3ull};
    out.backed &= memory.backed(t.base & ~3ull, ((end + 3) & ~3ull) - (t.base & ~3ull));
  }
  return out;
}

bool PendingMemory::writes(const ByteRange& range) const {
  return std::any_of(written_.begin(), written_.end(), [&](const WrittenSurface& w) { return w.range.overlaps(range); });
}

bool PendingMemory::conflicts(const WrittenSurfaces& written, const SampledRanges& sampled) const {
  for (int i = 0; i < sampled.count; ++i)
    if (writes(sampled.range[static_cast<size_t>(i)])) return true;
  for (int i = 0; i < written.count; ++i) {
    const WrittenSurface& s = written.surface[static_cast<size_t>(i)];
    for (const WrittenSurface& w : written_)
      if (w.range.overlaps(s.range) && !w.same_pixels(s)) return true;
    for (const ByteRange& r : sampled_)
      if (r.overlaps(s.range)) return true;
  }
  for (int i = 0; i < written.cmask_count; ++i)
    if (conflicts_with(cmask_, written.cmask[static_cast<size_t>(i)])) return true;
  return conflicts_with(zmask_, written.zmask);
}

DrawExecutor::RamRange PendingMemory::in_use(OnChipRam which) const {
  DrawExecutor::RamRange all;
  for (const ZmaskUse& z : which == OnChipRam::cmask ? cmask_ : zmask_)
    all = all.empty() ? DrawExecutor::RamRange{z.begin, z.end}
                      : DrawExecutor::RamRange{std::min(all.begin, z.begin), std::max(all.end, z.end)};
  return all;
}

void PendingMemory::add(const WrittenSurfaces& written, const SampledRanges& sampled) {
  for (int i = 0; i < written.count; ++i) {
    const WrittenSurface& s = written.surface[static_cast<size_t>(i)];
    const auto known = std::find_if(written_.begin(), written_.end(), [&](const WrittenSurface& w) { return w.same_pixels(s); });
    if (known == written_.end()) {
      written_.push_back(s);
    } else {
      known->range.begin = std::min(known->range.begin, s.range.begin);
      known->range.end = std::max(known->range.end, s.range.end);
    }
  }
  add_use(zmask_, written.zmask);
  for (int i = 0; i < written.cmask_count; ++i) add_use(cmask_, written.cmask[static_cast<size_t>(i)]);
  for (int i = 0; i < sampled.count; ++i) {
    const ByteRange& r = sampled.range[static_cast<size_t>(i)];
    if (std::none_of(sampled_.begin(), sampled_.end(), [&](const ByteRange& o) { return o.begin == r.begin && o.end == r.end; }))
      sampled_.push_back(r);
  }
}

}  // namespace pumice::hw::fast
