// SPDX-License-Identifier: MIT
/// Loops of the vertex stage that stay loops. The vertex unit repeats code a fixed number of times and has no jump that a vertex could
/// decide (pvs-isa 9), so a loop must have a provable bound and is brought into the one shape that the back end takes:
///   loop counter = 0, [live = 1,] variables -> results {
///     if slt(counter, bound) {} else { break results }
///     straight code: the whole body under masks; what a vertex that left already computes is thrown away by selects
///     continue counter + 1, [live',] variables'
///   }
/// Breaks, continues and ifs inside become masks. A result is the variable itself where it can stand still once the vertex has left,
/// else a variable of its own that takes the value when the vertex leaves. Integer variables that move by a literal every round become
/// functions of the counter, which the back end can address by (aL).
#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/ir/counted.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/trip_count.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

class Straightener {
 public:
  Straightener(Module& m, Node loop, TripCount trip, const Vec<Instruction>& defs, const ChipLimits& chip, NodeList& out)
      : m_(m), most_(chip.loop_rounds), old_(std::move(loop)), trip_(trip), defs_(defs), out_(out), b_(m, body_) {}

  void run() {
    const bool whole = trip_.exact && trip_.rounds <= most_ + 1 && leaves_unchanged();
    masked_ = !whole;
    unsigned rounds = whole ? trip_.rounds - 1 : trip_.rounds;
    if (rounds > most_) {  // two levels: a product, so a few rounds more, with no active invocation
      const unsigned outer = (rounds + most_ - 1) / most_;
      rounds = outer * ((rounds + outer - 1) / outer);
    }
    Builder before(m_, out_);
    if (rounds == 0) {
      for (size_t j = 0; j < old_.results.size(); ++j) {
        const Source& s = exit_args_[j];
        Instruction mov{.op = Op::mov, .source_count = 1, .result = old_.results[j]};
        const auto p = std::find(old_.params.begin(), old_.params.end(), s.value);
        mov.source[0] = p == old_.params.end() ? s : compose(s, old_.args[size_t(p - old_.params.begin())]);
        append(out_, mov);
      }
      return;
    }
    // The counter and its test.
    add_param(Type::int_f32, 1, before.constant(0, 1, Type::int_f32).source);
    counter_ = {read(m_, params_[0]), Type::int_f32, 1};
    if (masked_) {
      add_param(Type::bool_f32, 1, before.constant(1, 1, Type::bool_f32).source);
      live_ = {read(m_, params_[1]), Type::bool_f32, 1};
    }
    const Operand going = b_.op(Op::slt, {counter_, b_.constant(float(rounds), 1, Type::int_f32)});
    Node test;
    test.kind = Node::Kind::branch;
    test.cond = going.source;
    test.else_list.emplace_back();
    test.else_list[0].kind = Node::Kind::jump;
    test.else_list[0].jump = Node::Jump::break_;
    const size_t test_at = body_.size();
    body_.push_back(std::move(test));

    Vec<size_t> kept;  // variables that stay variables
    for (size_t k = 0; k < old_.params.size(); ++k) {
      if (const auto line = straight_line(k))
        define_from_counter(old_.params[k], *line);
      else
        kept.push_back(k);
    }
    const Path end = list(old_.then_list, {masked_ ? live_ : Operand{}, true}, nullptr);
    if (end.reached) continues_.push_back({end.mask, {}});

    Vec<Source> next;
    next.push_back(b_.add(counter_, b_.constant(1, 1, Type::int_f32)).source);
    Operand stays;  // goes on to another round
    for (const Event& e : continues_) {
      if (masked_) stays = stays ? b_.logical_or(stays, e.mask) : e.mask;
    }
    if (masked_) next.push_back(stays ? stays.source : b_.constant(0, 1, Type::bool_f32).source);

    // Results, then the variables: a variable that is a result itself must keep its value once the vertex has left.
    Vec<bool> frozen(old_.params.size());
    Vec<Source> exit;
    Vec<std::pair<size_t, ValueId>> collected;  // result, its own variable
    for (size_t j = 0; j < old_.results.size(); ++j) {
      const size_t k = result_is_variable(j, kept);
      if (k < old_.params.size()) {
        frozen[k] = true;
        exit.push_back(read(m_, old_.params[k]));
      } else {
        const Type type = m_.value(old_.results[j]).type;
        const unsigned comps = m_.comps(old_.results[j]);
        collected.push_back({j, 0});
        collected.back().second = new_param(type, comps, before.constant(0, comps, type).source);
        exit.push_back(read(m_, collected.back().second));
      }
    }
    for (size_t k : kept) {
      const ValueId p = old_.params[k];
      Operand v = {read(m_, p), m_.value(p).type, m_.comps(p)};
      for (const Event& e : continues_) {
        const Operand arg{e.args[k], v.type, v.comps};
        v = e.mask && (frozen[k] || continues_.size() > 1) ? b_.sel(e.mask, arg, v) : arg;
      }
      kept_next_.push_back(v.source);
    }
    for (const auto& [j, id] : collected) {
      Operand v = {read(m_, id), m_.value(id).type, m_.comps(id)};
      for (const Event& e : breaks_) {
        const Operand arg{e.args[j], v.type, v.comps};
        v = e.mask ? b_.sel(e.mask, arg, v) : arg;
      }
      collected_next_.push_back(v.source);
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      params_.push_back(old_.params[kept[i]]);
      args_.push_back(old_.args[kept[i]]);
      next.push_back(kept_next_[i]);
    }
    for (size_t i = 0; i < collected.size(); ++i) {
      params_.push_back(collected[i].second);
      args_.push_back(collected_start_[i]);
      next.push_back(collected_next_[i]);
    }
    body_[test_at].else_list[0].args = whole ? mapped_exit() : exit;
    Node& jump = body_.emplace_back();
    jump.kind = Node::Kind::jump;
    jump.jump = Node::Jump::continue_;
    jump.args = std::move(next);

    Node& loop = out_.emplace_back();
    loop.kind = Node::Kind::loop;
    loop.params = std::move(params_);
    loop.args = std::move(args_);
    loop.results = old_.results;
    loop.then_list = std::move(body_);
  }

