// SPDX-License-Identifier: MIT
/// us::run: fetches and dispatches the instructions of a fragment program for one quad (us-isa A1, A2, A9, R5xx), scalar reference.
#include <bitset>

#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {

using isa::us_r500::Type;

void report(DrawContext& ctx, uint32_t pc, const char* text) {
  ctx.report(ReportKind::bad_register, "US instruction " + std::to_string(pc) + ": " + text);
}

namespace {

/// Temps of the frame that RS does not route read as zero in every quad, so that no data of another quad is visible.
void clear_unrouted(const ChipState& s, PixelQuad& q, uint32_t frame_size) {
  std::bitset<most::us_temps> routed;
  const uint32_t last = s.get<regs::RS_INST_COUNT>().INST_COUNT();
  for (uint32_t i = 0; i <= last; ++i) {
    const auto inst = s.get<regs::RS_INST>(i);
    if (inst.TEX_CN()) routed.set(inst.TEX_ADDR());
    if (inst.COL_CN()) routed.set(inst.COL_ADDR());
  }
  for (uint32_t i = 0; i < frame_size; ++i)
    if (!routed[i]) q.temp[i] = {};
}

void execute(Thread& t) {
  const ChipState& s = t.ctx.state;
  const auto range = s.get<regs::US_CODE_RANGE>();
  const auto addr = s.get<regs::US_CODE_ADDR>();
  const uint32_t first = range.CODE_ADDR(), last = first + range.CODE_SIZE();
  const uint32_t end = t.offset + addr.END_ADDR();
  t.pc = t.offset + addr.START_ADDR();
  Instruction x;
  while (!t.done) {
    if (t.pc < first || t.pc > last || t.pc >= s.chip().us_slots) {
      t.stop(Complaint::window, "outside the window of US_CODE_RANGE: program stopped");
      return;
    }
    if (t.ctx.counters.instructions_left == 0) {
      t.ctx.counters.hung = true;
      return;
    }
    --t.ctx.counters.instructions_left;
    unpack(s.us_code[t.pc], x);
    make_strict(x);  // extended codes are legal in programs in memory only (docs/r5x.md s.2)
    const bool at_end = t.pc == end;
    if (t.ctx.inspector) t.ctx.inspector->instruction(t, x);
    switch (x.type) {
      case Type::FLOW_CONTROL: execute_flow(t, x); break;
      case Type::TEXTURE:
        execute_tex(t, x);
        ++t.pc;
        break;
      case Type::ALU:
      case Type::OUTPUT:
        execute_alu(t, x);
        ++t.pc;
        break;
    }
    if (t.ctx.inspector) t.ctx.inspector->executed(t, x);
    if (at_end) return;  // whatever the instruction was, jumps included
  }
}

}  // namespace

void run(DrawContext& ctx, PixelQuad& q) {
  q.color = {};
  q.depth = {};
  q.killed = 0;
  Thread t{ctx, q};
  const ChipState& s = ctx.state;
  if (!s.chip().us_slots) {  // Part B: separate ALU and TEX stores, FP24
    t.complain(Complaint::profile, "the R3xx fragment shader is not modelled yet: outputs are zero");
    return;
  }
  t.offset = s.get<regs::US_CODE_OFFSET>().OFFSET_ADDR();
  t.frame_size = s.get<regs::US_PIXSIZE>().PIX_SIZE() + 1;
  t.zero_wins = s.get<regs::US_CONFIG>().ZERO_TIMES_ANYTHING_EQUALS_ZERO();
  t.full_flow = s.get<regs::US_FC_CTRL>().FULL_FC_EN();
  clear_unrouted(s, q, t.frame_size);
  execute(t);
}

}  // namespace pumice::hw::us
