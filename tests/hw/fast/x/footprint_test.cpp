// SPDX-License-Identifier: MIT
/// What extended draws touch, and which of them must wait for which.
#include "hw/radeon/footprint/extended.h"

#include <algorithm>

#include "hw/db/formats.h"
#include "hw/radeon/fast/draw/surfaces.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

using fast::PendingMemory;
using footprint::Extended;
using footprint::ExtendedDraws;
namespace r5x = regs::r5x;

class XFootprint : public XRig {
 protected:
  XFootprint() {
    set(r5x::X_CTRL{}.EN(1).SHADERS(1).CB(1).ZB(1));
    sets = allocate(4096);
    set(r5x::X_GFX_SET_LO{uint32_t(sets)}), set(r5x::X_GFX_SET_HI{uint32_t(sets >> 32)});
    vertex_ = program_of({X{.op = XOp::LDA, .dest = 1, .mask = kXyzw, .immediate = 0}});
    fragment_ = program_of({xi(XiOp::MOV, 0, kXyzw, n(1))});
  }
  static std::shared_ptr<const x::Program> program_of(std::vector<Instruction> code) {
    return std::make_shared<const x::Program>(std::make_shared<const x::Code>(std::move(code)));
  }
  /// A colour target of 32 x 16 RGBA8 pixels in rows of 256 bytes, `layers` layers 8 KiB apart.
  void target(uint32_t i, uint64_t address, uint32_t layers = 1, uint32_t pitch = 256) {
    set(r5x::X_CB_BASE_LO{uint32_t(address)}, i);
    set(r5x::X_CB_BASE_HI{}.ADDRESS(uint32_t(address >> 32)).FORMAT(formats::R8G8B8A8_UNORM).ENABLE(1), i);
    set(r5x::X_CB_PITCH{pitch}, i), set(r5x::X_CB_LAYER_PITCH{8192 / 64}, i);
    set(r5x::X_CB_EXTENT{}.WIDTH(31).HEIGHT(15), i), set(r5x::X_CB_LAYERS{}.COUNT(layers - 1), i);
    set(r5x::X_CB_CONTROL{}.WRITE_MASK(15), i);
  }
  void image(uint32_t n, uint64_t address) {
    uint32_t* d = dwords(sets) + 4 * n;
    d[0] = uint32_t(address), d[1] = uint32_t(address >> 32) | formats::R8G8B8A8_UNORM << 16 | 1u << 24;
    d[2] = 31 | 15u << 16, d[3] = d[4] = 0, d[5] = 256, d[6] = 0, d[7] = 0;
  }
  Extended now() { return footprints_.of(*state, {vertex_, fragment_}); }
  static bool has(const std::vector<ByteRange>& ranges, uint64_t begin, uint64_t bytes) {
    return std::find(ranges.begin(), ranges.end(), ByteRange{begin, begin + bytes}) != ranges.end();
  }
  static X sample(uint32_t image) { return {.op = XOp::SAMPLE, .dest = 1, .mask = kXyzw, .source = 0, .descriptor = at(image)}; }

  ExtendedDraws footprints_{*memory};
  std::shared_ptr<const x::Program> vertex_, fragment_;
  const uint64_t a_ = allocate(65536), b_ = allocate(65536);
};

TEST_F(XFootprint, TargetsAreAsLargeAsTheirRows) {
  target(0, a_);
  const Extended f = now();
  ASSERT_EQ(f.uses().size(), 1u);
  EXPECT_EQ(f.uses()[0].range, (ByteRange{a_, a_ + 15 * 256 + 32 * 4}));
  EXPECT_TRUE(f.tiles && f.backed && f.uses()[0].writes);
}

TEST_F(XFootprint, WhatProgramsNameIsRead) {
  target(0, a_);
  image(4, b_);
  buffer(8, b_ + 8192, 100);
  set(r5x::X_VTX_BUFFER_LO{uint32_t(b_)}), set(r5x::X_VTX_BUFFER_HI{uint32_t(b_ >> 32)}), set(r5x::X_VTX_BUFFER_SIZE{77});
  fragment_ = program_of({sample(4), X{.op = XOp::LDB, .dest = 2, .mask = kX, .descriptor = at(8)}});
  const Extended f = now();
  EXPECT_TRUE(has(f.read, b_, 16 * 256));
  EXPECT_TRUE(has(f.read, b_ + 8192, 100));
  EXPECT_TRUE(has(f.read, sets + 64, 32));  // the descriptor itself
  EXPECT_TRUE(has(f.buffers, b_, 77));
  EXPECT_FALSE(f.reads_any || f.stores);
  EXPECT_TRUE(f.tiles);
  image(4, a_);
  EXPECT_FALSE(now().tiles) << "a texture that is a target";
}

