// SPDX-License-Identifier: MIT
/// Vertex and fragment programs of r5x (docs/r5x.md) in groups of 16 lanes: by the interpreter, and by native code of the program that
/// asks the stage through calls. Varyings and attributes are the inputs, exactly.
#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/us/machine.h"
#include "hw/db/formats.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/fast/extended/runner.h"
#include "hw/radeon/ref/us/group.h"
#include "tools/run/chip.h"
#include "tools/run/compare.h"
#include "tools/run/textures.h"

namespace pumice::run {
namespace {

namespace us = isa::us_r500;
namespace r = regs::r5x;
namespace slot = hw::x::slot;
using compiler::XProgram;
using hw::x::Bits4;

constexpr uint64_t kBudget = 16'000'000;  ///< instructions of a block of 16
constexpr auto kPage = uint32_t(hw::kPageBytes);
constexpr uint32_t kSetBytes = 64;       ///< of a binding: PipelineSource::resources is empty
constexpr uint32_t kMostBinding = 1023;  ///< that has a descriptor here

/// Something that a lane gave to its stage.
struct Export {
  uint32_t pc = 0, invocation = 0, slot = 0, mask = 0;
  Bits4 value{};
};

/// The bits of all exports of an invocation.
using RawExports = std::array<Bits4, slot::count>;

/// The stage of 16 invocations.
class Link final : public hw::x::StageLink {
 public:
  Link(const Task& task, const XProgram& partner_or_own) : t_(task), locations_(partner_or_own.locations) {
    for (const Variable& v : task.module.inputs)
      for (uint32_t c = 0; c < v.columns; ++c) input_[v.location + c] = {v.number, v.components};
    for (const Variable& v : task.module.outputs)
      for (uint32_t c = 0; c < v.columns; ++c) output_[v.location + c] = {v.number, v.components};
  }

  uint32_t first = 0;  ///< invocation of lane 0
  uint32_t pc = 0;     ///< that an inspector has seen
  Results results;
  std::vector<RawExports> raw;  ///< by invocation
  std::vector<Export> exports;  ///< in order; only where `keeps`
  bool keeps = false;

  Bits4 attribute(uint32_t lane, uint32_t number) override { return input(lane, number); }
  Bits4 varying(uint32_t lane, uint32_t number, uint32_t, const Bits4&) override {
    return number < locations_.size() ? input(lane, locations_[number]) : Bits4{};
  }
  Bits4 system(uint32_t lane, uint32_t number) override {
    const uint32_t i = first + lane;
    switch (number) {
      case 0: return {bits(float(pixel_x(i)) + 0.5f), bits(float(pixel_y(i)) + 0.5f), bits(kDepth), bits(1)};
      case 1: return {~0u, 0, 0, 0};
      case 3: return {bits(0.5f), bits(0.5f), 0, 0};
      case 4: return {1, 0, 0, 0};
      case 5: return {bits(0.25f), bits(0.75f), 0, 0};
      case 9: return {results.killed[i] ? ~0u : 0u, 0, 0, 0};
      case 16: return {i, 0, 0, 0};
      case 17: return {kInstance, 0, 0, 0};
      default: return {};
    }
  }
  void write(uint32_t lane, uint32_t where, uint32_t mask, const Bits4& value) override {
    if (keeps) exports.push_back({pc, first + lane, where, mask, value});
    Result& to = results.value[first + lane];
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(mask >> c & 1)) continue;
      raw[first + lane][where % slot::count][c] = value[c];
      const auto location = [&](uint32_t n) { to[n][c] = number(output_[n].number, value[c]); };
      if (t_.module.stage == Stage::vertex) {
        const uint32_t n = where - slot::varying;
        if (where == slot::position) to[kPosition][c] = real(value[c]);
        if (where == slot::point_size && c == 0) to[kExtra][0] = real(value[c]);
        if (where >= slot::varying && n < locations_.size() && locations_[n] < kLocations) location(locations_[n]);
      } else {
        if (where < slot::depth) location(where);
        if (where == slot::depth && c == 0) to[kExtra][0] = real(value[c]);
      }
    }
  }
  void kill(uint32_t lane) override { results.killed[first + lane] = 1; }

 private:
  struct Kind {
    Number number = Number::real;
    uint32_t components = 4;
  };
  static uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }
  static float real(uint32_t v) { return std::bit_cast<float>(v); }
  static float number(Number n, uint32_t v) { return n == Number::real ? real(v) : n == Number::integer ? float(int32_t(v)) : float(v); }
  Bits4 input(uint32_t lane, uint32_t location) const {
    if (location >= kLocations) return {};
    const Kind& k = input_[location];
    const auto word = [&](float v) { return k.number == Number::real ? bits(v) : uint32_t(int64_t(v)); };
    Bits4 out{0, 0, 0, word(1)};
    for (uint32_t c = 0; c < k.components; ++c) out[c] = word(t_.inputs.values[first + lane][location][c]);
    return out;
  }

  const Task& t_;
  const std::vector<uint32_t>& locations_;  ///< by varying
  std::array<Kind, kLocations> input_{}, output_{};
};

