// SPDX-License-Identifier: MIT
/// See cp.h.
#include "hw/radeon/cp/cp.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "common/spin.h"

namespace pumice::hw {

namespace {
/// How long the chip's thread polls for more work before it sleeps: as long as waking it costs, but only a moment where the work before
/// came later than that. Polling in vain takes a processor from the threads that make the next work, those of a window system among them.
constexpr std::chrono::microseconds kLookOut{50}, kGlance{5};
}  // namespace

Cp::Cp(const GpuConfig& config, Memory& memory, DrawExecutor& draws, Team& team, Observer* observer)
    : memory_(memory),
      draws_(draws),
      team_(team),
      observer_(observer),
      executor_(config, memory, draws, team, {&unwind_, [this] { pause(); }}, observer) {}

Cp::~Cp() {
  {
    std::unique_lock lock(mutex_);
    stop_ = true;
    unwind_ = true;
    if (!thread_.joinable()) return;
    knock();
    wake_.notify_all();  // it may be in pause()
    wait_until(lock, ended_);
  }
  thread_.join();
}

/// Waits until the chip's thread stops. Draws get a grace period to finish, then they are interrupted.
void Cp::wait_until(std::unique_lock<std::mutex>& lock, const bool& reached) {
  using namespace std::chrono_literals;
  done_.wait_for(lock, 200ms, [&] { return reached; });
  while (!reached) {
    draws_.interrupt();
    done_.wait_for(lock, 1ms, [&] { return reached; });
  }
}

// --- the chip's thread ---

void Cp::run() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  bool soon = true;  // the work before came within kLookOut
  while (!stop_) {
    if (park_requests_) {
      parked_ = true;
      done_.notify_all();
      wake_.wait(lock, [this] { return park_requests_ == 0 || stop_; });
      parked_ = false;
    } else if (!host_writes_.empty()) {
      serve_host(lock);
    } else if (ring_ready()) {
      busy_ = true;  // until the last effect is visible: read pointer, its copy, the interrupt
      step_ring(lock);
      busy_ = false;
    } else {
      // The next submission often comes soon, and waking up takes longer than executing most of them.
      const uint32_t seen = knocks_.load(std::memory_order_relaxed);
      lock.unlock();
      const Clock::time_point idle = Clock::now();
      const bool knocked = spin_until([&] { return knocks_.load(std::memory_order_acquire) != seen; }, soon ? kLookOut : kGlance,
                                      [this] { return knocked_on_.load(std::memory_order_relaxed) == current_processor(); });
      lock.lock();
      if (knocked) {
        team_.chip_runs();
        soon = true;
        continue;
      }
      asleep_ = true;
      team_.chip_sleeps();
      wake_.wait(lock, [this] { return has_work(); });
      asleep_ = false;
      team_.chip_runs();
      soon = woken_ - idle < kLookOut;
    }
  }
  // No new calls may be made at this point, but a caller that is already waiting must not wait forever.
  for (HostWrite& w : host_writes_) *w.done = true;
  ended_ = true;
  done_.notify_all();
}

bool Cp::start_thread() {
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    hung_.store(true, std::memory_order_release);  // the system has no threads left: the chip executes nothing
  }
  return thread_.joinable();
}

void Cp::knock() {
  knocked_on_.store(current_processor(), std::memory_order_relaxed);
  knocks_.fetch_add(1, std::memory_order_release);
  if (!asleep_) return;
  woken_ = std::chrono::steady_clock::now();
  wake_.notify_all();
}

Cp::Ring Cp::ring() const {
  const RegisterFile& r = executor_.registers();
  const auto cntl = regs::CP_RB_CNTL{r.read(regs::CP_RB_CNTL::offset)};
  const uint32_t mask = (2u << std::clamp(cntl.RB_BUFSZ(), 2u, 22u)) - 1;
  return {r.read(regs::CP_RB_BASE::offset) & ~3u, mask, r.read(regs::CP_RB_RPTR::offset) & mask, r.read(regs::CP_RB_WPTR::offset) & mask};
}

bool Cp::ring_ready() const {
  if (in_reset_ || hung()) return false;
  const uint32_t available = ring().available();
  return available && (skip_ || available >= wanted_);
}

