// SPDX-License-Identifier: MIT
/// See check.h.
#include "hw/radeon/fast/draw/check.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/radeon/draw/extended.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw::fast {

namespace {

constexpr uint64_t kPage = kPageBytes;

/// Calls f(address, offset, size) for the pieces of a range in backed pages.
template <class F>
void backed_pieces(const Memory& memory, const ByteRange& range, F f) {
  for (uint64_t at = range.begin; at < range.end;) {
    const uint64_t next = std::min(range.end, (at / kPage + 1) * kPage);
    if (memory.backed(at, next - at)) f(at, at - range.begin, next - at);
    at = next;
  }
}

}  // namespace

CheckExecutor::Bytes CheckExecutor::copy(const ByteRange& range) const {
  Bytes bytes(range.end - range.begin);
  backed_pieces(memory_, range, [&](uint64_t at, uint64_t offset, uint64_t size) { memory_.read(at, bytes.data() + offset, size); });
  return bytes;
}

void CheckExecutor::restore(const ByteRange& range, const Bytes& bytes) {
  backed_pieces(memory_, range, [&](uint64_t at, uint64_t offset, uint64_t size) { memory_.write(at, bytes.data() + offset, size); });
}

std::string CheckExecutor::difference(size_t number, const Bytes& wanted) const {
  const footprint::Surface& s = surfaces_.written().surfaces()[number];
  const ByteRange& range = surfaces_.written().range[number];
  const surface::PixelAccess pixels = s.pixels.sample(0, s.samples);
  const Bytes have = copy(range);
  const auto [at, other] = std::mismatch(have.begin(), have.end(), wanted.begin());
  if (at == have.end()) return {};
  const uint64_t byte = range.begin + static_cast<uint64_t>(at - have.begin()), bpp = pixels.layout.bytes_per_pixel;
  std::string text = (s.what == footprint::What::depth ? std::string("depth") : "colour surface " + decode::hex(pixels.base)) +
                     ", address " + decode::hex(byte);
  const output::Rect& r = surfaces_.rect();
  for (int32_t y = r.y0; y < r.y1; ++y)
    for (int32_t x = r.x0; x < r.x1; ++x) {
      const uint64_t pixel =
          pixels.base + surface::offset(pixels.layout, static_cast<uint32_t>(x + s.x_offset), static_cast<uint32_t>(y + s.y_offset));
      if (byte < pixel || byte >= pixel + bpp) continue;
      text += ", pixel (" + std::to_string(x) + ", " + std::to_string(y) + ")";
      const auto show = [&](const Bytes& bytes) {
        for (uint64_t i = bpp; i > 0; --i) text += decode::hex(static_cast<uint64_t>(bytes[pixel - range.begin + i - 1]), 2).substr(2);
      };
      text += ": 0x";
      show(have);
      text += ", the reference 0x";
      show(wanted);
      return text;
    }
  return text;
}

void CheckExecutor::draw(DrawContext& ctx, const DrawInput& input) {
  if (x::shaders(ctx.state)) return draw_extended(ctx, input);
  Changes* changes = std::exchange(ctx.changes, nullptr);
  const bool tiles = surfaces_.update(ctx);
  ctx.changes = changes;
  if (!tiles) return execute_draw(ctx, input);

  const WrittenSurfaces& written = surfaces_.written();
  std::vector<Bytes> before, wanted;
  const std::pair<uint32_t*, uint32_t> rams[] = {{surfaces_.output()->zmask.get(), OnChipRams::dwords(OnChipRam::zmask)},
                                                 {surfaces_.output()->cmask.get(), OnChipRams::dwords(OnChipRam::cmask)}};
  const auto ram_words = [&] {
    std::vector<uint32_t> all;
    for (const auto& [words, count] : rams)
      if (words) all.insert(all.end(), words, words + count);
    return all;
  };
  const std::vector<uint32_t> tiles_before = ram_words();
  for (const ByteRange& r : written.ranges()) before.push_back(copy(r));
  const Listener silent;
  DrawCounters counters = ctx.counters;
  DrawContext reference{ctx.state, memory_, counters, silent};
  reference.strict = ctx.strict;
  execute_draw(reference, input);
  memory_.take_fault();
  for (size_t i = 0; i < written.ranges().size(); ++i) {
    wanted.push_back(copy(written.range[i]));
    restore(written.range[i], before[i]);
  }
  const std::vector<uint32_t> tiles_wanted = ram_words();
  auto at = tiles_before.begin();
  for (const auto& [words, count] : rams)
    if (words) std::copy_n(at, count, words), at += count;

  fast_->draw(ctx, input);
  fast_->finish(ctx);
  if (counters.hung || ctx.counters.hung) {  // the point at which a draw is stopped differs
    ctx.counters.hung = true;
    return;
  }
  std::string text;
  for (size_t i = 0; i < written.ranges().size() && text.empty(); ++i) text = difference(i, wanted[i]);
  if (text.empty() && ram_words() != tiles_wanted) text = "Z or colour mask RAM";
  if (text.empty() && counters.zpass != ctx.counters.zpass)
    text = "Z-pass count " + std::to_string(ctx.counters.zpass) + ", the reference " + std::to_string(counters.zpass);
  if (text.empty()) return;
  ctx.report(ReportKind::lockup, "PUMICE_EXEC=check: the executors differ: " + text);
  ctx.counters.hung = true;
}

