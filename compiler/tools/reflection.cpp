// SPDX-License-Identifier: MIT
/// See names.h: SPIRV-Cross's reflection and GLSL through its C interface.
#include "compiler/tools/names.h"
#include "compiler/tools/spirv_cross.h"

namespace pumice::compiler::tool {
namespace {

class Reflection {
 public:
  Reflection(spvc_compiler compiler, spvc_resources resources, Names& names) : c_(compiler), resources_(resources), n_(names) {}

  void run() {
    each(SPVC_RESOURCE_TYPE_STAGE_INPUT, [&](const auto& r) { n_.inputs[decoration(r, SpvDecorationLocation)] = r.name; });
    each(SPVC_RESOURCE_TYPE_STAGE_OUTPUT, [&](const auto& r) { n_.outputs[decoration(r, SpvDecorationLocation)] = r.name; });
    for (const auto type : {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SPVC_RESOURCE_TYPE_STORAGE_BUFFER})
      each(type, [&](const auto& r) { binding(r) = block(r); });
    for (const auto type : {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS,
                            SPVC_RESOURCE_TYPE_STORAGE_IMAGE, SPVC_RESOURCE_TYPE_SUBPASS_INPUT})
      each(type, [&](const auto& r) { binding(r) = {.name = spvc_compiler_get_name(c_, r.id), .members = {}}; });
    each(SPVC_RESOURCE_TYPE_PUSH_CONSTANT, [&](const auto& r) { n_.push = block(r); });
  }

 private:
  template <class F>
  void each(spvc_resource_type type, F f) {
    for (const spvc_reflected_resource& r : resources_of(resources_, type)) f(r);
  }
  uint32_t decoration(const spvc_reflected_resource& r, SpvDecoration d) { return spvc_compiler_get_decoration(c_, r.id, d); }
  NamedBlock& binding(const spvc_reflected_resource& r) {
    return n_.bindings[{decoration(r, SpvDecorationDescriptorSet), decoration(r, SpvDecorationBinding)}];
  }
  NamedBlock block(const spvc_reflected_resource& r) {
    NamedBlock b;
    b.name = spvc_compiler_get_name(c_, r.id);
    members(b, spvc_compiler_get_type_handle(c_, r.base_type_id), "", 0);
    return b;
  }
  void members(NamedBlock& b, spvc_type structure, const std::string& prefix, uint32_t base) {
    const spvc_type_id id = spvc_type_get_base_type_id(structure);
    for (unsigned i = 0; i < spvc_type_get_num_member_types(structure); ++i) {
      const spvc_type t = spvc_compiler_get_type_handle(c_, spvc_type_get_member_type(structure, i));
      unsigned offset = 0;
      size_t bytes = 0;
      spvc_compiler_type_struct_member_offset(c_, structure, i, &offset);
      const std::string name = prefix + spvc_compiler_get_member_name(c_, id, i);
      const bool array = spvc_type_get_num_array_dimensions(t) != 0;
      if (spvc_type_get_basetype(t) == SPVC_BASETYPE_STRUCT && !array) {
        members(b, t, name + ".", base + offset);
        continue;
      }
      spvc_compiler_get_declared_struct_member_size(c_, structure, i, &bytes);
      b.members.push_back({name + (array ? "[]" : ""), base + offset, uint32_t(bytes)});
    }
  }

  spvc_compiler c_;
  spvc_resources resources_;
  Names& n_;
};

constexpr SpvExecutionModel kModels[kStages] = {SpvExecutionModelVertex, SpvExecutionModelFragment, SpvExecutionModelGLCompute};

}  // namespace

bool names_available() { return true; }

Names names_of(std::span<const uint32_t> words, const std::string& entry, Stage stage, std::string& error) {
  Names names;
  const SpirvCross context;
  const auto refused = [&] {
    error = "SPIRV-Cross: " + std::string(spvc_context_get_last_error_string(context.handle));
    return names;
  };
  spvc_parsed_ir ir = nullptr;
  spvc_compiler compiler = nullptr;
  if (!parse(context, words, ir, error)) return names;
  if (spvc_context_create_compiler(context.handle, SPVC_BACKEND_GLSL, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler) != SPVC_SUCCESS ||
      spvc_compiler_set_entry_point(compiler, entry.c_str(), kModels[size_t(stage)]) != SPVC_SUCCESS)
    return refused();
  spvc_set set = nullptr;
  spvc_resources resources = nullptr;
  if (spvc_compiler_get_active_interface_variables(compiler, &set) != SPVC_SUCCESS ||
      spvc_compiler_create_shader_resources_for_active_variables(compiler, &resources, set) != SPVC_SUCCESS)
    return refused();
  Reflection(compiler, resources, names).run();
  spvc_compiler_options options = nullptr;
  const char* text = nullptr;
  if (spvc_compiler_create_compiler_options(compiler, &options) != SPVC_SUCCESS ||
      spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, 450) != SPVC_SUCCESS ||
      spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS, SPVC_TRUE) != SPVC_SUCCESS ||
      spvc_compiler_install_compiler_options(compiler, options) != SPVC_SUCCESS || spvc_compiler_compile(compiler, &text) != SPVC_SUCCESS)
    return refused();
  const std::string_view glsl = text;
  for (size_t at = 0; at < glsl.size();) {
    const size_t end = std::min(glsl.find('\n', at), glsl.size());
    names.glsl.emplace_back(glsl.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

}  // namespace pumice::compiler::tool
