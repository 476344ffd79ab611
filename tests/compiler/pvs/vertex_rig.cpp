// SPDX-License-Identifier: MIT
#include "tests/compiler/pvs/vertex_rig.h"

#include <cmath>
#include <map>
#include <random>

#include "compiler/isa/error.h"
#include "compiler/pvs/compile.h"
#include "tests/compiler/chip.h"

namespace pumice::compiler::testing {
namespace {

class Numbers {
 public:
  explicit Numbers(uint32_t seed) : random_(seed) {}
  /// Multiples of 1/1024 in [-2, 2].
  float next() { return static_cast<float>(static_cast<int>(random_() % 4097) - 2048) / 1024.0f; }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  std::mt19937 random_;
};

struct Vertex {
  std::map<uint32_t, ir::Vec4> location;
  float vertex_index = 0, instance_index = 0;
};

ir::Environment environment(const ir::Module& m, const Vertex& vertex, uint32_t seed) {
  ir::Environment env;
  for (const ir::UniformBlock& u : m.uniforms) {
    Numbers numbers(seed + u.binding * 7 + u.set * 31);
    std::vector<float>& data = env.uniforms.emplace_back();
    for (int i = 0; i < 1024; i++) data.push_back(numbers.next());
  }
  Numbers numbers(seed + 1000);
  for (int i = 0; i < 64; i++) env.push.push_back(numbers.next());
  env.parameter = [](ConstantRange::Parameter p, uint32_t, uint32_t) { return ir::Vec4{0.5f, static_cast<float>(p), 3, 4}; };
  env.inputs.assign(1, {});
  for (const ir::Input& in : m.inputs) {
    ir::Vec4 v{};
    if (in.builtin == ir::Builtin::vertex_index) v[0] = vertex.vertex_index;
    if (in.builtin == ir::Builtin::instance_index) v[0] = vertex.instance_index;
    for (unsigned l = 0; in.builtin == ir::Builtin::none && l < in.comps; l++) v[l] = vertex.location.at(in.location)[in.component + l];
    env.inputs[0].push_back(v);
  }
  return env;
}

uint32_t output_register(const ir::Output& o) { return o.builtin == ir::Builtin::position ? 0u : 1 + o.location; }

}  // namespace

void expect_same_vertex(const ir::Module& reference, const ir::Module& chip, const std::string& text, float tolerance, uint32_t seed,
                        unsigned vertices) {
  std::vector<pvs::OutputTarget> targets;
  for (const ir::Output& o : chip.outputs) {
    if (o.builtin != ir::Builtin::point_size) targets.push_back({o.builtin, o.location, output_register(o), {}, 15});
  }
  VertexProgram program;
  std::string log;
  try {
    program = pvs::compile(chip, targets, &log, kR500);
  } catch (const isa::Unsupported& e) {
    FAIL() << e.what() << "\n" << log << text;
  }
  Numbers numbers(seed);
  auto state = std::make_unique<hw::ChipState>(hw::Profile::r500);
  hw::reset(*state, hw::Profile::r500);
  for (size_t i = 0; i < program.code.size(); i++) state->pvs[i] = program.code[i];
  state->set(regs::VAP_PVS_FLOW_CNTL_OPC{program.flow_opc});
  for (uint32_t i = 0; i < program.flow.size(); i++) {
    state->set(regs::VAP_PVS_FLOW_CNTL_ADDRS_LW{program.flow[i][0]}, i);
    state->set(regs::VAP_PVS_FLOW_CNTL_ADDRS_UW{program.flow[i][1]}, i);
    state->set(regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX{program.flow[i][2]}, i);
  }
  const uint32_t last = static_cast<uint32_t>(program.code.size()) - 1;
  state->set(regs::VAP_PVS_CODE_CNTL_0{}.PVS_FIRST_INST(0).PVS_XYZW_VALID_INST(last).PVS_LAST_INST(last));
  state->set(regs::VAP_PVS_CONST_CNTL{}.PVS_CONST_BASE_OFFSET(0).PVS_MAX_CONST_ADDR(255));
  for (unsigned n = 0; n < vertices; n++) {
    Vertex vertex;
    for (uint32_t location = 0; location < 16; location++)
      vertex.location[location] = {numbers.next(), numbers.next(), numbers.next(), numbers.next()};
    vertex.vertex_index = static_cast<float>(numbers.below(36));
    vertex.instance_index = static_cast<float>(numbers.below(8));
    const ir::Evaluation expected = ir::evaluate(reference, environment(reference, vertex, seed));
    ASSERT_EQ(expected.error, "") << text;

    hw::vap::PvsInputs inputs{};
    for (const VertexInput& i : program.inputs) {
      switch (i.kind) {
        case VertexInput::Kind::attribute:
          for (unsigned l = 0; l < i.components; l++) inputs[i.reg][l] = vertex.location.at(i.location)[l];
          break;
        case VertexInput::Kind::vertex_index: inputs[i.reg][0] = vertex.vertex_index; break;
        case VertexInput::Kind::instance_index: inputs[i.reg][0] = vertex.instance_index; break;
      }
    }
    const auto file = constants(chip, program.constants, environment(chip, vertex, seed));
    for (size_t i = 0; i < file.size(); i++) {
      for (size_t k = 0; k < 4; k++) state->pvs[1024 + i][k] = std::bit_cast<uint32_t>(file[i][k]);
    }
    const hw::vap::PvsProgram decoded = hw::vap::decode_program(*state);
    ASSERT_EQ(decoded.complaint, "") << log;
    hw::vap::PvsOutputs outputs{};
    uint64_t budget = 2'000'000;
    ASSERT_TRUE(hw::vap::run_program(decoded, *state, inputs, outputs, budget));
    const ir::Invocation& e = expected.invocations[0];
    for (size_t o = 0; o < reference.outputs.size(); o++) {
      const ir::Output& out = reference.outputs[o];
      if (out.builtin == ir::Builtin::point_size) continue;
      for (unsigned l = 0; l < out.comps; l++) {
        if (!(e.outputs_written[o] >> l & 1)) continue;
        const float have = outputs[output_register(out)][out.component + l], want = e.outputs[o][l];
        const bool same =
            have == want || (std::isnan(have) && std::isnan(want)) || std::fabs(have - want) <= tolerance * (1 + std::fabs(want));
        ASSERT_TRUE(same) << "vertex " << n << " output " << o << " lane " << l << ": chip " << have << ", evaluator " << want << "\n"
                          << text << log;
      }
    }
  }
}

}  // namespace pumice::compiler::testing
