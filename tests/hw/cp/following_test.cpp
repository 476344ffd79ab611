// SPDX-License-Identifier: MIT
/// Draws that follow one another with few changes: which they are, and that drawing them together is the same as one by one.
#include <optional>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/cp/following_draws.h"
#include "tests/hw/cp/rig.h"

namespace pumice::hw::test {
namespace {

using pm4::Op;
using Vf = regs::VAP_VF_CNTL;
namespace r5x = regs::r5x;

Vf list(uint32_t walk, uint32_t vertices) { return Vf{}.PRIM_TYPE(Vf::PRIM_TYPE__TRIANGLE_LIST).PRIM_WALK(walk).NUM_VERTICES(vertices); }
Vf counted(uint32_t n) { return list(Vf::PRIM_WALK__SEQUENTIAL_VERTICES_FROM_MEMORY, n); }
Vf indexed(uint32_t n) { return list(Vf::PRIM_WALK__INDICES_IN_STREAM_VERTICES_IN_MEMORY, n); }
Words draw(Vf vf) { return packet(Op::N3D_DRAW_VBUF_2, {vf.raw}); }
Words base(uint32_t vertex) { return write(r5x::X_DRAW_BASE_VERTEX::offset, {vertex}); }
Words number(uint32_t n) { return write(r5x::X_DRAW_NUMBER::offset, {n}); }
Words draw(Vf vf, uint32_t at, uint32_t dwords, uint32_t skip = 0) {
  const uint32_t to = regs::PM4_INDX_BUFFER_DW0{}.ONE_REG_WR(1).SKIP(skip).DST_REG(regs::VAP_PORT_IDX::offset / 4).raw;
  return packet(Op::N3D_DRAW_INDX_2, {vf.raw}) + packet(Op::INDX_BUFFER, {to, at, dwords});
}

/// `state`: of the draw in front.
uint32_t find(const Words& done, const Words& next, std::vector<FollowingDraw>& found, const ChipState& state = ChipState{Profile::r5x}) {
  MovedBuffers moved(state);
  FollowingDraws all;
  const uint32_t used = find_following(done, next, state, moved, all);
  found = all.draws;
  return used;
}

TEST(FollowingDraws, AreThoseWithoutOtherPackets) {
  std::vector<FollowingDraw> found;
  const Words stream = base(7) + draw(counted(6)) + draw(counted(3)) + base(9) + number(4) + draw(counted(12)) +
                       write(r5x::X_DRAW_BASE_VERTEX::offset, {8, 6}) + draw(counted(6)) + write(r5x::X_DRAW_VIEW::offset, {0}) +
                       draw(counted(6));
  ChipState state(Profile::r5x);
  state.set(r5x::X_DRAW_BASE_VERTEX{5}), state.set(r5x::X_DRAW_NUMBER{2});
  EXPECT_EQ(find(draw(counted(6)), stream, found, state), 17u);
  ASSERT_EQ(found.size(), 4u);
  const uint32_t bases[] = {7, 7, 9, 8}, numbers[] = {2, 2, 4, 6}, counts[] = {6, 3, 12, 6}, places[] = {2, 4, 10, 15};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found[i].number, numbers[i]);
    EXPECT_EQ(found[i].base_vertex, bases[i]);
    EXPECT_EQ(found[i].vf_cntl.NUM_VERTICES(), counts[i]);
    EXPECT_EQ(found[i].at, places[i]);
    EXPECT_EQ(found[i].index_dwords, 0u);
  }
}

