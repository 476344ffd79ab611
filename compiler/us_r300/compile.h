// SPDX-License-Identifier: MIT
/// The US back end of the R3xx: IR in chip form -> microcode in levels (us-isa, Part B).
#pragma once
#include "compiler/us/compile.h"

namespace pumice::compiler::us_r300 {

/// The fragment program. Throws isa::Unsupported.
us::Compiled compile(const ir::Module& module, const us::Options& options, std::string* log);

}  // namespace pumice::compiler::us_r300