/// Tells the stage which slot executes.
class Pc final : public hw::Inspector {
 public:
  explicit Pc(Link& link) : link_(link) {}
  void instruction(hw::us::GroupThread<16>& t, const us::Instruction&) override { link_.pc = t.pc; }

 private:
  Link& link_;
};

/// The program with an export of what each slot wrote behind it; `original`: by slot, ~0 for such an export.
struct Watched {
  std::vector<us::Words> code;
  std::vector<uint32_t> original;
};

us::Words export_of(uint8_t temp, uint32_t mask, uint32_t to) {
  us::Instruction x;
  x.type = us::Type::TEXTURE;
  x.rgb.write = uint8_t(mask & 7), x.alpha.write = uint8_t(mask >> 3);
  x.tex.inst = us::TexOp::X;
  x.tex.source.temp = temp;
  x.tex.x.op = us::XOp::EXP;
  x.tex.x.immediate = to;
  return us::pack(x);
}

Watched watched(const std::vector<us::Words>& code) {
  constexpr uint32_t kWatch = slot::count - 1;  // no program has so many varyings here
  Watched w;
  std::vector<uint32_t> place(code.size() + 1);
  for (uint32_t i = 0; i < code.size(); ++i) {
    place[i] = uint32_t(w.code.size());
    const us::Instruction x = us::unpack(code[i]);
    w.code.push_back(code[i]), w.original.push_back(i);
    const auto watch = [&](uint8_t temp, uint32_t mask) {
      if (mask) w.code.push_back(export_of(temp, mask, kWatch)), w.original.push_back(~0u);
    };
    if (x.type == us::Type::TEXTURE) {
      const us::XOp op = x.tex.x.op;
      if (x.tex.inst != us::TexOp::X || (op != us::XOp::EXP && op != us::XOp::KILL))
        watch(x.tex.dest.temp, x.rgb.write | x.alpha.write << 3);
    } else if (x.type == us::Type::ALU) {
      watch(x.rgb.dest, x.rgb.write);
      watch(x.alpha.dest, x.alpha.write << 3);
    }
  }
  place[code.size()] = uint32_t(w.code.size());
  for (us::Words& words : w.code) {
    us::Instruction x = us::unpack(words);
    if (x.type != us::Type::FLOW_CONTROL || x.flow.target > code.size()) continue;
    x.flow.target = uint16_t(place[x.flow.target]);
    words = us::pack(x);
  }
  return w;
}

class ExtendedMachine final : public Machine {
 public:
  explicit ExtendedMachine(const Task& task)
      : t_(task),
        vertex_(task.module.stage == Stage::vertex),
        x_(*task.program.x[size_t(vertex_ ? compiler::Stage::vertex : compiler::Stage::fragment)]),
        link_(t_, *task.program.x[size_t(compiler::Stage::fragment)]) {
    listener_.on_report = [this](const hw::Report& report) { reports_.push_back(report.text); };
    hw::reset(state_, task.profile);
    state_.set(r::X_CTRL{}.EN(1).SHADERS(1));
    load_sets();
    load_push();
  }

  Execution reference() override {
    Execution e = run(code(t_.flip && t_.flip->both), {}, nullptr, false);
    reference_ = e.results, raw_ = link_.raw;
    return e;
  }

  Execution fast(hw::fast::Cpu cpu) override {
    Execution e = run(code(t_.flip), cpu, nullptr, false);
    // Results are floats, which large integers are not.
    if (e.complaints.empty() && !same_bits(t_.module, reference_, e.results))
      for (uint32_t i = 0; i < raw_.size(); ++i)
        for (uint32_t s = 0; s < slot::count; ++s)
          for (uint32_t c = 0; c < 4; ++c)
            if (e.complaints.empty() && !e.results.killed[i] && raw_[i][s][c] != link_.raw[i][s][c])
              e.complaints.push_back("invocation " + std::to_string(i) + ", export " + std::to_string(s) + ": " +
                                     std::to_string(link_.raw[i][s][c]) + ", reference " + std::to_string(raw_[i][s][c]));
    return e;
  }

