// SPDX-License-Identifier: MIT
/// report(), note() and the guards of the trampolines.
#include <cstdio>
#include <exception>

#include "icd/abi_guard.h"
#include "icd/commands.h"
#include "icd/debug.h"
#include "icd/gpu_heap.h"
#include "icd/instance.h"
#include "icd/object.h"

namespace pumice::icd {

const char* result_name(VkResult r) {
  switch (r) {
    case VK_SUCCESS: return "VK_SUCCESS";
    case VK_ERROR_OUT_OF_HOST_MEMORY: return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED: return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST: return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED: return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_EXTENSION_NOT_PRESENT: return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT: return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER: return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_FORMAT_NOT_SUPPORTED: return "VK_ERROR_FORMAT_NOT_SUPPORTED";
    case VK_ERROR_VALIDATION_FAILED_EXT: return "VK_ERROR_VALIDATION_FAILED_EXT";
    case VK_ERROR_FRAGMENTED_POOL: return "VK_ERROR_FRAGMENTED_POOL";
    case VK_ERROR_OUT_OF_POOL_MEMORY: return "VK_ERROR_OUT_OF_POOL_MEMORY";
    case VK_ERROR_SURFACE_LOST_KHR: return "VK_ERROR_SURFACE_LOST_KHR";
    case VK_ERROR_OUT_OF_DATE_KHR: return "VK_ERROR_OUT_OF_DATE_KHR";
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR: return "VK_ERROR_NATIVE_WINDOW_IN_USE_KHR";
    default: return "VkResult";
  }
}

namespace {

std::string formatted(const char* format, va_list args) {
  va_list copy;
  va_copy(copy, args);
  const int n = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  std::string text(n > 0 ? static_cast<size_t>(n) : 0, ' ');
  if (n > 0) std::vsnprintf(text.data(), text.size() + 1, format, args);
  return text;
}

void deliver(const Object* object, bool error, const std::string& text) {
  if (!environment().on(Debug::quiet) && (error || environment().on(Debug::reports))) {
    const std::string& name = object ? object->name : std::string();
    std::fprintf(stderr, "pumice: %s%s%s%s\n", error ? "error: " : "", name.c_str(), name.empty() ? "" : ": ", text.c_str());
  }
  if (object && object->instance)
    object->instance->messenger_say(error ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT : VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                                    *object, text);
}

}  // namespace

VkResult report(const Object* object, VkResult result, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  deliver(object, true, std::string(result_name(result)) + ": " + text);
  return result;
}

void note(const Object* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  deliver(object, false, text);
}

VkResult guard_result(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const OutOfDeviceMemory&) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pumice: error: %s: %s\n", function, e.what());
  } catch (...) {
    std::fprintf(stderr, "pumice: error: %s: unknown exception\n", function);
  }
  return VK_ERROR_UNKNOWN;
}

void guard_void(const char* function) noexcept { (void)guard_result(function); }

void guard_command(VkCommandBuffer command_buffer, const char* function) noexcept {
  from<Commands>(command_buffer)->fail(guard_result(function));
}

VkResult refuse_result(const void* object, const char* function) noexcept {
  try {
    return report(static_cast<const Object*>(object), VK_ERROR_FEATURE_NOT_PRESENT, "%s: this device's chip has nothing of the kind",
                  function);
  } catch (...) {
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
}

void refuse_command(VkCommandBuffer command_buffer, const char* function) noexcept {
  auto* c = from<Commands>(command_buffer);
  c->fail(refuse_result(static_cast<const Object*>(c), function));
}

}  // namespace pumice::icd
