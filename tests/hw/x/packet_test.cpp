// SPDX-License-Identifier: MIT
/// X packets through a whole chip: dispatches, copies, fills, writes; strict chips and a switched-off extension refuse them.
#include <bit>
#include <cstring>
#include <random>

#include "tests/hw/chip/chip.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using test::Chip;
using test::Packets;
using namespace regs::r5x;

struct XPacket : ::testing::Test {
  /// out[i] = i + 7 of 32 invocations a workgroup.
  Packets dispatch_state(Chip& chip, uint32_t out, uint32_t bytes) {
    const std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
        X{.op = XOp::SYS, .dest = 2, .mask = kX, .immediate = 33},
        xi(XiOp::IMAD, 1, kX, r(2), n(32), r(1)),
        xi(XiOp::SHL, 0, kX, r(1), n(2)),
        xi(XiOp::IADD, 3, kX, r(1), c(0)),
        X{.op = XOp::STB, .source = 0, .src2 = 3, .descriptor = {0, false, 0, 0, 0}},
    };
    const uint32_t program = chip.allocate(1024), set = chip.allocate(16);
    for (size_t i = 0; i < code.size(); ++i) {
      const Words w = pack(code[i]);
      std::memcpy(chip.memory(program) + 6 * i, w.data(), sizeof w);
    }
    chip.memory(program)[36] = 7;  // 144 bytes of code: literals follow at once
    chip.memory(set)[0] = out, chip.memory(set)[2] = bytes;
    Packets p;
    p.set(X_CTRL{}.EN(1));
    p.set(X_CS_CODE_LO{program});
    p.set(X_CS_CODE_HI{});
    p.set(X_CS_CODE_SIZE{}.SLOTS(uint32_t(code.size())).LITERALS(1));
    p.set(X_CS_CODE_RSRC{}.TEMPS(3));
    p.set(X_CS_LOCAL_SIZE{}.X(31));
    p.set(X_CS_SET_LO{set});
    p.set(X_CS_SET_HI{});
    const uint32_t any = 1;
    p.write(X_CODE_INVALIDATE::offset, {&any, 1});
    return p;
  }
  static void seen_after_write(std::vector<uint8_t>& wanted, uint32_t at) {
    const uint64_t value = 0x2'0000'0001;
    std::memcpy(&wanted[at], &value, sizeof value);
  }
  static void add(Packets& p, pm4::Op op, std::initializer_list<uint32_t> payload) {
    p.command(op, std::span(payload.begin(), payload.size()));
  }
};

struct XPacketOn : XPacket, ::testing::WithParamInterface<ExecutorKind> {};
INSTANTIATE_TEST_SUITE_P(Executors, XPacketOn, ::testing::Values(ExecutorKind::fast, ExecutorKind::ref, ExecutorKind::check));

TEST_P(XPacketOn, Dispatches) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  Chip chip(config);
  const uint32_t out = chip.allocate(1024), indirect = chip.allocate(16);
  Packets p = dispatch_state(chip, out, 4096);
  add(p, pm4::Op::X_DISPATCH, {3, 1, 1, 0, 0, 0});
  add(p, pm4::Op::X_DISPATCH, {0, 5, 5, 0, 0, 0});  // nothing
  add(p, pm4::Op::X_DISPATCH, {1, 1, 1, 5, 0, 0});
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(chip.memory(out)[i], i < 96 || (i >= 160 && i < 192) ? i + 7 : 0) << i;
  // The numbers of workgroups, written by the stream itself.
  Packets q;
  add(q, pm4::Op::X_FILL, {out, 0, 256, 0});
  add(q, pm4::Op::X_FILL, {indirect, 0, 3, 1});
  add(q, pm4::Op::X_FILL, {indirect, 0, 1, 2});
  add(q, pm4::Op::X_DISPATCH_INDIRECT, {indirect, 0});
  add(q, pm4::Op::X_COPY, {out, 0, out + 2048, 0, 256});
  ASSERT_TRUE(chip.run(q));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(chip.memory(out)[i], i + 7);
    EXPECT_EQ(chip.memory(out)[512 + i], i + 7);
  }
  EXPECT_EQ(chip.memory(out)[64], 0u);
}

