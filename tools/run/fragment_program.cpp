// SPDX-License-Identifier: MIT
#include "tools/run/fragment_program.h"

#include <algorithm>
#include <bit>

#include "compiler/fp24.h"
#include "hw/radeon/asm/assembly.h"
#include "hw/radeon/decode/us/r300.h"

namespace pumice::run {
namespace {

namespace r300 = regs::r300;
using isa::us_r500::Type;

void load_levels(hw::ChipState& state, const compiler::FragmentProgram& program, const std::vector<Vec4>& constants) {
  const compiler::FragmentLevels& l = program.levels;
  for (uint32_t i = 0; i < l.alu.size(); ++i) {
    state.set(r300::US_ALU_RGB_ADDR{l.alu[i][0]}, i);
    state.set(r300::US_ALU_ALPHA_ADDR{l.alu[i][1]}, i);
    state.set(r300::US_ALU_RGB_INST{l.alu[i][2]}, i);
    state.set(r300::US_ALU_ALPHA_INST{l.alu[i][3]}, i);
  }
  for (uint32_t i = 0; i < l.tex.size(); ++i) state.set(r300::US_TEX_INST{l.tex[i]}, i);
  state.set(r300::US_CONFIG{l.config});
  state.set(r300::US_CODE_OFFSET{l.offset});
  for (uint32_t i = 0; i < l.level.size(); ++i) state.set(r300::US_CODE_ADDR{l.level[i]}, i);
  state.set(r300::US_PIXSIZE{}.PIX_SIZE(program.temps - 1));
  for (uint32_t i = 0; i < r300::US_ALU_CONST_R::count; ++i) {
    state.set(r300::US_ALU_CONST_R{compiler::fp24_code(constants[i][0])}, i);
    state.set(r300::US_ALU_CONST_G{compiler::fp24_code(constants[i][1])}, i);
    state.set(r300::US_ALU_CONST_B{compiler::fp24_code(constants[i][2])}, i);
    state.set(r300::US_ALU_CONST_A{compiler::fp24_code(constants[i][3])}, i);
  }
}

/// The register of a word of an ALU instruction of the R3xx.
uint32_t level_word(uint32_t word, uint32_t slot) {
  switch (word) {
    case 0: return r300::US_ALU_RGB_ADDR::at(slot);
    case 1: return r300::US_ALU_ALPHA_ADDR::at(slot);
    case 2: return r300::US_ALU_RGB_INST::at(slot);
    default: return r300::US_ALU_ALPHA_INST::at(slot);
  }
}

void show_only(hw::ChipState& s, uint32_t slots, uint32_t shown) {
  for (uint32_t slot = 0; slot < slots; ++slot) {
    isa::us_r300::Words words{};
    for (uint32_t w = 0; w < 4; ++w) words[w] = s.reg[level_word(w, slot) / 4];
    isa::us_r300::Instruction x = isa::us_r300::unpack(words);
    for (isa::us_r300::Unit* u : {&x.rgb, &x.alpha}) {
      u->output = slot == shown ? u->write | u->output : 0;
      u->target = 0;
    }
    words = isa::us_r300::pack(x);
    for (uint32_t w = 0; w < 4; ++w) s.reg[level_word(w, slot) / 4] = words[w];
  }
  for (uint32_t level = 0; level < r300::US_CODE_ADDR::count; ++level) s.set(s.get<r300::US_CODE_ADDR>(level).RGBA_OUT(1), level);
}

/// OUT of two temps, bits as they are.
isa::us_r500::Words out_of(uint8_t rgb, uint8_t alpha) {
  isa::us_r500::Instruction out;
  out.type = Type::OUTPUT;
  out.tex_sem_wait = true;
  for (isa::us_r500::Unit* u : {&out.rgb, &out.alpha}) {
    const bool is_alpha = u == &out.alpha;
    u->op = isa::us_r500::AluOp::MAX;
    u->omod = regs::US_ALU_RGB_INST::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;
    u->address[0] = {isa::us_r500::Address::File::temp, is_alpha ? alpha : rgb, false};
    u->operand[0] = u->operand[1] = {0, {uint8_t(is_alpha ? 3 : 0), 1, 2}, 0};
    u->output = is_alpha ? 1 : 7;
  }
  return isa::us_r500::pack(out);
}

}  // namespace

void load_fragment_program(hw::ChipState& state, const compiler::FragmentProgram& program, const std::vector<Vec4>& constants) {
  if (!program.levels.empty()) return load_levels(state, program, constants);
  const uint32_t last = uint32_t(program.code.size()) - 1;
  std::copy(program.code.begin(), program.code.end(), state.us_code.begin());
  state.set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(last));
  state.set(regs::US_CODE_RANGE{}.CODE_ADDR(0).CODE_SIZE(last));
  state.set(regs::US_PIXSIZE{}.PIX_SIZE(program.temps - 1));
  state.set(regs::US_FC_CTRL{}.FULL_FC_EN(program.full_flow_control));
  for (uint32_t i = 0; i < program.int_constants.size(); ++i) state.set(regs::US_FC_INT_CONST{program.int_constants[i]}, i);
  for (size_t i = 0; i < constants.size(); ++i)
    for (size_t c = 0; c < 4; ++c) state.us_const[i][c] = std::bit_cast<uint32_t>(constants[i][c]);
}

void flip_fragment_bit(hw::ChipState& state, const compiler::FragmentProgram& program, const Flip& flip) {
  const uint32_t bit = 1u << (flip.bit % 32);
  if (program.levels.empty())
    state.us_code[flip.slot % state.us_code.size()][flip.word % 6] ^= bit;
  else
    state.reg[level_word(flip.word % 4, flip.slot % uint32_t(program.levels.alu.size())) / 4] ^= bit;
}

void end_fragment_program(hw::ChipState& s, const compiler::FragmentProgram& program, uint32_t last) {
  if (!program.levels.empty()) return show_only(s, uint32_t(program.levels.alu.size()), last);
  const isa::us_r500::Instruction x = isa::us_r500::unpack(s.us_code[last]);
  uint32_t end = last;
  if (x.type != Type::OUTPUT && x.type != Type::FLOW_CONTROL && last + 1 < s.us_code.size())
    s.us_code[++end] = x.type == Type::TEXTURE ? out_of(x.tex.dest.temp, x.tex.dest.temp) : out_of(x.rgb.dest, x.alpha.dest);
  s.set(regs::US_CODE_ADDR{}.START_ADDR(0).END_ADDR(end));
  s.set(regs::US_CODE_RANGE{}.CODE_ADDR(0).CODE_SIZE(uint32_t(s.us_code.size()) - 1));
}

uint32_t execution_place(const hw::ChipState& state, uint32_t alu) {
  const hw::us_r300::Program program = hw::us_r300::program(state);
  uint32_t place = 0;
  for (uint32_t seen = 0; place < program.code.size(); ++place)
    if (program.code[place].type != Type::TEXTURE && seen++ == alu) break;
  return place;
}

std::string fragment_instruction(const hw::ChipState& state, const compiler::FragmentProgram& program, uint32_t slot) {
  if (program.levels.empty()) return hw::assembly::us_text(program.code[slot]);
  const hw::us_r300::Program row = hw::us_r300::program(state);
  if (slot >= row.code.size()) return "";
  // In the form of the R5xx, without the bits that only that has.
  const std::string text = hw::assembly::us_text(isa::us_r500::pack(row.code[slot]));
  return text.substr(0, text.find("  !"));
}

}  // namespace pumice::run
