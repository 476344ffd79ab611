// SPDX-License-Identifier: MIT
/// Rules of selection (pvs-isa 4, 5, 12): mov = ADD a, 0; sel = COND_MUX_EQ; floor = a - FRC a; dot2/3 = DOT_PRODUCT with 0 in the missing
/// terms; scalar functions in the math engine, IEEE forms; dynamic constant index = FLT2FIX to A0, then a relative read;
/// an index that moves with the innermost loop's counter reads by aL. Chips without these (R3xx, select_narrow()) compose them.
/// Loops: see ir/counted.h; their variables are copied at the end of a
/// round.
#include "compiler/pvs/select.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/counted.h"
#include "compiler/ir/edges.h"
#include "compiler/isa/error.h"
#include "compiler/isa/places.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::pvs {
namespace {

using isa::kNoLane;
using isa::Operand;
using isa::Place;
using V = regs::PVS_INST_DST;
using M = regs::PVS_INST_DST_MATH;

Operand literal(float value) {
  Operand o;
  o.place.kind = Place::Kind::immediate;
  o.place.value.fill(value);
  o.place.lane = {0, 1, 2, 3};
  return o;
}
Operand whole(const Place& place) { return {place, {0, 1, 2, 3}, false, false}; }

class Selector {
 public:
  Selector(const ir::Module& module, isa::ConstantFile& constants, const std::vector<OutputTarget>& outputs, const ChipLimits& chip)
      : module_(module),
        constants_(constants),
        outputs_(outputs),
        chip_(chip),
        written_(outputs.size()),
        places_(module, {15, 15, 15, 15}, out_.lir.registers) {}

  Selected run() {
    collect(module_.body);
    nodes(module_.body);
    for (size_t i = 0; i < outputs_.size(); i++) {
      const OutputTarget& t = outputs_[i];
      const uint8_t missing = t.components & static_cast<uint8_t>(~written_[i]);
      if (!missing) continue;
      Operand o = literal(0);
      o.place.value = t.missing;
      move_to_output(t.reg, missing, o, 0, false);
    }
    return std::move(out_);
  }

 private:
  // --- operands -----------------------------------------------------------------------------------------------------------
  VSource source(const Operand& o, const Vec<uint8_t>& lanes) {
    VSource s;
    if (o.place.kind == Place::Kind::immediate) return immediate(o, lanes);
    switch (o.place.kind) {
      case Place::Kind::reg: s.kind = VSource::Kind::reg; break;
      case Place::Kind::input: s.kind = VSource::Kind::input; break;
      case Place::Kind::constant: s.kind = VSource::Kind::constant; break;
      default: throw isa::Unsupported("internal: a value is read before it is written");
    }
    s.index = o.place.index;
    s.abs = o.abs;
    for (size_t i = 0; i < lanes.size(); i++) {
      s.lane[i] = o.place.lane[o.swizzle[lanes[i]]];
      if (s.lane[i] > 3) throw isa::Unsupported("internal: an unplaced lane is read");
      if (o.negate) s.negate |= static_cast<uint8_t>(1u << i);
    }
    return s;
  }

  /// 0 and 1 are swizzles, everything else a constant slot of magnitudes; the sign is a modifier per lane.
  VSource immediate(const Operand& o, const Vec<uint8_t>& lanes) {
    VSource s;
    std::vector<float> rest;
    Vec<size_t> rest_slot;
    for (size_t i = 0; i < lanes.size(); i++) {
      float v = o.place.value[o.place.lane[o.swizzle[lanes[i]]]];
      if (o.abs) v = std::fabs(v);
      if (o.negate) v = -v;
      if (v == 0.0f) {
        s.lane[i] = swz::zero;
        continue;
      }
      if (std::signbit(v)) s.negate |= static_cast<uint8_t>(1u << i);
      v = std::fabs(v);
      if (v == 1.0f) {
        s.lane[i] = swz::one;
      } else {
        rest.push_back(v);
        rest_slot.push_back(i);
      }
    }
    if (rest.empty()) return s;
    const isa::ConstantFile::Immediate imm = constants_.immediate(rest);
    s.kind = VSource::Kind::constant;
    s.index = imm.slot;
    for (size_t i = 0; i < rest.size(); i++) s.lane[rest_slot[i]] = imm.lane[i];
    return s;
  }

