// SPDX-License-Identifier: MIT
/// See make.h.
#include "hw/radeon/fast/make.h"

#include "hw/radeon/fast/draw/executor.h"

namespace pumice::hw {

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team) {
#if defined(__x86_64__) || defined(__aarch64__)
  if (config.executor != ExecutorKind::ref) return fast::make_executor(config, memory, team);
#endif
  static_cast<void>(memory);
  static_cast<void>(team);
  return std::make_unique<ReferenceExecutor>();
}

}  // namespace pumice::hw
