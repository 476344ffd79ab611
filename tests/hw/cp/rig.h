// SPDX-License-Identifier: MIT
/// A CP with memory, a ring and a recording draw seam.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hw/radeon/cp/cp.h"

namespace pumice::hw::test {

using Words = std::vector<uint32_t>;

inline uint32_t type0(uint32_t offset, size_t values, bool one_register = false) {
  return regs::PM4_TYPE0_HEADER{}.TYPE(0).BASE_INDEX(offset / 4).COUNT(static_cast<uint32_t>(values - 1)).ONE_REG_WR(one_register).raw;
}
inline uint32_t type3(pm4::Op op, size_t payload) {
  return regs::PM4_TYPE3_HEADER{}.TYPE(3).IT_OPCODE(static_cast<uint32_t>(op)).COUNT(static_cast<uint32_t>(payload - 1)).raw;
}
inline constexpr uint32_t kFiller = 0x80000000u;

inline void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }
inline Words write(uint32_t offset, const Words& values, bool one_register = false) {
  Words w{type0(offset, values.size(), one_register)};
  append(w, values);
  return w;
}
inline Words packet(pm4::Op op, const Words& payload) {
  Words w{type3(op, payload.size())};
  append(w, payload);
  return w;
}
inline Words operator+(Words a, const Words& b) {
  append(a, b);
  return a;
}

struct RecordedDraw {
  uint32_t vf_cntl;
  Words data;
};

class FakeExecutor final : public DrawExecutor {
 public:
  std::function<void(DrawContext&, const DrawInput&)> on_draw;
  void draw(DrawContext& ctx, const DrawInput& input) override { on_draw(ctx, input); }
};

class Rig {
 public:
  static constexpr uint32_t kMemory = 0x100000, kBuffer = kMemory, kScratch = kMemory + 0x20000, kRing = kMemory + 0x40000;
  static constexpr uint64_t kSize = 0x80000;

  explicit Rig(uint32_t ring_log2_dwords = 12, Profile profile = Profile::r500)
      : config(profile), ring_mask_((1u << ring_log2_dwords) - 1) {
    config.instruction_limit = 1000;
    config.on_report = [this](const Report& r) {
      std::lock_guard lock(mutex_);
      reports_.push_back(r);
    };
    config.on_interrupt = [this] { ++interrupts; };
    memory = Memory::create();
    EXPECT_TRUE(memory->map(kMemory, kSize));
    executor.on_draw = [this](DrawContext& ctx, const DrawInput& input) {
      draws.push_back({input.vf_cntl.raw, Words(input.data.begin(), input.data.end())});
      if (on_draw) on_draw(ctx);
    };
    team = std::make_unique<Team>(config.threads);
    cp = std::make_unique<Cp>(config, *memory, executor, *team);
    set_up_ring();
  }
  void set_up_ring() {
    wptr_ = 0;
    cp->mmio_write(regs::CP_RB_BASE::offset, kRing);
    cp->mmio_write(regs::CP_RB_CNTL::offset, regs::CP_RB_CNTL{}.RB_BUFSZ(static_cast<uint32_t>(std::bit_width(ring_mask_)) - 1).raw);
    cp->mmio_write(regs::CP_RB_RPTR_ADDR::offset, kScratch + 0x100);
    cp->mmio_write(regs::SCRATCH_ADDR::offset, kScratch);
    cp->mmio_write(regs::SCRATCH_UMSK::offset, 0x3F);
  }

  /// Puts words into the ring, waiting for room, and moves the write pointer.
  void submit(const Words& words) {
    for (const uint32_t w : words) {
      if (((wptr_ + 1) & ring_mask_) == rptr()) {
        kick();
        wait([&] { return ((wptr_ + 1) & ring_mask_) != rptr(); });
      }
      memory->store<uint32_t>(kRing + 4 * wptr_, w);
      wptr_ = (wptr_ + 1) & ring_mask_;
    }
    kick();
  }
  void kick() { cp->mmio_write(regs::CP_RB_WPTR::offset, wptr_); }
  void run(const Words& words) {
    submit(words);
    wait_idle();
  }
  void store(uint32_t at, const Words& words) { memory->write(at, words.data(), words.size() * 4); }
  uint32_t load(uint32_t at) { return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(memory->host_pointer(at))).load(); }
  uint32_t reg(uint32_t offset) { return cp->mmio_read(offset); }
  uint32_t rptr() { return reg(regs::CP_RB_RPTR::offset); }
  bool busy() { return regs::RBBM_STATUS{reg(regs::RBBM_STATUS::offset)}.GUI_ACTIVE(); }
  void wait_idle() {
    wait([&] { return !busy() || cp->hung(); });
  }
  static void wait(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the chip does not finish";
      std::this_thread::yield();
    }
  }
  std::vector<Report> reports() {
    std::lock_guard lock(mutex_);
    return reports_;
  }
  void clear_reports() {
    std::lock_guard lock(mutex_);
    reports_.clear();
  }
  /// Number of reports of the kind whose text contains `part`.
  size_t count(ReportKind kind, const std::string& part) {
    size_t n = 0;
    for (const Report& r : reports()) n += r.kind == kind && r.text.find(part) != std::string::npos;
    return n;
  }
  void expect_clean() {
    for (const Report& r : reports()) ADD_FAILURE() << "report: " << r.text;
  }

  GpuConfig config;
  std::unique_ptr<Memory> memory;
  std::vector<RecordedDraw> draws;  ///< look at it when the chip is idle
  std::function<void(DrawContext&)> on_draw;
  std::atomic<int> interrupts = 0;
  FakeExecutor executor;
  std::unique_ptr<Team> team;
  std::unique_ptr<Cp> cp;

 private:
  std::mutex mutex_;
  std::vector<Report> reports_;
  uint32_t ring_mask_, wptr_ = 0;
};

}  // namespace pumice::hw::test
