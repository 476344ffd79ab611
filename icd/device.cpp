// SPDX-License-Identifier: MIT
#include "icd/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "icd/debug.h"
#include "icd/instance.h"
#include "icd/meta.h"
#include "icd/queue.h"
#include "icd/ring.h"

namespace pumice::icd {
namespace {

constexpr int kReportsShown = 8;  // of the chip, unless PUMICE_DEBUG=reports
constexpr uint32_t kSmallIdentity = 1u << 16, kLargeIdentity = 1u << 24;

const char* kind_name(hw::ReportKind kind) {
  switch (kind) {
    case hw::ReportKind::vm_fault: return "VM fault";
    case hw::ReportKind::bad_packet: return "bad packet";
    case hw::ReportKind::bad_register: return "bad register";
    case hw::ReportKind::lockup: return "lockup";
  }
  return "?";
}

}  // namespace

DeviceObject::DeviceObject(Device& owner, VkObjectType object_type) : Object(owner.instance, object_type), device(owner) {
  ++owner.live_objects;
}
DeviceObject::~DeviceObject() { --device.live_objects; }

Device::Device(PhysicalDevice& p, const DeviceExtensions& enabled)
    : Object(p.instance, kType), physical(p), chip(p.chip), extensions(enabled) {}

Device::~Device() {
  {
    std::unique_lock lock(sync_mutex);
    const std::unique_ptr<Queue> last = std::move(queue);  // interrupts find none any more
    lock.unlock();
  }  // joins its thread
  meta.reset();
  if (environment().on(Debug::leaks)) std::fprintf(stderr, "pumice: vkDestroyDevice: %d objects alive\n", live_objects.load());
  // The chip goes last of those that give memory back to it.
  ring.reset();
  chunks.reset();
  for (GpuRange& r : identity_) r.reset();
  constants_.reset();
  heap.reset();
  gpu.reset();
}

VkResult Device::start() {
  hw::GpuConfig config;
  config.profile = chip.profile;
  config.on_report = [this](const hw::Report& r) { on_report(r); };
  config.on_interrupt = [this] {
    std::lock_guard lock(sync_mutex);
    if (queue) queue->retire();
    sync_changed.notify_all();
  };
  // Some minutes on the reference executor; sixteen times what 512 instructions on every quad of 1920x1080 need.
  config.instruction_limit = environment().on(Debug::watchdog) ? 1u << 24 : 1ull << 32;
  const Environment& env = environment();
  const std::string wrong = hw::set_execution(config, env.exec, env.threads, env.cpu);
  if (!wrong.empty()) std::fprintf(stderr, "pumice: PUMICE_EXEC, PUMICE_THREADS, PUMICE_CPU: %signored\n", wrong.c_str());
  gpu = hw::Gpu::create(config);
  if (!gpu) return report(this, VK_ERROR_INITIALIZATION_FAILED, "vkCreateDevice: the chip's address space cannot be reserved");
  heap = std::make_unique<GpuHeap>(*gpu, chip.heap_bytes);
  chunks = std::make_unique<ChunkPool>(*heap, *gpu);
  constants_ = GpuRange(*heap, *gpu, hw::Gpu::page_size());
  const uint32_t one = 1;
  std::memcpy(constants_.host, &one, sizeof one);
  ring = std::make_unique<Ring>(*this);
  meta = std::make_unique<Meta>(*this);
  if (!environment().capture.empty()) {
    std::string error;
    capture = winsys::Capture::create(environment().capture, environment().capture_frames, error);
    if (!capture) report(this, VK_ERROR_INITIALIZATION_FAILED, "PUMICE_CAPTURE: %s", error.c_str());
  }
  auto made = std::make_unique<Queue>(*this);
  std::lock_guard lock(sync_mutex);
  queue = std::move(made);
  return VK_SUCCESS;
}

void Device::on_report(const hw::Report& r) {
  const bool fatal = r.kind == hw::ReportKind::lockup;
  const int n = reports++;
  if (fatal || n < kReportsShown || environment().on(Debug::reports)) {
    const std::string text = std::string(kind_name(r.kind)) + ": " + r.text;
    if (!environment().on(Debug::quiet))
      std::fprintf(stderr, "pumice: chip: %s%s\n", text.c_str(), n == kReportsShown - 1 ? " (further reports: PUMICE_DEBUG=reports)" : "");
    instance->messenger_say(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, *this, text);
  }
  if (fatal) set_lost(r.text.c_str());
}

VkResult Device::set_lost(const char* why) {
  if (!lost.exchange(true)) {
    report(this, VK_ERROR_DEVICE_LOST, "%s", why);
    std::lock_guard lock(sync_mutex);
    if (queue) queue->abandon();
    sync_changed.notify_all();
  }
  return VK_ERROR_DEVICE_LOST;
}

void Device::look_for_hang(std::unique_lock<std::mutex>& lock) {
  if (lost || !gpu->hung()) return;
  lock.unlock();
  set_lost("the chip hangs");
  lock.lock();
}

hw::GpuAddress Device::identity_floats(uint32_t count) {
  // Two sizes, each made once and kept: recorded command buffers hold its address.
  std::lock_guard lock(identity_mutex_);
  const int which = count <= kSmallIdentity ? 0 : 1;
  GpuRange& r = identity_[which];
  if (!r.address) {
    const uint32_t n = which ? kLargeIdentity : kSmallIdentity;
    r = GpuRange(*heap, *gpu, uint64_t{n} * 4);
    auto* out = reinterpret_cast<float*>(r.host);
    for (uint32_t i = 0; i < n; ++i) out[i] = static_cast<float>(i);
  }
  return r.address;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkDevice* out) {
  auto& physical = *from<PhysicalDevice>(handle);
  DeviceExtensions enabled;
  for (uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const char* name = info->ppEnabledExtensionNames[i];
    const auto* e = std::find_if(std::begin(kDeviceExtensions), std::end(kDeviceExtensions),
                                 [&](const VkExtensionProperties& x) { return !std::strcmp(x.extensionName, name); });
    if (e == std::end(kDeviceExtensions)) return report(&physical, VK_ERROR_EXTENSION_NOT_PRESENT, "vkCreateDevice: %s", name);
    enabled.set(static_cast<size_t>(e - kDeviceExtensions));
  }
  const VkPhysicalDeviceFeatures* wanted = info->pEnabledFeatures;
  if (const auto* f = find_next<VkPhysicalDeviceFeatures2>(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2))
    wanted = &f->features;
  if (wanted) {
    // The structure is VkBool32 through and through.
    const auto* a = reinterpret_cast<const VkBool32*>(wanted);
    const auto* b = reinterpret_cast<const VkBool32*>(&physical.chip.features);
    for (size_t i = 0; i < sizeof *wanted / sizeof(VkBool32); ++i)
      if (a[i] && !b[i])
        return report(&physical, VK_ERROR_FEATURE_NOT_PRESENT, "vkCreateDevice: feature %zu of VkPhysicalDeviceFeatures", i);
  }
  auto* device = create<Device>(allocator, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, physical, enabled);
  VkResult result = VK_SUCCESS;
  try {
    result = device->start();
  } catch (...) {
    destroy(device, allocator);
    throw;
  }
  if (result != VK_SUCCESS) {
    destroy(device, allocator);
    return result;
  }
  *out = to_handle(device);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  destroy(from<Device>(device), allocator);
}

VKAPI_ATTR void VKAPI_CALL pm_GetDeviceQueue(VkDevice device, uint32_t, uint32_t, VkQueue* out) {
  *out = to_handle(from<Device>(device)->queue.get());
}

VKAPI_ATTR VkResult VKAPI_CALL pm_DeviceWaitIdle(VkDevice device) { return from<Device>(device)->queue->wait_idle(); }

}  // namespace pumice::icd