  // --- emission -----------------------------------------------------------------------------------------------------------
  /// One instruction reads one input and one constant register: the second one of either is copied to a temporary first.
  void emit(Op op) {
    if (!chip_.vertex.absolute) {
      for (unsigned i = 0; i < op.sources; i++)
        if (op.source[i].abs) take_absolute(op, op.source[i]);
    }
    if (op.saturate && !chip_.vertex.saturates) return emit_saturated(op);
    const VSource* input = nullptr;
    const VSource* constant = nullptr;
    for (unsigned i = 0; i < op.sources; i++) {
      VSource& s = op.source[i];
      if (s.kind != VSource::Kind::input && s.kind != VSource::Kind::constant) continue;
      const VSource*& first = s.kind == VSource::Kind::input ? input : constant;
      if (!first) {
        first = &s;
      } else if (first->index != s.index) {
        copy_to_register(s);
      }
    }
    out_.lir.ops.push_back(op);
  }

  /// Reads max(x, -x) instead; chips without absolute operands.
  void take_absolute(const Op& op, VSource& s) {
    Op m;
    m.op = V::PVS_DST_OPCODE__MAXIMUM;
    m.sources = 2;
    m.source[0] = s;
    m.source[0].abs = false;
    m.source[0].negate = 0;
    m.source[1] = m.source[0];
    for (unsigned k = 0; k < slots_read(op); k++) {
      if (s.lane[k] > 3) continue;
      m.source[0].lane[m.slots] = m.source[1].lane[m.slots] = s.lane[k];
      m.source[1].negate |= static_cast<uint8_t>(1u << m.slots);
      m.dst_lane[m.slots] = m.slots;
      s.lane[k] = m.slots++;
    }
    s.abs = false;
    if (!m.slots) return;
    m.dst = out_.lir.new_register(m.slots);
    s.kind = VSource::Kind::reg;
    s.index = m.dst;
    emit(m);
  }

  /// The result, then max with 0 and min with 1; chips that cannot clamp results.
  void emit_saturated(Op op) {
    Op low;
    low.op = V::PVS_DST_OPCODE__MAXIMUM;
    low.sources = 2;
    low.slots = op.slots;
    low.dst = op.dst;
    low.dst_kind = op.dst_kind;
    low.dst_lane = op.dst_lane;
    Op high = low;
    high.op = V::PVS_DST_OPCODE__MINIMUM;
    const auto step = [&](Op& from, Op& to) {
      from.dst = out_.lir.new_register(op.slots);
      from.dst_kind = Op::Dst::reg;
      for (uint8_t k = 0; k < op.slots; k++) to.source[0].lane[k] = from.dst_lane[k] = k;
      to.source[0].kind = VSource::Kind::reg;
      to.source[0].index = from.dst;
    };
    op.saturate = false;
    step(op, low);
    step(low, high);
    high.source[1].lane.fill(swz::one);
    emit(op);
    out_.lir.ops.push_back(low);
    out_.lir.ops.push_back(high);
  }

  /// Comparisons and selection of chips that have only < and >=, with results of 0 and 1.
  bool select_narrow(const ir::Instruction& x) {
    if (chip_.vertex.compares) return false;
    const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
    const auto both = [&](uint8_t compare, uint8_t join) {
      const Place d = places_.dest(x.result, 15), s = temp_like(d), t = temp_like(d);
      cw(compare, s, {src(0), src(1)});
      cw(compare, t, {src(1), src(0)});
      cw(join, d, {whole(s), whole(t)}, x.saturate);
    };
    switch (x.op) {
      case ir::Op::seq: both(V::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL, V::PVS_DST_OPCODE__MULTIPLY); return true;
      case ir::Op::sne: both(V::PVS_DST_OPCODE__SET_LESS_THAN, V::PVS_DST_OPCODE__ADD); return true;
      case ir::Op::sel: {  // a * c + b * (1 - c): exact, since c is 0 or 1 and a and b are finite
        const Place d = places_.dest(x.result, 15), other = temp_like(d), rest = temp_like(d);
        Operand c = src(0);
        c.negate = true;
        cw(V::PVS_DST_OPCODE__ADD, other, {c, literal(1)});
        cw(V::PVS_DST_OPCODE__MULTIPLY, rest, {src(2), whole(other)});
        cw(V::PVS_DST_OPCODE__MULTIPLY_ADD, d, {src(1), src(0), whole(rest)}, x.saturate);
        return true;
      }
      case ir::Op::rcp: scalar(x, M::PVS_DST_OPCODE__RECIP_DX); return true;
      case ir::Op::rsq: scalar(x, M::PVS_DST_OPCODE__RECIP_SQRT_DX); return true;
      case ir::Op::log2: scalar(x, M::PVS_DST_OPCODE__LOG_BASE2_FULL_DX); return true;
      default: return false;
    }
  }

