// SPDX-License-Identifier: MIT
#include "icd/private_data.h"

#include "icd/device.h"

namespace pumice::icd {

void PrivateData::set(const Object* object, uint64_t slot, uint64_t value) {
  std::lock_guard lock(mutex_);
  values_[{object, slot}] = value;
  any_.store(true, std::memory_order_relaxed);
}

uint64_t PrivateData::get(const Object* object, uint64_t slot) const {
  std::lock_guard lock(mutex_);
  const auto at = values_.find({object, slot});
  return at == values_.end() ? 0 : at->second;
}

void PrivateData::forget(const Object* object) noexcept {
  if (!any_.load(std::memory_order_relaxed)) return;
  std::lock_guard lock(mutex_);
  values_.erase(values_.lower_bound({object, 0}), values_.upper_bound({object, UINT64_MAX}));
}

void PrivateData::forget_slot(uint64_t slot) noexcept {
  std::lock_guard lock(mutex_);
  std::erase_if(values_, [&](const auto& v) { return v.first.second == slot; });
}

namespace {

class PrivateDataSlot : public DeviceObject {
 public:
  using Handle = VkPrivateDataSlot;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PRIVATE_DATA_SLOT;
  explicit PrivateDataSlot(Device& d) : DeviceObject(d, kType), number(d.private_data.next_slot()) {}
  ~PrivateDataSlot() { device.private_data.forget_slot(number); }
  const uint64_t number;
};

/// Every handle is the address of its object (object.h).
const Object* object_of(uint64_t handle) { return reinterpret_cast<const Object*>(static_cast<uintptr_t>(handle)); }

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_CreatePrivateDataSlot(VkDevice device, const VkPrivateDataSlotCreateInfo*, const VkAllocationCallbacks* a,
                                                        VkPrivateDataSlot* out) {
  *out = to_handle(create<PrivateDataSlot>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device)));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyPrivateDataSlot(VkDevice, VkPrivateDataSlot slot, const VkAllocationCallbacks* a) {
  destroy(from<PrivateDataSlot>(slot), a);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_SetPrivateData(VkDevice device, VkObjectType, uint64_t handle, VkPrivateDataSlot slot, uint64_t value) {
  from<Device>(device)->private_data.set(object_of(handle), from<PrivateDataSlot>(slot)->number, value);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_GetPrivateData(VkDevice device, VkObjectType, uint64_t handle, VkPrivateDataSlot slot, uint64_t* value) {
  *value = from<Device>(device)->private_data.get(object_of(handle), from<PrivateDataSlot>(slot)->number);
}

}  // namespace pumice::icd
