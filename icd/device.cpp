// SPDX-License-Identifier: MIT
#include "icd/device.h"

#include <vulkan/vk_layer.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "common/spin.h"
#include "icd/debug.h"
#include "icd/instance.h"
#include "icd/journal.h"
#include "icd/names.h"
#include "icd/queue.h"
#include "icd/swapchain.h"

namespace pumice::icd {
namespace {

constexpr int kReportsShown = 8;  // of the chip, unless PUMICE_DEBUG=reports

}  // namespace

DeviceObject::DeviceObject(Device& owner, VkObjectType object_type) : Object(owner.instance, object_type), device(owner) {
  ++owner.live_objects;
  owner.object_made(*this);
}
DeviceObject::~DeviceObject() {
  device.private_data.forget(this);
  device.object_gone(*this);
  --device.live_objects;
}

Device::Device(PhysicalDevice& p, const DeviceExtensions& enabled)
    : Object(p.instance, kType), physical(p), chip(p.chip), extensions(enabled) {
  instance->add(this);
}

Device::~Device() { instance->remove(this); }

void Device::stop() {
  if (std::exchange(stopped_, true)) return;
  {
    std::unique_lock lock(sync_mutex);
    const std::unique_ptr<Queue> last = std::move(queue);  // progress() finds none any more
    lock.unlock();
  }  // joins its thread
  // The loader may unload this library once the instance is gone.
  for (Swapchain* s : swapchains) {
    misuse(this, "vkDestroyDevice: %s is alive; its thread ends and its window shows nothing more", describe(*s).c_str());
    s->abandon();
  }
  if (environment().on(Debug::leaks)) std::fprintf(stderr, "pumice: vkDestroyDevice: %d objects alive\n", live_objects.load());
}

VkResult Device::start(const VkDeviceCreateInfo& info) {
  if (const VkResult r = start_chip(info); r != VK_SUCCESS) return r;
  if (!environment().capture.empty()) {
    std::string error;
    capture = winsys::Capture::create(environment().capture, environment().capture_frames, error);
    if (!capture) warn_once(this, "PUMICE_CAPTURE=%s; frames are not captured", error.c_str());
  }
  auto made = std::make_unique<Queue>(*this);
  std::lock_guard lock(sync_mutex);
  queue = std::move(made);
  return VK_SUCCESS;
}

bool Device::begin(std::span<const Commands* const> buffers, uint32_t& ticket) {
  ticket = 0;
  return buffers.empty();
}

VkResult Device::out_of_pool() const {
  const bool is_core = std::min(instance->api_version, chip.api_version) >= VK_API_VERSION_1_1;
  return is_core || has(DeviceExtension::KHR_maintenance1) ? VK_ERROR_OUT_OF_POOL_MEMORY : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

bool Device::help_until(const std::function<bool()>& ready, std::chrono::nanoseconds patience) { return spin_until(ready, patience); }

void Device::progress() {
  Queue* shows = nullptr;  // exists as long as it has to show something
  {
    std::lock_guard lock(sync_mutex);
    if (queue && queue->retire()) shows = queue.get();
  }
  sync_changed.notify_all();  // with the mutex released: the woken thread locks it first
  if (shows) shows->show_due();
}

void Device::chip_says(const std::string& text, bool fatal) {
  const int n = reports_++;
  if (!fatal && n >= kReportsShown && !environment().on(Debug::reports)) return;
  if (!environment().on(Debug::quiet))
    std::fprintf(stderr, "pumice: chip: %s%s\n", text.c_str(), n == kReportsShown - 1 ? " (further reports: PUMICE_DEBUG=reports)" : "");
  journal("error", "chip: " + text, "", false);
  instance->messenger_say(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, *this, text);
}

VkResult Device::set_lost(const char* why) {
  if (!lost.exchange(true)) {
    report(this, VK_ERROR_DEVICE_LOST, "%s", why);
    Queue* shows = nullptr;
    {
      std::lock_guard lock(sync_mutex);
      if (queue && queue->abandon()) shows = queue.get();
      sync_changed.notify_all();
    }
    if (shows) shows->show_due();
  }
  return VK_ERROR_DEVICE_LOST;
}

void Device::look_for_hang(std::unique_lock<std::mutex>& lock) {
  if (lost || !hung()) return;
  lock.unlock();
  set_lost("the chip hangs");
  lock.lock();
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkDevice* out) {
  auto& physical = *from<PhysicalDevice>(handle);
  const char* chip = physical.chip.name;
  DeviceExtensions enabled;
  for (uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const char* name = info->ppEnabledExtensionNames[i];
    const auto* e = std::find_if(std::begin(kDeviceExtensions), std::end(kDeviceExtensions),
                                 [&](const VkExtensionProperties& x) { return !std::strcmp(x.extensionName, name); });
    const bool has =
        e != std::end(kDeviceExtensions) && extension_of(physical.chip.family, static_cast<DeviceExtension>(e - kDeviceExtensions));
    journal("device extension", name, has ? "yes" : "no", has);
    if (!has)
      return report_once(&physical, VK_ERROR_EXTENSION_NOT_PRESENT, "vkCreateDevice: extension %s is not available on this device (%s)",
                         name, chip);
    enabled.set(static_cast<size_t>(e - kDeviceExtensions));
  }
  const VkPhysicalDeviceFeatures* wanted = info->pEnabledFeatures;
  if (const auto* f = find_next<VkPhysicalDeviceFeatures2>(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2))
    wanted = &f->features;
  if (wanted) {
    // The structure is VkBool32 through and through.
    const auto* a = reinterpret_cast<const VkBool32*>(wanted);
    const auto* b = reinterpret_cast<const VkBool32*>(&physical.chip.features);
    std::string missing;
    for (size_t i = 0; i < sizeof *wanted / sizeof(VkBool32); ++i) {
      if (!a[i]) continue;
      journal("feature", feature_name(i), b[i] ? "yes" : "no", b[i]);
      if (!b[i]) missing += (missing.empty() ? "" : ", ") + std::string(feature_name(i));
    }
    if (!missing.empty())
      return report_once(&physical, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateDevice: not available on this device (%s): %s", chip,
                         missing.c_str());
  }
  if (physical.chip.lacking_features)
    if (const std::string lacking = physical.chip.lacking_features(info->pNext); !lacking.empty())
      return report_once(&physical, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateDevice: not available on this device (%s): %s", chip,
                         lacking.c_str());
  for (uint32_t i = 0; i < info->queueCreateInfoCount; ++i) {
    const VkDeviceQueueCreateInfo& q = info->pQueueCreateInfos[i];
    const bool has = q.queueFamilyIndex == 0 && q.queueCount <= 1 && !q.flags;  // flags: protected queues
    journal("queue", std::to_string(q.queueCount) + " of family " + std::to_string(q.queueFamilyIndex), has ? "yes" : "no", has);
    if (!has)
      return report_once(&physical, VK_ERROR_INITIALIZATION_FAILED,
                         "vkCreateDevice: queues asked for: %u of family %u; this device (%s) has one, of family 0", q.queueCount,
                         q.queueFamilyIndex, chip);
  }
  if (journal_wanted())
    for (auto* s = static_cast<const VkBaseInStructure*>(info->pNext); s; s = s->pNext)
      if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 && s->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO) {
        const bool known = physical.chip.knows_structure && physical.chip.knows_structure(s->sType);
        journal("structure", name_of(s->sType), known ? "yes" : "not known to this driver", known);
      }
  Device* device = physical.chip.create_device(physical, enabled, allocator);
  VkResult result = VK_SUCCESS;
  try {
    result = device->start(*info);
  } catch (...) {
    destroy(device, allocator);
    throw;
  }
  if (result != VK_SUCCESS) {
    destroy(device, allocator);
    return result;
  }
  journal("created", "device", physical.chip.device_name, true);
  *out = to_handle(device);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  destroy(from<Device>(device), allocator);
}

VKAPI_ATTR void VKAPI_CALL pm_GetDeviceQueue(VkDevice device, uint32_t, uint32_t, VkQueue* out) {
  *out = to_handle(from<Device>(device)->queue.get());
}

VKAPI_ATTR void VKAPI_CALL pm_GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* info, VkQueue* out) {
  *out = info->flags ? VK_NULL_HANDLE : to_handle(from<Device>(device)->queue.get());  // no queue was created with flags
}

// A device is a group of its own: it has no peers, and presents what it has drawn.
VKAPI_ATTR void VKAPI_CALL pm_GetDeviceGroupPeerMemoryFeatures(VkDevice, uint32_t, uint32_t, uint32_t, VkPeerMemoryFeatureFlags* out) {
  *out = 0;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetDeviceGroupPresentCapabilitiesKHR(VkDevice, VkDeviceGroupPresentCapabilitiesKHR* out) {
  for (uint32_t& mask : out->presentMask) mask = 0;
  out->presentMask[0] = 1;
  out->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL pm_GetDeviceGroupSurfacePresentModesKHR(VkDevice, VkSurfaceKHR, VkDeviceGroupPresentModeFlagsKHR* out) {
  *out = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_DeviceWaitIdle(VkDevice device) { return from<Device>(device)->queue->wait_idle(); }

}  // namespace pumice::icd
