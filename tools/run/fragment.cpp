// SPDX-License-Identifier: MIT
/// The fragment engine with one program loaded. What the rasterizer would interpolate is put into the temps: the values are those of the
/// inputs, exactly.
#include <algorithm>
#include <bit>

#include "hw/common/simd/flush.h"
#include "hw/radeon/decode/us/r300.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/fast/pixel/shade.h"
#include "hw/radeon/fast/texture/tx.h"
#include "hw/radeon/ref/us/thread.h"
#include "hw/radeon/ref/vap/pvs_engine.h"
#include "tools/run/chip.h"
#include "tools/run/fragment_program.h"
#include "tools/run/textures.h"
#include "tools/run/vertex.h"

namespace pumice::run {
namespace {

namespace us = hw::fast::us;
using hw::fast::RsSource;
constexpr uint64_t kBudget = 1'000'000;  ///< instructions of a quad
constexpr uint32_t kDepthSlot = kExtra;

/// Notes who writes a channel of a target, or the depth.
class WriterNote final : public hw::Inspector {
 public:
  WriterNote(uint32_t slot, uint32_t channel) : slot_(slot), channel_(channel) {}
  void executed(hw::us::Thread& t, const isa::us_r500::Instruction& x) override {
    if (x.type != isa::us_r500::Type::OUTPUT) return;
    const isa::us_r500::Unit& unit = channel_ < 3 ? x.rgb : x.alpha;
    const uint32_t mask = x.rgb.output | x.alpha.output << 3;
    if (slot_ == kDepthSlot ? x.depth_write : unit.target == slot_ && (mask >> channel_ & 1)) writer = {true, t.pc};
  }
  Writer writer;

 private:
  const uint32_t slot_, channel_;
};

class FragmentMachine final : public Machine {
 public:
  explicit FragmentMachine(const Task& task) : t_(task), f_(task.program.fragment), levels_(!f_.levels.empty()) {
    listener_.on_report = [this](const hw::Report& r) { reports_.push_back(r.text); };
    hw::reset(state_, task.profile);
    load_fragment_program(state_, f_, constants(f_.constants, task.module, task.inputs));
    load_textures(state_, *memory_, f_.textures, task.inputs.sampling);
    route();
    interpolate();
  }

  Execution reference() override { return run_reference(t_.flip && t_.flip->both ? flipped(state_) : state_, nullptr); }
  Execution fast(hw::fast::Cpu cpu) override { return run_fast(flipped(state_), cpu); }

  Writer writer(uint32_t invocation, uint32_t slot, uint32_t channel) override {
    WriterNote note(slot, channel);
    only_ = invocation / 4;
    run_reference(state_, &note);
    only_.reset();
    return note.writer;
  }

  Writer first_difference(hw::fast::Cpu cpu) override {
    for (uint32_t last = 0; last < (levels_ ? f_.levels.alu.size() : f_.code.size()); ++last) {
      hw::ChipState cut = state_, other = flipped(state_);
      for (hw::ChipState* s : {&cut, &other}) end_fragment_program(*s, f_, last);
      const Execution a = run_reference(cut, nullptr), b = run_fast(other, cpu);
      for (size_t i = 0; i < a.results.value.size(); ++i)
        for (uint32_t s = 0; s < kSlots; ++s)
          for (uint32_t c = 0; c < 4; ++c)
            if (std::bit_cast<uint32_t>(a.results.value[i][s][c]) != std::bit_cast<uint32_t>(b.results.value[i][s][c]))
              return {true, levels_ ? execution_place(state_, last) : last};
    }
    return {};
  }

  std::string instruction(uint32_t slot) const override { return fragment_instruction(state_, f_, slot); }

 private:
  hw::ChipState flipped(hw::ChipState state) const {
    if (t_.flip) flip_fragment_bit(state, f_, *t_.flip);
    return state;
  }

  // ---- What RS would give ----------------------------------------------------------------------------------------------------------

  struct Register {
    uint32_t temp = 0;
    std::array<RsSource, 4> channel{};
  };