TEST(FollowingDraws, HaveIndicesOfWholeDwords) {
  std::vector<FollowingDraw> found;
  const Words first = draw(indexed(3), 0x1000, 2);
  EXPECT_EQ(find(first, base(1) + draw(indexed(6), 0x2000, 3) + base(4) + draw(indexed(5), 0x3000, 3), found), 16u);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].indices, 0x2000u);
  EXPECT_EQ(found[0].index_dwords, 3u);
  EXPECT_EQ(found[0].base_vertex, 1u);
  EXPECT_EQ(found[1].indices, 0x3000u);
  EXPECT_EQ(found[1].base_vertex, 4u);
  for (const Words& other : {draw(indexed(6), 0x2000, 4, 1), draw(indexed(6), 0x2000, 4), draw(counted(6)),
                             draw(Vf{indexed(3)}.INDEX_SIZE(Vf::INDEX_SIZE__N32_BIT), 0x2000, 3)})
    EXPECT_EQ(find(first, other, found), 0u);
}

TEST(FollowingDraws, AreSmallAndWhole) {
  std::vector<FollowingDraw> found;
  const Words first = draw(counted(3));
  EXPECT_EQ(find(first, draw(counted(kMostFollowingVertices)), found), 2u);
  EXPECT_EQ(find(first, draw(counted(kMostFollowingVertices + 1)), found), 0u);
  EXPECT_EQ(find(first, draw(counted(0)), found), 0u);
  EXPECT_EQ(find(first, Words{draw(counted(3))[0]}, found), 0u);
  EXPECT_EQ(find(first, base(1), found), 0u);
  EXPECT_EQ(find(first, Words{}, found), 0u);
  EXPECT_EQ(find(Words{}, first, found), 0u);
  EXPECT_EQ(find(base(3), first, found), 0u);
  Words many;
  for (uint32_t i = 0; i < 100; ++i) append(many, first);
  EXPECT_EQ(find(first, many, found), 2 * kMostFollowing);
}

/// Buffers 3 (stride 12) and 5 (stride 8) end at 0x5000 and 0x9000.
class MovingBuffers : public ::testing::Test {
 protected:
  MovingBuffers() {
    state_.set(r5x::X_VTX_BUFFER_LO{0x4000}, 3), state_.set(r5x::X_VTX_BUFFER_SIZE{0x1000}, 3), state_.set(r5x::X_VTX_BUFFER_STRIDE{12}, 3);
    state_.set(r5x::X_VTX_BUFFER_LO{0x8000}, 5), state_.set(r5x::X_VTX_BUFFER_SIZE{0x1000}, 5), state_.set(r5x::X_VTX_BUFFER_STRIDE{8}, 5);
  }
  static Words place(uint32_t buffer, uint32_t address, uint32_t size) {
    return write(r5x::X_VTX_BUFFER_LO::at(buffer), {address}) + write(r5x::X_VTX_BUFFER_SIZE::at(buffer), {size});
  }
  static Words later(uint32_t buffer, uint32_t bytes) { return place(buffer, (buffer == 3 ? 0x4000 : 0x8000) + bytes, 0x1000 - bytes); }
  /// Of the draws that follow counted(6).
  std::vector<uint32_t> distances(const Words& next) {
    FollowingDraws found;
    moved_.emplace(state_);
    used_ = find_following(draw(counted(6)), next, state_, *moved_, found);
    std::vector<uint32_t> out;
    for (const FollowingDraw& f : found.draws) out.push_back(f.moved);
    return out;
  }
  using Distances = std::vector<uint32_t>;
  ChipState state_{Profile::r5x};
  std::optional<MovedBuffers> moved_;
  uint32_t used_ = 0;
};

TEST_F(MovingBuffers, AreFollowedByWholeVertices) {
  const Words next = later(3, 24) + draw(counted(3)) + draw(counted(3)) + later(3, 12) + base(4) + draw(counted(9)) + later(3, 0) +
                     draw(counted(3)) + later(3, 25);
  EXPECT_EQ(distances(next), (Distances{2, 2, 1, 0}));
  EXPECT_EQ(used_, next.size() - 4);
  EXPECT_EQ(moved_->kept_mask(), 1u << 3);
  std::vector<std::pair<uint32_t, uint32_t>> kept;
  moved_->each_kept([&](uint32_t offset, uint32_t value) { kept.emplace_back(offset, value); });
  EXPECT_EQ(kept, (std::vector<std::pair<uint32_t, uint32_t>>{
                      {r5x::X_VTX_BUFFER_LO::at(3), 0x4000}, {r5x::X_VTX_BUFFER_HI::at(3), 0}, {r5x::X_VTX_BUFFER_SIZE::at(3), 0x1000}}));
}

