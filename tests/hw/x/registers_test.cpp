// SPDX-License-Identifier: MIT
/// Registers of extended draws that other tests leave at one value, each with a draw whose result changes with it: where the programs of
/// the two stages are, what they need, the number of the view, and the first layer of the depth buffer.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "hw/db/formats.h"
#include "hw/radeon/draw/extended.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

namespace R = regs::r5x;
using Vf = regs::VAP_VF_CNTL;

constexpr uint32_t kSize = 8, kPitch = 64, kLayer = kPitch * kSize;

class XRegisters : public XRig {
 protected:
  static X exports(uint32_t slot, uint8_t source) { return X{.op = XOp::EXP, .mask = kXyzw, .source = source, .immediate = slot}; }
  /// A program of its own place; `stage` gets its registers.
  template <class Lo, class Hi, class Size, class Rsrc>
  uint64_t stage(const std::vector<Instruction>& code, const std::vector<Bits4>& literals) {
    program(code, literals);
    const uint64_t at = state->raw(R::X_CS_CODE_LO::offset) | uint64_t{state->raw(R::X_CS_CODE_HI::offset)} << 32;
    set(Lo{uint32_t(at)});
    set(Hi{}.ADDRESS(uint32_t(at >> 32)));
    set(Size{}.SLOTS(uint32_t(code.size())).LITERALS(uint32_t(literals.size())));
    set(Rsrc{}.TEMPS(15));
    return at;
  }
  void vertex_stage(const std::vector<Instruction>& code, const std::vector<Bits4>& literals) {
    vertex_at = stage<R::X_VS_CODE_LO, R::X_VS_CODE_HI, R::X_VS_CODE_SIZE, R::X_VS_CODE_RSRC>(code, literals);
  }
  void fragment_stage(const std::vector<Instruction>& code, const std::vector<Bits4>& literals) {
    fragment_at = stage<R::X_FS_CODE_LO, R::X_FS_CODE_HI, R::X_FS_CODE_SIZE, R::X_FS_CODE_RSRC>(code, literals);
  }

  /// One triangle over everything: the vertex program makes its corners from the number of the vertex; the fragment program's colour is its
  /// literal.
  void SetUp() override {
    set(R::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    set(regs::SU_DEPTH_SCALE{bits(16777215.0f)});
    set(regs::GB_TILE_CONFIG{}.SUBPIXEL(1));
    set(R::X_SCISSOR_BR{}.X(kSize).Y(kSize));
    set(R::X_VIEWPORT_XSCALE{bits(kSize / 2.0f)}), set(R::X_VIEWPORT_XOFFSET{bits(kSize / 2.0f)});
    set(R::X_VIEWPORT_YSCALE{bits(kSize / 2.0f)}), set(R::X_VIEWPORT_YOFFSET{bits(kSize / 2.0f)});
    set(R::X_VIEWPORT_ZSCALE{bits(1.0f)});
    set(R::X_RS_SAMPLE_MASK{1});
    buffer_at = allocate(3 * 16);
    const float corner[3][4] = {{-1, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}};
    for (uint32_t i = 0; i < 12; ++i) dwords(buffer_at)[i] = bits(corner[i / 4][i % 4]);
    set(R::X_VTX_BUFFER_LO{uint32_t(buffer_at)}), set(R::X_VTX_BUFFER_HI{uint32_t(buffer_at >> 32)});
    set(R::X_VTX_BUFFER_SIZE{48}), set(R::X_VTX_BUFFER_STRIDE{16});
    set(R::X_VTX_ATTR_FORMAT{}.FORMAT(formats::R32G32B32A32_SFLOAT));
    vertex_stage({X{.op = XOp::LDA, .dest = 1, .mask = kXyzw, .immediate = 0}, exports(16, 1)}, {});
    fragment_stage({xi(XiOp::MOV, 1, kXyzw, c(0)), exports(0, 1)}, {{bits(1), bits(1), bits(1), bits(1)}});
    color = allocate(4 * kLayer), depth = allocate(4 * kLayer);
    set(R::X_CB_BASE_LO{uint32_t(color)});
    set(R::X_CB_BASE_HI{}.ADDRESS(uint32_t(color >> 32)).FORMAT(formats::R8G8B8A8_UNORM).ENABLE(1));
    set(R::X_CB_PITCH{kPitch}), set(R::X_CB_LAYER_PITCH{kLayer / 64});
    set(R::X_CB_EXTENT{}.WIDTH(kSize - 1).HEIGHT(kSize - 1));
    set(R::X_CB_LAYERS{}.COUNT(3));
    set(R::X_CB_CONTROL{}.WRITE_MASK(15));
    set(R::X_ZB_BASE_LO{uint32_t(depth)});
    set(R::X_ZB_BASE_HI{}.ADDRESS(uint32_t(depth >> 32)).FORMAT(formats::D32_SFLOAT).ENABLE(1));
    set(R::X_ZB_PITCH{kPitch}), set(R::X_ZB_LAYER_PITCH{kLayer / 64});
    set(R::X_ZB_EXTENT{}.WIDTH(kSize - 1).HEIGHT(kSize - 1));
    set(R::X_ZB_CONTROL{}.DEPTH_TEST(1).DEPTH_WRITE(1).DEPTH_FUNC(7));
  }
  /// The layer whose pixels the draw set to `value` in the image at `image`; 4: none.
  uint32_t layer_with(uint64_t image, uint32_t value) {
    uint32_t found = 4;
    for (uint32_t l = 0; l < 4; ++l)
      if (dwords(image)[l * kLayer / 4 + 1] == value) found = found == 4 ? l : 9;
    return found;
  }
  void draw() {
    std::memset(dwords(color), 0, 4 * kLayer), std::memset(dwords(depth), 0, 4 * kLayer);
    counters = {};
    counters.instructions_left = kInstructions;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    programs.invalidate();
    execute_draw(
        ctx, {Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY).NUM_VERTICES(3), {}});
  }
  uint32_t drawn() {
    draw();
    return layer_with(color, 0xFFFFFFFFu);
  }
  bool reported(const char* text) const {
    return std::any_of(reports.begin(), reports.end(), [&](const std::string& r) { return r.find(text) != std::string::npos; });
  }
  uint64_t color = 0, depth = 0, buffer_at = 0, vertex_at = 0, fragment_at = 0;
};

