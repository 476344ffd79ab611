// SPDX-License-Identifier: MIT
#include "compiler/us_r500/schedule.h"

#include <algorithm>

#include "compiler/isa/error.h"
#include "hw/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using R = regs::US_ALU_RGBA_INST;
using A = regs::US_ALU_ALPHA_INST;
using T = regs::US_TEX_INST;
using F = regs::US_FC_INST;

/// What an operation of a block touches, by number: temp channels, then the ALU result bit, then output channels and depth.
constexpr uint16_t kAluResult = kTemps * 4, kOutputs = kAluResult + 1, kDepth = kOutputs + kTargets * 4, kResources = kDepth + 1;

struct Node {
  bool has_rgb = false, has_alpha = false, is_tex = false;
  Half rgb, alpha;
  Instruction tex;
  isa::Small<uint16_t, 16> reads, writes;
  uint32_t next = 0;   ///< first of its edges in Block::edges_
  uint32_t waits = 0;  ///< predecessors not yet scheduled
  uint32_t height = 0;
  bool before_tex = false;          ///< a texture instruction waits for it
  uint64_t rank = 0;                ///< see Block::link()
  std::array<uint64_t, 2> temps{};  ///< bits of the temps it touches
};

/// Translates one operation of the Lir to physical registers.
class Lower {
 public:
  explicit Lower(const isa::Allocation& allocation) : allocation_(allocation) {}

  /// False if nothing is left of it (a copy to the same place).
  bool op(const Op& op, Node& node) const {
    if (op.kind == Op::Kind::tex) {
      texture(op, node);
      return true;
    }
    if (op.rgb) {
      VUnit u = *op.rgb;
      if (!op.alpha) drop_self_copies(u);
      if (u.slots || u.dst < 0) {
        node.has_rgb = true;
        unit(u, false, node.rgb, node);
      }
    }
    if (op.alpha) {
      VUnit u = *op.alpha;
      if (!op.rgb) drop_self_copies(u);
      if (u.slots || u.dst < 0) {
        node.has_alpha = true;
        unit(u, true, node.alpha, node);
      }
    }
    return node.has_rgb || node.has_alpha;
  }

 private:
  uint8_t channel(uint32_t reg, uint8_t lane) const { return allocation_.of[reg].channel[lane]; }
  uint8_t temp(uint32_t reg) const { return static_cast<uint8_t>(allocation_.of[reg].reg); }

  void drop_self_copies(VUnit& u) const {
    const bool copy = u.omod == A::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP && u.dst >= 0 && u.sources == 2 &&
                      u.source[0].kind == VSource::Kind::reg && u.source[1].kind == VSource::Kind::reg &&
                      u.source[0].index == u.source[1].index && !u.source[0].abs && !u.source[0].negate;
    if (!copy || temp(u.source[0].index) != temp(static_cast<uint32_t>(u.dst))) return;
    unsigned to = 0;
    for (unsigned k = 0; k < u.slots; k++) {
      const uint8_t from = u.source[0].lane[k];
      if (from < 4 && channel(u.source[0].index, from) == channel(static_cast<uint32_t>(u.dst), u.dst_lane[k])) continue;
      u.dst_lane[to] = u.dst_lane[k];
      u.source[0].lane[to] = u.source[1].lane[to] = from;
      to++;
    }
    u.slots = static_cast<uint8_t>(to);
  }

