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
  own_streams_.reset();
  condition_.reset();
  code.reset();
}

VkResult R5xDevice::start_chip(const VkDeviceCreateInfo& info) {
  if (const VkResult r = RadeonDevice::start_chip(info); r != VK_SUCCESS) return r;
  code = std::make_unique<CodeHeap>(*heap);
  // Two streams in one: a Cs touches pages that a process needs for nothing else at its start.
  own_streams_ = std::make_unique<Cs>(*chunks);
  own_streams_->set(xr::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
  // A program that does not end loses the device; a large amount of work must not.
  own_streams_->set(xr::X_BUDGET{}.INSTRUCTIONS(environment().on(Debug::watchdog) ? 1u << 8 : 1u << 14));
  own_streams_->set(xr::X_CODE_INVALIDATE{});
  own_streams_->close();
  say_host_wrote(*own_streams_, 0, 0);
  own_streams_->close();
  const std::vector<Step>& own = own_streams_->steps();
  prologue_ = {own[0].address, own[0].dwords + own[1].dwords, {}};
  forget_ = own[1];
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
  if (code->take_reused()) return &prologue_;
  return mapped_surfaces ? &forget_ : nullptr;
}

}  // namespace pumice::icd::r5x