TEST_F(XRegisters, TheProgramsOfBothStages) {
  EXPECT_EQ(drawn(), 0u);
  EXPECT_TRUE(reports.empty());
  const auto differs = [&](uint32_t offset, uint32_t value, const char* text) {
    const uint32_t before = std::exchange(state->reg[offset / 4], value);
    EXPECT_EQ(drawn(), 4u) << text;
    EXPECT_TRUE(reported(text)) << text << (reports.empty() ? ": no report" : reports[0]);
    state->reg[offset / 4] = before;
    EXPECT_EQ(drawn(), 0u);
  };
  for (const auto& [hi, size, rsrc] : {std::tuple{R::X_VS_CODE_HI::offset, R::X_VS_CODE_SIZE::offset, R::X_VS_CODE_RSRC::offset},
                                       std::tuple{R::X_FS_CODE_HI::offset, R::X_FS_CODE_SIZE::offset, R::X_FS_CODE_RSRC::offset}}) {
    differs(hi, state->raw(hi) + 7, "are not backed");
    if (size == R::X_VS_CODE_SIZE::offset) differs(size, 0, "no slots");
    differs(rsrc, R::X_FS_CODE_RSRC{}.TEMPS(15).SCRATCH(0xFFFFF).raw, "scratch memory");
  }
}

TEST_F(XRegisters, WithoutAFragmentProgramDepthIsDrawnAndNoInvocationCounted) {
  set(R::X_QUERY_CTRL{}.STATISTICS(1));
  draw();
  EXPECT_EQ(counters.counts.fragment_invocations, kSize * kSize);
  set(R::X_FS_CODE_LO{}), set(R::X_FS_CODE_HI{}), set(R::X_FS_CODE_SIZE{}), set(R::X_FS_CODE_RSRC{});
  draw();
  EXPECT_TRUE(reports.empty()) << reports[0];
  EXPECT_EQ(layer_with(depth, bits(0.5f)), 0u);
  EXPECT_EQ(counters.counts.fragment_invocations, 0u);
}

TEST_F(XRegisters, TheSizeSaysWhereAProgramEndsAndItsLiteralsBegin) {
  set(R::X_FS_CODE_SIZE{}.SLOTS(1).LITERALS(1));  // without the export
  EXPECT_EQ(drawn(), 4u);
  set(R::X_FS_CODE_SIZE{}.SLOTS(2).LITERALS(0));  // without the literal
  EXPECT_EQ(drawn(), 4u);
  set(R::X_FS_CODE_SIZE{}.SLOTS(2).LITERALS(1));
  EXPECT_EQ(drawn(), 0u);
}

TEST_F(XRegisters, ProgramsOfEqualSlotsShareWhatFollowsFromThem) {
  const auto find = [&] { return programs.find(*state, *memory, x::Stage::compute); };
  program({xi(XiOp::MOV, 1, kXyzw, c(0))}, {{1, 2, 3, 4}});
  programs.invalidate();
  const auto first = find();
  program({xi(XiOp::MOV, 1, kXyzw, c(0))}, {{5, 6, 7, 8}});
  programs.invalidate();
  const auto second = find();
  EXPECT_EQ(first->shared, second->shared);
  EXPECT_EQ(first->literals[0], (Bits4{1, 2, 3, 4}));
  EXPECT_EQ(second->literals[0], (Bits4{5, 6, 7, 8}));
  program({xi(XiOp::MOV, 2, kXyzw, c(0))}, {{5, 6, 7, 8}});
  programs.invalidate();
  EXPECT_NE(find()->shared, second->shared);
}

TEST_F(XRegisters, TheViewIsAddedToTheLayer) {
  for (const uint32_t view : {0u, 2u, 1u, 3u}) {
    set(R::X_DRAW_VIEW{}.NUMBER(view));
    EXPECT_EQ(drawn(), view);
  }
  set(R::X_DRAW_VIEW{}.NUMBER(4));  // there are four layers
  EXPECT_EQ(drawn(), 4u);
  // SYS 21
  vertex_stage({X{.op = XOp::LDA, .dest = 1, .mask = kXyzw, .immediate = 0}, X{.op = XOp::SYS, .dest = 2, .mask = kX, .immediate = 21},
                xi(XiOp::U2F, 1, 4, r(2).x(), {}), exports(16, 1)},
               {});
  set(R::X_VIEWPORT_ZSCALE{bits(0.25f)});
  for (const uint32_t view : {0u, 1u}) {
    set(R::X_DRAW_VIEW{}.NUMBER(view));
    draw();
    EXPECT_EQ(dwords(depth)[view * kLayer / 4 + 1], bits(view * 0.25f));
  }
}

TEST_F(XRegisters, TheDepthBufferBeginsAtALayer) {
  for (const uint32_t first : {0u, 1u, 3u}) {
    set(R::X_ZB_LAYER{}.FIRST(first));
    draw();
    EXPECT_EQ(layer_with(depth, bits(0.5f)), first);
    EXPECT_EQ(layer_with(color, 0xFFFFFFFFu), 0u);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
