// SPDX-License-Identifier: MIT
/// The inspector: its output agrees with what the chip did, and inspected draws write the same bytes.
#include <random>

#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/vertex_life.h"
#include "tests/hw/chip/us_slot.h"
#include "tests/hw/fast/draw/case.h"
#include "tests/hw/trace/rig.h"

namespace pumice::hw::trace::test {
namespace {

using hw::test::AluSlot;
using hw::test::bits;
using hw::test::TestVertex;

constexpr uint32_t kTriangles = 4;
const TestVertex kLower[] = {
    {{-1, 1, 0.25f, 1}, {0.5f, 0, 0, 1}}, {{1, 1, 0.25f, 1}, {0.5f, 0, 0, 1}}, {{-1, -1, 0.25f, 1}, {0.5f, 0, 0, 1}}};

bool contains(const std::vector<std::string>& lines, const std::string& what) {
  for (const std::string& l : lines)
    if (l.find(what) != std::string::npos) return true;
  return false;
}
std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

/// Inspects draws as `of` says; at most one life each.
class Looking final : public Watcher {
 public:
  std::function<Inspector*(uint64_t)> of;
  std::function<void(const DrawContext&)> before;
  bool one_by_one() const override { return true; }
  Inspector* inspector(uint64_t draw) override { return of ? of(draw) : nullptr; }
  void draw(const DrawContext& ctx, const DrawInput&) override {
    if (before) before(ctx);
  }
};

Player::Result look(const File& file, Watcher& watcher) {
  std::string error;
  auto reader = Reader::open(file.path(), error);
  EXPECT_TRUE(reader) << error;
  auto player = Player::create(std::move(reader), {}, watcher);
  return player->play();
}

/// A blended, textured, depth tested scene of two draws; the colour of the target afterwards.
struct Scene {
  File file;
  hw::test::Target target;
  std::vector<uint32_t> picture;

