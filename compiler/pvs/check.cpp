// SPDX-License-Identifier: MIT
/// The rules a PVS program must obey before the chip sees it (pvs-isa 1, 2.3, 4, 5, 6). Runs over the final words.
#include <algorithm>

#include "compiler/memory.h"
#include "compiler/pvs/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

using D = regs::PVS_INST_DST;
using S = regs::PVS_INST_SRC;

class Checker {
 public:
  explicit Checker(const CheckInput& input) : input_(input) {}

  std::vector<std::string> run() {
    if (input_.code.empty()) problems_.push_back("empty program");
    if (input_.code.size() > has_.slots)
      problems_.push_back(std::to_string(input_.code.size()) + " instructions, the store has " + std::to_string(has_.slots));
    for (at_ = 0; at_ < input_.code.size(); at_++) {
      x_ = unpack(input_.code[at_]);
      instruction();
    }
    return std::move(problems_);
  }

 private:
  void problem(const std::string& text) {
    problems_.push_back("instruction " + std::to_string(at_) + ": " + text + "   [" + disassemble(x_) + "]");
  }

  void instruction() {
    if (op_info(x_).reserved) problem("reserved opcode");
    if (!has_.compares && !op_info(x_).r300) problem("an operation that the R3xx lacks");
    if (!has_.saturates && (x_.vector_saturate || x_.math_saturate)) problem("a clamped result");
    for (const Source& s : x_.source)
      if (s.abs && !has_.absolute) problem("an absolute operand");
    if (const std::optional<Illegal> illegal = find_illegal(input_.code[at_], x_))
      problem(std::string(illegal->name) + " = " + std::to_string(illegal->value) + " is reserved");
    destination();
    // Unused operands are fetched too: all three count for the port rules.
    Vec<const Source*> inputs, constants, temps;
    for (unsigned i = 0; i < (x_.dual_math ? 2u : 3u); i++) {
      const Source& s = x_.source[i];
      source(s);
      if (s.file == S::PVS_SRC_REG_TYPE__INPUT) distinct(inputs, s);
      if (s.file == S::PVS_SRC_REG_TYPE__CONSTANT) distinct(constants, s, true);
      if (s.file == S::PVS_SRC_REG_TYPE__TEMPORARY) distinct(temps, s);
    }
    if (inputs.size() > 1) problem("two input registers in one instruction");
    if (constants.size() > 1) problem("two constant registers in one instruction");
    if (x_.engine == Engine::vector && VectorOp{x_.op} == VectorOp::MULTIPLY_ADD && temps.size() > 2)
      problem("MAD of three temporaries needs the macro form");
    const bool address_op = x_.engine == Engine::vector && info(VectorOp{x_.op}).to_address;
    const bool address_dst = x_.dst_file == D::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0;
    if (address_op != address_dst && x_.write) problem("A0 is written by FLT2FIX and by nothing else");
  }

  static void distinct(Vec<const Source*>& list, const Source& s, bool relative_conflicts = false) {
    for (const Source* o : list) {
      const bool same = o->offset == s.offset && o->addressing == s.addressing && o->a0_lane == s.a0_lane;
      if (same && !(relative_conflicts && s.addressing != Addressing::absolute)) return;
    }
    list.push_back(&s);
  }

  void destination() {
    const auto limit = [&](const char* file, unsigned count) {
      if (x_.write && x_.dst >= count)
        problem(std::string(file) + " " + std::to_string(x_.dst) + " does not exist, there are " + std::to_string(count));
    };
    switch (x_.dst_file) {
      case D::PVS_DST_REG_TYPE__TEMPORARY: limit("temporary", has_.temps); break;
      case D::PVS_DST_REG_TYPE__ADDRESS_REGISTER_A0: limit("address register", 1); break;
      case D::PVS_DST_REG_TYPE__OUTPUT:
      case D::PVS_DST_REG_TYPE__OUTPUT_WITH_X_REPLICATED: limit("output", has_.outputs); break;
      case D::PVS_DST_REG_TYPE__ALTERNATE_TEMPORARY:
      case D::PVS_DST_REG_TYPE__INPUT_MEMORY: limit("register", has_.inputs); break;
      default: problem("reserved destination file"); break;
    }
  }

  void source(const Source& s) {
    if (s.addressing == Addressing::reserved) problem("reserved address mode");
    for (uint8_t c : s.swizzle) {
      if (c > swz::one) problem("reserved swizzle");
    }
    if (s.addressing != Addressing::absolute) {
      if (x_.engine >= Engine::macro) problem("macro operation with relative addressing");
      return;
    }
    const unsigned count = s.file == S::PVS_SRC_REG_TYPE__TEMPORARY  ? has_.temps
                           : s.file == S::PVS_SRC_REG_TYPE__CONSTANT ? has_.constants
                                                                     : has_.inputs;
    if (s.offset >= count) problem("source register " + std::to_string(s.offset) + " does not exist, there are " + std::to_string(count));
  }

  const CheckInput& input_;
  const ChipLimits::Vertex& has_ = input_.limits;
  std::vector<std::string> problems_;
  Instruction x_;
  size_t at_ = 0;
};

}  // namespace

std::vector<std::string> check(const CheckInput& input) { return Checker(input).run(); }

}  // namespace pumice::compiler::pvs
