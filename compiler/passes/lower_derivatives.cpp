// SPDX-License-Identifier: MIT
/// Derivatives where the fragment unit has none (us-isa 0): forward differentiation. What a varying changes by from pixel to pixel is
/// the varying's slope, which the vertex program computes of its triangle (driver/slopes.h), times the clip position's w; what is computed
/// of varyings follows by the chain rule. So a derivative is that at the pixel itself, not a difference of neighbours: jumps (floor, fract,
/// comparisons) do not show in it. Runs on straight-line code of core operations.
#include <array>
#include <optional>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

namespace pumice::compiler::passes {

using namespace ir;

namespace {

constexpr float kLn2 = 0.693147180559945f, kLog2E = 1.44269504088896f;

bool is_derivative(const Instruction& in) { return in.op == Op::ddx || in.op == Op::ddy; }

/// A derivative: lanes without a bit in `lanes` are zero, and `value` is none if all are.
struct Slope {
  Operand value;
  uint8_t lanes = 0;
  explicit operator bool() const { return lanes != 0; }
};
constexpr uint8_t all_lanes(unsigned n) { return static_cast<uint8_t>((1u << n) - 1); }

class Differentiator {
 public:
  explicit Differentiator(Context& c) : c_(c), m_(c.module), defs_(c.module) {
    for (auto& axis : slopes_) axis.resize(defs_.size());
  }

  Operand derivative(const Instruction& in, Builder& b) {
    b_ = &b;
    y_ = in.op == Op::ddy;
    derived_ = &in;
    const unsigned n = m_.comps(in.result);
    const Slope s = of_source(in.source[0], n);
    return s ? s.value : constant(0, n);
  }

 private:
  Slope refuse(const std::string& what) {
    if (refused_) return {};
    refused_ = true;
    c_.refuse("a derivative of " + what + ": the fragment unit of the " + std::string(c_.options.chip->name) +
                  " has none, the compiler knows those of varyings and of what is computed of them",
              origin(m_, *derived_));
    return {};
  }

  // Operations on floats of any type give f32.
  Operand op(Op o, std::initializer_list<Operand> operands) const { return b_->op_typed(o, Type::f32, operands); }
  Operand mul(const Operand& a, const Operand& b) const { return op(Op::mul, {a, b}); }
  Operand constant(float x, unsigned n = 1) const { return b_->constant(x, n); }
  Operand choose(const Operand& condition, const Operand& a, const Operand& b) const { return op(Op::sel, {condition, a, b}); }
  Operand operand(const Source& s, unsigned n) const { return {s, Type::f32, static_cast<uint8_t>(n)}; }
  Operand result(const Instruction& in) const { return b_->value(in.result).as(Type::f32); }
  Operand or_zero(const Slope& s, unsigned n) const { return s ? s.value : constant(0, n); }

  static Slope negated(Slope s) {
    if (s) s.value = -s.value;
    return s;
  }
  Slope scaled(const Slope& s, const Operand& by) const { return s ? Slope{mul(s.value, by), s.lanes} : Slope{}; }
  Slope sum(const Slope& a, const Slope& b) const {
    if (!a || !b) return a ? a : b;
    return {op(Op::add, {a.value, b.value}), static_cast<uint8_t>(a.lanes | b.lanes)};
  }
  /// a * by + b
  Slope scaled_sum(const Slope& a, const Operand& by, const Slope& b) const {
    if (!a || !b) return a ? scaled(a, by) : b;
    return {op(Op::mad, {a.value, by, b.value}), static_cast<uint8_t>(a.lanes | b.lanes)};
  }

  /// Of n lanes that an instruction reads.
  Slope of_source(const Source& s, unsigned n) {
    const Slope whole = of_value(s.value);
    Slope out;
    for (unsigned i = 0; i < n; ++i) {
      if (unknown(s.value) >> s.swizzle[i] & 1) return refuse("gl_FragCoord.zw");
      out.lanes |= static_cast<uint8_t>((whole.lanes >> s.swizzle[i] & 1) << i);
    }
    if (!out) return {};
    const Source lanes{.value = s.value, .swizzle = s.swizzle};
    out.value = {compose(lanes, whole.value.source), Type::f32, static_cast<uint8_t>(n)};
    if (s.abs) out.value = choose(b_->op(Op::slt, {operand(lanes, n), constant(0)}), -out.value, out.value);
    return s.negate ? negated(out) : out;
  }