/// Small and large ones, which an executor may hold back; what follows sees them.
TEST_P(XPacketOn, FillsRows) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  Chip chip(config);
  constexpr uint32_t kRows = 200, kRowBytes = 1204, kRowPitch = 1280;
  const uint32_t out = chip.allocate(kRows * kRowPitch / 4), copied = chip.allocate(kRows * kRowPitch / 4), flag = chip.allocate(16);
  const std::array<uint32_t, 4> pattern{0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C};
  std::vector<uint8_t> wanted(kRows * kRowPitch);
  const auto rows = [&](uint32_t at, uint32_t bytes, uint32_t count, uint32_t pitch, uint32_t add_to) {
    for (uint32_t y = 0; y < count; ++y)
      for (uint32_t x = 0; x < bytes; ++x) wanted[at + y * pitch + x] = uint8_t(x % 16 + add_to);
  };
  Packets p;
  const auto fill = [&](uint32_t at, uint32_t bytes, uint32_t count, uint32_t pitch, uint8_t more = 0) {
    rows(at, bytes, count, pitch, more);
    const uint32_t all = more * 0x01010101u;
    add(p, pm4::Op::X_FILL_ROWS,
        {out + at, 0, bytes, count, pitch, pattern[0] + all, pattern[1] + all, pattern[2] + all, pattern[3] + all});
  };
  const auto fill_numbered = [&](uint32_t at, uint32_t bytes, uint32_t count, uint32_t pitch) {
    rows(at, bytes, count, pitch, 0);
    add(p, pm4::Op::X_FILL_ROWS, {out + at, 0, bytes, count, pitch, pattern[0], pattern[1], pattern[2], pattern[3], 7});
  };
  const auto seen = [&](const char* what) {
    ASSERT_TRUE(chip.run(p)) << what;
    p = {};
    for (const Report& rep : chip.reports()) ADD_FAILURE() << what << ": " << rep.text;
    EXPECT_EQ(std::memcmp(chip.memory(out), wanted.data(), wanted.size()), 0) << what;
  };
  p.set(X_CTRL{}.EN(1));
  fill(4, 7, 3, 100);
  seen("a few bytes");
  fill(0, kRowBytes, kRows, kRowPitch, 16);
  seen("rows");
  // UNSTORED: these rows may hold anything, all others stay.
  for (const uint32_t count : {2u, 100u}) {
    add(p, pm4::Op::X_FILL_ROWS, {out, 0, kRowBytes, 1u << 31 | count, kRowPitch, 1, 2, 3, 4});
    fill(0, kRowBytes, count, kRowPitch, 24);
    seen("rows that are not needed");
  }
  fill(0, kRowPitch, kRows, kRowPitch, 32);
  fill(3, 501, kRows - 1, kRowPitch, 48);
  fill(0, kRowBytes, kRows / 2, kRowPitch, 64);
  seen("one over the other");
  fill(0, 40000, 3, 8, 80);
  seen("rows that overlap");
  // What follows in the stream sees it: a copy, a write, a condition on it.
  fill(0, kRowPitch, kRows, kRowPitch, 96);
  add(p, pm4::Op::X_COPY, {out, 0, copied, 0, kRows * kRowPitch});
  fill(0, kRowPitch, kRows, kRowPitch, 112);
  add(p, pm4::Op::X_WRITE, {out + 64, 0, 0, 1, 2});
  seen_after_write(wanted, 64);
  const uint32_t skipped[] = {3, out, 0x73727170, ~0u, 0};  // equal
  Packets skip;
  add(skip, pm4::Op::X_WRITE, {flag, 0, 0, 5, 0});
  const uint32_t condition[] = {skipped[0], skipped[1], skipped[2], skipped[3], uint32_t(skip.words.size())};
  p.command(pm4::Op::COND_EXEC, condition);
  p.append(skip);
  seen("what follows");
  for (uint32_t x = 0; x < 16; ++x) EXPECT_EQ(reinterpret_cast<const uint8_t*>(chip.memory(copied))[kRows * kRowPitch - 16 + x], 96 + x);
  EXPECT_EQ(chip.memory(flag)[0], 5u);
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  seen("memory with a number");
  fill(4, 7, 3, 100, 16);
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  seen("another fill of a few bytes between");
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  fill(4, 7, 3, 100, 16);
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  seen("the same at once");
  fill(0, kRowPitch, kRows / 2, kRowPitch, 32);
  fill_numbered(0, kRowPitch, kRows, kRowPitch);
  seen("another fill of half the rows between");
  fill(0, 0, 5, 5), fill(0, 5, 0, 5);
  seen("nothing");
}

