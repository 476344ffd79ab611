// SPDX-License-Identifier: MIT
#include "compiler/driver/slopes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "compiler/ir/builder.h"

namespace pumice::compiler {
namespace {

using namespace ir;
using Lane = std::optional<Operand>;
using Vector = std::array<Lane, 4>;  ///< lanes that the shader writes
using Place = std::pair<Builtin, uint32_t>;

constexpr unsigned kCorners = 3;
bool is_slope(Builtin b) { return b == Builtin::slope_x || b == Builtin::slope_y; }

/// A second copy of a module's body: value n becomes base + n.
class Copy {
 public:
  Copy(Module& m, uint8_t corner) : m_(m), corner_(corner), base_(ValueId(m.values.size())), temps_(uint32_t(m.temps.size())) {}

  NodeList body(const NodeList& nodes, ValueId values, uint32_t temps) {
    NodeList out = nodes;
    for (ValueId v = 0; v < values; ++v) m_.values.push_back(Value(m_.values[v]));
    for (uint32_t t = 0; t < temps; ++t) m_.temps.push_back(Temp(m_.temps[t]));
    notes(values);
    list(out);
    return out;
  }

 private:
  /// What diagnostics say of the copies is what they say of the originals.
  void notes(ValueId values) {
    const size_t origins = m_.origins.size(), marks = m_.marks.size();
    for (size_t i = 0; i < origins && m_.origins[i].value < values; ++i) {
      Origin copy = m_.origins[i];
      copy.value += base_;
      m_.origins.push_back(std::move(copy));
    }
    if (marks) m_.marks.push_back({base_, nullptr});
    for (size_t i = 0; i < marks && m_.marks[i].first < values; ++i) m_.marks.push_back({m_.marks[i].first + base_, m_.marks[i].at});
  }

  void move(ValueId& v) const { v = v ? v + base_ : 0; }
  void move(Vec<ValueId>& all) const {
    for (ValueId& v : all) move(v);
  }
  void list(NodeList& nodes) {
    for (Node& node : nodes) {
      for (Instruction& in : node.instructions) instruction(in);
      move(node.cond.value);
      for (Source& s : node.args) move(s.value);
      move(node.params);
      move(node.results);
      list(node.then_list);
      list(node.else_list);
    }
  }
  void instruction(Instruction& in) {
    move(in.result);
    for (Source& s : in.sources()) move(s.value);
    if (in.op == Op::load_input) in.index = input(in.index);
    if (in.op == Op::load_temp || in.op == Op::store_temp) in.index += temps_;
  }
  /// Instances are the same at all vertices of a triangle.
  uint32_t input(uint32_t row) {
    if (m_.inputs[row].builtin == Builtin::instance_index) return row;
    const auto [at, fresh] = rows_.emplace(row, uint32_t(m_.inputs.size()));
    if (fresh) {
      Input in = m_.inputs[row];
      in.corner = corner_;
      m_.inputs.push_back(in);
    }
    return at->second;
  }

  Module& m_;
  const uint8_t corner_;
  const ValueId base_;
  const uint32_t temps_;
  std::map<uint32_t, uint32_t> rows_;
};

/// What a body stores to outputs: the front end does so in the outermost list.
std::map<Place, Vector> stored(const Module& m, const NodeList& body) {
  std::map<Place, Vector> out;
  for (const Node& node : body)
    for (const Instruction& in : node.instructions) {
      if (in.op != Op::store_output) continue;
      const Output& o = m.outputs[in.index];
      if (o.type != Type::f32) continue;
      Vector& lanes = out[{o.builtin, o.location}];
      for (unsigned l = 0; l < o.comps && o.component + l < 4; ++l)
        if (in.mask >> l & 1) lanes[o.component + l] = Operand{in.source[0], Type::f32, 4}.lane(l);
    }
  return out;
}

void drop_stores(NodeList& body) {
  for (Node& node : body) erase_if(node.instructions, [](const Instruction& in) { return in.op == Op::store_output; });
}

class Slopes {
 public:
  Slopes(Module& m, std::array<std::map<Place, Vector>, kCorners> corners) : m_(m), b_(m, m.body), corner_(std::move(corners)) {
    m_.body.emplace_back();  // of instructions
    add_mark(m_, ValueId(m_.values.size()), nullptr);
    matrix();
  }