 private:
  struct Path {
    Operand mask;  ///< empty: always
    bool reached;
  };
  struct Event {
    Operand mask;
    Vec<Source> args;
  };
  struct Line {
    float start, step;
  };

  static void append(NodeList& out, const Instruction& in) {
    if (out.empty() || out.back().kind != Node::Kind::block) out.emplace_back();
    out.back().instructions.push_back(in);
  }
  void add_param(Type type, unsigned comps, const Source& start) {
    params_.push_back(m_.new_value(type, comps));
    args_.push_back(start);
  }
  ValueId new_param(Type type, unsigned comps, const Source& start) {
    collected_start_.push_back(start);
    return m_.new_value(type, comps);
  }

  void collect_jumps(const NodeList& nodes, Node::Jump kind, Vec<const Node*>& out) const {
    for (const Node& n : nodes) {
      if (n.kind == Node::Kind::jump && n.jump == kind) out.push_back(&n);
      if (n.kind != Node::Kind::branch) continue;
      collect_jumps(n.then_list, kind, out);
      collect_jumps(n.else_list, kind, out);
    }
  }
  bool defined_inside(ValueId id) const {
    bool found = false;
    const auto instruction = [&](Instruction& in) { found |= in.result == id; };
    const auto before_node = [&](Node& n) {
      found |= std::find(n.results.begin(), n.results.end(), id) != n.results.end();
      found |= std::find(n.params.begin(), n.params.end(), id) != n.params.end();
    };
    const Walker<decltype(instruction), decltype(before_node)> w{.instruction = instruction, .before_node = before_node};
    w.walk(const_cast<NodeList&>(old_.then_list), nullptr, &old_);
    return found;
  }