/// Nothing lies between the rows of numbered memory, so that the chip may fill what is between them, but neither before nor behind.
TEST_P(XPacketOn, FillsRowsOfNumberedMemory) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  Chip chip(config);
  constexpr uint32_t kRows = 90, kRowPitch = 1088, kFirst = kRowPitch;
  const uint32_t out = chip.allocate((kRows + 2) * kRowPitch / 4);
  auto* const bytes = reinterpret_cast<uint8_t*>(chip.memory(out));
  for (const uint32_t row_bytes : {1024u, 1028u, 1084u, 1088u, 512u}) {
    for (const uint32_t values : {1u, 4u}) {
      std::memset(bytes, 0xEE, (kRows + 2) * kRowPitch);
      Packets p;
      p.set(X_CTRL{}.EN(1));
      add(p, pm4::Op::X_FILL_ROWS,
          {out + kFirst, 0, row_bytes, kRows, kRowPitch, 0x01010101, 0x01010101 * values, 0x01010101, 0x01010101, row_bytes + values});
      ASSERT_TRUE(chip.run(p));
      for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
      const auto at = [&](uint32_t y, uint32_t x) { return bytes[kFirst + y * kRowPitch + x]; };
      uint32_t wrong = 0;
      for (uint32_t y = 0; y < kRows; ++y)
        for (uint32_t x = 0; x < row_bytes; ++x) wrong += at(y, x) != (x % 16 / 4 == 1 ? values : 1u);
      EXPECT_EQ(wrong, 0u) << row_bytes << " bytes, " << values << " values";
      EXPECT_EQ(std::count(bytes, bytes + kFirst, 0xEE), kFirst) << row_bytes;
      const uint32_t behind = kFirst + (kRows - 1) * kRowPitch + row_bytes, end = (kRows + 2) * kRowPitch;
      EXPECT_EQ(std::count(bytes + behind, bytes + end, 0xEE), end - behind) << row_bytes;
    }
  }
}

TEST_F(XPacket, WritesAndOverlappingCopies) {
  Chip chip(Profile::r5x);
  const uint32_t out = chip.allocate(1024);
  for (uint32_t i = 0; i < 100; ++i) chip.memory(out)[i + 64] = i;
  Packets p;
  p.set(X_CTRL{}.EN(1));
  add(p, pm4::Op::X_WRITE, {out, 0, 0, 0x11111111, 0x22222222});
  add(p, pm4::Op::X_WRITE, {out + 8, 0, 1});
  add(p, pm4::Op::X_WRITE, {out + 16, 0, 1});
  add(p, pm4::Op::X_WRITE, {out + 24, 0, 2});
  add(p, pm4::Op::X_COPY, {out + 256, 0, out + 260, 0, 396});
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  EXPECT_EQ(chip.memory(out)[0], 0x11111111u);
  EXPECT_EQ(chip.memory(out)[1], 0x22222222u);
  uint64_t before, after;
  std::memcpy(&before, chip.memory(out) + 2, 8), std::memcpy(&after, chip.memory(out) + 4, 8);
  EXPECT_NE(before, 0u);
  EXPECT_LE(before, after);
  EXPECT_EQ(chip.memory(out)[6], 0u);  // nothing was drawn
  for (uint32_t i = 0; i < 99; ++i) EXPECT_EQ(chip.memory(out)[65 + i], i);
}

TEST_F(XPacket, InvocationsOfDispatchesAreCountedOnRequest) {
  Chip chip(Profile::r5x);
  const uint32_t out = chip.allocate(4096), counts = chip.allocate(64);
  Packets p = dispatch_state(chip, out, 4096);
  const auto count = [&](uint32_t at) { add(p, pm4::Op::X_WRITE, {counts + at, 0, 26}); };
  add(p, pm4::Op::X_DISPATCH, {3, 1, 1, 0, 0, 0});
  count(0);
  p.set(regs::r5x::X_QUERY_CTRL{}.STATISTICS(1));
  add(p, pm4::Op::X_DISPATCH, {3, 1, 1, 0, 0, 0});
  count(8);
  p.set(regs::r5x::X_QUERY_CTRL{});
  add(p, pm4::Op::X_DISPATCH, {3, 1, 1, 0, 0, 0});
  count(16);
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  const uint32_t* const found = chip.memory(counts);
  EXPECT_EQ(found[0], 0u);
  EXPECT_EQ(found[2], 96u);
  EXPECT_EQ(found[4], 96u);
}

