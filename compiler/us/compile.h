// SPDX-License-Identifier: MIT
/// The R5xx fragment back end: IR in chip form -> microcode.
#pragma once
#include "compiler/ir/ir.h"

namespace pumice::compiler::us {

/// A varying the program reads, before the linker knows the texcoord set.
struct FragmentInput {
  uint32_t location = 0, temp = 0;
  uint8_t components = 0;  ///< highest component read + 1
  bool flat = false, no_perspective = false;
};

struct Compiled {
  FragmentProgram program;
  std::vector<FragmentInput> inputs;
  std::optional<FragmentInput> position;  ///< the clip position, needed for gl_FragCoord.zw
};

struct Options {
  uint32_t color_attachments = 1;    ///< outputs to other targets are dropped
  const ChipLimits* chip = nullptr;  ///< never null
};

/// Throws isa::Unsupported.
Compiled compile(const ir::Module& module, const Options& options, std::string* log);

}  // namespace pumice::compiler::us
