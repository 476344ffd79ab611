// SPDX-License-Identifier: MIT
/// Dispatches of extended programs: the reference, and native code of each instruction set on one thread. Items are invocations.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "hw/db/formats.h"
#include "hw/radeon/fast/extended/dispatch.h"
#include "tests/hw/fast/cpus.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

constexpr uint32_t kGroups = 64, kLanes = 64;

class Bench : public XRig {
 public:
  Bench() {
    constexpr uint32_t kBytes = kGroups * kLanes * 16;
    buffer(0, allocate(kBytes), kBytes), buffer(1, allocate(kBytes), kBytes);
    local_size(kLanes);
    set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(4 * kLanes));
  }
  using XRig::allocate;
  using XRig::dwords;
  using XRig::memory;
  using XRig::sets;
  void TestBody() override {}

  /// r1.x = the number of the invocation, r0.x = 16 times that.
  void prepare(const std::vector<Instruction>& middle) {
    std::vector<Instruction> code = {
        X{.op = XOp::SYS, .dest = 1, .mask = kX, .immediate = 35},
        X{.op = XOp::SYS, .dest = 2, .mask = kX, .immediate = 33},
        xi(XiOp::IMAD, 1, kX, r(2), n(kLanes), r(1)),
        xi(XiOp::SHL, 0, kX, r(1), n(4)),
    };
    const auto at_slot = uint16_t(code.size());
    code.insert(code.end(), middle.begin(), middle.end());
    for (Instruction& x : code)
      if (x.type == Type::FLOW_CONTROL) x.flow.target = uint16_t(x.flow.target + at_slot);
    program(code, {{bits(1.5f), bits(0.25f), bits(-2.0f), bits(3.0f)}, {bits(1.7f / 256), bits(1.9f / 256), bits(0.5f), bits(0.1f)}});
  }
  void dispatch(fast::extended::Dispatcher* native) {
    counters = {};
    counters.instructions_left = ~uint64_t{0} >> 1;
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    const DispatchInput input{{kGroups, 1, 1}, {}};
    if (!native) return execute_dispatch(ctx, input);
    if (!native->run(ctx, input, true)) std::abort();
  }
};

/// A texture of 256x256 with all levels in set 0 at 8, its sampler at 10.
void texture(Bench& bench, uint8_t format, uint32_t sampler, uint32_t dim = 1) {
  const uint32_t bytes = formats::info(format).bytes, layers = dim == 3 ? 6 : 1;
  const uint64_t at = bench.allocate(2 * 256 * 256 * bytes * layers);
  uint32_t* texels = bench.dwords(at);
  for (uint32_t i = 0; i < 256 * 256 * bytes / 4; ++i)
    texels[i] = bytes == 16 || format == formats::R32_SFLOAT ? bits(float(i % 97) / 97) : (i * 0x9E3779B1u & 0xBFFFBFFF);
  uint32_t* d = bench.dwords(bench.sets) + 32;
  d[0] = uint32_t(at), d[1] = uint32_t(at >> 32) | uint32_t(format) << 16 | dim << 24, d[2] = 255 | 255 << 16, d[3] = (layers - 1) << 16;
  d[4] = 8 << 4 | 8 << 8 | 0x688u << 12, d[5] = 256 * bytes, d[6] = 256 * 256 * bytes * 3 / 2 / 64, d[7] = 0;
  d[8] = sampler, d[9] = 0xFFFFu << 16, d[10] = d[11] = 0;
}
/// r3 = places about a texel apart, 8 rows of 8 invocations; then op, and its result is stored.
std::vector<Instruction> lookup(XOp op) {
  Instruction sample =
      X{.op = op, .dest = 4, .mask = kXyzw, .source = 3, .src2 = 6, .src3 = 6, .immediate = 10u << 14, .descriptor = {0, false, 0, 0, 8}};
  return {xi(XiOp::AND, 2, kX, r(1), n(7)),
          xi(XiOp::LSHR, 5, kX, r(1), n(3)),
          xi(XiOp::U2F, 2, kX, r(2)),
          xi(XiOp::U2F, 5, kX, r(5)),
          alu(AluOp::MAD, 3, 1, r(2), c(1).x(0), c(1).x(3)),
          alu(AluOp::MAD, 3, 2, r(5).x(), c(1).x(1), c(1).x(3)),
          alu(AluOp::MAD, 3, 4, r(5).x(), c(1).x(0), c(1).x(3)),
          sample,
          X{.op = XOp::STB, .source = 0, .src2 = 4, .components = 4, .descriptor = {0, false, 0, 0, 1}}};
}
constexpr uint32_t kBilinear = 3, kTrilinear = 7, kClamp = 2 << 3 | 2 << 6 | 2 << 9;
struct TextureCase {
  const char* name;
  XOp op;
  uint8_t format;
  uint32_t sampler, dim = 1;
} const kTextures[] = {{"nearest", XOp::SAMPLEL, formats::R8G8B8A8_UNORM, 0},
                       {"bilinear", XOp::SAMPLEL, formats::R8G8B8A8_UNORM, kBilinear | 1 << 24},
                       {"bilinear_clamp", XOp::SAMPLEL, formats::R8G8B8A8_UNORM, kBilinear | 1 << 24 | kClamp},
                       {"trilinear", XOp::SAMPLE, formats::R8G8B8A8_UNORM, kTrilinear},
                       {"srgb", XOp::SAMPLE, formats::R8G8B8A8_SRGB, kTrilinear},
                       {"half4", XOp::SAMPLE, formats::R16G16B16A16_SFLOAT, kTrilinear},
                       {"float1", XOp::SAMPLE, formats::R32_SFLOAT, kTrilinear},
                       {"cube", XOp::SAMPLE, formats::R8G8B8A8_UNORM, kTrilinear, 3},
                       {"anisotropic", XOp::SAMPLE, formats::R8G8B8A8_UNORM, kTrilinear | 16 << 17},
                       {"fetch", XOp::FETCH, formats::R8G8B8A8_UNORM, 0}};

