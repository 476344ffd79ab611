// SPDX-License-Identifier: MIT
#include "compiler/us_r500/schedule.h"

#include <algorithm>
#include <bit>

#include "compiler/isa/error.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

using R = regs::US_ALU_RGBA_INST;
using A = regs::US_ALU_ALPHA_INST;
using T = regs::US_TEX_INST;
using F = regs::US_FC_INST;

/// The resources an operation of the block accesses, by number: temp channels, then the ALU result bit, then output channels and depth.
constexpr uint16_t kAluResult = kTempNames * 4, kOutputs = kAluResult + 1, kDepth = kOutputs + kTargetNames * 4, kResources = kDepth + 1;

struct Node {
  bool has_rgb = false, has_alpha = false, is_tex = false;
  uint32_t tex = 0;  ///< index into Operations::textures
  Half rgb, alpha;
  isa::Small<uint16_t, 16> reads, writes;
};
/// Of one straight run.
struct Operations {
  Vec<Node> nodes;
  Vec<Instruction> textures;
  void clear() {
    nodes.clear();
    textures.clear();
  }
};

/// Translates one operation of the Lir to physical registers.
class Lower {
 public:
  explicit Lower(const isa::Allocation& allocation) : allocation_(allocation) {}

  /// Appends what is left of it: nothing of a copy to the same place.
  void op(const Op& op, Operations& out) const {
    if (op.kind == Op::Kind::tex) {
      Node& node = out.nodes.emplace_back();
      node.tex = static_cast<uint32_t>(out.textures.size());
      texture(op, node, out.textures.emplace_back());
      return;
    }
    if (op.rgb && op.alpha) {
      Node& node = out.nodes.emplace_back();
      half(*op.rgb, false, node);
      half(*op.alpha, true, node);
      return;
    }
    const bool alpha = !op.rgb;
    const VUnit& only = alpha ? *op.alpha : *op.rgb;
    if (!self_copy(only)) {
      half(only, alpha, out.nodes.emplace_back());
      return;
    }
    VUnit u = only;
    drop_self_copies(u);
    if (u.slots) half(u, alpha, out.nodes.emplace_back());
  }

 private:
  uint8_t channel(uint32_t reg, uint8_t lane) const { return allocation_.of[reg].channel[lane]; }
  uint8_t temp(uint32_t reg) const { return static_cast<uint8_t>(allocation_.of[reg].reg); }

