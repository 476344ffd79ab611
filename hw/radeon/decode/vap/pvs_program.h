// SPDX-License-Identifier: MIT
/// The vertex program of one draw, decoded once: instructions, flow control entries (pvs-isa s.1, s.2, s.9, s.10).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/db/isa_pvs.h"
#include "hw/radeon/regfile/chip_state.h"

namespace pumice::hw::vap {

/// A read outside of the register files gives (0,0,0,0), a write outside is dropped.
inline constexpr uint32_t kPvsInputs = most::pvs_inputs, kPvsOutputs = most::pvs_outputs, kPvsTemps = most::pvs_temps,
                          kPvsAltTemps = most::pvs_alt_temps, kPvsConstants = most::pvs_constants;
inline constexpr uint32_t kFlowEntries = most::pvs_flow_entries;
/// Frames of LOOP and JSR together; an entry that finds the stack full is ignored.
inline constexpr uint32_t kFlowStack = most::pvs_flow_stack;

enum class AddressMode : uint8_t { absolute, a0, loop_index };

/// An operand (isa::pvs::Source) as interpreted by this chip.
struct Operand {
  uint8_t file = 0;  ///< PVS_INST_SRC.PVS_SRC_REG_TYPE
  uint8_t offset = 0;
  AddressMode mode = AddressMode::absolute;
  uint8_t a0_component = 0;
  bool absolute_value = false;
  uint8_t negate = 0;  ///< bit per component, after swizzle
  std::array<uint8_t, 4> swizzle{};
};

enum class Engine : uint8_t { none, vector, math, macro };

/// isa::pvs::Instruction as interpreted by this chip: fields that it lacks are off, reserved codes are "none" or their UNCONFIRMED meaning.
struct Instruction {
  Engine engine = Engine::none;
  uint8_t opcode = 0;  ///< of the engine
  bool saturate = false;
  bool predicated = false, predicate_sense = false;
  uint8_t dst_file = 0;  ///< PVS_INST_DST.PVS_DST_REG_TYPE
  uint8_t dst_offset = 0;
  AddressMode dst_mode = AddressMode::absolute;
  uint8_t dst_a0_component = 0;
  uint8_t write_mask = 0;
  std::array<Operand, 3> src;

  /// The scalar operation of dual issue; its operand's swizzle x is math operand A, y is B and C.
  bool dual = false;
  uint8_t dual_opcode = 0;
  bool dual_saturate = false;
  uint8_t dual_dst = 0;      ///< alternate temporary
  uint8_t dual_channel = 0;  ///< its component
  Operand dual_src;
};

struct FlowEntry {
  uint8_t opcode = 0;  ///< VAP_PVS_FLOW_CNTL_OPC.PVS_FC_OPC_0
  uint32_t act = 0, last = 0, return_to = 0;
  uint32_t count_or_target = 0;
  int32_t index_start = 0, index_step = 0;
  bool inherit_index = false;
};

struct PvsProgram {
  const Capabilities* chip = nullptr;
  uint32_t first = 0, last = 0;
  uint32_t constant_base = 0;  ///< octword of constant 0 with the base offset added
  uint32_t constant_max = 0;
  bool has_flow = false;
  std::array<FlowEntry, kFlowEntries> flow;
  /// By slot address; slots that cannot be reached without flow control stay undecoded (no operation).
  std::vector<Instruction> code;
  /// Describes errors in the code, empty when there are none. The program still runs: a reserved code does nothing.
  std::string complaint;
};

/// The vector operation that a macro expands to.
constexpr isa::pvs::VectorOp vector_form(isa::pvs::MacroOp op) {
  return op == isa::pvs::MacroOp::N2CLK_MADD ? isa::pvs::VectorOp::MULTIPLY_ADD : isa::pvs::VectorOp::MULTIPLYX2_ADD;
}
PvsProgram decode_program(const ChipState& state);
/// Decodes one slot. Appends to complaint.
Instruction decode_instruction(const std::array<uint32_t, 4>& words, const Capabilities& chip, std::string& complaint);

}  // namespace pumice::hw::vap
