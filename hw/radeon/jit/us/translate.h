// SPDX-License-Identifier: MIT
/// US microcode (hw/radeon/ref/us is the specification) to the lane IR. Straight programs become straight SSA. Flow control in the forms
/// that compilers emit (us-isa A9's idioms: IF, ELSE, ENDIF, LOOP, REP, BREAK, CONTINUE) becomes lane masks with jumps where no lane runs
/// the code. All other flow control becomes four program counters, one per quad, with the chip's stacks and branch counters
/// (translate_quads.cpp). Where a program makes an error that the reference reports, native code hands the block to the interpreter.
#pragma once
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <string>

#include "hw/radeon/jit/lane/ir.h"
#include "hw/radeon/jit/us/flow_masks.h"
#include "hw/radeon/jit/us/reach.h"
#include "hw/radeon/jit/us/structure.h"

namespace pumice::hw::fast::us {

class Translator : private FlowMasks {
 public:
  /// `interpret` is called for blocks that native code hands over.
  Translator(const ChipState& state, const RsLayout& layout, const Reach& reach, ShadeRoutine interpret)
      : s_(state), layout_(layout), reach_(reach), code_(decode(state, reach)), interpret_(interpret) {}
  /// The program, or none and why().
  std::optional<lane::Program> run();
  const std::string& why() const { return why_; }
  /// One past the last constant that the program may read.
  uint32_t constants() const { return constants_end_; }
  /// Blocks may be handed to the interpreter.
  bool may_interpret() const { return bails_; }
  /// For tests: four program counters although the flow control nests.
  void use_quads() { quads_ = true; }
  /// Reads nothing but constants and registers.
  static bool is_uniform(const lane::Program& program);

 private:
  // Everything a program can write is a cell: temps, then outputs, then depth. Predicates are mask cells.
  static constexpr uint32_t kTemps = 0, kColors = kTemps + 4 * most::us_temps, kDepth = kColors + 4 * most::color_targets,
                            kCells = kDepth + 1;
  struct Cell {
    Number now;
    bool known = false;                ///< `now` is usable here
    const RsSource* source = nullptr;  ///< unknown: interpolate when it is read
    bool dirty = false;                ///< differs from the variable
    bool used = false;                 ///< color and depth: some instruction writes it
    lane::Variable variable;
  };
  struct MaskCell {
    Mask now;
    bool known = true, dirty = false;
    lane::MaskVariable variable;
  };
  struct If {
    Mask before, otherwise;  ///< active before; those for the other side
    lane::Label otherwise_label, end_label;
    bool has_else = false;
    uint32_t else_at = 0, end_at = 0;
  };
  struct Loop {
    Mask entered;
    lane::MaskVariable broken, continued;
    lane::Scalar count, outer_al;
    lane::Label begin, next, exit;
    uint32_t begin_at = 0, end_at = 0;
    bool owns_al = false, breaks = false, continues = false;
    uint32_t constant = 0;
  };

  bool attempt();
  void survey();
  bool structured();
  void finish();

  // Cells.
  Number read_cell(uint32_t cell);
  void write_cell(uint32_t cell, Number n, Mask where);
  Mask read_mask(MaskCell& m);
  void write_mask(MaskCell& m, Mask value, Mask where);
  void boundary();  ///< variables become what the cells are
  void forget();    ///< after a label: cells are what the variables are
  Number interpolate(const RsSource& source);
  void start_cells();
  void bail(Mask m);  ///< to the interpreter when any lane is set

  // Temps, relative ones and those outside the frame included.
  Number read_temp(uint32_t address, bool relative, uint32_t channel);
  void write_temp(uint32_t address, bool relative, uint32_t channel, Number n, Mask where);
  Value relative_offset(uint32_t address);  ///< of red, in temp_memory_
  Value al_value();

  // alu.cpp
  bool alu(uint32_t pc, const Instruction& x);
  Number source(const isa::us_r500::Address& address, uint32_t channel) override;
  Mask read_predicate(uint32_t channel) override { return read_mask(predicate_[channel]); }
  Mask boolean(uint32_t address) override;
  void write_results(const Instruction& x, const std::array<Number, 4>& result);

  // tex.cpp
  bool tex(uint32_t pc, const Instruction& x);
  bool read_port(uint32_t pc, const isa::us_r500::Port& port, std::array<Number, 4>& out);

  // quads.cpp
  bool run_quads();
  /// Slots and targets of jumps, US_CODE_OFFSET added.
  using Targets = std::bitset<2 * most::us_slots>;
  bool quad_block(uint32_t pc, const Targets& leaders);
  void quad_flow(uint32_t pc, const Instruction& x);
  Mask quads_with(Mask m);  ///< all lanes of the quads that have a lane in m
  Value as_value(Mask m) { return b_.select(m, b_.constant_bits(~0u), b_.constant_bits(0)); }
  Mask as_mask(Value v) { return b_.ilt(v, b_.constant_bits(0)); }

  // flow.cpp
  bool find_structure();
  void mark_written(const Instruction& x);
  bool flow(uint32_t pc, const Instruction& x);
  Mask voters(Mask m) { return b_.mask_and(m, helpers_); }
  Mask left_in(const Loop& l);  ///< lanes that entered and neither broke nor continued
  void begin_if(uint32_t pc, const Instruction& x);
  void begin_else(uint32_t pc);
  void end_if();
  void begin_loop(uint32_t pc, const Instruction& x);
  void end_loop();
  void leave_loop(const Instruction& x, bool is_break);

  const ChipState& s_;
  const RsLayout& layout_;
  const Reach& reach_;
  const std::vector<Instruction> code_;  ///< by slot, as far as it is reached
  const ShadeRoutine interpret_;
  std::bitset<kCells> bits_matter_;  ///< cells whose NaN bits differ by path: made canonical when they are stored to variables

  // One attempt.
  lane::Pointer constants_, flow_constants_;
  uint32_t constants_end_ = 0;
  uint32_t frame_size_ = 1;
  bool has_flow_ = false, uses_al_ = false, again_ = false;
  bool quads_ = false;                               ///< a program counter per quad
  bool bails_ = false;                               ///< may go to the interpreter
  bool temps_in_memory_ = false, textures_ = false;  ///< all of them: some are relative to aL
  lane::Pointer temp_memory_;
  std::map<uint32_t, Value> relative_;  ///< offsets of this instruction
  std::bitset<kCells> variable_cells_;  ///< written after the first flow control
  bool in_flow_ = false;                ///< after the first flow control instruction
  std::array<Cell, kCells> cell_;
  std::array<MaskCell, 4> predicate_;
  MaskCell killed_;
  Mask helpers_;  ///< lanes of the quads with a covered pixel, which vote; lanes of others may be among the active ones
  std::bitset<kCells> written_;
  lane::Scalar al_;
  lane::Label stop_, bail_;
  /// State of the quads, as in hw/radeon/ref/us/thread.h, in variables of 16 lanes; stacks in memory.
  struct Quads {
    lane::Variable pc, counter, al, depth, calls;
    lane::MaskVariable active, inactive, result;
    lane::Pointer frames, addresses;
  } q_;
  Mask here_;  ///< lanes of the quads that run the instruction
  std::vector<If> ifs_;
  std::vector<Loop> loops_;
  Structure structure_;
  const char* problem_ = nullptr;
};

}  // namespace pumice::hw::fast::us
