// SPDX-License-Identifier: MIT
/// The selector's working state, shared by these files only:
///   select.cpp             dispatch, names, vectors       select_interface.cpp  inputs and outputs
///   select_operands.cpp    sources, emission              select_texture.cpp    lookups and kill
///   select_arithmetic.cpp  scalars, dots, comparisons     select_flow.cpp       branches, loops, edges
/// and of chips with extension blocks (docs/r5x.md):
///   select_x.cpp           dispatch                       select_integers.cpp   XI: integers, booleans, exact floats, quads
///   select_stages.cpp      inputs, outputs, built-ins     select_memory.cpp     XM, XT: memory, images, lanes of the group
/// Rules of selection (us-isa A4, A5): add = MAD a,1,b; mov = MAX a,a with OMOD 7 (bit exact); comparisons from the sign of a difference
/// with CMP; sel = CND; floor = a - FRC a; derivatives = MDH/MDV with B = -1 on a register read lane by lane; kill = TEXKILL of -1/+1.
#pragma once
#include <bit>
#include <span>

#include "compiler/ir/induction.h"
#include "compiler/isa/places.h"
#include "compiler/us/select.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {

using isa::kNoLane;
using isa::Place;

namespace select_detail {
using A = regs::US_ALU_ALPHA_INST;
inline constexpr uint8_t kCopy = A::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP;

inline isa::Operand literal(float value) {
  isa::Operand o;
  o.place.kind = Place::Kind::immediate;
  o.place.value.fill(value);
  o.place.lane = {0, 1, 2, 3};
  return o;
}
inline isa::Operand literal_bits(uint32_t bits) { return literal(std::bit_cast<float>(bits)); }
/// Every component where it is, without modifiers.
inline bool reads_whole(const ir::Module& module, const ir::Source& s) {
  for (uint8_t l = 0; l < module.comps(s.value); ++l)
    if (s.swizzle[l] != l) return false;
  return !s.abs && !s.negate;
}
inline isa::Operand whole(const Place& place) { return {place, {0, 1, 2, 3}, false, false}; }
inline isa::Operand negated(isa::Operand o) {
  o.negate = !o.negate;
  return o;
}
inline isa::Operand negated_abs(isa::Operand o) {
  o.abs = true;
  o.negate = true;
  return o;
}

/// How an operand is read.
struct Read {
  OperandClass as = OperandClass::real;
  bool modifiers = true;
};
/// Of an integer operand: bitwise not, which is the modifier that floats have as absolute.
inline isa::Operand inverted(isa::Operand o) {
  o.abs = true;
  return o;
}

class Selector {
 public:
  Selector(const ir::Module& module, isa::ConstantFile& constants, const Options& options)
      : module_(module),
        constants_(constants),
        options_(options),
        places_(module, {kRgbChannels, kRgbChannels, kRgbChannels, kAlphaChannel}, lir_.registers) {}

  Lir run() {
    lir_.ops.reserve(module_.values.size());
    list(module_.body);
    if (options_.chip->memory) finish_stage();
    return std::move(lir_);
  }

 private:
  struct Modify {
    bool clamp = false;
    uint8_t omod = 0;
    bool derivative = false;
  };
  /// A lane of an operand that a texture port reads.
  struct PortLane {
    isa::Operand operand;
    uint8_t lane;
  };
  struct LoopFrame {
    const ir::Node* node;
    unsigned depth;
    bool two_level;
    int step;     ///< of the constants that the loop indexes, else 0
    bool nested;  ///< has loops inside, where aL is theirs
    Place left;   ///< two-level loops: 1.0 in pixels that broke out
  };

  // select_operands.cpp
  float immediate_lane(const isa::Operand& o, unsigned lane) const;
  using Lanes = isa::Small<uint8_t, 4>;
  VSource source(const isa::Operand& o, const Lanes& lanes, Read read = {});
  VSource immediate(const isa::Operand& o, const Lanes& lanes);
  VSource integer_immediate(const isa::Operand& o, const Lanes& lanes, bool modifiers);
  VSource constant(VSource s, std::span<const float> values, std::span<const size_t> slots);
  void emit(const Op& op) {
    lir_.ops.push_back(op);
    if (!op.at) lir_.ops.back().at = place_;
  }
  bool alpha_lane(const Place& dst, unsigned lane);
  void cw(AluOp code, const Place& dst, std::initializer_list<isa::Operand> operands, Modify m);
  void componentwise(AluOp code, XiOp xi, const Place& dst, std::span<const isa::Operand> operands, Modify m);
  void move(const Place& dst, const isa::Operand& o, bool clamp = false);
  Place temp_like(const Place& dst);
  /// Class for a scalar that either unit could compute: keep both equally busy.
  uint8_t scalar_class() const { return rgb_load_ <= alpha_load_ ? kRgbChannels : kAlphaChannel; }

