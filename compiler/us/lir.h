// SPDX-License-Identifier: MIT
/// The US back end's own form between IR and slots: a flat list of operations over virtual registers. One operation is what one
/// half of a slot (RGB unit or alpha unit) can do, or both halves where the chip couples them (dot products into alpha, DP4, scalar results
/// into RGB), a texture or memory slot, or a flow-control marker.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/isa/allocate.h"
#include "compiler/isa/error.h"
#include "compiler/us/machine.h"

namespace pumice::compiler::us {

/// Channel classes of a virtual register's lanes: which unit can write it.
inline constexpr uint8_t kRgbChannels = 7, kAlphaChannel = 8;

struct VSource {
  /// literal: R3xx, before us_r300/legalize: a row of Lir::literals.
  /// presubtracted: R3xx, a row of Lir::presubtracts; lanes are channels.
  enum class Kind : uint8_t { none, reg, constant, inline_float, literal, presubtracted };
  // 8 bytes: an Op has eleven of these, and passes walk and move many.
  Kind kind : 3 = Kind::none;
  bool abs : 1 = false, negate : 1 = false;  ///< of integer operands `abs` is bitwise not
  bool relative : 1 = false;                 ///< constant: aL is added to the slot
  uint8_t : 0;
  uint32_t index : 24 = 0;  ///< virtual register, constant slot, inline code (of integer operands the number), row
  /// Per slot: lane 0..3 of the register or constant, or swz::zero, half, one. Inline: 3.
  std::array<uint8_t, 4> lane{swz::zero, swz::zero, swz::zero, swz::zero};
};

struct VUnit {
  AluOp op{};
  XiOp xi{};                       ///< AluOp::XI: which
  uint8_t sources = 0, slots = 0;  ///< operands; lanes written
  std::array<VSource, 3> source;
  int32_t dst = -1;     ///< virtual register, or
  int32_t target = -1;  ///< render target: dst_lane are its channels
  std::array<uint8_t, 3> dst_lane{};
  bool depth = false;        ///< alpha unit: result is the depth
  bool condition = false;    ///< alpha unit: comparing the result with 0 sets the ALU result bit
  uint8_t condition_op = 3;  ///< US_CMN_INST.ALU_RESULT_OP: equal or not equal
  bool dot = false;          ///< sources' lanes are product terms 0..2; every written lane gets the one result
  bool derivative = false;   ///< source 0 must sit in address 0, lane by lane in its own channel
  bool clamp = false;
  uint8_t omod = 0;
};

/// A slot of docs/r5x.md, section 4: what it says besides its ports.
struct XSlot {
  Extended say;                ///< without `immediate` where `sampled`, and without the registers of selectors
  bool sampled = false;        ///< W4 is `sampler`
  DescriptorSelector sampler;  ///< without its register
  uint8_t mask = 0;            ///< EXP: components
  int32_t array = -1;          ///< LDK: the row of Module::uniforms that `immediate` is relative to; -1: relative to the literals
};

struct Op {
  enum class Kind : uint8_t { alu, tex, if_, else_, endif, loop, endloop, break_, continue_ } kind = Kind::alu;
  std::optional<VUnit> rgb, alpha;
  // tex
  TexOp inst{};
  uint8_t unit = 0;
  bool unscaled = false;
  int32_t x = -1;                ///< inst X: index into Lir::slots
  VSource coord, dx, dy;         ///< lanes S, T, R, Q; of X slots src, src2 and src3
  VSource index, sampler_index;  ///< of X slots, one lane each: bytes to the descriptors; none: not indexed
  int32_t dst = -1;
  std::array<uint8_t, 4> dst_lane{0xFF, 0xFF, 0xFF, 0xFF};  ///< returned channel i goes to this lane; 0xFF: nowhere
  // flow
  uint16_t pop = 0;              ///< break, continue: branches to leave inside the loop
  bool conditional = false;      ///< break: of the lanes whose ALU result bit is set
  uint8_t counter = 0;           ///< loop, endloop: index into Lir::counters
  const uint32_t* at = nullptr;  ///< ir::origin() of what comes before it, for diagnostics and listings; of lookups their own
  bool may_exhaust = false;      ///< endloop: running out of iterations is part of the plan (two-level loops)
};

struct FixedRegisters {
  struct Location {
    uint32_t location = 0;
    uint32_t reg = 0;
    bool flat = false, no_perspective = false;
    ir::Builtin builtin = ir::Builtin::none;  ///< or a slope
  };
  Vec<Location> locations;
  std::optional<uint32_t> position, frag_coord_xy, front_facing, point_coord;
};

struct Lir {
  Vec<Op> ops;
  Vec<isa::VirtualRegister> registers;
  FixedRegisters inputs;
  bool kills = false, writes_depth = false;
  Vec<int8_t> counters;  ///< by how much aL moves in a round, each value once
  uint32_t color_outputs = 0;
  Vec<XSlot> slots;  ///< of X slots
  Vec<std::array<float, 4>> literals;
  /// The presubtracted source of one operation (us-isa A3): 1 - s0, s1 - s0 or s1 + s0, each read in one channel.
  struct Presubtract {
    uint8_t op = 0;                 ///< SRCP_OP
    std::array<VSource, 2> source;  ///< lane[0] is read; none: unused
  };
  Vec<Presubtract> presubtracts;
  uint32_t new_register(std::initializer_list<uint8_t> channels) { return new_register(std::span(channels.begin(), channels.size())); }
  uint32_t new_register(std::span<const uint8_t> channels) {
    isa::VirtualRegister r;
    r.lanes = static_cast<uint8_t>(channels.size());
    for (size_t i = 0; i < channels.size(); i++) r.channels[i] = channels[i];
    return add_register(r);
  }
  uint32_t add_register(const isa::VirtualRegister& r) {
    constexpr uint32_t kMost = 1u << 24;  // VSource::index
    if (registers.size() >= kMost) throw isa::Unsupported("more than " + std::to_string(kMost) + " virtual registers");
    registers.push_back(r);
    return static_cast<uint32_t>(registers.size()) - 1;
  }
};

/// The channel that a lane has when lanes keep their order (R3xx, us_r300/pin.cpp); 0xFF: any of several.
uint8_t pinned_channel(const isa::VirtualRegister& r, unsigned lane);

/// Reads and writes of each operation and where control may go next, for liveness.
Vec<isa::Point> points(const Lir& lir);
/// A copy of lanes of a register as they are: which source it copies, else null.
const VSource* copied(const VUnit& unit);
/// Adds what one operation reads and writes; `lir`: has its presubtracted sources.
void access(const Op& op, isa::Point& point, const Lir* lir = nullptr);
/// Removes dead operations and lanes.
void remove_dead(Lir& lir);
/// Lets the operations that compute a colour only an output needs write the output themselves.
void write_outputs_directly(Lir& lir);
/// Lets the operation that computes a branch's condition set the ALU result bit itself.
void fold_conditions(Lir& lir);
/// Removes branches with nothing in them, and their conditions; true if there were any.
bool remove_empty_branches(Lir& lir);
std::string print(const Lir& lir);

}  // namespace pumice::compiler::us
