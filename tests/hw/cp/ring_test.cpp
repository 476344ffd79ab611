// SPDX-License-Identifier: MIT
/// The ring, indirect buffers, fences, waiting and resets.
#include <random>

#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
constexpr uint32_t kReg0 = regs::GUI_SCRATCH_REG::offset;

Words ib1(uint32_t at, size_t dwords) { return write(regs::CP_IB_BASE::offset, {at, static_cast<uint32_t>(dwords)}); }
Words ib2(uint32_t at, size_t dwords) { return write(regs::CP_IB2_BASE::offset, {at, static_cast<uint32_t>(dwords)}); }

TEST(Ring, Type0WritesReachRegistersAndMemory) {
  Rig rig;
  rig.run(write(kReg0, {0xDEADBEEF, 2, 3}));
  EXPECT_EQ(rig.reg(kReg0), 0xDEADBEEFu);
  EXPECT_EQ(rig.load(Rig::kScratch), 0xDEADBEEFu);
  EXPECT_EQ(rig.load(Rig::kScratch + 8), 3u);
  EXPECT_EQ(rig.load(Rig::kScratch + 0x100), 4u) << "copy of the read pointer";
  rig.expect_clean();
}

TEST(Ring, Type1Type2AndOneRegister) {
  Rig rig;
  const uint32_t header1 = regs::PM4_TYPE1_HEADER{}.TYPE(1).REG0_INDEX(kReg0 / 4).REG1_INDEX(kReg0 / 4 + 2).raw;
  rig.run(Words{kFiller, header1, 11, 22, kFiller} + write(kReg0 + 4, {5, 6, 7}, true));
  EXPECT_EQ(rig.reg(kReg0), 11u);
  EXPECT_EQ(rig.reg(kReg0 + 8), 22u);
  EXPECT_EQ(rig.reg(kReg0 + 4), 7u);
  rig.expect_clean();
}

TEST(Ring, WrapsAtEverySizeWithPacketsAcrossTheEnd) {
  for (const uint32_t log2 : {3u, 4u, 7u}) {
    Rig rig(log2);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 300; ++i) {
      Words w = write(kReg0, Words(1 + i % 3, i));
      expected = i;
      rig.submit(w);
    }
    rig.wait_idle();
    EXPECT_EQ(rig.reg(kReg0), expected);
    rig.expect_clean();
  }
}

TEST(Ring, WaitsForTheRestOfAPacket) {
  Rig rig;
  rig.submit({type0(kReg0, 2), 1});
  rig.cp->mmio_write(regs::SCRATCH_UMSK::offset, 0);  // answered although a packet is open
  EXPECT_EQ(rig.rptr(), 0u);
  EXPECT_EQ(rig.reg(kReg0), 0u);
  rig.run({2});
  EXPECT_EQ(rig.reg(kReg0 + 4), 2u);
}

TEST(Ring, PacketLargerThanTheRingIsReportedAndPassedOver) {
  Rig rig(3);
  rig.run(write(kReg0 + 8, Words(20, 9), true) + write(kReg0, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "does not fit into the ring"), 1u);
  EXPECT_EQ(rig.reg(kReg0 + 8), 0u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
}

TEST(Ring, ReadPointerSeed) {
  Rig rig;
  rig.cp->mmio_write(regs::CP_RB_RPTR_WR::offset, 100);
  rig.cp->mmio_write(regs::CP_RB_CNTL::offset, regs::CP_RB_CNTL{rig.reg(regs::CP_RB_CNTL::offset)}.RB_RPTR_WR_ENA(1).raw);
  rig.store(Rig::kRing + 400, write(kReg0, {77}));
  rig.cp->mmio_write(regs::CP_RB_WPTR::offset, 102);
  rig.wait_idle();
  EXPECT_EQ(rig.reg(kReg0), 77u);
}

TEST(Ring, UnbackedRingIsAFault) {
  Rig rig;
  rig.cp->mmio_write(regs::CP_RB_BASE::offset, 0x40000000);
  rig.run({kFiller});
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "ring"), 1u);
}