  /// Lanes of a value whose derivative nothing gives.
  unsigned unknown(ValueId v) const {
    const Instruction& in = defs_[v];
    return in.op == Op::load_input && m_.inputs[in.index].builtin == Builtin::frag_coord ? 12 : 0;
  }

  Slope of_value(ValueId v) {
    if (v >= defs_.size()) return refuse("a derivative");  // made by this pass
    std::optional<Slope>& known = slopes_[y_][v];
    if (!known) {
      const Slope s = of(defs_[v]);
      slopes_[y_][v] = s;
      return s;
    }
    return *known;
  }

  Slope of(const Instruction& in) {
    const unsigned n = m_.comps(in.result);
    Slope s = of_operation(in, n);
    if (s && in.saturate) {
      const Operand r = result(in), zero = constant(0);
      s.value = choose(b_->op(Op::slt, {zero, r}), choose(b_->op(Op::slt, {r, constant(1)}), s.value, zero), zero);
    }
    return s;
  }

  Slope of_operation(const Instruction& in, unsigned n) {
    const auto source = [&](unsigned i) { return operand(in.source[i], n); };
    const auto slope = [&](unsigned i) { return of_source(in.source[i], n); };
    switch (in.op) {
      case Op::constant:
      case Op::load_uniform:
      case Op::load_push:
      case Op::load_param:
      case Op::slt:
      case Op::sge:
      case Op::seq:
      case Op::sne:
      case Op::floor: return {};
      case Op::mov:
        if (!in.source_count) return refuse("a value of a loop");
        return slope(0);
      case Op::fract: return slope(0);
      case Op::vec: return of_vector(in);
      case Op::add: return is_floor(in, n) ? Slope{} : sum(slope(0), slope(1));
      case Op::mul: return scaled_sum(slope(0), source(1), scaled(slope(1), source(0)));
      case Op::mad: return scaled_sum(slope(0), source(1), scaled_sum(slope(1), source(0), slope(2)));
      case Op::min:
      case Op::max: {
        const Slope a = slope(0), b = slope(1);
        if (!a && !b) return {};
        const Operand first = b_->op(in.op == Op::min ? Op::slt : Op::sge, {source(0), source(1)});
        return {choose(first, or_zero(a, n), or_zero(b, n)), static_cast<uint8_t>(a.lanes | b.lanes)};
      }
      case Op::sel: {
        const Slope a = slope(1), b = slope(2);
        if (!a && !b) return {};
        const Operand condition{in.source[0], m_.truth(), static_cast<uint8_t>(n)};
        return {choose(condition, or_zero(a, n), or_zero(b, n)), static_cast<uint8_t>(a.lanes | b.lanes)};
      }
      case Op::dot2: return of_dot(in, 2);
      case Op::dot3: return of_dot(in, 3);
      case Op::dot4: return of_dot(in, 4);
      case Op::rcp: {
        if (const std::optional<Slope> root = of_square_root(in, n)) return *root;
        const Operand r = result(in);
        return scaled(negated(scaled(slope(0), r)), r);
      }
      case Op::rsq: {
        Source magnitude = in.source[0];
        magnitude.abs = true;
        magnitude.negate = false;
        const Slope s = of_source(magnitude, n);
        if (!s) return {};
        const Operand r = result(in);
        return scaled(scaled(s, mul(r, constant(-0.5f))), mul(r, r));
      }
      case Op::exp2: {
        const Slope s = slope(0);
        return s ? scaled(s, mul(result(in), constant(kLn2))) : s;
      }
      case Op::log2: {
        const Slope s = slope(0);
        return s ? scaled(s, mul(op(Op::rcp, {source(0)}), constant(kLog2E))) : s;
      }
      case Op::load_input: return of_input(m_.inputs[in.index]);
      case Op::tex: return refuse("what a texture gives");
      case Op::ddx:
      case Op::ddy: return refuse("a derivative");
      default: return refuse("an operation '" + std::string(info(in.op).name) + "'");
    }
  }

  Slope of_vector(const Instruction& in) {
    std::array<Slope, 4> part;
    Slope out;
    for (unsigned i = 0; i < in.source_count; ++i) {
      part[i] = of_source(in.source[i], 1);
      out.lanes |= static_cast<uint8_t>(part[i].lanes << i);
    }
    if (!out) return {};
    Vec<Operand> lanes;
    for (unsigned i = 0; i < in.source_count; ++i) lanes.push_back(or_zero(part[i], 1));
    out.value = b_->vec(lanes);
    return out;
  }

