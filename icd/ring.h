// SPDX-License-Identifier: MIT
/// The ring of one chip (cp-pm4 s.1.2, s.6): start-up, indirect buffers, and the fence that ends a batch. Used by the queue thread only.
#pragma once
#include <cstdint>
#include <span>

#include "icd/gpu_heap.h"

namespace pumice::icd {

class RadeonDevice;

class Ring {
 public:
  explicit Ring(RadeonDevice& device);

  /// Queues an indirect buffer.
  void execute(hw::GpuAddress address, uint32_t dwords);
  /// Flushes the caches, writes the next sequence number to memory and fires the interrupt; then waits for it. False: the device is lost.
  bool finish();

 private:
  void push(std::span<const uint32_t> dwords);
  void ring_doorbell();

  RadeonDevice& device_;
  GpuRange ring_, scratch_;
  uint32_t wptr_ = 0, since_fence_ = 0, sequence_ = 0;
};

}  // namespace pumice::icd
