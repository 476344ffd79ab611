// SPDX-License-Identifier: MIT
/// The executor around the tiles: order and hazards between queued draws, watchdog, resets, reports, many batches.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "hw/radeon/cp/packet.h"
#include "hw/radeon/fast/draw/check.h"
#include "hw/radeon/help.h"
#include "hw/radeon/regfile/upload_ports.h"
#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/texture_rig.h"
#include "tests/hw/fast/draw/config.h"

namespace pumice::hw::test {
namespace {

using Clock = std::chrono::steady_clock;

/// A program whose only instruction jumps to itself.
Packets endless_program() {
  FlowSlot loop;
  loop.inst.OP(regs::US_FC_INST::OP__JUMP).JUMP_FUNC(0xFF);
  loop.addr.JUMP_ADDR(0);
  Packets p = fragment_program({loop.words(), out_slot(0)}, 1);
  return p;
}

std::vector<uint32_t> picture(Chip& chip, const Target& t) {
  return {chip.memory(t.color), chip.memory(t.color) + size_t{t.width} * t.height};
}

/// Many overlapping blended triangles: the order of every pixel's draws matters. More shapes than a batch holds.
Packets crowd(const Target& t, uint32_t draws) {
  using Blend = regs::RB3D_BLENDCNTL;
  Packets p = plain_state(t);
  p.set(Blend()
            .ALPHA_BLEND_ENABLE(1)
            .READ_ENABLE(1)
            .SRCBLEND(Blend::SRCBLEND__GL_SRC_ALPHA)
            .DESTBLEND(Blend::DESTBLEND__GL_ONE_MINUS_SRC_ALPHA));
  uint32_t v = 1;
  const auto unit = [&] { return static_cast<float>((v = v * 1664525u + 1013904223u) >> 8) / 16777216.0f; };
  for (uint32_t n = 0; n < draws; ++n) {
    std::vector<TestVertex> vertices;
    const float x = unit() * 1.8f - 1, y = unit() * 1.8f - 1, size = n % 16 ? 0.1f : 1.5f;
    for (int i = 0; i < 30; ++i) vertices.push_back({{x + size * unit(), y + size * unit(), unit(), 1}, {unit(), unit(), unit(), unit()}});
    p.append(draw(regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST, vertices));
  }
  return p;
}

TEST(FastExecutor, ManyBatchesInOrder) {
  std::vector<uint32_t> want;
  for (const auto& c :
       {config(ExecutorKind::ref, 1), config(ExecutorKind::fast, 1), config(ExecutorKind::fast, 2), config(ExecutorKind::fast, 7)}) {
    Chip chip(c);
    const Target t = make_target(chip, 150, 130);
    ASSERT_TRUE(chip.run(crowd(t, 1500)));
    if (want.empty()) want = picture(chip, t);
    ASSERT_EQ(picture(chip, t), want) << c.threads;
  }
}

/// A program that writes constant 0.
Packets constant_program(const std::array<float, 4>& color) {
  std::array<uint32_t, 6> slot = out_slot(0);
  slot[1] = regs::US_ALU_RGB_ADDR().ADDR0(0).ADDR0_CONST(1).raw;
  slot[2] = regs::US_ALU_ALPHA_ADDR().ADDR0(0).ADDR0_CONST(1).raw;
  Packets p = us_constants(0, {{bits(color[0]), bits(color[1]), bits(color[2]), bits(color[3])}});
  p.append(fragment_program({slot}, 1));
  return p;
}

// Tiles side by side that begin with the same clear get it in one go, however threads claim them; some begin with something else, and
// a clear ends inside of its last tiles. Early submission (Pool::offer) cuts the batches anywhere.
TEST(FastExecutor, ClearsAcrossTiles) {
  std::vector<uint32_t> want;
  for (const auto& c : {config(ExecutorKind::ref, 1), config(ExecutorKind::fast, 1), config(ExecutorKind::fast, 2),
                        config(ExecutorKind::fast, 7), config(ExecutorKind::check, 2)}) {
    Chip chip(c);
    const Target t = make_target(chip, 1500, 300);
    Packets p = plain_state(t);
    const auto scissor = [&](uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
      p.set(regs::SC_SCISSOR0().XS0(x0).YS0(y0));
      p.set(regs::SC_SCISSOR1().XS1(x1).YS1(y1));
    };
    for (uint32_t n = 0; n < 8; ++n) {
      const auto shade = static_cast<float>(n) / 8;
      scissor(n * 3, n, 200, 100);
      p.append(fragment_program({out_slot(0)}, 1));
      p.append(full_quad({shade, 1 - shade, 0.25f, 1}));
      scissor(n * 40, n * 20, 1450 - n * 11, 290 - n);
      p.append(constant_program({1 - shade, shade, 0.5f, 1}));
      p.append(full_quad({0, 0, 0, 1}));
      scissor(400 + n, 64, 1023 + n, 127);
      p.append(constant_program({shade, shade, 1, 0.5f}));
      p.append(full_quad({0, 0, 0, 1}));
    }
    ASSERT_TRUE(chip.run(p));
    if (want.empty()) want = picture(chip, t);
    ASSERT_TRUE(picture(chip, t) == want) << c.threads;
  }
}

// Threads of the host help while they wait: the same bytes, with more guests than seats, and guests that come and go.
TEST(FastExecutor, GuestsHelp) {
  std::vector<uint32_t> want;
  for (const auto& c : {config(ExecutorKind::fast, 1), config(ExecutorKind::fast, 2), config(ExecutorKind::fast, 3)}) {
    Chip chip(c);
    const Target t = make_target(chip, 300, 200);
    std::atomic<bool> end = false;
    std::vector<std::thread> guests;
    for (int i = 0; i < 3; ++i)
      guests.emplace_back([&, i] {
        for (int n = 0; !end; ++n) {
          std::atomic<int> looks = 0;
          help_until(
              *chip.gpu, [&] { return end || ++looks > (i + 1) * 40; }, std::chrono::microseconds(n % 3 * 50));
        }
      });
    for (int i = 0; i < 3; ++i) {
      const bool ran = chip.run(crowd(t, 200));
      EXPECT_TRUE(ran);
    }
    end = true;
    for (std::thread& g : guests) g.join();
    if (want.empty()) want = picture(chip, t);
    ASSERT_TRUE(picture(chip, t) == want) << c.threads;
  }
}

// Each draw samples what the one before it drew, back and forth between two surfaces.
TEST(FastExecutor, RenderToTexture) {
  std::vector<uint32_t> want;
  for (const auto& c : {config(ExecutorKind::ref, 1), config(ExecutorKind::fast, 2), config(ExecutorKind::fast, 7)}) {
    Chip chip(c);
    Target t[2] = {make_target(chip, 64, 64), make_target(chip, 64, 64)};
    Packets p = plain_state(t[0]);
    p.append(gradient_quad({{{0, 0, 0, 1}, {1, 0, 0.5f, 1}, {1, 1, 1, 0.5f}, {0, 1, 0.25f, 0}}}));
    p.append(fragment_program({tex_slot(regs::US_TEX_INST::INST__LD).words(), out_slot(0)}, 1));
    for (uint32_t n = 0; n < 30; ++n) {
      TextureSetup setup(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8, 64, 64, t[n % 2].color);
      setup.filter0.MAG_FILTER(2).MIN_FILTER(2);
      p.append(setup.packets());
      p.write(regs::RB3D_COLOROFFSET::at(0), {&t[(n + 1) % 2].color, 1});
      p.append(gradient_quad({{{0.01f, 0, 0, 1}, {0.99f, 0.02f, 0, 1}, {1, 1, 0, 1}, {0, 0.98f, 0, 1}}}));
    }
    ASSERT_TRUE(chip.run(p));
    if (want.empty()) want = picture(chip, t[0]);
    ASSERT_EQ(picture(chip, t[0]), want) << c.threads;
  }
}

TEST(FastExecutor, EndlessProgramIsALockup) {
  for (uint32_t threads : {1u, 3u}) {
    Chip chip(config(ExecutorKind::fast, threads, CpuChoice::best, 1u << 16));
    const Target t = make_target(chip, 200, 200);
    Packets p = plain_state(t);
    p.append(full_quad({1, 0, 0, 1}));
    const Packets good = p;
    p.append(endless_program());
    p.append(full_quad({0, 1, 0, 1}));
    p.append(full_quad({0, 0, 1, 1}));
    EXPECT_FALSE(chip.run(p));
    const auto reports = chip.reports();
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports.back().kind, ReportKind::lockup);
    EXPECT_NE(reports.back().text.find("draw 2"), std::string::npos) << reports.back().text;
    chip.reset();
    EXPECT_TRUE(chip.run(good)) << "alive again";
    EXPECT_EQ(chip.memory(t.color)[0], 0xFFFF0000u);
  }
}

TEST(FastExecutor, ResetAndDestructionDoNotWaitForEndlessPrograms) {
  for (uint32_t threads : {1u, 3u}) {
    const auto begin = Clock::now();
    {
      Chip chip(config(ExecutorKind::fast, threads, CpuChoice::best, 1ull << 24));
      const Target t = make_target(chip, 512, 512);
      Packets p = plain_state(t);
      p.append(endless_program());
      for (int i = 0; i < 20; ++i) p.append(full_quad({0, 1, 0, 1}));
      chip.run_to_the_end(p);
      chip.reset();
      Packets fine = plain_state(t);
      fine.append(full_quad({1, 0, 0, 1}));
      EXPECT_TRUE(chip.run(fine));
      chip.run_to_the_end(p);
    }
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(60));
  }
}

