// SPDX-License-Identifier: MIT
/// See vertex_stage.h.
#include "hw/radeon/fast/extended/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "hw/common/numerics/float_bits.h"
#include "hw/common/simd/choose.h"

namespace pumice::hw::fast::extended {

using isa::us_r500::Instruction;
using isa::us_r500::TexOp;
using isa::us_r500::Type;
using isa::us_r500::XOp;
namespace r = regs::r5x;

namespace {

constexpr uint64_t kElements = uint64_t{1} << 32;

bool is_independent(const isa::us_r500::Unit& unit) {
  return !(unit.op == isa::us_r500::AluOp::XI ? info(unit.xi()).neighbours : info(unit.op).derivative);
}

/// Whether the slot is independent of other lanes and has no side effect.
bool is_independent(const Instruction& x) {
  if (x.type == Type::FLOW_CONTROL) return true;
  if (x.type != Type::TEXTURE) return is_independent(x.rgb) && is_independent(x.alpha);
  if (x.tex.inst != TexOp::X) return x.tex.inst == TexOp::NOP;  // implicit level of detail
  switch (x.tex.x.op) {
    case XOp::SYS: return x.tex.x.immediate != 48;
    case XOp::SAMPLE:
    case XOp::SAMPLEB:
    case XOp::QLOD:
    case XOp::BARRIER: return false;
    case XOp::STP: return true;
    default: return !info(x.tex.x.op).across && !info(x.tex.x.op).stores;
  }
}

/// How many elements have `bytes` bytes at `offset` within the first `size` bytes.
uint64_t elements(uint64_t size, uint64_t stride, uint64_t offset, uint64_t bytes) {
  if (offset + bytes > size) return 0;
  return stride == 0 ? kElements : (size - offset - bytes) / stride + 1;
}

}  // namespace

VertexProgram::VertexProgram(const hw::x::Program& program) {
  for (const Instruction& x : program.code) {
    independent = independent && is_independent(x);
    if (x.type != Type::TEXTURE || x.tex.inst != TexOp::X) continue;
    const uint32_t number = x.tex.x.immediate;
    if (x.tex.x.op == XOp::LDA) attributes |= 1u << number % kAttributes;
    if (x.tex.x.op == XOp::EXP && number >= hw::x::slot::varying && number < hw::x::slot::count)
      varyings |= 1u << (number - hw::x::slot::varying);
  }
}

VertexStage::VertexStage(Cpu cpu, Routines& routines) : fetch_(fetch_routine(cpu)), fill_(fill_routine(cpu)), routines_(routines) {
  prepared_.push_back(std::make_unique<Prepared>());
}

/// Makes current what is prepared for the state, or else what was used least recently.
void VertexStage::choose(uint64_t state) {
  auto found = std::find_if(prepared_.begin(), prepared_.end(), [&](const auto& p) { return state && p->version.state == state; });
  if (found == prepared_.end()) {
    if (prepared_.size() < kMostPrepared) prepared_.push_back(std::make_unique<Prepared>());
    found = prepared_.end() - 1;
  }
  std::rotate(prepared_.begin(), found, found + 1);
}

bool VertexStage::begin(DrawContext& ctx, uint32_t varyings, const PlanVersion& version) {
  if (!version.state || now().version.state != version.state) choose(version.state);
  Prepared& p = now();
  const bool same_state = version.state && version.state == p.version.state;
  const bool bound = same_state && version.vertex == p.version.vertex, placed = same_state && version.buffers == p.version.buffers;
  p.version = {};
  if (p.positions.known && !(same_state && placed && bound)) p.positions = {};
  if (!same_state) p.by_lane = {};
  lanes_ = false;
  if (!bound) args_of_ = nullptr;
  if (!same_state && !prepare_state(ctx, varyings)) return false;
  if (!placed) {
    if (!find_sources(ctx)) return false;
    make_runs(p.fetches);
  }
  if (!bound && !bind(ctx, !same_state)) return false;
  if (args_of_ != &p) set_args();
  p.version = version;
  const ChipState& s = ctx.state;
  thread_.reset();
  caller_ = {};
  caller_.program = p.stage->program.get();
  caller_.budget = {.per_group = true, .stopping = ctx.stopping};
  if (p.stage->full.routine->calls()) {
    static hw::x::StageLink nothing;
    const hw::x::Group group{.stage = hw::x::Stage::vertex, .link = &nothing};
    caller_.thread = &thread_.emplace(ctx, *p.stage->program, p.stage->needs, group, std::span<uint8_t>());
    if (SlotRoutines* const slots = p.stage->full.routine->slots())
      chosen_.begin(*thread_, *p.stage->program, *slots), caller_.chosen = &chosen_;
  }
  VertexArgs& a = *args_;
  a.base_vertex = s.get<r::X_DRAW_BASE_VERTEX>().raw;
  a.first_instance = s.get<r::X_DRAW_FIRST_INSTANCE>().raw;
  a.draw_number = s.get<r::X_DRAW_NUMBER>().raw;
  return true;
}

/// The part that depends on the program and on registers other than those of bindings, buffers and single draws.
bool VertexStage::prepare_state(DrawContext& ctx, uint32_t varyings) {
  if (!ctx.programs) return false;
  Prepared& p = now();
  p.program = *hw::x::derived<VertexProgram>(*ctx.programs->find(ctx.state, ctx.memory, hw::x::Stage::vertex));
  if (!p.program.independent) return false;
  p.exported = p.program.varyings & varyings;
  p.code.emplace(ctx.state, p.program.attributes, p.exported);
  if (!p.code->usable()) return false;
  p.stage = prepare(ctx, routines_, hw::x::Stage::vertex, *p.code, p.code->key());
  p.view = ctx.state.get<r::X_DRAW_VIEW>().NUMBER();
  return p.stage && !p.stage->full.routine->barriers();
}

/// Descriptors and constants; `prepared`: the stage has them already.
bool VertexStage::bind(DrawContext& ctx, bool prepared) {
  Prepared& p = now();
  if (!prepared && !extended::bind(ctx, routines_, hw::x::Stage::vertex, *p.code, p.code->key(), *p.stage)) return false;
  return !p.stage->full.routine->barriers();
}

void VertexStage::set_args() {
  const Prepared& p = now();
  const PreparedStage& stage = *p.stage;
  scratch_.begin(stage.needs.scratch);
  VertexArgs& a = *args_;
  a.view = p.view;
  a.group.exists = a.group.active = 0xFFFF;
  a.group.bools = stage.bools;
  a.group.literals = stage.literals;
  a.group.textures = stage.textures.views.data();
  a.group.images = stage.images.views.data();
  a.group.blocks = &blocks_;
  if (stage.textures.blocks) a.group.first_block = blocks_.begin(stage.textures.blocks);
  a.group.scratch = scratch_.of();
  a.group.views = stage.full.views.data();
  a.group.user = &caller_;
  if (filled_ != stage.full.routine) fill_unwritten();
  args_of_ = &p;
}

/// Of the rows that are read (make_emit_plan()).
void VertexStage::fill_unwritten() {
  filled_ = now().stage->full.routine;
  Lanes* const rows = args_->out.row;
  std::fill_n(rows, row::varying, Lanes{});
  for (const uint32_t one : {row::position + 3, row::point_size}) std::fill_n(rows[one].v, kLanes, 1.0f);
  for (uint32_t left = now().exported; left; left &= left - 1)
    std::fill_n(&rows[row::varying + 4 * uint32_t(std::countr_zero(left))], 4, Lanes{});
}

/// False: a buffer is not backed, which the reference reports where it is read.
bool VertexStage::find_sources(const DrawContext& ctx) {
  const ChipState& s = ctx.state;
  Prepared& p = now();
  std::vector<Source>& sources = p.fetches.sources;
  sources.clear();
  for (uint32_t left = p.program.attributes; left; left &= left - 1) {
    const auto n = uint32_t(std::countr_zero(left));
    const VertexCode::Attribute& a = p.code->attribute_of(n);
    if (a.bytes == 0) continue;
    const auto format = s.get<r::X_VTX_ATTR_FORMAT>(n);
    const uint32_t buffer = format.BUFFER();
    const uint64_t address = s.get<r::X_VTX_BUFFER_LO>(buffer).ADDRESS() | uint64_t{s.get<r::X_VTX_BUFFER_HI>(buffer).ADDRESS()} << 32;
    const uint64_t size = s.get<r::X_VTX_BUFFER_SIZE>(buffer).raw;
    Source source{.number = n,
                  .rate = s.get<r::X_VTX_ATTR_RATE>(n).raw,
                  .buffer = buffer,
                  .offset = format.OFFSET(),
                  .bytes = a.bytes,
                  .row = a.row,
                  .stride = s.get<r::X_VTX_BUFFER_STRIDE>(buffer).raw};
    source.count = elements(size, source.stride, source.offset, source.bytes);
    if (source.count) {
      if (!ctx.memory.backed(address, size)) return false;
      source.base = ctx.memory.host_pointer(address);
      constexpr uint64_t kPage = kPageBytes;
      source.readable = (address + size + kPage - 1) / kPage * kPage - address;
    }
    sources.push_back(source);
  }
  const auto place = [](const Source& a) { return std::tuple(a.buffer, a.rate, a.offset); };
  std::sort(sources.begin(), sources.end(), [&](const Source& a, const Source& b) { return place(a) < place(b); });
  return true;
}

/// Attributes that lie beside each other in a buffer are fetched together.
void VertexStage::make_runs(Fetches& f) {
  f.runs.clear();
  const Source* begin = nullptr;
  for (Source& s : f.sources) {
    const uint32_t dwords = (s.bytes + 3) / 4;
    const bool joins = begin && begin->buffer == s.buffer && begin->rate == s.rate && (s.offset - begin->offset) % 4 == 0 &&
                       s.offset >= begin->offset + 4 * f.runs.back().dwords && s.offset <= begin->offset + 4 * f.runs.back().dwords + 8 &&
                       (s.offset - begin->offset) / 4 + dwords <= FetchRun::kMost;
    if (!joins) {
      begin = &s;
      FetchRun& run = f.runs.emplace_back();
      run.base = s.base ? s.base + s.offset : nullptr, run.stride = s.stride, run.rate = s.rate;
      run.safe = kElements;
      std::fill(std::begin(run.row), std::end(run.row), FetchRun::kNowhere);
    }
    FetchRun& run = f.runs.back();
    s.run = uint32_t(f.runs.size() - 1);
    const uint32_t first = (s.offset - begin->offset) / 4;
    for (uint32_t d = 0; d < dwords; ++d) run.row[first + d] = uint8_t(s.row + d);
    run.dwords = first + dwords;
    run.safe = std::min({run.safe, s.count, elements(s.readable, s.stride, begin->offset, (run.dwords + 3) / 4 * 16)});
  }
}

void VertexStage::fetch(const Fetches& f, const uint32_t* index, const uint32_t* instance) {
  uint32_t of_instance[kLanes], rate = 0;
  for (uint32_t n = 0; n < f.runs.size(); ++n) {
    const FetchRun& run = f.runs[n];
    if (run.rate != 0 && run.rate != rate) {
      rate = run.rate;
      for (int i = 0; i < kLanes; ++i)
        of_instance[i] =
            i && instance[i] == instance[i - 1] ? of_instance[i - 1] : args_->first_instance + (rate == ~0u ? 0 : instance[i] / rate);
    }
    const uint32_t* const element = run.rate == 0 ? index : of_instance;
    if (!fetch_(run, element, args_->fetched)) fetch_carefully(f, n, element);
  }
}

/// Some elements lie outside of the buffer, where all is 0, or at its end.
void VertexStage::fetch_carefully(const Fetches& f, uint32_t run, const uint32_t* element) {
  for (const Source& s : f.sources) {
    if (s.run != run) continue;
    for (uint32_t i = 0; i < uint32_t(kLanes); ++i) {
      float dword[kAttributeDwords] = {};
      if (element[i] < s.count) std::memcpy(dword, s.base + s.stride * element[i] + s.offset, s.bytes);
      for (uint32_t d = 0; 4 * d < s.bytes; ++d) args_->fetched[s.row + d].v[i] = dword[d];
    }
  }
}

std::optional<PreparedStage> VertexStage::prepare_positions(DrawContext& ctx) {
  const Prepared& now = this->now();
  const PreparedStage& all = *now.stage;
  const bool plain = scratch_.empty() && all.textures.keys.empty() && all.images.keys.empty();
  VertexCode code(ctx.state, now.program.attributes, 0);
  if (!plain || code.key() == now.code->key()) return std::nullopt;
  std::optional<PreparedStage> s = prepare(ctx, routines_, hw::x::Stage::vertex, code, code.key());
  if (!s || !s->full.routine->is_straight() || s->full.routine->barriers()) return std::nullopt;
  return s;
}

bool VertexStage::has_positions(DrawContext& ctx) {
  Positions& p = now().positions;
  if (std::exchange(p.known, true)) return p.stage.has_value();
  p.stage = prepare_positions(ctx);
  if (!p.stage) return false;
  for (const Source& s : now().fetches.sources) {
    bool reads = false;
    for (uint32_t d = 0; 4 * d < s.bytes; ++d)
      reads |= p.stage->full.routine->reads(uint32_t(offsetof(VertexArgs, fetched) + (s.row + d) * sizeof(Lanes)));
    if (reads) p.fetches.sources.push_back(s);
  }
  make_runs(p.fetches);
  return true;
}

void VertexStage::begin_lanes(DrawContext& ctx) {
  ByLane& b = now().by_lane;
  if (!b.known && b.draws >= routines_.collect_after()) {
    b.known = true;
    b.routine = prepare_lanes(ctx);
  }
  lanes_ = b.routine != nullptr;
  if (lanes_) fill_constants(0);
}

/// Null: there is none.
std::shared_ptr<const Routine> VertexStage::prepare_lanes(DrawContext& ctx) {
  const Prepared& now = this->now();
  const PreparedStage& all = *now.stage;
  if (!all.textures.keys.empty() || !all.images.keys.empty()) return nullptr;
  VertexCode code(ctx.state, now.program.attributes, now.exported);
  auto routine = routines_.find(all.program, all.needs, hw::x::Stage::vertex, {.constants_at = offsetof(VertexArgs, constants)},
                                {all.textures.keys, all.images.keys}, code, code.key());
  return routine->usable() && !routine->calls() && routine->views() == all.full.routine->views() ? routine : nullptr;
}

bool VertexStage::bind_next(DrawContext& ctx, const PlanVersion& version, uint32_t first) {
  Prepared& p = now();
  ++p.by_lane.draws;
  p.version = {}, args_of_ = nullptr;
  if (p.positions.known) p.positions = {};
  if (!bind(ctx, false) || depends_on_draw()) {
    mixed_ = false;  // what waits is shaded with the rows as they are, and is the last
    return false;
  }
  set_args();
  p.version = version;
  if (lanes_) fill_constants(first);
  return true;
}

/// From lane `first` on.
void VertexStage::fill_constants(uint32_t first) {
  const std::vector<ConstantDword>& rows = now().by_lane.routine->constant_rows();
  const std::vector<View>& views = now().stage->full.views;
  uint32_t value[kMostConstantRows];
  for (size_t i = 0; i < rows.size(); ++i)
    std::memcpy(&value[i], static_cast<const std::byte*>(views[rows[i].view].constants) + rows[i].offset, sizeof value[i]);
  fill_(value, uint32_t(rows.size()), first, args_->constants);
  mixed_ = first != 0;
}

bool VertexStage::can_share(const ChipState& state) const {
  return !now().stage->full.routine->calls() && hw::us::group_budget(state) != 0;
}

bool VertexStage::depends_on_draw() const {
  const Routine& routine = *now().stage->full.routine;
  return routine.calls() || routine.reads(uint32_t(offsetof(VertexArgs, base_vertex))) ||
         routine.reads(uint32_t(offsetof(VertexArgs, draw_number)));
}

bool VertexStage::moves(uint32_t mask) const {
  if (!mask) return true;
  const std::vector<Source>& sources = now().fetches.sources;
  const bool all =
      std::all_of(sources.begin(), sources.end(), [&](const Source& s) { return bool(mask >> s.buffer & 1) == (s.rate == 0); });
  return all && !now().stage->full.routine->reads(uint32_t(offsetof(VertexArgs, index)));
}

void VertexStage::shade(DrawContext& ctx, uint32_t* index, uint32_t* instance, uint32_t n) {
  shade(ctx, now().fetches, lanes_ ? *now().by_lane.routine : *now().stage->full.routine, index, instance, n);
  if (lanes_ && mixed_) fill_constants(0);
}

void VertexStage::shade_positions(DrawContext& ctx, uint32_t* index, uint32_t* instance, uint32_t n) {
  GroupArgs& g = args_->group;
  const Positions& p = now().positions;
  const auto views = std::exchange(g.views, p.stage->full.views.data());
  shade(ctx, p.fetches, *p.stage->full.routine, index, instance, n);
  g.views = views;
}

void VertexStage::shade(DrawContext& ctx, const Fetches& f, const Routine& routine, uint32_t* index, uint32_t* instance, uint32_t n) {
  VertexArgs& a = *args_;
  // Unused lanes repeat lane 0.
  for (uint32_t i = n; i < uint32_t(kLanes); ++i) index[i] = index[0], instance[i] = instance[0];
  for (uint32_t i = 0; i < uint32_t(kLanes); ++i) {
    a.index.v[i] = num::from_bits(index[i]);
    a.instance.v[i] = num::from_bits(a.first_instance + instance[i]);
  }
  fetch(f, index, instance);
  a.group.helpers = 0;
  const uint64_t own = hw::us::group_budget(ctx.state);
  caller_.budget.own = int64_t(std::min<uint64_t>(own ? own : ctx.counters.instructions_left, INT64_MAX));
  caller_.grant(a.group, uint32_t(now().stage->program->code.size()));
  routine.run(a.group);
  scratch_.clear(routine.scratch());
  if (!caller_.settle(a.group) && !ctx.stopped()) ctx.counters.hung = true;
  if (!own) ctx.counters.instructions_left = uint64_t(std::max<int64_t>(caller_.budget.own, 0));
}

FetchRoutine fetch_routine(Cpu cpu) { PUMICE_RETURN_FOR(cpu, fetch_rows); }
FillRoutine fill_routine(Cpu cpu) { PUMICE_RETURN_FOR(cpu, fill_rows); }

}  // namespace pumice::hw::fast::extended