  /// The output at `location` of this builtin.
  void store(Builtin slope, uint32_t location) {
    const Vector& here = corner_[0][{Builtin::none, location}];
    unsigned lanes = 4;
    while (lanes && !here[lanes - 1]) --lanes;
    if (!lanes) return;  // the shader does not write the variable, which is zero then
    const Operand v = vector(0, {Builtin::none, location}, lanes), &w = weight_[slope == Builtin::slope_y ? 1 : 0];
    const auto change = [&](unsigned corner) { return b_.sub(vector(corner, {Builtin::none, location}, lanes), v); };
    const Operand slopes = b_.mad(change(1), w.lane(0), b_.mul(change(2), w.lane(1)));
    m_.outputs.push_back({.builtin = slope, .location = location, .comps = uint8_t(lanes)});
    Instruction in{.op = Op::store_output, .source_count = 1, .mask = uint8_t((1u << lanes) - 1), .index = uint32_t(m_.outputs.size() - 1)};
    in.source[0] = slopes.source;
    b_.append(in, Type::f32, 0);
  }

 private:
  Operand vector(unsigned corner, const Place& place, unsigned lanes) {
    Vec<Operand> parts;
    for (unsigned l = 0; l < lanes; ++l) {
      const Lane& lane = corner_[corner][place][l];
      parts.push_back(lane ? *lane : b_.constant(place.first == Builtin::position && l == 3 ? 1.0f : 0.0f));
    }
    return b_.vec(parts);
  }
  /// x, y, w
  Operand position(unsigned corner) {
    const Operand p = vector(corner, {Builtin::position, 0}, 4);
    return p.swizzle({0, 1, 3});
  }
  Operand cross(const Operand& a, const Operand& b) {
    return b_.sub(b_.mul(a.swizzle({1, 2, 0}), b.swizzle({2, 0, 1})), b_.mul(a.swizzle({2, 0, 1}), b.swizzle({1, 2, 0})));
  }

  /// With edges e from this vertex p to the others, the columns of M^-1 that belong to them are rows of e2 x p and p x e1, over the
  /// determinant e1 (e2 x p): differences of neighbouring vertices, of which small triangles keep what distinguishes them.
  void matrix() {
    const Operand p = position(0), first = b_.sub(position(1), p), second = b_.sub(position(2), p);
    const Operand of_first = cross(second, p), of_second = cross(p, first);
    const Operand determinant = b_.dot(first, of_first);
    const Operand window = b_.append({.op = Op::load_param, .parameter = ConstantRange::Parameter::viewport_window}, Type::f32, 4);
    // From normalized device coordinates to pixels.
    const Operand scale = b_.op(Op::rcp, {b_.mul(window.swizzle({0, 2}), determinant)});
    for (unsigned axis = 0; axis < 2; ++axis) {
      const Operand both[] = {of_first.lane(axis), of_second.lane(axis)};
      weight_[axis] = b_.mul(b_.vec(both), scale.lane(axis));
    }
  }

  Module& m_;
  Builder b_;
  std::array<std::map<Place, Vector>, kCorners> corner_;
  std::array<Operand, 2> weight_;  ///< by axis: of the changes to the next vertex and to the one after it
};

}  // namespace

void add_slopes(Module& m, const std::vector<pvs::OutputTarget>& outputs) {
  if (std::none_of(outputs.begin(), outputs.end(), [](const pvs::OutputTarget& t) { return is_slope(t.builtin); })) return;
  const NodeList plain = m.body;
  const auto values = ValueId(m.values.size());
  const auto temps = uint32_t(m.temps.size());
  std::array<std::map<Place, Vector>, kCorners> corners;
  corners[0] = stored(m, plain);
  for (uint8_t corner = 1; corner < kCorners; ++corner) {
    NodeList copy = Copy(m, corner).body(plain, values, temps);
    corners[corner] = stored(m, copy);
    drop_stores(copy);
    m.body.insert(m.body.end(), std::make_move_iterator(copy.begin()), std::make_move_iterator(copy.end()));
  }
  Slopes slopes(m, std::move(corners));
  for (const pvs::OutputTarget& t : outputs)
    if (is_slope(t.builtin)) slopes.store(t.builtin, t.location);
}

}  // namespace pumice::compiler
