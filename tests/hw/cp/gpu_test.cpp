// SPDX-License-Identifier: MIT
/// The facade: several chips in one process, many threads at one chip.
#include "hw/radeon/gpu.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t kRing = 0x10000, kScratch = 0x20000;

uint32_t fence(Gpu& gpu) {
  return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(gpu.host_pointer(kScratch))).load(std::memory_order_acquire);
}

void set_up(Gpu& gpu) {
  gpu.mmio_write(regs::CP_RB_BASE::offset, kRing);
  gpu.mmio_write(regs::CP_RB_CNTL::offset, regs::CP_RB_CNTL{}.RB_BUFSZ(9).RB_NO_UPDATE(1).raw);
  gpu.mmio_write(regs::SCRATCH_ADDR::offset, kScratch);
  gpu.mmio_write(regs::SCRATCH_UMSK::offset, 1);
}

TEST(Gpu, ChipsAreIndependent) {
  std::vector<std::thread> drivers;
  for (uint32_t chip = 0; chip < 3; ++chip)
    drivers.emplace_back([chip] {
      GpuConfig config(chip == 2 ? Profile::r300 : Profile::r500);
      config.on_report = [](const Report& r) { ADD_FAILURE() << r.text; };
      auto gpu = Gpu::create(config);
      ASSERT_TRUE(gpu);
      ASSERT_TRUE(gpu->map(kRing, 0x1000));
      ASSERT_TRUE(gpu->map(kScratch, 0x1000));
      set_up(*gpu);
      auto* ring = reinterpret_cast<uint32_t*>(gpu->host_pointer(kRing));
      uint32_t wptr = 0;
      for (uint32_t i = 1; i <= 1000; ++i) {
        const uint32_t value = i * 16 + chip;
        ring[wptr] = type0(regs::GUI_SCRATCH_REG::offset, 1);
        ring[wptr + 1] = value;
        wptr = (wptr + 2) & 0x3FF;
        gpu->mmio_write(regs::CP_RB_WPTR::offset, wptr);
        Rig::wait([&] { return fence(*gpu) == value; });
      }
      EXPECT_FALSE(gpu->hung());
    });
  for (auto& d : drivers) d.join();
}

TEST(Gpu, WhatIsNoChipIsRefused) {
  std::vector<Report> reports;
  GpuConfig config(static_cast<Profile>(kChips));
  config.on_report = [&](const Report& r) { reports.push_back(r); };
  EXPECT_FALSE(Gpu::create(config));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::bad_chip);
  EXPECT_EQ(reports[0].text, "GpuConfig::profile: there is no chip number " + std::to_string(kChips));
}

TEST(Gpu, RegistersFromManyThreads) {
  auto gpu = Gpu::create(GpuConfig(Profile::r500));
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      const uint32_t reg = regs::GUI_SCRATCH_REG::at(t);
      for (uint32_t i = 0; i < 300; ++i) {
        gpu->mmio_write(reg, i);
        EXPECT_EQ(gpu->mmio_read(reg), i);
        gpu->mmio_read(regs::RBBM_STATUS::offset);
      }
    });
  for (auto& t : threads) t.join();
  gpu->soft_reset();
  EXPECT_EQ(gpu->mmio_read(regs::GUI_SCRATCH_REG::at(2)), 0u);
}

TEST(Gpu, OddAddresses) {
  size_t reports = 0;
  GpuConfig config{Profile::r500};
  config.on_report = [&](const Report& r) { reports += r.kind == ReportKind::bad_register; };
  auto gpu = Gpu::create(config);
  for (const uint32_t offset : {0x10000u, 0xFFFFFFFCu, 0x15E1u}) {
    gpu->mmio_write(offset, 1);
    EXPECT_EQ(gpu->mmio_read(offset), 0u);
  }
  EXPECT_EQ(reports, 3u);
  EXPECT_FALSE(gpu->map(0, 0x1000));
}

TEST(Gpu, ADrawGoesThroughTheWholeChip) {
  // Registers at reset: nothing can come out, but the draw function that Gpu::create chose runs and comes back.
  GpuConfig config{Profile::r500};
  auto gpu = Gpu::create(config);
  ASSERT_TRUE(gpu->map(kRing, 0x1000));
  ASSERT_TRUE(gpu->map(kScratch, 0x1000));
  set_up(*gpu);
  auto* ring = reinterpret_cast<uint32_t*>(gpu->host_pointer(kRing));
  using Vf = regs::VAP_VF_CNTL;
  ring[0] = type3(pm4::Op::N3D_DRAW_VBUF_2, 1);
  ring[1] = Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(3).raw;
  ring[2] = type0(regs::GUI_SCRATCH_REG::offset, 1);
  ring[3] = 7;
  gpu->mmio_write(regs::CP_RB_WPTR::offset, 4);
  Rig::wait([&] { return fence(*gpu) == 7; });
}

}  // namespace
}  // namespace pumice::hw::test
