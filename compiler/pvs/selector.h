// SPDX-License-Identifier: MIT
/// What the files of selection share (select.cpp, select_operands.cpp, select_loops.cpp, select_interface.cpp).
#pragma once
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "compiler/isa/places.h"
#include "compiler/pvs/select.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {

using isa::kNoLane;
using isa::Operand;
using isa::Place;

inline Operand literal(float value) {
  Operand o;
  o.place.kind = Place::Kind::immediate;
  o.place.value.fill(value);
  o.place.lane = {0, 1, 2, 3};
  return o;
}
inline Operand whole(const Place& place) { return {place, {0, 1, 2, 3}, false, false}; }

class Selector {
 public:
  Selector(const ir::Module& module, isa::ConstantFile& constants, const std::vector<OutputTarget>& outputs, const ChipLimits& chip,
           bool notes_places)
      : module_(module),
        constants_(constants),
        outputs_(outputs),
        chip_(chip),
        notes_places_(notes_places),
        written_(outputs.size()),
        places_(module, {15, 15, 15, 15}, out_.lir.registers) {}
  Selected run();

 private:
  using V = regs::PVS_INST_DST;
  using M = regs::PVS_INST_DST_MATH;

  // select_operands.cpp
  VSource source(const Operand& o, const Vec<uint8_t>& lanes);
  VSource immediate(const Operand& o, const Vec<uint8_t>& lanes);
  void emit(Op op);
  void take_absolute(const Op& op, VSource& s);
  void emit_saturated(Op op);
  void copy_to_register(VSource& s);
  void cw(uint8_t code, const Place& dst, std::initializer_list<Operand> operands, bool saturate = false);
  Place temp_like(const Place& dst);
  void move(const Place& dst, const Operand& o, bool saturate = false) { cw(V::PVS_DST_OPCODE__ADD, dst, {o, literal(0)}, saturate); }

  // select_loops.cpp
  /// index = scale * counter of the innermost loop + offset.
  struct Affine {
    float scale = 0, offset = 0;
  };
  void collect(const ir::NodeList& list);
  void nodes(const ir::NodeList& list);
  void loop(const ir::Node& n);
  void mark(Op::Kind kind, unsigned rounds);
  void copies(std::span<const ir::ValueId> to, std::span<const ir::Source> from);
  std::optional<Affine> affine(const ir::Source& s, unsigned lane, int depth = 0) const;
  std::optional<uint32_t> loop_slot(const ir::Source& index, uint32_t slot);

  // select.cpp
  void block(const Vec<ir::Instruction>& instructions);
  void instruction(const ir::Instruction& x);
  bool select_narrow(const ir::Instruction& x);
  void scalar(const ir::Instruction& x, uint8_t code);
  void dot(const ir::Instruction& x, unsigned n);
  void mov(const ir::Instruction& x);
  void vec(const ir::Instruction& x);

  // select_interface.cpp
  void load_input(const ir::Instruction& x);
  void load_constant(const ir::Instruction& x);
  uint8_t address(const ir::Source& index);
  void move_to_output(uint32_t reg, uint8_t mask, const Operand& o, unsigned shift, bool saturate);
  void store(const ir::Instruction& x);

  const ir::Module& module_;
  isa::ConstantFile& constants_;
  const std::vector<OutputTarget>& outputs_;
  const ChipLimits& chip_;
  const bool notes_places_;
  Vec<uint8_t> written_;
  Selected out_;
  isa::Places places_;
  const uint32_t* place_ = nullptr;  ///< of the last instruction that has one
  std::array<ir::Source, 4> a0_{};
  unsigned next_a0_ = 0;
  Vec<const ir::Instruction*> definitions_;
  struct LoopFrame {
    size_t mark;          ///< its operation
    ir::ValueId counter;  ///< none: aL is not used
    float step;           ///< of aL, 0: free
  };
  Vec<LoopFrame> loops_;
  Vec<uint32_t> loop_registers_;  ///< of loop variables: they change, so no other name may stand for them
  struct Copy {
    VSource::Kind kind;
    uint32_t index, reg;
    size_t last_use;
  };
  Vec<Copy> copies_;
};

}  // namespace pumice::compiler::pvs
