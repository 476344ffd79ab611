// SPDX-License-Identifier: MIT
/// See liveness.h: backward over the slots until nothing changes, then forward over the constructs for the lanes that wait.
#include "hw/radeon/jit/x/liveness.h"

#include <algorithm>

#include "hw/radeon/jit/us/flow_forms.h"

namespace pumice::hw::fast::extended {

using namespace isa::us_r500;
using us::Form;
using us::form_of;

namespace {

/// A slot in which lanes see cells of others, those that wait too.
bool crosses(const Instruction& x) {
  if (x.type == Type::FLOW_CONTROL) return false;
  if (x.write_inactive) return true;
  if (x.type == Type::TEXTURE) {
    if (x.tex.inst == TexOp::NOP) return false;
    if (x.tex.inst != TexOp::X) return true;
    const XOpInfo& i = info(x.tex.x.op);
    return i.across || i.neighbours || (i.fetches && x.tex.x.op != XOp::FETCH) || x.tex.x.op == XOp::QLOD;
  }
  const auto unit = [](const Unit& u) { return u.op == AluOp::XI ? info(u.xi()).neighbours : info(u.op).derivative; };
  return unit(x.rgb) || unit(x.alpha);
}

}  // namespace

/// Computes the cells live before the slot from those live after it.
void Liveness::through(const Instruction& x, Row* live, Row* exact) const {
  if (x.type == Type::FLOW_CONTROL) {
    reads(x, [&](uint32_t cell, Use, uint32_t) {
      if (cell < cells_) add(live, cell);
    });
    return;
  }
  const bool is_tex = x.type == Type::TEXTURE;
  std::array<bool, 4> wanted{};
  for (uint32_t c = 0; c < 4; ++c) {
    const Unit& unit = c < 3 ? x.rgb : x.alpha;
    const uint32_t bit = c < 3 ? c : 0, cell = (is_tex ? x.tex.dest.temp : unit.dest) * 4u + c;
    const bool writes = unit.write >> bit & 1u;
    const bool exports = x.type == Type::OUTPUT && ((unit.output >> bit & 1u) || (c == 3 && x.depth_write));
    wanted[c] = exports;
    if (!writes || cell >= cells_ - kPredicates) continue;
    wanted[c] |= get(exact, cell);
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const Unit& unit = c < 3 ? x.rgb : x.alpha;
    const uint32_t bit = c < 3 ? c : 0, cell = (is_tex ? x.tex.dest.temp : unit.dest) * 4u + c;
    const bool everywhere = c < 3 ? x.rgb_predicate == 0 : x.alpha_predicate == 0;
    if ((unit.write >> bit & 1u) && writes_temps(x) && everywhere && cell < cells_ - kPredicates) remove(live, cell), remove(exact, cell);
    if (!is_tex && x.type != Type::OUTPUT && (unit.output >> bit & 1u) && everywhere)
      remove(live, predicate(c)), remove(exact, predicate(c));
  }
  reads(x, [&](uint32_t cell, Use use, uint32_t channel) {
    if (cell >= cells_) return;
    add(live, cell);
    // Scalar results and sums go to several channels: those are numbers.
    if (use == Use::bits || (use == Use::copy && wanted[channel])) add(exact, cell);
  });
}

Liveness::Liveness(std::span<const Instruction> code, const Structure& structure, uint32_t temps)
    : CellReads(temps), words_((cells_ + 63) / 64) {
  const uint32_t count = uint32_t(code.size());
  live_.assign((count + 1) * words_, 0), exact_.assign((count + 1) * words_, 0);
  crossed_.assign(words_, 0);
  bool has_loops = false;
  for (const Instruction& x : code) {
    if (crosses(x))
      reads(x, [&](uint32_t cell, Use, uint32_t) {
        if (cell < cells_) add(crossed_.data(), cell);
      });
    has_loops |= x.type == Type::FLOW_CONTROL && form_of(x.flow) == Form::xloop;
  }
  // Where lanes resume after a break or continue.
  std::vector<uint32_t> loop_of(count, 0), open;
  for (uint32_t pc = 0; pc < count; ++pc) {
    if (code[pc].type != Type::FLOW_CONTROL) continue;
    const Form form = form_of(code[pc].flow);
    if (form == Form::xloop) open.push_back(pc);
    if (form == Form::xendloop) loop_of[pc] = open.back(), open.pop_back();
    if (form == Form::break_ || form == Form::continue_) loop_of[pc] = open.back();
  }
  Rows now(2 * words_);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t pc = count; pc-- > 0;) {
      const Instruction& x = code[pc];
      Row *const live = now.data(), *const exact = now.data() + words_;
      const auto from = [&](uint32_t at) {
        for (uint32_t w = 0; w < words_; ++w) live[w] |= row(live_, at)[w], exact[w] |= row(exact_, at)[w];
      };
      std::fill(now.begin(), now.end(), 0);
      if (x.type != Type::FLOW_CONTROL) {
        from(pc + 1);
      } else {
        const Form form = form_of(x.flow);
        if (form == Form::xendloop)
          from(loop_of[pc] + 1);
        else if (form == Form::else_)
          from(structure.partner[pc]);
        else
          from(pc + 1);
        if (form == Form::if_) from(structure.partner[pc] + structure.has_else[pc]);
        if (form == Form::break_) from(structure.partner[loop_of[pc]] + 1);
        if (form == Form::continue_) from(structure.partner[loop_of[pc]]);
      }
      through(x, live, exact);
      if (!std::equal(live, live + words_, row(live_, pc)) || !std::equal(exact, exact + words_, row(exact_, pc))) {
        std::copy_n(live, words_, row(live_, pc)), std::copy_n(exact, words_, row(exact_, pc));
        again = has_loops;
      }
    }
  }
  // Lanes that wait.
  waits_live_.assign(words_, 0), waits_exact_.assign(words_, 0);
  waiting_.assign(count + 1, 0);
  std::vector<uint32_t> rows = {0};
  std::vector<bool> divergent;  // of the open IFs
  const auto push = [&](std::span<const uint32_t> slots) {
    const auto n = uint32_t(waits_live_.size() / words_);
    const uint32_t outer = rows.back();
    waits_live_.resize(waits_live_.size() + words_), waits_exact_.resize(waits_exact_.size() + words_);
    for (uint32_t w = 0; w < words_; ++w) {
      Row &live = waits_live_[n * words_ + w], &exact = waits_exact_[n * words_ + w];
      live = waits_live_[outer * words_ + w], exact = waits_exact_[outer * words_ + w];
      for (const uint32_t pc : slots) live |= row(live_, pc)[w], exact |= row(exact_, pc)[w];
    }
    rows.push_back(n);
  };
  for (uint32_t pc = 0; pc < count; ++pc) {
    const Form form = code[pc].type == Type::FLOW_CONTROL ? form_of(code[pc].flow) : Form::other;
    // The end of a THEN and XENDLOOP lie inside, where lanes of the ELSE and those that have left the loop wait.
    if (form == Form::else_ || form == Form::xendloop) waiting_[pc] = rows.back(), rows.pop_back();
    if (form == Form::endif) rows.pop_back();
    if (form != Form::else_ && form != Form::xendloop) waiting_[pc] = rows.back();
    // Where lanes that wait inside resume.
    std::array<uint32_t, 2> at{};
    uint32_t n = 0;
    const bool is_if = form == Form::if_, is_else = form == Form::else_, is_loop = form == Form::xloop;
    if (is_else && divergent.back()) at[n++] = structure.partner[pc];
    if (is_if && !structure.uniform[pc]) at[n++] = structure.partner[pc] + structure.has_else[pc];
    if (is_loop && structure.continues[pc]) at[n++] = structure.partner[pc];
    if (is_loop && structure.breaks[pc] && !structure.uniform[pc]) at[n++] = structure.partner[pc] + 1;
    if (is_if) divergent.push_back(!structure.uniform[pc]);
    if (form == Form::endif) divergent.pop_back();
    if (is_if || is_else || is_loop) push(std::span(at).first(n));
  }
  waiting_[count] = 0;
}

}  // namespace pumice::hw::fast::extended
