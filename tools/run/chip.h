// SPDX-License-Identifier: MIT
/// The two executors of the chip model, from microcode and inputs to outputs. A vertex program runs for one vertex after another, or for
/// 16; a fragment program for quads, or for blocks of 16 pixels.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "hw/common/simd/cpu.h"
#include "hw/db/chips.h"
#include "tools/run/program.h"

namespace pumice::run {

/// An inverted bit of the microcode that the fast executor gets, to see that a difference is found; `both`: the reference gets it too, so
/// that the judge must find it.
struct Flip {
  uint32_t slot = 0, word = 0, bit = 0;
  bool both = false;
};

struct Execution {
  Results results;
  std::string how;                      ///< "reference interpreter", "native code", ...
  uint64_t work = 0;                    ///< instructions that the reference executed, or blocks that the fast routine ran
  std::vector<std::string> complaints;  ///< of the chip: each is a failure
};

/// The last instruction that wrote an output channel in the reference.
struct Writer {
  bool found = false;
  uint32_t slot = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual Execution reference() = 0;
  virtual Execution fast(hw::fast::Cpu cpu) = 0;
  /// Who wrote channel `channel` of slot `slot` of the results in invocation `invocation`.
  virtual Writer writer(uint32_t invocation, uint32_t slot, uint32_t channel) = 0;
  /// The first instruction after which the executors' values differ, by programs that end there; not found: not that way.
  virtual Writer first_difference(hw::fast::Cpu cpu) = 0;
  /// The text of an instruction.
  virtual std::string instruction(uint32_t slot) const = 0;
};

struct Task {
  const Module& module;
  const compiler::Program& program;
  const Inputs& inputs;
  hw::Profile profile;
  std::span<const hw::fast::Cpu> cpus;  ///< instruction sets of the fast executor
  const Flip* flip = nullptr;
};
std::unique_ptr<Machine> vertex_machine(const Task& task);
std::unique_ptr<Machine> fragment_machine(const Task& task);
std::unique_ptr<Machine> extended_machine(const Task& task);  ///< r5x: both stages

}  // namespace pumice::run
