// SPDX-License-Identifier: MIT
/// See filled_tiles.h.
#include "hw/radeon/fast/draw/filled_tiles.h"

#include <algorithm>
#include <utility>

#include "hw/radeon/fast/draw/held_fills.h"

namespace pumice::hw::fast {

namespace {

/// Sets the bits of tiles with primitives, of a target that is `across` tiles wide and `down` high.
void mark_drawn(uint64_t* bits, uint32_t across, uint32_t down, std::span<const uint32_t> tiles, std::span<const Bin> bins) {
  for (const uint32_t tile : tiles) {
    const uint32_t x = tile % raster::kTileStride, y = tile / raster::kTileStride, bit = y * across + x;
    if (x < across && y < down && bins[tile].first) bits[bit / 64] |= uint64_t{1} << bit % 64;
  }
}

size_t words_of(const Resolve& r) { return (static_cast<size_t>(r.across()) * static_cast<size_t>(r.down()) + 63) / 64; }

uint64_t* copy_of(const std::vector<uint64_t>& bits, Arena& arena) {
  auto* to = static_cast<uint64_t*>(arena.allocate(bits.size() * sizeof(uint64_t)));
  std::copy(bits.begin(), bits.end(), to);
  return to;
}

}  // namespace

/// For draws with pixels of `bytes` bytes and `count` samples.
void FilledTiles::Known::begin(uint32_t bytes, uint32_t count) {
  drawn = true;
  set_pixels(bytes, count);
}

void FilledTiles::Known::set_pixels(uint32_t bytes, uint32_t count) {
  if (pixel_bytes) return;
  pixel_bytes = bytes, samples = count;
  stale.assign((static_cast<size_t>(across()) * static_cast<size_t>(down()) + 63) / 64, 0);
}

/// In rectangles: large ones are filled by several threads.
void FilledTiles::Known::fill_stale(const FillNow& fill_now) {
  const int32_t width = across(), height = down();
  constexpr auto kSide = uint64_t{raster::kTile};
  const auto take = [&](int32_t x, int32_t y) {
    const auto bit = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
    stale[bit / 64] &= ~(uint64_t{1} << bit % 64);
  };
  for (int32_t y = 0; y < height; ++y)
    for (int32_t x = 0; x < width;) {
      const int32_t from = x;
      for (; x < width && is_stale(stale.data(), width, x, y); ++x) take(x, y);
      if (from == x) {
        ++x;
        continue;
      }
      int32_t end = y + 1;
      const auto row_is_stale = [&](int32_t row) {
        for (int32_t i = from; i < x; ++i)
          if (!is_stale(stale.data(), width, i, row)) return false;
        return true;
      };
      for (; end < height && row_is_stale(end); ++end)
        for (int32_t i = from; i < x; ++i) take(i, end);
      FillInput part = fill;
      const uint64_t first_row = static_cast<uint64_t>(y) * kSide * samples, first = static_cast<uint64_t>(from) * kSide * pixel_bytes;
      part.address += first_row * fill.pitch + first;
      part.rows = std::min(fill.rows - first_row, static_cast<uint64_t>(end - y) * kSide * samples);
      part.row_bytes = std::min(fill.row_bytes, static_cast<uint64_t>(x) * kSide * pixel_bytes) - first;
      if (part.row_bytes != fill.row_bytes) part.surface = 0;  // other pixels lie between the rows
      fill_now(part);
    }
}

FilledTiles::Known* FilledTiles::find(const FillInput& f) {
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return same_fill(k.fill, f); });
  return f.surface && known != known_.end() ? &*known : nullptr;
}

void FilledTiles::add(Known&& known) {
  ++changes_;
  if (known_.size() == kMost) known_.erase(known_.begin());
  known_.push_back(std::move(known));
}

void FilledTiles::fill(const FillInput& input, const FillNow& fill_now) {
  if (Known* known = find(input)) {
    known->fill_stale(fill_now);
    return;
  }
  forget(range_of(input));
  fill_now(input);
  if (input.surface) add({.fill = input});
}

/// Tiles of pixels of another size.
void FilledTiles::forget_others(const Clear& clear) {
  const Known* known = find(input_of(clear));
  if (known && known->pixel_bytes && (known->pixel_bytes != clear.pixel_bytes || known->samples != clear.samples))
    forget(range_of(known->fill));
}

void FilledTiles::fill(const Clear& clear, const FillNow& fill_now) {
  const FillInput input = input_of(clear);
  forget_others(clear);
  fill(input, fill_now);
  if (Known* known = find(input)) known->begin(clear.pixel_bytes, clear.samples);
}

