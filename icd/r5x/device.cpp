// SPDX-License-Identifier: MIT
#include "icd/r5x/device.h"

#include <cstring>

#include "icd/debug.h"
#include "icd/r5x/meta.h"
#include "icd/r5x/registers.h"
#include "icd/ring.h"

namespace pumice::icd::r5x {

R5xDevice::R5xDevice(PhysicalDevice& p, const DeviceExtensions& enabled) : RadeonDevice(p, enabled) {}

R5xDevice::~R5xDevice() {
  stop();
  meta_programs.reset();
  prologue_.reset(), forget_.reset();
  condition_.reset();
  code.reset();
}

VkResult R5xDevice::start_chip(const VkDeviceCreateInfo& info) {
  if (const VkResult r = RadeonDevice::start_chip(info); r != VK_SUCCESS) return r;
  code = std::make_unique<CodeHeap>(*heap);
  prologue_ = std::make_unique<Cs>(*chunks);
  prologue_->set(xr::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
  // A program that does not end loses the device; a large amount of work must not.
  prologue_->set(xr::X_BUDGET{}.INSTRUCTIONS(environment().on(Debug::watchdog) ? 1u << 8 : 1u << 14));
  prologue_->set(xr::X_CODE_INVALIDATE{});
  forget_ = std::make_unique<Cs>(*chunks);
  for (Cs* cs : {prologue_.get(), forget_.get()}) {
    say_host_wrote(*cs, 0, 0);
    cs->close();
  }
  meta_programs = std::make_unique<MetaPrograms>(*this);
  if (has(DeviceExtension::EXT_conditional_rendering)) {
    condition_ = GpuRange(*heap, sizeof(uint32_t));
    const uint32_t holds = 1;
    std::memcpy(condition_.host, &holds, sizeof holds);
  }
  if (const auto* r =
          find_next<VkPhysicalDeviceRobustness2FeaturesEXT>(info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT))
    zero_indices = r->robustBufferAccess2;
  return VK_SUCCESS;
}

const Step* R5xDevice::before_streams() {
  if (code->take_reused()) return &prologue_->steps().front();
  return mapped_surfaces ? &forget_->steps().front() : nullptr;
}

}  // namespace pumice::icd::r5x