TEST_F(XFootprint, StoresAndChosenDescriptorsAreSeen) {
  target(0, a_);
  fragment_ = program_of({X{.op = XOp::STB, .source = 1, .src2 = 2, .descriptor = at(0)}});
  EXPECT_TRUE(now().stores);
  Selector chosen = at(0);
  chosen.indirect = true;
  fragment_ = program_of({X{.op = XOp::LDB, .dest = 1, .mask = kX, .descriptor = chosen}});
  EXPECT_TRUE(now().reads_any && !now().stores);
  fragment_ = program_of({X{.op = XOp::STP, .source = 1, .src2 = 2}});
  EXPECT_FALSE(now().stores) << "scratch";
}

TEST_F(XFootprint, TargetsThatOverlapCannotBeTiled) {
  target(0, a_), target(1, a_);
  EXPECT_TRUE(now().tiles) << "the same pixels";
  target(1, a_ + 64);
  EXPECT_FALSE(now().tiles);
  target(1, b_);
  EXPECT_TRUE(now().tiles);
  target(1, b_, 1, 64);  // rows overlap
  EXPECT_FALSE(now().tiles);
  target(1, b_, 8, 256);
  EXPECT_TRUE(now().tiles);
  target(1, b_ + 65536, 1);
  EXPECT_FALSE(now().backed);
}

// Reads that may be of anything are ordered with what others write by TX_INVALTAGS alone (docs/r5x.md 4.1).
TEST_F(XFootprint, DrawsThatChooseDescriptorsWaitForWhatWasOrdered) {
  PendingMemory pending;
  target(0, a_);
  const Extended writer = now();
  Selector chosen = at(4);
  chosen.indirect = true;
  fragment_ = program_of({X{.op = XOp::LDB, .dest = 1, .mask = kX, .descriptor = chosen}});
  const Extended reader = now();
  EXPECT_FALSE(pending.order()) << "nothing is queued";
  pending.add(writer);
  EXPECT_FALSE(pending.conflicts(reader));
  EXPECT_TRUE(pending.order());
  EXPECT_TRUE(pending.conflicts(reader));
  EXPECT_FALSE(pending.conflicts(writer)) << "the same pixels, which nothing reads";
  pending.clear();
  EXPECT_FALSE(pending.conflicts(reader));
  pending.add(reader);
  EXPECT_FALSE(pending.conflicts(reader) || pending.conflicts(writer));
  EXPECT_TRUE(pending.touches(ByteRange{b_, b_ + 4})) << "what is no draw waits in any case";
  EXPECT_TRUE(pending.order());
  EXPECT_TRUE(pending.conflicts(writer));
}

TEST_F(XFootprint, DrawsWaitForWhatTheyReadAndForOtherLayouts) {
  PendingMemory pending;
  target(0, a_);
  const Extended first = now();
  EXPECT_FALSE(pending.conflicts(first));
  pending.add(first);
  EXPECT_FALSE(pending.conflicts(first)) << "tiles keep the order of the same pixels";
  EXPECT_TRUE(pending.writes(ByteRange{a_ + 100, a_ + 101}));
  target(0, a_ + 8192);
  EXPECT_FALSE(pending.conflicts(now()));
  target(0, a_ + 256);
  EXPECT_TRUE(pending.conflicts(now())) << "other pixels at the same addresses";
  target(0, a_, 2);
  pending.add(now());
  target(0, a_ + 8192);
  EXPECT_FALSE(pending.conflicts(now())) << "the second layer";
  target(0, b_);
  image(4, a_);
  fragment_ = program_of({sample(4)});
  const Extended reader = now();
  EXPECT_TRUE(pending.conflicts(reader));
  pending.clear();
  pending.add(reader);
  fragment_ = program_of({xi(XiOp::MOV, 0, kXyzw, n(1))});
  target(0, a_);
  EXPECT_TRUE(pending.conflicts(now())) << "a queued draw reads the target";
}

