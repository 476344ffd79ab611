// SPDX-License-Identifier: MIT
/// The fast executor of draws (hw/fast/README.md).
#pragma once
#include <memory>

#include "hw/draw/draw.h"
#include "hw/team.h"

namespace pumice::hw::fast {

std::unique_ptr<DrawExecutor> make_executor(const GpuConfig& config, Memory& memory, Team& team);

}  // namespace pumice::hw::fast
