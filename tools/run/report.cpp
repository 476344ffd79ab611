// SPDX-License-Identifier: MIT
#include "tools/run/report.h"

#include <cstdio>
#include <filesystem>

namespace pumice::run {
namespace {

constexpr char kChannel[] = "xyzw";
constexpr uint32_t kNeighbours = 8;

std::string number(float v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", double(v));
  return text;
}

/// "invocation 3, color.y: NAME 1, NAME 2, 5 ulp".
std::string difference(const Module& m, const Difference& d, const char* one, const char* other) {
  std::string text = "invocation " + std::to_string(d.invocation) + ", ";
  if (d.killed) return text + (d.have != 0 ? one : other) + " discards it, " + (d.have != 0 ? other : one) + " does not";
  return text + slot_name(m, d.slot) + "." + kChannel[d.channel] + ": " + one + " " + number(d.have) + ", " + other + " " + number(d.want) +
         ", " + std::to_string(d.ulp) + " ulp";
}

void inputs_of(const Module& m, const Inputs& inputs, uint32_t invocation, std::vector<std::string>& text) {
  for (const Variable& v : m.inputs) {
    std::string line = v.name + " =";
    for (uint32_t l = 0; l < v.columns; ++l)
      for (uint32_t c = 0; c < v.components; ++c) line += " " + number(inputs.values[invocation][v.location + l][c]);
    text.push_back(line);
  }
}

const compiler::Statistics& statistics(const Module& m, const compiler::Program& p) {
  if (const auto& x = p.x[size_t(m.stage == Stage::vertex ? compiler::Stage::vertex : compiler::Stage::fragment)]) return x->stats;
  return m.stage == Stage::vertex ? p.vertex.stats : p.fragment.stats;
}

std::string base_name(const Module& m) { return std::filesystem::path(m.file).filename().string(); }

}  // namespace

void execute(Machine& machine, const Task& task, const Evaluate& evaluate, const Tolerance& tolerance, Outcome& out) {
  const Module& m = task.module;
  out.reference = machine.reference();
  out.no_judge = m.no_judge;
  if (out.no_judge.empty()) out.wanted.push_back(evaluate(task.inputs, out.no_judge));
  if (!out.no_judge.empty()) out.wanted.clear();
  out.verdict = Verdict::differs;
  const auto complains = [&](const Execution& e, const char* who) {
    if (!e.complaints.empty()) out.text = {std::string(who) + ": " + e.complaints.front()};
    return !e.complaints.empty();
  };
  if (complains(out.reference, "reference")) return;
  uint64_t work = 0;
  for (const hw::fast::Cpu cpu : task.cpus) {
    out.fast = machine.fast(cpu);
    out.fast.work = work += out.fast.work;
    if (complains(out.fast, "fast")) return;
    const auto d = same_bits(m, out.reference.results, out.fast.results);
    if (!d) continue;
    out.text = {difference(m, *d, "reference", "fast") + " (" + out.fast.how + ")"};
    const Writer at = machine.first_difference(cpu);
    if (at.found) out.text.push_back("first difference after slot " + std::to_string(at.slot) + ": " + machine.instruction(at.slot));
    inputs_of(m, task.inputs, d->invocation, out.text);
    return;
  }
  if (!out.no_judge.empty()) {
    out.verdict = Verdict::not_judged;
    return;
  }
  out.judgement = judge(m, out.reference.results, out.wanted, tolerance);
  if (out.judgement.first) {
    for (uint32_t n = 1; n <= kNeighbours; ++n) {
      std::string ignored;  // a neighbour without results agrees with nothing
      Results near = evaluate(neighbour(m, task.inputs, tolerance.step, n), ignored);
      if (ignored.empty()) out.wanted.push_back(std::move(near));
    }
    out.judgement = judge(m, out.reference.results, out.wanted, tolerance);
  }
  if (!out.judgement.first) {
    out.verdict = out.judgement.compared ? Verdict::same : Verdict::not_judged;
    return;
  }
  const Difference& d = *out.judgement.first;
  out.text = {difference(m, d, "chip", "C++") + ", allowed " + std::to_string(tolerance.ulp) + " or " + number(tolerance.absolute)};
  if (!d.killed) {
    const Writer at = machine.writer(d.invocation, d.slot, d.channel);
    if (at.found) out.text.push_back("written by slot " + std::to_string(at.slot) + ": " + machine.instruction(at.slot));
  }
  inputs_of(m, task.inputs, d.invocation, out.text);
}

void print_outcome(const Module& m, const Outcome& o) {
  switch (o.verdict) {
    case Verdict::same:
      std::printf("%s: the same; %u values, %u of them at a jump, off by at most %u ulp, %g; %s\n", m.file.c_str(), o.judgement.compared,
                  o.judgement.jumps, o.judgement.worst_ulp, double(o.judgement.worst_absolute), o.fast.how.c_str());
      break;
    case Verdict::differs: std::printf("%s: %s\n", m.file.c_str(), o.text.front().c_str()); break;
    case Verdict::refused: std::printf("%s: refused: %s\n", m.file.c_str(), o.compiled.refused.c_str()); break;
    case Verdict::not_judged:
    case Verdict::count:
      std::printf("%s: reference and fast are the same; not judged: %s\n", m.file.c_str(),
                  o.no_judge.empty() ? "the C++ gives no finite number" : o.no_judge.c_str());
      break;
  }
  for (size_t i = 1; i < o.text.size(); ++i) std::printf("  %s\n", o.text[i].c_str());
}

void print_values(const Module& m, const Outcome& o) {
  for (size_t i = 0; i < o.reference.results.value.size(); ++i) {
    if (o.reference.results.killed[i]) {
      std::printf("  %zu: discarded\n", i);
      continue;
    }
    const auto line = [&](uint32_t slot, uint32_t components) {
      std::printf("  %zu: %s =", i, slot_name(m, slot).c_str());
      for (uint32_t c = 0; c < components; ++c) std::printf(" %.9g", double(o.reference.results.value[i][slot][c]));
      if (!o.wanted.empty()) std::printf("  C++");
      for (uint32_t c = 0; !o.wanted.empty() && c < components; ++c) std::printf(" %.9g", double(o.wanted[0].value[i][slot][c]));
      std::printf("\n");
    };
    for (const Variable& v : m.outputs)
      for (uint32_t c = 0; c < v.columns; ++c) line(v.location + c, v.components);
    if (m.position) line(kPosition, 4);
    if (m.point_size || m.depth) line(kExtra, 1);
  }
}

void print_interface(const Module& m) {
  for (const Variable& v : m.inputs) std::printf("input %u: %s\n", v.location, v.name.c_str());
  for (const Variable& v : m.outputs) std::printf("output %u: %s\n", v.location, v.name.c_str());
  for (const Block& b : m.blocks)
    for (const Leaf& leaf : b.leaves)
      std::printf("%s +%u: %s%s%s\n",
                  b.push ? "push constant" : ("uniform " + std::to_string(b.set) + "." + std::to_string(b.binding)).c_str(), leaf.offset,
                  b.name.c_str(), b.name.empty() ? "" : ".", leaf.path.c_str());
  for (const Texture& t : m.textures) std::printf("texture %u.%u: %s\n", t.set, t.binding, t.name.c_str());
  std::printf("%s", m.cpp.c_str());
}

std::string table_row(const Module& m, const std::string& chip, const Outcome& o) {
  std::string row = base_name(m) + "\t" + chip + "\t";
  if (o.verdict == Verdict::refused) return row + "refused: " + o.compiled.refused.substr(0, o.compiled.refused.find('\n'));
  const compiler::Statistics& s = statistics(m, *o.compiled.program);
  for (const uint32_t n : {s.slots, s.temps, s.paired, s.alu, s.tex, s.flow, s.levels, s.constants}) row += std::to_string(n) + "\t";
  row.pop_back();
  return row;
}

void Sum::add(const Module& m, const Outcome& o) {
  functions_.insert(m.functions.begin(), m.functions.end());
  ++count_[size_t(o.verdict)];
  instructions_ += o.reference.work;
  blocks_ += o.fast.work;
  compared_ += o.judgement.compared;
  open_ += o.judgement.open;
  jumps_ += o.judgement.jumps;
}

std::string Sum::text(const std::string& chip) const {
  const auto n = [](uint64_t v) { return std::to_string(v); };
  return chip + ": " + n(count_[size_t(Verdict::same)]) + " the same, " + n(count_[size_t(Verdict::differs)]) + " different, " +
         n(count_[size_t(Verdict::refused)]) + " refused, " + n(count_[size_t(Verdict::not_judged)]) + " not judged; " + n(compared_) +
         " values judged, " + n(jumps_) + " of them at a jump, " + n(open_) + " left open; the reference executed " + n(instructions_) +
         " instructions, the fast executor " + n(blocks_) + " blocks; " + n(functions_.size()) + " functions of GLSL.std.450";
}

bool Sum::all_same() const {
  uint32_t others = 0;
  for (size_t v = 0; v < count_.size(); ++v)
    if (Verdict(v) != Verdict::same) others += count_[v];
  return others == 0;
}

}  // namespace pumice::run
