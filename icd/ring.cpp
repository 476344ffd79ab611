// SPDX-License-Identifier: MIT
#include "icd/ring.h"

#include <atomic>
#include <chrono>
#include <vector>

#include "hw/regs_r500.h"
#include "icd/radeon.h"

namespace pumice::icd {
namespace {

constexpr uint32_t kLog2Dwords = 14;
constexpr uint32_t kDwords = 1u << kLog2Dwords;
constexpr uint32_t kReserve = 64;  // a fence always fits

void write0(std::vector<uint32_t>& out, uint32_t offset, std::initializer_list<uint32_t> values) {
  out.push_back(regs::PM4_TYPE0_HEADER{}.BASE_INDEX(offset / 4).COUNT(static_cast<uint32_t>(values.size()) - 1).raw);
  out.insert(out.end(), values);
}

}  // namespace

Ring::Ring(RadeonDevice& device)
    : device_(device), ring_(*device.heap, kDwords * 4), scratch_(*device.heap, hw::Gpu::page_size()) {
  hw::Gpu& gpu = *device.gpu;
  const auto write = [&](auto r) { gpu.mmio_write(r.offset, r.raw); };
  write(regs::CP_RB_BASE{}.RB_BASE(ring_.address >> 2));
  write(regs::CP_RB_CNTL{}.RB_BUFSZ(kLog2Dwords - 1).RB_NO_UPDATE(1));
  write(regs::CP_CSQ_CNTL{}.CSQ_MODE(4));  // primary and indirect streams fetched by the chip
  write(regs::CP_ME_CNTL{}.ME_MODE(1));
  // The rest is the first the ring does, with the first submission: nobody waits for the chip's thread to start.
  std::vector<uint32_t> p;
  write0(p, regs::SCRATCH_UMSK::offset, {regs::SCRATCH_UMSK{}.SCRATCH_UMSK_(1).raw});
  write0(p, regs::SCRATCH_ADDR::offset, {regs::SCRATCH_ADDR{}.SCRATCH_ADDR_(scratch_.address >> 5).raw});
  write0(p, regs::GEN_INT_CNTL::offset, {regs::GEN_INT_CNTL{}.SW_INT_ENABLE(1).raw});
  push(p);
}

void Ring::push(std::span<const uint32_t> dwords) {
  if (since_fence_ + dwords.size() + kReserve > kDwords && !finish()) return;
  auto* out = reinterpret_cast<uint32_t*>(ring_.host);
  for (uint32_t d : dwords) {
    out[wptr_] = d;
    wptr_ = (wptr_ + 1) % kDwords;
  }
  since_fence_ += static_cast<uint32_t>(dwords.size());
}

void Ring::ring_doorbell() {
  std::atomic_thread_fence(std::memory_order_release);
  device_.gpu->mmio_write(regs::CP_RB_WPTR::offset, wptr_);
}

void Ring::execute(hw::GpuAddress address, uint32_t dwords) {
  std::vector<uint32_t> p;
  write0(p, regs::CP_IB_BASE::offset, {address, dwords});
  push(p);
}

bool Ring::finish() {
  if (device_.lost) return false;
  const uint32_t wanted = ++sequence_;
  std::vector<uint32_t> p;
  write0(p, regs::RB3D_DSTCACHE_CTLSTAT::offset, {regs::RB3D_DSTCACHE_CTLSTAT{}.DC_FLUSH(2).DC_FREE(2).raw});
  write0(p, regs::ZB_ZCACHE_CTLSTAT::offset, {regs::ZB_ZCACHE_CTLSTAT{}.ZC_FLUSH(1).ZC_FREE(1).raw});
  write0(p, regs::WAIT_UNTIL::offset, {regs::WAIT_UNTIL{}.WAIT_2D_IDLECLEAN(1).WAIT_3D_IDLECLEAN(1).WAIT_DMA_GUI_IDLE(1).raw});
  write0(p, regs::GUI_SCRATCH_REG::at(0), {wanted});
  write0(p, regs::GEN_INT_STATUS::offset, {regs::GEN_INT_STATUS{}.SW_INT_FIRE(1).raw});
  auto* out = reinterpret_cast<uint32_t*>(ring_.host);
  for (uint32_t d : p) {
    out[wptr_] = d;
    wptr_ = (wptr_ + 1) % kDwords;
  }
  ring_doorbell();
  std::atomic_ref<uint32_t> done(*reinterpret_cast<uint32_t*>(scratch_.host));
  std::unique_lock lock(device_.sync_mutex);
  while (done.load(std::memory_order_acquire) != wanted && !device_.lost) {
    // The interrupt wakes us; the time limit only covers a chip that hung without saying so.
    device_.sync_changed.wait_for(lock, std::chrono::milliseconds(200));
    if (done.load(std::memory_order_acquire) == wanted) break;
    if (device_.gpu->hung() && !device_.lost) {
      lock.unlock();
      device_.set_lost("the chip hangs");
      lock.lock();
    }
  }
  since_fence_ = 0;
  return !device_.lost;
}

}  // namespace pumice::icd
