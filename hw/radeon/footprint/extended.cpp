// SPDX-License-Identifier: MIT
/// See extended.h.
#include "hw/radeon/footprint/extended.h"

#include <algorithm>
#include <bit>

#include "hw/db/formats.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/memory/memory.h"

namespace pumice::hw::footprint {

namespace r = regs::r5x;

namespace {

void add_once(std::vector<ByteRange>& ranges, const ByteRange& range) {
  if (range.begin < range.end && std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
}

TargetUse use_of(What what, const xt::Image& image, uint32_t layers, bool writes) {
  const uint32_t bytes = formats::info(image.format).bytes;
  TargetUse u{.what = what,
              .writes = writes,
              .bytes = static_cast<uint8_t>(bytes),
              .samples_log2 = image.samples_log2,
              .pitch = image.pitch,
              .layers = layers,
              .base = image.base + image.layer_pitch * image.first_layer,
              .layer_pitch = image.layer_pitch,
              .row = uint64_t{image.width} * bytes,
              .rows = uint64_t{image.height} << image.samples_log2,
              .range = {}};
  // Blocks of 4x4 pixels may be written back as a whole, up to the pitch.
  const uint64_t blocks = ((uint64_t{image.width} + 3) & ~uint64_t{3}) * bytes, last = std::max(u.row, std::min(blocks, uint64_t{u.pitch}));
  u.range = {u.base, u.base + (layers - 1) * u.layer_pitch + (u.rows - 1) * u.pitch + last};
  return u;
}

/// Whether the image's texels are the pixels of one of the targets, which no other one shares memory with: then a lookup at a fragment's
/// own pixel reads what that pixel's fragments wrote, in whatever order pixels are drawn.
bool is_target(const xt::Image& image, const Targets& targets) {
  const bool simple = (image.dim == xt::Dim::d2 || image.dim == xt::Dim::d2_array) && image.layers == 1 && image.top_level() == 0 &&
                      image.samples_log2 == 0 && formats::info(image.format).block_width == 1;
  if (image.is_null() || !simple) return false;
  const xt::Level level = xt::level_of(image, image.first_level);
  const uint64_t base = image.base + image.layer_pitch * image.first_layer + level.offset;
  const ByteRange range{base, base + level.slice_pitch};
  const TargetUse* found = nullptr;
  for (const TargetUse& t : targets.uses()) {
    if (!t.range.overlaps(range)) continue;
    if (found) return false;
    found = &t;
  }
  return found && found->what == What::color && found->writes && found->layers == 1 && found->samples_log2 == 0 && found->base == base &&
         found->pitch == level.pitch && found->bytes == formats::info(image.format).bytes;
}

/// What the stage's program stores to. A descriptor that a register chooses may be any.
void add_stores(const DrawContext& ctx, x::Stage stage, std::vector<Use>& out) {
  const std::shared_ptr<const x::Program> program =
      ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, stage) : x::Programs().find(ctx.state, ctx.memory, stage);
  const ProgramUses uses(*program);
  const auto add = [&](const ByteRange& range) {
    const Use use{What::stored, true, {range.begin, range.size()}};
    if (range.size() && std::none_of(out.begin(), out.end(), [&](const Use& u) { return u.writes && u.rows == use.rows; }))
      out.push_back(use);
  };
  const x::Resources needs = x::resources(ctx.state, stage);
  for (const ProgramUses::Descriptor& d : uses.descriptors)
    if (d.stores) add(described_range(d, needs, ctx.memory, true));
  if (uses.indirect_stores) add({0, kEverything});
}

}  // namespace

bool TargetUse::same_pixels(const TargetUse& o) const {
  if (pitch != o.pitch || bytes != o.bytes || samples_log2 != o.samples_log2) return false;
  if (base == o.base && (layer_pitch == o.layer_pitch || (layers == 1 && o.layers == 1))) return true;
  const uint64_t distance = base > o.base ? base - o.base : o.base - base;
  return layer_pitch == o.layer_pitch && layer_pitch && distance % layer_pitch == 0;
}

Targets targets(const ChipState& state) {
  Targets out;
  uint32_t most_layers = 1;
  for (uint32_t i = 0; i < xb::kTargets; ++i) {
    const xb::Target t = xb::decode(state, i);
    if (!t.enabled) continue;
    most_layers = std::max(most_layers, t.image.layers);
    out.target[out.count++] = use_of(What::color, t.image, t.image.layers, t.write_mask != 0);
  }
  if (const xz::DepthTarget z = xz::decode(state); !z.passes_all()) {
    const bool layered = state.get<r::X_VS_CTRL>().LAYER() || state.get<r::X_DRAW_VIEW>().NUMBER();
    out.open_layers = layered && !out.count;
    out.target[out.count++] = use_of(What::depth, z.image, layered ? most_layers : 1, z.depth_write || z.stencil_test);
  }
  return out;
}

void ExtendedDraws::find(Programs& programs) {
  programs.vertex_uses = x::derived<ProgramUses>(*programs.vertex);
  programs.fragment_uses = x::derived<ProgramUses>(*programs.fragment);
}

void ExtendedDraws::bind_descriptors(const Programs& programs, const x::Resources& needs, Stages stages, Extended& f) {
  const auto bind = [&](const ProgramUses& u, std::vector<ByteRange>& out) {
    out.clear();
    for (const ProgramUses::Descriptor& d : u.descriptors) add_once(out, descriptor_range(d, needs));
    // Push constants may be part of the code of routines.
    if (u.push) add_once(out, {needs.push, needs.push + needs.push_size});
  };
  if (stages.vertex) bind(*programs.vertex_uses, f.read_early);
  if (stages.fragment) bind(*programs.fragment_uses, f.read);
}

void ExtendedDraws::bind_memory(const Programs& programs, const x::Resources& needs, Stages stages, Extended& f) {
  for (const ProgramUses::Descriptor& d : programs.vertex_uses->descriptors)
    if (stages.vertex && d.reads) add_once(f.read_early, described_range(d, needs, memory_));
  if (!stages.fragment) return;
  f.feeds_back = false;
  for (const ProgramUses::Descriptor& d : programs.fragment_uses->descriptors) {
    if (!d.reads) continue;
    if (d.own_pixel && is_target(described_image(d, needs, memory_), f.targets))
      f.feeds_back = true;
    else
      add_once(f.read, described_range(d, needs, memory_));
  }
  f.tiles = f.separate_targets;
  for (const TargetUse& t : f.uses())
    for (const ByteRange& read : f.read) f.tiles &= !t.writes || !t.range.overlaps(read);
}

void ExtendedDraws::bind_buffers(const ChipState& state, const Programs& programs, Extended& f) {
  f.buffers.clear();
  for (uint32_t left = programs.vertex_uses->attributes; left; left &= left - 1) {
    const uint32_t b = state.get<r::X_VTX_ATTR_FORMAT>(static_cast<uint32_t>(std::countr_zero(left))).BUFFER();
    const uint64_t base = state.get<r::X_VTX_BUFFER_LO>(b).ADDRESS() | uint64_t{state.get<r::X_VTX_BUFFER_HI>(b).ADDRESS()} << 32;
    add_once(f.buffers, {base, base + state.get<r::X_VTX_BUFFER_SIZE>(b).raw});
  }
}

void ExtendedDraws::bind_state(const ChipState& state, const Programs& programs, Extended& f) {
  const ProgramUses &vertex = *programs.vertex_uses, &fragment = *programs.fragment_uses;
  f.stores = vertex.stores || fragment.stores;
  f.reads_any = fragment.indirect || fragment.strict_lookups;
  f.reads_any_early = vertex.indirect || vertex.strict_lookups;
  f.targets = targets(state);
  f.separate_targets = !f.targets.open_layers;
  f.backed = true;
  const std::span<const TargetUse> all = f.uses();
  for (size_t i = 0; i < all.size(); ++i) {
    f.separate_targets &= !all[i].overlaps_itself();
    f.backed &= memory_.backed(all[i].range.begin, all[i].range.size());
    for (size_t k = 0; k < i; ++k) f.separate_targets &= !all[i].range.overlaps(all[k].range) || all[i].same_pixels(all[k]);
  }
}

Extended ExtendedDraws::of(const ChipState& state, Programs programs) {
  find(programs);
  Extended f;
  const x::Resources needs = x::resources(state, x::Stage::fragment);  // both stages have the same sets and push constants
  bind_descriptors(programs, needs, {}, f);
  bind_state(state, programs, f);
  bind_memory(programs, needs, {}, f);
  bind_buffers(state, programs, f);
  return f;
}

void extended_draw(const DrawContext& ctx, std::vector<Use>& out) {
  out.clear();
  out.push_back({What::anything, false, {0, kEverything}});
  const Targets all = targets(ctx.state);
  // Depth comes first, and also where it is tested only: recordings have digests of these rows, in this order.
  for (const What what : {What::depth, What::color}) {
    for (const TargetUse& t : all.uses()) {
      if (t.what != what || (what == What::color && !t.writes)) continue;
      for (uint32_t i = 0; i < t.layers; ++i) out.push_back({what, true, {t.base + t.layer_pitch * i, t.row, t.pitch, t.rows}});
      if (what == What::depth && all.open_layers) out.push_back({what, true, {t.base, kEverything - t.base}});
    }
  }
  add_stores(ctx, x::Stage::vertex, out);
  add_stores(ctx, x::Stage::fragment, out);
}

void dispatch(const DrawContext& ctx, std::vector<Use>& out) {
  out.clear();
  out.push_back({What::anything, false, {0, kEverything}});
  add_stores(ctx, x::Stage::compute, out);
}

}  // namespace pumice::hw::footprint