std::string CheckExecutor::difference(const footprint::TargetUse& target, const Bytes& wanted) const {
  const Bytes have = copy(target.range);
  const auto at = std::mismatch(have.begin(), have.end(), wanted.begin()).first;
  if (at == have.end()) return {};
  uint64_t offset = static_cast<uint64_t>(at - have.begin());
  std::string text = "target " + decode::hex(target.base) + ", address " + decode::hex(target.range.begin + offset);
  const uint64_t layer = target.layer_pitch ? offset / target.layer_pitch : 0;
  offset -= layer * target.layer_pitch;
  if (!target.pitch) return text;
  const uint64_t row = offset / target.pitch, samples = uint64_t{1} << target.samples_log2;
  const uint64_t x = offset % target.pitch / target.bytes;
  text += ", layer " + std::to_string(layer) + ", pixel (" + std::to_string(x) + ", " + std::to_string(row / samples) + ")";
  if (samples > 1) text += ", sample " + std::to_string(row % samples);
  const uint64_t pixel = layer * target.layer_pitch + row * target.pitch + x * target.bytes;
  const auto show = [&](const Bytes& bytes) {
    for (uint64_t i = target.bytes; i > 0; --i) text += decode::hex(static_cast<uint64_t>(bytes[pixel + i - 1]), 2).substr(2);
  };
  text += ": 0x";
  show(have);
  text += ", the reference 0x";
  show(wanted);
  return text;
}

void CheckExecutor::draw_extended(DrawContext& ctx, const DrawInput& input) {
  const auto draw = [&](DrawContext& reference) { execute_draw(reference, input); };
  const auto fast = [&] {
    fast_->draw(ctx, input);
    return true;
  };
  if (!compare_extended(ctx, draw, fast)) fast();
}

void set_registers(const ChipState& first, const NextDraw& draw, ChipState& state) {
  namespace r = regs::r5x;
  state.set(r::X_DRAW_BASE_VERTEX{draw.base_vertex});
  state.set(r::X_DRAW_NUMBER{draw.number});
  for (uint32_t left = draw.moved_buffers; left; left &= left - 1) {
    const auto n = static_cast<uint32_t>(std::countr_zero(left));
    const uint64_t by = uint64_t{draw.moved} * first.get<r::X_VTX_BUFFER_STRIDE>(n).BYTES();
    const uint64_t address = (first.get<r::X_VTX_BUFFER_LO>(n).ADDRESS() | uint64_t{first.get<r::X_VTX_BUFFER_HI>(n).ADDRESS()} << 32) + by;
    state.set(r::X_VTX_BUFFER_LO{static_cast<uint32_t>(address)}, n);
    state.set(r::X_VTX_BUFFER_HI{static_cast<uint32_t>(address >> 32)}, n);
    state.set(r::X_VTX_BUFFER_SIZE{first.get<r::X_VTX_BUFFER_SIZE>(n).BYTES() - static_cast<uint32_t>(by)}, n);
  }
  for (const auto& [offset, value] : draw.bindings) state.reg[offset / 4] = value;
}

size_t CheckExecutor::draw_more(DrawContext& ctx, std::span<const NextDraw> draws, NextBindings& bindings) {
  if (!x::shaders(ctx.state)) return 0;
  const ChipState first = ctx.state;
  size_t drawn = 0;
  const auto one_by_one = [&](DrawContext& reference) {
    const auto state = std::make_unique<ChipState>(first);
    DrawContext of_draw{*state, reference.memory, reference.counters, reference.config};
    of_draw.programs = reference.programs, of_draw.stopping = reference.stopping;
    const uint64_t budget = reference.counters.instructions_left;
    for (const NextDraw& draw : draws.first(drawn)) {
      set_registers(first, draw, *state);
      reference.counters.instructions_left = budget;
      execute_draw(of_draw, draw.input);
    }
  };
  const auto together = [&] {
    drawn = fast_->draw_more(ctx, draws, bindings);
    return drawn != 0;
  };
  return compare_extended(ctx, one_by_one, together).value_or(false) ? drawn : 0;
}