TEST_F(XPacket, ReachMemoryAbove4GiB) {
  Chip chip(Profile::r5x);
  const uint64_t high = 0x12'3400'0000;
  ASSERT_TRUE(chip.gpu->map(high, 4096));
  Packets p;
  p.set(X_CTRL{}.EN(1));
  add(p, pm4::Op::X_FILL, {uint32_t(high), uint32_t(high >> 32), 16, 0xABCD});
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  EXPECT_EQ(reinterpret_cast<uint32_t*>(chip.gpu->host_pointer(high))[15], 0xABCDu);
  EXPECT_EQ(reinterpret_cast<uint32_t*>(chip.gpu->host_pointer(high))[16], 0u);
}

TEST_F(XPacket, AreRefused) {
  const auto count = [](Chip& chip, const char* text) {
    size_t found = 0;
    for (const Report& rep : chip.reports()) found += rep.text.find(text) != std::string::npos;
    return found;
  };
  Chip off(Profile::r5x);
  const uint32_t out = off.allocate(1024);
  Packets p;
  add(p, pm4::Op::X_FILL, {out, 0, 4, 1});
  ASSERT_TRUE(off.run(p));
  EXPECT_EQ(off.memory(out)[0], 0u);
  EXPECT_EQ(count(off, "X_CTRL.EN is 0"), 1u);
  // Wrong sizes and kinds, memory that is not backed.
  Packets q;
  q.set(X_CTRL{}.EN(1));
  add(q, pm4::Op::X_DISPATCH, {1, 1, 1});
  add(q, pm4::Op::X_WRITE, {out, 0, 3});
  add(q, pm4::Op::X_WRITE, {out, 0, 0});
  add(q, pm4::Op::X_COPY, {out, 0, out + 4096, 0, 16});
  add(q, pm4::Op::X_FILL, {out + 4092, 0, 2, 1});
  add(q, pm4::Op::X_FILL_ROWS, {out, 0, 4, 2, 4096, 1, 1, 1, 1});
  add(q, pm4::Op::X_FILL_ROWS, {out, 0, 4, 1});
  add(q, pm4::Op::X_FILL_ROWS, {out, 0, 4, 1, 4, 1, 1, 1, 1, 1, 1});
  add(q, pm4::Op::X_SCALE, {out, 0, 4, 1});
  add(q, pm4::Op::X_COPY_ROWS, {out, 0, 64, out + 64, 0, 2048, 16, 3});
  add(q, pm4::Op::X_COPY_ROWS, {out, 0, 64, out, 0, 64, 16});
  ASSERT_TRUE(off.run(q));
  EXPECT_EQ(count(off, "needs"), 6u);
  EXPECT_EQ(count(off, "reserved kind 3"), 1u);
  EXPECT_EQ(count(off, "write to memory that is not backed"), 4u);
  EXPECT_EQ(off.memory(out)[1023], 0u);

  Chip strict(Profile::r500);
  const uint32_t other = strict.allocate(1024);
  Packets s;
  add(s, pm4::Op::X_FILL, {other, 0, 4, 1});
  s.set(X_CTRL{}.EN(1));
  ASSERT_TRUE(strict.run(s));
  EXPECT_EQ(strict.memory(other)[0], 0u);
  EXPECT_EQ(count(strict, "opcode without a meaning"), 1u);
  EXPECT_EQ(count(strict, "no such register"), 1u);
}