TEST(Ring, StreamsCannotMoveTheRing) {
  Rig rig;
  rig.run(write(regs::CP_RB_WPTR::offset, {0x123}) + write(regs::RBBM_SOFT_RESET::offset, {1}) + write(kReg0, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_register, "not from a command stream"), 2u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
}

TEST(Indirect, NestsToTheSecondLevel) {
  Rig rig;
  const Words inner = write(kReg0 + 4, {2});
  const Words outer = write(kReg0, {1}) + ib2(Rig::kBuffer + 0x1000, inner.size()) + write(kReg0 + 8, {3});
  rig.store(Rig::kBuffer, outer);
  rig.store(Rig::kBuffer + 0x1000, inner);
  rig.run(ib1(Rig::kBuffer, outer.size()) + write(kReg0 + 12, {4}));
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(rig.reg(kReg0 + 4 * i), i + 1);
  rig.run(ib2(Rig::kBuffer + 0x1000, inner.size()));
  rig.expect_clean();
}

/// The write of the size starts the buffer, whenever its address was written.
TEST(Indirect, TheSizeStartsIt) {
  Rig rig;
  const Words inner = write(kReg0, {7});
  const Words outer = write(regs::CP_IB2_BASE::offset, {Rig::kBuffer + 0x1000}) + write(kReg0, {1}) +
                      write(regs::CP_IB2_BUFSZ::offset, {static_cast<uint32_t>(inner.size())}) + write(kReg0 + 4, {2});
  rig.store(Rig::kBuffer, outer);
  rig.store(Rig::kBuffer + 0x1000, inner);
  rig.run(ib1(Rig::kBuffer, outer.size()));
  EXPECT_EQ(rig.reg(kReg0), 7u);
  EXPECT_EQ(rig.reg(kReg0 + 4), 2u);
  rig.expect_clean();
}

TEST(Indirect, WrongNestingIsReported) {
  Rig rig;
  rig.store(Rig::kBuffer, ib1(Rig::kBuffer, 3) + ib2(Rig::kBuffer + 0x1000, 6));
  rig.store(Rig::kBuffer + 0x1000, ib1(Rig::kBuffer, 3) + ib2(Rig::kBuffer + 0x1000, 3));
  rig.run(ib1(Rig::kBuffer, 6) + write(kReg0, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "IB1 started inside IB1"), 1u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "IB1 started inside IB2"), 1u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "IB2 started inside IB2"), 1u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
}

TEST(Indirect, TruncatedAndUnbackedBuffers) {
  Rig rig;
  rig.store(Rig::kBuffer, write(kReg0, {5}) + Words{type0(kReg0, 3), 6});
  rig.run(ib1(Rig::kBuffer, 4) + ib1(0x50000000, 16) + ib1(Rig::kMemory + Rig::kSize - 16, 16) + write(kReg0 + 4, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "at IB1 0x00100000 dword 0x2: the packet is cut off"), 1u);
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "IB1 lies in memory that is not backed"), 2u);
  EXPECT_EQ(rig.reg(kReg0), 5u);
  EXPECT_EQ(rig.reg(kReg0 + 4), 1u);
}

TEST(Fence, ScratchBaseMayMoveAndInterruptFires) {
  Rig rig;
  rig.cp->mmio_write(regs::GEN_INT_CNTL::offset, regs::GEN_INT_CNTL{}.SW_INT_ENABLE(1).raw);
  const Words fire = write(regs::GEN_INT_STATUS::offset, {regs::GEN_INT_STATUS{}.SW_INT_FIRE(1).raw});
  rig.run(write(kReg0, {1}) + write(regs::SCRATCH_ADDR::offset, {Rig::kScratch + 0x40}) + write(kReg0 + 4, {2}) + fire);
  EXPECT_EQ(rig.load(Rig::kScratch), 1u);
  EXPECT_EQ(rig.load(Rig::kScratch + 0x44), 2u);
  EXPECT_EQ(rig.interrupts, 1);
  EXPECT_EQ(regs::GEN_INT_STATUS{rig.reg(regs::GEN_INT_STATUS::offset)}.SW_INT_TEST(), 1u);
  rig.cp->mmio_write(regs::GEN_INT_STATUS::offset, regs::GEN_INT_STATUS{}.SW_INT_TEST(1).raw);
  EXPECT_EQ(regs::GEN_INT_STATUS{rig.reg(regs::GEN_INT_STATUS::offset)}.SW_INT_TEST(), 0u);
  rig.cp->mmio_write(regs::GEN_INT_CNTL::offset, 0);
  rig.run(fire);
  EXPECT_EQ(rig.interrupts, 1) << "disabled";
  rig.expect_clean();
}