  void route() {
    uint8_t next = 0;
    const auto vector = [&](uint32_t temp, uint32_t components) {
      Register r{temp, {}};
      for (uint32_t c = 0; c < 4; ++c) {
        if (c < components)
          r.channel[c] = {RsSource::Kind::interpolant, next++, false};
        else
          r.channel[c] = {c == 3 ? RsSource::Kind::one : RsSource::Kind::zero, 0, false};
      }
      registers_.push_back(r);
    };
    for (const compiler::Varying& v : t_.program.varyings) vector(v.us_temp, v.components);
    if (f_.point_coord_temp) vector(*f_.point_coord_temp, 2);
    if (f_.frag_coord_xy_temp)
      registers_.push_back({*f_.frag_coord_xy_temp, {{{RsSource::Kind::pixel_x, 0, false}, {RsSource::Kind::pixel_y, 0, false}, {}, {}}}});
    if (f_.front_facing_temp) registers_.push_back({*f_.front_facing_temp, {{{RsSource::Kind::back_facing, 0, false}, {}, {}, {}}}});
    interpolants_ = next;
    const uint32_t last = uint32_t(std::max<size_t>(registers_.size(), 1)) - 1;
    if (levels_)
      state_.set(regs::r300::RS_INST_COUNT{}.INST_COUNT(last));
    else
      state_.set(regs::RS_INST_COUNT{}.INST_COUNT(last));
    for (uint32_t i = 0; i < registers_.size(); ++i) {
      if (levels_)
        state_.set(regs::r300::RS_INST{}.TEX_CN(1).TEX_ADDR(registers_[i].temp), i);
      else
        state_.set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(registers_[i].temp), i);
    }
  }

  /// The partner's vertex program says which varying is which input. Slopes are those of the triangle of a quad's first three pixels, whose
  /// positions are the window's and w = 1: the differences between them.
  void interpolate() {
    hw::ChipState state(t_.profile);
    hw::reset(state, t_.profile);
    const compiler::VertexProgram& v = t_.program.vertex;
    load_vertex_program(state, v, constants(v.constants, {}, {}));
    const hw::vap::PvsProgram program = hw::vap::decode_program(state);
    std::vector<std::array<Vec4, kLocations>> values = t_.inputs.values;
    for (uint32_t i = 0; i < t_.inputs.invocations; ++i)
      values[i][kPositionAttribute] = {float(pixel_x(i)) + 0.5f, float(pixel_y(i)) + 0.5f, kDepth, 1};
    const auto run = [&](uint32_t i, const Triangle& triangle) {
      hw::vap::PvsOutputs outputs;
      outputs.fill(hw::vap::kDefaultVector);
      uint64_t budget = kBudget;
      hw::vap::run_program(program, state, vertex_inputs(v, triangle, i), outputs, budget);
      return outputs;
    };
    for (uint32_t i = 0; i < t_.inputs.invocations; ++i) {
      const uint32_t first = i / 4 * 4;
      const hw::vap::PvsOutputs own = run(i, {&values[i], &values[i], &values[i]}),
                                slopes = run(first, {&values[first], &values[first + 1], &values[first + 2]});
      std::vector<float>& row = interpolated_.emplace_back();
      for (const compiler::Varying& x : t_.program.varyings) {
        const bool slope = x.kind == compiler::Varying::Kind::slope_x || x.kind == compiler::Varying::Kind::slope_y;
        for (uint32_t c = 0; c < x.components; ++c) row.push_back((slope ? slopes : own)[1 + x.texcoord][c]);
      }
      if (f_.point_coord_temp) row.insert(row.end(), {0.25f, 0.75f});
    }
  }

  float routed(uint32_t invocation, const RsSource& s) const {
    switch (s.kind) {
      case RsSource::Kind::zero:
      case RsSource::Kind::back_facing: return 0;
      case RsSource::Kind::one: return 1;
      case RsSource::Kind::pixel_x: return float(pixel_x(invocation));
      case RsSource::Kind::pixel_y: return float(pixel_y(invocation));
      case RsSource::Kind::interpolant: return interpolated_[invocation][s.index];
    }
    return 0;
  }

  // ---- Executors -------------------------------------------------------------------------------------------------------------------

  Execution begin(const char* how) {
    Execution e;
    e.how = how;
    e.results.value.assign(t_.inputs.invocations, {});
    e.results.killed.assign(t_.inputs.invocations, 0);
    reports_.clear();
    return e;
  }

  Execution run_reference(const hw::ChipState& state, hw::Inspector* inspector) {
    Execution e = begin("reference interpreter");
    for (uint32_t quad = 0; quad < t_.inputs.invocations / 4; ++quad) {
      if (only_ && *only_ != quad) continue;
      const auto q = std::make_unique<hw::PixelQuad>();
      q->quad.coverage = 15;
      q->quad.x = int32_t(pixel_x(quad * 4)), q->quad.y = int32_t(pixel_y(quad * 4));
      for (const Register& r : registers_)
        for (uint32_t p = 0; p < 4; ++p)
          for (uint32_t c = 0; c < 4; ++c) q->temp[r.temp][p][c] = routed(quad * 4 + p, r.channel[c]);
      hw::DrawCounters counters;
      counters.instructions_left = kBudget;
      hw::DrawContext context{state, *memory_, counters, listener_};
      context.inspector = inspector;
      hw::us::run(context, *q);
      e.work += kBudget - counters.instructions_left;
      if (counters.hung) reports_.push_back("the program does not end");
      for (uint32_t p = 0; p < 4; ++p) {
        Result& to = e.results.value[quad * 4 + p];
        for (uint32_t target = 0; target < 4; ++target) to[target] = q->color[target][p];
        to[kDepthSlot][0] = q->depth[p];
        e.results.killed[quad * 4 + p] = q->killed >> p & 1;
      }
    }
    e.complaints = reports_;
    return e;
  }

