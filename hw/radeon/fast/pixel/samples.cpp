// SPDX-License-Identifier: MIT
/// Colour of multisampled targets: blocks and rectangles with a colour mask (hw/radeon/decode/rb3d/color_mask.h). Such surfaces are
/// linear and backed for all blocks of the draw's rectangle here (prepare.cpp).
#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/radeon/fast/pixel/routines.h"

namespace pumice::hw::fast::output {
namespace {

using rb3d::ColorMask;

constexpr int32_t kSide = ColorMask::kSide;
constexpr int32_t kFour = 4 * kSide;  ///< pixels of the blocks in a row of a mask's dword
constexpr size_t kMostShort = 12;     ///< maximum pixels per row for resolve_blocks()

std::byte* pixel(const HostSurface& s, int32_t x, int32_t y) {
  return s.base + static_cast<uint64_t>(y) * s.pitch_bytes + static_cast<uint64_t>(x) * s.layout.bytes_per_pixel;
}

/// Rows of a few blocks: a call would cost more than the copy.
inline void copy_short(std::byte* to, const std::byte* from, size_t size) {
  for (; size >= 16; size -= 16, to += 16, from += 16) std::memcpy(to, from, 16);
  if (size & 8) std::memcpy(to, from, 8), to += 8, from += 8;
  if (size & 4) std::memcpy(to, from, 4), to += 4, from += 4;
  if (size & 3) std::memcpy(to, from, size & 3);
}

void change_block(const ColorMask& mask, const HostSurface& host, uint32_t samples, int32_t x, int32_t y, uint32_t code, bool compress);

/// rb3d::ready_block for surfaces on the host. `host`: sample 0's.
inline bool ready_block(const ColorMask& mask, const HostSurface& host, uint32_t samples, int32_t x, int32_t y, bool alike) {
  const uint32_t code = mask.code(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
  if (code == ColorMask::kExpanded) return false;
  const bool compress = alike && !mask.expands;
  if (!compress || code != ColorMask::kCompressed) change_block(mask, host, samples, x, y, code, compress);
  return compress;
}

/// Expands the block to memory, to sample 0 only or to all samples.
void change_block(const ColorMask& mask, const HostSurface& host, uint32_t samples, int32_t x, int32_t y, uint32_t code, bool compress) {
  const size_t bytes = host.layout.bytes_per_pixel, size = kSide * bytes;
  const uint64_t stride = host.pitch_bytes / samples;
  std::byte row[kSide * 8];
  if (code == ColorMask::kCleared)
    for (size_t i = 0; i < size; i += bytes) copy_short(row + i, reinterpret_cast<const std::byte*>(mask.clear.data()), bytes);
  std::byte* to = pixel(host, x & -kSide, y & -kSide);
  for (int32_t j = 0; j < kSide; ++j, to += host.pitch_bytes) {
    if (code == ColorMask::kCleared)
      copy_short(to, row, size);
    else
      copy_short(row, to, size);
    for (uint32_t s = 1; s < samples && !compress; ++s) copy_short(to + s * stride, row, size);
  }
  mask.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), compress ? ColorMask::kCompressed : ColorMask::kExpanded);
}

}  // namespace

void color_of_samples(const State& state, int32_t x, int32_t y, const LaneMask* mask, const Lanes (&color)[4][4]) {
  uint32_t any = 0;
  bool alike = true;
  for (uint32_t s = 0; s < state.samples; ++s) any |= mask[s], alike &= mask[s] == mask[0];
  if (any == 0) return;
  if (state.color_reports) state.raise(state.color_reports);
  if (state.resolves) return resolve(state, x, y, static_cast<LaneMask>(any));
  for (int i = 0; i < state.target_count; ++i) {
    const auto n = static_cast<size_t>(i);
    const ColorMask& blocks = state.target[n].color_mask;
    const bool once = blocks.ram && ready_block(blocks, state.target[n].host, state.samples, x, y, alike);
    for (uint32_t s = 0; s < (once ? 1 : state.samples); ++s) {
      const State& one = *state.of_sample[s];
      const Target& t = one.target[n];
      if (mask[s]) t.routine(one, t, x, y, mask[s], color[t.source]);
    }
  }
}

