// SPDX-License-Identifier: MIT
/// What pumice-compile reads: GLSL, SPIR-V text or SPIR-V binary becomes SPIR-V words with names and lines.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace pumice::compiler::tool {

struct Source {
  std::string file;
  std::vector<uint32_t> words;
};

/// `stage`: vert, frag, comp, geom, tesc or tese for GLSL whose file name does not end with one of them (FILE.frag, FILE.frag.glsl); empty:
/// by the name. False with what is wrong in `error`, which names the file.
bool read_source(const std::string& file, const std::string& stage, Source& out, std::string& error);

enum class DebugInfo : bool { none, lines };
/// GLSL -> SPIR-V with OpName and, with DebugInfo::lines, OpLine; empty with messages in `error`. `stage` as above; messages begin with
/// `file`.
std::vector<uint32_t> compile_glsl(const std::string& file, const std::string& text, const std::string& stage, std::string& error,
                                   DebugInfo debug = DebugInfo::lines);
/// Whether `stage` is one of the above.
bool known_stage(const std::string& stage);

/// The module as text, names for ids; lines stand in OpLine. Empty: it is no module.
std::string spirv_text(const std::vector<uint32_t>& words);

/// An entry point of a module.
struct EntryPoint {
  uint32_t model = 0;  ///< SpvExecutionModel
  std::string name;
};
std::vector<EntryPoint> entry_points(const std::vector<uint32_t>& words);
/// "vertex", "geometry", ...
std::string model_name(uint32_t model);

}  // namespace pumice::compiler::tool
