// SPDX-License-Identifier: MIT
/// The rules of the IR (ir.h) as code. Both checkers stop at the first broken rule.
#include "compiler/ir/counted.h"
#include "compiler/ir/induction.h"
#include "compiler/ir/ir.h"

namespace pumice::compiler::ir {
namespace {

using std::to_string;

/// The place a message is about; becomes text only when there is one.
class Where {
 public:
  Where(const char* text) : text_(text) {}
  explicit Where(const Instruction& in) : in_(&in) {}
  friend std::string operator+(const Where& w, const std::string& what) {
    if (!w.in_) return w.text_ + what;
    const std::string name(info(w.in_->op).name);
    return (w.in_->result ? "%" + to_string(w.in_->result) + " = " + name : name) + what;
  }

 private:
  const char* text_ = nullptr;
  const Instruction* in_ = nullptr;
};

class Validator {
 public:
  explicit Validator(const Module& module) : m_(module), defined_(module.values.size()), in_scope_(module.values.size()) {}

  std::string run() {
    tables();
    if (error_.empty()) list(m_.body, nullptr, nullptr);
    return error_;
  }

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = what;
  }
  void tables() {
    auto comps_ok = [&](unsigned comps, const char* what, Type t) {
      if (comps < 1 || comps > 4) fail(std::string(what) + " with " + to_string(comps) + " lanes");
      if (!(kForms[size_t(t)] & form())) wrong_form(what, t);
    };
    // All at once: nearly every module's are fine.
    const unsigned form = this->form();
    bool fine = true;
    for (const Value& v : std::span(m_.values).subspan(1)) fine &= (v.comps - 1u < 4u) & ((kForms[size_t(v.type)] & form) != 0);
    if (!fine)
      for (const Value& v : std::span(m_.values).subspan(1)) comps_ok(v.comps, "value", v.type);
    for (const Input& i : m_.inputs) {
      comps_ok(i.comps, "input", i.type);
      if (i.component + i.comps > 4 || is_wide(i.type)) fail("input beyond its location");
    }
    for (const Output& o : m_.outputs) {
      comps_ok(o.comps, "output", o.type);
      if (o.component + o.comps > 4 || is_wide(o.type)) fail("output beyond its location");
    }
    for (const Temp& t : m_.temps) comps_ok(t.comps, "temp", t.type);
  }

  /// What integers are is the same in the whole module (Module::floats_only), and most other widths have no operations yet. Per type: bit
  /// 0: may be in a module with integers, bit 1: in one of floats only, bit 2: in one with values of 64 bits.
  static constexpr auto kForms = [] {
    std::array<uint8_t, std::size(kTypes)> forms{};
    for (size_t i = 0; i < forms.size(); ++i) {
      const auto t = Type(i);
      const bool exists = info(t).bits == 32 || t == Type::boolean;
      const bool wide = info(t).bits == 64;
      forms[i] = uint8_t(unsigned(exists && !is_lowered(t)) | unsigned(exists && !is_typed(t)) << 1 | unsigned(wide) << 2);
    }
    return forms;
  }();
  unsigned form() const { return 1u << m_.floats_only | unsigned{m_.wide} << 2; }
  void wrong_form(const char* what, Type t) {
    const std::string text = std::string(what) + " of type " + std::string(info(t).text);
    if (!kForms[size_t(t)] || is_wide(t)) return fail(text + ", which has no operations");
    fail(text + " in a module " + (m_.floats_only ? "of floats only" : "with integers"));
  }

  void define(ValueId id, Vec<ValueId>& scope) {
    if (id == 0 || id >= m_.values.size()) return fail("definition of unknown value %" + to_string(id));
    if (defined_[id]) return fail("%" + to_string(id) + " is defined twice");
    defined_[id] = in_scope_[id] = true;
    scope.push_back(id);
  }
  /// `lanes` entries of the swizzle are read.
  void use(const Source& s, unsigned lanes, const Where& where) {
    if (s.value == 0 || s.value >= m_.values.size()) return fail(where + " reads unknown value %" + to_string(s.value));
    if (!in_scope_[s.value]) return fail(where + " reads %" + to_string(s.value) + ", whose definition does not dominate it");
    for (unsigned i = 0; i < lanes; ++i)
      if (s.swizzle[i] >= m_.comps(s.value)) fail(where + " reads lane " + to_string(s.swizzle[i]) + " of %" + to_string(s.value));
  }
  Type type(const Source& s) const { return m_.value(s.value).type; }
  void want_bool(const Source& s, const Where& where) {
    if (!error_.empty()) return;
    if (!is_truth(type(s))) fail(where + " needs a boolean");
    if (s.abs || s.negate) fail(where + " needs a boolean without modifiers");
  }