  Execution run_fast(const hw::ChipState& state, hw::fast::Cpu cpu) {
    Execution e = begin("");
    hw::fast::RsLayout layout;
    layout.count = uint8_t(registers_.size());
    layout.interpolants = uint8_t(interpolants_);
    for (size_t i = 0; i < registers_.size(); ++i) layout.reg[i] = {uint8_t(registers_[i].temp), registers_[i].channel};
    const auto shade = us::compile(state, layout, cpu);
    e.how = !shade->native() ? "" : cpu == hw::fast::Cpu::portable ? "portable SIMD" : "native code";
    if (!shade->native()) e.complaints.push_back("the fast executor leaves the program to the reference: " + shade->why());
    hw::DrawCounters counters;
    hw::DrawContext context{state, *memory_, counters, listener_};
    const auto units = std::make_unique<std::array<hw::fast::tx::Prepared, 16>>();
    std::array<const hw::fast::tx::UnitHead*, 16> heads{};
    for (uint32_t i = 0; i < 16; ++i) {
      hw::fast::tx::prepare((*units)[i], state, *memory_, i, cpu);
      heads[i] = &(*units)[i];
    }
    std::vector<std::array<uint32_t, 4>> values(state.us_const.begin(), state.us_const.end());
    for (uint32_t i = 0; levels_ && i < regs::r300::US_ALU_CONST_R::count; ++i) values[i] = hw::us_r300::constant(state, i);
    std::array<uint32_t, 33> flow{};
    for (uint32_t i = 0; i < 32 && !levels_; ++i) flow[i] = state.get<regs::US_FC_INT_CONST>(i).raw;
    us::ShadeUser user{&context, shade.get()};
    const auto args = std::make_unique<hw::fast::ShadeArgs>();
    std::vector<hw::fast::Lanes> offsets(hw::fast::kMaxInterpolants);
    std::array<uint32_t, hw::fast::kMaxInterpolants> factors{};
    hw::fast::Lanes one{};
    for (uint32_t first = 0; first < t_.inputs.invocations; first += kBlock) {
      *args = {};
      for (uint32_t n = 0; n < interpolants_; ++n)
        for (uint32_t lane = 0; lane < kBlock; ++lane) offsets[n].v[lane] = interpolated_[first + lane][n];
      args->x = int32_t(pixel_x(first)), args->y = int32_t(pixel_y(first));
      args->covered = 0xFFFF;
      args->instructions_left = kBudget * 4;
      args->offset = offsets.data();
      args->offset_w = &one;
      args->factor = factors.data();
      args->constant = reinterpret_cast<const float(*)[4]>(values.data());
      args->flow_constant = flow.data();
      args->unit = heads.data();
      args->user = &user;
      {
        const hw::fast::FlushDenormals flush;
        shade->routine()(*args);
      }
      ++e.work;
      if (args->stopped) reports_.push_back("the routine stopped before its end");
      for (uint32_t lane = 0; lane < kBlock; ++lane) {
        Result& to = e.results.value[first + lane];
        for (uint32_t target = 0; target < 4; ++target)
          for (uint32_t c = 0; c < 4; ++c) to[target][c] = args->color[target][c].v[lane];
        to[kDepthSlot][0] = shade->traits().writes_depth ? args->depth.v[lane] : 0;
        e.results.killed[first + lane] = args->killed >> lane & 1;
      }
    }
    for (const auto& unit : *units) hw::fast::tx::take_reports(unit, context);
    e.complaints.insert(e.complaints.end(), reports_.begin(), reports_.end());
    return e;
  }

  const Task t_;
  const compiler::FragmentProgram& f_;
  const bool levels_;
  hw::ChipState state_{t_.profile};
  std::unique_ptr<hw::Memory> memory_ = hw::Memory::create();
  hw::Listener listener_;
  std::vector<std::string> reports_;
  std::vector<Register> registers_;
  uint32_t interpolants_ = 0;
  std::vector<std::vector<float>> interpolated_;  ///< by invocation and interpolant
  std::optional<uint32_t> only_;                  ///< the quad that run_reference() executes
};

}  // namespace

std::unique_ptr<Machine> fragment_machine(const Task& task) { return std::make_unique<FragmentMachine>(task); }

}  // namespace pumice::run