  /// Copies the whole register (unread lanes are removed later); the next few instructions reuse the copy.
  void copy_to_register(VSource& s) {
    constexpr size_t kWindow = 12;
    const size_t now = out_.lir.ops.size();
    for (Copy& c : copies_) {
      if (c.kind != s.kind || c.index != s.index || now - c.last_use > kWindow) continue;
      c.last_use = now;
      s.kind = VSource::Kind::reg;
      s.index = c.reg;
      return;
    }
    Op mov;
    mov.op = V::PVS_DST_OPCODE__ADD;
    mov.sources = 2;
    mov.source[0].kind = s.kind;
    mov.source[0].index = s.index;
    mov.slots = 4;
    mov.source[0].lane = mov.dst_lane = {0, 1, 2, 3};
    mov.dst = out_.lir.new_register(4);
    copies_.push_back({s.kind, s.index, mov.dst, now + 1});
    s.kind = VSource::Kind::reg;
    s.index = mov.dst;
    out_.lir.ops.push_back(mov);
  }

  void cw(uint8_t code, const Place& dst, std::initializer_list<Operand> operands, bool saturate = false) {
    Op op;
    op.op = code;
    op.sources = static_cast<uint8_t>(operands.size());
    op.dst = dst.index;
    op.saturate = saturate;
    Vec<uint8_t> lanes;
    for (uint8_t l = 0; l < 4; l++) {
      if (dst.lane[l] == kNoLane) continue;
      op.dst_lane[lanes.size()] = dst.lane[l];
      lanes.push_back(l);
    }
    op.slots = static_cast<uint8_t>(lanes.size());
    if (!op.slots) return;
    size_t i = 0;
    for (const Operand& o : operands) op.source[i++] = source(o, lanes);
    emit(op);
  }

  void move(const Place& dst, const Operand& o, bool saturate = false) { cw(V::PVS_DST_OPCODE__ADD, dst, {o, literal(0)}, saturate); }

  Place temp_like(const Place& dst) {
    Place p;
    p.kind = Place::Kind::reg;
    uint8_t n = 0;
    for (unsigned l = 0; l < 4; l++) {
      if (dst.lane[l] != kNoLane) p.lane[l] = n++;
    }
    p.index = out_.lir.new_register(n);
    return p;
  }

  void scalar(const ir::Instruction& x, uint8_t code) {
    const Place d = places_.dest(x.result, 15);
    for (uint8_t l = 0; l < 4; l++) {
      if (d.lane[l] == kNoLane) continue;
      Op op;
      op.engine = Engine::math;
      op.op = code;
      op.sources = 1;
      op.source[0] = source(places_.read(x.source[0]), {l, l, l, l});
      op.slots = 1;
      op.dst = d.index;
      op.dst_lane[0] = d.lane[l];
      op.replicated = true;
      op.saturate = x.saturate;
      emit(op);
    }
  }

  void dot(const ir::Instruction& x, unsigned n) {
    const Place d = places_.dest(x.result, 15);
    if (d.lane[0] == kNoLane) return;
    Vec<uint8_t> lanes;
    for (uint8_t l = 0; l < n; l++) lanes.push_back(l);
    Op op;
    op.op = V::PVS_DST_OPCODE__DOT_PRODUCT;
    op.sources = 2;
    for (unsigned i = 0; i < 2; i++) op.source[i] = source(places_.read(x.source[i]), lanes);
    op.slots = 1;
    op.dst = d.index;
    op.dst_lane[0] = d.lane[0];
    op.replicated = true;
    op.saturate = x.saturate;
    emit(op);
  }