/// Four texels to two and to eight columns, to three rows, mirrored, with red and blue in each other's place; large ones on several
/// threads.
TEST_P(XPacketOn, ScalesTexels) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  config.threads = 3;
  Chip chip(config);
  const uint32_t from = chip.allocate(1024), to = chip.allocate(1024);
  const std::array<uint32_t, 4> texels{0x40302010, 0x80706050, 0xC0B0A090, 0xFFF0E0D0};
  for (uint32_t y = 0; y < 2; ++y)
    for (uint32_t x = 0; x < 4; ++x) chip.memory(from)[16 * y + x] = texels[y ? 3 - x : x];
  const auto word = [](float v) { return std::bit_cast<uint32_t>(v); };
  const auto scaled = [&](uint32_t columns, uint32_t rows, float s, float s_step, float t, float t_step, uint32_t control) {
    Packets p;
    p.set(X_CTRL{}.EN(1));
    add(p, pm4::Op::X_SCALE,
        {from, 0, 64, 3 | 1 << 16, to, 0, 64, (columns - 1) | (rows - 1) << 16, word(s), word(s_step), word(t), word(t_step), control});
    EXPECT_TRUE(chip.run(p));
    for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
    const uint32_t* at = chip.memory(to);
    return std::vector<uint32_t>(at, at + 16 * rows);
  };
  const auto row = [](const std::vector<uint32_t>& v, uint32_t y, uint32_t n) {
    return std::vector<uint32_t>(v.begin() + 16 * y, v.begin() + 16 * y + n);
  };
  using Row = std::vector<uint32_t>;
  EXPECT_EQ(row(scaled(2, 1, 1, 2, 0.5f, 1, 1), 0, 2), (Row{0x60504030, 0xDFD0C0B0}));  // (0xC0 + 0xFF) / 2 is half way: down
  EXPECT_EQ(row(scaled(4, 1, 3.5f, -1, 0.5f, 1, 0), 0, 4), (Row{0xFFF0E0D0, 0xC0B0A090, 0x80706050, 0x40302010}));
  EXPECT_EQ(row(scaled(4, 1, 0.5f, 1, 0.5f, 1, 2), 0, 4), (Row{0x40102030, 0x80506070, 0xC090A0B0, 0xFFD0E0F0}));
  const std::vector<uint32_t> rows = scaled(1, 3, 0.5f, 0, 0, 1, 1);
  EXPECT_EQ((Row{rows[0], rows[16], rows[32]}), (Row{0x40302010, 0x9F908070, 0xFFF0E0D0}));
}

TEST_P(XPacketOn, Resolves) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  config.threads = 3;
  Chip chip(config);
  constexpr uint32_t kWidth = 300, kHeight = 200, kSamples = 4;
  const uint32_t from = chip.allocate(kWidth * kHeight * kSamples), to = chip.allocate(kWidth * kHeight);
  for (uint32_t i = 0; i < kWidth * kHeight * kSamples; ++i)  // 2, 2, 3 and 4 in the second byte
    chip.memory(from)[i] = 0x40302010 + ((i / kWidth % kSamples) << 8) - (i / kWidth % kSamples ? 0x100 : 0);
  Packets p;
  p.set(X_CTRL{}.EN(1));
  add(p, pm4::Op::X_RESOLVE, {from, 0, kWidth * 4, to, 0, kWidth * 4, (kWidth - 1) | (kHeight - 1) << 16, 2 | 4 << 8, 0, 0});
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  for (uint32_t i = 0; i < kWidth * kHeight; ++i) ASSERT_EQ(chip.memory(to)[i], 0x40302110u) << i;
  const auto reports = [&](std::initializer_list<uint32_t> payload, const char* text) {
    Packets bad;
    add(bad, pm4::Op::X_RESOLVE, payload);
    const size_t before = chip.reports().size();
    EXPECT_TRUE(chip.run(bad));
    size_t found = 0;
    for (size_t i = before; i < chip.reports().size(); ++i) found += chip.reports()[i].text.find(text) != std::string::npos;
    return found;
  };
  const uint32_t size = 3 | 3 << 16, kind = 2 | 4 << 8;
  EXPECT_EQ(reports({from, 0, 64, from + 64, 0, 64, size, kind, 0, 0}, "source and destination overlap"), 1u);
  EXPECT_EQ(reports({from, 0, 64, to, 0, 12, size, kind, 0, 0}, "rows of the destination overlap"), 1u);
  EXPECT_EQ(reports({from, 0, 64, to, 0, 64, size, 4 << 8, 0, 0}, "a resolve of one sample"), 1u);
  EXPECT_EQ(reports({from, 0, 64, to, 0, 64, size, kind | 3 << 4, 0, 0}, "reserved kind 3"), 1u);
  EXPECT_EQ(reports({from, 0, 64, to, 0, 64, size, 2 | 1 << 4 | 8 << 8, 0, 0}, "pixels of 8 bytes are not of this kind"), 1u);
  EXPECT_EQ(reports({from, 0x4000, 64, to, 0, 64, size, kind, 0, 0}, "that is not backed"), 1u);
  EXPECT_EQ(chip.memory(to)[0], 0x40302110u);
}