TEST(Fence, MaskAndSwapOfTheMirror) {
  Rig rig;
  rig.run(write(regs::SCRATCH_UMSK::offset, {regs::SCRATCH_UMSK{}.SCRATCH_UMSK_(2).SCRATCH_SWAP(2).raw}) +
          write(kReg0, {0x11223344, 0x11223344}));
  EXPECT_EQ(rig.load(Rig::kScratch), 0u);
  EXPECT_EQ(rig.load(Rig::kScratch + 4), 0x44332211u);
}

TEST(Fence, ResyncAfterDcFinish) {
  Rig rig;
  const Words finish = write(regs::RB3D_DSTCACHE_CTLSTAT::offset, {regs::RB3D_DSTCACHE_CTLSTAT{}.DC_FINISH(1).raw});
  rig.run(write(regs::CP_RESYNC_ADDR::offset, {3, 0xABCD}));
  EXPECT_EQ(rig.reg(kReg0 + 12), 0u);
  rig.run(finish);
  EXPECT_EQ(rig.load(Rig::kScratch + 12), 0xABCDu);
  rig.run(write(kReg0 + 12, {0}) + finish);
  EXPECT_EQ(rig.load(Rig::kScratch + 12), 0u) << "one release a set-up";
}

struct WaitCase {
  uint32_t function, value;
  bool holds;
};
class Wait : public testing::TestWithParam<WaitCase> {};
INSTANTIATE_TEST_SUITE_P(Functions, Wait,
                         testing::Values(WaitCase{0, 0, true}, WaitCase{1, 4, true}, WaitCase{1, 5, false}, WaitCase{2, 5, true},
                                         WaitCase{2, 6, false}, WaitCase{3, 5, true}, WaitCase{3, 4, false}, WaitCase{4, 4, true},
                                         WaitCase{4, 5, false}, WaitCase{5, 5, true}, WaitCase{5, 4, false}, WaitCase{6, 6, true},
                                         WaitCase{6, 5, false}));
TEST_P(Wait, CondExecAndWaitMemAgree) {
  Rig rig;
  const auto [function, value, holds] = GetParam();
  rig.store(Rig::kBuffer, {value | 0xFF00});
  const Words test{function, Rig::kBuffer, 5, 0xFF};
  rig.run(packet(Op::COND_EXEC, test + Words{2}) + write(kReg0, {1}) + write(kReg0 + 4, {1}));
  EXPECT_EQ(rig.reg(kReg0), holds ? 1u : 0u);
  EXPECT_EQ(rig.reg(kReg0 + 4), 1u);
  rig.submit(packet(Op::WAIT_MEM, test) + write(kReg0 + 8, {1}));
  if (!holds) {
    EXPECT_TRUE(rig.busy());
    EXPECT_EQ(rig.reg(kReg0 + 8), 0u);
    rig.cp->mmio_write(kReg0 + 12, 9);  // the host is answered during the wait
    EXPECT_EQ(rig.reg(kReg0 + 12), 9u);
    const uint32_t good = function == 1 || function == 4 ? 4u : function == 6 ? 6u : 5u;
    std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(rig.memory->host_pointer(Rig::kBuffer))).store(good);
  }
  rig.wait_idle();
  EXPECT_EQ(rig.reg(kReg0 + 8), 1u);
  rig.expect_clean();
}

TEST(Conditional, InsideIndirectBuffersAndPredicates) {
  Rig rig;
  const Words ib = packet(Op::COND_EXEC, {3, Rig::kBuffer + 0x2000, 1, ~0u, 2}) + write(kReg0, {1}) + write(kReg0 + 4, {1}) +
                   packet(Op::PRED_EXEC, {regs::PM4_PRED_EXEC_DW0{}.COUNT(2).DEVICE_SELECT(2).raw}) + write(kReg0 + 8, {1}) +
                   packet(Op::PRED_EXEC, {regs::PM4_PRED_EXEC_DW0{}.COUNT(2).DEVICE_SELECT(1).raw}) + write(kReg0 + 12, {1});
  rig.store(Rig::kBuffer, ib);
  rig.run(ib1(Rig::kBuffer, ib.size()));
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(rig.reg(kReg0 + 4 * i), i & 1);
  rig.expect_clean();
  rig.store(Rig::kBuffer, packet(Op::COND_EXEC, {3, Rig::kBuffer + 0x2000, 1, ~0u, 100}));
  rig.run(ib1(Rig::kBuffer, 6));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "past the end of the buffer"), 1u);
}

