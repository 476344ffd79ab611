// SPDX-License-Identifier: MIT
/// See draw_unit.h.
#include "hw/radeon/cp/draw_unit.h"

#include "hw/db/regs_r5x.h"
#include "hw/radeon/cp/fault_text.h"
#include "hw/radeon/decode/vap/vertex_state.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw {

namespace {

using Vf = regs::VAP_VF_CNTL;

/// The model's bound for the data of one draw: 16 Mi dwords, as many as the widest vertex count can index.
constexpr uint64_t kMaxDrawDwords = 1u << 24;
/// Maximum number of draws between two finish() calls: bounds the state kept for reports.
constexpr size_t kMaxUnfinished = 1u << 16;

/// An extended draw that neither draws, nor stores, nor is counted.
bool without_effect(const ChipState& state) {
  return x::shaders(state) && state.get<regs::r5x::X_RS_CTRL>().DISCARD() && !state.get<regs::r5x::X_VS_CTRL>().STORES() &&
         !state.get<regs::r5x::X_QUERY_CTRL>().STATISTICS();
}

class Bindings final : public NextBindings {
 public:
  explicit Bindings(RegisterFile& registers) : registers_(registers) {}
  /// Draws that have been written already, up to the last one, are skipped.
  void write(const NextDraw& draw) override {
    if (&draw < next_) return;
    next_ = &draw + 1;
    for (const auto& [offset, value] : draw.bindings) registers_.write_plain(offset, value);
  }

 private:
  RegisterFile& registers_;
  const NextDraw* next_ = nullptr;
};

uint64_t vertex_count(const ChipState& state, Vf vf) {
  if (state.chip().has_alt_num_verts && vf.USE_ALT_NUM_VERTS()) return state.get<regs::VAP_ALT_NUM_VERTICES>().NUM_VERTICES();
  return vf.NUM_VERTICES();
}

}  // namespace

DrawUnit::DrawUnit(const ChipState& state, RegisterFile& registers, Memory& memory, const GpuConfig& config, Reporter& reporter,
                   DrawExecutor& executor, const std::atomic<bool>* stopping, Observer* observer)
    : state_(state),
      registers_(registers),
      memory_(memory),
      config_(config),
      reporter_(reporter),
      executor_(executor),
      stopping_(stopping),
      observer_(observer) {}

void DrawUnit::reset() {
  executor_.abandon();
  unfinished_.clear();
  fills_ = false;
  counters_ = {.zpass = counters_.zpass, .counts = counters_.counts, .stipple = counters_.stipple};
  phase_ = Phase::idle;
  words_.clear();
  programs_.invalidate();
}

void DrawUnit::begin(Vf vf) {
  if (phase_ == Phase::waiting)
    reporter_.report(ReportKind::bad_packet, "a draw begins while the one before it still waits for data",
                     ", " + std::to_string(words_.size()) + " of " + std::to_string(needed_) + " dwords came");
  phase_ = Phase::idle;
  words_.clear();
  vf_cntl_ = vf;
  if (vf.PRIM_TYPE() == Vf::PRIM_TYPE__NONE) return;
  const uint64_t vertices = vertex_count(state_, vf);
  uint64_t needed = 0;
  phase_ = Phase::refused;
  switch (vf.PRIM_WALK()) {
    case Vf::PRIM_WALK__STATE_BASED: needed = vertices * vap::state_vertex_dwords(state_); break;
    case Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY: {
      // Primitive type 7 has a flag word of an index' size behind each triple.
      const uint64_t indices = vf.PRIM_TYPE() == Vf::PRIM_TYPE__TRIANGLES_WITH_FLAGS ? vertices + vertices / 3 : vertices;
      const regs::r5x::X_DRAW_CTRL x = state_.chip().x_slots ? state_.get<regs::r5x::X_DRAW_CTRL>() : regs::r5x::X_DRAW_CTRL{};
      needed = vf.INDEX_SIZE() ? indices : x.BYTE_INDICES() ? (indices + x.SKIP_BYTES() + 3) / 4 : (indices + 1) / 2;
      break;
    }
    case Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY: break;
    case Vf::PRIM_WALK__VERTICES_IN_STREAM: needed = vertices * state_.get<regs::VAP_VTX_SIZE>().DWORDS_PER_VTX(); break;
  }
  if (needed > kMaxDrawDwords)
    return reporter_.report(ReportKind::bad_packet, "the draw needs too much data", ": " + std::to_string(needed) + " dwords");
  needed_ = static_cast<size_t>(needed);
  phase_ = Phase::waiting;
  if (needed_ == 0) run(words_);
}