  void instruction(const Instruction& in, Vec<ValueId>& scope) {
    const OpInfo& op = info(in.op);
    const Where where(in);
    const bool is_store = in.op == Op::store_output || in.op == Op::store_temp;
    const bool has_result = op.to != OpInfo::Class::none;
    if (has_result != (in.result != 0)) return fail(where + (has_result ? " without result" : " with a result"));
    if (in.result >= m_.values.size()) return fail(where + ": unknown value");
    if (op.sources >= 0 && in.source_count != op.sources) return fail(where + " with " + to_string(in.source_count) + " sources");
    if (!table_index(in, where) || !source_count(in, where)) return;
    for (unsigned i = 0; i < in.source_count; ++i) use(in.source[i], source_lanes(m_, in, i), where);
    if (!error_.empty()) return;
    if (in.op == Op::sel || in.op == Op::kill_if) want_bool(in.source[0], where);
    if (is_ext(in.op)) ext(in, where);
    classes(in, where);
    if (m_.wide) widths(in, where);
    if (has_result) result_type(in, where);
    if (is_store) {
      const unsigned comps = source_lanes(m_, in, 0);
      if (in.mask == 0 || in.mask >> comps) fail(where + " with a bad mask");
    }
    if (in.saturate && (op.shape == OpInfo::Shape::other || m_.value(in.result).type != Type::f32 || in.op >= Op::slt))
      fail(where + " cannot saturate");
    if (in.result) define(in.result, scope);
  }

  /// Which operations take values of 64 bits, and where.
  void widths(const Instruction& in, const Where& where) {
    const auto wide = [&](unsigned i) { return i < in.source_count && is_wide(type(in.source[i])); };
    const bool result = in.result && is_wide(m_.value(in.result).type);
    bool fine = true;
    switch (in.op) {
      case Op::wide_join: fine = result && !wide(0) && !wide(1); break;
      case Op::wide_low:
      case Op::wide_high: fine = !result && wide(0); break;
      case Op::load_temp: fine = result == is_wide(m_.temps[in.index].type) && !wide(0); break;
      case Op::store_temp: fine = wide(0) == is_wide(m_.temps[in.index].type) && !wide(1); break;
      case Op::sel: fine = result == wide(1) && result == wide(2); break;
      case Op::ishl:
      case Op::ishr:
      case Op::ushr:
      case Op::shuffle: fine = result == wide(0) && !wide(1); break;
      case Op::ilt:
      case Op::ige:
      case Op::ult:
      case Op::uge:
      case Op::ieq:
      case Op::ine:
      case Op::slt:
      case Op::sge:
      case Op::seq:
      case Op::sne: fine = wide(0) == wide(1); break;
      case Op::resize_float: fine = result != wide(0); break;
      case Op::ldexp: fine = result == wide(0) && !wide(1); break;
      case Op::i2f:
      case Op::u2f:
      case Op::f2i:
      case Op::f2u:
      case Op::frexp_exp: break;
      default: {
        const bool dots = info(in.op).shape >= OpInfo::Shape::dot2 && info(in.op).shape <= OpInfo::Shape::dot4;
        const bool floats = (in.op >= Op::add && in.op <= Op::rsq) || (in.op >= Op::div && in.op <= Op::sqrt) ||
                            (in.op >= Op::ceil && in.op <= Op::sign) || (in.op >= Op::nmin && in.op <= Op::frexp_mant);
        const bool any = dots || floats || in.op == Op::mov || in.op == Op::vec || in.op == Op::bitcast ||
                         (in.op >= Op::iadd && in.op <= Op::inot) || in.op == Op::umul_high || in.op == Op::imul_high ||
                         in.op == Op::first_lane || in.op == Op::quad_broadcast || in.op == Op::quad_swap;
        for (unsigned i = 0; i < in.source_count; ++i) fine &= wide(i) == (any && result);
        fine &= any || !result;
      }
    }
    if (!fine) fail(where + " mixes values of 64 bits with words");
  }