  /// A loop that runs a fixed number of rounds and gives out its variables (or outer values): the last round would only leave.
  bool leaves_unchanged() {
    Vec<const Node*> jumps;
    collect_jumps(old_.then_list, Node::Jump::break_, jumps);
    if (jumps.size() != 1) return false;
    if (!leaves_at_once(old_.then_list)) return false;
    exit_args_ = jumps[0]->args;
    return std::all_of(exit_args_.begin(), exit_args_.end(), [&](const Source& s) { return !defined_inside(s.value); });
  }
  static bool breaks_at_end(const NodeList& arm) {
    return !arm.empty() && arm.back().kind == Node::Kind::jump && arm.back().jump == Node::Jump::break_;
  }
  /// The arm with the break does nothing but leave.
  bool leaves_at_once(const NodeList& nodes) const {
    for (const Node& n : nodes) {
      if (n.kind != Node::Kind::branch) continue;
      for (const NodeList* arm : {&n.then_list, &n.else_list}) {
        if (breaks_at_end(*arm) && !leaves_loop({arm->begin(), arm->end() - 1})) return true;
        if (leaves_at_once(*arm)) return true;
      }
    }
    return false;
  }
  /// exit_args_ where variables that became functions of the counter are not visible after the loop's test: they are read before it.
  Vec<Source> mapped_exit() {
    Vec<Source> args = exit_args_;
    bool recompute = false;
    for (const Source& s : args) recompute |= lines_.count(s.value) != 0;
    if (!recompute) return args;
    // A second computation in front of the test, where the counter is `rounds` when the loop ends.
    NodeList front;
    Builder b(m_, front);
    for (Source& s : args) {
      const auto it = lines_.find(s.value);
      if (it == lines_.end()) continue;
      const Type type = m_.value(s.value).type;
      const Operand v = b.mad(counter_.as(type), b.constant(it->second.step, 1, type), b.constant(it->second.start, 1, type));
      s = compose(s, v.source);
    }
    for (const Instruction& in : front[0].instructions) body_[0].instructions.push_back(in);
    return args;
  }

  /// Variable k is start + step * round, exactly.
  std::optional<Line> straight_line(size_t k) const {
    const ValueId p = old_.params[k];
    if (m_.comps(p) != 1 || m_.value(p).type == Type::bool_f32) return {};
    const auto start = constant_of(defs_, old_.args[k], 1);
    if (!start || std::floor((*start)[0]) != (*start)[0]) return {};
    Vec<const Node*> edges;
    collect_jumps(old_.then_list, Node::Jump::continue_, edges);
    std::optional<float> step;
    for (const Node* e : edges) {
      const Source& s = e->args[k];
      if (s.abs || s.negate || s.value >= defs_.size()) return {};
      const Instruction& in = defs_[s.value];
      if (in.op != Op::add || in.saturate) return {};
      for (unsigned i = 0; i < 2; ++i) {
        const Source& v = in.source[i];
        if (v.value != p || v.abs || v.negate) continue;
        const auto c = constant_of(defs_, in.source[1 - i], 1);
        if (!c || (step && *step != (*c)[0])) return {};
        step = (*c)[0];
        break;
      }
      if (!step) return {};
    }
    if (!step || std::floor(*step) != *step) return {};
    if (std::fabs((*start)[0]) + std::fabs(*step) * float(trip_.rounds) > 16777216.0f) return {};
    return Line{(*start)[0], *step};
  }
  void define_from_counter(ValueId id, const Line& line) {
    lines_[id] = line;
    const Type type = m_.value(id).type;
    Instruction in{.op = Op::mad, .source_count = 3, .result = id};
    in.source = {counter_.source, b_.constant(line.step, 1, type).source, b_.constant(line.start, 1, type).source};
    append(body_, in);
  }

  size_t result_is_variable(size_t j, const Vec<size_t>& kept) const {
    const size_t none = old_.params.size();
    if (breaks_.empty()) return none;
    for (const Event& e : breaks_) {
      const Source &s = e.args[j], &first = breaks_[0].args[j];
      if (s.value != first.value || s.abs || s.negate) return none;
      for (unsigned l = 0; l < m_.comps(old_.results[j]); ++l)
        if (s.swizzle[l] != l) return none;
    }
    const ValueId v = breaks_[0].args[j].value;
    for (size_t k : kept)
      if (old_.params[k] == v && m_.comps(v) == m_.comps(old_.results[j])) return k;
    return none;
  }

  Operand both(const Operand& a, const Operand& b) { return !a ? b : !b ? a : b_.logical_and(a, b); }

