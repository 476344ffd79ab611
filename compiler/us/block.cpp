// SPDX-License-Identifier: MIT
#include "compiler/us/block.h"

#include <algorithm>
#include <bit>
#include <span>

#include "compiler/isa/error.h"

namespace pumice::compiler::us {
namespace {

/// Bits by place in the order of preference, in memory that sets share.
class PlaceSet {
 public:
  explicit PlaceSet(std::span<uint64_t> words) : words_(words) {}
  static size_t words_for(size_t places) { return (places + 63) / 64; }
  void set(uint32_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void reset(uint32_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  size_t words() const { return words_.size(); }
  uint64_t word(size_t w) const { return words_[w]; }

 private:
  std::span<uint64_t> words_;
};

/// List scheduling of one straight run of operations.
class Block {
 public:
  Block(Operations& operations, Scheduled& out, Uses& uses)
      : nodes_(operations.nodes),
        textures_(operations.textures),
        links_(nodes_.size() + 1),
        code_(out.code),
        places_(out.places),
        paired_(out.paired),
        bits_(5 * PlaceSet::words_for(nodes_.size())),
        ready_{place_set(0), place_set(1), place_set(2), place_set(3)},
        behind_(place_set(4)) {
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
  enum Kind : uint8_t { kRgb, kAlpha, kBoth, kSlot, kTexture };

  /// The per-node data in the hot path.
  struct Link {
    uint32_t next = 0;   ///< first of its edges in edges_
    uint32_t waits = 0;  ///< predecessors not yet scheduled
    uint32_t height = 0, place = 0;
    uint32_t at_place = 0;                   ///< the node whose place is this one's number
    uint32_t has_after = 0, has_behind = 0;  ///< while linking: the node + 1 to which it has an edge of the kind
    Kind kind = kRgb;
    bool before_tex = false;          ///< a texture instruction waits for it
    std::array<uint64_t, 3> temps{};  ///< bits of the temps it touches; the third: what else it touches
  };

  void link(Uses& uses) {
    auto& [writer, first_reader, readers] = uses;
    const uint32_t count = static_cast<uint32_t>(nodes_.size());
    // Room for all at once, so that adding an edge needs no check: an access waits for the writer of each of its four resources at most, or
    // for those who read them.
    size_t reads = 0, writes = 0;
    for (const Node& n : nodes_) reads += n.reads.size(), writes += n.writes.size();
    edge_room_.reserve(8 * reads + 4 * writes + 2);
    edges_ = edge_room_.data();
    edges_[0] = {};
    if (readers.size() <= reads) readers.resize(reads + 1);
    uint32_t edge_count = 1, reader_count = 1;
    // links_[count] is a sentinel: the writer of resources without one.
    for (uint32_t i = 0; i < count; i++) {
      const Node& n = nodes_[i];
      Link& to = links_[i];
      to.kind = n.is_slot ? kSlot : n.is_tex ? kTexture : n.has_rgb && n.has_alpha ? kBoth : n.has_rgb ? kRgb : kAlpha;
      // The edge is written in any case and counts if it is new.
      const auto edge = [&](uint32_t from, bool same_slot) __attribute__((always_inline)) {
        Link& f = links_[from];
        uint32_t& has = same_slot ? f.has_behind : f.has_after;
        const bool fresh = (has != i + 1) & (from != count);
        has = i + 1;
        edges_[edge_count] = {i, same_slot, f.next};
        f.next = fresh ? edge_count : f.next;
        to.waits += fresh;
        edge_count += fresh;
      };
      // Needs an earlier slot than the writers. Mostly one has written all that is accessed.
      const auto behind_writers = [&](const Touch& t) {
        const Uses::Writers& w = writer[t.group];
        if (!(t.mask & ~w.last_mask)) {
          edge(std::min(w.last, count), false);
        } else {
          for (unsigned left = t.mask; left; left &= left - 1)
            edge(std::min(w.of[static_cast<unsigned>(std::countr_zero(left))], count), false);
        }
        to.temps[t.group / 64] |= uint64_t{1} << (t.group % 64);
      };
      for (const Touch& t : n.reads) {
        behind_writers(t);
        readers[reader_count] = {i, first_reader[t.group], t.mask};
        first_reader[t.group] = reader_count++;
      }
      for (const Touch& t : n.writes) {
        behind_writers(t);
        for (uint32_t* k = &first_reader[t.group]; *k;) {
          Uses::Reader& r = readers[*k];
          // May share the slot, but not with textures.
          if ((r.mask & t.mask) && r.node != i) edge(r.node, (links_[r.node].kind <= kBoth) & (to.kind <= kBoth));
          r.mask &= static_cast<uint8_t>(~t.mask);
          if (r.mask)
            k = &r.next;
          else
            *k = r.next;
        }
      }
      for (const Touch& t : n.writes) writer[t.group].set(t.mask, i);
    }
    for (const Node& n : nodes_) {
      for (const Touch& t : n.reads) first_reader[t.group] = 0;
      for (const Touch& t : n.writes) writer[t.group] = Uses::kNoWriters;
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
      links_[links_[i].place].at_place = i;
    }
  }

  PlaceSet place_set(size_t n) {
    const size_t words = PlaceSet::words_for(nodes_.size());
    return PlaceSet({bits_.data() + n * words, words});
  }
  uint32_t node_at(size_t place) const { return links_[place].at_place; }
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
    Vec<uint32_t> ready, group;
    std::swap(ready, tex_ready_);
    std::sort(ready.begin(), ready.end());
    // What reads a temp of which one of the group writes another channel waits for that one's semaphore: it comes in the next group.
    std::array<uint64_t, 3> written{};
    for (uint32_t i : ready) {
      const Node& n = nodes_[i];
      const bool strict = textures_[n.tex].tex.inst != TexOp::X;
      const bool late =
          strict && std::any_of(n.reads.begin(), n.reads.end(), [&](const Touch& t) { return written[t.group / 64] >> t.group % 64 & 1; });
      (late ? tex_ready_ : group).push_back(i);
      if (!late)
        for (const Touch& t : n.writes) written[t.group / 64] |= uint64_t{1} << t.group % 64;
    }
    for (uint32_t i : group) {
      Instruction& x = textures_[nodes_[i].tex];
      x.alu_wait = true;
      if (flying(i)) {
        x.tex_sem_wait = true;
        flight_ = {};
      }
      code_.push_back(x);
      places_.push_back({nodes_[i].at, nullptr});
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
          const uint32_t i = node_at(w * 64 + static_cast<unsigned>(std::countr_zero(bits)));
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
            const uint32_t i = node_at(w * 64 + static_cast<unsigned>(std::countr_zero(bits)));
            if (flying(i) == flies && take(i)) return i;
          }
        }
      }
    }
    return kNone;
  }