  /// Sets of register classes, as bits. bool_f32 is a float as well as a condition.
  enum Classes : unsigned { kFloat = 1, kInt = 2, kBit = 4, kAll = 7 };
  static constexpr auto kClassesOfTypes = [] {
    std::array<uint8_t, std::size(kTypes)> classes{};
    for (size_t i = 0; i < classes.size(); ++i)
      classes[i] = Type(i) == Type::bool_f32 ? unsigned{kFloat} | kBit : 1u << unsigned(kTypes[i].cls);
    return classes;
  }();
  static unsigned classes(Type t) { return kClassesOfTypes[size_t(t)]; }
  static unsigned classes(OpInfo::Class c) {
    constexpr uint8_t kClasses[] = {kAll, kFloat, kInt, kBit, kInt | kBit, kFloat | kInt, kAll, kAll};  // in the order of OpInfo::Class
    return kClasses[size_t(c)];
  }
  /// Sources are of the classes the operation takes, and where it takes several, all of the one that its result is of.
  void classes(const Instruction& in, const Where& where) {
    const OpInfo& op = info(in.op);
    // Floats in, a float out or stored: nearly all instructions.
    unsigned common = kFloat;
    for (unsigned i = 0; i < in.source_count; ++i) common &= classes(type(in.source[i]));
    const unsigned to = in.result ? classes(m_.value(in.result).type) & classes(op.to) : in.op == Op::store_output ? stored_classes(in) : 0;
    if (common & to & classes(op.from)) return;
    const bool any = op.from == OpInfo::Class::any, one = any || op.from == OpInfo::Class::word;
    unsigned allowed = classes(op.from);
    if (any) allowed = stored_classes(in);
    if (op.to == OpInfo::Class::word) allowed &= classes(m_.value(in.result).type);
    // Conditions and indices are looked at elsewhere.
    const unsigned first = in.op == Op::sel, last = in.op == Op::store_temp ? 1 : indexes(in.op) ? 0 : in.source_count;
    for (unsigned i = 0; i < in.source_count; ++i) {
      const Source& s = in.source[i];
      const unsigned c = classes(type(s));
      if ((s.abs || s.negate) && !(c & kFloat)) return fail(where + " with a modifier of a value that is no float");
      if (i < first) continue;
      if (i >= last) {
        if (c == kBit) return fail(where + " with an index that is no number");
        continue;
      }
      if (!(c & allowed)) return fail(where + " reads a value of type " + std::string(info(type(s)).text));
      if (one) allowed &= c;
    }
    if (in.result && !(classes(m_.value(in.result).type) & classes(op.to))) fail(where + " has the wrong type");
  }
  unsigned stored_classes(const Instruction& in) const {
    if (in.op == Op::store_output) return classes(m_.outputs[in.index].type);
    if (in.op == Op::store_temp) return classes(m_.temps[in.index].type);
    return classes(m_.value(in.result).type);
  }
  static bool indexes(Op op) { return op == Op::load_uniform || op == Op::load_push || op == Op::load_temp; }

  /// Operations of chips with memory.
  void ext(const Instruction& in, const Where& where) {
    if (!m_.memory) return fail(where + " in a module of a chip without memory");
    const Access a = in.access();
    const auto want_int = [&](unsigned i, const char* what) {
      if (i < in.source_count && !(classes(type(in.source[i])) & kInt)) fail(where + " with " + what + " that is no integer");
    };
    const auto want_data = [&](unsigned i) {
      if (classes(type(in.source[i])) == kBit) fail(where + " with data that is a boolean");
    };
    const bool indexable = names_resource(in.op);
    if ((a.flags & (Access::kIndexed | Access::kSamplerIndexed)) && !indexable) return fail(where + " with an index of nothing");
    if (in.index_source() >= 0) want_int(unsigned(in.index_source()), "an index");
    if (a.sampler > m_.resources.size()) return fail(where + ": no sampler row " + to_string(a.sampler));
    if (a.width && (a.width != 8 && a.width != 16)) return fail(where + " of " + to_string(a.width) + " bits");
    switch (in.op) {
      case Op::load_const:
      case Op::load_buffer:
      case Op::load_pushed:
      case Op::load_shared:
      case Op::load_scratch:
        want_int(0, "an address");
        if (a.width && (m_.comps(in.result) != 1 || m_.value(in.result).type == Type::f32)) fail(where + " of several lanes or floats");
        if (in.op == Op::load_const && m_.resources[in.index].written) fail(where + " of a buffer that is written");
        break;
      case Op::store_buffer:
      case Op::store_shared:
      case Op::store_scratch:
        want_int(0, "an address");
        want_data(1);
        if (in.mask == 0 || (in.mask & (in.mask + 1)) || in.mask > 15 || (a.width && in.mask != 1)) fail(where + " with a bad mask");
        break;
      case Op::atomic_buffer:
      case Op::atomic_shared:
      case Op::atomic_image:
        want_int(0, "an address");
        want_data(1);
        if (m_.comps(in.result) > 2) fail(where + " of several lanes");
        break;
      case Op::load_image:
      case Op::store_image: want_int(0, "a texel"); break;
      case Op::image_size: want_int(0, "a level"); break;
      case Op::shuffle: want_int(1, "a lane"); break;
      case Op::sample:
        if ((in.tex_kind == TexKind::fetch) != bool(classes(type(in.source[0])) & kInt))
          fail(where + " with coordinates of the wrong type");
        break;
      default: break;
    }
  }