  // --- loops --------------------------------------------------------------------------------------------------------------
  void collect(const ir::NodeList& list) {
    definitions_.resize(module_.values.size());
    for (const ir::Node& n : list) {
      for (const ir::Instruction& x : n.instructions)
        if (x.result) definitions_[x.result] = &x;
      collect(n.then_list);
    }
  }
  void nodes(const ir::NodeList& list) {
    for (const ir::Node& n : list) {
      if (n.kind == ir::Node::Kind::loop)
        loop(n);
      else if (n.kind == ir::Node::Kind::block)
        for (const ir::Instruction& x : n.instructions) instruction(x);
      else
        throw isa::Unsupported("internal: control flow reached the vertex back end");
    }
  }

  void loop(const ir::Node& n) {
    const std::optional<unsigned> rounds = ir::counted_rounds(module_, n, chip_);
    if (!rounds) throw isa::Unsupported("internal: a loop without a count reached the vertex back end");
    unsigned inner = *rounds, outer = 1;
    while (inner > chip_.loop_rounds) {
      if (++outer > chip_.loop_rounds) throw isa::Unsupported("internal: the rounds of a loop do not divide into two levels");
      if (*rounds % outer == 0) inner = *rounds / outer;
    }
    for (ir::ValueId p : n.params) loop_registers_.push_back(places_.dest(p, 15).index);
    copies(n.params, n.args);
    if (outer > 1) mark(Op::Kind::loop, outer);
    loops_.push_back({out_.lir.ops.size(), outer == 1 ? n.params[0] : 0, 0});
    mark(Op::Kind::loop, inner);
    const ir::NodeList& body = n.then_list;
    size_t test = 0;
    while (body[test].kind != ir::Node::Kind::branch) test++;
    const ir::NodeList front(body.begin(), body.begin() + static_cast<ptrdiff_t>(test));
    nodes(front);
    nodes({body.begin() + static_cast<ptrdiff_t>(test) + 1, body.end() - 1});
    copies(n.params, body.back().args);
    mark(Op::Kind::endloop, 0);
    if (outer > 1) mark(Op::Kind::endloop, 0);
    loops_.pop_back();
    nodes(front);  // what the results need of the last, unsuccessful test
    for (ir::ValueId r : n.results) places_.dest(r, 15);
    copies(n.results, body[test].else_list[0].args);
  }

  void mark(Op::Kind kind, unsigned rounds) {
    Op op;
    op.kind = kind;
    op.rounds = static_cast<uint8_t>(rounds);
    out_.lir.ops.push_back(op);
    a0_ = {};
  }

  /// Parallel copies of whole values.
  void copies(std::span<const ir::ValueId> to, std::span<const ir::Source> from) {
    const auto same = [](ir::ValueId a, ir::ValueId b) { return a == b; };
    constexpr ir::ValueId kScratch = ~0u;
    Place scratch;
    const Vec<ir::Copy> sequence = ir::order_copies(module_, to, from, kScratch, same);
    for (const ir::Copy& c : sequence) {
      if (c.destination == kScratch) {
        scratch = temp_like(places_.at(c.source.value));
        move(scratch, places_.read(c.source));
        continue;
      }
      move(places_.at(c.destination), c.source.value == kScratch ? scratch_operand(scratch, c.source) : places_.read(c.source));
    }
  }
  /// order_copies() renamed the value, its swizzle still names the lanes of what was saved.
  static Operand scratch_operand(const Place& scratch, const ir::Source& s) { return {scratch, s.swizzle, s.abs, s.negate}; }

