// SPDX-License-Identifier: MIT
/// A group of lanes while it executes an extended program (docs/r5x.md s.2 to 4): 16, or the four of a quad alone. Private to
/// hw/radeon/ref/us, hw/radeon/ref/xk and hw/radeon/fast/extended. The interpreter keeps all of its state here: a group can stop at a
/// barrier and go on later.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {

using x::Bits4;
using x::kGroupLanes;

template <size_t kCount>
struct GroupThread : FlowState<kCount, uint16_t, x::kFlowDepth, x::kFlowDepth> {
  using Flow = FlowState<kCount, uint16_t, x::kFlowDepth, x::kFlowDepth>;
  using Flow::active;
  using Flow::ctx;
  using Flow::kAll;
  using Flow::kLanes;
  using typename Flow::Mask;
  using Lanes4 = std::array<Bits4, kCount>;  ///< [lane]

  /// `local`: the workgroup's local memory.
  GroupThread(DrawContext& context, const x::Program& program, const x::Resources& resources, const x::Group& group,
              std::span<uint8_t> local);

  const x::Program& program;
  const x::Resources& resources;
  x::Stage stage;
  x::StageLink* link;
  std::span<uint8_t> local;
  Mask exists;   ///< lanes that there are
  Mask helpers;  ///< stores and atomics do nothing
  bool at_barrier = false;
  uint64_t left = 0;  ///< instructions that it may execute, where each group has its own budget

  uint32_t nesting_limit() const { return x::kNesting; }
  Mask covered() const { return Mask(exists & ~helpers); }
  /// Lanes that ballots and reductions see: helpers only where nothing else is active, so that what one lane does for the others has its
  /// effects, and loops over what lanes have end for helpers as well.
  Mask taking_part() const { return this->active & ~helpers ? Mask(this->active & ~helpers) : this->active; }
  Vec4* temp(size_t i) { return temps_[i].data(); }
  Bits4 constant(size_t i) const {
    if (i < program.literals.size()) return program.literals[i];
    this->complain(Complaint::constant, "constant outside the literals of the program: reads 0");
    return {};
  }
  Vec4& color(uint32_t target, uint32_t lane) { return color_[target][lane]; }
  float& depth(uint32_t lane) { return depth_[lane]; }
  /// Scratch memory of a lane.
  std::span<uint8_t> scratch(uint32_t lane) { return std::span(scratch_).subspan(size_t{lane} * resources.scratch, resources.scratch); }
  /// Lanes in which registers are written.
  Mask live(const Instruction& x) const { return x.write_inactive ? exists : active; }
  /// Reports an access to memory that is not backed, once per draw or dispatch.
  void fault(uint64_t at, const char* what);
  /// Discarded lanes go on as helpers.
  void kill(Mask lanes);

  /// The operand of a port: its swizzled components in each lane.
  Lanes4 read(const isa::us_r500::Port& port);
  /// Writes a texture slot's result by destination swizzle, write masks, predicates and activity.
  void write(const Instruction& x, const Lanes4& value);
  /// Lanes in which an instruction has effects beyond registers: active, let by the RGB predicate (red).
  Mask acting(const Instruction& x) const { return Mask(active & this->enabled(x.rgb_predicate, x.rgb_predicate_invert, 0)); }

 private:
  std::vector<std::array<Vec4, kCount>> temps_;
  std::vector<uint8_t> scratch_;
  std::array<std::array<Vec4, kCount>, 4> color_{};
  std::array<float, kCount> depth_{};
};

/// X_BUDGET: instructions of each group; 0: counters.instructions_left is for all together.
uint64_t group_budget(const ChipState& state);
/// Executes until the program ends (done), a barrier (at_barrier), or the budget is spent (counters.hung).
template <size_t N>
void run_group(GroupThread<N>& t);

/// A texture slot; pc stays. at_barrier is set at a BARRIER.
template <size_t N>
void execute_group_tex(GroupThread<N>& t, const Instruction& x);
/// What an OUTPUT slot left in colours and depth goes to the stage.
template <size_t N>
void export_outputs(GroupThread<N>& t, const Instruction& x);
/// Slots of one kind; pc stays.
template <size_t N>
void execute_memory(GroupThread<N>& t, const Instruction& x);  ///< XM but images
template <size_t N>
void execute_image(GroupThread<N>& t, const Instruction& x);  ///< XT and images
template <size_t N>
void execute_across(GroupThread<N>& t, const Instruction& x);  ///< BALLOT .. SCANX
template <size_t N>
void execute_wide(GroupThread<N>& t, const Instruction& x);  ///< WIDE
template <size_t N>
void execute_strict_tex(GroupThread<N>& t, const Instruction& x);

/// Dwords of the lane's descriptor into `out`; zeros (null) with a complaint where it is not backed. At most 16 bytes of a texel buffer's
/// are read; `is_sampler`: all are.
template <size_t N>
void load_descriptor(GroupThread<N>& t, const isa::us_r500::Selector& s, uint32_t lane, std::span<uint32_t> out, bool is_sampler = false);
/// The clock's low and high word.
std::array<uint32_t, 2> clock_words();
/// SUB on two values (docs/r5x.md s.4).
uint32_t combine(uint32_t sub, bool is_float, uint32_t a, uint32_t b);
/// An atomic operation on a dword in memory, a multiple of 4; what was there.
uint32_t exchange(uint8_t* at, const isa::us_r500::Extended& e, uint32_t value, uint32_t compare);
/// The same of an integer of 64 bits, in the first two components of `value` and `compare`. Returns its words.
std::array<uint32_t, 2> exchange_wide(uint8_t* at, uint32_t sub, const Bits4& value, const Bits4& compare);
/// Whether an atomic slot's operation, width and components exist.
bool has_atomic(const isa::us_r500::Extended& e);
/// Whether SUB exists for reductions and atomics.
bool has_combine(uint32_t sub, bool is_float);

}  // namespace pumice::hw::us
