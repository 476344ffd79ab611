// SPDX-License-Identifier: MIT
/// Of builds without the compiler.
#include "hw/radeon/trace/names/names.h"

namespace pumice::hw::trace {

std::unique_ptr<NameSource> make_names() { return nullptr; }

}  // namespace pumice::hw::trace
