// SPDX-License-Identifier: MIT
/// The command processor's front end: its thread, the ring (cp-pm4 s.1.2) and the host's register accesses.
///
/// One thread, started when there is something to do, executes everything. The host's register writes are queued to it and answered when
/// done, so that hooks, reports and interrupts run in one place; only the ring's own registers and soft resets act at once.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "hw/radeon/cp/executor.h"

namespace pumice::hw {

class Cp {
 public:
  Cp(const GpuConfig& config, Memory& memory, DrawExecutor& draws, Team& team, Observer* observer = nullptr);
  /// Stops at the next packet, also inside a wait; draws under way are finished first, unless that takes long (DrawExecutor::interrupt).
  ~Cp();
  Cp(const Cp&) = delete;
  Cp& operator=(const Cp&) = delete;

  uint32_t mmio_read(uint32_t offset);
  void mmio_write(uint32_t offset, uint32_t value);
  bool hung() const { return hung_.load(std::memory_order_acquire); }
  void soft_reset();

 private:
  struct HostWrite {
    uint32_t offset, value;
    uint32_t* result;  ///< a read
    bool* done;
  };
  struct Ring {
    GpuAddress base;
    uint32_t mask;  ///< size in dwords - 1
    uint32_t rptr, wptr;
    uint32_t available() const { return (wptr - rptr) & mask; }
  };

  /// The result of one poll of the ring.
  struct Step {
    uint32_t consumed = 0;  ///< dwords
    uint32_t wanted = 1;    ///< dwords that must be in the ring before the next poll
    uint32_t skip = 0;      ///< dwords to drop after the consumed ones
  };

  void run();
  /// Starts the chip's thread when there is work for the first time (mutex held). False: the thread cannot be created, the chip hangs.
  bool start_thread();
  /// Something changed (mutex held): the chip's thread polls again.
  void knock();
  bool has_work() const { return stop_ || park_requests_ || !host_writes_.empty() || ring_ready(); }
  Ring ring() const;
  bool ring_ready() const;
  void step_ring(std::unique_lock<std::mutex>& lock);
  Step run_packet(const Ring& at);
  void serve_host(std::unique_lock<std::mutex>& lock);
  void pause();
  /// Runs `what` while the chip's thread is stopped between two packets.
  template <class F>
  void while_parked(F what);
  void write_ring_register(uint32_t offset, uint32_t value);
  void host_access(uint32_t offset, uint32_t value, uint32_t* result);
  void write_soft_reset(regs::RBBM_SOFT_RESET value);
  void reset_pointers();
  uint32_t status(uint32_t offset) const;

  void wait_until(std::unique_lock<std::mutex>& lock, const bool& reached);

  Memory& memory_;
  DrawExecutor& draws_;
  Team& team_;
  Observer* const observer_;

  mutable std::mutex mutex_;  ///< guards everything below up to the executor, and the ring's registers
  std::condition_variable wake_, done_;
  std::deque<HostWrite> host_writes_;
  uint32_t park_requests_ = 0;
  bool parked_ = false, stop_ = false, ended_ = false;
  bool in_reset_ = false;    ///< RBBM_SOFT_RESET.SOFT_RESET_CP is held
  uint32_t wanted_ = 1;      ///< dwords that must be in the ring before the next packet can run
  uint32_t skip_ = 0;        ///< dwords to drop: conditional execution, packets larger than the ring
  uint32_t unreported_ = 0;  ///< dwords consumed since the read pointer was last written back
  bool serving_host_ = false, busy_ = false;
  bool asleep_ = false;                          ///< waiting on wake_, until notified
  std::chrono::steady_clock::time_point woken_;  ///< when it was woken last
  std::atomic<uint32_t> knocks_ = 0;             ///< counts events that may produce work for the chip's thread
  std::atomic<int> knocked_on_ = -1;             ///< the processor of the thread that knocked last
  std::atomic<bool> unwind_ = false, hung_ = false;

  std::vector<uint32_t> packet_;
  Executor executor_;
  std::thread thread_;
};

}  // namespace pumice::hw
