// SPDX-License-Identifier: MIT
/// Makes the executor of a chip's draws.
#pragma once
#include <memory>

#include "hw/common/threads/team.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw {

/// The kind that `config` selects; the reference where the machine has no fast executor.
std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team);

}  // namespace pumice::hw
