// SPDX-License-Identifier: MIT
/// Names of a module's interface by SPIRV-Cross's reflection, and its GLSL, which stands beside the microcode. Without SPIRV-Cross listings
/// have no names.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compiler.h"

namespace pumice::compiler::tool {

struct BlockMember {
  std::string name;  ///< "sun.direction"
  uint32_t offset = 0, bytes = 0;
};
/// What a binding or the push constants are called.
struct NamedBlock {
  std::string name;
  std::vector<BlockMember> members;  ///< none: of images and samplers
};

struct Names {
  std::map<uint32_t, std::string> inputs, outputs;               ///< by location
  std::map<std::pair<uint32_t, uint32_t>, NamedBlock> bindings;  ///< by set and binding
  NamedBlock push;
  std::vector<std::string> glsl;  ///< lines

  const NamedBlock* find(const TextureBinding& b) const;
};

/// Whether this build has SPIRV-Cross.
bool names_available();
/// Of the entry point `entry` of `stage`. What SPIRV-Cross refuses leaves its names empty, with the reason in `error`.
Names names_of(std::span<const uint32_t> words, const std::string& entry, Stage stage, std::string& error);

/// "  ; light: c0 = direction, c1.xyz = tint" for constant slots that hold bytes of the block; "" without names.
std::string slots_text(const NamedBlock& block, const ConstantRange& range);
/// "  ; light: direction at 0, tint at 16"
std::string bytes_text(const NamedBlock& block);
/// Two columns: GLSL and microcode.
std::string beside(const std::vector<std::string>& glsl, const std::string& microcode);

}  // namespace pumice::compiler::tool
