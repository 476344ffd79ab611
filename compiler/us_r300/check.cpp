// SPDX-License-Identifier: MIT
/// The rules a program of the R3xx must obey before the chip sees it (us-isa B1..B4). Runs over the words.
#include <algorithm>

#include "compiler/us/machine.h"
#include "compiler/us_r300/machine.h"
#include "hw/db/regs_r300.h"
#include "hw/db/us_r300_form.h"

namespace pumice::compiler::us_r300 {
namespace {

namespace alu = ::pumice::isa::us_r300;
namespace tex = ::pumice::isa::us_r300_tex;

class Checker {
 public:
  explicit Checker(const CheckInput& input) : input_(input), p_(input.program) {}

  std::vector<std::string> run() {
    const ChipLimits::Fragment& has = input_.chip->fragment;
    if (p_.alu.size() > has.slots) add(std::to_string(p_.alu.size()) + " ALU instructions, the store has " + std::to_string(has.slots));
    if (p_.tex.size() > has.tex_slots)
      add(std::to_string(p_.tex.size()) + " texture instructions, the store has " + std::to_string(has.tex_slots));
    const regs::r300::US_CONFIG config{p_.config};
    if (config.NLEVEL() >= has.levels) add("US_CONFIG.NLEVEL = " + std::to_string(config.NLEVEL()));
    const regs::r300::US_CODE_OFFSET offset{p_.offset};
    if (offset.ALU_CODE_OFFSET() || offset.TEX_CODE_OFFSET()) add("a program that does not begin at instruction 0 of its stores");
    uint32_t next_tex = 0, next_alu = 0;
    for (const Level& l : levels_of(p_)) {
      if (l.alu != next_alu || (l.tex_count && l.tex != next_tex)) add("a level that does not follow the one before");
      next_alu += l.alu_count;
      next_tex += l.tex_count;
      if (next_alu > p_.alu.size() || next_tex > p_.tex.size()) {
        add("a level beyond the program");
        return problems_;
      }
      std::array<bool, 64> fetched{};
      for (uint32_t i = l.tex; i < l.tex + l.tex_count; i++) texture(i, fetched);
      for (uint32_t i = l.alu; i < l.alu + l.alu_count; i++) arithmetic(i, l);
    }
    if (next_alu != p_.alu.size() || next_tex != p_.tex.size()) add("instructions that no level executes");
    return problems_;
  }

 private:
  void add(const std::string& text) { problems_.push_back(text); }

  void texture(uint32_t i, std::array<bool, 64>& fetched) {
    const tex::Words words{p_.tex[i]};
    const tex::Instruction x = tex::unpack(words);
    const auto problem = [&](const std::string& text) { add("texture instruction " + std::to_string(i) + ": " + text); };
    if (const auto illegal = tex::find_illegal(words, x)) problem(std::string(illegal->name) + " = " + std::to_string(illegal->value));
    const bool fetches = x.inst != tex::TexOp::NOP && x.inst != tex::TexOp::TEXKILL;
    if (x.inst != tex::TexOp::NOP) {
      if (x.source >= input_.frame_size) return problem("r" + std::to_string(x.source) + " is outside the frame");
      if (fetched[x.source]) problem("coordinates that come from a lookup of the same level");
    }
    if (!fetches) return;
    if (x.dest >= input_.frame_size) return problem("r" + std::to_string(x.dest) + " is outside the frame");
    if (x.unit >= input_.chip->fragment.texture_units) problem("texture unit " + std::to_string(x.unit));
    fetched[x.dest] = true;
  }

  void arithmetic(uint32_t i, const Level& level) {
    const alu::Words words{p_.alu[i][0], p_.alu[i][1], p_.alu[i][2], p_.alu[i][3], 0};
    const auto problem = [&](const std::string& text) {
      add("ALU instruction " + std::to_string(i) + ": " + text + "   [" + us::disassemble(alu::widen(alu::unpack(words))) + "]");
    };
    if (const auto illegal = alu::find_illegal(words)) return problem(std::string(illegal->name) + " = " + std::to_string(illegal->value));
    const ::pumice::isa::us_r500::Instruction x = alu::widen(alu::unpack(words));
    if (((x.rgb.output | x.alpha.output) != 0) && !level.color) problem("a colour in a level without RGBA_OUT");
    if (x.depth_write && !level.depth) problem("depth in a level without W_OUT");
    const bool dot = !reserved(x.rgb.op) && info(x.rgb.op).dot, scalar = !reserved(x.alpha.op) && info(x.alpha.op).scalar;
    if (info(x.alpha.op).takes_dot && !dot) problem("DP without a dot product");
    if (info(x.rgb.op).takes_scalar && !scalar) problem("SOP without a scalar operation");
    unit(x.rgb, false, problem);
    unit(x.alpha, true, problem);
  }

  template <class Problem>
  void unit(const ::pumice::isa::us_r500::Unit& u, bool alpha, const Problem& problem) {
    if (u.omod == 7) problem("OMOD 7");
    if (u.write && u.dest >= input_.frame_size) problem("r" + std::to_string(u.dest) + " is outside the frame");
    for (const ::pumice::isa::us_r500::Address& a : u.address) {
      if (a.file == ::pumice::isa::us_r500::Address::File::temp && a.value >= input_.frame_size && a.value)
        problem((alpha ? "alpha address r" : "RGB address r") + std::to_string(a.value) + " is outside the frame");
    }
  }

  const CheckInput& input_;
  const FragmentLevels& p_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> check(const CheckInput& input) { return Checker(input).run(); }

}  // namespace pumice::compiler::us_r300