  Writer writer(uint32_t invocation, uint32_t which, uint32_t channel) override {
    Pc pc(link_);
    run(code(t_.flip && t_.flip->both), {}, &pc, true);
    Writer found;
    for (const Export& e : link_.exports)
      if (e.invocation == invocation && is(e.slot, which) && e.mask >> channel & 1) found = {true, e.pc};
    return found;
  }

  Writer first_difference(hw::fast::Cpu cpu) override {
    const Watched right = watched(code(t_.flip && t_.flip->both)), wrong = watched(code(t_.flip));
    Pc pc(link_);
    run(right.code, {}, &pc, true);
    const std::vector<Export> want = std::move(link_.exports);
    run(wrong.code, cpu, nullptr, true);
    const std::vector<Export>& have = link_.exports;
    for (size_t i = 0; i < want.size(); ++i) {
      const Export& a = want[i];
      if (i < have.size()) {
        const Export& b = have[i];
        bool same = a.invocation == b.invocation && a.slot == b.slot && a.mask == b.mask;
        for (uint32_t c = 0; c < 4; ++c) same &= !(a.mask >> c & 1) || a.value[c] == b.value[c];
        if (same) continue;
      }
      uint32_t at = a.pc;
      while (at > 0 && right.original[at] == ~0u) --at;
      return {true, right.original[at]};
    }
    return {};
  }

  std::string instruction(uint32_t at) const override { return compiler::us::disassemble(us::unpack(x_.code[at])); }

 private:
  std::vector<us::Words> code(bool flip) const {
    std::vector<us::Words> words(x_.code.begin(), x_.code.end());
    if (flip) words[t_.flip->slot % words.size()][t_.flip->word % 6] ^= 1u << (t_.flip->bit % 32);
    return words;
  }

  /// Whether export slot `exported` is slot `which` of the results.
  bool is(uint32_t exported, uint32_t which) const {
    if (which == kPosition) return vertex_ && exported == slot::position;
    if (which == kExtra) return exported == (vertex_ ? slot::point_size : slot::depth);
    if (!vertex_) return exported == which;
    const auto& locations = t_.program.x[size_t(compiler::Stage::fragment)]->locations;
    return exported >= slot::varying && exported - slot::varying < locations.size() && locations[exported - slot::varying] == which;
  }

  /// Bytes of their own pages.
  uint32_t allocate(size_t bytes) {
    const uint32_t at = next_;
    const uint32_t pages = uint32_t(bytes) / kPage + 1;
    memory_->map(at, uint64_t{pages} * kPage);
    next_ += (pages + 1) * kPage;
    return at;
  }
  uint32_t store(const void* data, size_t bytes) {
    const uint32_t at = allocate(bytes);
    memory_->write(at, data, bytes);
    return at;
  }

  void load_sets() {
    constexpr uint32_t kSets = 8;
    uint32_t set[kSets];
    for (uint32_t s = 0; s < kSets; ++s) {
      set[s] = allocate((kMostBinding + 1) * kSetBytes);
      state_.set(r::X_GFX_SET_LO{set[s]}, s);
    }
    const auto there = [&](uint32_t s, uint32_t binding) { return s < kSets && binding <= kMostBinding; };
    for (size_t b = 0; b < t_.module.blocks.size(); ++b) {
      const Block& block = t_.module.blocks[b];
      const std::vector<uint8_t>& bytes = t_.inputs.blocks[b];
      if (block.push || !there(block.set, block.binding)) continue;
      const uint32_t words[4] = {store(bytes.data(), bytes.size()), 0, uint32_t(bytes.size()), 0};
      memory_->write(set[block.set] + block.binding * kSetBytes, words, sizeof words);
    }
    for (const Texture& t : t_.module.textures) {
      if (!there(t.set, t.binding)) continue;
      const Sampling& s = t_.inputs.sampling;
      const uint32_t pitch = (s.width * 4 + 63) / 64 * 64, at = next_, layer = (pitch * s.height + 63) / 64;
      store_texels(*memory_, at, pitch, s);
      next_ += (layer * 64 / kPage + 2) * kPage;
      constexpr uint32_t k2d = 1, kSame = 0 | 1 << 3 | 2 << 6 | 3 << 9, kLessOrEqual = 3;
      constexpr uint32_t kWrap[] = {0, 1, 2};  // repeat, mirrored, to the edge
      const uint32_t linear = s.linear && !t.shadow, wrap = kWrap[size_t(s.wrap)];
      const uint32_t words[12] = {
          at,
          uint32_t(hw::formats::R8G8B8A8_UNORM) << 16 | k2d << 24,
          (s.width - 1) | (s.height - 1) << 16,
          0,
          kSame << 12,
          pitch,
          layer,
          0,
          linear | linear << 1 | (wrap | wrap << 3 | wrap << 6) << 3 | kLessOrEqual << 12 | uint32_t(t.shadow) << 15 | 1u << 24,
          0,
          0,
          0};
      memory_->write(set[t.set] + t.binding * kSetBytes, words, sizeof words);
    }
  }

