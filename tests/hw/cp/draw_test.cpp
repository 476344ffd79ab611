// SPDX-License-Identifier: MIT
/// From draw packets and ports to execute_draw; the watchdog; Z-pass counts; uploads through ports.
#include <string_view>

#include "hw/db/regs_r5x.h"
#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
using Vf = regs::VAP_VF_CNTL;

constexpr uint32_t kReg0 = regs::GUI_SCRATCH_REG::offset;

Vf triangles(uint32_t walk, uint32_t vertices) {
  return Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(walk).NUM_VERTICES(vertices);
}
const Vf kList = triangles(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY, 3);
Vf indexed(uint32_t n) { return triangles(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY, n); }
Vf embedded(uint32_t n) { return triangles(Vf::PRIM_WALK__VERTICES_IN_STREAM, n); }
Words index_buffer(uint32_t at, uint32_t dwords, uint32_t skip = 0) {
  return packet(Op::INDX_BUFFER,
                {regs::PM4_INDX_BUFFER_DW0{}.ONE_REG_WR(1).SKIP(skip).DST_REG(regs::VAP_PORT_IDX::offset / 4).raw, at, dwords});
}

struct DrawCase {
  const char* name;
  Words stream;
  std::vector<RecordedDraw> draws;
};
void PrintTo(const DrawCase& c, std::ostream* os) { *os << c.name; }

std::vector<DrawCase> draw_cases() {
  const Words vtx_size = write(regs::VAP_VTX_SIZE::offset, {2});
  const Vf alt = Vf{indexed(1).raw}.USE_ALT_NUM_VERTS(1);
  const Vf wide = Vf{indexed(3).raw}.INDEX_SIZE(1);
  const uint32_t fmt = 0x77;
  return {
      {"vbuf_2", packet(Op::N3D_DRAW_VBUF_2, {kList.raw}), {{kList.raw, {}}}},
      {"vbuf", packet(Op::N3D_DRAW_VBUF, {fmt, kList.raw}), {{kList.raw, {}}}},
      {"register", write(Vf::offset, {kList.raw}), {{kList.raw, {}}}},
      {"indx_2 inline", packet(Op::N3D_DRAW_INDX_2, {indexed(3).raw, 0x10000, 2}), {{indexed(3).raw, {0x10000, 2}}}},
      {"indx inline 32 bit", packet(Op::N3D_DRAW_INDX, {fmt, wide.raw, 5, 6, 7}), {{wide.raw, {5, 6, 7}}}},
      {"immd_2", vtx_size + packet(Op::N3D_DRAW_IMMD_2, {embedded(3).raw, 1, 2, 3, 4, 5, 6}), {{embedded(3).raw, {1, 2, 3, 4, 5, 6}}}},
      {"immd", vtx_size + packet(Op::N3D_DRAW_IMMD, {fmt, embedded(1).raw, 1, 2}), {{embedded(1).raw, {1, 2}}}},
      {"128", vtx_size + packet(Op::N3D_DRAW_128, {embedded(1).raw, 1, 2}), {{embedded(1).raw, {1, 2}}}},
      {"ports",
       vtx_size + write(Vf::offset, {embedded(2).raw}) + write(regs::VAP_PORT_DATA::offset, {1}, true) +
           write(regs::VAP_PORT_DATA::offset, {2, 3}) + write(regs::VAP_PORT_DATA_IDX_128::offset, {4}),
       {{embedded(2).raw, {1, 2, 3, 4}}}},
      {"index buffer",
       packet(Op::N3D_DRAW_INDX_2, {indexed(5).raw}) + index_buffer(Rig::kBuffer, 3),
       {{indexed(5).raw, {0x10000, 0x30002, 0x50004}}}},
      {"index buffer in two parts",
       packet(Op::N3D_DRAW_INDX_2, {indexed(4).raw}) + index_buffer(Rig::kBuffer, 1) + index_buffer(Rig::kBuffer + 8, 1),
       {{indexed(4).raw, {0x10000, 0x50004}}}},
      {"skip 1 halfword",
       packet(Op::N3D_DRAW_INDX_2, {indexed(4).raw}) + index_buffer(Rig::kBuffer, 3, 1),
       {{indexed(4).raw, {0x20001, 0x40003}}}},
      {"skip 3 halfwords, odd",
       packet(Op::N3D_DRAW_INDX_2, {indexed(3).raw}) + index_buffer(Rig::kBuffer, 3, 3),
       {{indexed(3).raw, {0x40003, 5}}}},
      {"skip 2 halfwords",
       packet(Op::N3D_DRAW_INDX_2, {indexed(4).raw}) + index_buffer(Rig::kBuffer, 3, 2),
       {{indexed(4).raw, {0x30002, 0x50004}}}},
      {"wide vertex count",
       write(regs::VAP_ALT_NUM_VERTICES::offset, {5}) + packet(Op::N3D_DRAW_INDX_2, {alt.raw}) + index_buffer(Rig::kBuffer, 3),
       {{alt.raw, {0x10000, 0x30002, 0x50004}}}},
      {"primitive none", write(Vf::offset, {0}), {}},
      {"no render",
       write(regs::VAP_CNTL::offset, {regs::VAP_CNTL{}.VAP_NO_RENDER(1).raw}) + packet(Op::N3D_DRAW_INDX_2, {indexed(2).raw, 0}),
       {}},
  };
}