TEST_F(MovingBuffers, AreFollowedTogetherOnly) {
  EXPECT_EQ(distances(later(3, 24) + later(5, 16) + draw(counted(3)) + later(3, 36) + draw(counted(3))), (Distances{2}));
  EXPECT_EQ(moved_->kept_mask(), (1u << 3 | 1u << 5));
  EXPECT_EQ(distances(later(3, 24) + draw(counted(3)) + later(5, 16) + draw(counted(3))), (Distances{2}))
      << "the other buffer had stayed for the first of them";
  EXPECT_EQ(moved_->kept_mask(), 1u << 3);
  EXPECT_EQ(distances(later(3, 0) + draw(counted(3)) + later(3, 24) + later(5, 16) + draw(counted(3))), (Distances{0, 2}));
}

TEST_F(MovingBuffers, EndWhereTheyEnded) {
  for (const Words& other : {place(3, 0x4000 - 12, 0x1000 + 12), place(3, 0x4000 + 24, 0x1000), place(3, 0x4000 + 24, 0x1000 - 12),
                             place(3, 0x6000, 0x1000), later(3, 20), later(3, 24) + write(r5x::X_VTX_BUFFER_STRIDE::at(3), {24}),
                             later(3, 24) + write(r5x::X_VTX_BUFFER_HI::at(3), {1}), later(3, 24) + base(1u << 30)})
    EXPECT_EQ(distances(other + draw(counted(3))), Distances{});
  state_.set(r5x::X_VTX_BUFFER_STRIDE{0}, 3);
  EXPECT_EQ(distances(later(3, 24) + draw(counted(3))), Distances{});
}

Words push(uint32_t address) { return write(r5x::X_GFX_PUSH_LO::offset, {address}); }

TEST(FollowingDraws, MayHaveOtherBindings) {
  FollowingDraws found;
  const ChipState state{Profile::r5x};
  MovedBuffers moved(state);
  const Words set = write(r5x::X_GFX_SET_LO::at(8), {0x100, 1, 0x200, 2, 16});
  const Words next = push(0x40) + draw(counted(3)) + draw(counted(6)) + set + base(2) + draw(counted(3)) + push(0x80) +
                     write(r5x::X_GFX_PUSH_SIZE::offset, {4, 0}) + draw(counted(3));
  EXPECT_EQ(find_following(draw(counted(6)), next, state, moved, found), next.size() - 7) << "a register behind theirs is written";
  ASSERT_EQ(found.draws.size(), 3u);
  const uint32_t bindings[] = {1, 0, 5}, ends[] = {4, 6, 16};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.draws[i].bindings, bindings[i]);
    EXPECT_EQ(found.draws[i].end, ends[i]);
  }
  std::vector<std::pair<uint32_t, uint32_t>> written;
  for (const auto& [offset, value] : found.bindings) written.emplace_back(offset, value);
  const uint32_t lo = r5x::X_GFX_SET_LO::at(8);
  EXPECT_EQ(written, (std::vector<std::pair<uint32_t, uint32_t>>{
                         {r5x::X_GFX_PUSH_LO::offset, 0x40}, {lo, 0x100}, {lo + 4, 1}, {lo + 8, 0x200}, {lo + 12, 2}, {lo + 16, 16}}));
}

TEST_F(MovingBuffers, AreNotFollowedWithOtherBindings) {
  EXPECT_EQ(distances(push(4) + draw(counted(3)) + later(3, 24) + draw(counted(3))), (Distances{0}));
  EXPECT_EQ(distances(later(3, 24) + draw(counted(3)) + push(4) + draw(counted(3))), (Distances{2}));
  EXPECT_EQ(distances(later(3, 0) + push(4) + draw(counted(3))), (Distances{0}));
}