TEST(WaitMem, UnbackedMemoryDoesNotHang) {
  Rig rig;
  rig.run(packet(Op::WAIT_MEM, {3, 0x60000000, 1, ~0u}) + write(kReg0, {1}));
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(rig.count(ReportKind::vm_fault, "WAIT_MEM"), 1u);
}

/// GpuConfig::wait_limit: the watchdog ends a wait that takes longer, as a lockup; reset goes on.
TEST(WaitMem, LongerThanTheLimitIsALockup) {
  Rig rig;
  rig.config.wait_limit = std::chrono::milliseconds(5);
  rig.store(Rig::kBuffer, {7});
  rig.run(packet(Op::WAIT_MEM, {3, Rig::kBuffer, 7, ~0u}) + write(kReg0, {1}));
  EXPECT_EQ(rig.reg(kReg0), 1u) << "holds at once";
  rig.submit(packet(Op::WAIT_MEM, {3, Rig::kBuffer, 8, ~0u}) + write(kReg0, {2}));
  Rig::wait([&] { return rig.cp->hung(); });
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(rig.count(ReportKind::lockup, "the watchdog stopped WAIT_MEM"), 1u);
  rig.cp->soft_reset();
  rig.set_up_ring();
  rig.run(write(kReg0 + 8, {1}));
  EXPECT_EQ(rig.reg(kReg0 + 8), 1u);
}

Words semaphore(uint32_t word, uint32_t count) {
  return write(regs::CP_ME_RAM_ADDR::offset, {regs::CP_ME_RAM_ADDR{}.ME_RAM_ADDR(word).raw}) + write(regs::CP_ME_RAM_DATAH::offset, {0}) +
         write(regs::CP_ME_RAM_DATAL::offset, {count});
}
uint32_t count_of(Rig& rig, uint32_t word) {
  rig.cp->mmio_write(regs::CP_ME_RAM_RADDR::offset, word);
  return rig.reg(regs::CP_ME_RAM_DATAL::offset);
}

TEST(WaitSemaphore, TakesOneAndWaitsForMore) {
  Rig rig;
  rig.run(semaphore(0xFC, 2) + semaphore(0xFF, 1) + packet(Op::WAIT_SEMAPHORE, {0xFC}) + packet(Op::WAIT_SEMAPHORE, {0xFC}) +
          write(kReg0, {1}));
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(count_of(rig, 0xFC), 0u);
  EXPECT_EQ(count_of(rig, 0xFF), 1u) << "another one";
  rig.submit(packet(Op::WAIT_SEMAPHORE, {0xFC}) + write(kReg0 + 4, {1}));
  EXPECT_TRUE(rig.busy());
  rig.cp->mmio_write(kReg0 + 8, 9);  // the host is answered during the wait
  EXPECT_EQ(rig.reg(kReg0 + 8), 9u);
  EXPECT_EQ(rig.reg(kReg0 + 4), 0u);
  rig.cp->mmio_write(regs::CP_ME_RAM_ADDR::offset, regs::CP_ME_RAM_ADDR{}.ME_RAM_ADDR(0xFC).raw);
  rig.cp->mmio_write(regs::CP_ME_RAM_DATAH::offset, 0);
  rig.cp->mmio_write(regs::CP_ME_RAM_DATAL::offset, 3);
  rig.wait_idle();
  EXPECT_EQ(rig.reg(kReg0 + 4), 1u);
  EXPECT_EQ(count_of(rig, 0xFC), 2u);
  rig.expect_clean();
}

TEST(WaitSemaphore, OthersAreRefusedAndTheLimitHolds) {
  Rig rig;
  rig.config.wait_limit = std::chrono::milliseconds(5);
  rig.run(packet(Op::WAIT_SEMAPHORE, {0xFB}) + packet(Op::WAIT_SEMAPHORE, {0x100}) + packet(Op::WAIT_SEMAPHORE, {0xFC, 1}) +
          write(kReg0, {1}));
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "is not a word of ME RAM"), 2u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, ""), 3u);
  rig.submit(packet(Op::WAIT_SEMAPHORE, {0xFD}) + write(kReg0, {2}));
  Rig::wait([&] { return rig.cp->hung(); });
  EXPECT_EQ(rig.reg(kReg0), 1u);
  EXPECT_EQ(rig.count(ReportKind::lockup, "the watchdog stopped WAIT_SEMAPHORE"), 1u);
}