class Draws : public testing::TestWithParam<DrawCase> {};
INSTANTIATE_TEST_SUITE_P(Packets, Draws, testing::ValuesIn(draw_cases()));
TEST_P(Draws, ReachTheDrawFunctionFromRingAndBuffer) {
  Rig rig;
  rig.store(Rig::kBuffer, {0x10000, 0x30002, 0x50004});
  rig.store(Rig::kBuffer + 0x1000, GetParam().stream);
  rig.run(GetParam().stream);
  rig.run(write(regs::CP_IB_BASE::offset, {Rig::kBuffer + 0x1000, static_cast<uint32_t>(GetParam().stream.size())}));
  ASSERT_EQ(rig.draws.size(), GetParam().draws.size() * 2);
  for (size_t i = 0; i < rig.draws.size(); ++i) {
    const RecordedDraw& expected = GetParam().draws[i % GetParam().draws.size()];
    EXPECT_EQ(rig.draws[i].vf_cntl, expected.vf_cntl);
    EXPECT_EQ(rig.draws[i].data, expected.data);
  }
  rig.expect_clean();
}

TEST(ExtendedDraws, ReadWholeIndexBuffersWhereTheyAre) {
  Rig rig(12, Profile::r5x);
  rig.run(write(regs::r5x::X_CTRL::offset, {regs::r5x::X_CTRL{}.EN(1).SHADERS(1).raw}));
  rig.store(Rig::kBuffer, {0x10000, 0x30002, 0x50004});
  std::vector<const uint32_t*> read;
  rig.executor.on_draw = [&](DrawContext&, const DrawInput& input) {
    read.push_back(input.data.data());
    rig.draws.push_back({input.vf_cntl.raw, Words(input.data.begin(), input.data.end())});
  };
  const auto draws = draw_cases();
  const auto* const there = reinterpret_cast<const uint32_t*>(rig.memory->host_pointer(Rig::kBuffer));
  for (const DrawCase& c : draws) {
    if (!std::string_view(c.name).starts_with("index buffer") && !std::string_view(c.name).starts_with("skip")) continue;
    rig.draws.clear(), read.clear();
    rig.run(c.stream);
    ASSERT_EQ(rig.draws.size(), 1u) << c.name;
    EXPECT_EQ(rig.draws[0].data, c.draws[0].data) << c.name;
    EXPECT_EQ(read[0] == there, c.name == std::string_view("index buffer")) << c.name;
  }
  // More, or fewer, than the draw needs.
  rig.draws.clear();
  rig.run(packet(Op::N3D_DRAW_INDX_2, {indexed(3).raw}) + index_buffer(Rig::kBuffer, 2));
  ASSERT_EQ(rig.draws.size(), 1u);
  rig.expect_clean();
  rig.run(packet(Op::N3D_DRAW_INDX_2, {indexed(8).raw}) + index_buffer(Rig::kBuffer, 3));
  EXPECT_EQ(rig.draws.size(), 1u);
}