const std::vector<Instruction>& code_of(const std::string& name) {
  static const std::vector<Instruction> copy = {
      X{.op = XOp::LDB, .dest = 3, .mask = kXyzw, .source = 0, .components = 4, .descriptor = {0, false, 0, 0, 0}},
      alu(AluOp::MAD, 3, kXyzw, r(3), c(0), c(0)),
      X{.op = XOp::STB, .source = 0, .src2 = 3, .components = 4, .descriptor = {0, false, 0, 0, 1}},
  };
  static const std::vector<Instruction> loop = [] {
    std::vector<Instruction> v = {flow(Jump::loop, 21)};
    for (int i = 0; i < 16; ++i) v.push_back(alu(AluOp::MAD, 3, kXyzw, r(3), c(0), c(0)));
    v.push_back(xi(XiOp::IADD, 4, kX, r(4), n(1)));
    Instruction test = xi(XiOp::IGE, 5, 0, r(4).x(), n(64).x());
    test.result_write = true, test.result_op = 3;
    v.push_back(test);
    v.push_back(flow(Jump::break_, 21));
    v.push_back(flow(Jump::endloop, 1));
    v.push_back(X{.op = XOp::STB, .source = 0, .src2 = 3, .components = 4, .descriptor = {0, false, 0, 0, 1}});
    return v;
  }();
  static const std::vector<Instruction> barriers = [] {
    std::vector<Instruction> v = {X{.op = XOp::SYS, .dest = 6, .mask = kX, .immediate = 35}, xi(XiOp::SHL, 6, kX, r(6), n(2)),
                                  xi(XiOp::XOR, 7, kX, r(6), n(64))};
    for (int i = 0; i < 8; ++i) {
      v.push_back(X{.op = XOp::STL, .source = 6, .src2 = 1});
      v.push_back(X{.op = XOp::BARRIER});
      v.push_back(X{.op = XOp::LDL, .dest = 1, .mask = kX, .source = 7});
      v.push_back(X{.op = XOp::BARRIER});
    }
    v.push_back(X{.op = XOp::STB, .source = 0, .src2 = 1, .descriptor = {0, false, 0, 0, 1}});
    return v;
  }();
  return name == "copy" ? copy : name == "loop" ? loop : barriers;
}

void run(benchmark::State& state, const std::string& name, int cpu) {
  Bench bench;
  const auto* const t = std::find_if(std::begin(kTextures), std::end(kTextures), [&](const TextureCase& c) { return c.name == name; });
  if (t != std::end(kTextures)) {
    texture(bench, t->format, t->sampler, t->dim);
    bench.prepare(lookup(t->op));
  } else {
    bench.prepare(code_of(name));
  }
  Team team(1);
  std::optional<fast::extended::Dispatcher> native;
  if (cpu >= 0) native.emplace(*bench.memory, team, fast::Cpu(cpu), fast::CodeNames{});
  for (auto _ : state) bench.dispatch(native ? &*native : nullptr);
  state.SetItemsProcessed(int64_t(state.iterations()) * kGroups * kLanes);
}

}  // namespace
}  // namespace pumice::hw::x_test

int main(int argc, char** argv) {
  using namespace pumice::hw;
  static constexpr const char* kNames[] = {"portable", "avx2", "avx512"};
  std::vector<std::string> names = {"copy", "loop", "barriers"};
  for (const auto& t : x_test::kTextures) names.push_back(t.name);
  for (const std::string& name : names) {
    benchmark::RegisterBenchmark((name + "/ref").c_str(), [name](benchmark::State& s) { x_test::run(s, name, -1); });
    for (const fast::Cpu cpu : fast::cpus())
      benchmark::RegisterBenchmark((name + "/" + kNames[int(cpu)]).c_str(),
                                   [name, cpu](benchmark::State& s) { x_test::run(s, name, int(cpu)); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