const Words kEndlessWait = packet(Op::WAIT_MEM, {3, Rig::kBuffer, 1, ~0u});

TEST(Reset, SoftResetLeavesAWait) {
  Rig rig;
  rig.store(Rig::kBuffer + 0x100, kEndlessWait);
  for (const Words& w : {kEndlessWait, ib1(Rig::kBuffer + 0x100, kEndlessWait.size())}) {
    rig.submit(write(kReg0, {1}) + w + write(kReg0 + 4, {1}));
    Rig::wait([&] { return rig.reg(kReg0) == 1; });
    rig.cp->soft_reset();
    EXPECT_EQ(rig.rptr(), 0u);
    EXPECT_EQ(rig.reg(kReg0), 0u);
    EXPECT_EQ(rig.reg(regs::CP_RB_BASE::offset), 0u);
    EXPECT_FALSE(rig.busy());
    rig.set_up_ring();
    rig.run(write(kReg0 + 8, {1}));
    EXPECT_EQ(rig.reg(kReg0 + 8), 1u);
    EXPECT_EQ(rig.reg(kReg0 + 4), 0u);
  }
  rig.expect_clean();
}

TEST(Reset, CpBitHoldsTheRingAndKeepsRegisters) {
  Rig rig;
  rig.submit(write(kReg0, {1}) + kEndlessWait);
  Rig::wait([&] { return rig.reg(kReg0) == 1; });
  rig.cp->mmio_write(regs::RBBM_SOFT_RESET::offset, regs::RBBM_SOFT_RESET{}.SOFT_RESET_CP(1).raw);
  EXPECT_EQ(rig.rptr(), 0u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
  rig.store(Rig::kRing, write(kReg0, {2}));
  rig.cp->mmio_write(regs::CP_RB_WPTR::offset, 2);
  rig.cp->mmio_write(kReg0 + 4, 1);
  EXPECT_EQ(rig.rptr(), 0u) << "held";
  rig.cp->mmio_write(regs::RBBM_SOFT_RESET::offset, 0);
  rig.wait_idle();
  EXPECT_EQ(rig.reg(kReg0), 2u);
}

/// The chip goes while it waits for memory, or before it comes to the wait: it ends at once, what is behind the wait is never executed, not
/// even when the wait's condition comes true, and nothing is reported. What is seen are scratch registers, which the chip copies to memory.
TEST(Teardown, WhileWaitingAndWithWorkLeft) {
  for (int i = 0; i < 20; ++i) {
    Rig rig;
    rig.submit(write(kReg0, {1}) + kEndlessWait + write(kReg0 + 4, {2}) + kEndlessWait);
    if (i % 2) Rig::wait([&] { return rig.load(Rig::kScratch) == 1; });
    const auto begin = std::chrono::steady_clock::now();
    rig.cp.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "work that waits needs no grace";
    const uint32_t first = rig.load(Rig::kScratch);
    EXPECT_TRUE(first == 1 || (i % 2 == 0 && first == 0)) << first;
    EXPECT_EQ(rig.load(Rig::kScratch + 4), 0u);
    rig.store(Rig::kBuffer, {1});
    rig.expect_clean();
    // The same memory and team serve another chip.
    rig.cp = std::make_unique<Cp>(rig.config, *rig.memory, rig.executor, *rig.team);
    rig.set_up_ring();
    rig.run(kEndlessWait + write(kReg0 + 8, {3}));
    EXPECT_EQ(rig.load(Rig::kScratch + 8), 3u);
    EXPECT_EQ(rig.load(Rig::kScratch + 4), 0u) << "of the chip before";
    rig.expect_clean();
  }
}

TEST(Teardown, AnyMomentOfReset) {
  Rig rig;
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    rig.submit(write(kReg0, Words(random() % 6 + 1, random())));
    if (random() % 2) rig.submit(kEndlessWait);
    rig.cp->soft_reset();
    rig.set_up_ring();
  }
  rig.run(write(kReg0, {42}));
  EXPECT_EQ(rig.reg(kReg0), 42u);
}