/// Rows of any length and distance, source and destination in each other's gaps, a row onto a part of itself.
TEST_P(XPacketOn, CopiesRows) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  config.threads = 3;
  Chip chip(config);
  constexpr uint32_t kBytes = 4 << 20;
  const uint32_t at = chip.allocate(kBytes / 4);
  std::vector<uint8_t> wanted(kBytes);
  for (uint32_t i = 0; i < kBytes; ++i) wanted[i] = uint8_t(i * 2654435761u >> 21);
  std::memcpy(chip.memory(at), wanted.data(), kBytes);
  Packets p;
  p.set(X_CTRL{}.EN(1));
  const auto copy = [&](uint32_t from, uint32_t from_pitch, uint32_t to, uint32_t pitch, uint32_t bytes, uint32_t rows) {
    for (uint32_t y = 0; y < rows; ++y) std::memmove(&wanted[to + y * pitch], &wanted[from + y * from_pitch], bytes);
    add(p, pm4::Op::X_COPY_ROWS, {at + from, 0, from_pitch, at + to, 0, pitch, bytes, rows});
  };
  copy(3, 257, 40007, 130, 129, 150);
  copy(1 << 20, 16448, 2 << 20, 16384, 8192, 60);
  copy(0, 16384, 3 << 20, 16448, 16000, 60);
  copy(100, 64, 132, 64, 32, 900);
  copy(70000, 1000, 70010, 1000, 500, 7);
  copy(0, 5, 0, 5, 0, 9);
  copy(0, 5, 0, 5, 9, 0);
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  EXPECT_EQ(std::memcmp(chip.memory(at), wanted.data(), kBytes), 0);
}

TEST_P(XPacketOn, ScalesOnSeveralThreads) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  config.threads = 3;
  Chip chip(config);
  constexpr uint32_t kSide = 512, kPitch = kSide * 4;
  const uint32_t from = chip.allocate(kSide * kSide), to = chip.allocate(kSide * kSide);
  for (uint32_t i = 0; i < kSide * kSide; ++i) chip.memory(from)[i] = i;
  Packets p;
  p.set(X_CTRL{}.EN(1));
  const uint32_t size = (kSide - 1) | (kSide - 1) << 16, half = std::bit_cast<uint32_t>(0.5f), last = std::bit_cast<uint32_t>(kSide - 0.5f);
  add(p, pm4::Op::X_SCALE,
      {from, 0, kPitch, size, to, 0, kPitch, size, last, std::bit_cast<uint32_t>(-1.0f), half, std::bit_cast<uint32_t>(1.0f), 0});
  ASSERT_TRUE(chip.run(p));
  for (const Report& rep : chip.reports()) ADD_FAILURE() << rep.text;
  for (uint32_t i = 0; i < kSide * kSide; ++i) ASSERT_EQ(chip.memory(to)[i], i / kSide * kSide + kSide - 1 - i % kSide) << i;
}