  void unit(const VUnit& u, bool alpha, Half& half, Node& node) const {
    Unit& out = half.unit;
    out.op = u.op;
    out.omod = u.omod;
    out.clamp = u.clamp;
    half.sources = u.sources;
    half.depth = u.depth;
    half.condition = u.condition;
    half.condition_op = u.condition_op;
    std::array<uint8_t, 3> slot_channel{0, 1, 2};
    if (u.dst >= 0) {
      const uint32_t dst = static_cast<uint32_t>(u.dst);
      out.dest = temp(dst);
      for (unsigned i = 0; i < u.slots; i++) {
        const uint8_t c = channel(dst, u.dst_lane[i]);
        if ((c == 3) != alpha) throw isa::Unsupported("internal: a lane is in a channel its unit cannot write");
        out.write |= static_cast<uint8_t>(alpha ? 1 : 1 << c);
        slot_channel[i] = c;
        node.writes.push_back(static_cast<uint16_t>(out.dest * 4 + c));
      }
    }
    if (u.target >= 0) {
      out.target = static_cast<uint8_t>(u.target);
      for (unsigned i = 0; i < u.slots; i++) {
        out.output |= static_cast<uint8_t>(alpha ? 1 : 1 << u.dst_lane[i]);
        slot_channel[i] = u.dst_lane[i];
        node.writes.push_back(static_cast<uint16_t>(kOutputs + out.target * 4 + u.dst_lane[i]));
      }
    }
    if (u.depth) node.writes.push_back(kDepth);
    if (u.condition) node.writes.push_back(kAluResult);
    for (unsigned i = 0; i < u.sources; i++) source(u, i, alpha, slot_channel, half.operand[i], node);
    if (u.derivative) half.operand[0].first = half.operand[2].first = true;
  }

  void source(const VUnit& u, unsigned index, bool alpha, const std::array<uint8_t, 3>& slot_channel, PhysicalOperand& o,
              Node& node) const {
    const VSource& s = u.source[index];
    o.text.modifier = static_cast<uint8_t>((s.negate ? 1 : 0) | (s.abs ? 2 : 0));
    switch (s.kind) {
      case VSource::Kind::reg: o.address = {Address::File::temp, temp(s.index), false}; break;
      case VSource::Kind::constant: o.address = {Address::File::constant, static_cast<uint8_t>(s.index), s.relative}; break;
      case VSource::Kind::inline_float: o.address = {Address::File::inline_float, static_cast<uint8_t>(s.index), false}; break;
      case VSource::Kind::none: break;
    }
    const unsigned lanes = alpha ? 1 : u.dot ? 3 : u.slots;
    for (unsigned i = 0; i < lanes; i++) {
      const unsigned position = alpha ? 0 : u.dot ? i : slot_channel[i];
      uint8_t code = s.lane[i];
      if (code < 4) {
        if (s.kind == VSource::Kind::reg) {
          code = channel(s.index, code);
          node.reads.push_back(static_cast<uint16_t>(temp(s.index) * 4 + code));
        }
        (code == 3 ? o.alpha : o.rgb) = true;
        if (u.derivative && index != 1 && code != (alpha ? 3 : position))
          throw isa::Unsupported("internal: a derivative's source is not in its own channel");
      }
      o.text.swizzle[position] = code;
    }
  }

  Texture::Port port(const VSource& s, unsigned lanes, Node& node) const {
    Texture::Port p;
    p.temp = temp(s.index);
    for (unsigned i = 0; i < lanes; i++) {
      p.swizzle[i] = channel(s.index, s.lane[i]);
      node.reads.push_back(static_cast<uint16_t>(p.temp * 4 + p.swizzle[i]));
    }
    return p;
  }

  void texture(const Op& op, Node& node) const {
    node.is_tex = true;
    Instruction& x = node.tex;
    x.type = Type::tex;
    x.tex.inst = op.inst;
    x.tex.unit = op.unit;
    x.tex.unscaled = op.unscaled;
    x.tex.source = port(op.coord, 4, node);
    if (op.inst == T::INST__DXDY) {
      x.tex.dx = port(op.dx, 4, node);
      x.tex.dy = port(op.dy, 4, node);
    }
    if (op.inst == T::INST__TEXKILL) {
      // All four components are the same one, so it does not matter whether the write mask selects what is tested.
      x.rgb.write = 7;
      x.alpha.write = 1;
      x.tex.dest = x.tex.source;
      return;
    }
    const uint32_t dst = static_cast<uint32_t>(op.dst);
    x.tex.dest.temp = temp(dst);
    for (uint8_t i = 0; i < 4; i++) {
      if (op.dst_lane[i] > 3) continue;
      const uint8_t c = channel(dst, op.dst_lane[i]);
      x.tex.dest.swizzle[c] = i;
      (c == 3 ? x.alpha.write : x.rgb.write) |= static_cast<uint8_t>(c == 3 ? 1 : 1 << c);
      node.writes.push_back(static_cast<uint16_t>(x.tex.dest.temp * 4 + c));
    }
  }

