// SPDX-License-Identifier: MIT
/// What became of a shader, and its line of the report.
#pragma once
#include <array>

#include "tools/run/chip.h"
#include "tools/run/compare.h"

namespace pumice::run {

enum class Verdict : uint8_t { same, differs, refused, not_judged, count };

struct Outcome {
  Verdict verdict = Verdict::not_judged;
  Compiled compiled;
  Execution reference, fast;  ///< fast: the last; its work is that of all
  Judgement judgement;
  std::vector<Results> wanted;    ///< by the judge, perhaps with those for neighbours
  std::vector<std::string> text;  ///< of a difference
  std::string no_judge;           ///< why it was not judged
};

/// Runs both executors and compares: them, then the reference with the judge (unless the module has none). Fills all but `compiled`.
using Evaluate = std::function<Results(const Inputs&, std::string& error)>;
void execute(Machine& machine, const Task& task, const Evaluate& evaluate, const Tolerance& tolerance, Outcome& out);

void print_outcome(const Module& module, const Outcome& outcome);
void print_values(const Module& module, const Outcome& outcome);
void print_interface(const Module& module);
/// Name, chip, and slots, temps, pairs, texture instructions, levels, constants of the program; or what refused it.
std::string table_row(const Module& module, const std::string& chip, const Outcome& outcome);

/// Shaders by verdict, and the work that proves that both executors ran.
class Sum {
 public:
  void add(const Module& module, const Outcome& outcome);
  std::string text(const std::string& chip) const;
  bool all_same() const;

 private:
  std::array<uint32_t, size_t(Verdict::count)> count_{};
  std::set<uint32_t> functions_;
  uint64_t instructions_ = 0, blocks_ = 0, compared_ = 0, open_ = 0, jumps_ = 0;
};

}  // namespace pumice::run