  /// Appends the nodes' code. `yields` receives the arguments of the yield at the end.
  Path list(NodeList& nodes, Path path, Vec<Source>* yields) {
    for (Node& n : nodes) {
      switch (n.kind) {
        case Node::Kind::block:
          for (const Instruction& in : n.instructions) append(body_, in);
          break;
        case Node::Kind::loop: body_.push_back(std::move(n)); break;
        case Node::Kind::branch: path = branch(n, path); break;
        case Node::Kind::jump:
          if (n.jump == Node::Jump::yield) {
            if (yields) *yields = n.args;
            return path;
          }
          (n.jump == Node::Jump::break_ ? breaks_ : continues_).push_back({path.mask, n.args});
          return {{}, false};
      }
      if (!path.reached) return path;
    }
    return path;
  }

  Path branch(Node& n, const Path& in) {
    if (!masked_) {  // the arm that leaves is never taken
      for (NodeList* arm : {&n.then_list, &n.else_list}) {
        if (!breaks_at_end(*arm)) continue;
        NodeList& other = arm == &n.then_list ? n.else_list : n.then_list;
        Vec<Source> args;
        const Path end = list(other, in, &args);
        for (size_t i = 0; end.reached && i < n.results.size(); ++i) move(n.results[i], args[i]);
        return end;
      }
    }
    const Operand c{n.cond, Type::bool_f32, 1};
    const bool leaves = leaves_loop(n.then_list) || leaves_loop(n.else_list);
    Path then_in = in, else_in = in;
    if (leaves) {
      then_in.mask = both(in.mask, c);
      else_in.mask = both(in.mask, b_.logical_not(c));
    }
    Vec<Source> x, y;
    const Path t = list(n.then_list, then_in, &x), e = list(n.else_list, else_in, &y);
    if (!t.reached && !e.reached) return {{}, false};
    for (size_t i = 0; i < n.results.size(); ++i) {
      if (!t.reached || !e.reached) {
        move(n.results[i], t.reached ? x[i] : y[i]);
        continue;
      }
      Instruction sel{.op = Op::sel, .source_count = 3, .result = n.results[i]};
      sel.source = {n.cond, x[i], y[i]};
      sel.source[0].swizzle.fill(n.cond.swizzle[0]);
      append(body_, sel);
    }
    if (!leaves) return in;
    if (!t.reached || !e.reached) return t.reached ? t : e;
    return {b_.logical_or(t.mask, e.mask), true};
  }
  void move(ValueId to, const Source& from) {
    Instruction mov{.op = Op::mov, .source_count = 1, .result = to};
    mov.source[0] = from;
    append(body_, mov);
  }

  Module& m_;
  const unsigned most_;  ///< rounds of one LOOP; two levels make their square
  Node old_;
  TripCount trip_;
  const Vec<Instruction>& defs_;
  NodeList& out_;
  NodeList body_;
  Builder b_;
  bool masked_ = true;
  Operand counter_, live_;
  Vec<ValueId> params_;
  Vec<Source> args_, exit_args_, collected_start_, kept_next_, collected_next_;
  Vec<Event> breaks_, continues_;
  Map<ValueId, Line> lines_;
};

class Bounder {
 public:
  explicit Bounder(Context& c) : c_(c), m_(c.module) {}
  bool run() {
    list(m_.body);
    return changed_;
  }

 private:
  void list(NodeList& nodes) {
    NodeList out;
    for (Node& node : nodes) {
      list(node.then_list);
      list(node.else_list);
      if (node.kind != Node::Kind::loop || counted_rounds(m_, node, *c_.options.chip)) {
        out.push_back(std::move(node));
        continue;
      }
      const auto trip = trip_count(m_, node, defs_, c_.options.chip->nested_rounds());
      if (!trip) {
        c_.refuse(
            "a loop whose number of rounds has no bound that can be proven: the vertex unit repeats code a fixed number of times and has "
            "no jump that data decide. A literal, a min() with one, or an array indexed by the counter bounds it",
            ir::first_origin(m_, node.then_list));
        out.push_back(std::move(node));
        continue;
      }
      changed_ = true;
      Straightener(m_, std::move(node), *trip, defs_, *c_.options.chip, out).run();
    }
    nodes = std::move(out);
  }

  Context& c_;
  Module& m_;
  Vec<Instruction> defs_ = definitions(m_);
  bool changed_ = false;
};

}  // namespace

bool bound_loops(Context& c) { return c.module.stage == Stage::vertex && Bounder(c).run(); }

}  // namespace pumice::compiler::passes