void DrawUnit::data(std::span<const uint32_t> words, uint32_t padding) {
  if (words.empty() || phase_ == Phase::refused) return;
  const bool waiting = phase_ == Phase::waiting && vf_cntl_.PRIM_WALK() != Vf::PRIM_WALK__STATE_BASED;
  const size_t taken = waiting ? std::min(words.size(), needed_ - words_.size()) : 0;
  words_.insert(words_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(taken));
  if (words.size() - taken > padding)
    reporter_.report(ReportKind::bad_packet,
                     waiting ? "more data than the draw needs" : "vertex or index data without a draw that waits for it",
                     ", " + std::to_string(words.size() - taken) + " dwords dropped");
  if (waiting && words_.size() == needed_) run(words_);
}

bool DrawUnit::indices_in_place(std::span<const uint32_t> words) {
  const bool wanted = phase_ == Phase::waiting && vf_cntl_.PRIM_WALK() == Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY &&
                      words_.empty() && words.size() == needed_ && x::shaders(state_);
  if (wanted) run(words);
  return wanted;
}

void DrawUnit::state_vertex(std::span<const uint32_t> words) {
  if (phase_ != Phase::waiting || vf_cntl_.PRIM_WALK() != Vf::PRIM_WALK__STATE_BASED) return;
  words_.insert(words_.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), needed_ - words_.size())));
  if (words_.size() == needed_) run(words_);
}

void DrawUnit::end_state_vertices() {
  if (phase_ == Phase::waiting && vf_cntl_.PRIM_WALK() == Vf::PRIM_WALK__STATE_BASED) run(words_);
}

/// R5xx: draw commands are discarded together with their data.
bool DrawUnit::draws_nothing() const {
  return (state_.chip().has_vap_no_render && state_.get<regs::VAP_CNTL>().VAP_NO_RENDER()) || without_effect(state_);
}

void DrawUnit::run(std::span<const uint32_t> data) {
  phase_ = Phase::idle;
  if (draws_nothing()) return;
  begin_execution({.vf_cntl = vf_cntl_.raw});
  DrawContext ctx = context();
  const DrawInput input{vf_cntl_, data};
  if (observer_) observer_->draw(ctx, input);
  executor_.draw(ctx, input);
  after_execution();
  if (observer_) {
    if (observer_->one_by_one()) finish();
    observer_->drawn(ctx);
  }
  reporter_.where.draw = 0;
}

size_t DrawUnit::draw_more(std::span<const NextDraw> draws, std::span<const uint32_t> dwords) {
  if (phase_ != Phase::idle || observer_ || counters_.hung || draws_nothing() || unfinished_.size() + draws.size() > kMaxUnfinished)
    return 0;
  const uint64_t first = number_ + 1;
  counters_.reported = 0;
  counters_.instructions_left = std::min(config_.instruction_limit, uint64_t{INT64_MAX} / draws.size()) * draws.size();
  reporter_.where.draw = first;
  DrawContext ctx = context();
  ctx.draw = first;
  Bindings bindings(registers_);
  const size_t drawn = executor_.draw_more(ctx, draws, bindings);
  reporter_.where.draw = 0;
  if (!drawn) return 0;
  for (const NextDraw& draw : draws.first(drawn)) bindings.write(draw);  // also where the executor did not need them
  Origin origin{.where = reporter_.where};
  for (size_t i = 0; i < drawn; ++i) {
    origin.vf_cntl = draws[i].input.vf_cntl.raw;
    origin.where.dword = dwords[i], origin.where.draw = first + i;
    add_origin(origin, first + i);
  }
  number_ += drawn;
  after_execution();
  return drawn;
}

/// A new number; what a report of it needs is kept.
void DrawUnit::begin_execution(const Origin& from) {
  reporter_.where.draw = ++number_;
  counters_.reported = 0;
  counters_.instructions_left = config_.instruction_limit;
  if (unfinished_.size() >= kMaxUnfinished) finish();
  add_origin(from, number_).where = reporter_.where;
}

DrawUnit::Origin& DrawUnit::add_origin(const Origin& from, uint64_t number) {
  Origin& origin = unfinished_.emplace_back(from);
  origin.number = number;
  const auto registers = program_registers(origin.dispatch);
  for (size_t i = 0; i < registers.size(); ++i) origin.program[i] = state_.raw(registers[i]);
  return origin;
}