void FilledTiles::begin(Clear& clear, Arena& arena) {
  const FillInput input = input_of(clear);
  clear.stale = nullptr;
  forget_others(clear);
  if (Known* known = find(input)) {
    known->begin(clear.pixel_bytes, clear.samples);
    clear.stale = copy_of(known->stale, arena);
    std::fill(known->stale.begin(), known->stale.end(), 0);
    return;
  }
  forget(range_of(input));
  if (!clear.surface) return;
  add({.fill = input});
  known_.back().begin(clear.pixel_bytes, clear.samples);
}

void FilledTiles::draw(uint64_t state, std::span<const footprint::TargetUse> uses) {
  if (known_.empty() || (seen_ == state && seen_at_ == changes_)) return;
  for (const footprint::TargetUse& u : uses) {
    if (!u.writes) continue;
    std::erase_if(known_, [&](Known& k) {
      if (!range_of(k.fill).overlaps(u.range)) return false;
      const FillInput& f = k.fill;
      if (u.layers != 1 || u.base != f.address || u.row != f.row_bytes || u.pitch != f.pitch || u.rows != f.rows) return true;
      if (k.pixel_bytes && (k.pixel_bytes != u.bytes || k.samples != 1u << u.samples_log2)) return true;
      k.begin(u.bytes, 1u << u.samples_log2);
      return false;
    });
  }
  seen_ = state, seen_at_ = changes_;
}

void FilledTiles::close(std::span<const uint32_t> tiles, std::span<const Bin> bins, const Clears& transient) {
  for (Known& k : known_)
    if (k.drawn && fast::find(transient, k.fill.address) == transient.count)
      mark_drawn(k.stale.data(), static_cast<uint32_t>(k.across()), static_cast<uint32_t>(k.down()), tiles, bins);
}

void FilledTiles::resolve(Resolve& r, Arena& arena) {
  const ResolveInput& in = r.input;
  const auto source = std::find_if(known_.begin(), known_.end(), [&](const Known& k) {
    const FillInput& f = k.fill;
    return in.source_surface && f.surface == in.source_surface && f.address == in.source && f.row_bytes == in.row_bytes() &&
           f.pitch == in.source_pitch && f.rows == uint64_t{in.height} << in.samples_log2 && k.has_pixels(in.pixel_bytes, in.samples());
  });
  r.drawn = r.fill = nullptr;
  if (source == known_.end()) return forget({in.destination, in.destination + in.range()});
  source->set_pixels(in.pixel_bytes, in.samples());
  r.drawn = copy_of(source->stale, arena);
  resolve_to(r, source->fill, arena);
}

void FilledTiles::resolve_drawn(Resolve& r, const Clear& source, std::span<const uint32_t> tiles, std::span<const Bin> bins, Arena& arena) {
  std::vector<uint64_t> drawn(words_of(r));
  mark_drawn(drawn.data(), static_cast<uint32_t>(r.across()), static_cast<uint32_t>(r.down()), tiles, bins);
  r.drawn = copy_of(drawn, arena);
  resolve_to(r, input_of(source), arena);
}

/// Where nothing was drawn the destination gets the source's pattern: its pixels are all the same, so that each row begins with it.
void FilledTiles::resolve_to(Resolve& r, const FillInput& source, Arena& arena) {
  const ResolveInput& in = r.input;
  const uint64_t* const drawn = r.drawn;
  const size_t words = words_of(r);
  FillInput fill = source;
  fill.address = in.destination, fill.pitch = in.pitch, fill.rows = in.height, fill.surface = in.surface;
  r.to = {.base = in.destination,
          .to = in.to,
          .pitch = in.pitch,
          .pixel_bytes = in.pixel_bytes,
          .width = static_cast<int32_t>(in.width),
          .height = static_cast<int32_t>(in.height)};
  std::copy(fill.pattern.begin(), fill.pattern.end(), r.to.pattern);
  Known* known = find(fill);
  uint64_t* to_fill = nullptr;
  if (known && known->has_pixels(in.pixel_bytes, 1)) {
    known->set_pixels(in.pixel_bytes, 1);
    to_fill = copy_of(known->stale, arena);
  } else {
    to_fill = copy_of(std::vector<uint64_t>(words, ~uint64_t{0}), arena);
    forget({in.destination, in.destination + in.range()});
    known = nullptr;
    if (in.surface) {
      add({.fill = fill});
      known = &known_.back();
      known->set_pixels(in.pixel_bytes, 1);
    }
  }
  for (size_t i = 0; i < words; ++i) to_fill[i] &= ~drawn[i];
  r.fill = to_fill;
  if (known) std::copy(drawn, drawn + words, known->stale.begin());
}

void FilledTiles::settle() {
  for (Known& k : known_) k.drawn = false;
  seen_at_ = 0;
}

void FilledTiles::forget(const ByteRange& range) {
  if (std::erase_if(known_, [&](const Known& k) { return range_of(k.fill).overlaps(range); })) ++changes_;
}

}  // namespace pumice::hw::fast
