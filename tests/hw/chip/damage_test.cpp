// SPDX-License-Identifier: MIT
/// No back door and no crash. Every word of the microcode and every register the triangle sets matters to the picture; and whatever random
/// damage does to a good command stream, the process lives, the chip is brought back by soft reset, and draws the triangle again.
/// One case alone: chip_tests --gtest_filter='Damage.*' with PUMICE_FUZZ_FIRST=<number> PUMICE_FUZZ_COUNT=1.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/fuzz.h"
#include "tests/hw/chip/chip.h"
#include "tests/hw/chip/texture_rig.h"

namespace pumice::hw::test {
namespace {

constexpr uint32_t kTriangles = regs::VAP_VF_CNTL::PRIM_TYPE__TRIANGLE_LIST;
const TestVertex kTriangle[] = {{{-0.8f, -0.8f, 0.25f, 1}, {1, 0, 0.125f, 1}},
                                {{0.8f, -0.8f, 0.5f, 1.25f}, {0, 1, 0.5f, 1}},
                                {{0, 0.8f, 0.75f, 1}, {0.25f, 0, 1, 0.5f}}};
constexpr uint32_t kSize = 16;

/// A triangle with depth test, blending and a texture: all blocks take part.
struct Scene {
  Chip& chip;
  Target t;
  uint32_t texture;
  explicit Scene(Chip& c) : chip(c), t(make_target(c, kSize, kSize)), texture(c.allocate(64)) {}

