// SPDX-License-Identifier: MIT
/// What the chip does with host, copies, waits and resets in between, recorded and replayed.
#include <sys/wait.h>

#include <atomic>
#include <random>
#include <thread>

#include "hw/radeon/trace/recorder.h"
#include "tests/hw/trace/rig.h"

namespace pumice::hw::trace::test {
namespace {

void copy(Packets& p, uint32_t to, uint32_t from, uint32_t bytes) {
  const uint32_t values[] = {from, to, bytes};
  p.write(regs::CP_GUI_SRC_ADDR::offset, values);
}

TEST(Recorder, CopiesAmongHostWrites) {
  File file;
  std::mt19937 random(7);
  constexpr uint32_t kDwords = 8192;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t a = chip->allocate(kDwords), b = chip->allocate(kDwords), all[] = {a, b};
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 8; ++i) {  // what the chip never reads stays out of the trace, what it reads must not
      uint32_t* at = chip->memory(all[random() % 2]) + random() % (kDwords - 64);
      for (uint32_t k = random() % 64; k > 0; --k) at[k] = random();
    }
    Packets p;
    for (int i = 0; i < 6; ++i) copy(p, all[random() % 2] + random() % 12000, all[random() % 2] + random() % 12000, 1 + random() % 6000);
    ASSERT_TRUE(chip->run(p));
  }
  // All of it is read once, so that the host's last writes are known too.
  const uint32_t c = chip->allocate(2 * kDwords);
  Packets p;
  copy(p, c, a, kDwords * 4);
  copy(p, c + kDwords * 4, b, kDwords * 4);
  ASSERT_TRUE(chip->run(p));
  std::vector<uint32_t> wanted(chip->memory(c), chip->memory(c) + 2 * kDwords);
  chip.reset();
  expect_same(file, [&](Memory& memory) {
    for (size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(memory.load<uint32_t>(c + 4 * i), wanted[i]) << i;
  });
}

TEST(Recorder, MemoryThatComesAndGoes) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t to = chip->allocate(4096);
  std::vector<uint32_t> wanted(4096);
  for (uint32_t round = 0; round < 16; ++round) {
    constexpr uint32_t kAt = 0x4000000;
    ASSERT_TRUE(chip->gpu->map(kAt, 4096));
    if (round % 3) std::fill_n(chip->memory(kAt), 1024, round);  // else the zeroes of fresh memory
    Packets p;
    copy(p, to + 512 * round, kAt, 512);
    ASSERT_TRUE(chip->run(p));
    std::fill_n(&wanted[128 * round], 128, round % 3 ? round : 0);
    chip->gpu->unmap(kAt, 4096);
  }
  EXPECT_FALSE(play(file).differs);  // also while the recording runs
  chip.reset();
  expect_same(file, [&](Memory& memory) {
    for (size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(memory.load<uint32_t>(to + 4 * i), wanted[i]) << i;
  });
}

TEST(Recorder, HostWritesWhileThePacketWaits) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t data = chip->allocate(1024), flag = data + 2048, to = chip->allocate(1024);
  const auto wait = [&](uint32_t value) {
    const uint32_t payload[] = {regs::PM4_WAIT_MEM_DW0{}.FUNCTION(regs::PM4_WAIT_MEM_DW0::FUNCTION__EQUAL).raw, flag, value, ~0u};
    Packets p;
    p.command(pm4::Op::WAIT_MEM, payload);
    return p;
  };
  chip->memory(data)[0] = 1;
  Packets p;
  const auto tell = [&](uint32_t value) { p.write(regs::GUI_SCRATCH_REG::at(3), {&value, 1}); };
  copy(p, to, data, 4);
  tell(1);
  p.append(wait(1));
  copy(p, to + 4, data, 4);  // the same bytes, with what the host put there meanwhile
  tell(2);
  p.append(wait(2));
  copy(p, to + 8, data, 4);
  p.append(wait(2));  // holds already
  copy(p, to + 12, flag, 4);
  std::thread host([&] {
    const auto until = [&](uint32_t value) {
      while (chip->gpu->mmio_read(regs::GUI_SCRATCH_REG::at(3)) != value) std::this_thread::yield();
    };
    until(1);
    chip->memory(data)[0] = 10;
    chip->gpu->mmio_write(regs::CP_ME_RAM_DATAH::offset, 77);
    std::atomic_ref(chip->memory(flag)[0]).store(1);
    until(2);
    chip->memory(data)[0] = 20;
    std::atomic_ref(chip->memory(flag)[0]).store(2);
  });
  ASSERT_TRUE(chip->run(p));
  host.join();
  chip.reset();
  expect_same(file, [&](Memory& memory) {
    const uint32_t wanted[] = {1, 10, 20, 2};
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(memory.load<uint32_t>(to + 4 * i), wanted[i]) << i;
  });
}

TEST(Recorder, HostGivesASemaphoreThatThePacketWaitsFor) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t data = chip->allocate(1024), to = chip->allocate(1024), semaphore = 0xFE, told = 1;
  chip->memory(data)[0] = 1;
  Packets p;
  copy(p, to, data, 4);
  p.write(regs::GUI_SCRATCH_REG::at(3), {&told, 1});
  p.command(pm4::Op::WAIT_SEMAPHORE, {&semaphore, 1});
  copy(p, to + 4, data, 4);  // what the host put there meanwhile
  std::thread host([&] {
    while (chip->gpu->mmio_read(regs::GUI_SCRATCH_REG::at(3)) != told) std::this_thread::yield();
    chip->memory(data)[0] = 10;
    chip->gpu->mmio_write(regs::CP_ME_RAM_ADDR::offset, regs::CP_ME_RAM_ADDR{}.ME_RAM_ADDR(semaphore).raw);
    chip->gpu->mmio_write(regs::CP_ME_RAM_DATAL::offset, 1);
  });
  ASSERT_TRUE(chip->run(p));
  host.join();
  chip.reset();
  expect_same(file, [&](Memory& memory) {
    EXPECT_EQ(memory.load<uint32_t>(to), 1u);
    EXPECT_EQ(memory.load<uint32_t>(to + 4), 10u);
  });
}

