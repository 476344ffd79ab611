// SPDX-License-Identifier: MIT
/// The rules a US program must obey before the chip sees it (us-isa A2..A9, Part C; docs/r5x.md, 2 to 4). Runs over the finished
/// slots, so that it does not share a mistake with the passes that made them.
#include <algorithm>

#include "compiler/memory.h"
#include "compiler/us/machine.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using regs::US_FC_INST;

constexpr uint8_t kPresubtracted = regs::US_ALU_RGB_INST::RGB_SEL_A__SRCP;
constexpr uint8_t kCopyExactly = regs::US_ALU_RGB_INST::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;

class Checker {
 public:
  Checker(std::span<const Instruction> code, const CheckInput& input) : input_(input), code_(code) {}

  std::vector<std::string> run() {
    if (code_.empty()) problem(0, "empty program");
    if (const uint32_t slots = input_.chip->fragment.slots; code_.size() > slots)
      problem(0, std::to_string(code_.size()) + " slots, the store has " + std::to_string(slots));
    for (size_t i = 0; i < code_.size(); i++) {
      at_ = i;
      switch (code_[i].type) {
        case Type::TEXTURE: texture(code_[i]); break;
        case Type::FLOW_CONTROL: flow(code_[i]); break;
        default:
          if (suspicious(code_[i])) alu(code_[i]);
          break;
      }
      semaphore(code_[i]);
    }
    if (!code_.empty()) {
      at_ = code_.size() - 1;
      if (depth_ != 0 || loops_ != 0) problem("unbalanced branch or loop");
    }
    if (!code_.empty() && !extended_) {
      if (code_.back().type != Type::OUTPUT) problem("the last instruction is not an OUT");
      if (!code_.back().tex_sem_wait) problem("the last instruction lacks TEX_SEM_WAIT");
    }
    return problems_;
  }

 private:
  void problem(size_t at, const std::string& text) {
    problems_.push_back("slot " + std::to_string(at) + ": " + text + (at < code_.size() ? "   [" + disassemble(code_[at]) + "]" : ""));
  }
  void problem(const std::string& text) { problem(at_, text); }

  void temp(unsigned index, const char* what) {
    if (index >= input_.frame_size)
      problem(std::string(what) + " r" + std::to_string(index) + " is outside the frame of " + std::to_string(input_.frame_size));
  }

  /// False only if alu() would find nothing. Computed without jumps: nearly every slot is fine, and all are different.
  bool suspicious(const Instruction& x) const {
    const AluOpInfo &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
    bool bad = reserved(x.rgb.op) | rgb.derivative | reserved(x.alpha.op) | alpha.derivative;
    bad |= ((x.rgb.op == AluOp::XI) | (x.alpha.op == AluOp::XI)) & !extended_;
    bad |= rgb.takes_scalar & !alpha.scalar;
    bad |= alpha.takes_dot & !rgb.dot;
    bad |= x.depth_write & (x.type != Type::OUTPUT);
    bad |= x.result_write & (x.type == Type::OUTPUT);
    return bad | suspicious(x, x.rgb, false) | suspicious(x, x.alpha, true);
  }
  bool suspicious(const Instruction& x, const Unit& u, bool alpha_unit) const {
    bool bad = false;
    for (const Address& a : u.address) {
      bad |= (a.file == Address::File::temp) & (a.value >= input_.frame_size);
      bad |= (a.file == Address::File::constant) & (a.value >= input_.chip->fragment.constants);
      bad |= (a.file == Address::File::inline_float) & a.relative;
    }
    bad |= (u.write != 0) & (u.dest >= input_.frame_size);
    const unsigned written = u.write & (alpha_unit ? 1u : 7u);
    for (const Operand& o : u.operand) {
      unsigned unused = 0;
      for (unsigned i = 0; i < 3; i++) unused |= static_cast<unsigned>(o.swizzle[i] == swz::unused) << i;
      bad |= ((unused & written) != 0) | (o.select == kPresubtracted);
    }
    bad |= (u.op != AluOp::XI) & (u.omod == kCopyExactly) & (!info(u.op).exact | u.clamp);
    bad |= (u.op == AluOp::XI) & u.clamp;
    return bad | ((x.type == Type::OUTPUT) & (u.output != 0) & (u.target >= targets_));
  }

  void alu(const Instruction& x) {
    unit(x, x.rgb, false);
    unit(x, x.alpha, true);
    const AluOpInfo &rgb = info(x.rgb.op), &alpha = info(x.alpha.op);
    if (reserved(x.rgb.op) || (x.rgb.op == AluOp::XI && !extended_)) problem("reserved RGB opcode");
    if (reserved(x.alpha.op) || (x.alpha.op == AluOp::XI && !extended_)) problem("reserved alpha opcode");
    for (const Unit* u : {&x.rgb, &x.alpha}) {
      if (u->op != AluOp::XI || !extended_) continue;
      if (x.type != Type::ALU) problem("XI outside an ALU instruction");
      if (reserved(u->xi()) || !takes_operands(*u)) problem("XI: reserved operation, or an operand form that it does not have");
      if (u->clamp) problem("XI with clamp");
    }
    if (rgb.takes_scalar && !alpha.scalar) problem("SOP without a scalar alpha operation");
    if (alpha.takes_dot && !rgb.dot) problem("alpha DP without an RGB dot product");
    if (x.depth_write && x.type != Type::OUTPUT) problem("W_OMASK outside an OUT instruction");
    if (x.result_write && x.type == Type::OUTPUT) problem("ALU result and output in one instruction");
    derivative(x);
    presubtract(x);
  }