struct BadCase {
  const char* text;
  Words stream;
};
void PrintTo(const BadCase& c, std::ostream* os) { *os << c.text; }
class BadDraws : public testing::TestWithParam<BadCase> {};
INSTANTIATE_TEST_SUITE_P(Packets, BadDraws,
                         testing::Values(BadCase{"needs 2 payload dwords", packet(Op::N3D_DRAW_VBUF, {kList.raw})},
                                         BadCase{"more data than the draw needs", packet(Op::N3D_DRAW_INDX_2, {indexed(2).raw, 1, 2})},
                                         BadCase{"without a draw", write(regs::VAP_PORT_IDX::offset, {1})},
                                         BadCase{"still waits for data", write(Vf::offset, {indexed(2).raw, kList.raw}, true)},
                                         BadCase{"vertex or index data without",
                                                 packet(Op::N3D_DRAW_IMMD_2, {triangles(Vf::PRIM_WALK__STATE_BASED, 3).raw, 1, 2})},
                                         BadCase{"INDX_BUFFER is larger", packet(Op::INDX_BUFFER, {0, 0, ~0u})},
                                         BadCase{"more than 16 vertex arrays", packet(Op::N3D_LOAD_VBPNTR, {17})},
                                         BadCase{"needs 3 payload dwords", packet(Op::N3D_LOAD_VBPNTR, {1, 2})},
                                         BadCase{"reserved comparison", packet(Op::WAIT_MEM, {7, Rig::kBuffer, 0, 0})},
                                         BadCase{"(0x77)", {type3(static_cast<Op>(0x77), 2), 1, 2}}));
TEST_P(BadDraws, AreReportedAndSurvived) {
  Rig rig;
  rig.run(GetParam().stream + write(kReg0, {1}));
  EXPECT_EQ(rig.count(ReportKind::bad_packet, GetParam().text), 1u);
  EXPECT_EQ(rig.reports().size(), 1u);
  EXPECT_EQ(rig.reg(kReg0), 1u);
}

TEST(Draw, VertexArraysAndClears) {
  Rig rig;
  rig.run(packet(Op::N3D_LOAD_VBPNTR, {3, 0x11, 0x1000, 0x2000, 0x22, 0x3000}) + packet(Op::N3D_CLEAR_HIZ, {2, 3, 9}) +
          packet(Op::N3D_CLEAR_ZMASK, {0xFFFFFFFF, 0x3FFF, 9}) + packet(Op::NOP, {1, 2, 3}) + packet(Op::WAIT_FOR_IDLE, {0}));
  EXPECT_EQ(rig.reg(regs::VAP_VTX_NUM_ARRAYS::offset), 3u);
  EXPECT_EQ(rig.reg(regs::VAP_VTX_NUM_ARRAYS::offset + 20), 0x3000u);
  rig.expect_clean();
}

TEST(Draw, FaultsAndReportsNameTheDraw) {
  Rig rig;
  rig.on_draw = [](DrawContext& ctx) {
    for (int i = 0; i < 100; ++i) ctx.memory.load<uint32_t>(0x20);
    ctx.report(ReportKind::bad_register, "from a block");
  };
  rig.run(packet(Op::N3D_DRAW_VBUF_2, {kList.raw}) + packet(Op::N3D_DRAW_VBUF_2, {kList.raw}));
  EXPECT_EQ(rig.count(ReportKind::vm_fault,
                      "draw 2, type 3 N3D_DRAW_VBUF_2 (0x34) at ring dword 0x2: read of memory that is not backed: 4 bytes at "
                      "0x00000020 and 99 more accesses"),
            1u);
  EXPECT_EQ(rig.count(ReportKind::bad_register, "draw 1, type 3 N3D_DRAW_VBUF_2 (0x34) at ring dword 0x0: from a block"), 1u);
  EXPECT_EQ(rig.reports().size(), 4u);
}

TEST(Watchdog, ALockupStopsTheRingUntilReset) {
  Rig rig;
  rig.on_draw = [&](DrawContext& ctx) {
    EXPECT_EQ(ctx.counters.instructions_left, 1000u);
    ctx.counters.instructions_left = 0;
    ctx.counters.hung = true;
  };
  rig.store(Rig::kBuffer, packet(Op::N3D_DRAW_VBUF_2, {kList.raw}) + write(kReg0, {1}));
  rig.run(write(regs::CP_IB_BASE::offset, {Rig::kBuffer, 4}) + write(kReg0, {2}));
  EXPECT_TRUE(rig.cp->hung());
  EXPECT_TRUE(rig.busy());
  EXPECT_EQ(rig.reg(kReg0), 0u);
  EXPECT_EQ(rig.rptr(), 0u);
  EXPECT_EQ(rig.count(ReportKind::lockup, "PRIM_TYPE=4 TRIANGLE_LIST"), 1u);
  rig.cp->mmio_write(kReg0 + 4, 3);  // the register bus still answers
  EXPECT_EQ(rig.reg(kReg0 + 4), 3u);
  rig.cp->soft_reset();
  EXPECT_FALSE(rig.cp->hung());
  rig.on_draw = nullptr;
  rig.set_up_ring();
  rig.run(packet(Op::N3D_DRAW_VBUF_2, {kList.raw}) + write(kReg0, {4}));
  EXPECT_EQ(rig.reg(kReg0), 4u);
  EXPECT_EQ(rig.draws.size(), 2u);
}