void Cp::step_ring(std::unique_lock<std::mutex>& lock) {
  const Ring at = ring();
  Step step;
  if (skip_) {
    step.consumed = std::min(skip_, at.available());
    step.skip = skip_ - step.consumed;
  } else {
    lock.unlock();
    step = run_packet(at);
    if (step.consumed >= at.available()) executor_.finish();  // idle means idle
    lock.lock();
    if (unwind_) return;  // interrupted by a reset or destruction, which decides about the packet
    if (executor_.hung()) {
      hung_.store(true, std::memory_order_release);  // the read pointer stays at the packet that did it
      return;
    }
  }
  wanted_ = step.wanted;
  skip_ = step.skip;
  if (step.consumed == 0) return;

  RegisterFile& r = executor_.registers();
  const uint32_t rptr = (at.rptr + step.consumed) & at.mask;
  r.poke(regs::CP_RB_RPTR::offset, rptr);
  const bool empty = ring().available() == 0;
  const auto cntl = regs::CP_RB_CNTL{r.read(regs::CP_RB_CNTL::offset)};
  const auto address = regs::CP_RB_RPTR_ADDR{r.read(regs::CP_RB_RPTR_ADDR::offset)};
  unreported_ += step.consumed;
  // The copy in memory lags by up to 2^RB_BLKSZ quadwords while the ring is full of work.
  const bool write_back = !cntl.RB_NO_UPDATE() && (empty || unreported_ >= (2ull << std::min(cntl.RB_BLKSZ(), 31u)));
  if (write_back) unreported_ = 0;
  if (!write_back && !empty) return;
  lock.unlock();  // callbacks of reports and interrupts must run without the lock
  if (write_back) executor_.write_back_rptr(at.base, address, rptr);
  if (empty) executor_.gui_idle();
  lock.lock();
}

Cp::Step Cp::run_packet(const Ring& at) {
  Where where{Stream::ring, at.base, at.rptr, 0, 0};
  const auto fail = [&](ReportKind kind, const std::string& text, const std::string& detail) {
    executor_.reporter().where = where;
    executor_.reporter().report(kind, text, detail);
  };
  const auto fetch = [&](uint32_t first, std::span<uint32_t> out) {
    const uint64_t from = at.base + uint64_t{first & at.mask} * 4;
    if (!memory_.backed(from, out.size_bytes())) return false;
    return memory_.read(from, out.data(), out.size_bytes());
  };
  const auto unbacked = [&]() -> Step {
    fail(ReportKind::vm_fault, "the ring lies in memory that is not backed", ": base " + decode::hex(at.base));
    return {.consumed = at.available()};  // as if it were empty
  };
  if (!fetch(at.rptr, {&where.header, 1})) return unbacked();
  const uint32_t size = packet_dwords(where.header);
  if (size > at.mask) {
    fail(ReportKind::bad_packet, "the packet does not fit into the ring", "; header " + decode::hex(where.header));
    return {.skip = size};
  }
  if (size > at.available()) return {.wanted = size};  // the rest has not been written yet
  packet_.resize(size);
  packet_[0] = where.header;
  // In two parts when it wraps around the end of the ring.
  const std::span<uint32_t> payload = std::span(packet_).subspan(1);
  const size_t straight = std::min<size_t>(payload.size(), at.mask - at.rptr);
  if (!fetch(at.rptr + 1, payload.first(straight)) || !fetch(0, payload.subspan(straight))) return unbacked();
  return {.consumed = size, .skip = executor_.execute_step(where, packet_)};
}

void Cp::serve_host(std::unique_lock<std::mutex>& lock) {
  serving_host_ = true;
  while (!host_writes_.empty()) {
    const HostWrite w = host_writes_.front();
    host_writes_.pop_front();
    lock.unlock();
    if (w.result)
      *w.result = executor_.host_read(w.offset);
    else
      executor_.host_write(w.offset, w.value);
    lock.lock();
    *w.done = true;
    done_.notify_all();
    if (executor_.hung()) hung_.store(true, std::memory_order_release);
  }
  serving_host_ = false;
}