  /// index = scale * counter of the innermost loop + offset.
  struct Affine {
    float scale = 0, offset = 0;
  };
  std::optional<Affine> affine(const ir::Source& s, unsigned lane, int depth = 0) const {
    if (s.abs || depth > 8) return {};
    const unsigned from = s.swizzle[lane];
    std::optional<Affine> r;
    if (s.value == loops_.back().counter) {
      r = Affine{1, 0};
    } else if (const ir::Instruction* x = definitions_[s.value]; x && !x->saturate) {
      const auto arg = [&](unsigned i) { return affine(x->source[i], x->op == ir::Op::vec ? 0 : from, depth + 1); };
      if (x->op == ir::Op::constant) {
        r = Affine{0, x->constant[from]};
      } else if (x->op == ir::Op::mov) {
        r = arg(0);
      } else if (x->op == ir::Op::vec) {
        r = arg(from);
      } else if (x->op == ir::Op::add) {
        const auto a = arg(0), b = arg(1);
        if (a && b) r = Affine{a->scale + b->scale, a->offset + b->offset};
      } else if (x->op == ir::Op::mul || x->op == ir::Op::mad) {
        const auto a = arg(0), b = arg(1), c = x->op == ir::Op::mad ? arg(2) : Affine{};
        if (a && b && c && (a->scale == 0 || b->scale == 0))
          r = Affine{a->scale * b->offset + b->scale * a->offset + c->scale, a->offset * b->offset + c->offset};
      }
    }
    if (r && s.negate) r = Affine{-r->scale, -r->offset};
    return r;
  }
  /// The slot at which aL = 0 reads what `index` names, if aL can count that way.
  std::optional<uint32_t> loop_slot(const ir::Source& index, uint32_t slot) {
    if (loops_.empty() || loops_.back().counter == 0) return {};
    const std::optional<Affine> a = affine(index, 0);
    if (!a || a->scale == 0 || std::floor(a->scale) != a->scale || std::floor(a->offset) != a->offset ||
        std::fabs(a->scale) > float(chip_.loop_step))
      return {};
    const float at = static_cast<float>(slot) + a->offset;
    LoopFrame& loop = loops_.back();
    if (!(at >= 0 && at < float(chip_.vertex.constants)) || (loop.step && loop.step != a->scale)) return {};
    loop.step = a->scale;
    out_.lir.ops[loop.mark].index_step = static_cast<int8_t>(a->scale);
    return static_cast<uint32_t>(at);
  }

