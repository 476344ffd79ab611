// SPDX-License-Identifier: MIT
/// Dispatches of extended programs: the reference, and native code of each instruction set on one thread. Items are invocations.
#include <benchmark/benchmark.h>

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
  using XRig::memory;
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
    program(code, {{bits(1.5f), bits(0.25f), bits(-2.0f), bits(3.0f)}});
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
  bench.prepare(code_of(name));
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
  for (const std::string name : {"copy", "loop", "barriers"}) {
    benchmark::RegisterBenchmark((name + "/ref").c_str(), [name](benchmark::State& s) { x_test::run(s, name, -1); });
    for (const fast::Cpu cpu : fast::cpus())
      benchmark::RegisterBenchmark((name + "/" + kNames[int(cpu)]).c_str(), [name, cpu](benchmark::State& s) { x_test::run(s, name, int(cpu)); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