void DrawUnit::dispatch(const DispatchInput& input) {
  finish();
  if (hung()) return;
  begin_execution({.dispatch = true});
  DrawContext ctx = context();
  if (observer_) observer_->dispatch(ctx);
  if (PipelineCounts* counts = x::counts(ctx)) {
    const auto size = state_.get<regs::r5x::X_CS_LOCAL_SIZE>();
    const uint64_t groups = uint64_t{input.groups[0]} * input.groups[1] * input.groups[2];
    counts->compute_invocations += groups * (size.X() + 1) * (size.Y() + 1) * (size.Z() + 1);
  }
  executor_.dispatch(ctx, input);
  after_execution();
  finish();
  reporter_.where.draw = 0;
}

void DrawUnit::differs(const char* what) {
  context().report(ReportKind::lockup, std::string("PUMICE_EXEC=check: the executors differ: ") + what);
  counters_.hung = true;
}

bool DrawUnit::queue(const std::function<bool(DrawContext&)>& add) {
  if (counters_.hung) return false;
  DrawContext ctx = context();
  if (!add(ctx)) return false;
  if (!unfinished_.empty()) after_execution();  // it may have waited for draws
  fills_ = true;
  return true;
}

bool DrawUnit::fill(const FillInput& input) {
  return queue([&](DrawContext& ctx) { return executor_.fill(ctx, input); });
}

bool DrawUnit::resolve(const ResolveInput& input) {
  return queue([&](DrawContext& ctx) { return executor_.resolve(ctx, input); });
}

void DrawUnit::finish() {
  if ((unfinished_.empty() && !fills_) || counters_.hung) return;
  DrawContext ctx = context();
  executor_.finish(ctx);
  after_execution();
  unfinished_.clear();
  fills_ = false;
}

void DrawUnit::after_execution() {
  registers_.poke(regs::ZB_ZPASS_DATA{counters_.zpass});
  registers_.poke(regs::GA_LINE_STIPPLE_VALUE{counters_.stipple});
  report_fault(memory_, reporter_);
  const Where here = reporter_.where;
  for (const DrawReport& r : executor_.take_reports()) {
    reporter_.where = origin(r.draw).where;
    reporter_.report(r.kind, r.text);
  }
  if (counters_.hung) report_lockup();
  reporter_.where = here;
}

const DrawUnit::Origin& DrawUnit::origin(uint64_t number) const {
  for (const Origin& o : unfinished_)
    if (o.number == number) return o;
  return unfinished_.back();
}

std::span<const uint32_t> DrawUnit::program_registers(bool dispatch) const {
  static constexpr uint32_t kCompute[] = {regs::r5x::X_CS_CODE_LO::offset, regs::r5x::X_CS_CODE_HI::offset,
                                          regs::r5x::X_CS_CODE_SIZE::offset, regs::r5x::X_BUDGET::offset};
  if (dispatch) return kCompute;
  static constexpr uint32_t kSeparate[] = {regs::r300::VAP_PVS_CODE_CNTL_0::offset, regs::r300::US_CONFIG::offset,
                                           regs::r300::US_CODE_OFFSET::offset};
  static constexpr uint32_t kUnified[] = {regs::VAP_PVS_CODE_CNTL_0::offset, regs::US_CODE_ADDR::offset, regs::US_CODE_RANGE::offset,
                                          regs::US_CODE_OFFSET::offset};
  return state_.chip().us_slots ? std::span<const uint32_t>(kUnified) : std::span<const uint32_t>(kSeparate);
}

void DrawUnit::report_lockup() {
  const Origin& lost = origin(executor_.lost_draw());
  reporter_.where = lost.where;
  std::string detail = ": " + std::to_string(config_.instruction_limit) + " shader instructions are spent";
  if (lost.dispatch)
    detail = ": the budget of instructions is spent";
  else
    detail += "; " + decode::describe(decode::tables(state_.profile), Vf::offset, lost.vf_cntl);
  const auto registers = program_registers(lost.dispatch);
  for (size_t i = 0; i < registers.size(); ++i)
    detail += "; " + decode::describe(decode::tables(state_.profile), registers[i], lost.program[i]);
  reporter_.report(ReportKind::lockup, lost.dispatch ? "the watchdog stopped the dispatch" : "the watchdog stopped the draw", detail);
}

}  // namespace pumice::hw