  // --- instructions -------------------------------------------------------------------------------------------------------
  void instruction(const ir::Instruction& x) {
    const auto src = [&](unsigned i) { return places_.read(x.source[i]); };
    const auto dst = [&]() -> const Place& { return places_.dest(x.result, 15); };
    const bool sat = x.saturate;
    if (select_narrow(x)) return;
    switch (x.op) {
      case ir::Op::constant: {
        Place& p = places_.at(x.result);
        p.kind = Place::Kind::immediate;
        p.value = x.constant.floats();
        p.lane = {0, 1, 2, 3};
        break;
      }
      case ir::Op::mov: mov(x); break;
      case ir::Op::vec: vec(x); break;
      case ir::Op::add: cw(V::PVS_DST_OPCODE__ADD, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::mul: cw(V::PVS_DST_OPCODE__MULTIPLY, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::mad: cw(V::PVS_DST_OPCODE__MULTIPLY_ADD, dst(), {src(0), src(1), src(2)}, sat); break;
      case ir::Op::min: cw(V::PVS_DST_OPCODE__MINIMUM, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::max: cw(V::PVS_DST_OPCODE__MAXIMUM, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::fract: cw(V::PVS_DST_OPCODE__FRACTION, dst(), {src(0)}, sat); break;
      case ir::Op::slt: cw(V::PVS_DST_OPCODE__SET_LESS_THAN, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::sge: cw(V::PVS_DST_OPCODE__SET_GREATER_THAN_EQUAL, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::seq: cw(V::PVS_DST_OPCODE__SET_EQUAL, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::sne: cw(V::PVS_DST_OPCODE__SET_NOT_EQUAL, dst(), {src(0), src(1)}, sat); break;
      case ir::Op::sel: cw(V::PVS_DST_OPCODE__COND_MUX_EQ, dst(), {src(0), src(2), src(1)}, sat); break;
      case ir::Op::floor: {
        const Place d = dst(), t = temp_like(d);
        cw(V::PVS_DST_OPCODE__FRACTION, t, {src(0)});
        Operand fraction = whole(t);
        fraction.negate = true;
        cw(V::PVS_DST_OPCODE__ADD, d, {src(0), fraction}, sat);
        break;
      }
      case ir::Op::rcp: scalar(x, M::PVS_DST_OPCODE__RECIP_IEEE); break;
      case ir::Op::rsq: scalar(x, M::PVS_DST_OPCODE__RECIP_SQRT_IEEE); break;
      case ir::Op::exp2: scalar(x, M::PVS_DST_OPCODE__EXP_BASE2_FULL_DX); break;
      case ir::Op::log2: scalar(x, M::PVS_DST_OPCODE__LOG_BASE2_IEEE); break;
      case ir::Op::sin: scalar(x, M::PVS_DST_OPCODE__SIN); break;
      case ir::Op::cos: scalar(x, M::PVS_DST_OPCODE__COS); break;
      case ir::Op::dot2: dot(x, 2); break;
      case ir::Op::dot3: dot(x, 3); break;
      case ir::Op::dot4: dot(x, 4); break;
      case ir::Op::load_input: load_input(x); break;
      case ir::Op::load_uniform:
      case ir::Op::load_push:
      case ir::Op::load_param: load_constant(x); break;
      case ir::Op::store_output: store(x); break;
      default: throw isa::Unsupported("internal: operation " + std::string(ir::info(x.op).name) + " reached the vertex back end");
    }
  }

  void mov(const ir::Instruction& x) {
    const Operand o = places_.read(x.source[0]);
    Place& p = places_.at(x.result);
    const bool variable = o.place.kind == Place::Kind::reg &&
                          std::find(loop_registers_.begin(), loop_registers_.end(), o.place.index) != loop_registers_.end();
    if (!x.saturate && !o.abs && !o.negate && p.kind == Place::Kind::unset && !variable) {
      p = o.place;
      for (unsigned l = 0; l < 4; l++) p.lane[l] = o.place.lane[o.swizzle[l]];
      return;
    }
    move(places_.dest(x.result, 15), o, x.saturate);
  }

  void vec(const ir::Instruction& x) {
    const Place d = places_.dest(x.result, 15);
    struct Group {
      Operand operand;
      Place dst;
    };
    Vec<Group> groups;
    for (unsigned i = 0; i < x.source_count; i++) {
      if (d.lane[i] == kNoLane || !(places_.used_lanes(x.result) >> i & 1)) continue;
      Operand o = places_.read(x.source[i]);
      const uint8_t from = o.place.lane[o.swizzle[0]];
      const bool is_immediate = o.place.kind == Place::Kind::immediate;
      if (o.place.kind == Place::Kind::reg && o.place.index == d.index && from == d.lane[i] && !o.abs && !o.negate) continue;
      Group* group = nullptr;
      for (Group& g : groups) {
        if (g.operand.place.kind == o.place.kind &&
            (is_immediate || (g.operand.place.index == o.place.index && g.operand.abs == o.abs && g.operand.negate == o.negate)))
          group = &g;
      }
      if (!group) {
        groups.push_back({is_immediate ? literal(0) : o, d});
        group = &groups.back();
        group->dst.lane.fill(kNoLane);
        group->operand.swizzle = {0, 1, 2, 3};
        if (!is_immediate) group->operand.place.lane.fill(0);
      }
      group->dst.lane[i] = d.lane[i];
      if (is_immediate) {
        float v = o.place.value[from];
        if (o.abs) v = std::fabs(v);
        group->operand.place.value[i] = o.negate ? -v : v;
      } else {
        group->operand.place.lane[i] = from;
      }
    }
    for (const Group& g : groups) move(g.dst, g.operand);
  }

  // --- inputs, constants, outputs -----------------------------------------------------------------------------------------
  void load_input(const ir::Instruction& x) {
    const ir::Input& in = module_.inputs[x.index];
    VertexInput wanted;
    switch (in.builtin) {
      case ir::Builtin::none: wanted.kind = VertexInput::Kind::attribute; break;
      case ir::Builtin::vertex_index: wanted.kind = VertexInput::Kind::vertex_index; break;
      case ir::Builtin::instance_index: wanted.kind = VertexInput::Kind::instance_index; break;
      default: throw isa::Unsupported("a vertex shader cannot read this built-in input", in.at);
    }
    wanted.location = in.builtin == ir::Builtin::none ? in.location : 0;
    VertexInput* found = nullptr;
    for (VertexInput& v : out_.inputs) {
      if (v.kind == wanted.kind && v.location == wanted.location) found = &v;
    }
    if (!found) {
      if (out_.inputs.size() == chip_.vertex.inputs)
        throw isa::Unsupported(
            "needs more than " + std::to_string(chip_.vertex.inputs) + " vertex inputs (attributes, gl_VertexIndex, gl_InstanceIndex)",
            in.at);
      wanted.reg = static_cast<uint32_t>(out_.inputs.size());
      wanted.components = 0;
      wanted.is_integer = in.builtin == ir::Builtin::none && in.type != ir::Type::f32;
      out_.inputs.push_back(wanted);
      found = &out_.inputs.back();
    }
    const uint8_t component = in.builtin == ir::Builtin::none ? in.component : 0;
    found->components = std::max<uint8_t>(found->components, static_cast<uint8_t>(component + in.comps));
    Place& p = places_.at(x.result);
    p.kind = Place::Kind::input;
    p.index = found->reg;
    for (unsigned l = 0; l < in.comps; l++) p.lane[l] = static_cast<uint8_t>(component + l);
  }

  void load_constant(const ir::Instruction& x) {
    Place& p = places_.at(x.result);
    const uint32_t slot = constants_.slot(x);
    if (x.source_count == 0) {
      p.kind = Place::Kind::constant;
      p.index = slot;
      p.lane = {0, 1, 2, 3};
      return;
    }
    const Place d = places_.dest(x.result, 15);
    Op op;
    op.op = V::PVS_DST_OPCODE__ADD;
    op.sources = 2;
    if (const std::optional<uint32_t> base = loop_slot(x.source[0], slot)) {
      op.source[0].kind = VSource::Kind::loop_relative;
      op.source[0].index = *base;
    } else {
      op.source[0].kind = VSource::Kind::relative;
      op.source[0].index = slot;
      op.source[0].a0_lane = address(x.source[0]);
    }
    op.dst = d.index;
    for (uint8_t l = 0; l < 4; l++) {
      if (d.lane[l] == kNoLane || !(places_.used_lanes(x.result) >> l & 1)) continue;
      op.source[0].lane[op.slots] = l;
      op.dst_lane[op.slots++] = d.lane[l];
    }
    if (op.slots) emit(op);
  }

  /// The lane of A0 that holds the index. The four lanes are reused round robin; an index still in one is not loaded again.
  uint8_t address(const ir::Source& index) {
    for (uint8_t l = 0; l < 4; l++) {
      const ir::Source& have = a0_[l];
      if (have.value && have.value == index.value && have.swizzle[0] == index.swizzle[0] && have.abs == index.abs &&
          have.negate == index.negate)
        return l;
    }
    const uint8_t lane = next_a0_++ & 3;
    a0_[lane] = index;
    Op op;
    op.op = V::PVS_DST_OPCODE__FLT2FIX_DX;
    op.sources = 1;
    op.source[0] = source(places_.read(index), {0});
    op.dst_kind = Op::Dst::address;
    op.slots = 1;
    op.dst_lane[0] = lane;
    emit(op);
    return lane;
  }

  /// Components `mask` of the output register; component c reads lane c - shift of the operand.
  void move_to_output(uint32_t reg, uint8_t mask, const Operand& o, unsigned shift, bool saturate) {
    Op op;
    op.op = V::PVS_DST_OPCODE__ADD;
    op.sources = 2;
    op.dst_kind = Op::Dst::output;
    op.dst = reg;
    op.saturate = saturate;
    Vec<uint8_t> lanes;
    for (uint8_t c = 0; c < 4; c++) {
      if (!(mask >> c & 1)) continue;
      op.dst_lane[lanes.size()] = c;
      lanes.push_back(static_cast<uint8_t>(c - shift));
    }
    op.slots = static_cast<uint8_t>(lanes.size());
    op.source[0] = source(o, lanes);
    if (op.slots) emit(op);
  }

  void store(const ir::Instruction& x) {
    const ir::Output& out = module_.outputs[x.index];
    const unsigned shift = out.builtin == ir::Builtin::none ? out.component : 0;
    const uint8_t lanes = static_cast<uint8_t>(x.mask & ((1u << out.comps) - 1));
    for (size_t i = 0; i < outputs_.size(); i++) {
      const OutputTarget& t = outputs_[i];
      if (t.builtin != out.builtin || (t.builtin == ir::Builtin::none && t.location != out.location)) continue;
      const uint8_t mask = static_cast<uint8_t>(lanes << shift & t.components);
      move_to_output(t.reg, mask, places_.read(x.source[0]), shift, false);
      written_[i] |= mask;
    }
  }

  const ir::Module& module_;
  isa::ConstantFile& constants_;
  const std::vector<OutputTarget>& outputs_;
  const ChipLimits& chip_;
  Vec<uint8_t> written_;
  Selected out_;
  isa::Places places_;
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

}  // namespace

Selected select(const ir::Module& module, isa::ConstantFile& constants, const std::vector<OutputTarget>& outputs, const ChipLimits& chip) {
  return Selector(module, constants, outputs, chip).run();
}

}  // namespace pumice::compiler::pvs