  /// A copy from a register to itself; some lanes may already be in place.
  bool self_copy(const VUnit& u) const {
    return u.omod == A::OMOD__COPY_EXACTLY_NO_MODIFIER_OR_CLAMP && u.dst >= 0 && u.sources == 2 && u.source[0].kind == VSource::Kind::reg &&
           u.source[1].kind == VSource::Kind::reg && u.source[0].index == u.source[1].index && !u.source[0].abs && !u.source[0].negate &&
           temp(u.source[0].index) == temp(static_cast<uint32_t>(u.dst));
  }
  void drop_self_copies(VUnit& u) const {
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

  void half(const VUnit& u, bool alpha, Node& node) const {
    (alpha ? node.has_alpha : node.has_rgb) = true;
    unit(u, alpha, alpha ? node.alpha : node.rgb, node);
  }

  void unit(const VUnit& u, bool alpha, Half& half, Node& node) const {
    Unit& out = half.unit;
    out.op = alpha ? alpha_op(u.op) : rgb_op(u.op);
    out.omod = u.omod;
    out.clamp = u.clamp;
    half.depth = u.depth;
    half.condition = u.condition;
    half.condition_op = u.condition_op;
    std::array<uint8_t, 3> slot_channel{0, 1, 2};
    if (u.dst >= 0) {
      const uint32_t dst = static_cast<uint32_t>(u.dst);
      out.dest = temp(dst);
      unsigned channels = 0;
      for (unsigned i = 0; i < u.slots; i++) {
        const uint8_t c = channel(dst, u.dst_lane[i]);
        channels |= 1u << c;
        slot_channel[i] = c;
        node.writes.push_back(static_cast<uint16_t>(out.dest * 4 + c));
      }
      if (channels & (alpha ? 7u : 8u)) throw isa::Unsupported("internal: a lane is in a channel its unit cannot write");
      out.write = static_cast<uint8_t>(alpha ? channels >> 3 : channels);
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
    const unsigned lanes = alpha ? 1 : u.dot ? 3 : u.slots;
    if (alpha || u.dot) slot_channel = {0, 1, 2};
    for (unsigned i = 0; i < u.sources; i++) source(u, i, alpha, lanes, slot_channel, half, node);
  }

  /// `position`: where lane i stands in the swizzle.
  void source(const VUnit& u, unsigned index, bool alpha, unsigned lanes, const std::array<uint8_t, 3>& position, Half& half,
              Node& node) const {
    const VSource& s = u.source[index];
    Operand& text = half.unit.operand[index];
    text.modifier = static_cast<uint8_t>(unsigned{s.negate} | unsigned{s.abs} << 1);
    std::array<uint8_t, 8> code{0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t value = s.index;
    const bool reg = s.kind == VSource::Kind::reg;
    if (reg) {
      value = temp(s.index);
      std::copy(allocation_.of[s.index].channel.begin(), allocation_.of[s.index].channel.end(), code.begin());
    }
    unsigned codes = 0;
    for (unsigned i = 0; i < lanes; i++) {
      const uint8_t c = code[s.lane[i] & 7];
      codes |= 1u << c;
      text.swizzle[position[i]] = c;
      node.reads.push_back_if(reg & (c < 4), static_cast<uint16_t>(value * 4 + c));
      if (u.derivative && index != 1 && c < 4 && c != (alpha ? 3 : position[i]))
        throw isa::Unsupported("internal: a derivative's source is not in its own channel");
    }
    if (!(codes & 15)) return;
    constexpr Address::File kFiles[] = {Address::File::inline_float, Address::File::temp, Address::File::constant,
                                        Address::File::inline_float};
    Half::Wish& w = half.wish[half.wishes++];
    half.wish_of[index] = half.wishes;
    w.key = address_key(kFiles[static_cast<size_t>(s.kind)], value, s.kind == VSource::Kind::constant && s.relative);
    w.rgb = (codes & 7) != 0;
    w.alpha = (codes & 8) != 0;
    w.first = u.derivative && index != 1;
  }

  Port port(const VSource& s, unsigned lanes, Node& node) const {
    Port p;
    p.temp = temp(s.index);
    for (unsigned i = 0; i < lanes; i++) {
      p.swizzle[i] = channel(s.index, s.lane[i]);
      node.reads.push_back(static_cast<uint16_t>(p.temp * 4 + p.swizzle[i]));
    }
    return p;
  }

  void texture(const Op& op, Node& node, Instruction& x) const {
    node.is_tex = true;
    x.type = Type::TEXTURE;
    x.tex.inst = TexOp{op.inst};
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

/// Per resource, for building dependences: the last writer and the readers since. Reset between blocks.
struct Uses {
  /// The readers are lists in one vector, entry 0 ends them.
  struct Reader {
    uint32_t node, next;
  };
  static constexpr uint32_t kNobody = ~0u;
  std::array<uint32_t, kResources> writer;
  std::array<uint32_t, kResources> first_reader{};
  Vec<Reader> readers{Reader{}};
  Uses() { writer.fill(kNobody); }
};

/// Bits by place in the order of preference.
class PlaceSet {
 public:
  explicit PlaceSet(size_t places) : words_((places + 63) / 64) {}
  void set(uint32_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void reset(uint32_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  size_t words() const { return words_.size(); }
  uint64_t word(size_t w) const { return words_[w]; }

 private:
  Vec<uint64_t> words_;
};

/// List scheduling of one straight run of operations.
class Block {
 public:
  Block(Operations& operations, Vec<Instruction>& code, uint32_t& paired, Uses& uses)
      : nodes_(operations.nodes),
        textures_(operations.textures),
        links_(nodes_.size() + 1),
        at_(nodes_.size()),
        code_(code),
        paired_(paired),
        ready_{PlaceSet(nodes_.size()), PlaceSet(nodes_.size()), PlaceSet(nodes_.size())},
        behind_(nodes_.size()) {
    link(uses);
    order();
  }

  /// Returns whether texture results are still in flight at the end.
  bool run() {
    begin_ = code_.size();
    size_t left = nodes_.size();
    for (uint32_t i = 0; i < nodes_.size(); i++) {
      if (!links_[i].waits) make_ready(i);
    }
    while (left) left -= !tex_ready_.empty() && !feeds_tex_ ? textures() : alu_slot();
    return in_flight();
  }

 private:
  enum Kind : uint8_t { kRgb, kAlpha, kBoth, kTexture };

  /// The per-node data in the hot path.
  struct Link {
    uint32_t next = 0;   ///< first of its edges in edges_
    uint32_t waits = 0;  ///< predecessors not yet scheduled
    uint32_t height = 0, place = 0;
    uint32_t has_after = 0, has_behind = 0;  ///< while linking: the node + 1 to which it has an edge of the kind
    Kind kind = kRgb;
    bool before_tex = false;          ///< a texture instruction waits for it
    std::array<uint64_t, 3> temps{};  ///< bits of the temps it touches; the third: what else it touches
  };

  void link(Uses& uses) {
    auto& [writer, first_reader, readers] = uses;
    const uint32_t count = static_cast<uint32_t>(nodes_.size());
    edges_.reserve(count * 4);
    edges_.resize(1);
    // links_[count] is a sentinel: the writer of resources without one.
    for (uint32_t i = 0; i < count; i++) {
      const Node& n = nodes_[i];
      Link& to = links_[i];
      to.kind = n.is_tex ? kTexture : n.has_rgb && n.has_alpha ? kBoth : n.has_rgb ? kRgb : kAlpha;
      // The edge is written in any case and counts if it is new.
      const auto edge = [&](uint32_t from, bool same_slot) __attribute__((always_inline)) {
        Link& f = links_[from];
        uint32_t& has = same_slot ? f.has_behind : f.has_after;
        const bool fresh = (has != i + 1) & (from != count);
        has = i + 1;
        const uint32_t at = static_cast<uint32_t>(edges_.size());
        edges_.push_back({i, same_slot, f.next});
        f.next = fresh ? at : f.next;
        to.waits += fresh;
        edges_.resize(at + fresh);
      };
      for (uint16_t r : n.reads) {
        edge(std::min(writer[r], count), false);  // needs an earlier slot
        to.temps[r / 256] |= uint64_t{1} << (r / 4 % 64);
      }
      for (uint16_t r : n.writes) {
        edge(std::min(writer[r], count), false);
        to.temps[r / 256] |= uint64_t{1} << (r / 4 % 64);
        for (uint32_t k = first_reader[r]; k; k = readers[k].next) {
          const uint32_t reader = readers[k].node;
          // May share the slot, but not with textures.
          if (reader != i) edge(reader, (links_[reader].kind != kTexture) & (to.kind != kTexture));
        }
      }
      for (uint16_t r : n.reads) {
        readers.push_back({i, first_reader[r]});
        first_reader[r] = static_cast<uint32_t>(readers.size() - 1);
      }
      for (uint16_t r : n.writes) {
        writer[r] = i;
        first_reader[r] = 0;
      }
    }
    readers.resize(1);
    for (const Node& n : nodes_) {
      for (const auto* list : {&n.reads, &n.writes}) {
        for (uint16_t r : *list) writer[r] = Uses::kNobody, first_reader[r] = 0;
      }
    }
  }

  /// Gives every node its place, the best first: what texture instructions wait for, then the longest way to the end, then program order.
  /// The first feeders_ places are of the first sort.
  void order() {
    constexpr uint32_t kTexLatency = 16;
    uint32_t highest = 0;
    for (size_t i = nodes_.size(); i-- > 0;) {
      Link& n = links_[i];
      const uint32_t step = n.kind == kTexture ? kTexLatency : 1;
      for (uint32_t k = n.next; k; k = edges_[k].next) {
        const Link& to = links_[edges_[k].to];
        n.height = std::max(n.height, to.height + step);
        n.before_tex |= (to.kind == kTexture) | to.before_tex;
      }
      highest = std::max(highest, n.height);
    }
    const auto group = [&](const Link& n) { return highest - n.height + (n.before_tex ? 0 : highest + 1); };
    Vec<uint32_t> first(2 * size_t{highest} + 3);
    for (size_t i = 0; i < nodes_.size(); i++) first[group(links_[i]) + 1]++;
    for (size_t g = 1; g < first.size(); g++) first[g] += first[g - 1];
    feeders_ = first[highest + 1];
    for (uint32_t i = 0; i < nodes_.size(); i++) {
      links_[i].place = first[group(links_[i])]++;
      at_[links_[i].place] = i;
    }
  }

  bool in_flight() const { return flight_[0] | flight_[1]; }
  bool flying(uint32_t i) const { return (links_[i].temps[0] & flight_[0]) | (links_[i].temps[1] & flight_[1]); }

  void make_ready(uint32_t i) {
    const Link& n = links_[i];
    if (n.kind == kTexture) {
      tex_ready_.push_back(i);
      return;
    }
    ready_[n.kind].set(n.place);
    feeds_tex_ += n.before_tex;
  }

  /// What waited for it may be ready now.
  void finish(uint32_t i) {
    for (uint32_t k = links_[i].next; k; k = edges_[k].next) {
      if (--links_[edges_[k].to].waits == 0) make_ready(edges_[k].to);
    }
  }
  void finish_alu(uint32_t i) {
    const Link& n = links_[i];
    ready_[n.kind].reset(n.place);
    feeds_tex_ -= n.before_tex;
    finish(i);
  }

  size_t textures() {
    Vec<uint32_t> group;
    std::swap(group, tex_ready_);
    std::sort(group.begin(), group.end());
    for (uint32_t i : group) {
      Instruction& x = textures_[nodes_[i].tex];
      x.alu_wait = true;
      if (flying(i)) {
        x.tex_sem_wait = true;
        flight_ = {};
      }
      code_.push_back(x);
      finish(i);
    }
    // Registers being read count as in flight too: an ALU instruction must not overwrite them before the fetch has begun.
    for (uint32_t i : group) {
      for (unsigned w = 0; w < 2; w++) flight_[w] |= links_[i].temps[w];
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
    x.type = out ? Type::OUTPUT : Type::ALU;
    if (alpha) {
      x.depth_write = alpha->alpha.depth;
      if (alpha->alpha.condition) {
        x.result_write = x.result_alpha = true;
        x.result_op = alpha->alpha.condition_op;
      }
    }
    return true;
  }

  static constexpr uint32_t kNone = ~0u;

  /// The first node, best first, for which `take` holds; `word(w)`: the bits to look at. What touches a temp in flight comes behind the
  /// others of its sort.
  template <class Word, class Take>
  uint32_t first_of(const Word& word, const Take& take) const {
    const size_t words = behind_.words();
    if (!in_flight()) {
      for (size_t w = 0; w < words; w++) {
        for (uint64_t bits = word(w); bits; bits &= bits - 1) {
          const uint32_t i = at_[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
          if (take(i)) return i;
        }
      }
      return kNone;
    }
    for (const bool feeders : {true, false}) {
      for (const bool flies : {false, true}) {
        for (size_t w = feeders ? 0 : feeders_ / 64; w < words && (!feeders || w * 64 < feeders_); w++) {
          uint64_t bits = word(w);
          // Of the places in the word those before feeders_, or from there on.
          const uint64_t before =
              feeders_ >= w * 64 + 64 ? ~uint64_t{0} : (uint64_t{1} << (feeders_ - std::min<size_t>(feeders_, w * 64))) - 1;
          bits &= feeders ? before : ~before;
          for (; bits; bits &= bits - 1) {
            const uint32_t i = at_[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
            if (flying(i) == flies && take(i)) return i;
          }
        }
      }
    }
    return kNone;
  }

  size_t alu_slot() {
    const uint32_t first = first_of([&](size_t w) { return ready_[kRgb].word(w) | ready_[kAlpha].word(w) | ready_[kBoth].word(w); },
                                    [](uint32_t) { return true; });
    if (first == kNone) throw isa::Unsupported("internal: scheduling found a cycle");
    Instruction& x = code_.emplace_back();
    uint32_t partner = kNone;
    const Kind kind = links_[first].kind;
    if (kind != kBoth) {
      const Kind other = kind == kRgb ? kAlpha : kRgb;
      behind_.clear();
      for (uint32_t k = links_[first].next; k; k = edges_[k].next) {
        const Edge& e = edges_[k];
        const Link& n = links_[e.to];
        // Everything it waits for is the first operation, and only because it overwrites what that reads.
        if (e.same_slot & (n.waits == 1) & (n.kind == other)) behind_.set(n.place);
      }
      partner = first_of([&](size_t w) { return ready_[other].word(w) | behind_.word(w); },
                         [&](uint32_t i) { return build(nodes_[first], &nodes_[i], x); });
    }
    if (partner == kNone && !build(nodes_[first], nullptr, x)) throw isa::Unsupported("internal: one operation does not fit a slot");
    if (flying(first) || (partner != kNone && flying(partner))) {
      x.tex_sem_wait = true;
      flight_ = {};
    }
    hazard(x);
    finish_alu(first);
    if (partner == kNone) {
      paired_ += kind == kBoth;
      return 1;
    }
    finish_alu(partner);
    paired_++;
    return 2;
  }

  /// MDH and MDV read their source across pixels: a bubble after the instruction that wrote it (A7).
  void hazard(const Instruction& x) {
    if (code_.size() == begin_ + 1) return;
    Instruction& p = code_[code_.size() - 2];
    if (p.type != Type::ALU && p.type != Type::OUTPUT) return;
    const auto written = [&](const Address& a, bool rgb) {
      return a.file == Address::File::temp && (rgb ? p.rgb.write && p.rgb.dest == a.value : p.alpha.write && p.alpha.dest == a.value);
    };
    if (info(x.rgb.op).derivative && written(x.rgb.address[0], true)) p.nop = true;
    if (info(x.alpha.op).derivative && written(x.alpha.address[0], false)) p.nop = true;
  }

  struct Edge {
    uint32_t to;
    bool same_slot;  ///< the successor may share the slot (it only overwrites what this one reads)
    uint32_t next;   ///< of the same node; 0: the last
  };
  const Vec<Node>& nodes_;
  Vec<Instruction>& textures_;
  Vec<Link> links_;   ///< by node
  Vec<uint32_t> at_;  ///< the node by place
  Vec<Edge> edges_;   ///< the first ends all lists
  Vec<Instruction>& code_;
  uint32_t& paired_;
  size_t begin_ = 0;
  std::array<PlaceSet, 3> ready_;  ///< ALU operations by Kind
  PlaceSet behind_;                ///< what could share the slot with the operation that it waits for
  Vec<uint32_t> tex_ready_;
  uint32_t feeders_ = 0;              ///< how many places a texture instruction waits for
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
    x.type = Type::FLOW_CONTROL;
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
        f.op = FlowOp::LOOP;
        f.int_address = op.counter;
        loops_.push_back({here, {}, {}});
        loops_seen_ = true;
        if (loops_.size() > 4)
          throw isa::Unsupported("loops nested " + std::to_string(loops_.size()) + " deep on the chip, 4 levels are known to work");
        break;
      case Op::Kind::endloop:
        f.op = FlowOp::ENDLOOP;
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
        f.op = op.kind == Op::Kind::break_ ? FlowOp::BREAKLOOP : FlowOp::CONTINUE;
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
    f.op = FlowOp::JUMP;
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
  Operations run;
  run.nodes.reserve(std::min<size_t>(lir.ops.size(), 128));
  out.code.reserve(lir.ops.size() + 1);
  bool in_flight = false;
  const auto flush = [&] {
    in_flight = false;
    if (!run.nodes.empty()) in_flight = Block(run, out.code, out.paired, uses).run();
    run.clear();
  };
  for (const Op& op : lir.ops) {
    if (op.kind == Op::Kind::alu || op.kind == Op::Kind::tex) {
      lower.op(op, run);
      continue;
    }
    flush();
    flow.op(op, in_flight);
  }
  const size_t before = out.code.size();
  flush();
  if (out.code.size() == before || out.code.back().type != Type::OUTPUT) {
    Instruction end;
    end.type = Type::OUTPUT;
    out.code.push_back(end);
  }
  out.code.back().tex_sem_wait = true;
  out.code.back().last = true;
  out.full_flow_control = flow.full();
  return out;
}

}  // namespace pumice::compiler::us
