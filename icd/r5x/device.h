// SPDX-License-Identifier: MIT
/// The device of an r5x: a Radeon with memory of programs and the driver's own dispatches.
#pragma once
#include "icd/r5x/code.h"
#include "icd/radeon.h"

namespace pumice::icd::r5x {

class MetaPrograms;

class R5xDevice : public RadeonDevice {
 public:
  R5xDevice(PhysicalDevice& physical, const DeviceExtensions& enabled);
  ~R5xDevice() override;

  std::unique_ptr<CodeHeap> code;
  std::unique_ptr<MetaPrograms> meta_programs;
  bool zero_indices = false;  ///< behind the end of an index buffer (robustBufferAccess2)
  /// A dword that is 0 while conditional rendering leaves commands out.
  hw::GpuAddress condition() const { return condition_.address; }

 protected:
  VkResult start_chip(const VkDeviceCreateInfo& info) override;
  const Step* before_streams() override;

 private:
  std::unique_ptr<Cs> own_streams_;  ///< the streams of the two steps:
  Step prologue_;                    ///< X_CODE_INVALIDATE and constant state, and what forget_ says
  Step forget_;                      ///< that the host may have written memory of numbered surfaces
  GpuRange condition_;
};

inline R5xDevice& r5x_of(Device& d) { return static_cast<R5xDevice&>(d); }

}  // namespace pumice::icd::r5x
