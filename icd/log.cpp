// SPDX-License-Identifier: MIT
/// report(), note() and the guards of the trampolines.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>

#include "icd/abi_guard.h"
#include "icd/commands.h"
#include "icd/debug.h"
#include "icd/gpu_heap.h"
#include "icd/instance.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/object.h"

namespace pumice::icd {

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

enum class Severity { error, warning, info };

VkDebugUtilsMessageSeverityFlagBitsEXT bit_of(Severity s) {
  switch (s) {
    case Severity::error: return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    case Severity::warning: return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    case Severity::info: break;
  }
  return VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
}

/// Whether this process has not said it yet. Hashes of texts in static memory: threads may still say something while the process ends, and
/// nothing is lost when a loader unloads the driver.
bool first_time(const std::string& text) {
  constexpr size_t kMost = 1000;  // beyond it everything is new
  static std::mutex mutex;
  static std::array<size_t, kMost> said;
  static size_t count = 0;
  const size_t hash = std::hash<std::string>{}(text);
  std::lock_guard lock(mutex);
  const auto end = said.begin() + std::ptrdiff_t(count);
  if (std::find(said.begin(), end, hash) != end) return false;
  if (count < kMost) said[count++] = hash;
  return true;
}

void print(const Object* object, Severity severity, const std::string& text) {
  if (environment().on(Debug::quiet) || (severity == Severity::info && !environment().on(Debug::reports))) return;
  const std::string& name = object ? object->name : std::string();
  // A text that describes the object names it already.
  const bool names = !name.empty() && text.find(name) == std::string::npos;
  std::fprintf(stderr, "pumice: %s%s%s%s\n", severity == Severity::error ? "error: " : "", names ? name.c_str() : "", names ? ": " : "",
               text.c_str());
}

void tell_messengers(const Object* object, Severity severity, const std::string& text) {
  if (object && object->instance) object->instance->messenger_say(bit_of(severity), *object, text);
}

}  // namespace

VkResult report(const Object* object, VkResult result, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  journal("error", text, name_of(result), false);
  print(object, Severity::error, name_of(result) + ": " + text);
  tell_messengers(object, Severity::error, name_of(result) + ": " + text);
  return result;
}

VkResult report_once(const Object* object, VkResult result, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = name_of(result) + ": " + formatted(format, args);
  va_end(args);
  journal("error", text.substr(text.find(' ') + 1), name_of(result), false);
  if (first_time(text)) print(object, Severity::error, text);
  tell_messengers(object, Severity::error, text);
  return result;
}

void misuse(const Object* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  journal("misuse", text, "", false);
  print(object, Severity::error, text);
  tell_messengers(object, Severity::error, text);
}

void warn_once(const Object* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  if (first_time(text)) print(object, Severity::warning, text);
  tell_messengers(object, Severity::warning, text);
}

void note(const Object* object, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const std::string text = formatted(format, args);
  va_end(args);
  print(object, Severity::info, text);
  tell_messengers(object, Severity::info, text);
}

std::string describe(const Object& object) {
  char address[24];
  std::snprintf(address, sizeof address, " 0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&object)));
  return handle_name(object.type) + address + (object.name.empty() ? "" : " \"" + object.name + '"');
}

VkResult guard_result(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const OutOfDeviceMemory&) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::resource_unavailable_try_again) return VK_ERROR_OUT_OF_HOST_MEMORY;  // no thread can be made
    std::fprintf(stderr, "pumice: error: %s: %s\n", function, e.what());
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