TEST(FastExecutor, FaultsNameTheDraw) {
  Chip chip(config(ExecutorKind::fast, 3));
  const Target t = make_target(chip, 64, 64);
  Packets p = plain_state(t);
  p.append(full_quad({1, 0, 0, 1}));
  const uint32_t nowhere = 0x40000000;
  p.write(regs::RB3D_COLOROFFSET::at(0), {&nowhere, 1});
  p.append(full_quad({0, 1, 0, 1}));
  p.write(regs::RB3D_COLOROFFSET::at(0), {&t.color, 1});
  p.append(full_quad({0, 0, 1, 1}));
  EXPECT_TRUE(chip.run(p));
  const auto reports = chip.reports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::vm_fault);
  EXPECT_NE(reports[0].text.find("draw 2"), std::string::npos) << reports[0].text;
  EXPECT_EQ(chip.memory(t.color)[0], 0xFF0000FFu);
}

TEST(FastExecutor, CheckFindsAWrongPixel) {
  // Draws like the reference, but for one pixel.
  class Wrong final : public DrawExecutor {
   public:
    explicit Wrong(uint32_t pixel) : pixel_(pixel) {}
    void draw(DrawContext& ctx, const DrawInput& input) override {
      execute_draw(ctx, input);
      ctx.memory.store<uint32_t>(pixel_, 0x12345678);
    }

   private:
    uint32_t pixel_;
  };
  Chip good(config(ExecutorKind::check, 2));
  const Target t = make_target(good, 64, 64);
  ASSERT_TRUE(good.run(crowd(t, 20)));
  EXPECT_TRUE(good.reports().empty());

  auto memory = Memory::create();
  ASSERT_TRUE(memory->map(0x100000, 0x10000));
  auto state = std::make_unique<ChipState>(Profile::r500);
  reset(*state, Profile::r500);
  // The registers of plain_state, written as the CP would.
  RegisterFile registers(*state, [](uint32_t, uint32_t, const char*) {});
  UploadPorts ports(*state, registers);
  class Writer : public PacketVisitor {
   public:
    explicit Writer(RegisterFile& r) : registers_(r) {}
    void nothing() override {}
    void label(std::span<const uint32_t>) override {}
    void registers(uint32_t offset, bool one, std::span<const uint32_t> values) override {
      for (const uint32_t v : values) {
        registers_.write(offset, v);
        if (!one) offset += 4;
      }
    }
    void draw(const DrawPacket& p) override { last.assign(p.data.begin(), p.data.end()), vf = p.vf_cntl; }
    void index_buffer(const IndexBufferPacket&) override {}
    void clear_ram(OnChipRam, uint32_t, uint32_t, uint32_t) override {}
    void wait_mem(const MemoryTest&) override {}
    void wait_semaphore(uint32_t) override {}
    void cond_exec(const MemoryTest&, uint32_t) override {}
    void pred_exec(uint32_t, uint32_t) override {}
    void settings_2d(std::span<const RegisterValue>) override {}
    void paint(const Rect&) override {}
    void blit(const Blit&) override {}
    void host_blit(const HostBlit&) override {}
    void polyline(std::span<const Point2d>) override {}
    void dispatch(const DispatchPacket&) override {}
    void copy(const CopyPacket&) override {}
    void fill(const FillPacket&) override {}
    void scale(const ScalePacket&) override {}
    void resolve(const ResolvePacket&) override {}
    void write(const WritePacket&) override {}
    void bad(const std::string& why) override { ADD_FAILURE() << why; }
    std::vector<uint32_t> last;
    regs::VAP_VF_CNTL vf;

   private:
    RegisterFile& registers_;
  } writer(registers);
  Target here{64, 64, 0x100000, 0};
  Packets p = plain_state(here);
  p.append(full_quad({1, 0, 0, 1}));
  for (size_t at = 0; at < p.words.size();) {
    const uint32_t size = packet_dwords(p.words[at]);
    visit_packet(state->profile, std::span(p.words).subspan(at, size), writer);
    at += size;
  }
  std::vector<Report> reports;
  GpuConfig cfg{Profile::r500};
  cfg.on_report = [&](const Report& r) { reports.push_back(r); };
  DrawCounters counters;
  counters.instructions_left = 1 << 20;
  DrawContext ctx{*state, *memory, counters, cfg};
  fast::CheckExecutor check(*memory, fast::Cpu::portable, std::make_unique<Wrong>(0x100000 + 4 * (64 * 7 + 5)));
  check.draw(ctx, {writer.vf, writer.last});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports[0].text.find("pixel (5, 7): 0x12345678, the reference 0xFFFF0000"), std::string::npos) << reports[0].text;
  EXPECT_TRUE(counters.hung);
}

}  // namespace
}  // namespace pumice::hw::test
