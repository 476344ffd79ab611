// SPDX-License-Identifier: MIT
#include "icd/instance.h"

#include <algorithm>
#include <cstring>

#include "icd/debug.h"
#include "icd/device.h"
#include "icd/journal.h"
#include "icd/physical_device.h"

namespace pumice::icd {

Instance::Instance() : Object(this, kType) {}
Instance::~Instance() = default;

void Instance::add(DebugMessenger* m) {
  std::lock_guard lock(messenger_mutex_);
  messengers_.push_back(m);
}
void Instance::remove(DebugMessenger* m) {
  std::lock_guard lock(messenger_mutex_);
  std::erase(messengers_, m);
}

void Instance::add(DebugReport* r) {
  std::lock_guard lock(messenger_mutex_);
  reports_.push_back(r);
}
void Instance::remove(DebugReport* r) {
  std::lock_guard lock(messenger_mutex_);
  std::erase(reports_, r);
}
void Instance::add(Device* d) {
  std::lock_guard lock(devices_mutex_);
  devices_.push_back(d);
}
void Instance::remove(Device* d) {
  std::lock_guard lock(devices_mutex_);
  std::erase(devices_, d);
}

void Instance::end_devices() {
  std::unique_lock lock(devices_mutex_);
  const std::vector<Device*> alive = devices_;
  lock.unlock();
  for (Device* d : alive) {
    misuse(d, "vkDestroyInstance: %s is alive; its threads end, its memory stays", describe(*d).c_str());
    d->~Device();
  }
}

namespace {
VkDebugReportFlagBitsEXT report_flag(VkDebugUtilsMessageSeverityFlagBitsEXT severity) {
  switch (severity) {
    case VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT: return VK_DEBUG_REPORT_ERROR_BIT_EXT;
    case VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT: return VK_DEBUG_REPORT_WARNING_BIT_EXT;
    case VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT: return VK_DEBUG_REPORT_DEBUG_BIT_EXT;
    default: return VK_DEBUG_REPORT_INFORMATION_BIT_EXT;
  }
}
VkDebugUtilsMessageSeverityFlagBitsEXT severity_of(VkDebugReportFlagsEXT flags) {
  if (flags & VK_DEBUG_REPORT_ERROR_BIT_EXT) return VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  if (flags & (VK_DEBUG_REPORT_WARNING_BIT_EXT | VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT))
    return VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  return flags & VK_DEBUG_REPORT_DEBUG_BIT_EXT ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT
                                               : VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
}
/// The older enumeration has the same numbers for what 1.0 has.
VkDebugReportObjectTypeEXT report_type(VkObjectType t) {
  return t <= VK_OBJECT_TYPE_COMMAND_POOL ? static_cast<VkDebugReportObjectTypeEXT>(t) : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT;
}
}  // namespace

void Instance::messenger_say(VkDebugUtilsMessageSeverityFlagBitsEXT severity, const Object& about, const std::string& text) {
  std::lock_guard lock(messenger_mutex_);
  for (DebugReport* r : reports_)
    if (r->create_info.flags & report_flag(severity))
      r->create_info.pfnCallback(static_cast<VkDebugReportFlagsEXT>(report_flag(severity)), report_type(about.type),
                                 reinterpret_cast<uint64_t>(&about), 0, 0, "pumice", text.c_str(), r->create_info.pUserData);
  for (DebugMessenger* m : messengers_) {
    if (!(m->create_info.messageSeverity & severity) || !(m->create_info.messageType & VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT))
      continue;
    VkDebugUtilsObjectNameInfoEXT object{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, about.type,
                                         reinterpret_cast<uint64_t>(&about), about.name.empty() ? nullptr : about.name.c_str()};
    VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
    data.pMessageIdName = "pumice";
    data.pMessage = text.c_str();
    data.objectCount = 1;
    data.pObjects = &object;
    m->create_info.pfnUserCallback(severity, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data, m->create_info.pUserData);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateInstanceExtensionProperties(const char* layer, uint32_t* count, VkExtensionProperties* out) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  return write_list(count, out, kInstanceExtensions, static_cast<uint32_t>(std::size(kInstanceExtensions)));
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateInstanceLayerProperties(uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_EnumerateInstanceVersion(uint32_t* version) {
  *version = kInstanceVersion;
  return VK_SUCCESS;
}

namespace {

std::string version_text(uint32_t v) { return std::to_string(VK_API_VERSION_MAJOR(v)) + "." + std::to_string(VK_API_VERSION_MINOR(v)); }

/// The application may look at a device's version and give up without another word.
void compare_versions(const Instance& instance, uint32_t wanted) {
  for (const auto& p : instance.physical_devices) {
    const uint32_t has = p->chip.api_version;
    const bool enough =
        VK_API_VERSION_MAJOR(wanted) < VK_API_VERSION_MAJOR(has) ||
        (VK_API_VERSION_MAJOR(wanted) == VK_API_VERSION_MAJOR(has) && VK_API_VERSION_MINOR(wanted) <= VK_API_VERSION_MINOR(has));
    journal("version", version_text(wanted), version_text(has) + " (" + p->chip.name + ")", enough);
    if (!enough)
      warn_once(&instance, "the application asks for Vulkan %s, this device (%s) has %s", version_text(wanted).c_str(), p->chip.name,
                version_text(has).c_str());
  }
}

void write_application(const VkApplicationInfo* a) {
  if (!journal_wanted()) return;
  const auto text = [](const char* s) { return std::string(s && *s ? s : "(no name)"); };
  journal("application", a ? text(a->pApplicationName) : "(no name)", a ? "engine " + text(a->pEngineName) : "", true);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                                 VkInstance* out) {
  write_application(info->pApplicationInfo);
  // 0 and no structure mean 1.0. Drivers of 1.1 instances refuse no version.
  uint32_t wanted = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
  if (!wanted) wanted = VK_API_VERSION_1_0;
  InstanceExtensions enabled;
  for (uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const char* name = info->ppEnabledExtensionNames[i];
    const auto* e = std::find_if(std::begin(kInstanceExtensions), std::end(kInstanceExtensions),
                                 [&](const VkExtensionProperties& x) { return !std::strcmp(x.extensionName, name); });
    const bool has = e != std::end(kInstanceExtensions);
    journal("instance extension", name, has ? "yes" : "no", has);
    if (!has) return report_once(nullptr, VK_ERROR_EXTENSION_NOT_PRESENT, "vkCreateInstance: extension %s is not available", name);
    enabled.set(static_cast<size_t>(e - kInstanceExtensions));
  }
  auto* instance = create<Instance>(allocator, VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
  instance->extensions = enabled;
  instance->api_version = wanted;
  try {
    make_physical_devices(*instance);
    compare_versions(*instance, wanted);
  } catch (...) {
    destroy(instance, allocator);
    throw;
  }
  *out = to_handle(instance);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroyInstance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  auto* i = from<Instance>(instance);
  if (i) i->end_devices();
  destroy(i, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDebugUtilsMessengerEXT(VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT* info,
                                                               const VkAllocationCallbacks* allocator, VkDebugUtilsMessengerEXT* out) {
  auto* owner = from<Instance>(instance);
  Created m(create<DebugMessenger>(allocator, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, owner, *info), allocator);
  owner->add(&*m);
  *out = to_handle(m.release());
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                                            const VkAllocationCallbacks* allocator) {
  auto* m = from<DebugMessenger>(messenger);
  if (m) from<Instance>(instance)->remove(m);
  destroy(m, allocator);
}

VKAPI_ATTR void VKAPI_CALL pm_SubmitDebugUtilsMessageEXT(VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                         VkDebugUtilsMessageTypeFlagsEXT,
                                                         const VkDebugUtilsMessengerCallbackDataEXT* data) {
  auto* owner = from<Instance>(instance);
  owner->messenger_say(severity, *owner, data->pMessage ? data->pMessage : "");
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDebugReportCallbackEXT(VkInstance instance, const VkDebugReportCallbackCreateInfoEXT* info,
                                                               const VkAllocationCallbacks* allocator, VkDebugReportCallbackEXT* out) {
  auto* owner = from<Instance>(instance);
  Created r(create<DebugReport>(allocator, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, owner, *info), allocator);
  owner->add(&*r);
  *out = to_handle(r.release());
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroyDebugReportCallbackEXT(VkInstance instance, VkDebugReportCallbackEXT callback,
                                                            const VkAllocationCallbacks* allocator) {
  auto* r = from<DebugReport>(callback);
  if (r) from<Instance>(instance)->remove(r);
  destroy(r, allocator);
}

VKAPI_ATTR void VKAPI_CALL pm_DebugReportMessageEXT(VkInstance instance, VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT, uint64_t,
                                                    size_t, int32_t, const char*, const char* message) {
  auto* owner = from<Instance>(instance);
  owner->messenger_say(severity_of(flags), *owner, message ? message : "");
}

VKAPI_ATTR VkResult VKAPI_CALL pm_SetDebugUtilsObjectNameEXT(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
  // The loader hands its own surface wrapper through untouched only for objects it tracks; instances and physical devices are unwrapped.
  if (info->objectHandle) reinterpret_cast<Object*>(info->objectHandle)->name = info->pObjectName ? info->pObjectName : "";
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) { return VK_SUCCESS; }
VKAPI_ATTR void VKAPI_CALL pm_QueueBeginDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT*) {}
VKAPI_ATTR void VKAPI_CALL pm_QueueEndDebugUtilsLabelEXT(VkQueue) {}
VKAPI_ATTR void VKAPI_CALL pm_QueueInsertDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT*) {}
VKAPI_ATTR void VKAPI_CALL pm_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer, const VkDebugUtilsLabelEXT*) {}
VKAPI_ATTR void VKAPI_CALL pm_CmdEndDebugUtilsLabelEXT(VkCommandBuffer) {}
VKAPI_ATTR void VKAPI_CALL pm_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer, const VkDebugUtilsLabelEXT*) {}

}  // namespace pumice::icd