/// One draw as executors see it.
struct Seen {
  uint64_t number;
  uint32_t vf_cntl, base_vertex, draw_number;
  std::array<uint32_t, 2> buffer;  ///< address, size of number 0
  uint32_t push;                   ///< address
  Words data;
  bool operator==(const Seen&) const = default;
};

class Together final : public DrawExecutor {
 public:
  /// `most`: draws at a time that draw_more() draws.
  explicit Together(bool accepts, size_t most = 1000) : accepts_(accepts), most_(most) {}
  void draw(DrawContext& ctx, const DrawInput& input) override {
    seen.push_back({ctx.draw, input.vf_cntl.raw, ctx.state.get<r5x::X_DRAW_BASE_VERTEX>().raw, ctx.state.get<r5x::X_DRAW_NUMBER>().raw,
                    buffer(ctx.state, {}), ctx.state.get<r5x::X_GFX_PUSH_LO>().raw, Words(input.data.begin(), input.data.end())});
  }
  size_t draw_more(DrawContext& ctx, std::span<const NextDraw> draws, NextBindings& bindings) override {
    if (!accepts_) return 0;
    ++calls;
    const size_t drawn = std::min(most_, draws.size());
    for (size_t i = 0; i < drawn; ++i) {
      bindings.write(draws[i]);
      const DrawInput& input = draws[i].input;
      seen.push_back({ctx.draw + i, input.vf_cntl.raw, draws[i].base_vertex, draws[i].number, buffer(ctx.state, draws[i]),
                      ctx.state.get<r5x::X_GFX_PUSH_LO>().raw, Words(input.data.begin(), input.data.end())});
    }
    if (drawn < draws.size()) bindings.write(draws[drawn]);
    if (lose == seen.size()) ctx.counters.hung = true;
    return drawn;
  }
  uint64_t lost_draw() const override { return lose; }
  std::vector<Seen> seen;
  uint32_t calls = 0;
  uint64_t lose = 0;  ///< hangs with this draw

 private:
  static std::array<uint32_t, 2> buffer(const ChipState& state, const NextDraw& draw) {
    const uint32_t by = (draw.moved_buffers & 1) * draw.moved * state.get<r5x::X_VTX_BUFFER_STRIDE>().BYTES();
    return {state.get<r5x::X_VTX_BUFFER_LO>().ADDRESS() + by, state.get<r5x::X_VTX_BUFFER_SIZE>().BYTES() - by};
  }
  const bool accepts_;
  const size_t most_;
};

class FollowingStream : public ::testing::Test {
 protected:
  static constexpr uint32_t kStream = Rig::kBuffer, kIndices = Rig::kBuffer + 0x8000;
  /// What an executor sees of an indirect buffer.
  void run(Together& executor, const Words& stream, bool shaders = true) {
    Rig rig(12, Profile::r5x);
    Team team(1);
    rig.cp = std::make_unique<Cp>(rig.config, *rig.memory, executor, team);
    rig.set_up_ring();
    rig.store(kIndices, {0x10000, 0x30002, 0x50004, 0x70006});
    rig.store(kStream, stream);
    rig.run(write(r5x::X_CTRL::offset, {r5x::X_CTRL{}.EN(1).SHADERS(shaders).raw}) + before +
            write(regs::CP_IB_BASE::offset, {kStream, static_cast<uint32_t>(stream.size())}));
    base_vertex = rig.reg(r5x::X_DRAW_BASE_VERTEX::offset);
    vf_cntl = rig.reg(Vf::offset);
    reports = rig.reports();
    rig.cp.reset();
  }
  Words before;  ///< in the ring
  uint32_t base_vertex = 0, vf_cntl = 0;
  std::vector<Report> reports;
};