  void load_push() {
    for (size_t b = 0; b < t_.module.blocks.size(); ++b) {
      if (!t_.module.blocks[b].push) continue;
      const std::vector<uint8_t>& bytes = t_.inputs.blocks[b];
      state_.set(r::X_GFX_PUSH_LO{store(bytes.data(), bytes.size())});
      state_.set(r::X_GFX_PUSH_SIZE{uint32_t(bytes.size())});
    }
  }

  void load(const std::vector<us::Words>& words) {
    const size_t literals_at = (words.size() * sizeof(us::Words) + 15) / 16 * 16;
    std::vector<uint8_t> bytes(literals_at + x_.literals.size() * sizeof(Bits4));
    std::memcpy(bytes.data(), words.data(), words.size() * sizeof(us::Words));
    if (!x_.literals.empty()) std::memcpy(bytes.data() + literals_at, x_.literals.data(), x_.literals.size() * sizeof(Bits4));
    const uint32_t at = store(bytes.data(), bytes.size());
    const auto size = r::X_FS_CODE_SIZE{}.SLOTS(uint32_t(words.size())).LITERALS(uint32_t(x_.literals.size()));
    const auto needs = r::X_FS_CODE_RSRC{}.TEMPS(x_.temps - 1).SCRATCH(x_.scratch_bytes / r::X_FS_CODE_RSRC::SCRATCH__UNIT);
    if (vertex_) {
      state_.set(r::X_VS_CODE_LO{at}), state_.set(r::X_VS_CODE_SIZE{size.raw}), state_.set(r::X_VS_CODE_RSRC{needs.raw});
    } else {
      state_.set(r::X_FS_CODE_LO{at}), state_.set(size), state_.set(needs);
      state_.set(r::X_FS_CTRL{x_.control});
    }
  }

  /// Without `cpu`: the interpreter.
  Execution run(const std::vector<us::Words>& words, std::optional<hw::fast::Cpu> cpu, hw::Inspector* inspector, bool keeps) {
    Execution e;
    e.how = !cpu ? "reference interpreter" : *cpu == hw::fast::Cpu::portable ? "portable SIMD" : "native code";
    reports_.clear();
    load(words);
    link_.results.value.assign(t_.inputs.invocations, {});
    for (Result& to : link_.results.value) to[kPosition] = {0, 0, 0, 1}, to[kExtra][0] = vertex_ ? 1.0f : 0.0f;
    link_.results.killed.assign(t_.inputs.invocations, 0);
    link_.raw.assign(t_.inputs.invocations, {});
    link_.exports.clear();
    link_.keeps = keeps;
    hw::x::Programs programs;
    hw::DrawCounters counters;
    hw::DrawContext context{state_, *memory_, counters, listener_};
    context.programs = &programs;
    context.inspector = inspector;
    hw::fast::extended::Routines routines(cpu.value_or(hw::fast::Cpu::portable), {});
    hw::fast::extended::Runner runner(routines);
    const hw::fast::extended::Runner::Draw draw(runner, context);
    if (!cpu) programs.groups = nullptr;
    for (uint32_t first = 0; first < t_.inputs.invocations; first += kBlock) {
      link_.first = first;
      counters.instructions_left = kBudget;
      const hw::x::Group group{.stage = vertex_ ? hw::x::Stage::vertex : hw::x::Stage::fragment,
                               .lanes = hw::x::kGroupLanes,
                               .active = 0xFFFF,
                               .helpers = 0,
                               .link = &link_};
      if (!cpu) {
        hw::x::run(context, group);
      } else if (!runner.run(context, group)) {
        reports_.push_back("the fast executor leaves the program to the reference");
        break;
      }
      if (counters.hung) reports_.push_back("the program does not end");
      e.work += cpu ? 1 : kBudget - counters.instructions_left;
    }
    e.results = link_.results;
    e.complaints = reports_;
    return e;
  }

  const Task t_;
  const bool vertex_;
  const XProgram& x_;
  Link link_;
  hw::ChipState state_{t_.profile};
  std::unique_ptr<hw::Memory> memory_ = hw::Memory::create();
  hw::Listener listener_;
  std::vector<std::string> reports_;
  uint32_t next_ = kPage;  ///< programs follow one another
  Results reference_;
  std::vector<RawExports> raw_;  ///< of the reference
};

}  // namespace

std::unique_ptr<Machine> extended_machine(const Task& task) { return std::make_unique<ExtendedMachine>(task); }

}  // namespace pumice::run
