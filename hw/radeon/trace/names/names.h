// SPDX-License-Identifier: MIT
/// Names of what a recording's programs use, from the modules that it declares.
#pragma once
#include <memory>

#include "hw/radeon/trace/inspect/names.h"

namespace pumice::hw::trace {

/// Null in builds without the compiler.
std::unique_ptr<NameSource> make_names();

}  // namespace pumice::hw::trace