  void unit(const Instruction& x, const Unit& u, bool alpha_unit) {
    for (const Address& a : u.address) {
      if (a.file == Address::File::temp) temp(a.value, "source");
      if (a.file == Address::File::constant && a.value >= input_.chip->fragment.constants)
        problem("constant c" + std::to_string(a.value) + " is not loaded");
      if (a.file == Address::File::inline_float && a.relative) problem("inline constant with relative addressing");
    }
    if (u.write) temp(u.dest, "destination");
    for (const Operand& o : u.operand) {
      for (int i = 0; i < (alpha_unit ? 1 : 3); i++) {
        if (o.swizzle[i] == swz::unused && (u.write >> i & 1)) problem("written channel reads an unused swizzle");
      }
    }
    if (u.omod == kCopyExactly && u.op != AluOp::XI) {
      if (!info(u.op).exact) problem("OMOD 7 is legal only with MIN, MAX, CND, CMP");
      if (u.clamp) problem("clamp with OMOD 7");
    }
    if (x.type == Type::OUTPUT && u.output && u.target >= targets_) problem("no such render target");
  }

  /// True when the slot before `at_` executes directly before it and writes one of the channels of the address.
  bool just_written(const Address& a, unsigned rgb_channels, unsigned alpha_channel) const {
    if (a.file != Address::File::temp || at_ == 0) return false;
    const Instruction& p = code_[at_ - 1];
    if (p.type != Type::ALU && p.type != Type::OUTPUT) return false;
    if (a.relative || p.rgb.dest_relative || p.alpha.dest_relative) return true;
    return (p.rgb.write & rgb_channels && p.rgb.dest == a.value) || (p.alpha.write & alpha_channel && p.alpha.dest == a.value);
  }
  void need_nop(const char* why) {
    if (at_ && !code_[at_ - 1].nop) problem(std::string(why).append(" reads a register the previous instruction writes without NOP"));
  }

  void derivative(const Instruction& x) {
    if (info(x.rgb.op).derivative && just_written(x.rgb.address[0], 7, 0)) need_nop("MDH/MDV");
    if (info(x.alpha.op).derivative && just_written(x.alpha.address[0], 0, 1)) need_nop("MDH/MDV");
  }

  void presubtract(const Instruction& x) {
    for (bool alpha_unit : {false, true}) {
      const Unit& u = alpha_unit ? x.alpha : x.rgb;
      const bool used = std::any_of(u.operand.begin(), u.operand.end(), [](const Operand& o) { return o.select == kPresubtracted; });
      if (!used) continue;
      for (int i = 0; i < (u.presubtract == 1 || u.presubtract == 2 ? 2 : 1); i++) {
        if (just_written(u.address[i], alpha_unit ? 0 : 7, alpha_unit ? 1 : 0)) need_nop("presubtract");
      }
    }
  }

  void texture(const Instruction& x) {
    const Texture& t = x.tex;
    if (t.inst == TexOp::X) return slot(x);
    if (reserved(t.inst)) problem("reserved texture instruction");
    if (t.acquire && !x.tex_sem_wait) problem("acquiring TEX must wait for the semaphore itself");
    if (t.inst == TexOp::NOP) return;
    temp(t.source.temp, "coordinate");
    if (t.inst != TexOp::TEXKILL) temp(t.dest.temp, "destination");
    if (t.inst == TexOp::DXDY) temp(t.dx.temp, "gradient"), temp(t.dy.temp, "gradient");
    if (at_ && !x.alu_wait && !x.tex_sem_wait) {
      const Instruction& p = code_[at_ - 1];
      const bool hit = (p.rgb.write && p.rgb.dest == t.source.temp) || (p.alpha.write && p.alpha.dest == t.source.temp);
      if ((p.type == Type::ALU || p.type == Type::OUTPUT) && hit)
        problem("TEX reads a register the previous instruction writes without ALU_WAIT");
    }
  }

  void slot(const Instruction& x) {
    if (!extended_) return problem("reserved texture instruction");
    const Extended& e = x.tex.x;
    if (reserved(e.op)) return problem("reserved X operation");
    const XOpInfo& op = info(e.op);
    const Port* const source[] = {&x.tex.source, &x.tex.dx, &x.tex.dy};
    for (unsigned i = 0; i < op.sources; i++) temp(source[i]->temp, "source");
    if (!op.exports && (x.rgb.write || x.alpha.write)) temp(x.tex.dest.temp, "destination");
    if (e.descriptor.indirect) temp(e.descriptor.temp, "descriptor index");
    if (e.width == 3) problem("reserved width");
  }