std::optional<bool> CheckExecutor::compare_extended(DrawContext& ctx, const std::function<void(DrawContext&)>& draw,
                                                    const std::function<bool()>& fast) {
  const auto program = [&](x::Stage stage) { return ctx.programs ? ctx.programs->find(ctx.state, memory_, stage) : nullptr; };
  const footprint::ExtendedDraws::Programs programs{program(x::Stage::vertex), program(x::Stage::fragment)};
  const bool known = programs.vertex && programs.vertex->problem.empty() && programs.fragment->problem.empty();
  const footprint::Extended touched = known ? footprints_.of(ctx.state, programs) : footprint::Extended{};
  if (!known || touched.stores) return std::nullopt;
  std::vector<Bytes> before, drawn, wanted;
  for (const footprint::TargetUse& t : touched.uses()) before.push_back(copy(t.range));
  const Listener silent;
  DrawCounters counters = ctx.counters;
  DrawContext reference{ctx.state, memory_, counters, silent};
  reference.programs = ctx.programs, reference.stopping = ctx.stopping;

  if (!fast()) return false;
  fast_->finish(ctx);
  const bool faulted = memory_.faulted();
  const std::span<const footprint::TargetUse> targets = touched.uses();
  for (const footprint::TargetUse& t : targets) drawn.push_back(copy(t.range));
  for (size_t i = 0; i < targets.size(); ++i) restore(targets[i].range, before[i]);
  draw(reference);
  if (!faulted) memory_.take_fault();
  for (const footprint::TargetUse& t : targets) wanted.push_back(copy(t.range));
  for (size_t i = 0; i < targets.size(); ++i) restore(targets[i].range, drawn[i]);
  if (counters.hung || ctx.counters.hung) {  // the point at which a draw is stopped differs
    ctx.counters.hung = true;
    return true;
  }
  if (ctx.stopped()) return true;
  std::string text;
  for (size_t i = 0; i < wanted.size() && text.empty(); ++i) text = difference(targets[i], wanted[i]);
  if (text.empty() && counters.zpass != ctx.counters.zpass)
    text = "Z-pass count " + std::to_string(ctx.counters.zpass) + ", the reference " + std::to_string(counters.zpass);
  if (text.empty() && counters.counts != ctx.counters.counts) text = "counters of the pipeline";
  if (text.empty()) return true;
  ctx.report(ReportKind::lockup, "PUMICE_EXEC=check: the executors differ: " + text);
  ctx.counters.hung = true;
  return true;
}

std::optional<std::vector<ByteRange>> CheckExecutor::stored(const DrawContext& ctx) const {
  std::vector<footprint::Use> uses;
  footprint::dispatch(ctx, uses);
  std::vector<ByteRange> ranges;
  for (const footprint::Use& u : uses) {
    if (!u.writes) continue;
    const ByteRange range = u.rows.hull();
    if (!memory_.backed(range.begin, range.size())) return {};
    ranges.push_back(range);
  }
  return ranges;
}

namespace {

/// Whether `fast` makes of a part of `input`, whose destination has rows of `row_bytes` bytes, what `reference` makes of it.
template <class Input, class Reference, class Fast>
bool same_part(const Input& input, const RowsPart& part, uint64_t row_bytes, uint64_t pixel_bytes, Reference reference, Fast fast) {
  const uint64_t at = part.x * pixel_bytes, bytes = part.columns * pixel_bytes;
  std::vector<std::byte> wanted(row_bytes * (uint64_t{part.y} + part.rows));
  Input other = input;
  other.to = wanted.data(), other.pitch = static_cast<uint32_t>(row_bytes);
  reference(other, part);
  fast(input, part);
  for (uint64_t row = part.y; row < uint64_t{part.y} + part.rows; ++row)
    if (std::memcmp(input.to + row * input.pitch + at, wanted.data() + row * row_bytes + at, bytes) != 0) return false;
  return true;
}

}  // namespace

bool CheckExecutor::scale(const ScaleInput& input, const RowsPart& part) const {
  return same_part(input, part, uint64_t{input.columns} * sizeof(uint32_t), sizeof(uint32_t), execute_scale,
                   [this](const ScaleInput& in, const RowsPart& p) { fast_->scale(in, p); });
}

bool CheckExecutor::resolve_part(const ResolveInput& input, const RowsPart& part) const {
  return same_part(input, part, input.row_bytes(), input.pixel_bytes, execute_resolve,
                   [this](const ResolveInput& in, const RowsPart& p) { fast_->resolve_part(in, p); });
}

void CheckExecutor::dispatch(DrawContext& ctx, const DispatchInput& input) {
  const auto written = stored(ctx);
  if (!written) return fast_->dispatch(ctx, input);
  std::vector<Bytes> before, wanted;
  for (const ByteRange& r : *written) before.push_back(copy(r));
  const Listener silent;
  DrawCounters counters = ctx.counters;
  DrawContext reference{ctx.state, memory_, counters, silent};
  reference.programs = ctx.programs, reference.stopping = ctx.stopping;
  execute_dispatch(reference, input);
  memory_.take_fault();
  for (const ByteRange& r : *written) wanted.push_back(copy(r));
  for (size_t i = 0; i < before.size(); ++i) restore((*written)[i], before[i]);
  if (!dispatcher_.run(ctx, input, true)) return execute_dispatch(ctx, input);
  if (counters.hung || ctx.counters.hung) {  // the point at which it is stopped differs
    ctx.counters.hung = true;
    return;
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Bytes have = copy((*written)[i]);
    const auto at = std::mismatch(have.begin(), have.end(), wanted[i].begin()).first;
    if (at == have.end() || ctx.stopped()) continue;
    ctx.report(ReportKind::lockup, "PUMICE_EXEC=check: the executors differ: dispatch, address " +
                                       decode::hex((*written)[i].begin + static_cast<uint64_t>(at - have.begin())));
    ctx.counters.hung = true;
    return;
  }
}

}  // namespace pumice::hw::fast