  const isa::Allocation& allocation_;
};

/// By resource, for linking: who wrote it last and who has read it since. Clean between the blocks.
struct Uses {
  /// The readers are lists in one vector, entry 0 ends them.
  struct Reader {
    uint32_t node, next;
  };
  std::array<int32_t, kResources> writer;
  std::array<uint32_t, kResources> first_reader{};
  Vec<Reader> readers{Reader{}};
  Uses() { writer.fill(-1); }
};

/// List scheduling of one straight run of operations.
class Block {
 public:
  Block(Vec<Node>& nodes, Vec<Instruction>& code, uint32_t& paired, Uses& uses) : nodes_(nodes), code_(code), paired_(paired) {
    link(uses);
  }

  /// Returns whether texture results are still in flight at the end.
  bool run() {
    begin_ = code_.size();
    size_t left = nodes_.size();
    for (uint32_t i = 0; i < nodes_.size(); i++) {
      if (!nodes_[i].waits) make_ready(i);
    }
    while (left) left -= !tex_ready_.empty() && !feeds_tex_ ? textures() : alu_slot();
    return in_flight();
  }

 private:
  void link(Uses& uses) {
    auto& [writer, first_reader, readers] = uses;
    // Whether there is an edge to the node being linked already, by predecessor: its number + 1.
    Vec<uint32_t> has_after(nodes_.size()), has_behind(nodes_.size());
    edges_.reserve(nodes_.size() * 4);
    for (uint32_t i = 0; i < nodes_.size(); i++) {
      const auto edge = [&](uint32_t from, bool same_slot, Vec<uint32_t>& has) __attribute__((always_inline)) {
        if (has[from] == i + 1) return;
        has[from] = i + 1;
        edges_.push_back({i, same_slot, nodes_[from].next});
        nodes_[from].next = static_cast<uint32_t>(edges_.size() - 1);
        nodes_[i].waits++;
      };
      const auto after = [&](uint32_t from) { edge(from, false, has_after); };   // needs an earlier slot
      const auto behind = [&](uint32_t from) { edge(from, true, has_behind); };  // may share the slot
      for (uint16_t r : nodes_[i].reads) {
        if (writer[r] >= 0) after(static_cast<uint32_t>(writer[r]));
      }
      for (uint16_t r : nodes_[i].writes) {
        if (writer[r] >= 0) after(static_cast<uint32_t>(writer[r]));
        for (uint32_t k = first_reader[r]; k; k = readers[k].next) {
          const uint32_t reader = readers[k].node;
          if (reader == i) continue;
          nodes_[reader].is_tex || nodes_[i].is_tex ? after(reader) : behind(reader);
        }
      }
      for (uint16_t r : nodes_[i].reads) {
        readers.push_back({i, first_reader[r]});
        first_reader[r] = static_cast<uint32_t>(readers.size() - 1);
      }
      for (uint16_t r : nodes_[i].writes) {
        writer[r] = static_cast<int32_t>(i);
        first_reader[r] = 0;
      }
    }
    readers.resize(1);
    for (const Node& n : nodes_) {
      for (const auto* list : {&n.reads, &n.writes}) {
        for (uint16_t r : *list) writer[r] = -1, first_reader[r] = 0;
      }
    }
    constexpr uint32_t kTexLatency = 16;
    for (size_t i = nodes_.size(); i-- > 0;) {
      Node& n = nodes_[i];
      for (uint32_t k = n.next; k; k = edges_[k].next) {
        const Edge& e = edges_[k];
        n.height = std::max(n.height, nodes_[e.to].height + (n.is_tex ? kTexLatency : 1));
        n.before_tex |= nodes_[e.to].is_tex || nodes_[e.to].before_tex;
      }
      // Larger is better: what texture instructions wait for, what does not wait for one itself (kLanded, as long as none is in flight
      // that it touches), the longest way to the end, program order. The last is its number too.
      n.rank = uint64_t{n.before_tex} << 63 | uint64_t{n.height} << 32 | (UINT32_MAX - static_cast<uint32_t>(i));
      for (const auto* list : {&n.reads, &n.writes}) {
        for (uint16_t r : *list) {
          if (r < kAluResult) n.temps[r / 256] |= uint64_t{1} << (r / 4 % 64);
        }
      }
    }
  }