  explicit Scene(const std::function<void(Packets&)>& change = {}) {
    auto chip = std::make_unique<Chip>(recording(file));
    target = hw::test::make_target(*chip, 16, 16);
    const uint32_t texture = chip->allocate(16);
    for (uint32_t i = 0; i < 4; ++i) chip->memory(texture)[i] = 0xFF000000u | (i + 1) * 0x203040u;
    Packets p = hw::test::plain_state(target);
    p.append(hw::test::full_quad({0, 0.25f, 0.5f, 1}));
    p.set(regs::RB3D_BLENDCNTL().ALPHA_BLEND_ENABLE(1).READ_ENABLE(1).SRCBLEND(33).DESTBLEND(33));  // one, one
    // r1 = tex0(r0); r1 = r0 * c0 + r1 to target A, all channels.
    p.set(regs::TX_ENABLE{1});
    p.set(regs::TX_FILTER0().MAG_FILTER(2).MIN_FILTER(2).CLAMP_S(2).CLAMP_T(2));
    p.set(regs::TX_FORMAT0().TXWIDTH(1).TXHEIGHT(1).TXPITCH_EN(1));
    p.set(regs::TX_FORMAT1().TXFORMAT(6).SEL_ALPHA(3).SEL_RED(2).SEL_GREEN(1).SEL_BLUE(0));
    p.set(regs::TX_FORMAT2().TXPITCH(1));
    p.set(regs::TX_OFFSET{texture});
    AluSlot mad = hw::test::constants_slot(0, 0);
    mad.rgb_addr.ADDR0(0).ADDR0_CONST(0).ADDR1(0).ADDR1_CONST(1).ADDR2(1).ADDR2_CONST(0);
    mad.alpha_addr = regs::US_ALU_ALPHA_ADDR{mad.rgb_addr.raw};
    p.append(hw::test::fragment_program({hw::test::tex_slot(1, 0, 1).words(), mad.words()}, 2));
    p.append(hw::test::us_constants(0, {{bits(0.5f), bits(0.25f), bits(2.0f), bits(0.125f)}}));
    if (change) change(p);
    p.append(hw::test::draw(kTriangles, kLower));
    EXPECT_TRUE(chip->run(p));
    for (const Report& r : chip->reports()) ADD_FAILURE() << r.text;
    picture.assign(chip->memory(target.color), chip->memory(target.color) + size_t{16} * 16);
    chip.reset();
  }
};

TEST(Inspector, TellsTheLifeOfAPixel) {
  Scene scene;
  PixelLife life(3, 9, std::nullopt);
  Looking watcher;
  watcher.of = [&](uint64_t draw) { return draw == 2 ? &life : nullptr; };
  EXPECT_TRUE(look(scene.file, watcher).ok);
  const auto& lines = life.lines();
  EXPECT_EQ(life.primitives(), 1u);
  EXPECT_EQ(life.covering(), 1u);
  EXPECT_TRUE(contains(lines, "primitive 1: triangle")) << all(lines);
  EXPECT_TRUE(contains(lines, "edge 2: ")) << all(lines);
  EXPECT_TRUE(contains(lines, "r0 = (0.5, 0, 0, 1)  from RS_INST[0]")) << all(lines);
  EXPECT_TRUE(contains(lines, "texel (")) << all(lines);
  // The MAD reads what the fetch wrote and adds half of red.
  EXPECT_TRUE(contains(lines, "A (0.5, 0, 0)  B (0.5, 0.25, 2)  C (")) << all(lines);
  EXPECT_TRUE(contains(lines, "src*ONE + dst*ONE")) << all(lines);
  char stored[32];
  std::snprintf(stored, sizeof stored, "-> stored 0x%08x,", scene.picture[9 * 16 + 3]);
  EXPECT_TRUE(contains(lines, stored)) << stored << "\n" << all(lines);
}

/// The weights of a filter's texels, and their sum of the values, are what the fetch returns.
TEST(Inspector, TellsTexelsAndTheirWeights) {
  Scene scene;
  struct Texels final : Inspector {
    std::array<std::array<double, 4>, 4> sum{};
    std::array<double, 4> weight{};
    uint32_t now = 0;
    std::array<Vec4, 4> fetched{};
    uint32_t quads = 0;
    void lookup(const LookupStep& s) override { now = s.pixel; }
    void texel(const TexelStep& s) override {
      weight[now] += s.weight;
      for (uint32_t c = 0; c < 4; ++c) sum[now][c] += s.weight * double{s.value[c]};
    }
    void quad(const DrawContext&, const PixelQuad&) override { sum = {}, weight = {}; }
    void begins(const DrawContext&, PixelStage stage, const PixelQuad& q, std::span<const uint8_t>, uint32_t,
                const std::array<float, 4>*) override {
      if (stage != PixelStage::color) return;
      ++quads;
      for (uint32_t p = 0; p < 4; ++p) {
        EXPECT_EQ(weight[p], 1.0);
        EXPECT_NEAR(q.temp[1][p][0], sum[p][2], 1e-6);  // SEL_RED takes C2
        EXPECT_NEAR(q.temp[1][p][2], sum[p][0], 1e-6);
      }
    }
  } texels;
  Looking watcher;
  watcher.of = [&](uint64_t draw) { return draw == 2 ? &texels : nullptr; };
  EXPECT_TRUE(look(scene.file, watcher).ok);
  EXPECT_GT(texels.quads, 20u);
}

TEST(Inspector, ADrawThatIsLookedAtWritesTheSameBytes) {
  Scene scene;
  std::vector<std::unique_ptr<PixelLife>> lives;
  Looking watcher;
  watcher.of = [&](uint64_t) { return lives.emplace_back(std::make_unique<PixelLife>(1, 1, std::nullopt)).get(); };
  const Player::Result r = look(scene.file, watcher);
  EXPECT_TRUE(r.ok);
  EXPECT_FALSE(r.differs);
  EXPECT_EQ(lives.size(), 2u);
}

/// Random states and geometry (tests/hw/fast/draw): whatever a draw does, it can be told, and the bytes are the recorded ones.
TEST(Inspector, LooksIntoAnything) {
  std::mt19937 random(1);
  size_t told = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    File file;
    {
      auto chip = std::make_unique<Chip>(recording(file));
      const hw::test::Arena arena(*chip);
      arena.fill(*chip, seed);
      chip->run(hw::test::random_case(seed, arena));
      chip->reset();
    }
    std::vector<std::unique_ptr<PixelLife>> pixels;
    std::vector<std::unique_ptr<VertexLife>> vertices;
    Looking watcher;
    watcher.of = [&](uint64_t draw) -> Inspector* {
      if (draw % 4 == 0) return vertices.emplace_back(std::make_unique<VertexLife>(uint32_t(random() % 4))).get();
      const auto sample = random() % 2 ? std::optional<uint32_t>(random() % 4) : std::nullopt;
      return pixels.emplace_back(std::make_unique<PixelLife>(int32_t(random() % 64), int32_t(random() % 64), sample)).get();
    };
    std::unique_ptr<ChipState> before;
    watcher.before = [&](const DrawContext& ctx) {
      told += register_lines(ctx.state).size() + program_lines(ctx.state).size();
      if (before) told += difference_lines(*before, ctx.state, nullptr).size();
      before = std::make_unique<ChipState>(ctx.state);
    };
    const Player::Result r = look(file, watcher);
    EXPECT_TRUE(r.ok) << r.error;
    EXPECT_FALSE(r.differs) << "case " << seed;
    for (const auto& p : pixels) told += p->lines().size();
    for (const auto& v : vertices) told += v->lines().size();
  }
  EXPECT_GT(told, 10000u);
}

TEST(Inspector, SaysThatAPixelIsNotCovered) {
  Scene scene;
  PixelLife life(14, 2, std::nullopt);  // above the diagonal
  Looking watcher;
  watcher.of = [&](uint64_t draw) { return draw == 2 ? &life : nullptr; };
  EXPECT_TRUE(look(scene.file, watcher).ok);
  EXPECT_EQ(life.primitives(), 1u);
  EXPECT_EQ(life.covering(), 0u);
  EXPECT_TRUE(life.lines().empty());
}

TEST(Inspector, TellsKilledPixelsAndFailedTests) {
  Scene killed([](Packets& p) {
    const auto negative = hw::test::us_constants(0, {{bits(-1.0f), 0, 0, 0}});
    p.append(negative);
    AluSlot mad = hw::test::constants_slot(0, 0);  // r0 = c0 * c0... a negative number: c0 * 1 + 0 of the same constant
    mad.cmn = regs::US_CMN_INST().TYPE(0).TEX_SEM_WAIT(1).RGB_WMASK(7).ALPHA_WMASK(1);
    mad.rgb.RGB_SEL_B(0).RED_SWIZ_B(6).GREEN_SWIZ_B(6).BLUE_SWIZ_B(6);
    mad.rgba.RED_SWIZ_C(4).GREEN_SWIZ_C(4).BLUE_SWIZ_C(4);
    p.append(hw::test::fragment_program({mad.words(), hw::test::tex_slot(2, 0, 0).words(), hw::test::out_slot(0)}, 2));
  });
  PixelLife life(3, 9, std::nullopt);
  Looking watcher;
  watcher.of = [&](uint64_t draw) { return draw == 2 ? &life : nullptr; };
  EXPECT_TRUE(look(killed.file, watcher).ok);
  EXPECT_TRUE(contains(life.lines(), "-> the pixel is killed")) << all(life.lines());
  EXPECT_TRUE(contains(life.lines(), "the program discards the pixel")) << all(life.lines());
  EXPECT_FALSE(contains(life.lines(), "-> stored")) << all(life.lines());
}

TEST(Inspector, TellsTheLifeOfAVertex) {
  Scene scene;
  VertexLife life(1);
  Looking watcher;
  watcher.of = [&](uint64_t draw) { return draw == 2 ? &life : nullptr; };
  EXPECT_TRUE(look(scene.file, watcher).ok);
  const auto& lines = life.lines();
  EXPECT_GE(life.shaded(), 3u);
  EXPECT_TRUE(contains(lines, "fetched: 3f800000 3f800000 3e800000 3f800000 3f000000")) << all(lines);
  EXPECT_TRUE(contains(lines, "in0 = (1, 1, 0.25, 1)")) << all(lines);
  EXPECT_TRUE(contains(lines, "-> o0.xyzw = (1, 1, 0.25, 1)")) << all(lines);
  EXPECT_TRUE(contains(lines, "o1 = (0.5, 0, 0, 1)")) << all(lines);
  EXPECT_TRUE(contains(lines, "window x 16  y ")) << all(lines);
}

TEST(DrawState, NamesWhatDiffersAndWhoWroteIt) {
  Scene scene;
  struct Two final : Watcher {
    Writers writers{Profile::r500};
    std::unique_ptr<ChipState> before;
    std::vector<std::string> differences, registers, programs;
    void packet(const Where& where, std::span<const uint32_t> words) override { writers.packet(where, words); }
    void draw(const DrawContext& ctx, const DrawInput&) override {
      if (before) {
        differences = difference_lines(*before, ctx.state, &writers);
        registers = register_lines(ctx.state);
        programs = program_lines(ctx.state);
      }
      before = std::make_unique<ChipState>(ctx.state);
    }
  } watcher;
  EXPECT_TRUE(look(scene.file, watcher).ok);
  EXPECT_TRUE(contains(watcher.differences, "RB3D_BLENDCNTL = ")) << all(watcher.differences);
  EXPECT_TRUE(contains(watcher.differences, "by type 0 write of RB3D_BLENDCNTL at IB1")) << all(watcher.differences);
  EXPECT_FALSE(contains(watcher.differences, "RB3D_COLOROFFSET")) << all(watcher.differences);
  EXPECT_TRUE(contains(watcher.differences, "US constants: 1 differ, the first is 0")) << all(watcher.differences);
  EXPECT_TRUE(contains(watcher.registers, "TX_FORMAT1[0] = ")) << all(watcher.registers);
  EXPECT_TRUE(contains(watcher.programs, "c0 = (0.5, 0.25, 2, 0.125)")) << all(watcher.programs);
  EXPECT_TRUE(contains(watcher.programs, "TEX  LD r1.rgba, r0.rgba, tex0")) << all(watcher.programs);
}

}  // namespace
}  // namespace pumice::hw::trace::test