  bool table_index(const Instruction& in, const Where& where) {
    size_t rows = SIZE_MAX;
    if (names_resource(in.op)) rows = m_.resources.size();
    switch (in.op) {
      case Op::interpolate:
      case Op::load_input: rows = m_.inputs.size(); break;
      case Op::load_uniform: rows = m_.uniforms.size(); break;
      case Op::tex: rows = m_.textures.size(); break;
      case Op::store_output: rows = m_.outputs.size(); break;
      case Op::load_temp:
      case Op::store_temp: rows = m_.temps.size(); break;
      case Op::load_param:
        if (in.parameter == ConstantRange::Parameter::texture_size) rows = m_.textures.size();
        break;
      default: break;
    }
    if (in.index >= rows) return fail(where + ": no table row " + to_string(in.index)), false;
    if (in.op == Op::load_temp || in.op == Op::store_temp) {
      if (uint64_t(in.offset) + (dynamic(in) ? in.max_index : 0) >= m_.temps[in.index].elements)
        return fail(where + ": element beyond temp " + to_string(in.index)), false;
    }
    return true;
  }
  static bool dynamic(const Instruction& in) { return in.source_count > (in.op == Op::store_temp ? 1 : 0); }

  bool source_count(const Instruction& in, const Where& where) {
    unsigned low = 0, high = 4;
    switch (in.op) {
      case Op::vec: low = high = m_.comps(in.result); break;
      case Op::load_uniform:
      case Op::load_push:
      case Op::load_temp: high = 1; break;
      case Op::store_temp: low = 1, high = 2; break;
      case Op::tex:
        low = 1 + (in.tex_kind == TexKind::implicit ? 0 : in.tex_kind == TexKind::grad ? 2 : 1) + in.dref;
        high = low;
        break;
      case Op::interpolate: low = high = in.access().sub >= 3; break;
      case Op::sample:
        low = 1;
        high = 3;
        break;
      case Op::atomic_buffer:
      case Op::atomic_shared:
      case Op::atomic_image: low = high = in.access().sub == uint8_t(Atomic::compare_exchange) ? 3 : 2; break;
      case Op::store_buffer:
      case Op::store_image: low = high = 2; break;
      case Op::load_const:
      case Op::load_buffer:
      case Op::load_image:
      case Op::image_size:
      case Op::sample_lod: low = high = 1; break;
      case Op::buffer_size:
      case Op::image_levels: high = 0; break;
      case Op::wide_op:
        low = 1;
        high = 3;
        break;
      default: return true;
    }
    if (in.index_source() >= 0) ++low, ++high;
    if (in.source_count >= low && in.source_count <= high) return true;
    return fail(where + " with " + to_string(in.source_count) + " sources"), false;
  }