  /// Tracks texture results in flight: an instruction that accesses one must wait first (A7). None may be in flight across control flow.
  void semaphore(const Instruction& x) {
    if (x.type == Type::TEXTURE && x.tex.inst == TexOp::X) return;
    if (x.tex_sem_wait) {
      flight_.erase(flight_.begin(), flight_.begin() + static_cast<std::ptrdiff_t>(covered_));
      covered_ = 0;
    }
    const auto in_flight = [&](unsigned reg) { return std::find(flight_.begin(), flight_.end(), reg) != flight_.end(); };
    if (x.type == Type::FLOW_CONTROL) {
      if (!flight_.empty()) problem("control flow with texture results in flight");
      return;
    }
    if (x.type == Type::TEXTURE) {
      const Texture& t = x.tex;
      if (t.inst == TexOp::NOP) return;
      if (in_flight(t.source.temp)) problem("TEX reads a texture result in flight");
      if (t.inst == TexOp::DXDY && (in_flight(t.dx.temp) || in_flight(t.dy.temp))) problem("TEX reads a texture result in flight");
      if (t.inst != TexOp::TEXKILL) flight_.push_back(t.dest.temp);
      if (t.acquire) covered_ = flight_.size();
      return;
    }
    if (flight_.empty()) return;
    for (const Unit* u : {&x.rgb, &x.alpha}) {
      for (const Address& a : u->address) {
        if (a.file == Address::File::temp && !flight_.empty() && (a.relative || in_flight(a.value)))
          problem("reads r" + std::to_string(a.value) + ", a texture result in flight");
      }
      if (u->write && in_flight(u->dest)) problem("writes r" + std::to_string(u->dest) + ", a texture result in flight");
    }
  }

  void flow(const Instruction& x) {
    const Flow& f = x.flow;
    if (!x.alu_wait) problem("flow control without ALU_WAIT");
    if (f.branch_op0 == 3 || f.branch_op1 == 3 || f.address_op == 3) problem("reserved flow-control code");
    const bool loop_op = f.op != FlowOp::JUMP;
    if (loop_op && !input_.full_flow_control) problem("loop instruction in partial flow-control mode");
    if (!f.global && f.target >= code_.size()) {
      if (f.target > code_.size() || (f.jump_func != 0 && !extended_)) problem("jump outside the program");
    }
    if (info(f.op).begins_loop) loops_++;
    if (info(f.op).ends_loop) {
      if (--loops_ < 0) problem("end of a loop that did not begin"), loops_ = 0;
    }
    // What is jumped over is where deep jumps land and finish leaving branches (FlowWriter::land).
    constexpr uint8_t kAlways = 0xFF;
    if (extended_ && f.op == FlowOp::JUMP && f.jump_func == kAlways) landing_end_ = std::max<size_t>(landing_end_, f.target);
    if (f.op == FlowOp::JUMP && f.address_op == 0 && at_ >= landing_end_) {
      if (f.branch_op0 == US_FC_INST::B_OP0__INCREMENT && !f.is_else) depth_++;
      if (f.branch_op0 == US_FC_INST::B_OP0__DECREMENT) depth_ -= f.pop_count;
      if (depth_ < 0) problem("end of a branch that did not begin"), depth_ = 0;
      const auto limit = static_cast<int>(input_.full_flow_control ? input_.chip->branch_depth : input_.chip->flat_branch_depth);
      if (depth_ > limit && !extended_) problem("branch nesting " + std::to_string(depth_) + ", the mode allows " + std::to_string(limit));
    }
    if (reserved(f.op) || ((f.op == FlowOp::XLOOP || f.op == FlowOp::XENDLOOP) && !extended_)) problem("reserved flow-control operation");
    if (const auto depth = static_cast<int>(input_.chip->fragment.loop_depth); loops_ > depth && !extended_)
      problem("loop nesting " + std::to_string(loops_) + ", " + std::to_string(depth) + " are known to work");
  }

  const CheckInput& input_;
  const bool extended_ = input_.chip->memory;
  const uint32_t targets_ = input_.chip->fragment.targets;
  std::span<const Instruction> code_;
  std::vector<std::string> problems_;
  size_t at_ = 0;
  Vec<unsigned> flight_;
  size_t covered_ = 0;  ///< the first so many are released together with the semaphore
  int depth_ = 0, loops_ = 0;
  size_t landing_end_ = 0;
};

}  // namespace

std::vector<std::string> check(std::span<const Instruction> code, const CheckInput& input) { return Checker(code, input).run(); }

std::vector<std::string> check(const CheckInput& input) {
  Vec<Instruction> code;
  code.reserve(input.code.size());
  for (const Words& w : input.code) code.push_back(unpack(w));
  std::vector<std::string> problems = check(code, input);
  for (size_t i = 0; i < code.size(); i++) {
    if (const std::optional<Illegal> illegal = find_illegal(input.code[i], code[i], input.chip->memory ? Level::r5x : Level::r500))
      problems.push_back("slot " + std::to_string(i) + ": " + illegal->name + " = " + std::to_string(illegal->value) + " is reserved");
  }
  return problems;
}

}  // namespace pumice::compiler::us
