// SPDX-License-Identifier: MIT
/// Random microcode, registers and draws: no crash, no read outside memory (sanitizers), bounded time, only finite vertices.
#include <cmath>
#include <random>

#include "tests/hw/vap/fixture.h"

namespace pumice::hw::test {
namespace {

class Fuzz : public VapTest {
 protected:
  void check() {
    for (const Collected& c : collector.primitives)
      for (const WindowVertex& v : c.v)
        EXPECT_TRUE(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.inv_w));
    drawn += collector.primitives.size();
    collector.primitives.clear();
    counters = {.instructions_left = 20000};
    reports.clear();
  }
  uint64_t drawn = 0;
};

TEST_F(Fuzz, RandomEverything) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    check();
    for (uint32_t offset = 0x2080; offset < 0x2600; offset += 4) state.reg[offset / 4] = random() & (random() & 1 ? random() : ~0u);
    state.reg[regs::GA_COLOR_CONTROL::offset / 4] = random();
    state.profile = random() % 4 ? Profile::r500 : Profile::r300;
    for (auto& word : state.pvs)
      for (uint32_t& x : word) x = random();
    state.set(state.get<regs::VAP_CNTL>().VAP_NO_RENDER(0));
    state.set(regs::VAP_ALT_NUM_VERTICES{}.NUM_VERTICES(random() % 300));
    // Often something that gets further than the first hurdle.
    if (random() & 1) state.set(regs::VAP_CNTL_STATUS{}.PVS_BYPASS(random() & 1).VC_SWAP(random() & 3));
    if (random() & 1) arrays(random() % 5);
    for (uint32_t i = 0; i < 16; ++i)
      if (random() & 3) array(i, kVertexAddress + (random() & 0xFFFF), random() & 0x7F, random() & 0x7F);
    std::vector<uint32_t> data(random() % 200);
    for (uint32_t& x : data) x = random() & 1 ? num::bits(float(int(random() % 7)) - 3) : random();
    run(Vf{uint32_t(random()) & 0xFFFF}.NUM_VERTICES(random() % 300), data);
  }
  check();
  EXPECT_GT(drawn, 1000u);  // or the test tests nothing
}

/// Valid pipelines with random positions: most primitives survive, clipping works on every plane and on huge numbers.
TEST_F(Fuzz, RandomPositionsThroughTheClipper) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    check();
    state.set(regs::VAP_CLIP_CNTL{uint32_t(random() & random() & 0x6003F)});
    state.set(regs::VAP_CNTL{}.DX_CLIP_SPACE_DEF(random() & 1));
    set_clip(seed % 5 ? 1.0f + float(random() % 30) : f(random()));
    std::vector<Vec4> v(30);
    for (Vec4& p : v)
      for (float& x : p) {
        const uint32_t kind = random() % 16;
        x = kind == 0 ? f(random()) : kind == 1 ? 0.0f : std::ldexp(float(int(random() % 2001) - 1000), int(random() % 16) - 12);
      }
    const Capabilities& chip = capabilities(state.profile);
    for (uint32_t i = 0; i < chip.pvs_clip_planes; ++i)
      for (uint32_t& x : state.pvs[chip.pvs_clip_plane_base + i]) x = random() % 8 ? num::bits(float(int(random() % 9) - 4)) : random();
    vertices(v);
    run(draw(random() & 15, 30));
  }
  check();
  EXPECT_GT(drawn, 5000u);
}

}  // namespace
}  // namespace pumice::hw::test