void Cp::pause() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, 200us, [this] { return unwind_.load() || (!host_writes_.empty() && !serving_host_); });
  if (!serving_host_ && !unwind_) serve_host(lock);
}

// --- the host ---

template <class F>
void Cp::while_parked(F what) {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) return what();
  ++park_requests_;
  unwind_ = true;
  knock();
  wake_.notify_all();
  wait_until(lock, parked_);
  what();
  if (--park_requests_ == 0) unwind_ = stop_;
  wake_.notify_all();
}

void Cp::reset_pointers() {
  executor_.registers().poke(regs::CP_RB_RPTR{0});
  executor_.registers().poke(regs::CP_RB_WPTR{0});
  wanted_ = 1;
  skip_ = unreported_ = 0;
  hung_.store(false, std::memory_order_release);
}

void Cp::soft_reset() {
  while_parked([this] {
    executor_.reset();
    if (observer_) observer_->reset(true);
    in_reset_ = false;
    reset_pointers();
  });
}

void Cp::write_ring_register(uint32_t offset, uint32_t value) {
  {
    std::lock_guard lock(mutex_);
    RegisterFile& r = executor_.registers();
    if (offset == regs::CP_RB_RPTR::offset || r.is_absent(offset)) return;  // read-only, or nothing there
    r.poke(offset, value);
    if (offset != regs::CP_RB_WPTR::offset) return;
    if (regs::CP_RB_CNTL{r.read(regs::CP_RB_CNTL::offset)}.RB_RPTR_WR_ENA()) {
      r.poke(regs::CP_RB_RPTR::offset, r.read(regs::CP_RB_RPTR_WR::offset));
      wanted_ = 1;
    }
    if (ring_ready() && start_thread()) knock();
  }
}

void Cp::write_soft_reset(regs::RBBM_SOFT_RESET value) {
  // The CP bit stops the CP, forgets its work and zeroes its pointers for as long as it is set; the other blocks have no
  // state of their own between packets, and registers keep their values.
  if (value.SOFT_RESET_CP())
    return while_parked([&] {
      executor_.registers().poke(value);
      in_reset_ = true;
      executor_.reset_cp();
      if (observer_) observer_->reset(false);
      reset_pointers();
    });
  {
    std::lock_guard lock(mutex_);
    executor_.registers().poke(value);
    in_reset_ = false;
    if (ring_ready() && start_thread()) knock();
  }
}

void Cp::mmio_write(uint32_t offset, uint32_t value) {
  // The CP's own settings have no effect besides their value: no need to wait for its thread (which may only just be starting).
  if (is_ring_register(offset) || offset == regs::CP_CSQ_CNTL::offset || offset == regs::CP_ME_CNTL::offset)
    return write_ring_register(offset, value);
  if (offset == regs::RBBM_SOFT_RESET::offset) return write_soft_reset(regs::RBBM_SOFT_RESET{value});
  host_access(offset, value, nullptr);
}

void Cp::host_access(uint32_t offset, uint32_t value, uint32_t* result) {
  bool done = false;
  std::unique_lock lock(mutex_);
  if (stop_ || !start_thread()) return;
  host_writes_.push_back({offset, value, result, &done});
  knock();
  wake_.notify_all();
  done_.wait(lock, [&] { return done; });
}

uint32_t Cp::status(uint32_t offset) const {
  std::lock_guard lock(mutex_);
  const bool busy = busy_ || hung() || ring().available() != 0;
  if (offset == regs::RBBM_STATUS::offset) return regs::RBBM_STATUS{0}.CMDFIFO_AVAIL(64).CP_CMDSTRM_BUSY(busy).GUI_ACTIVE(busy).raw;
  return regs::CP_STAT{0}.CSF_PRIMARY_BUSY(busy).CMDSTRM_BUSY(busy).CP_BUSY(busy).raw;
}

uint32_t Cp::mmio_read(uint32_t offset) {
  if (offset == regs::RBBM_STATUS::offset || offset == regs::CP_STAT::offset) return status(offset);
  if (!Executor::reads_with_effect(offset)) return executor_.registers().read(offset);
  uint32_t value = 0;
  host_access(offset, 0, &value);
  return value;
}

}  // namespace pumice::hw