TEST(Zpass, CountsReadBackAndAreStored) {
  Rig rig;
  rig.on_draw = [](DrawContext& ctx) { ctx.counters.zpass += 7; };
  rig.run(write(regs::ZB_ZPASS_DATA::offset, {100}) + packet(Op::N3D_DRAW_VBUF_2, {kList.raw}) +
          write(regs::ZB_ZPASS_ADDR::offset, {Rig::kBuffer}) + write(regs::SU_REG_DEST::offset, {2}) +
          write(regs::ZB_ZPASS_ADDR::offset, {Rig::kBuffer + 4}));
  EXPECT_EQ(rig.reg(regs::ZB_ZPASS_DATA::offset), 107u);
  EXPECT_EQ(rig.load(Rig::kBuffer), 107u);
  EXPECT_EQ(rig.load(Rig::kBuffer + 4), 0u) << "a pipe that is not there";
  rig.expect_clean();
}

TEST(Ports, UploadsReachTheStores) {
  Rig rig;
  std::unique_ptr<ChipState> seen;
  rig.on_draw = [&](DrawContext& ctx) { seen = std::make_unique<ChipState>(ctx.state); };
  using Index = regs::GA_US_VECTOR_INDEX;
  const uint32_t two = std::bit_cast<uint32_t>(2.0f), one = std::bit_cast<uint32_t>(1.0f), minus = std::bit_cast<uint32_t>(-8.0f);
  rig.run(write(regs::VAP_PVS_VECTOR_INDX_REG::offset, {2047}) + write(regs::VAP_PVS_VECTOR_DATA_REG_128::offset, {1, 2, 3, 4, 5}, true) +
          write(regs::VAP_PVS_VECTOR_DATA_REG::offset, {6}) +  //
          write(Index::offset, {Index{}.INDEX(511).raw}) + write(regs::GA_US_VECTOR_DATA::offset, {1, 2, 3, 4, 5, 6, 7}, true) +
          write(Index::offset, {Index{}.INDEX(511).TYPE(1).raw}) + write(regs::GA_US_VECTOR_DATA::offset, {two, 1, 2, 3, 4}, true) +
          write(Index::offset, {Index{}.INDEX(5).TYPE(1).CLAMP(1).raw}) +
          write(regs::GA_US_VECTOR_DATA::offset, {two, minus, one, 0}, true));
  EXPECT_EQ(rig.reg(regs::VAP_PVS_VECTOR_INDX_REG::offset), 0u) << "the index wrapped";
  EXPECT_EQ(Index{rig.reg(Index::offset)}.INDEX(), 6u);
  rig.cp->mmio_write(regs::US_CMN_INST::window + 4 * 9, 0x99);
  rig.cp->mmio_write(regs::US_ALU_RGBA_INST::window + 4 * 9, 0x98);
  rig.run(packet(Op::N3D_DRAW_VBUF_2, {kList.raw}));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->pvs[2047], (std::array<uint32_t, 4>{1, 2, 3, 4}));
  EXPECT_EQ(seen->pvs[0], (std::array<uint32_t, 4>{5, 6, 0, 0}));
  EXPECT_EQ(seen->us_code[511], (std::array<uint32_t, 6>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(seen->us_code[0][0], 7u);
  EXPECT_EQ(seen->us_const[255][0], two);
  EXPECT_EQ(seen->us_const[0][0], 4u);
  EXPECT_EQ(seen->us_const[5], (std::array<uint32_t, 4>{one, std::bit_cast<uint32_t>(-1.0f), one, 0}));
  EXPECT_EQ(seen->us_code[9], (std::array<uint32_t, 6>{0x99, 0, 0, 0, 0, 0x98}));
  rig.expect_clean();
}

TEST(Ports, R300HasNoUsPort) {
  Rig rig(12, Profile::r300);
  rig.run(write(regs::GA_US_VECTOR_DATA::offset, {1}, true));
  EXPECT_EQ(rig.count(ReportKind::bad_register, "no such register on this profile"), 1u);
  rig.cp->mmio_write(regs::US_CMN_INST::window, 1);
  EXPECT_EQ(rig.count(ReportKind::bad_register, "no such register on this profile"), 2u);
}

}  // namespace
}  // namespace pumice::hw::test