  void result_type(const Instruction& in, const Where& where) {
    const Value& r = m_.value(in.result);
    unsigned comps = r.comps;
    Type t = r.type;
    switch (in.op) {
      case Op::dot2:
      case Op::dot3:
      case Op::dot4: comps = 1; break;
      case Op::slt:
      case Op::sge:
      case Op::seq:
      case Op::sne: t = m_.truth(); break;
      case Op::vec:
        if (r.comps < 2) fail(where + " of one lane: use mov");
        break;
      case Op::load_input:
        comps = m_.inputs[in.index].comps;
        t = m_.inputs[in.index].type;
        break;
      case Op::load_temp:
        comps = m_.temps[in.index].comps;
        t = m_.temps[in.index].type;
        break;
      case Op::load_uniform:
      case Op::load_push:
        comps = 4;
        if (is_truth(t)) t = Type::f32;  // memory has none
        break;
      case Op::load_param: comps = 4, t = Type::f32; break;
      case Op::pack_snorm4x8:
      case Op::pack_unorm4x8:
      case Op::pack_snorm2x16:
      case Op::pack_unorm2x16:
      case Op::pack_half2x16: comps = 1; break;
      case Op::unpack_snorm4x8:
      case Op::unpack_unorm4x8: comps = 4; break;
      case Op::unpack_snorm2x16:
      case Op::unpack_unorm2x16:
      case Op::unpack_half2x16: comps = 2; break;
      case Op::tex: comps = in.dref ? 1 : 4, t = Type::f32; break;
      case Op::interpolate:
        comps = m_.inputs[in.index].comps;
        t = m_.inputs[in.index].type;
        break;
      case Op::load_image: comps = 4, t = m_.resources[in.index].type; break;
      case Op::sample:
        comps = 4;
        t = m_.resources[in.index].type;
        break;
      case Op::image_size: comps = 3; break;
      case Op::image_levels:
      case Op::clock:
      case Op::sample_lod: comps = 2; break;
      case Op::buffer_size:
      case Op::is_helper:
      case Op::ballot: comps = 1; break;
      default: break;
    }
    if (r.comps != comps) fail(where + " must have " + to_string(comps) + " lanes");
    if (r.type != t) fail(where + " has the wrong type");
  }

  void edge(const Node& jump, std::span<const ValueId> to, const Where& where) {
    if (jump.args.size() != to.size())
      return fail(where + " carries " + to_string(jump.args.size()) + " values, " + to_string(to.size()) + " expected");
    for (size_t i = 0; i < to.size() && error_.empty(); ++i) {
      if (to[i] == 0 || to[i] >= m_.values.size()) return fail(where + " to an unknown value");
      use(jump.args[i], m_.comps(to[i]), where);
      if (error_.empty() && type(jump.args[i]) != m_.value(to[i]).type) fail(where + ": type of value " + to_string(i) + " differs");
    }
  }

  /// Checks a list; returns whether its end is reached (not left by a jump).
  bool list(const NodeList& nodes, const Node* branch, const Node* loop) {
    Vec<ValueId> scope;
    bool reached = true;
    for (size_t i = 0; i < nodes.size() && error_.empty(); ++i) {
      const Node& node = nodes[i];
      if (!reached) fail("node after a jump");
      switch (node.kind) {
        case Node::Kind::block:
          for (const Instruction& in : node.instructions)
            if (error_.empty()) instruction(in, scope);
          break;
        case Node::Kind::branch: reached = check_branch(node, loop, scope); break;
        case Node::Kind::loop: check_loop(node, scope); break;
        case Node::Kind::jump:
          reached = false;
          check_jump(node, branch, loop);
          break;
      }
    }
    for (ValueId id : scope) in_scope_[id] = false;
    return reached;
  }
  bool check_branch(const Node& node, const Node* loop, Vec<ValueId>& scope) {
    use(node.cond, 1, "if");
    want_bool(node.cond, "if");
    if (!error_.empty()) return false;
    const bool outer_yields = yields_;
    yields_ = false;
    const bool then_reached = list(node.then_list, &node, loop), then_yields = yields_;
    yields_ = false;
    const bool else_reached = list(node.else_list, &node, loop), else_yields = yields_;
    yields_ = outer_yields;
    if ((then_reached || else_reached) && !node.results.empty()) fail("if with results has an arm without yield");
    const bool leaves = then_reached || else_reached || then_yields || else_yields;
    if (!leaves && !node.results.empty()) fail("if with results whose arms both jump");
    for (ValueId id : node.results) define(id, scope);
    return leaves;
  }
  void check_loop(const Node& node, Vec<ValueId>& scope) {
    edge(node, node.params, "loop");
    Vec<ValueId> inner;
    for (ValueId id : node.params) define(id, inner);
    if (!error_.empty()) return;
    if (list(node.then_list, nullptr, &node) && !node.params.empty()) fail("loop with params whose body does not end in continue or break");
    for (ValueId id : inner) in_scope_[id] = false;
    for (ValueId id : node.results) define(id, scope);
  }
  void check_jump(const Node& node, const Node* branch, const Node* loop) {
    if (node.jump == Node::Jump::yield) {
      if (!branch) return fail("yield outside of an if");
      edge(node, branch->results, "yield");
      yields_ = true;
    } else if (!loop) {
      fail("break or continue outside of a loop");
    } else {
      node.jump == Node::Jump::break_ ? edge(node, loop->results, "break") : edge(node, loop->params, "continue");
    }
  }

