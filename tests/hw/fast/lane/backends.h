// SPDX-License-Identifier: MIT
/// Everything that runs lane programs, under one name each.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hw/common/simd/flush.h"
#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/reference.h"
#include "hw/radeon/jit/lane/routine.h"
#include "tests/hw/fast/cpus.h"

namespace pumice::hw::fast::lane {

/// A program made ready: by the scalar interpreter, the SIMD interpreter, AVX2 and AVX-512 where the processor has them.
class Backends {
 public:
  explicit Backends(const Program& program) : program_(program), interpreter_(program) {
    for (const Cpu cpu : cpus()) {
      if (cpu == Cpu::portable) continue;
      code_.push_back(assemble(program, cpu, "test"));
      code_.push_back(assemble(program, cpu, "test", {}, CpuExtras{}));
    }
  }
  size_t count() const { return 2 + code_.size(); }
  const char* name(size_t i) const {
    static constexpr const char* kNames[] = {"reference", "interpreter", "AVX2", "plain AVX2", "AVX-512", "plain AVX-512"};
    return kNames[i];
  }
  void run(size_t i, void* args) const {
    const FlushDenormals flush;
    if (i == 0)
      interpret_reference(program_, args);
    else if (i == 1)
      interpreter_.run(args);
    else
      code_[i - 2]->function()(args);
  }

 private:
  const Program program_;
  const Interpreter interpreter_;
  std::vector<std::shared_ptr<const Code>> code_;
};

}  // namespace pumice::hw::fast::lane
