// SPDX-License-Identifier: MIT
/// us::run: fetches and dispatches the instructions of a fragment program for one quad (us-isa A1, A2, A9, R5xx; Part B,
/// R3xx), scalar reference.
#include <bitset>

#include "hw/radeon/decode/us/strict.h"
#include "hw/radeon/draw/inspector.h"
#include "hw/radeon/ref/us/arith.h"
#include "hw/radeon/ref/us/thread.h"

namespace pumice::hw::us {

using isa::us_r500::Type;

void report(DrawContext& ctx, uint32_t pc, const char* text) {
  ctx.report(ReportKind::bad_register, "US instruction " + std::to_string(pc) + ": " + text);
}

namespace {

/// Temps of the frame that RS does not route read as zero in every quad, so that no data of another quad is visible.
template <class RsCount, class RsInst>
void clear_unrouted(const ChipState& s, PixelQuad& q, uint32_t frame_size) {
  std::bitset<most::us_temps> routed;
  const uint32_t last = s.get<RsCount>().INST_COUNT();
  for (uint32_t i = 0; i <= last; ++i) {
    const auto inst = s.get<RsInst>(i);
    if (inst.TEX_CN()) routed.set(inst.TEX_ADDR());
    if (inst.COL_CN()) routed.set(inst.COL_ADDR());
  }
  for (uint32_t i = 0; i < frame_size; ++i)
    if (!routed[i]) q.temp[i] = {};
}

/// One instruction that is no flow control.
void execute_plain(Thread& t, const Instruction& x) {
  if (t.ctx.inspector) t.ctx.inspector->instruction(t, x);
  if (x.type == Type::TEXTURE)
    execute_tex(t, x);
  else
    execute_alu(t, x);
  if (t.ctx.inspector) t.ctx.inspector->executed(t, x);
}

void execute(Thread& t) {
  const ChipState& s = t.ctx.state;
  const auto range = s.get<regs::US_CODE_RANGE>();
  const auto addr = s.get<regs::US_CODE_ADDR>();
  const uint32_t first = range.CODE_ADDR(), last = first + range.CODE_SIZE();
  const uint32_t end = t.offset + addr.END_ADDR();
  t.pc = t.offset + addr.START_ADDR();
  Instruction local;
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
    const Instruction& x = t.ctx.strict ? t.ctx.strict->slot(s, t.pc) : (local = strict_instruction(s.us_code[t.pc]));
    const bool at_end = t.pc == end;
    if (x.type == Type::FLOW_CONTROL) {
      if (t.ctx.inspector) t.ctx.inspector->instruction(t, x);
      execute_flow(t, x);
      if (t.ctx.inspector) t.ctx.inspector->executed(t, x);
    } else {
      execute_plain(t, x);
      ++t.pc;
    }
    if (at_end) return;  // whatever the instruction was, jumps included
  }
}

/// Part B: the levels in a row. Whatever enters a program has 24 bits.
void execute_r300(Thread& t) {
  for (uint32_t i = 0; i < t.frame_size; ++i)
    for (Vec4& pixel : t.quad.temp[i])
      for (float& v : pixel) v = fp24(v);
  us_r300::Program local;
  const us_r300::Program& program = t.ctx.strict ? t.ctx.strict->levels(t.ctx.state) : (local = us_r300::program(t.ctx.state));
  for (const Instruction& x : program.code) {
    if (t.ctx.counters.instructions_left == 0) {
      t.ctx.counters.hung = true;
      return;
    }
    --t.ctx.counters.instructions_left;
    execute_plain(t, x);
    ++t.pc;
  }
  if (!program.problem.empty()) t.stop(Complaint::window, (program.problem + ": program stopped").c_str());
}

}  // namespace

void run(DrawContext& ctx, PixelQuad& q) {
  q.color = {};
  q.depth = {};
  q.killed = 0;
  Thread t{ctx, q};
  const ChipState& s = ctx.state;
  if (!s.chip().us_slots) {
    t.fp24 = true;
    t.frame_size = us_r300::frame_size(s);
    clear_unrouted<regs::r300::RS_INST_COUNT, regs::r300::RS_INST>(s, q, t.frame_size);
    return execute_r300(t);
  }
  t.offset = s.get<regs::US_CODE_OFFSET>().OFFSET_ADDR();
  t.frame_size = s.get<regs::US_PIXSIZE>().PIX_SIZE() + 1;
  t.zero_wins = s.get<regs::US_CONFIG>().ZERO_TIMES_ANYTHING_EQUALS_ZERO();
  t.full_flow = s.get<regs::US_FC_CTRL>().FULL_FC_EN();
  clear_unrouted<regs::RS_INST_COUNT, regs::RS_INST>(s, q, t.frame_size);
  execute(t);
}

}  // namespace pumice::hw::us