  // select.cpp
  void instruction(const ir::Instruction& x);
  void mov(const ir::Instruction& x);
  bool volatile_registers(const Place& p) const;
  void vec(const ir::Instruction& x);

  // select_arithmetic.cpp
  void scalar(const ir::Instruction& x, AluOp op);
  void finish_scalar(Op& out, VUnit a, const Place& d, unsigned lane, AluOp rgb_op, bool clamp);
  void dot(const ir::Instruction& x, unsigned n);
  void compare(const ir::Instruction& x);
  void derivative(const ir::Instruction& x, AluOp code);

  // select_interface.cpp
  uint32_t entry_register();
  Place entry(std::optional<uint32_t>& slot);
  void load_input(const ir::Instruction& x);
  void frag_coord(const ir::Instruction& x);
  void store(const ir::Instruction& x);

  // select_texture.cpp
  using Ports = isa::Small<unsigned, 4>;
  VSource port(const Vec<PortLane>& lanes, const Ports& ports, Place home);
  VSource whole_port(const Vec<PortLane>& lanes, const Ports& ports, Place home);
  void texture(const ir::Instruction& x);
  void kill(const ir::Instruction& x);

  // select_x.cpp
  bool extended(const ir::Instruction& x);

  // select_integers.cpp
  void xi(XiOp op, const Place& dst, std::initializer_list<isa::Operand> operands);
  void saturated(const ir::Instruction& x, XiOp op, std::initializer_list<isa::Operand> operands);
  bool integers(const ir::Instruction& x);
  bool exact_floats(const ir::Instruction& x);
  bool packing(const ir::Instruction& x);

  // select_stages.cpp
  bool stages(const ir::Instruction& x);
  void system_value(const ir::Instruction& x, uint32_t number);
  void varying(const ir::Instruction& x, unsigned sub);
  void load_x_input(const ir::Instruction& x);
  void store_x_output(const ir::Instruction& x);
  void finish_stage();
  void export_to(uint32_t to, const isa::Operand& o, unsigned mask, unsigned first_channel);

  // select_memory.cpp
  struct Slot {
    Op op;
    XSlot x;
  };
  Slot slot(XOp op) const;
  void emit_slot(Slot& s);
  VSource port_of(const ir::Source& source, unsigned lanes);
  VSource port_of(const isa::Operand& o, unsigned lanes);
  VSource zero_port();
  void result(Slot& s, const ir::Instruction& x, unsigned first_channel = 0);
  void address(Slot& s, const ir::Source& source, uint32_t offset);
  void descriptor(Slot& s, const ir::Instruction& x);
  void sampler(Slot& s, const ir::Instruction& x);
  void memory(const ir::Instruction& x, XOp op, bool described);
  void store_memory(const ir::Instruction& x, XOp op, bool described);
  void atomic(const ir::Instruction& x, XOp op, bool described);
  void images(const ir::Instruction& x, XOp op);
  void numbers(const ir::Instruction& x);
  void sample(const ir::Instruction& x);
  void constant_array(const ir::Instruction& x);
  bool memory_and_lanes(const ir::Instruction& x);

  // select_flow.cpp
  void flow(Op::Kind kind, unsigned pop = 0);
  void note_place(const ir::Instruction& x);
  void copies(const Vec<ir::ValueId>& destinations, const Vec<ir::Source>& args);
  bool needs_copy(ir::ValueId destination, const ir::Source& source);
  void name_results(const ir::Node& loop);  ///< loop_results.cpp
  void condition(const isa::Operand& cond, bool wanted = true);
  bool conditional_break(const ir::Node& n);
  void list(const ir::NodeList& nodes);
  void branch(const ir::Node& n);
  void loop(const ir::Node& n);
  uint8_t counter(int step);
  void counted_constant(const ir::Instruction& x);
  /// Made when first needed, which few programs do.
  const ir::Inductions& inductions() { return known_inductions_ ? *known_inductions_ : known_inductions_.emplace(module_); }
  void jump(const ir::Node& n);

  /// A program of the R3xx (us-isa B): texture instructions take and give whole registers, constants are in the constant file alone.
  bool levels() const { return options_.chip->fragment.levels != 0; }

  const ir::Module& module_;
  const uint32_t* place_ = nullptr;  ///< of the last instruction that comes from one of the shader
  isa::ConstantFile& constants_;
  const Options& options_;
  Lir lir_;
  isa::Places places_;
  unsigned depth_ = 0;
  unsigned rgb_load_ = 0, alpha_load_ = 0;
  std::optional<ir::Inductions> known_inductions_;  ///< inductions()
  Vec<LoopFrame> loops_;
  Vec<uint32_t> loop_registers_;
  std::optional<uint32_t> zero_;  ///< a register that is never written: 0 (docs/r5x.md, 2)
  const Vec<ir::ValueId>* yield_to_ = nullptr;
};

}  // namespace select_detail
}  // namespace pumice::compiler::us
