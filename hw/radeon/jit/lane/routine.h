// SPDX-License-Identifier: MIT
/// From a lane program to something that runs: native code for AVX-512 and AVX2, an interpreter for the rest.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/jit/lane/code_memory.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

/// Called with FTZ and DAZ set.
using Function = void (*)(void* args);

/// Native code of one program, in memory that is not writable where it is executable.
class Code {
 public:
  virtual ~Code() = default;
  Function function() const { return function_; }  ///< valid while the object lives
  size_t size() const { return size_; }            ///< bytes

 protected:
  Function function_ = nullptr;
  size_t size_ = 0;
};

/// Native code for avx2 or avx512; null for portable and when no executable memory can be had. `name` is what perf
/// (/tmp/perf-PID.map) and gdb show. In `shared`, or where that is null or has no memory in pages of its own. Thread-safe.
std::shared_ptr<const Code> assemble(const Program& program, Cpu cpu, const std::string& name, CodeNames names = {},
                                     CpuExtras extras = cpu_extras(), const std::shared_ptr<CodeMemory>& shared = nullptr);

/// Runs the program operation by operation, for Cpu::portable and for tests.
void interpret(const Program& program, void* args);

}  // namespace pumice::hw::fast::lane