TEST_F(FollowingStream, IsDrawnTogetherAsOneByOne) {
  Words stream = base(3) + draw(counted(6));
  for (uint32_t i = 0; i < 200; ++i) append(stream, base(10 + i) + (i % 3 ? number(i) : Words{}) + draw(counted(3 + i % 4)));
  append(stream, write(r5x::X_DRAW_VIEW::offset, {0}) + draw(indexed(3), kIndices, 2) + draw(indexed(4), kIndices + 4, 2) + base(77) +
                     draw(indexed(5), kIndices, 3) + draw(counted(9)));
  Together together(true), apart(false);
  run(together, stream);
  const auto [base_together, vf_together] = std::pair(base_vertex, vf_cntl);
  EXPECT_TRUE(reports.empty());
  run(apart, stream);
  EXPECT_EQ(together.seen, apart.seen);
  EXPECT_EQ(together.seen.size(), 205u);
  EXPECT_GE(together.calls, 5u);
  EXPECT_EQ(base_together, base_vertex);
  EXPECT_EQ(vf_together, vf_cntl);
  EXPECT_EQ(base_vertex, 77u);
}

TEST_F(FollowingStream, IsTheSameWithPiecesOfABuffer) {
  const auto place = [](uint32_t bytes) {
    return write(r5x::X_VTX_BUFFER_LO::offset, {0x1000 + bytes}) + write(r5x::X_VTX_BUFFER_SIZE::offset, {0x1000 - bytes});
  };
  Words stream = place(0) + write(r5x::X_VTX_BUFFER_STRIDE::offset, {8}) + draw(counted(6));
  for (uint32_t i = 0; i < 200; ++i) append(stream, place(i % 70 * 8) + (i % 3 ? base(i) : Words{}) + draw(counted(3 + i % 4)));
  Together together(true), apart(false);
  run(together, stream);
  run(apart, stream);
  EXPECT_EQ(together.seen, apart.seen);
  EXPECT_EQ(together.seen.size(), 201u);
  EXPECT_GE(together.calls, 4u);
}

TEST_F(FollowingStream, IsTheSameWithOtherBindings) {
  Words stream = push(0x10) + draw(counted(6));
  for (uint32_t i = 0; i < 200; ++i)
    append(stream, (i % 4 ? push(0x100 + 16 * i) : Words{}) + (i % 3 ? base(i) : Words{}) + draw(counted(3 + i % 4)));
  Together together(true), parts(true, 5), apart(false);
  run(together, stream);
  run(parts, stream);
  run(apart, stream);
  EXPECT_EQ(together.seen, apart.seen);
  EXPECT_EQ(parts.seen, apart.seen);
  EXPECT_EQ(together.seen.size(), 201u);
  EXPECT_GE(together.calls, 4u);
  EXPECT_GE(parts.calls, 10u);
}

/// A packet whose payload looks like a draw is none, whatever the ring drew before.
TEST_F(FollowingStream, DoesNotFollowWhatOnlyLooksLikeADraw) {
  Together together(true);
  before = draw(counted(6));
  run(together, packet(Op::NOP, draw(counted(3))) + draw(counted(6)));
  EXPECT_EQ(together.calls, 0u);
  EXPECT_EQ(together.seen.size(), 2u);
}

TEST_F(FollowingStream, OfStrictDrawsIsDrawnOneByOne) {
  Together together(true);
  run(together, draw(counted(6)) + draw(counted(6)), false);
  EXPECT_EQ(together.calls, 0u);
  EXPECT_EQ(together.seen.size(), 2u);
}

TEST_F(FollowingStream, NamesTheDrawThatHangs) {
  Together together(true);
  together.lose = 3;
  run(together, draw(counted(6)) + base(1) + draw(counted(3)) + base(2) + draw(counted(9)));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::lockup);
  EXPECT_NE(reports[0].text.find("draw 3"), std::string::npos) << reports[0].text;
  EXPECT_NE(reports[0].text.find("NUM_VERTICES=0x9"), std::string::npos) << reports[0].text;
}

}  // namespace
}  // namespace pumice::hw::test