  size_t alu_slot() {
    const auto all = [&](size_t w) {
      return ready_[kRgb].word(w) | ready_[kAlpha].word(w) | ready_[kBoth].word(w) | ready_[kSlot].word(w);
    };
    const uint32_t first = first_of(all, [](uint32_t) { return true; });
    if (first == kNone) throw isa::Unsupported("internal: scheduling found a cycle");
    if (links_[first].kind == kSlot) {
      code_.push_back(textures_[nodes_[first].tex]);
      places_.push_back({nodes_[first].at, nullptr});
      finish_alu(first);
      return 1;
    }
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
    places_.push_back({nodes_[first].at, partner == kNone ? nullptr : nodes_[partner].at});
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
    // So do presubtracted sources read theirs early. SRCP_OP is 0 where there are none.
    for (unsigned n = 0; n < 2; n++) {
      if (x.rgb.presubtract && written(x.rgb.address[n], true)) p.nop = true;
      if (x.alpha.presubtract && written(x.alpha.address[n], false)) p.nop = true;
    }
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
  Vec<Link> links_;  ///< by node
  Vec<Edge> edge_room_;
  Edge* edges_ = nullptr;  ///< in it; the first ends all lists
  Vec<Instruction>& code_;
  Vec<SlotPlace>& places_;
  uint32_t& paired_;
  size_t begin_ = 0;
  Vec<uint64_t> bits_;             ///< of the sets
  std::array<PlaceSet, 4> ready_;  ///< ALU operations and X slots by Kind
  PlaceSet behind_;                ///< what could share the slot with the operation that it waits for
  Vec<uint32_t> tex_ready_;
  uint32_t feeders_ = 0;              ///< how many places a texture instruction waits for
  uint32_t feeds_tex_ = 0;            ///< ready operations that a texture instruction waits for
  std::array<uint64_t, 2> flight_{};  ///< temps of texture instructions not yet waited for
};

}  // namespace

bool schedule_run(Operations& run, Scheduled& out, Uses& uses) { return Block(run, out, uses).run(); }

}  // namespace pumice::compiler::us