  void clear() {
    std::fill_n(chip.memory(t.color), kSize * kSize, 0x20406080u);
    std::fill_n(chip.memory(t.depth), kSize * kSize, 0x90000000u);
    for (uint32_t i = 0; i < 64; ++i) chip.memory(texture)[i] = i * 0x9E3779B9u | 0x80000000u;
  }
  Packets packets() const {
    using Blend = regs::RB3D_BLENDCNTL;
    Packets p = plain_state(t);
    p.append(fragment_program({tex_slot(regs::US_TEX_INST::INST__LD, 0, 1).words(), out_slot(1)}, 2));
    TextureSetup setup(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8, 8, 8, texture);
    setup.filter0.MAG_FILTER(2).MIN_FILTER(2);
    p.append(setup.packets());
    p.set(regs::ZB_CNTL().Z_ENABLE(1).ZWRITEENABLE(1));
    p.set(regs::ZB_ZSTENCILCNTL().ZFUNC(1));
    p.set(Blend()
              .ALPHA_BLEND_ENABLE(1)
              .READ_ENABLE(1)
              .SRCBLEND(Blend::SRCBLEND__GL_SRC_ALPHA)
              .DESTBLEND(Blend::DESTBLEND__GL_ONE_MINUS_SRC_ALPHA));
    p.append(draw(kTriangles, kTriangle));
    return p;
  }
  std::vector<uint32_t> picture() const {
    std::vector<uint32_t> v(chip.memory(t.color), chip.memory(t.color) + kSize * kSize);
    v.insert(v.end(), chip.memory(t.depth), chip.memory(t.depth) + kSize * kSize);
    return v;
  }
};

/// Position of the first payload word of each packet in a stream, and its length.
struct Piece {
  uint32_t header;
  size_t first, count;
};
std::vector<Piece> pieces(const Packets& p) {
  std::vector<Piece> out;
  for (size_t i = 0; i < p.words.size(); i += (p.words[i] >> 16 & 0x3FFF) + 2)
    out.push_back({p.words[i], i + 1, (p.words[i] >> 16 & 0x3FFFu) + 1});
  return out;
}

/// Flips every bit of `word`; true when some flip changes the picture (or, `reported`, makes the chip complain).
bool matters(Chip& chip, Scene& scene, const std::vector<uint32_t>& good, const Packets& stream, size_t word, bool reported) {
  for (uint32_t bit = 0; bit < 32; ++bit) {
    Packets damaged = stream;
    damaged.words[word] ^= 1u << bit;
    scene.clear();
    const size_t before = chip.reports().size();
    const bool lives = chip.run(damaged);
    const bool differs = !lives || scene.picture() != good || (reported && chip.reports().size() != before);
    chip.reset();
    if (differs) return true;
  }
  return false;
}

TEST(Damage, EveryWordOfMicrocodeAndEveryRegisterMatters) {
  Chip chip(Profile::r500, 100000);
  Scene scene(chip);
  const Packets stream = scene.packets();
  scene.clear();
  ASSERT_TRUE(chip.run(stream));
  const auto good = scene.picture();
  chip.reset();
  scene.clear();
  ASSERT_TRUE(chip.run(stream));
  EXPECT_EQ(scene.picture(), good) << "the same every time";
  EXPECT_TRUE(chip.reports().empty());

  std::map<uint32_t, bool> registers;  // by offset; a register written twice counts once
  size_t us_words = 0, pvs_words = 0;
  std::vector<std::string> idle_microcode;
  for (const Piece& piece : pieces(stream)) {
    if (piece.header >> 30 == 3) continue;
    const uint32_t offset = (piece.header & 0x1FFF) << 2;
    for (size_t i = 0; i < piece.count; ++i) {
      const bool microcode = offset == regs::GA_US_VECTOR_DATA::offset || offset == regs::VAP_PVS_VECTOR_DATA_REG_128::offset;
      const bool changes = matters(chip, scene, good, stream, piece.first + i, !microcode);
      if (microcode) {
        const bool us = offset == regs::GA_US_VECTOR_DATA::offset;
        ++(us ? us_words : pvs_words);
        if (!changes) idle_microcode.push_back((us ? "US " : "PVS ") + std::to_string(i));
      } else {
        registers[offset + static_cast<uint32_t>(piece.header >> 15 & 1 ? 0 : 4 * i)] |= changes;
      }
    }
  }
  // The plain state's own fragment program is replaced before the draw: 6 words that never run; TEX slots have 3 words, an ADD has no third
  // operand.
  EXPECT_EQ(us_words, 18u);
  EXPECT_EQ(pvs_words, 8u);
  EXPECT_EQ(idle_microcode.size(), 6u + 3u + 2u) << testing::PrintToString(idle_microcode);
  const std::set<uint32_t> cannot_matter_here = {
      // hints and caches
      regs::VAP_PVS_STATE_FLUSH_REG::offset, regs::VAP_PVS_CODE_CNTL_1::offset, regs::TX_INVALTAGS::offset, regs::RS_COUNT::offset,
      // nothing in this scene comes near what they bound or decide
      regs::VAP_GB_VERT_CLIP_ADJ::offset, regs::VAP_GB_HORZ_CLIP_ADJ::offset, regs::VAP_VF_MAX_VTX_INDX::offset,
      regs::VAP_VF_MIN_VTX_INDX::offset, regs::VAP_CLIP_CNTL::offset, regs::SC_EDGERULE::offset, regs::TX_BORDER_COLOR::offset,
      // targets and features that are off; what they would switch on has its own test
      regs::US_OUT_FMT::at(1), regs::US_OUT_FMT::at(2), regs::US_OUT_FMT::at(3), regs::RB3D_ABLENDCNTL::offset,
      regs::SU_POLY_OFFSET_ENABLE::offset, regs::GB_ENABLE::offset, regs::PS3_ENABLE::offset, regs::RS_INST_COUNT::offset,
      regs::TX_FILTER1::offset};
  for (const auto& [offset, changes] : registers)
    EXPECT_TRUE(changes || cannot_matter_here.contains(offset)) << "no bit of register 0x" << std::hex << offset << " changes anything";
}

uint32_t mix(uint32_t v) { return (v ^ v >> 15) * 0x2C1B3C6Du; }

/// Damages `p` by the recipe of case `n`.
void damage(Packets& p, uint32_t n) {
  std::mt19937 random(mix(n + 1));
  const auto below = [&](size_t limit) { return static_cast<uint32_t>(random() % limit); };
  switch (n % 8) {
    case 0:
    case 1:
    case 2:  // flipped bits
      for (uint32_t k = 1 + below(8); k--;) p.words[below(p.words.size())] ^= 1u << below(32);
      break;
    case 3:  // cut off
      p.words.resize(1 + below(p.words.size()));
      break;
    case 4:  // random words
      for (uint32_t k = 1 + below(4); k--;) p.words[below(p.words.size())] = static_cast<uint32_t>(random());
      break;
    case 5: {  // a stretch lost
      const uint32_t first = below(p.words.size()), length = 1 + below(8);
      p.words.erase(p.words.begin() + first, p.words.begin() + std::min<size_t>(p.words.size(), first + length));
      break;
    }
    case 6: {  // a stretch moved
      const uint32_t from = below(p.words.size()), to = below(p.words.size());
      for (size_t k = 0; k < 16 && from + k < p.words.size() && to + k < p.words.size(); ++k) p.words[to + k] = p.words[from + k];
      break;
    }
    default: {  // random microcode and registers of the 3D engine, then the draw
      Packets q;
      for (uint32_t k = 1 + below(40); k--;) {
        const uint32_t offset = 0x2000 + below(0x3000 / 4) * 4, v = below(2) ? static_cast<uint32_t>(random()) : 1u << below(32);
        q.write(offset, {&v, 1});
      }
      for (const uint32_t port : {regs::GA_US_VECTOR_DATA::offset, regs::VAP_PVS_VECTOR_DATA_REG_128::offset}) {
        std::vector<uint32_t> code(24 + below(100));
        for (uint32_t& w : code) w = static_cast<uint32_t>(random());
        q.write_port(port, code);
      }
      q.append(draw(kTriangles, kTriangle));
      p.append(q);
    }
  }
}

class DamagedStreams : public testing::TestWithParam<uint32_t> {};
constexpr uint32_t kParts = 8;  ///< each has every eighth case
INSTANTIATE_TEST_SUITE_P(Damage, DamagedStreams, testing::Range(0u, kParts));

TEST_P(DamagedStreams, TheProcessLives) {
  Chip fresh;
  Scene fresh_scene(fresh);
  fresh_scene.clear();
  ASSERT_TRUE(fresh.run(fresh_scene.packets()));
  const auto good = fresh_scene.picture();

  Chip chip(Profile::r500, 20000);
  Scene scene(chip);
  uint32_t reports = 0, hung = 0;
  const FuzzRange range = fuzz_range(8000);
  for (uint32_t n = range.first; n < range.end(); ++n) {
    if (n % kParts != GetParam()) continue;
    SCOPED_TRACE(rerun(n));
    Packets p = scene.packets();
    damage(p, n);
    if (p.words.empty()) continue;
    if (!chip.run_to_the_end(p)) ++hung;
    chip.reset();
    if (n / kParts % 10 == 9) {
      scene.clear();
      ASSERT_TRUE(chip.run(scene.packets()));
      ASSERT_EQ(scene.picture(), good);
    }
  }
  reports = static_cast<uint32_t>(chip.reports().size());
  EXPECT_TRUE(!range.usual || reports > range.count / kParts / 20) << "damage is reported: " << reports;
  RecordProperty("hung", static_cast<int>(hung));
  RecordProperty("reports", static_cast<int>(reports));
}

}  // namespace
}  // namespace pumice::hw::test