TEST_F(XFootprint, MaskedTargetsAreNotWritten) {
  target(0, a_);
  image(4, a_);
  fragment_ = program_of({sample(4)});
  EXPECT_FALSE(now().tiles);
  set(r5x::X_CB_CONTROL{}.WRITE_MASK(0));
  EXPECT_FALSE(now().uses()[0].writes);
  EXPECT_TRUE(now().tiles);
}

/// The rows of recordings and the ranges of hazards are two views of the same targets and stores.
TEST_F(XFootprint, RecordingsHaveTheRowsOfTheSameMemory) {
  target(0, a_, 2);
  set(r5x::X_ZB_BASE_LO{uint32_t(b_)});
  set(r5x::X_ZB_BASE_HI{}.ADDRESS(uint32_t(b_ >> 32)).FORMAT(formats::D32_SFLOAT).ENABLE(1));
  set(r5x::X_ZB_PITCH{256}), set(r5x::X_ZB_LAYER_PITCH{4096 / 64}), set(r5x::X_ZB_EXTENT{}.WIDTH(31).HEIGHT(15));
  set(r5x::X_ZB_CONTROL{}.DEPTH_TEST(1).DEPTH_WRITE(1));
  set(r5x::X_VS_CTRL{}.LAYER(1));
  std::vector<footprint::Use> uses;
  const auto written = [&] {
    const DrawContext context{*state, *memory, counters, config};
    footprint::extended_draw(context, uses);
    std::vector<Rows> rows;
    for (const footprint::Use& u : uses)
      if (u.writes) rows.push_back(u.rows);
    return rows;
  };
  const std::vector<Rows> layers = written();
  ASSERT_EQ(layers.size(), 4u);
  EXPECT_EQ(layers[0], (Rows{b_, 128, 256, 16}));
  EXPECT_EQ(layers[1], (Rows{b_ + 4096, 128, 256, 16})) << "as many as the colour targets have";
  EXPECT_EQ(layers[3], (Rows{a_ + 8192, 128, 256, 16}));
  const Extended f = now();
  for (size_t i = 0; i < 4; ++i) {
    const ByteRange& range = f.uses()[i < 2].range;
    EXPECT_TRUE(range.begin <= layers[i].hull().begin && layers[i].hull().end <= range.end) << i;
  }
  set(r5x::X_CTRL{}.EN(1).SHADERS(1).ZB(1));
  EXPECT_TRUE(footprint::targets(*state).open_layers);
  const std::vector<Rows> open = written();
  ASSERT_EQ(open.size(), 2u);
  EXPECT_EQ(open[1].hull().end, footprint::kEverything);
}

TEST_F(XFootprint, VerticesAreReadAtOnce) {
  PendingMemory pending;
  target(0, a_);
  pending.add(now());
  target(0, b_);
  set(r5x::X_VTX_BUFFER_LO{uint32_t(a_)}), set(r5x::X_VTX_BUFFER_HI{uint32_t(a_ >> 32)}), set(r5x::X_VTX_BUFFER_SIZE{64});
  EXPECT_TRUE(pending.conflicts(now()));
  set(r5x::X_VTX_BUFFER_LO{uint32_t(a_ + 32768)});
  EXPECT_FALSE(pending.conflicts(now()));
}

/// Depth that is only tested may be sampled by the same draw.
TEST_F(XFootprint, DepthIsWrittenOnlyIfItCanChange) {
  set(r5x::X_ZB_BASE_LO{uint32_t(a_)});
  set(r5x::X_ZB_BASE_HI{}.ADDRESS(uint32_t(a_ >> 32)).FORMAT(formats::D32_SFLOAT).ENABLE(1));
  set(r5x::X_ZB_PITCH{256}), set(r5x::X_ZB_EXTENT{}.WIDTH(31).HEIGHT(15));
  set(r5x::X_ZB_CONTROL{}.DEPTH_TEST(1));
  image(4, a_);
  fragment_ = program_of({sample(4)});
  ASSERT_EQ(now().uses().size(), 1u);
  EXPECT_TRUE(now().tiles);
  EXPECT_FALSE(now().uses()[0].writes);
  set(r5x::X_ZB_CONTROL{}.DEPTH_TEST(1).DEPTH_WRITE(1));
  EXPECT_FALSE(now().tiles);
  fragment_ = program_of({xi(XiOp::MOV, 0, kXyzw, n(1))});
  EXPECT_TRUE(now().tiles);
  set(r5x::X_VS_CTRL{}.LAYER(1));
  EXPECT_FALSE(now().tiles) << "layers without number";
}

}  // namespace
}  // namespace pumice::hw::x_test
