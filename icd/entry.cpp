// SPDX-License-Identifier: MIT
/// The exports of the driver: the loader/ICD interface, version 5. Everything else is found through these by name.
#include "icd/device.h"
#include "icd/instance.h"
#include "icd/object.h"

namespace pumice::icd {

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pm_GetInstanceProcAddr(VkInstance instance, const char* name) {
  if (!name) return nullptr;
  // Without an instance only the global functions exist; the loader queries no others.
  if (!instance)
    return find_entry(name, Scope::instance, nullptr, nullptr, nullptr) ? nullptr
                                                                        : find_entry(name, Scope::global, nullptr, nullptr, nullptr);
  return find_entry(name, Scope::global, &from<Instance>(instance)->extensions, nullptr, nullptr);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pm_GetDeviceProcAddr(VkDevice device, const char* name) {
  if (!name) return nullptr;
  const Device* d = from<Device>(device);
  return find_entry(name, Scope::device, &d->instance->extensions, &d->extensions, &d->chip.family);
}

}  // namespace pumice::icd

extern "C" {

#define PUMICE_EXPORT __attribute__((visibility("default")))

PUMICE_EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  constexpr uint32_t kOurs = 5;
  // Version 0 and 1 loaders do not know vk_icdGetInstanceProcAddr's rules.
  if (*version < 2) return VK_ERROR_INCOMPATIBLE_DRIVER;
  if (*version > kOurs) *version = kOurs;
  return VK_SUCCESS;
}

PUMICE_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  return pumice::icd::pm_GetInstanceProcAddr(instance, name);
}

PUMICE_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  using namespace pumice::icd;
  const InstanceExtensions* extensions = instance ? &from<Instance>(instance)->extensions : nullptr;
  // Functions on a device are not physical device functions: the loader must not make its own trampoline for them.
  if (find_entry(name, Scope::device, nullptr, nullptr, nullptr) || !find_entry(name, Scope::physical_device, nullptr, nullptr, nullptr))
    return nullptr;
  return find_entry(name, Scope::physical_device, extensions, nullptr, nullptr);
}
}