  static constexpr uint64_t kLanded = uint64_t{1} << 62;
  static uint32_t number(uint64_t rank) { return UINT32_MAX - static_cast<uint32_t>(rank); }
  bool in_flight() const { return flight_[0] | flight_[1]; }
  bool flying(const Node& n) const { return (n.temps[0] & flight_[0]) | (n.temps[1] & flight_[1]); }
  uint64_t rank_now(uint64_t rank) const { return flying(nodes_[number(rank)]) ? rank : rank | kLanded; }

  enum Kind : unsigned { kRgb, kAlpha, kBoth };
  static Kind kind(const Node& n) { return n.has_rgb && n.has_alpha ? kBoth : n.has_rgb ? kRgb : kAlpha; }

  void make_ready(uint32_t i) {
    const Node& n = nodes_[i];
    if (n.is_tex) {
      tex_ready_.push_back(i);
      return;
    }
    ready_[kind(n)].push_back(n.rank);
    feeds_tex_ += n.before_tex;
  }

  /// What waited for it may be ready now.
  void finish(const Node& n) {
    for (uint32_t k = n.next; k; k = edges_[k].next) {
      if (--nodes_[edges_[k].to].waits == 0) make_ready(edges_[k].to);
    }
  }
  void finish_alu(const Node& n) {
    Vec<uint64_t>& list = ready_[kind(n)];
    *std::find(list.begin(), list.end(), n.rank) = list.back();
    list.pop_back();
    feeds_tex_ -= n.before_tex;
    finish(n);
  }

  size_t textures() {
    Vec<uint32_t> group;
    std::swap(group, tex_ready_);
    std::sort(group.begin(), group.end());
    for (uint32_t i : group) {
      Node& n = nodes_[i];
      n.tex.alu_wait = true;
      if (flying(n)) {
        n.tex.tex_sem_wait = true;
        flight_ = {};
      }
      code_.push_back(n.tex);
      finish(n);
    }
    // Registers being read count as in flight too: an ALU instruction must not overwrite them before the fetch has begun.
    for (uint32_t i : group) {
      for (unsigned w = 0; w < 2; w++) flight_[w] |= nodes_[i].temps[w];
    }
    // Release comes when this one and all before it have written back; it takes the semaphore, so it waits for its former owner.
    code_.back().tex.acquire = true;
    code_.back().tex_sem_wait = true;
    return group.size();
  }

  static bool output(const Node& n) { return n.rgb.unit.output || n.alpha.unit.output || n.alpha.depth; }
  static bool condition(const Node& n) { return n.alpha.condition; }

  bool build(const Node& first, const Node* second, Instruction& x) const {
    const Node* rgb = first.has_rgb ? &first : second && second->has_rgb ? second : nullptr;
    const Node* alpha = first.has_alpha ? &first : second && second->has_alpha ? second : nullptr;
    if (second && ((output(first) && condition(*second)) || (output(*second) && condition(first)))) return false;
    if (!place_sources(rgb ? &rgb->rgb : nullptr, alpha ? &alpha->alpha : nullptr, x)) return false;
    const bool out = output(first) || (second && output(*second));
    x.type = out ? Type::out : Type::alu;
    if (alpha) {
      x.depth_write = alpha->alpha.depth;
      if (alpha->alpha.condition) {
        x.result_write = x.result_alpha = true;
        x.result_op = alpha->alpha.condition_op;
      }
    }
    return true;
  }

  /// The best of the list below a rank, or 0.
  uint64_t best_of(const Vec<uint64_t>& list, uint64_t below = UINT64_MAX) const {
    uint64_t best = 0;
    if (in_flight()) {
      for (uint64_t rank : list) {
        const uint64_t r = rank_now(rank);
        if (r > best && r < below) best = r;
      }
    } else {
      for (uint64_t rank : list) {
        const uint64_t r = rank | kLanded;
        if (r > best && r < below) best = r;
      }
    }
    return best;
  }

