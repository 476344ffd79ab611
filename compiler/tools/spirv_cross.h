// SPDX-License-Identifier: MIT
/// What the users of SPIRV-Cross' C interface share.
#pragma once
#include <spirv_cross_c.h>

#include <span>

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

inline std::span<const spvc_reflected_resource> resources_of(spvc_resources resources, spvc_resource_type type) {
  const spvc_reflected_resource* items = nullptr;
  size_t count = 0;
  spvc_resources_get_resource_list_for_type(resources, type, &items, &count);
  return {items, count};
}

}  // namespace pumice::compiler::tool