/// Rows that are held back: packets in one stream do what they do one by one, whatever memory they share.
TEST_P(XPacketOn, OfRowsInAnyOrder) {
  GpuConfig config(Profile::r5x);
  config.executor = GetParam();
  config.threads = 3;
  constexpr uint32_t kWords = 1 << 20, kPitch = 1024, kPlaces = 8, kPlace = kWords * 4 / kPlaces;  // bytes of a place
  std::mt19937 random(11);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (uint32_t round = 0; round < 12; ++round) {
    Chip together(config), alone(config);
    const uint32_t at = together.allocate(kWords);
    ASSERT_EQ(alone.allocate(kWords), at);
    for (uint32_t i = 0; i < kWords; ++i) alone.memory(at)[i] = together.memory(at)[i] = i * 2654435761u;
    Packets on;
    on.set(X_CTRL{}.EN(1));
    ASSERT_TRUE(alone.run(on));
    Packets all = on;
    // Few shapes, so that many operations join.
    const uint32_t columns = 64 + below(190), rows = 60 + below(300);
    const auto place = [&] { return at + below(kPlaces) * kPlace + (below(4) ? 0 : below(100) * kPitch + below(8) * 4); };
    for (uint32_t i = 0; i < 60; ++i) {
      Packets one;
      const auto both = [&](pm4::Op op, std::initializer_list<uint32_t> payload) { add(one, op, payload), add(all, op, payload); };
      const uint32_t from = place(), to = place();
      switch (below(12)) {
        case 0: both(pm4::Op::X_FILL_ROWS, {to, 0, columns * 4, rows, kPitch, i, i, i, i}); break;
        case 1: both(pm4::Op::X_WRITE, {to, 0, 0, i, 0}); break;
        case 2: both(pm4::Op::X_COPY, {from, 0, to, 0, columns * 4}); break;
        case 3:
        case 4:
        case 5: both(pm4::Op::X_COPY_ROWS, {from, 0, kPitch, to, 0, kPitch, columns * 4, rows}); break;
        default: {
          if ((from - at) / kPlace == (to - at) / kPlace) continue;  // a report is not what this is about
          const float s = static_cast<float>(1 + below(8)) / 4, t = static_cast<float>(1 + below(8)) / 4;
          both(pm4::Op::X_SCALE,
               {from, 0, kPitch, 199 | 299 << 16, to, 0, kPitch, (columns - 1) | (rows - 1) << 16, std::bit_cast<uint32_t>(s / 2),
                std::bit_cast<uint32_t>(s), std::bit_cast<uint32_t>(t / 2), std::bit_cast<uint32_t>(t), below(4)});
        }
      }
      ASSERT_TRUE(alone.run(one));
    }
    ASSERT_TRUE(together.run(all));
    for (const Report& rep : together.reports()) ADD_FAILURE() << rep.text;
    ASSERT_EQ(std::memcmp(together.memory(at), alone.memory(at), kWords * 4), 0) << round;
  }
}

TEST_F(XPacket, ScalesNothingOntoItself) {
  Chip chip(Profile::r5x);
  const uint32_t out = chip.allocate(1024), one = std::bit_cast<uint32_t>(1.0f);
  chip.memory(out)[0] = 5;
  const auto reports = [&](uint32_t to, uint32_t pitch, const char* text) {
    Packets p;
    p.set(X_CTRL{}.EN(1));
    add(p, pm4::Op::X_SCALE, {out, 0, 64, 3 | 3 << 16, to, 0, pitch, 3 | 3 << 16, 0, one, 0, one, 0});
    const size_t before = chip.reports().size();
    EXPECT_TRUE(chip.run(p));
    size_t found = 0;
    for (size_t i = before; i < chip.reports().size(); ++i) found += chip.reports()[i].text.find(text) != std::string::npos;
    return found;
  };
  EXPECT_EQ(reports(out + 204, 64, "source and destination overlap"), 1u);
  EXPECT_EQ(reports(out + 208, 12, "rows of the destination overlap"), 1u);
  EXPECT_EQ(reports(out + 4096 - 204, 64, "write to memory that is not backed"), 1u);
  for (uint32_t i = 1; i < 1024; ++i) ASSERT_EQ(chip.memory(out)[i], 0u) << i;
  EXPECT_EQ(reports(out + 208, 64, ""), 0u);
  EXPECT_EQ(chip.memory(out)[52], 5u);
}

TEST_F(XPacket, ALockupNamesTheDispatch) {
  Chip chip(Profile::r5x);
  const uint32_t program = chip.allocate(64);
  const Instruction endless[] = {flow(Jump::loop, 2), flow(Jump::endloop, 1)};
  for (uint32_t i = 0; i < 2; ++i) {
    const Words w = pack(endless[i]);
    std::memcpy(chip.memory(program) + 6 * i, w.data(), sizeof w);
  }
  Packets p;
  p.set(X_CTRL{}.EN(1));
  p.set(X_BUDGET{1});
  p.set(X_CS_CODE_LO{program});
  p.set(X_CS_CODE_SIZE{}.SLOTS(2));
  add(p, pm4::Op::X_DISPATCH, {1, 1, 1, 0, 0, 0});
  EXPECT_FALSE(chip.run(p));
  bool named = false;
  for (const Report& rep : chip.reports()) named |= rep.kind == ReportKind::lockup && rep.text.find("X_CS_CODE_LO") != std::string::npos;
  EXPECT_TRUE(named);
}

}  // namespace
}  // namespace pumice::hw::x_test
