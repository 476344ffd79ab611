// SPDX-License-Identifier: MIT
/// Reflection and C++ through SPIRV-Cross' C interface.
#include "tools/run/module.h"

#include <algorithm>
#include <optional>
#include <span>

#include "compiler/tools/source.h"
#include "compiler/tools/spirv_cross.h"

namespace pumice::run {
namespace {

constexpr uint32_t kMostElements = 1024;  ///< of a uniform block's arrays

std::optional<Number> number_of(spvc_type type) {
  switch (spvc_type_get_basetype(type)) {
    case SPVC_BASETYPE_FP32: return Number::real;
    case SPVC_BASETYPE_INT32: return Number::integer;
    case SPVC_BASETYPE_UINT32: return Number::natural;
    default: return {};
  }
}

class Reflection {
 public:
  Reflection(spvc_compiler compiler, spvc_resources resources, Module& module) : c_(compiler), resources_(resources), m_(module) {}

  void run() {
    variables(SPVC_RESOURCE_TYPE_STAGE_INPUT, "in_", m_.inputs);
    variables(SPVC_RESOURCE_TYPE_STAGE_OUTPUT, "out_", m_.outputs);
    for (const auto& r : list(SPVC_RESOURCE_TYPE_UNIFORM_BUFFER)) block(r, false);
    for (const auto& r : list(SPVC_RESOURCE_TYPE_PUSH_CONSTANT)) block(r, true);
    for (const auto& r : list(SPVC_RESOURCE_TYPE_SAMPLED_IMAGE)) texture(r);
    for (const auto type : {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SPVC_RESOURCE_TYPE_STORAGE_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE,
                            SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, SPVC_RESOURCE_TYPE_SUBPASS_INPUT})
      for (const auto& r : list(type)) give_up("'" + std::string(r.name) + "' is no uniform block and no combined image sampler");
    spvc_compiler_update_active_builtins(c_);
    const auto writes = [&](SpvBuiltIn b) { return spvc_compiler_has_active_builtin(c_, b, SpvStorageClassOutput) != 0; };
    m_.position = writes(SpvBuiltInPosition);
    m_.point_size = writes(SpvBuiltInPointSize);
    m_.depth = writes(SpvBuiltInFragDepth);
  }

 private:
  std::span<const spvc_reflected_resource> list(spvc_resource_type type) const { return compiler::tool::resources_of(resources_, type); }
  void give_up(const std::string& why) {
    if (m_.no_judge.empty()) m_.no_judge = why;
  }

  /// They get names that nothing in the C++ can meet: SPIRV-Cross makes macros of them.
  void variables(spvc_resource_type type, const char* prefix, std::vector<Variable>& out) {
    for (const auto& r : list(type)) {
      const spvc_type t = spvc_compiler_get_type_handle(c_, r.type_id);
      Variable v{r.name,
                 "",
                 spvc_compiler_get_decoration(c_, r.id, SpvDecorationLocation),
                 spvc_type_get_vector_size(t),
                 spvc_type_get_columns(t),
                 number_of(t).value_or(Number::real)};
      if (!number_of(t) || spvc_type_get_num_array_dimensions(t) || v.location + v.columns > 16 ||
          spvc_compiler_has_decoration(c_, r.id, SpvDecorationComponent))
        give_up("'" + v.name + "' is no number, vector or matrix at locations 0..15");
      v.cpp = prefix + std::to_string(v.location);
      spvc_compiler_set_name(c_, r.id, v.cpp.c_str());
      out.push_back(v);
    }
    std::sort(out.begin(), out.end(), [](const Variable& a, const Variable& b) { return a.location < b.location; });
  }

  void block(const spvc_reflected_resource& r, bool push) {
    Block b;
    b.name = spvc_compiler_get_name(c_, r.id);
    b.push = push;
    b.set = spvc_compiler_get_decoration(c_, r.id, SpvDecorationDescriptorSet);
    b.binding = spvc_compiler_get_decoration(c_, r.id, SpvDecorationBinding);
    b.cpp = push ? "push_constants" : "block_" + std::to_string(b.set) + "_" + std::to_string(b.binding);
    spvc_compiler_set_name(c_, r.id, b.cpp.c_str());
    const spvc_type t = spvc_compiler_get_type_handle(c_, r.base_type_id);
    size_t bytes = 0;
    spvc_compiler_get_declared_struct_size(c_, t, &bytes);
    b.bytes = uint32_t(bytes + 15) & ~15u;
    if (spvc_type_get_num_array_dimensions(spvc_compiler_get_type_handle(c_, r.type_id))) give_up("'" + b.name + "' is an array of blocks");
    members(b, t, "", 0);
    m_.blocks.push_back(std::move(b));
  }