  Slope of_dot(const Instruction& in, unsigned n) {
    const Slope a = of_source(in.source[0], n), b = of_source(in.source[1], n);
    const Slope left = a ? Slope{op(in.op, {a.value, operand(in.source[1], n)}), 1} : Slope{};
    return sum(left, b ? Slope{op(in.op, {operand(in.source[0], n), b.value}), 1} : Slope{});
  }

  /// x - fract(x), which lower_math makes of floor(x).
  bool is_floor(const Instruction& in, unsigned n) const {
    for (unsigned i = 0; i < 2; ++i) {
      const Source &whole = in.source[1 - i], &part = in.source[i];
      const Instruction& fract = defs_[part.value];
      if (fract.op != Op::fract || part.abs || !part.negate) continue;
      const Source of = compose({.value = part.value, .swizzle = part.swizzle}, fract.source[0]);
      bool same = of.value == whole.value && of.abs == whole.abs && of.negate == whole.negate;
      for (unsigned l = 0; l < n; ++l) same &= of.swizzle[l] == whole.swizzle[l];
      if (same) return true;
    }
    return false;
  }

  /// 1 / rsq(x), which lower_math makes of sqrt(x): half the reciprocal root, whose square could leave the range of 24 bits.
  std::optional<Slope> of_square_root(const Instruction& in, unsigned n) {
    const Source& root = in.source[0];
    const Instruction& rsq = defs_[root.value];
    if (rsq.op != Op::rsq || root.abs || root.negate || rsq.saturate) return std::nullopt;
    Source x = compose(root, rsq.source[0]);
    x.abs = true;
    x.negate = false;
    const Slope s = of_source(x, n);
    return s ? scaled(s, mul(operand(root, n), constant(0.5f))) : s;
  }

  Slope of_input(const Input in) {  // a copy: row() moves the table
    switch (in.builtin) {
      case Builtin::none: break;
      case Builtin::frag_coord:  // z and w: see unknown()
        return {b_->constants({y_ ? 0.0f : 1.0f, y_ ? 1.0f : 0.0f, 0, 0}), static_cast<uint8_t>(y_ ? 2 : 1)};
      case Builtin::point_coord: return refuse("gl_PointCoord");
      case Builtin::slope_x:
      case Builtin::slope_y: return refuse("a derivative");
      default: return {};
    }
    if (in.flat) return {};
    if (in.no_perspective) return refuse("a noperspective input");
    Input wanted = in;
    wanted.builtin = y_ ? Builtin::slope_y : Builtin::slope_x;
    if (!w_) w_ = load(row({.builtin = Builtin::position}), 4).lane(3);
    return {mul(load(row(wanted), in.comps), w_), all_lanes(in.comps)};
  }

  Operand load(uint32_t row, unsigned n) const { return b_->append({.op = Op::load_input, .index = row}, Type::f32, n); }
  uint32_t row(const Input& wanted) {
    for (uint32_t i = 0; i < m_.inputs.size(); ++i) {
      const Input& in = m_.inputs[i];
      if (in.builtin == wanted.builtin && in.location == wanted.location && in.component == wanted.component && in.comps == wanted.comps)
        return i;
    }
    m_.inputs.push_back(wanted);
    return static_cast<uint32_t>(m_.inputs.size() - 1);
  }

  Context& c_;
  Module& m_;
  const Definitions defs_;
  std::array<Vec<std::optional<Slope>>, 2> slopes_;  ///< by axis and value; code is straight, so what was computed stays
  Operand w_;
  Builder* b_ = nullptr;
  bool y_ = false;
  const Instruction* derived_ = nullptr;
  bool refused_ = false;
};

}  // namespace

bool lower_derivatives(Context& c) {
  Module& m = c.module;
  if (m.stage != Stage::fragment || m.memory || c.options.chip->derivatives) return false;
  const Instruction* first = nullptr;
  any_instruction(m.body, [&](const Instruction& in) { return is_derivative(in) && (first = &in); });
  if (!first) return false;
  for (const Node& node : m.body)
    if (node.kind != Node::Kind::block) {
      c.refuse("a derivative beside a loop that cannot be unrolled: the fragment unit of the " + std::string(c.options.chip->name) +
                   " has no derivatives, and the compiler knows those of straight code only",
               origin(m, *first));
      return false;
    }
  Differentiator d(c);
  return replace_instructions(m, [&](const Instruction& in, Builder& b) -> std::optional<Operand> {
    if (!is_derivative(in)) return std::nullopt;
    return d.derivative(in, b);
  });
}

}  // namespace pumice::compiler::passes
