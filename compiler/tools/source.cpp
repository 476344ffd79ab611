// SPDX-License-Identifier: MIT
/// Files, see source.h.
#include "compiler/tools/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spirv-tools/libspirv.hpp>

#include "spirv/unified1/spirv.hpp"

namespace pumice::compiler::tool {
namespace {

/// The stage by the endings of the name; empty: none.
std::string stage_of(const std::string& file) {
  std::filesystem::path path(file);
  if (path.extension() == ".glsl") path = path.stem();
  const std::string ending = path.extension().string();
  return ending.size() > 1 && known_stage(ending.substr(1)) ? ending.substr(1) : std::string();
}

bool from_words(const std::string& bytes, Source& out, std::string& error) {
  if (bytes.size() % 4) {
    error = out.file + ": SPIR-V of " + std::to_string(bytes.size()) + " bytes, which is no whole number of words: the file is cut off";
    return false;
  }
  out.words.resize(bytes.size() / 4);
  std::memcpy(out.words.data(), bytes.data(), bytes.size());
  if (out.words[0] != spv::MagicNumber)  // of the other byte order
    for (uint32_t& w : out.words) w = w >> 24 | (w >> 8 & 0xFF00) | (w << 8 & 0xFF0000) | w << 24;
  return true;
}

/// The version that the comment of a disassembly states ("; Version: 1.0"), else the newest.
spv_target_env environment_of(const std::string& text) {
  constexpr spv_target_env kVersions[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
                                          SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  const std::string key = "; Version: 1.";
  const size_t at = text.find(key);
  const size_t version = at == std::string::npos || at + key.size() >= text.size() ? 6 : static_cast<size_t>(text[at + key.size()] - '0');
  return kVersions[std::min<size_t>(version, 6)];
}

bool from_text(const std::string& text, Source& out, std::string& error) {
  spvtools::SpirvTools tools(environment_of(text));
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    if (!error.empty()) error += "\n";
    error += out.file + ":" + std::to_string(at.line + 1) + ":" + std::to_string(at.column + 1) + ": " + message;
  });
  return tools.Assemble(text, &out.words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS);
}

bool is_spirv_text(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return false;
  return text[first] == ';' || text.compare(first, 2, "Op") == 0 || text[first] == '%';
}

}  // namespace

bool read_source(const std::string& file, const std::string& stage, Source& out, std::string& error) {
  out.file = file;
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    const int reason = stream ? EISDIR : errno;
    error = file + ": " + (reason == ENOENT ? "no such file" : std::strerror(reason));
    return false;
  }
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  uint32_t magic = 0;
  std::memcpy(&magic, bytes.data(), std::min<size_t>(bytes.size(), 4));
  if (magic == spv::MagicNumber || magic == 0x03022307u) return from_words(bytes, out, error);
  if (bytes.find('\0') != std::string::npos || bytes.empty()) {
    error = file + (bytes.empty() ? ": the file is empty" : ": neither SPIR-V nor text");
    return false;
  }
  if (is_spirv_text(bytes)) return from_text(bytes, out, error);
  const std::string wanted = stage.empty() ? stage_of(file) : stage;
  if (wanted.empty()) {
    error = file + ": GLSL of which stage? Name it FILE.vert, .frag, .comp, .geom, .tesc, .tese (or FILE.vert.glsl), or use --stage";
    return false;
  }
  out.words = compile_glsl(file, bytes, wanted, error);
  return !out.words.empty();
}

std::string spirv_text(const std::vector<uint32_t>& words) {
  std::string text;
  spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6)
      .Disassemble(words, &text,
                   SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES);
  return text;
}

std::vector<EntryPoint> entry_points(const std::vector<uint32_t>& words) {
  std::vector<EntryPoint> out;
  for (size_t at = 5; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) break;
    if ((words[at] & 0xFFFF) == spv::OpEntryPoint && length > 3) {
      EntryPoint e{words[at + 1], {}};
      for (size_t i = at + 3; i < at + length; ++i)
        for (int shift = 0; shift < 32; shift += 8) {
          const char c = static_cast<char>(words[i] >> shift & 0xFF);
          if (!c)
            i = at + length, shift = 32;
          else
            e.name += c;
        }
      out.push_back(std::move(e));
    }
    if ((words[at] & 0xFFFF) == spv::OpFunction) break;
    at += length;
  }
  return out;
}

std::string model_name(uint32_t model) {
  switch (model) {
    case spv::ExecutionModelVertex: return "vertex";
    case spv::ExecutionModelTessellationControl: return "tessellation control";
    case spv::ExecutionModelTessellationEvaluation: return "tessellation evaluation";
    case spv::ExecutionModelGeometry: return "geometry";
    case spv::ExecutionModelFragment: return "fragment";
    case spv::ExecutionModelGLCompute: return "compute";
    default: return "execution model " + std::to_string(model);
  }
}

}  // namespace pumice::compiler::tool