TEST(Recorder, ResetInTheMiddle) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t at = chip->allocate(1024);
  const uint32_t payload[] = {regs::PM4_WAIT_MEM_DW0{}.FUNCTION(regs::PM4_WAIT_MEM_DW0::FUNCTION__EQUAL).raw, at + 512, 1, ~0u};
  Packets p;
  chip->memory(at)[0] = 5;
  copy(p, at + 4, at, 4);
  p.command(pm4::Op::WAIT_MEM, payload);  // for ever
  EXPECT_FALSE(chip->run_to_the_end(p));
  chip->reset();
  Packets q;
  copy(q, at + 8, at + 4, 4);
  ASSERT_TRUE(chip->run(q));
  chip.reset();
  expect_same(file, [&](Memory& memory) {
    for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(memory.load<uint32_t>(at + 4 * i), 5u) << i;
  });
}

TEST(Recorder, TwoAtOnceHaveTwoFiles) {
  File file;
  {
    Chip a(recording(file)), b(recording(file));
    for (Chip* c : {&a, &b}) {
      const uint32_t at = c->allocate(16);
      Packets p;
      copy(p, at + 4, at, 4);
      ASSERT_TRUE(c->run(p));
    }
  }
  expect_same(file);
  std::string error;
  auto reader = Reader::open(file.path() + ".1", error);
  ASSERT_TRUE(reader) << error;
  Watcher watcher;
  EXPECT_TRUE(Player::create(std::move(reader), {}, watcher)->play().ok);
  std::remove((file.path() + ".1").c_str());
}

TEST(Recorder, AForkedChildLeavesTheFileAlone) {
  File file;
  auto chip = std::make_unique<Chip>(recording(file));
  const uint32_t at = chip->allocate(16);
  Packets p;
  copy(p, at + 4, at, 4);
  ASSERT_TRUE(chip->run(p));
  const pid_t child = fork();
  if (child == 0) {
    chip->gpu->map(0x8000000, 4096);  // must not get into the file
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(chip->run(p));
  chip.reset();
  expect_same(file, [&](Memory& memory) { EXPECT_FALSE(memory.backed(0x8000000, 1)); });
}

// The file has 32-bit addresses: memory that they do not reach ends the recording, rather than being recorded somewhere else.
TEST(Recorder, MemoryBeyondTheFilesAddressesEndsTheRecording) {
  File file;
  GpuConfig config = recording(file);
  std::vector<Report> reports;
  config.on_report = [&](const Report& r) { reports.push_back(r); };
  const auto memory = Memory::create(33);
  ASSERT_TRUE(memory);
  const auto recorder = Recorder::create(config, *memory);
  ASSERT_TRUE(recorder);
  EXPECT_TRUE(recorder->map(0x10000, 0x1000));
  EXPECT_TRUE(reports.empty());
  EXPECT_TRUE(recorder->map(0x1'4000'0000, 0x1000));  // the chip has it
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::trace);
  EXPECT_NE(reports[0].text.find("beyond the 32 bits"), std::string::npos) << reports[0].text;
}

TEST(Recorder, SizeLimit) {
  File file;
  GpuConfig config = recording(file);
  config.trace_limit = 100000;
  auto chip = std::make_unique<Chip>(config);
  const uint32_t a = chip->allocate(16384), b = chip->allocate(16384);
  std::mt19937 random(3);
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 16384; ++k) chip->memory(a)[k] = random();
    Packets p;
    copy(p, b, a, 65536);
    ASSERT_TRUE(chip->run(p));
    EXPECT_EQ(chip->memory(b)[99], chip->memory(a)[99]);
  }
  const auto reports = chip->reports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::trace);
  EXPECT_NE(reports[0].text.find("size limit"), std::string::npos) << reports[0].text;
  chip.reset();
  EXPECT_LE(file.bytes().size(), 100000u);
  EXPECT_GT(file.bytes().size(), 65536u);
  const Player::Result r = play(file);
  EXPECT_TRUE(r.ok) << r.error;
  EXPECT_NE(r.remark.find("size limit"), std::string::npos) << r.remark;
  EXPECT_FALSE(r.differs);
}

TEST(Recorder, WhatCannotBeWritten) {
  for (const char* path : {"/nonexistent/folder/a.pmt", "/dev/full", "/"}) {
    GpuConfig config{Profile::r500};
    config.trace = path;
    Chip chip(config);
    const uint32_t at = chip.allocate(16);
    chip.memory(at)[0] = 42;
    Packets p;
    copy(p, at + 4, at, 4);
    EXPECT_TRUE(chip.run(p));
    EXPECT_EQ(chip.memory(at)[1], 42u);
    ASSERT_EQ(chip.reports().size(), 1u) << path;
    EXPECT_EQ(chip.reports()[0].kind, ReportKind::trace);
    EXPECT_NE(chip.reports()[0].text.find(path), std::string::npos) << chip.reports()[0].text;
  }
}

}  // namespace
}  // namespace pumice::hw::trace::test