void fill_masked(const State& state, size_t i, const rb3d::PixelBits& bits, const Rect& r) {
  const RoutineTable& routines = routine_table(state.cpu);
  const Target& t = state.target[i];
  const uint64_t stride = t.host.pitch_bytes / state.samples;
  for (int32_t y = r.y0 & -kSide; y < r.y1; y += kSide)
    for (int32_t x = r.x0 & -kSide; x < r.x1;) {
      // A run of blocks that store one value for all samples, or of blocks that do not.
      const auto once_at = [&](int32_t bx) {
        const uint32_t code = t.color_mask.code(static_cast<uint32_t>(bx), static_cast<uint32_t>(y));
        if (code == ColorMask::kExpanded) return false;
        const bool whole = bx >= r.x0 && bx + kSide <= r.x1 && y >= r.y0 && y + kSide <= r.y1;
        if (!whole || t.color_mask.expands) return ready_block(t.color_mask, t.host, state.samples, bx, y, true);
        t.color_mask.set(static_cast<uint32_t>(bx), static_cast<uint32_t>(y), ColorMask::kCompressed);
        return true;
      };
      const int32_t from = std::max(x, r.x0);
      const bool once = once_at(x);
      bool next = once;
      for (x += kSide; x < r.x1; x += kSide) {
        next = once_at(x);
        if (next != once) break;
      }
      const auto count = static_cast<size_t>(std::min(x, r.x1) - from);
      for (int32_t row = std::max(y, r.y0); row < std::min(y + kSide, r.y1); ++row)
        for (uint32_t s = 0; s < (once ? 1 : state.samples); ++s)
          routines.fill_row(pixel(t.host, from, row) + s * stride, bits.data(), t.bytes, count);
    }
}

/// Whether the average of equal samples is bit-identical to them.
static bool keeps_alike(const Resolving& r) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < r.fields; ++i) bits += r.width[i];
  return r.kind == Resolving::Kind::unorm && bits == 8 * r.period;
}

/// A few expanded blocks side by side: their rows one after the other, since short rows cost as much as long ones.
static void resolve_blocks(const Resolving& r, uint64_t stride, int32_t x, int32_t y, size_t count) {
  const size_t row = count * r.bytes, size = row * kSide;
  alignas(64) std::byte samples[sc::Samples::kMost][kMostShort * kSide * 8], out[kMostShort * kSide * 8];
  for (uint32_t s = 0; s < r.samples; ++s)
    for (int32_t j = 0; j < kSide; ++j) copy_short(samples[s] + static_cast<size_t>(j) * row, pixel(r.from, x, y + j) + s * stride, row);
  r.row(r, samples[0], sizeof samples[0], out, size / r.bytes);
  for (int32_t j = 0; j < kSide; ++j) copy_short(pixel(r.to, x, y + j), out + static_cast<size_t>(j) * row, row);
}

void resolve_masked(const State& state, const Rect& rect) {
  const Resolving& r = state.resolving;
  const RoutineTable& routines = routine_table(state.cpu);
  const ColorMask& mask = r.reference.mask;
  const bool copies = keeps_alike(r);
  const size_t bytes = r.from.layout.bytes_per_pixel;
  rb3d::PixelBits cleared{};  // resolved
  r.row(r, reinterpret_cast<const std::byte*>(mask.clear.data()), 0, reinterpret_cast<std::byte*>(cleared.data()), 1);
  for (int32_t y = rect.y0 & -kSide; y < rect.y1; y += kSide)
    for (int32_t x = rect.x0 & -kSide; x < rect.x1;) {
      const auto code_at = [&](int32_t bx) { return mask.code(static_cast<uint32_t>(bx), static_cast<uint32_t>(y)); };
      const int32_t from = std::max(x, rect.x0);
      const uint32_t code = code_at(x);
      x += kSide;
      while (x < rect.x1)
        if (x % kFour == 0 && mask.four_are(static_cast<uint32_t>(x), static_cast<uint32_t>(y), code))
          x += kFour;
        else if (code_at(x) == code)
          x += kSide;
        else
          break;
      const auto count = static_cast<size_t>(std::min(x, rect.x1) - from);
      if (code == ColorMask::kExpanded && count <= kMostShort && y >= rect.y0 && y + kSide <= rect.y1) {
        resolve_blocks(r, r.from.pitch_bytes / state.samples, from, y, count);
        continue;
      }
      for (int32_t row = std::max(y, rect.y0); row < std::min(y + kSide, rect.y1); ++row) {
        std::byte* const to = pixel(r.to, from, row);
        if (code == ColorMask::kCleared) {
          routines.fill_row(to, cleared.data(), static_cast<uint32_t>(bytes), count);
        } else if (code == ColorMask::kCompressed && copies) {
          if (count <= kMostShort)
            copy_short(to, pixel(r.from, from, row), count * bytes);
          else
            std::memcpy(to, pixel(r.from, from, row), count * bytes);
        } else {
          r.row(r, pixel(r.from, from, row), code == ColorMask::kExpanded ? r.from.pitch_bytes / state.samples : 0, to, count);
        }
      }
    }
}

}  // namespace pumice::hw::fast::output
