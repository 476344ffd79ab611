// SPDX-License-Identifier: MIT
#pragma once
#include <volk.h>

#include <cstdio>
#include <cstdlib>

namespace example {

/// Vulkan calls in the examples end the program with a message when they fail: there is nothing better to do in a demonstration.
inline void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed: VkResult %d\n", what, static_cast<int>(result));
  std::exit(1);
}
#define VK_CHECK(call) ::example::check((call), #call)

}  // namespace example
