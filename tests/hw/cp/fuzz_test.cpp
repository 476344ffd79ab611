// SPDX-License-Identifier: MIT
/// Random command streams: whatever they hold, the chip survives, comes to rest and still works.
/// Which streams: tests/fuzz.h.
#include <random>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/gpu.h"
#include "tests/fuzz.h"
#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;

/// Numbers that tend to be interesting where they land: addresses, sizes, small counts, anything.
uint32_t word(std::mt19937& random) {
  switch (random() % 6) {
    case 0: return Rig::kMemory + static_cast<uint32_t>(random() % Rig::kSize & ~3u);
    case 1: return Rig::kBuffer + random() % 0x1000;
    case 2: return random() % 64;
    case 3: return 1u << random() % 32;
    default: return static_cast<uint32_t>(random());
  }
}

uint32_t any_register(std::mt19937& random, const decode::Tables& tables) {
  const decode::Entry& e = tables.entries[random() % tables.entries.size()];
  if (e.kind != decode::Kind::reg || random() % 16 == 0) return random() % 0x2000 * 4;
  return static_cast<uint32_t>(e.offset) + static_cast<uint32_t>(random() % e.count) * e.stride;
}

Words any_packet(std::mt19937& random, const decode::Tables& tables) {
  Words w;
  const uint32_t payload = 1 + random() % (random() % 8 ? 8 : 200);
  switch (random() % 8) {
    case 0: w.push_back(static_cast<uint32_t>(random())); return w;  // any header, payload of what follows
    case 1: w.push_back((static_cast<uint32_t>(random()) & 0x3FFFFFFFu) | 1u << 30); break;
    case 2:
    case 3:
    case 4: w.push_back(type0(any_register(random, tables) & 0x7FFC, payload, random() % 4 == 0)); break;
    default:
      w.push_back(type3(static_cast<Op>(random() % 4 ? tables.packets[random() % tables.packets.size()].opcode : random()), payload));
      break;
  }
  for (uint32_t i = 0; i < payload; ++i) w.push_back(word(random));
  // Waits have tests of their own; here most must not wait.
  const regs::PM4_TYPE3_HEADER header{w[0]};
  const auto is = [&](Op op) { return header.TYPE() == 3 && header.IT_OPCODE() == static_cast<uint32_t>(op); };
  if (is(Op::WAIT_MEM) || is(Op::WAIT_SEMAPHORE)) w[1] = 0;
  return w;
}

/// An unfinished packet at the end of a stream may ask for 16385 dwords more. NOPs, so that what it leaves is soon passed over.
const Words& padding() {
  static const Words words = [] {
    Words w;
    while (w.size() < 0x4100) append(w, packet(Op::NOP, Words(127, kFiller)));
    return w;
  }();
  return words;
}

/// Comes to rest, or is stuck in a wait that random words made: that is legal, and only a reset ends it.
void wait_or_reset(Rig& rig) {
  const auto start = std::chrono::steady_clock::now();
  while (rig.busy() && !rig.cp->hung()) {
    if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(100)) return;
    std::this_thread::yield();
  }
}

void fuzz(Rig& rig, uint32_t index) {
  std::mt19937 random(index);
  const decode::Tables& tables = decode::tables(rig.config.profile);
  for (int buffer = 0; buffer < 2; ++buffer) {
    Words w;
    while (w.size() < 256) append(w, any_packet(random, tables));
    w.resize(256);
    rig.store(Rig::kBuffer + 0x400 * buffer, w);
  }
  rig.on_draw = [&](DrawContext& ctx) {
    if (random() % 64 == 0) ctx.counters.hung = true;
  };
  Words stream;
  for (int i = 0; i < 12; ++i) {
    append(stream, any_packet(random, tables));
    if (i % 4 == 1) append(stream, write(regs::CP_IB_BASE::offset, {Rig::kBuffer, 1 + static_cast<uint32_t>(random() % 256)}));
    if (i % 4 == 2) append(stream, write(regs::CP_IB2_BASE::offset, {Rig::kBuffer + 0x400, 1 + static_cast<uint32_t>(random() % 256)}));
  }
  const size_t words = stream.size();
  append(stream, padding());
  rig.store(Rig::kRing, stream);
  rig.cp->mmio_write(regs::CP_RB_WPTR::offset, static_cast<uint32_t>(stream.size()));
  wait_or_reset(rig);
  EXPECT_FALSE(dump_stream(rig.config.profile, std::span(stream).first(words)).empty());
  rig.on_draw = nullptr;
  rig.cp->soft_reset();
  rig.set_up_ring();
  rig.run(write(regs::GUI_SCRATCH_REG::offset, {index}));
  EXPECT_EQ(rig.reg(regs::GUI_SCRATCH_REG::offset), index) << rerun(index);
  rig.draws.clear();
  rig.clear_reports();
}

class Fuzz : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Profiles, Fuzz, testing::Values(Profile::r300, Profile::r500, Profile::r5x));
TEST_P(Fuzz, Streams) {
  Rig rig(15, GetParam());
  const FuzzRange range = fuzz_range(2000);
  for (uint32_t i = range.first; i < range.end() && !testing::Test::HasFailure(); ++i) fuzz(rig, i);
}

}  // namespace
}  // namespace pumice::hw::test
