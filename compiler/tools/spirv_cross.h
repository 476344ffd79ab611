// SPDX-License-Identifier: MIT
/// What the users of SPIRV-Cross' C interface share.
#pragma once
#include <spirv_cross_c.h>

#include <span>
#include <spirv-tools/libspirv.hpp>
#include <string>

namespace pumice::compiler::tool {

/// Owns everything that SPIRV-Cross returns. `handle` is null when memory ran out.
struct SpirvCross {
  spvc_context handle = nullptr;
  SpirvCross() { spvc_context_create(&handle); }
  ~SpirvCross() {
    if (handle) spvc_context_destroy(handle);
  }
  SpirvCross(const SpirvCross&) = delete;
  SpirvCross& operator=(const SpirvCross&) = delete;
};

/// SPIRV-Cross does not check what it reads, and crashes on damaged modules: only valid ones get there. `words` must live as long as `ir`.
/// False with a reason.
inline bool parse(const SpirvCross& context, std::span<const uint32_t> words, spvc_parsed_ir& ir, std::string& error) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  error.clear();
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) {
    if (error.empty()) error = std::string("not valid SPIR-V: ") + text;
  });
  spvtools::ValidatorOptions options;
  options.SetSkipBlockLayout(true);
  if (!tools.Validate(words.data(), words.size(), options)) {
    if (error.empty()) error = "not valid SPIR-V";
    return false;
  }
  if (spvc_context_parse_spirv(context.handle, words.data(), words.size(), &ir) == SPVC_SUCCESS) return true;
  error = std::string("SPIRV-Cross: ") + spvc_context_get_last_error_string(context.handle);
  return false;
}

inline std::span<const spvc_reflected_resource> resources_of(spvc_resources resources, spvc_resource_type type) {
  const spvc_reflected_resource* items = nullptr;
  size_t count = 0;
  spvc_resources_get_resource_list_for_type(resources, type, &items, &count);
  return {items, count};
}

}  // namespace pumice::compiler::tool
