// SPDX-License-Identifier: MIT
/// pumice-run: shaders on a set of inputs, on the reference and the fast executor of a chip, beside an independent evaluation.
#include <cmath>
#include <cstdio>
#include <fstream>

#include "compiler/tools/source.h"
#include "tools/run/judge.h"
#include "tools/run/options.h"
#include "tools/run/report.h"

namespace pumice::run {
namespace {

/// False: unreadable.
bool read(const Options& o, std::vector<Module>& modules) {
  bool good = true;
  for (const std::string& file : o.files) {
    compiler::tool::Source source;
    Module m;
    m.file = file;
    std::string error;
    if (compiler::tool::read_source(file, o.stage, source, error)) {
      m.words = std::move(source.words);
      if (reflect(m, error)) {
        modules.push_back(std::move(m));
        continue;
      }
    }
    std::fprintf(stderr, "pumice-run: %s\n", error.c_str());
    good = false;
  }
  return good;
}

Outcome run_one(const Module& m, size_t number, const Judge& judge_library, const Options& o, bool& good) {
  const bool r300 = o.chip == "r300";
  Outcome out;
  const bool r5x = o.chip == "r5x";
  const Demands demands = demands_of(m.file, o, r300 && m.stage == Stage::fragment);
  if (!demands.wrong.empty()) {
    std::fprintf(stderr, "pumice-run: %s: '%s': see --help\n", m.file.c_str(), demands.wrong.c_str());
    good = false;
    return out;
  }
  Inputs inputs = random_inputs(m, demands.low, demands.high, o.seed);
  inputs.sampling = demands.sampling;
  std::string error;
  if (!o.inputs.empty() && !read_inputs(o.inputs, m, inputs, error)) {
    std::fprintf(stderr, "pumice-run: %s\n", error.c_str());
    good = false;
    return out;
  }
  out.compiled = compile(m, r5x ? compiler::kR5x : r300 ? compiler::kR300 : compiler::kR500, inputs.sampling);
  if (!out.compiled.program) {
    out.verdict = Verdict::refused;
    return out;
  }
  // Derivatives are those at a pixel there, and differences of pixels for the judge.
  if (o.inputs.empty() && out.compiled.program->vertex.reads_corners()) inputs = smooth(m, inputs, o.seed);
  const Task task{m,      *out.compiled.program,      inputs, r5x ? hw::Profile::r5x : r300 ? hw::Profile::r300 : hw::Profile::r500,
                  o.cpus, o.flip ? &*o.flip : nullptr};
  const auto machine = r5x ? extended_machine(task) : m.stage == Stage::vertex ? vertex_machine(task) : fragment_machine(task);
  execute(
      *machine, task, [&](const Inputs& in, std::string& e) { return judge_library.run(number, in, e); }, demands.tolerance, out);
  if (o.values) print_values(m, out);
  return out;
}

int main(int argc, char** argv) {
  Options o;
  std::vector<Module> modules;
  if (!parse(argc, argv, o) || !read(o, modules)) return 2;
  std::string error;
  const std::unique_ptr<Judge> judge = Judge::build(modules, error);
  if (!judge) {
    std::fprintf(stderr, "pumice-run: no independent evaluation: %s\n", error.c_str());
    return 2;
  }
  Sum sum;
  std::string table;
  for (size_t i = 0; i < modules.size(); ++i) {
    if (o.cpp) print_interface(modules[i]);
    bool good = true;
    const Outcome outcome = run_one(modules[i], i, *judge, o, good);
    if (!good) return 2;
    sum.add(modules[i], outcome);
    table += table_row(modules[i], o.chip, outcome) + "\n";
    if (!o.quiet || outcome.verdict != Verdict::same) print_outcome(modules[i], outcome);
  }
  std::printf("%s\n", sum.text(o.chip).c_str());
  if (!o.table.empty()) {
    std::ofstream file(o.table);
    if (!(file << table).flush()) {
      std::fprintf(stderr, "pumice-run: %s: cannot be written\n", o.table.c_str());
      return 2;
    }
  }
  return sum.all_same() ? 0 : 1;
}

}  // namespace
}  // namespace pumice::run

int main(int argc, char** argv) { return pumice::run::main(argc, argv); }
