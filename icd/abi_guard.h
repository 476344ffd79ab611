// SPDX-License-Identifier: MIT
/// What the generated trampolines call inside their catch clause: no exception crosses the Vulkan ABI.
#pragma once
#include <vulkan/vulkan_core.h>

namespace pumice::icd {

/// Rethrows the current exception and names it as a result: out of host memory for bad_alloc, VK_ERROR_UNKNOWN else.
VkResult guard_result(const char* function) noexcept;
/// As above for a function without a result: the text is all that can be given.
void guard_void(const char* function) noexcept;
/// As above for vkCmd*: the command buffer remembers it and vkEndCommandBuffer returns it.
void guard_command(VkCommandBuffer command_buffer, const char* function) noexcept;

/// A function that the device's chip does not have; `object` is a dispatchable handle.
VkResult refuse_result(const void* object, const char* function) noexcept;
void refuse_command(VkCommandBuffer command_buffer, const char* function) noexcept;

}  // namespace pumice::icd
