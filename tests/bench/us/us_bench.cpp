// SPDX-License-Identifier: MIT
/// Fragment programs: nanoseconds a 16-pixel block by kind of program and instruction set, and the time to compile them.
#include <benchmark/benchmark.h>

#include "hw/radeon/fast/texture/tx.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/us/translate.h"
#include "tests/bench/us/scene_programs.h"
#include "tests/hw/fast/us/shade_rig.h"

namespace pumice::hw::fast::us {
namespace {

using namespace us_test;
using Rgba = regs::US_ALU_RGBA_INST;
using Alpha = regs::US_ALU_ALPHA_INST;

Alu op(uint32_t rgb, uint32_t alpha, uint32_t dst, uint32_t a, uint32_t b, uint32_t c) { return Alu(rgb, alpha, dst).src(a, b, c); }
Alu mad(uint32_t dst, uint32_t a, uint32_t b, uint32_t c) { return op(Rgba::RGB_OP__MAD, Alpha::ALPHA_OP__MAD, dst, a, b, c); }
Alu saturated_out(uint32_t src) {
  Alu i = out(src).omod(0);
  i.cmn.RGB_CLAMP(1).ALPHA_CLAMP(1);
  return i;
}
Alu with_constant(Alu i, uint32_t slot, uint32_t index) {
  if (slot == 1)
    i.ra.ADDR1(index).ADDR1_CONST(1), i.aa.ADDR1(index).ADDR1_CONST(1);
  else
    i.ra.ADDR2(index).ADDR2_CONST(1), i.aa.ADDR2(index).ADDR2_CONST(1);
  return i;
}
/// All four channels from one alpha operation of the source's alpha.
Alu scalar(uint32_t alpha_op, uint32_t dst, uint32_t src) { return op(Rgba::RGB_OP__SOP, alpha_op, dst, src, src, src); }
Alu dot3(uint32_t dst, uint32_t a, uint32_t b) {
  Alu i = op(Rgba::RGB_OP__DP3, Alpha::ALPHA_OP__DP, dst, a, b, b);
  return i;
}

struct Kernel {
  const char* name;
  uint32_t instructions;  ///< that a pixel runs
  std::vector<Code> code;
  bool textured = false;  ///< unit 0: 256x256 RGBA8, bilinear, one texel a pixel
  const SceneProgram* scene = nullptr;
};

Code lookup(uint32_t dst, uint32_t src) {
  Cmn cmn;
  cmn.TYPE(Cmn::TYPE__TEXTURE).RGB_WMASK(7).ALPHA_WMASK(1);
  regs::US_TEX_ADDR addr;
  addr.SRC_ADDR(src).SRC_S_SWIZ(0).SRC_T_SWIZ(1).SRC_R_SWIZ(2).SRC_Q_SWIZ(3);
  addr.DST_ADDR(dst).DST_R_SWIZ(0).DST_G_SWIZ(1).DST_B_SWIZ(2).DST_A_SWIZ(3);
  return {cmn.raw, TexInst{}.INST(TexInst::INST__LD).raw, addr.raw};
}
/// n lookups around a place, weighted and summed.
std::vector<Code> blur(uint32_t n) {
  std::vector<Code> c;
  for (uint32_t i = 0; i < n; ++i) {
    c.push_back(with_constant(with_constant(mad(4, 0, 0, 0), 1, 100), 2, 64 + i));
    c.push_back(lookup(5, 4));
    c.push_back(with_constant(mad(6, 5, 0, 6), 1, i));
  }
  c.push_back(saturated_out(6));
  return c;
}

std::vector<Code> alu_chain(uint32_t n) {
  std::vector<Code> c;
  for (uint32_t i = 0; i < n; ++i)
    c.push_back(with_constant(with_constant(mad(4 + i % 4, 4 + (i + 1) % 4, 0, 0), 1, i % 32), 2, 32 + i % 32));
  c.push_back(saturated_out(4));
  return c;
}
std::vector<Code> transcendental(uint32_t alpha_op, uint32_t n) {
  std::vector<Code> c;
  for (uint32_t i = 0; i < n; ++i) c.push_back(scalar(alpha_op, 4 + i % 4, i % 4));
  for (uint32_t i = 0; i < 3; ++i) c.push_back(mad(4, 4 + i, 5 + i, 4));
  c.push_back(saturated_out(4));
  return c;
}
/// Normalise, two lights with specular by EX2 and LN2.
std::vector<Code> lit() {
  std::vector<Code> c;
  c.push_back(dot3(4, 0, 0));
  c.push_back(scalar(Alpha::ALPHA_OP__RSQ, 5, 4));
  c.push_back(mad(6, 0, 5, 9));
  for (uint32_t light = 0; light < 2; ++light) {
    c.push_back(with_constant(dot3(7, 6, 6), 1, light));
    Alu max = op(Rgba::RGB_OP__MAX, Alpha::ALPHA_OP__MAX, 7, 7, 9, 9);
    c.push_back(max);
    c.push_back(with_constant(mad(8, 7, 1, 8), 1, 4 + light));
    c.push_back(scalar(Alpha::ALPHA_OP__LN2, 7, 7));
    c.push_back(with_constant(mad(7, 7, 7, 9), 1, 8));
    c.push_back(scalar(Alpha::ALPHA_OP__EX2, 7, 7));
    c.push_back(mad(8, 7, 7, 8));
  }
  c.push_back(mad(8, 8, 1, 9));
  c.push_back(saturated_out(8));
  return c;
}
/// Loop of `body` MADs, 16 times, with a divergent break after some of them.
std::vector<Code> loop(uint32_t body, bool breaks) {
  std::vector<Code> c;
  c.push_back(Flow{1, 0, 0, 0, 0, 0, 0, 0, body + (breaks ? 7u : 2u), 0});
  for (uint32_t i = 0; i < body; ++i) c.push_back(with_constant(mad(4 + i % 4, 4 + (i + 1) % 4, 0, 0), 1, i % 32));
  if (breaks) {
    c.push_back(add_inline(2, kInlineOne));
    Alu compare = mad(8, 2, 2, 1);  // red of r2 - r1
    compare.ri.RED_SWIZ_B(kOne).ALU_WMASK(1), compare.x.RGB_MOD_C(1);
    compare.mask(0, 0).cmn.ALU_RESULT_SEL(0).ALU_RESULT_OP(2);
    c.push_back(compare);
    const uint32_t at = uint32_t(c.size());
    c.push_back(Flow{0, 0x0F, 0, 0, kIncr, 0, 0, 0, at + 3});
    c.push_back(Flow{5, 0xFF, 0, 0, 0, kDecr, 1, 0, at + 4});
    c.push_back(Flow{0, 0, 1, 0, kDecr, 0, 1, 0, at + 3});
  }
  c.push_back(Flow{2, 0xFF, 1, 0, 0, 0, 0, 0, 1, 0});
  c[0] = Flow{1, 0, 0, 0, 0, 0, 0, 0, uint32_t(c.size()), 0};
  c.push_back(saturated_out(4));
  return c;
}

std::vector<Kernel> kernels() {
  Alu flat = out(0).omod(0);
  flat.ra.ADDR0(3).ADDR0_CONST(1).ADDR1(3).ADDR1_CONST(1);
  flat.aa.ADDR0(3).ADDR0_CONST(1).ADDR1(3).ADDR1_CONST(1);
  return {
      {"flat", 1, {flat}},
      {"gouraud", 1, {saturated_out(0)}},
      {"mad16", 17, alu_chain(16)},
      {"mad128", 129, alu_chain(128)},
      {"lit", 19, lit()},
      {"rcp8", 12, transcendental(Alpha::ALPHA_OP__RCP, 8)},
      {"rsq8", 12, transcendental(Alpha::ALPHA_OP__RSQ, 8)},
      {"exp8", 12, transcendental(Alpha::ALPHA_OP__EX2, 8)},
      {"log8", 12, transcendental(Alpha::ALPHA_OP__LN2, 8)},
      {"sin8", 12, transcendental(Alpha::ALPHA_OP__SIN, 8)},
      {"loop8", 16 * 9 + 2, loop(8, false)},
      {"loop8break", 12 * 14 + 2, loop(8, true)},
      {"texture", 2, {lookup(4, 0), saturated_out(4)}, true},
      {"blur25", 76, blur(25), true},
  };
}

void set_up(Bench& b, const Kernel& k) {
  b.load(k.code);
  if (k.scene) b.state->set(regs::US_PIXSIZE{}.PIX_SIZE(k.scene->temps - 1));
  b.state->set(regs::US_FC_INT_CONST{}.KR(16), 0);
  for (uint32_t i = 0; i < 256; ++i)
    for (uint32_t c = 0; c < 4; ++c) b.state->us_const[i][c] = std::bit_cast<uint32_t>(0.25f + float(i * 4 + c) / 2048);
  if (k.scene) {
    for (uint32_t i = 0; i < 256; ++i)
      for (uint32_t c = 0; c < 4; ++c) b.state->us_const[i][c] = std::bit_cast<uint32_t>(k.scene->constants[i][c]);
    for (uint32_t i = 0; i < 32; ++i) b.state->set(regs::US_FC_INT_CONST{k.scene->int_constants[i]}, i);
  }
  b.layout.perspective = true;
  b.layout.count = 4;
  b.layout.interpolants = 16;
  for (uint8_t r = 0; r < 4; ++r) {
    b.layout.reg[r].address = r;
    for (uint8_t c = 0; c < 4; ++c) b.layout.reg[r].channel[c] = {RsSource::Kind::interpolant, uint8_t(4 * r + c), true};
  }
  if (k.scene) {
    b.layout.count = uint8_t(k.scene->varyings.size());
    for (size_t r = 0; r < k.scene->varyings.size(); ++r) b.layout.reg[r].address = uint8_t(k.scene->varyings[r]);
  }
  for (size_t i = 0; i < 16; ++i) {
    b.args.base[i] = i >= 4 && i < 8 ? 8.5f : i < 12 ? 0.3f : 0.1f;
    b.factors[i] = 1;
    for (size_t l = 0; l < kLanes; ++l) b.offsets[i].v[l] = float(l) / 64;
  }
  if (k.textured)
    for (int l = 0; l < kLanes; ++l)
      b.offsets[0].v[l] = float(lane_x(l)) / 256, b.offsets[1].v[l] = float(lane_y(l)) / 256, b.offsets[2].v[l] = b.offsets[3].v[l] = 0;
  b.args.base_w = 1;
  for (size_t l = 0; l < kLanes; ++l) b.offset_w.v[l] = float(l) / 1024;
}

void set_texture(Bench& b, tx::Prepared& unit, Cpu cpu) {
  using Filter = regs::TX_FILTER0;
  constexpr uint32_t kImage = 0x1000000;
  b.memory->map(kImage, 1 << 20);
  for (uint32_t i = 0; i < 1u << 20; i += 4) b.memory->store(kImage + i, i * 2654435761u);
  b.state->set(regs::TX_ENABLE{1});
  b.state->set(Filter().MIN_FILTER(Filter::MIN_FILTER__LINEAR).MAG_FILTER(Filter::MIN_FILTER__LINEAR));
  b.state->set(regs::TX_FORMAT1().TXFORMAT(regs::TX_FORMAT1::TXFORMAT__N8_8_8_8).SEL_GREEN(1).SEL_BLUE(2).SEL_ALPHA(3));
  b.state->set(regs::TX_FORMAT0().TXWIDTH(255).TXHEIGHT(255));
  b.state->set(regs::TX_OFFSET{kImage});
  tx::prepare(unit, *b.state, *b.memory, 0, cpu);
  b.unit_heads[0] = &unit;
}

void run(benchmark::State& state, const Kernel& k, Cpu cpu) {
  Bench b;
  set_up(b, k);
  tx::Prepared unit;
  if (k.textured) {
    for (uint32_t i = 0; i < 25 && !k.scene; ++i) {  // a texel away; the factor of the place is 1
      for (uint32_t c = 0; c < 4; ++c) b.state->us_const[64 + i][c] = std::bit_cast<uint32_t>(float(c ? i / 5 : i % 5) / 256);
    }
    for (uint32_t c = 0; c < 4 && !k.scene; ++c) b.state->us_const[100][c] = std::bit_cast<uint32_t>(1.0f);
    set_texture(b, unit, cpu);
  }
  b.prepare(cpu);
  if (!b.shade->native() && cpu != Cpu::portable) return state.SkipWithError(b.shade->why().c_str());
  const ShadeRoutine routine = b.shade->routine();
  const FlushDenormals flush;
  for (auto _ : state) {
    b.args.instructions_left = 1 << 30;
    routine(b.args);
    benchmark::ClobberMemory();
  }
  state.counters["ns/pixel"] = benchmark::Counter(16e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["ns/instruction/pixel"] =
      benchmark::Counter(double(k.instructions) * 16e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void compile_time(benchmark::State& state, const Kernel& k, Cpu cpu) {
  Bench b;
  set_up(b, k);
  b.prepare(cpu);
  for (auto _ : state) benchmark::DoNotOptimize(compile(*b.state, b.layout, cpu));
}
void translate_time(benchmark::State& state, const Kernel& k) {
  Bench b;
  set_up(b, k);
  const Reach r = reach(*b.state);
  for (auto _ : state) {
    Translator t(*b.state, b.layout, r, interpret);
    benchmark::DoNotOptimize(t.run());
  }
}
void key_time(benchmark::State& state, const Kernel& k) {
  Bench b;
  set_up(b, k);
  for (auto _ : state) benchmark::DoNotOptimize(ShadeKey(*b.state, b.layout, Cpu::avx512).hash());
}

}  // namespace
}  // namespace pumice::hw::fast::us

int main(int argc, char** argv) {
  using namespace pumice::hw::fast;
  benchmark::Initialize(&argc, argv);
  static auto kernels = us::kernels();
  static const auto scenes = us::scene_programs();
  for (const auto& s : scenes) kernels.push_back({s.name, uint32_t(s.code.size()), s.code, s.textured, &s});
  static constexpr const char* kNames[] = {"portable", "avx2", "avx512"};
  for (const auto& k : kernels) {
    for (const Cpu cpu : {Cpu::avx512, Cpu::avx2, Cpu::portable})
      if (runs(cpu)) benchmark::RegisterBenchmark((std::string(k.name) + "/" + kNames[int(cpu)]).c_str(), us::run, k, cpu);
    benchmark::RegisterBenchmark((std::string(k.name) + "/compile").c_str(), us::compile_time, k, best_cpu());
    benchmark::RegisterBenchmark((std::string(k.name) + "/translate").c_str(), us::translate_time, k);
    benchmark::RegisterBenchmark((std::string(k.name) + "/key").c_str(), us::key_time, k);
  }
  benchmark::RunSpecifiedBenchmarks();
}
