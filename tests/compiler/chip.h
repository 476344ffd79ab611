// SPDX-License-Identifier: MIT
/// Runs compiled microcode on the chip's shader engines, for comparison with the IR evaluator.
#pragma once
#include <bit>
#include <memory>

#include "compiler/compiler.h"
#include "compiler/fp24.h"
#include "compiler/ir/eval.h"
#include "compiler/us/compile.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/ref/vap/pvs_engine.h"

namespace pumice::compiler::testing {

/// What the evaluator's environment gives for every slot of a stage's constant file.
inline std::vector<std::array<float, 4>> constants(const ir::Module& module, const std::vector<ConstantRange>& ranges,
                                                   const ir::Environment& env) {
  std::vector<std::array<float, 4>> file(256);
  for (const ConstantRange& r : ranges) {
    for (uint32_t i = 0; i < r.count; i++) {
      const auto from = [&](const std::vector<float>& data, size_t first) {
        for (size_t c = 0; c < 4; c++) file[r.first_slot + i][c] = first + c < data.size() ? data[first + c] : 0.0f;
      };
      switch (r.source) {
        case ConstantRange::Source::immediate: from(r.immediate, i * 4); break;
        case ConstantRange::Source::push_constant:
        case ConstantRange::Source::uniform_block: {
          constexpr ir::Type kView[] = {ir::Type::f32, ir::Type::i32, ir::Type::u32};
          const bool push = r.source == ConstantRange::Source::push_constant;
          if (push && r.convert == ConstantRange::Convert::none) from(env.push, r.offset / 4 + i * 4);
          for (size_t u = 0; u < module.uniforms.size(); u++) {
            const ir::UniformBlock& b = module.uniforms[u];
            const bool place = push ? b.push : !b.push && TextureBinding{b.set, b.binding, b.element} == r.binding;
            if (b.immediate.empty() && place && b.view == kView[static_cast<int>(r.convert)]) from(env.uniforms[u], r.offset / 4 + i * 4);
          }
          break;
        }
        case ConstantRange::Source::driver: {
          uint32_t index = 0;
          for (size_t t = 0; t < module.textures.size(); t++) {
            if (module.textures[t].pair.image == r.binding) index = static_cast<uint32_t>(t);
          }
          file[r.first_slot + i] = env.parameter(r.parameter, index, i);
          break;
        }
      }
    }
  }
  return file;
}

/// The fragment engine with one program loaded.
class FragmentChip {
 public:
  explicit FragmentChip(hw::Profile profile = hw::Profile::r500)
      : memory_(hw::Memory::create()), state_(std::make_unique<hw::ChipState>(profile)), quad(std::make_unique<hw::PixelQuad>()) {
    hw::reset(*state_, profile);
    config_.on_report = [this](const hw::Report& r) { reports.push_back(r.text); };
  }

  void load(const ir::Module& module, const us::Compiled& c, const ir::Environment& env) {
    const FragmentProgram& p = c.program;
    if (!p.levels.empty()) return load_levels(module, c, env);
    for (size_t i = 0; i < p.code.size(); i++) state_->us_code[i] = p.code[i];
    const uint32_t last = static_cast<uint32_t>(p.code.size()) - 1;
    state_->set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(last));
    state_->set(regs::US_CODE_RANGE{}.CODE_ADDR(0).CODE_SIZE(last));
    state_->set(regs::US_PIXSIZE{}.PIX_SIZE(p.temps - 1));
    state_->set(regs::US_FC_CTRL{}.FULL_FC_EN(p.full_flow_control));
    for (uint32_t i = 0; i < 32; i++) state_->set(regs::US_FC_INT_CONST{p.int_constants[i]}, i);
    const auto file = constants(module, p.constants, env);
    for (size_t i = 0; i < file.size(); i++) {
      for (size_t k = 0; k < 4; k++) state_->us_const[i][k] = std::bit_cast<uint32_t>(file[i][k]);
    }
    routed_ = 0;
    for (const us::FragmentInput& in : c.inputs) route(in.temp);
    for (const auto& t : {p.frag_coord_xy_temp, p.front_facing_temp, p.point_coord_temp}) {
      if (t) route(*t);
    }
    if (c.position) route(c.position->temp);
  }

  /// quad->temp must hold the inputs.
  void run() {
    hw::DrawCounters counters;
    counters.instructions_left = 1'000'000;
    quad->quad.coverage = 15;
    hw::DrawContext context{*state_, *memory_, counters, config_};
    hw::us::run(context, *quad);
    hung = counters.hung;
  }

 private:
  void load_levels(const ir::Module& module, const us::Compiled& c, const ir::Environment& env) {
    namespace r300 = regs::r300;
    const FragmentProgram& p = c.program;
    for (uint32_t i = 0; i < p.levels.alu.size(); i++) {
      state_->set(r300::US_ALU_RGB_ADDR{p.levels.alu[i][0]}, i);
      state_->set(r300::US_ALU_ALPHA_ADDR{p.levels.alu[i][1]}, i);
      state_->set(r300::US_ALU_RGB_INST{p.levels.alu[i][2]}, i);
      state_->set(r300::US_ALU_ALPHA_INST{p.levels.alu[i][3]}, i);
    }
    for (uint32_t i = 0; i < p.levels.tex.size(); i++) state_->set(r300::US_TEX_INST{p.levels.tex[i]}, i);
    state_->set(r300::US_CONFIG{p.levels.config});
    state_->set(r300::US_CODE_OFFSET{p.levels.offset});
    for (uint32_t i = 0; i < 4; i++) state_->set(r300::US_CODE_ADDR{p.levels.level[i]}, i);
    state_->set(r300::US_PIXSIZE{}.PIX_SIZE(p.temps - 1));
    const auto file = constants(module, p.constants, env);
    for (uint32_t i = 0; i < 32; i++) {
      state_->set(r300::US_ALU_CONST_R{fp24_code(file[i][0])}, i);
      state_->set(r300::US_ALU_CONST_G{fp24_code(file[i][1])}, i);
      state_->set(r300::US_ALU_CONST_B{fp24_code(file[i][2])}, i);
      state_->set(r300::US_ALU_CONST_A{fp24_code(file[i][3])}, i);
    }
    routed_ = 0;
    const auto put = [&](uint32_t temp) {
      state_->set(r300::RS_INST{}.TEX_CN(1).TEX_ADDR(temp), routed_);
      state_->set(r300::RS_INST_COUNT{}.INST_COUNT(routed_));
      routed_++;
    };
    for (const us::FragmentInput& in : c.inputs) put(in.temp);
    if (p.point_coord_temp) put(*p.point_coord_temp);
    if (c.position) put(c.position->temp);
  }

  void route(uint32_t temp) {
    state_->set(regs::RS_INST{}.TEX_CN(1).TEX_ADDR(temp), routed_);
    state_->set(regs::RS_INST_COUNT{}.INST_COUNT(routed_));
    routed_++;
  }

  hw::Listener config_;
  std::unique_ptr<hw::Memory> memory_;
  std::unique_ptr<hw::ChipState> state_;
  uint32_t routed_ = 0;

 public:
  std::unique_ptr<hw::PixelQuad> quad;
  std::vector<std::string> reports;
  bool hung = false;
};

}  // namespace pumice::compiler::testing
