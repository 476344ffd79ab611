// SPDX-License-Identifier: MIT
#include "icd/r5x/device.h"

#include "icd/r5x/meta.h"
#include "icd/r5x/registers.h"
#include "icd/ring.h"

namespace pumice::icd::r5x {

R5xDevice::R5xDevice(PhysicalDevice& p, const DeviceExtensions& enabled) : RadeonDevice(p, enabled) {}

R5xDevice::~R5xDevice() {
  stop();
  meta_programs.reset();
  forget_code_.reset();
  code.reset();
}

VkResult R5xDevice::start_chip(const VkDeviceCreateInfo& info) {
  if (const VkResult r = RadeonDevice::start_chip(info); r != VK_SUCCESS) return r;
  code = std::make_unique<CodeHeap>(*heap);
  forget_code_ = std::make_unique<Cs>(*chunks);
  forget_code_->set(xr::X_CTRL{}.EN(1));
  forget_code_->set(xr::X_CODE_INVALIDATE{});
  forget_code_->close();
  meta_programs = std::make_unique<MetaPrograms>(*this);
  return VK_SUCCESS;
}

const Step* R5xDevice::before_streams() { return code->take_reused() ? &forget_code_->steps().front() : nullptr; }

}  // namespace pumice::icd::r5x
