// SPDX-License-Identifier: MIT
/// See stage.h.
#include "hw/radeon/fast/extended/stage.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/decode/us/numbers.h"
#include "hw/radeon/decode/xt/descriptor.h"

namespace pumice::hw::fast::extended {

namespace {

/// Up to this size offsets in routines do not wrap.
constexpr uint32_t kMostBytes = 0xFFFFFFF0u;
/// Of SET 15: not the last page, so that no offset of a place within wraps.
constexpr uint32_t kWholeBytes = uint32_t(0) - uint32_t(kPageBytes);

/// False: nothing is backed.
bool whole_memory(Memory& memory, WholeMemory& known, View& view) {
  if (known.map_version != memory.map_version() || !known.largest.end) {
    known.map_version = memory.map_version();  // first: what is mapped meanwhile is found the next time
    known.largest = memory.largest_run(kWholeBytes);
  }
  const Memory::Run& run = known.largest;
  if (run.end <= run.begin) return false;
  view.buffer = {memory.host_pointer(0), kWholeBytes};
  view.constants = memory.page_bits();
  view.first = uint32_t(run.begin), view.bytes = uint32_t(run.end - run.begin);
  return true;
}

bool fill(DrawContext& ctx, Routines& routines, const hw::x::Resources& needs, Variant& variant) {
  variant.views.clear(), variant.copies.clear();
  for (const ViewUse& use : variant.routine->views()) {
    if (use.descriptor.set == hw::x::kWholeMemory) {
      if (!whole_memory(ctx.memory, routines.whole_memory(), variant.views.emplace_back())) return false;
      continue;
    }
    uint64_t address = needs.push;
    uint32_t size = needs.push_size;
    if (!use.push) {
      const uint64_t at = needs.descriptor(use.descriptor);
      std::array<uint32_t, xt::kBufferDwords> words;
      if (!ctx.memory.backed(at, sizeof words)) return false;
      ctx.memory.read(at, words.data(), sizeof words);
      const xt::BufferDescriptor d = xt::decode_buffer(words);
      address = d.address, size = d.size;
    }
    View& view = variant.views.emplace_back();
    if (!buffer_view(ctx.memory, address, size, view)) return false;
    // Components that do not fit read 0.
    const uint32_t whole = size & ~3u;
    if (use.constants <= whole) continue;
    std::vector<uint32_t>& copy = variant.copies.emplace_back(use.constants / 4);
    if (whole) std::memcpy(copy.data(), view.buffer.base, whole);
    view.constants = copy.data();
  }
  return true;
}

/// Everything except the variants.
std::optional<PreparedStage> begin(DrawContext& ctx, Routines& routines, hw::x::Stage stage) {
  if (!ctx.programs) return {};
  PreparedStage s;
  s.program = ctx.programs->find(ctx.state, ctx.memory, stage);
  s.needs = hw::x::resources(ctx.state, stage);
  if (!hw::x::problem(ctx.state, *s.program, s.needs).empty()) return {};
  s.bools = ctx.state.get<regs::US_FC_BOOL_CONST>().KBOOL();
  if (!s.program->literals.empty()) s.literals = {s.program->literals.data(), uint32_t(s.program->literals.size() * sizeof(hw::x::Bits4))};
  read_textures(ctx, s.needs, routines.textures(s.program), routines.decoded_textures(), s.textures);
  read_images(ctx, s.needs, routines.images(s.program), s.images);
  return s;
}

/// False: native code cannot execute it.
bool complete(DrawContext& ctx, Routines& routines, const PreparedStage& s, Variant& v) {
  return v.routine->usable() && fill(ctx, routines, s.needs, v);
}

}  // namespace

bool buffer_view(Memory& memory, uint64_t address, uint32_t size, View& view) {
  if (size > kMostBytes || !memory.backed(address, size) || (size && address % 4)) return false;
  view = {};
  if (size) view.buffer = {memory.host_pointer(address), size};
  view.constants = view.buffer.base;
  return true;
}

std::optional<PreparedStage> prepare(DrawContext& ctx, Routines& routines, hw::x::Stage stage, bool partial, bool full, GroupRows rows) {
  auto s = begin(ctx, routines, stage);
  if (!s) return {};
  for (const bool is_full : {false, true}) {
    if (!(is_full ? full : partial)) continue;
    Variant& v = is_full ? s->full : s->partial;
    v.routine = routines.find(s->program, s->needs, stage, {is_full, rows}, {s->textures.keys, s->images.keys});
    if (!complete(ctx, routines, *s, v)) return {};
  }
  return s;
}

std::optional<PreparedStage> prepare(DrawContext& ctx, Routines& routines, hw::x::Stage stage, StageCode& code,
                                     const Routines::Words& key) {
  auto s = begin(ctx, routines, stage);
  if (!s) return {};
  s->full.routine = routines.find(s->program, s->needs, stage, GroupForm{}, {s->textures.keys, s->images.keys}, code, key);
  if (!complete(ctx, routines, *s, s->full)) return {};
  return s;
}

bool bind(DrawContext& ctx, Routines& routines, hw::x::Stage stage, StageCode& code, const Routines::Words& key, PreparedStage& s) {
  s.needs = hw::x::resources(ctx.state, stage);
  s.bools = ctx.state.get<regs::US_FC_BOOL_CONST>().KBOOL();
  if (!s.textures.keys.empty() || !s.images.keys.empty()) {
    const bool textures = read_textures(ctx, s.needs, routines.textures(s.program), routines.decoded_textures(), s.textures);
    const bool images = read_images(ctx, s.needs, routines.images(s.program), s.images);
    if (textures || images)
      s.full.routine = routines.find(s.program, s.needs, stage, GroupForm{}, {s.textures.keys, s.images.keys}, code, key);
  }
  return complete(ctx, routines, s, s.full);
}

}  // namespace pumice::hw::fast::extended