  size_t alu_slot() {
    const uint64_t best = std::max({best_of(ready_[kRgb]), best_of(ready_[kAlpha]), best_of(ready_[kBoth])});
    if (!best) throw isa::Unsupported("internal: scheduling found a cycle");
    Instruction x;
    const Node& first = nodes_[number(best)];
    const Node* partner = nullptr;
    if (kind(first) != kBoth) {
      const Kind other = kind(first) == kRgb ? kAlpha : kRgb;
      behind_.clear();
      for (uint32_t k = first.next; k; k = edges_[k].next) {
        const Edge& e = edges_[k];
        const Node& n = nodes_[e.to];
        // Everything it waits for is the first operation, and only because it overwrites what that reads.
        if (e.same_slot && n.waits == 1 && !n.is_tex && kind(n) == other) behind_.push_back(n.rank);
      }
      for (uint64_t next = UINT64_MAX; !partner;) {
        next = std::max(best_of(ready_[other], next), best_of(behind_, next));
        if (!next) break;
        if (build(first, &nodes_[number(next)], x)) partner = &nodes_[number(next)];
      }
    }
    if (!partner) {
      x = {};
      if (!build(first, nullptr, x)) throw isa::Unsupported("internal: one operation does not fit a slot");
    }
    if (flying(first) || (partner && flying(*partner))) {
      x.tex_sem_wait = true;
      flight_ = {};
    }
    hazard(x);
    code_.push_back(x);
    finish_alu(first);
    if (!partner) {
      paired_ += first.has_rgb && first.has_alpha;
      return 1;
    }
    finish_alu(*partner);
    paired_++;
    return 2;
  }

  /// MDH and MDV read their source across pixels: a bubble after the instruction that wrote it (A7).
  void hazard(const Instruction& x) {
    if (code_.size() == begin_) return;
    Instruction& p = code_.back();
    if (p.type != Type::alu && p.type != Type::out) return;
    const auto written = [&](const Address& a, bool rgb) {
      return a.file == Address::File::temp && (rgb ? p.rgb.write && p.rgb.dest == a.value : p.alpha.write && p.alpha.dest == a.value);
    };
    if ((x.rgb.op == R::RGB_OP__MDH || x.rgb.op == R::RGB_OP__MDV) && written(x.rgb.address[0], true)) p.nop = true;
    if ((x.alpha.op == A::ALPHA_OP__MDH || x.alpha.op == A::ALPHA_OP__MDV) && written(x.alpha.address[0], false)) p.nop = true;
  }

  struct Edge {
    uint32_t to;
    bool same_slot;  ///< the successor may share the slot (it only overwrites what this one reads)
    uint32_t next;   ///< of the same node; 0: the last
  };
  Vec<Node>& nodes_;
  Vec<Edge> edges_{Edge{}};
  Vec<Instruction>& code_;
  uint32_t& paired_;
  size_t begin_ = 0;
  std::array<Vec<uint64_t>, 3> ready_;  ///< ALU operations by Kind, as ranks in any order
  Vec<uint64_t> behind_;                ///< what could share the slot with the operation that it waits for
  Vec<uint32_t> tex_ready_;
  uint32_t feeds_tex_ = 0;            ///< ready operations that a texture instruction waits for
  std::array<uint64_t, 2> flight_{};  ///< temps of texture instructions not yet waited for
};

/// Flow control, table A9. Branches and loops nest, so jump targets are filled in when the construct ends.
class FlowWriter {
 public:
  explicit FlowWriter(Vec<Instruction>& code) : code_(code) {}
  bool full() const { return loops_seen_ || deepest_ > 4; }

