// SPDX-License-Identifier: MIT
/// See structure.h: forward over the slots, cells that differ between the lanes that run a slot, to a fixed point.
#include <algorithm>

#include "hw/radeon/jit/us/flow_forms.h"
#include "hw/radeon/jit/x/cell_reads.h"
#include "hw/radeon/jit/x/structure.h"

namespace pumice::hw::fast::extended {
namespace {

using namespace isa::us_r500;
using us::Form;
using us::form_of;

using Cells = std::vector<bool>;  ///< those that differ

void merge(Cells& a, const Cells& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
}

class Uniformity : CellReads {
 public:
  Uniformity(std::span<const Instruction> code, uint32_t temps, bool compute, Structure& structure)
      : CellReads(temps), code_(code), compute_(compute), s_(structure), head_(code.size()) {}

  void run() {
    const auto count = uint32_t(code_.size());
    s_.uniform.assign(count, true);
    for (changed_ = true; changed_;) {
      changed_ = false;
      now_.assign(cells_, false), result_ = false;
      open_.clear();
      for (uint32_t pc = 0; pc < count; ++pc)
        if (code_[pc].type == Type::FLOW_CONTROL)
          flow(pc), result_ = false;
        else
          through(code_[pc]);
    }
  }

 private:
  struct Open {
    uint32_t at;
    bool is_loop = false, has_else = false, continued = false;  ///< continued: by some of the lanes
    Cells other, exit;  ///< IF: before it, then at the end of THEN; loop: where lanes continue, where they leave
  };

  bool differs(uint32_t cell) const { return cell < cells_ && now_[cell]; }
  void clear_uniform(uint32_t pc) { changed_ = changed_ || s_.uniform[pc], s_.uniform[pc] = false; }
  bool condition_differs(const Instruction& x) const {
    bool d = result_;
    reads(x, [&](uint32_t cell, Use, uint32_t) { d |= differs(cell); });
    return d;
  }
  void written_differ(uint32_t begin, uint32_t end) {
    for (uint32_t pc = begin; pc < end; ++pc)
      if (code_[pc].type != Type::FLOW_CONTROL) write(code_[pc], {true, true, true, true});
  }

  void flow(uint32_t pc) {
    const Instruction& x = code_[pc];
    const Form form = form_of(x.flow);
    switch (form) {
      case Form::if_:
        if (condition_differs(x)) clear_uniform(pc);
        open_.push_back({.at = pc, .other = now_});
        break;
      case Form::else_: std::swap(open_.back().other, now_), open_.back().has_else = true; break;
      case Form::endif:
        merge(now_, open_.back().other);
        if (!s_.uniform[open_.back().at]) written_differ(open_.back().at, pc);
        open_.pop_back();
        break;
      case Form::xloop:
        if (head_[pc].empty()) head_[pc].assign(cells_, false);
        merge(now_, head_[pc]);
        open_.push_back({.at = pc, .is_loop = true, .other = Cells(cells_, false), .exit = Cells(cells_, false)});
        break;
      case Form::break_:
      case Form::continue_: {
        bool some = condition_differs(x);
        size_t i = open_.size() - 1;
        for (; !open_[i].is_loop; --i) some |= !s_.uniform[open_[i].at];
        merge(form == Form::break_ ? open_[i].exit : open_[i].other, now_);
        if (some) clear_uniform(open_[i].at), open_[i].continued |= form == Form::continue_;
        break;
      }
      default: {  // XENDLOOP
        Open& o = open_.back();
        merge(now_, o.other);
        if (o.continued) written_differ(o.at, pc);
        Cells& head = head_[o.at];
        for (uint32_t i = 0; i < cells_; ++i)
          if (now_[i] && !head[i]) head[i] = true, changed_ = true;
        now_ = o.exit;
        if (!s_.uniform[o.at]) written_differ(o.at, pc);
        open_.pop_back();
      }
    }
  }

  void write(const Instruction& x, const std::array<bool, 4>& d) {
    const bool is_tex = x.type == Type::TEXTURE;
    if (!writes_temps(x)) return;
    for (uint32_t c = 0; c < 4; ++c) {
      const Unit& unit = c < 3 ? x.rgb : x.alpha;
      const uint32_t bit = c < 3 ? c : 0, select = c < 3 ? x.rgb_predicate : x.alpha_predicate;
      bool predicates = false;
      for (uint32_t p = 0; p < kPredicates; ++p) predicates |= now_[predicate(p)];
      const auto set = [&](uint32_t cell) {
        if (cell < cells_) now_[cell] = d[c] || (select && (predicates || now_[cell]));
      };
      if (unit.write >> bit & 1u) set((is_tex ? x.tex.dest.temp : unit.dest) * 4u + c);
      if (!is_tex && x.type != Type::OUTPUT && (unit.output >> bit & 1u)) set(predicate(c));
    }
  }

  void through(const Instruction& x) {
    std::array<bool, 4> d{};
    if (x.type == Type::TEXTURE) {
      d.fill(true);
      if (x.tex.inst == TexOp::X && !x.tex.x.descriptor.indirect) {
        const Extended& e = x.tex.x;
        const bool reads_constants = e.op == XOp::LDC || e.op == XOp::LDU || e.op == XOp::LDK;
        if (reads_constants) d.fill(differs(x.tex.source.temp * 4u + x.tex.source.swizzle[0]));
        if (e.op == XOp::LENB || (e.op == XOp::SYS && compute_ && (e.immediate == 33 || e.immediate == 34))) d.fill(false);
      }
      return write(x, d);
    }
    bool any = false;
    reads(x, [&](uint32_t cell, Use, uint32_t channel) {
      if (cell < cells_ - kPredicates) d[channel] = d[channel] || now_[cell], any |= now_[cell];
    });
    if (info(x.rgb.op).dot || info(x.rgb.op).takes_scalar) d.fill(any);
    // Values of other lanes of the quad, which may wait or not exist.
    const auto of_neighbours = [](const Unit& u) { return u.op == AluOp::XI ? info(u.xi()).neighbours : info(u.op).derivative; };
    if (of_neighbours(x.rgb) || of_neighbours(x.alpha)) d.fill(true);
    if (x.result_write) result_ = d[x.result_alpha ? 3 : 0];
    write(x, d);
  }

  const std::span<const Instruction> code_;
  const bool compute_;
  Structure& s_;
  std::vector<Cells> head_;  ///< of loops
  Cells now_;
  std::vector<Open> open_;
  bool result_ = false, changed_ = false;
};

}  // namespace

void find_uniform(std::span<const Instruction> code, uint32_t temps, bool compute, Structure& structure) {
  Uniformity(code, temps, compute, structure).run();
}

}  // namespace pumice::hw::fast::extended