  const Module& m_;
  Vec<uint8_t> defined_, in_scope_;
  bool yields_ = false;  // the arm just checked ends in yield
  std::string error_;
};

/// Of chips with memory.
void x_form(const Module& m, const NodeList& nodes, bool outermost, Vec<uint8_t>& stored, std::string& error) {
  for (const Node& node : nodes) {
    for (const Instruction& in : node.instructions) {
      const auto fail = [&](const std::string& what) {
        if (error.empty()) error = std::string(info(in.op).name) + what;
      };
      const bool temp = in.op == Op::load_temp || in.op == Op::store_temp;
      if (info(in.op).level == OpInfo::Level::high || temp) fail(", a high operation");
      if (in.op >= Op::rcp && in.op <= Op::cos_cycles && m.comps(in.result) != 1) fail(" of several lanes");
      if (in.op == Op::sin || in.op == Op::cos) fail(" of radians");
      if (in.op == Op::tex || in.op == Op::load_push || in.op == Op::load_param ||
          (in.op == Op::load_uniform && m.uniforms[in.index].immediate.empty()))
        fail(", an operation of chips without memory");
      if (in.op != Op::store_output) continue;
      if (!outermost) fail(" inside of control flow");
      if (stored[in.index]) fail(" of an output stored before");
      stored[in.index] = true;
    }
    x_form(m, node.then_list, false, stored, error);
    x_form(m, node.else_list, false, stored, error);
  }
}

void chip_form(const Module& m, const ChipLimits& chip, const NodeList& nodes, bool outermost, std::string& error) {
  auto fail = [&](const std::string& what) {
    if (error.empty()) error = what;
  };
  Vec<uint8_t> stored(m.outputs.size());
  bool storing = false;
  for (const Node& node : nodes) {
    if (m.stage == Stage::vertex) {
      if (node.kind == Node::Kind::loop && !chip.integers && !counted_rounds(m, node, chip))
        fail("a loop without a fixed number of rounds in a vertex program");
      if (node.kind == Node::Kind::branch && outermost) fail("a branch in a vertex program");  // inside loops: their test only
    }
    if (storing && node.kind != Node::Kind::block) fail("control flow after an output was stored");
    for (const Instruction& in : node.instructions) {
      const auto name = [&] { return std::string(info(in.op).name); };
      if (info(in.op).level == OpInfo::Level::high || (info(in.op).level == OpInfo::Level::exact && !chip.memory))
        fail("high op " + name());
      if (!chip.integers && is_typed(in.op)) fail("typed op " + name());
      const bool scalar = in.op >= Op::rcp && in.op <= Op::cos_cycles;
      if (scalar && m.comps(in.result) != 1) fail(name() + " of several lanes");
      if (m.stage == Stage::fragment && (in.op == Op::sin || in.op == Op::cos)) fail("sin/cos of radians in a fragment program");
      if (m.stage == Stage::vertex && (in.op == Op::sin_cycles || in.op == Op::cos_cycles || in.op == Op::kill_if || in.op == Op::ddx ||
                                       in.op == Op::ddy || in.op == Op::tex))
        fail(name() + " in a vertex program");
      if (in.op == Op::tex && in.dref) fail("tex with dref");
      if (in.op == Op::store_output) {
        if (!outermost) fail("store_output inside of control flow");
        if (outermost && stored[in.index]) fail("output stored twice");
        stored[in.index] = storing = true;
      } else if (storing) {
        fail(name() + " after an output was stored");
      }
    }
    chip_form(m, chip, node.then_list, false, error);
    chip_form(m, chip, node.else_list, false, error);
  }
}

}  // namespace

std::string validate(const Module& module) { return Validator(module).run(); }

std::string validate_chip_form(const Module& module, const ChipLimits& chip) {
  const std::string error = validate(module);
  return error.empty() ? chip_form_problem(module, chip) : error;
}

std::string chip_form_problem(const Module& module, const ChipLimits& chip) {
  std::string error;
  if (chip.memory) {
    Vec<uint8_t> stored(module.outputs.size());
    x_form(module, module.body, true, stored, error);
    return error;
  }
  chip_form(module, chip, module.body, true, error);
  if (error.empty() && !chip.integers && module.stage == Stage::fragment) error = check_indexed_constants(module, chip);
  return error;
}

}  // namespace pumice::compiler::ir
