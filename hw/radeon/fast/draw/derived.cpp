// SPDX-License-Identifier: MIT
/// See derived.h.
#include "hw/radeon/fast/draw/derived.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hw/radeon/decode/us/r300.h"
#include "hw/radeon/fast/draw/pool.h"
#include "hw/radeon/fast/draw/rare.h"

namespace pumice::hw::fast {

namespace {

/// Pixels that a draw may touch.
output::Rect rectangle(const ChipState& state) {
  const footprint::Box b = footprint::pixels(state);
  return {b.x0, b.y0, b.x1, b.y1};
}

}  // namespace

std::shared_ptr<const us::CompiledShade> ProgramCache::find(const ChipState& state, const RsLayout& layout, Cpu cpu, CodeNames names) {
  us::ShadeKey key(state, layout, cpu);
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    found->second.used = ++clock_;
    return found->second.shade;
  }
  if (entries_.size() >= kMost)
    entries_.erase(
        std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
  auto shade = us::compile(state, layout, cpu, names, memory_);
  entries_.emplace(std::move(key), Entry{shade, ++clock_});
  return shade;
}

/// A copy of what the program may read; draws with the same constants share it.
void Derived::keep_constants(Draw& draw, Batch& batch) {
  static constexpr uint32_t kFlow = regs::US_FC_INT_CONST::count;  // followed by the booleans
  auto& c = constants_;
  if (c.stale || c.batch != batch.sequence || c.program != program_.get()) {
    const size_t count = std::max(program_->traits().constants, 1u);
    const bool same_flow = c.flow && c.batch == batch.sequence &&
                           std::memcmp(c.flow, &state_->reg[regs::US_FC_INT_CONST::offset / 4], kFlow * 4) == 0 &&
                           c.flow[kFlow] == state_->raw(regs::US_FC_BOOL_CONST::offset);
    void* value = batch.arena.allocate(count * sizeof state_->us_const[0]);
    if (state_->chip().us_slots) {
      std::memcpy(value, state_->us_const.data(), count * sizeof state_->us_const[0]);
    } else {
      for (uint32_t i = 0; i < count; ++i) static_cast<std::array<uint32_t, 4>*>(value)[i] = us_r300::constant(*state_, i);
    }
    c.value = static_cast<const float(*)[4]>(value);
    if (!same_flow) {
      auto* flow = static_cast<uint32_t*>(batch.arena.allocate((kFlow + 1) * 4));
      std::memcpy(flow, &state_->reg[regs::US_FC_INT_CONST::offset / 4], kFlow * 4);
      flow[kFlow] = state_->raw(regs::US_FC_BOOL_CONST::offset);
      c.flow = flow;
    }
    c.batch = batch.sequence;
    c.program = program_.get();
    c.stale = false;
  }
  draw.constant = c.value;
  draw.flow_constant = c.flow;
}

void Derived::read_output(const ChipState& state) {
  const RegisterCopy::Keys keys{output_key(state.profile)};
  const auto is_it = [&](const OutputEntry& e) {
    return e.state && e.map_version == map_version_ && e.registers.matches(state, keys) &&
           (!e.state->zmask || e.state->zmask == state.rams->words(OnChipRam::zmask)) &&
           (!e.state->cmask || e.state->cmask == state.rams->words(OnChipRam::cmask));
  };
  // Something has changed: most likely it is another one than the last, which is looked at last.
  const auto last = static_cast<size_t>(output_ - outputs_.data());
  OutputEntry* found = nullptr;
  for (size_t i = 1; i <= kOutputs && !found; ++i)
    if (OutputEntry& e = outputs_[(last + i) % kOutputs]; is_it(e)) found = &e;
  if (!found) {
    OutputEntry e{{}, map_version_, nullptr, {}, rectangle(state)};
    e.registers.read(state, keys);
    auto made = std::make_shared<output::State>();
    output::prepare(*made, state, memory_, e.rect, cpu_);
    e.written = written_surfaces(state, memory_);
    e.state = std::move(made);
    found = &outputs_[next_output_++ % kOutputs];
    *found = std::move(e);
  }
  output_ = found;
  zmask_ = found->state->zmask.get();
  cmask_ = found->state->cmask.get();
}

void Derived::read_units(const ChipState& state) {
  auto u = std::make_shared<Units>();
  u->kernel = state.filter4;
  for (uint32_t i = 0; i < most::texture_units; ++i) {
    if (!(program_->traits().units >> i & 1)) continue;
    auto& unit = *(u->unit[i] = std::make_unique<tx::Prepared>());
    tx::prepare(unit, state, memory_, i, cpu_);
    unit.kernel = &u->kernel;  // the chip's kernel may change while the draw is queued
    u->kills |= unit.kills;
    u->neighbours |= !unit.direct || !unit.constant_level;
    u->head[i] = &unit;
  }
  units_ = std::move(u);
}

void Derived::take_unit_reports(const void* units, DrawContext& ctx) {
  for (const auto& unit : static_cast<const Units*>(units)->unit)
    if (unit) tx::take_reports(*unit, ctx);
}

void Derived::find_picture() {
  picture_ = nullptr;
  const us::TexelCopy& copy = program_->texel_copy();
  if (!copy.is || !units_ || units_->kills || raster_->stencil.door != 0xFFFF || raster_->stencil.clip_rule != 0xFFFF) return;
  stretch::Plan plan;
  if (stretch::make_plan(plan, copy, *units_->unit[copy.unit], *output_->state)) picture_ = std::make_shared<const stretch::Plan>(plan);
}

bool Derived::update(DrawContext& ctx) {
  const ChipState& state = ctx.state;
  uint32_t groups = ctx.changes ? ctx.changes->groups : Changes::kAll;
  if (ctx.changes) ctx.changes->groups = 0;
  if (map_version_ != memory_.map_version()) {
    map_version_ = memory_.map_version();
    groups |= Changes::kOutput | Changes::kTexture;
  }
  if (zmask_ && zmask_ != state.rams->words(OnChipRam::zmask).get()) groups |= Changes::kOutput;
  if (cmask_ && cmask_ != state.rams->words(OnChipRam::cmask).get()) groups |= Changes::kOutput;
  if (!raster_) groups = Changes::kAll;
  bool layout_changed = false;
  if (groups & Changes::kRaster) {
    auto r = std::make_shared<Raster>();
    r->routing = raster::read_routing(state);
    r->stencil = raster::read_stencil(state);
    r->triangles = raster::plan_triangles(state, r->routing);
    for (const RsLayout::Register& reg : std::span(r->routing.layout.reg).first(r->routing.layout.count))
      for (const RsSource& source : reg.channel)
        r->position |= source.kind == RsSource::Kind::pixel_x || source.kind == RsSource::Kind::pixel_y;
    layout_changed = !raster_ || !(raster_->routing.layout == r->routing.layout);
    raster_ = std::move(r);
  }
  if (groups & Changes::kOutput) {
    read_output(state);
  }
  if (layout_changed || groups & Changes::kShader) program_ = programs_.find(state, raster_->routing.layout, cpu_, names_);
  if (layout_changed || groups & (Changes::kShader | Changes::kTexture)) {
    sampled_ = sampled_ranges(state, memory_, program_->traits().units & state.get<regs::TX_ENABLE>().raw);
    units_ = nullptr;
    if (program_->native()) read_units(state);
  }
  if (layout_changed || groups & (Changes::kRaster | Changes::kOutput | Changes::kShader | Changes::kTexture)) find_picture();
  vertex_changed_ |= (groups & Changes::kVertex) != 0;
  if (groups & Changes::kVertex) vertex_arrays_ = vap::decode_layout(state).arrays;
  if (groups & Changes::kConstants) constants_.stale = true;
  state_ = &state;
  if (groups) snapshot_ = nullptr;
  if (needs_snapshot() && !snapshot_) snapshot_ = std::make_shared<const ChipState>(state);
  // Constants and vertex state are no part of the description, but a snapshot has them.
  constexpr uint32_t kElsewhere = Changes::kConstants | Changes::kVertex | Changes::kVertexConstants;
  if (groups & ~kElsewhere || (groups && needs_snapshot())) described_ = describe();
  if (groups & (Changes::kRaster | Changes::kOutput | Changes::kShader)) rare_ = left_to_reference(state);
  if (rare_ || output_->state->shared_memory) return false;
  for (const ByteRange& texels : sampled_.ranges())
    for (const ByteRange& pixels : output_->written.ranges())
      if (texels.overlaps(pixels)) return false;
  return true;
}

DrawState Derived::describe() const {
  const output::State& out = *output_->state;
  DrawState draw;
  draw.routing = &raster_->routing;
  draw.stencil = &raster_->stencil;
  draw.output = &out;
  draw.samples = raster_->stencil.samples;
  const bool kills = program_->traits().kills || (units_ && units_->kills);
  draw.early_z = out.early || (out.early_z_allowed && !kills);
  draw.hiz = hiz_use(out, draw.early_z);
  draw.shader_depth = !draw.early_z && out.shader_depth;
  draw.shade = out.sources || kills || draw.shader_depth ? program_->routine() : nullptr;
  const bool one_color = !kills && !draw.shader_depth && !out.fog_alpha;
  if (one_color && (!draw.shade || program_->traits().uniform))
    draw.colors = Colors::per_draw;
  else if (one_color && program_->native() && !needs_snapshot() && program_->traits().units == 0 && !raster_->position)
    draw.colors = Colors::per_shape;
  const bool fills =
      std::all_of(out.target.begin(), out.target.begin() + out.target_count, [](const output::Target& t) { return t.fillable; });
  const bool open = raster_->stencil.door == 0xFFFF && raster_->stencil.clip_rule == 0xFFFF;
  if (picture_)
    draw.whole_path = WholePath::picture;
  else if (open && ((draw.colors == Colors::per_draw) || (draw.colors == Colors::per_shape && fills)))
    draw.whole_path = output::only_expands(out) ? WholePath::expand : fills ? WholePath::fill : WholePath::blocks;
  for (const bool back : {false, true}) draw.fills_depth[back] = draw.whole_path == WholePath::fill && output::can_fill_depth(out, back);
  const bool mixes = program_->native() && !needs_snapshot() && !program_->traits().neighbours && !(units_ && units_->neighbours);
  if (draw.colors == Colors::per_draw || !draw.shade || mixes) draw.block_path = BlockPath::deferred;
  draw.uses_z = out.depth || out.fog_alpha;
  draw.codes = output::all_store_codes(out);
  draw.rows = output::can_fill_spans(out);
  draw.program = program_.get();
  draw.picture = picture_.get();
  draw.writes = program_->native() ? program_->traits().targets : 15;
  draw.writes_depth = !program_->native() || program_->traits().writes_depth;
  draw.fog_on_nothing = out.fog_alpha && !(draw.writes & 1);
  draw.unit = units_ ? units_->head.data() : nullptr;
  draw.snapshot = needs_snapshot() ? snapshot_.get() : nullptr;
  // Rough estimates from measurements (docs/performance.md, Kernels); they determine how many threads a batch gets.
  constexpr uint32_t kFill = 4, kPicture = 12, kPlain = 32, kLookup = 60, kInterpreted = 1500;
  draw.pixel_work = draw.colors == Colors::per_draw && fills ? kFill
                    : draw.picture                           ? kPicture
                    : !program_->native()                    ? kInterpreted
                                          : kPlain + kLookup * static_cast<uint32_t>(std::popcount(program_->traits().units));
  return draw;
}

void Derived::keep(Draw& draw, Batch& batch) {
  keep_constants(draw, batch);
  // Consecutive draws mostly use the same parts.
  const auto keep = [&](Kept& last, const auto& part, size_t bytes) {
    if (!part || (last.part == part.get() && last.batch == batch.sequence)) return;
    last = {part.get(), batch.sequence};
    batch.kept.push_back(part);
    batch.kept_bytes += bytes;
  };
  keep(kept_[0], raster_, sizeof(Raster));
  if (output_->batch != batch.sequence) {
    output_->batch = batch.sequence;
    batch.kept.push_back(output_->state);
    batch.kept_bytes += sizeof(output::State);
  }
  keep(kept_[1], program_, 0);  // programs are kept by their cache
  keep(kept_[4], picture_, sizeof(stretch::Plan));
  keep(kept_[2], units_, sizeof(Units) + static_cast<size_t>(std::popcount(program_->traits().units)) * sizeof(tx::Prepared));
  if (needs_snapshot()) keep(kept_[3], snapshot_, sizeof(ChipState));
}

bool Derived::fetches_from(const PendingMemory& pending, const ChipState& state, regs::VAP_VF_CNTL vf) const {
  // Finer checks than the bounds from registers do not pay off: buffers adjacent to render targets are rare, and waiting is safe.
  if (!footprint::fetches(vf)) return false;
  const footprint::VertexNumbers numbers = footprint::bounds(state, vf);
  for (uint32_t i = 0; i < vertex_arrays_.size(); ++i)
    if (pending.writes(footprint::vertices(vertex_arrays_[i], i, numbers))) return true;
  return false;
}

}  // namespace pumice::hw::fast
