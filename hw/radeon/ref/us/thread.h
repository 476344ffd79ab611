// SPDX-License-Identifier: MIT
/// State of one US thread group while it executes (us-isa A9): its lanes, the four pixels of a quad in strict programs, share the program
/// counter, aL and both stacks. Private to hw/radeon/ref/us and hw/radeon/ref/x. Masks have bit i for lane i.
#pragma once
#include <array>
#include <cstdint>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/decode/us/flow_limits.h"
#include "hw/radeon/decode/us/r300.h"
#include "hw/radeon/draw/draw.h"

namespace pumice::hw::us {

using isa::us_r500::Instruction;
inline constexpr uint8_t kAllPixels = 15;

template <class Mask>
struct LoopFrame {
  uint32_t count = 0;    ///< iterations left, this one included
  int8_t step = 0;       ///< KB of the LOOP's constant, added to aL by each ENDLOOP that jumps
  int32_t outer_al = 0;  ///< aL to restore
  bool owns_al = false;  ///< LOOP; REP leaves aL alone
  Mask mask = 0;         ///< pixels that entered
  Mask broken = 0;       ///< inactive until the frame is popped
  Mask continued = 0;    ///< inactive until the END instruction
};

/// "US instruction 5: text", of the draw or dispatch.
void report(DrawContext& ctx, uint32_t pc, const char* text);

/// Bits of DrawCounters::reported that US uses, at most 12.
enum class Complaint : uint8_t { profile, window, reserved, frame, constant, loop_stack, address_stack, nesting, partial_mode, memory };

/// What flow control, predicates and the frame of temps need, for kCount lanes.
template <size_t kCount, class MaskType, size_t kLoops, size_t kCalls>
struct FlowState {
  static constexpr size_t kLanes = kCount;
  using Mask = MaskType;
  static constexpr Mask kAll = Mask((1u << kCount) - 1);

  DrawContext& ctx;
  uint32_t pc = 0, offset = 0;  ///< absolute slot; US_CODE_OFFSET
  bool done = false;

  uint32_t frame_size = 1;  ///< temps 0..frame_size-1 exist
  bool zero_wins = false;   ///< US_CONFIG bit 1
  bool full_flow = false;   ///< US_FC_CTRL.FULL_FC_EN
  bool fp24 = false;        ///< the R3xx: results have 24 bits

  Mask active = kAll;
  Mask branch_inactive = 0;
  std::array<uint8_t, kCount> branch_counter{};  ///< valid for lanes of branch_inactive
  std::array<Mask, 4> predicate{};               ///< [channel]
  Mask alu_result = 0;
  int32_t al = 0;

  std::array<LoopFrame<Mask>, kLoops> loop{};
  uint32_t loop_depth = 0;
  std::array<uint16_t, kCalls> address{};
  uint32_t address_depth = 0;

  explicit FlowState(DrawContext& context) : ctx(context) {}
  /// Reports once per draw, naming the slot.
  void complain(Complaint what, const char* text) const {
    constexpr uint32_t kFirstBit = 8;  // DrawCounters::reported
    const uint32_t bit = 1u << (kFirstBit + uint32_t(what));
    if (ctx.counters.reported & bit) return;
    ctx.counters.reported |= bit;
    report(ctx, pc, text);
  }
  /// complain(), then ends the program.
  void stop(Complaint what, const char* text) {
    complain(what, text);
    done = true;
  }
  /// Temp index of a 7-bit address, or -1 (with a complaint) when it lies outside the frame.
  int32_t temp_index(uint32_t address7, bool relative) const {
    const int32_t i = int32_t(address7) + (relative ? al : 0);
    if (i >= 0 && i < int32_t(frame_size)) return i;
    complain(Complaint::frame, "temp outside the frame of US_PIXSIZE: reads 0, writes are dropped");
    return -1;
  }
  /// The lanes in which a channel's predicate lets an instruction write. select, invert: US_CMN_INST's fields; 1 = the channel's own.
  Mask enabled(uint32_t select, bool invert, uint32_t channel) const {
    if (select == 0 || select > 5) return kAll;
    const Mask p = predicate[select == 1 ? channel : select - 2];
    return invert ? Mask(~p & kAll) : p;
  }
  /// Of the four channels: r, g, b from the RGB unit's selection, a from the alpha unit's.
  std::array<Mask, 4> enabled_channels(const Instruction& x) const {
    std::array<Mask, 4> e;
    for (uint32_t c = 0; c < 3; ++c) e[c] = enabled(x.rgb_predicate, x.rgb_predicate_invert, c);
    e[3] = enabled(x.alpha_predicate, x.alpha_predicate_invert, 3);
    return e;
  }
};

/// A strict program on a quad.
struct Thread : FlowState<4, uint8_t, kLoopDepth, kAddressDepth> {
  PixelQuad& quad;

  Thread(DrawContext& context, PixelQuad& q) : FlowState(context), quad(q) {}
  uint32_t nesting_limit() const { return full_flow ? kFullNesting : kPartialNesting; }
  Mask covered() const { return quad.quad.coverage; }
  Vec4* temp(size_t i) { return quad.temp[i].data(); }
  std::array<uint32_t, 4> constant(size_t i) const { return fp24 ? us_r300::constant(ctx.state, uint32_t(i)) : ctx.state.us_const[i]; }
  Vec4& color(uint32_t target, uint32_t lane) { return quad.color[target][lane]; }
  float& depth(uint32_t lane) { return quad.depth[lane]; }
};

/// One instruction each. ALU and TEX leave pc alone, flow sets it.
void execute_alu(Thread& t, const Instruction& x);
void execute_tex(Thread& t, const Instruction& x);
void execute_flow(Thread& t, const Instruction& x);

}  // namespace pumice::hw::us
