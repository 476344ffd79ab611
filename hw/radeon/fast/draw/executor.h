// SPDX-License-Identifier: MIT
/// The fast executor of draws (hw/radeon/fast/README.md).
#pragma once
#include <memory>

#include "hw/common/threads/team.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::fast {

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team);

}  // namespace pumice::hw::fast