TEST(Pio, PushedPackets) {
  Rig rig;
  for (const uint32_t w : write(kReg0, {1, 2})) rig.cp->mmio_write(regs::CP_CSQ_APER_PRIMARY::at(5), w);
  for (const uint32_t w : write(kReg0 + 8, {3})) rig.cp->mmio_write(regs::CP_CSQ_APER_INDIRECT2::at(0), w);
  for (const uint32_t w : write(kReg0 + 12, {4})) rig.cp->mmio_write(regs::CP_CSQ_APER_INDIRECT::at(1), w);
  EXPECT_EQ(rig.reg(kReg0 + 4), 2u);
  EXPECT_EQ(rig.reg(kReg0 + 8), 3u);
  EXPECT_EQ(rig.reg(kReg0 + 12), 4u);
  rig.expect_clean();
  rig.run(write(regs::CP_CSQ_APER_PRIMARY::offset, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "PIO aperture"), 1u);
}

TEST(Microcode, IsKept) {
  Rig rig;
  rig.cp->mmio_write(regs::CP_ME_RAM_ADDR::offset, 254);
  for (uint32_t i = 0; i < 3; ++i) {
    rig.cp->mmio_write(regs::CP_ME_RAM_DATAH::offset, i + 1);
    rig.cp->mmio_write(regs::CP_ME_RAM_DATAL::offset, 0x100 + i);
  }
  rig.cp->mmio_write(regs::CP_ME_RAM_RADDR::offset, 0);
  EXPECT_EQ(rig.reg(regs::CP_ME_RAM_DATAH::offset), 3u);
  EXPECT_EQ(rig.reg(regs::CP_ME_RAM_DATAL::offset), 0x102u);
}

TEST(Reports, AFloodIsThinnedOut) {
  Rig rig;
  Words bad;
  for (int i = 0; i < 1000; ++i) append(bad, packet(Op::LOAD_PALETTE, {0}));
  rig.submit(bad);
  rig.wait_idle();
  const size_t n = rig.reports().size();
  EXPECT_GE(n, 5u);
  EXPECT_LE(n, 20u);
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "LOAD_PALETTE"), n);
}

TEST(Reports, ABadRegisterIsNamedOnce) {
  Rig rig;
  constexpr uint32_t hole = 0x0008;
  rig.run(write(hole, {1, 2}) + write(hole, {3}) + write(regs::RBBM_STATUS::offset, {1}) + write(regs::RBBM_STATUS::offset, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_register, "0x0008: no such register"), 1u);
  EXPECT_EQ(rig.count(ReportKind::bad_register, "0x000C: no such register"), 1u);
  EXPECT_EQ(rig.count(ReportKind::bad_register, "RBBM_STATUS: read-only"), 1u);
  EXPECT_EQ(rig.reg(hole), 0u);
  rig.run(write(0x7FFC, Words(4, 1)));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, "past the end of the register space"), 1u);
}

/// INDX_BUFFER's data starts an indirect buffer, which has an INDX_BUFFER itself and is longer than what is read ahead: neither may lose
/// what the other still has to do.
TEST(Streams, StartedByTheDataOfAnother) {
  Rig rig;
  constexpr uint32_t inner_data = Rig::kBuffer, inner = Rig::kBuffer + 0x8000, outer_data = Rig::kBuffer + 0x18000;
  const auto stream = [](uint32_t offset, uint32_t from, uint32_t dwords) {
    return packet(Op::INDX_BUFFER, {regs::PM4_INDX_BUFFER_DW0{}.DST_REG(offset / 4).raw, from, dwords});
  };
  rig.store(inner_data, Words(0x1000, 7));
  Words words = stream(regs::US_FC_INT_CONST::offset, inner_data, 32);
  while (words.size() < 5000) append(words, write(regs::US_FC_INT_CONST::at(1), {uint32_t(words.size())}));
  append(words, write(regs::US_FC_INT_CONST::at(2), {99}));
  rig.store(inner, words);
  rig.store(outer_data, {inner, uint32_t(words.size()), 0x12340000, 5});
  rig.run(stream(regs::CP_IB_BASE::offset, outer_data, 4) + write(regs::US_FC_INT_CONST::at(3), {11}));
  EXPECT_EQ(rig.reg(regs::US_FC_INT_CONST::at(0)), 7u);
  EXPECT_GT(rig.reg(regs::US_FC_INT_CONST::at(1)), 4990u);
  EXPECT_EQ(rig.reg(regs::US_FC_INT_CONST::at(2)), 99u);
  EXPECT_EQ(rig.reg(regs::US_FC_INT_CONST::at(3)), 11u);
  EXPECT_EQ(rig.reg(regs::CP_IB_BUFSZ::offset + 4), 0x12340000u);  // CP_CSQ_CNTL, behind the register that started the stream
}

}  // namespace
}  // namespace pumice::hw::test
