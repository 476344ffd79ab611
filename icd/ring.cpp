// SPDX-License-Identifier: MIT
#include "icd/ring.h"

#include <atomic>
#include <chrono>
#include <cstring>

#include "hw/db/regs_r500.h"
#include "icd/queue.h"
#include "icd/radeon.h"

namespace pumice::icd {
namespace {

constexpr uint32_t kLog2Dwords = 14;
constexpr uint32_t kDwords = 1u << kLog2Dwords;
constexpr uint32_t kBufferDwords = 3;
constexpr uint32_t kFenceDwords = 10;

constexpr uint32_t write0(uint32_t offset, uint32_t values) {
  return regs::PM4_TYPE0_HEADER{}.BASE_INDEX(offset / 4).COUNT(values - 1).raw;
}

}  // namespace

Ring::Ring(RadeonDevice& device) : device_(device), ring_(*device.heap, kDwords * 4), scratch_(*device.heap, hw::Gpu::page_size()) {
  hw::Gpu& gpu = *device.gpu;
  const auto write = [&](auto r) { gpu.mmio_write(r.offset, r.raw); };
  write(regs::CP_RB_BASE{}.RB_BASE(address32(ring_.address) >> 2));
  write(regs::CP_RB_CNTL{}.RB_BUFSZ(kLog2Dwords - 1).RB_NO_UPDATE(1));
  write(regs::CP_CSQ_CNTL{}.CSQ_MODE(4));  // primary and indirect streams fetched by the chip
  write(regs::CP_ME_CNTL{}.ME_MODE(1));
  // The rest runs at the start of the ring, with the first submission: device creation does not wait for the chip's thread to start.
  const uint32_t p[] = {write0(regs::SCRATCH_UMSK::offset, 1), regs::SCRATCH_UMSK{}.SCRATCH_UMSK_(1).raw,
                        write0(regs::SCRATCH_ADDR::offset, 1), regs::SCRATCH_ADDR{}.SCRATCH_ADDR_(address32(scratch_.address) >> 5).raw,
                        write0(regs::GEN_INT_CNTL::offset, 1), regs::GEN_INT_CNTL{}.SW_INT_ENABLE(1).raw};
  push(p);
}

uint32_t Ring::room() const {
  // One dword stays free: a full ring would look like an empty one.
  return (device_.gpu->mmio_read(regs::CP_RB_RPTR::offset) - wptr_ - 1) % kDwords;
}

bool Ring::has_room(size_t buffers) const { return buffers < kDwords && buffers * kBufferDwords + kFenceDwords <= room(); }

void Ring::push(std::span<const uint32_t> dwords) {
  auto* out = reinterpret_cast<uint32_t*>(ring_.host);
  for (uint32_t d : dwords) {
    out[wptr_] = d;
    wptr_ = (wptr_ + 1) % kDwords;
  }
}

void Ring::ring_doorbell() {
  std::atomic_thread_fence(std::memory_order_release);
  device_.gpu->mmio_write(regs::CP_RB_WPTR::offset, wptr_);
}

void Ring::execute(hw::GpuAddress address, uint32_t dwords) {
  // Room for a fence is kept.
  if (!has_room(1) && !finish()) return;
  const uint32_t p[kBufferDwords] = {write0(regs::CP_IB_BASE::offset, 2), address32(address), dwords};
  push(p);
}

void Ring::label(const hw::PictureLabel& label) {
  constexpr uint32_t kDwordsOfIt = sizeof label / 4;
  if (kDwordsOfIt + 1 + kFenceDwords > room() && !finish()) return;
  uint32_t p[1 + kDwordsOfIt] = {
      regs::PM4_TYPE3_HEADER{}.IT_OPCODE(static_cast<uint32_t>(pm4::Op::NOP)).COUNT(kDwordsOfIt - 1).TYPE(3).raw};
  std::memcpy(&p[1], &label, sizeof label);
  push(p);
  ring_doorbell();
}

uint32_t Ring::fence() {
  // All else keeps room for one fence. If there is none, the last packet was a fence, so waiting for it empties the ring.
  if (room() < kFenceDwords && !wait()) return sequence_;
  const uint32_t p[kFenceDwords] = {write0(regs::RB3D_DSTCACHE_CTLSTAT::offset, 1),
                                    regs::RB3D_DSTCACHE_CTLSTAT{}.DC_FLUSH(2).DC_FREE(2).raw,
                                    write0(regs::ZB_ZCACHE_CTLSTAT::offset, 1),
                                    regs::ZB_ZCACHE_CTLSTAT{}.ZC_FLUSH(1).ZC_FREE(1).raw,
                                    write0(regs::WAIT_UNTIL::offset, 1),
                                    regs::WAIT_UNTIL{}.WAIT_2D_IDLECLEAN(1).WAIT_3D_IDLECLEAN(1).WAIT_DMA_GUI_IDLE(1).raw,
                                    write0(regs::GUI_SCRATCH_REG::at(0), 1),
                                    ++sequence_,
                                    write0(regs::GEN_INT_STATUS::offset, 1),
                                    regs::GEN_INT_STATUS{}.SW_INT_FIRE(1).raw};
  push(p);
  ring_doorbell();
  return sequence_;
}

bool Ring::reached(uint32_t sequence) const {
  std::atomic_ref<uint32_t> done(*reinterpret_cast<uint32_t*>(scratch_.host));
  return static_cast<int32_t>(done.load(std::memory_order_acquire) - sequence) >= 0;
}

bool Ring::finish() {
  if (device_.lost) return false;
  fence();
  return wait();
}

bool Ring::wait() {
  const uint32_t wanted = sequence_;
  const auto there = [&] { return reached(wanted) || device_.lost; };
  if (!device_.help_until(there, kLookOut)) {
    std::unique_lock lock(device_.sync_mutex);
    // The interrupt wakes this thread; the timeout only covers a chip that hangs without a report.
    while (!device_.sync_changed.wait_for(lock, std::chrono::milliseconds(200), there)) device_.look_for_hang(lock);
  }
  return !device_.lost;
}

}  // namespace pumice::icd
