// SPDX-License-Identifier: MIT
/// The US back end: IR in chip form -> microcode.
#pragma once
#include "compiler/ir/ir.h"

namespace pumice::compiler::us {

/// A varying the program reads, before the linker knows the texcoord set.
struct FragmentInput {
  uint32_t location = 0, temp = 0;
  uint8_t components = 0;  ///< highest component read + 1
  bool flat = false, no_perspective = false;
  ir::Builtin builtin = ir::Builtin::none;  ///< or a slope of the variable at `location`
};

struct Compiled {
  FragmentProgram program;
  std::vector<FragmentInput> inputs;
  std::optional<FragmentInput> position;  ///< the clip position, needed for gl_FragCoord.zw
};

struct Options {
  uint32_t color_attachments = 1;             ///< outputs to other targets are dropped
  const ChipLimits* chip = nullptr;           ///< never null
  bool point_topology = false;                ///< chips with memory, vertex stage: a point size is exported whatever the shader does
  std::vector<std::string>* lines = nullptr;  ///< receives the source lines of each slot; null: only what may be refused knows its line
  bool check = true;                          ///< the microcode (PipelineSource::check)
};

/// The texture units of a program.
std::vector<TextureUse> textures(const ir::Module& module);

/// The fragment program of an R5xx. Throws isa::Unsupported.
Compiled compile(const ir::Module& module, const Options& options, std::string* log);
/// A program of a chip with extension blocks (docs/r5x.md), of any stage. Throws isa::Unsupported.
XProgram compile_x(const ir::Module& module, const Options& options, std::string* log);

}  // namespace pumice::compiler::us