  void op(const Op& op, bool wait_for_textures) {
    Instruction x;
    x.type = Type::flow;
    x.alu_wait = true;
    x.tex_sem_wait = wait_for_textures;
    Flow& f = x.flow;
    const uint16_t here = static_cast<uint16_t>(code_.size());
    switch (op.kind) {
      case Op::Kind::if_:
        f = jump(0x0F, false);
        f.branch_op0 = F::B_OP0__INCREMENT;
        ifs_.push_back({here, -1});
        deepest_ = std::max(deepest_, ifs_.size());
        break;
      case Op::Kind::else_:
        f = jump(0x00, false);
        f.is_else = true;
        f.branch_op1 = F::B_OP1__DECREMENT;
        f.pop_count = 1;
        ifs_.back().other = here;
        break;
      case Op::Kind::endif:
        f = jump(0x00, true);
        f.branch_op0 = F::B_OP0__DECREMENT;
        f.pop_count = 1;
        f.target = static_cast<uint16_t>(here + 1);
        end_if(here);
        break;
      case Op::Kind::loop:
        f.op = F::OP__LOOP;
        f.int_address = op.counter;
        loops_.push_back({here, {}, {}});
        loops_seen_ = true;
        if (loops_.size() > 4)
          throw isa::Unsupported("loops nested " + std::to_string(loops_.size()) + " deep on the chip, 4 levels are known to work");
        break;
      case Op::Kind::endloop:
        f.op = F::OP__ENDLOOP;
        f.int_address = op.counter;
        f.jump_func = 0xFF;
        f.jump_any = true;
        f.target = static_cast<uint16_t>(loops_.back().begin + 1);
        for (uint16_t b : loops_.back().breaks) code_[b].flow.target = static_cast<uint16_t>(here + 1);
        for (uint16_t c : loops_.back().continues) code_[c].flow.target = here;
        code_[loops_.back().begin].flow.target = static_cast<uint16_t>(here + 1);
        loops_.pop_back();
        break;
      case Op::Kind::break_:
      case Op::Kind::continue_:
        f.op = op.kind == Op::Kind::break_ ? F::OP__BREAKLOOP : F::OP__CONTINUE;
        f.jump_func = 0xFF;
        f.branch_op1 = F::B_OP1__DECREMENT;
        f.pop_count = op.pop;
        (op.kind == Op::Kind::break_ ? loops_.back().breaks : loops_.back().continues).push_back(here);
        break;
      default: break;
    }
    code_.push_back(x);
  }

 private:
  static Flow jump(uint8_t func, bool any) {
    Flow f;
    f.op = F::OP__JUMP;
    f.jump_func = func;
    f.jump_any = any;
    return f;
  }
  void end_if(uint16_t here) {
    const If& i = ifs_.back();
    Flow& f = code_[i.begin].flow;
    if (i.other < 0) {
      f.target = static_cast<uint16_t>(here + 1);
    } else {
      f.branch_op1 = F::B_OP1__INCREMENT;
      f.target = static_cast<uint16_t>(i.other + 1);
      code_[static_cast<size_t>(i.other)].flow.target = static_cast<uint16_t>(here + 1);
    }
    ifs_.pop_back();
  }

  struct If {
    uint16_t begin;
    int other;
  };
  struct Loop {
    uint16_t begin;
    Vec<uint16_t> breaks, continues;
  };
  Vec<Instruction>& code_;
  Vec<If> ifs_;
  Vec<Loop> loops_;
  size_t deepest_ = 0;
  bool loops_seen_ = false;
};

}  // namespace

Scheduled schedule(const Lir& lir, const isa::Allocation& allocation) {
  Scheduled out;
  const Lower lower(allocation);
  FlowWriter flow(out.code);
  Uses uses;
  Vec<Node> nodes;
  nodes.reserve(std::min<size_t>(lir.ops.size(), 128));
  out.code.reserve(lir.ops.size() + 1);
  bool in_flight = false;
  const auto flush = [&] {
    in_flight = false;
    if (!nodes.empty()) in_flight = Block(nodes, out.code, out.paired, uses).run();
    nodes.clear();
  };
  for (const Op& op : lir.ops) {
    if (op.kind == Op::Kind::alu || op.kind == Op::Kind::tex) {
      if (!lower.op(op, nodes.emplace_back())) nodes.pop_back();
      continue;
    }
    flush();
    flow.op(op, in_flight);
  }
  const size_t before = out.code.size();
  flush();
  if (out.code.size() == before || out.code.back().type != Type::out) {
    Instruction end;
    end.type = Type::out;
    out.code.push_back(end);
  }
  out.code.back().tex_sem_wait = true;
  out.code.back().last = true;
  out.full_flow_control = flow.full();
  return out;
}

}  // namespace pumice::compiler::us