  void members(Block& b, spvc_type structure, const std::string& prefix, uint32_t base) {
    const spvc_type_id id = spvc_type_get_base_type_id(structure);
    for (unsigned i = 0; i < spvc_type_get_num_member_types(structure); ++i) {
      const spvc_type t = spvc_compiler_get_type_handle(c_, spvc_type_get_member_type(structure, i));
      unsigned offset = 0, array = 0, matrix = 0;
      spvc_compiler_type_struct_member_offset(c_, structure, i, &offset);
      const unsigned dimensions = spvc_type_get_num_array_dimensions(t);
      if (dimensions) spvc_compiler_type_struct_member_array_stride(c_, structure, i, &array);
      if (spvc_type_get_columns(t) > 1) spvc_compiler_type_struct_member_matrix_stride(c_, structure, i, &matrix);
      const std::string path = prefix + spvc_compiler_get_member_name(c_, id, i);
      const uint32_t count = dimensions ? spvc_type_get_array_dimension(t, 0) : 1;
      if (dimensions > 1 || count == 0 || count > kMostElements || b.leaves.size() > kMostElements)
        return give_up("'" + b.name + "." + path + "': only arrays of one dimension and at most " + std::to_string(kMostElements) +
                       " elements");
      const bool row_major = spvc_compiler_has_member_decoration(c_, id, i, SpvDecorationRowMajor) != 0;
      for (uint32_t e = 0; e < count; ++e) {
        const std::string at = dimensions ? path + "[" + std::to_string(e) + "]" : path;
        const uint32_t place = base + offset + e * array;
        if (spvc_type_get_basetype(t) == SPVC_BASETYPE_STRUCT) {
          members(b, t, at + ".", place);
          continue;
        }
        const auto number = number_of(t);
        if (!number) return give_up("'" + b.name + "." + path + "' is no 32-bit number");
        b.leaves.push_back({at, place, spvc_type_get_vector_size(t), spvc_type_get_columns(t), matrix, row_major, *number});
      }
    }
  }

  void texture(const spvc_reflected_resource& r) {
    const spvc_type t = spvc_compiler_get_type_handle(c_, r.type_id);
    if (spvc_type_get_image_dimension(t) != SpvDim2D || spvc_type_get_image_arrayed(t) || spvc_type_get_num_array_dimensions(t) ||
        spvc_type_get_image_multisampled(t) || spvc_compiler_get_decoration(c_, r.id, SpvDecorationDescriptorSet) > 3)
      give_up("texture '" + std::string(r.name) + "': only sampler2D and sampler2DShadow have texels here");
    m_.textures.push_back({r.name, spvc_compiler_get_decoration(c_, r.id, SpvDecorationDescriptorSet),
                           spvc_compiler_get_decoration(c_, r.id, SpvDecorationBinding), spvc_type_get_image_is_depth(t) != 0});
    const std::string name = "texture_" + std::to_string(m_.textures.back().set) + "_" + std::to_string(m_.textures.back().binding);
    spvc_compiler_set_name(c_, r.id, name.c_str());
  }

  spvc_compiler c_;
  spvc_resources resources_;
  Module& m_;
};

/// The numbers of the GLSL.std.450 instructions that the module has.
std::set<uint32_t> functions_of(const std::vector<uint32_t>& words) {
  constexpr uint32_t kHeader = 5;
  std::set<uint32_t> functions, imports;
  for (size_t at = kHeader; at < words.size();) {
    const uint32_t length = words[at] >> 16, op = words[at] & 0xFFFF;
    if (length == 0 || length > words.size() - at) break;
    const std::string_view name(reinterpret_cast<const char*>(&words[at]) + 8, length > 2 ? length * 4 - 8 : 0);
    if (op == SpvOpExtInstImport && name.starts_with("GLSL.std.450")) imports.insert(words[at + 1]);
    if (op == SpvOpExtInst && length > 4 && imports.count(words[at + 3])) functions.insert(words[at + 4]);
    at += length;
  }
  return functions;
}

/// What C++ has no matrices by rows for; they are transposed when they are filled.
std::string without_layouts(std::string text) {
  const std::string row_major = "layout(row_major) ";
  for (size_t at; (at = text.find(row_major)) != std::string::npos;) text.erase(at, row_major.size());
  return text;
}

}  // namespace

bool reflect(Module& m, std::string& error) {
  const auto entries = compiler::tool::entry_points(m.words);
  if (entries.size() != 1) {
    error = m.file + ": " + std::to_string(entries.size()) + " entry points; one vertex or fragment shader is needed";
    return false;
  }
  const std::string stage = compiler::tool::model_name(entries[0].model);
  if (stage != "vertex" && stage != "fragment") {
    error = m.file + ": a " + stage + " shader; vertex and fragment shaders are run";
    return false;
  }
  m.entry = entries[0].name;
  m.functions = functions_of(m.words);
  m.stage = stage == "vertex" ? Stage::vertex : Stage::fragment;
  const compiler::tool::SpirvCross x;
  spvc_parsed_ir ir = nullptr;
  spvc_compiler c = nullptr;
  spvc_resources resources = nullptr;
  if (!compiler::tool::parse(x, m.words, ir, error)) {
    error = m.file + ": " + error;
    return false;
  }
  if (spvc_context_create_compiler(x.handle, SPVC_BACKEND_CPP, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &c) != SPVC_SUCCESS ||
      spvc_compiler_create_shader_resources(c, &resources) != SPVC_SUCCESS) {
    error = m.file + ": SPIRV-Cross: " + spvc_context_get_last_error_string(x.handle);
    return false;
  }
  Reflection(c, resources, m).run();
  const char* text = nullptr;
  if (spvc_compiler_compile(c, &text) == SPVC_SUCCESS)
    m.cpp = without_layouts(text);
  else if (m.no_judge.empty())
    m.no_judge = std::string("SPIRV-Cross has no C++ for it: ") + spvc_context_get_last_error_string(x.handle);
  return true;
}

}  // namespace pumice::run
