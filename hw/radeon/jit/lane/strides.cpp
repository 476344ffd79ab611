// SPDX-License-Identifier: MIT
/// See strides.h: forward over the nodes, as often as variables still change. What nothing has been found out about yet fits anything.
#include "hw/radeon/jit/lane/strides.h"

#include "hw/radeon/jit/lane/evaluate.h"

namespace pumice::hw::fast::lane {
namespace {

/// From this on offsets are out of bounds of every buffer.
constexpr uint32_t kFar = 0xFFFFFFF0u;

constexpr bool is_load(Op op) {
  switch (op) {
#define PUMICE_LANE_ROW(name, ...) case Op::name:
    PUMICE_LANE_LOADS(PUMICE_LANE_ROW)
#undef PUMICE_LANE_ROW
    return true;
    default: return false;
  }
}

/// What is known of a value or (stride 0: the same in all lanes) a mask.
struct Fact {
  enum Kind : uint8_t { open, known, varies } kind = open;
  uint32_t stride = 0;
  bool operator==(const Fact&) const = default;
  bool is_uniform() const { return kind != varies && stride == 0; }
};
constexpr Fact kVaries{Fact::varies, 0};
constexpr Fact strided(uint32_t stride) { return {Fact::known, stride}; }

class Finder {
 public:
  /// `limits`: far limits keep a stride.
  Finder(const Program& program, uint32_t lanes, bool limits)
      : program_(program),
        lanes_(lanes),
        limits_(limits),
        facts_(program.nodes.size()),
        variables_(size_t(program.variables)),
        masks_(size_t(program.mask_variables)) {}

  void run() {
    do {
      changed_ = false;
      for (size_t i = 0; i < facts_.size(); ++i) facts_[i] = fact_of(program_.nodes[i]);
    } while (changed_);
  }
  std::vector<Stride> strides() const {
    std::vector<Stride> strides(facts_.size());
    for (size_t i = 0; i < strides.size(); ++i)
      if (facts_[i].kind == Fact::known && type_of(program_.nodes[i].op) == Type::value) strides[i] = facts_[i].stride;
    return strides;
  }
  std::vector<uint8_t> uniform() const {
    std::vector<uint8_t> result(facts_.size());
    for (size_t i = 0; i < result.size(); ++i) {
      const Op op = program_.nodes[i].op;
      result[i] = (is_elementwise(op) || is_load(op)) && facts_[i] == strided(0);
    }
    return result;
  }

 private:
  const Fact& fact(int32_t id) const { return facts_[size_t(id)]; }

  Fact of_table(const std::array<uint32_t, kLanes>& table) const {
    const uint32_t stride = table[1] - table[0];
    for (uint32_t l = 1; l < kLanes; ++l)
      if (l % lanes_ && table[l] - table[l - 1] != stride) return kVaries;
    return strided(stride);
  }

  /// A variable holds what any of its writes gives it.
  void join(Fact& variable, const Fact& written) {
    if (written.kind == Fact::open || variable == written || variable.kind == Fact::varies) return;
    variable = variable.kind == Fact::open ? written : kVaries;
    changed_ = true;
  }

  Fact sum(const Fact& a, const Fact& b, bool minus) const {
    if (a.kind == Fact::varies || b.kind == Fact::varies) return kVaries;
    if (a.kind == Fact::open || b.kind == Fact::open) return {};
    return strided(minus ? a.stride - b.stride : a.stride + b.stride);
  }
  Fact product(const Node& n) const {
    const Node &a = program_.nodes[size_t(n.a)], &b = program_.nodes[size_t(n.b)];
    if (b.op == Op::constant && fact(n.a).kind == Fact::known) return strided(fact(n.a).stride * b.imm);
    if (a.op == Op::constant && fact(n.b).kind == Fact::known) return strided(fact(n.b).stride * a.imm);
    return uniform(n);
  }
  /// The same for all lanes if all operands are.
  Fact uniform(const Node& n) const {
    Fact f = strided(0);
    for_operands(n, [&](int, int32_t v) {
      if (f.kind != Fact::varies && !fact(v).is_uniform()) f = kVaries;
      if (f.kind == Fact::known && fact(v).kind == Fact::open) f = {};
    });
    return f;
  }

  Fact fact_of(const Node& n) {
    switch (n.op) {
      case Op::constant:
      case Op::splat:
      case Op::splat_at:
      case Op::from_scalar: return strided(0);
      case Op::mask_constant: return n.imm == 0 || n.imm == 0xFFFF ? strided(0) : kVaries;
      case Op::table: return of_table(program_.tables[n.imm]);
      case Op::get: return variables_[n.imm];
      case Op::mask_get: return masks_[n.imm];
      case Op::set: join(variables_[n.imm], fact(n.a)); return {};
      case Op::mask_set: join(masks_[n.imm], fact(n.a)); return {};
      case Op::store:
      case Op::mask_store:
        if (is_kept(n)) join(kept_at(n), fact(n.a));
        return {};
      case Op::lanes:
      case Op::mask_load: return is_kept(n) ? kept_at(n) : kVaries;
      case Op::iadd: return sum(fact(n.a), fact(n.b), false);
      case Op::isub: return sum(fact(n.a), fact(n.b), true);
      case Op::imul: return product(n);
      case Op::shl: {
        const Fact& a = fact(n.a);
        return a.kind == Fact::known ? strided(a.stride << n.imm) : a;
      }
      case Op::umin: {
        const Node& limit = program_.nodes[size_t(n.b)];
        return limits_ && limit.op == Op::constant && limit.imm >= kFar ? fact(n.a) : uniform(n);
      }
      case Op::select: {
        const Fact &a = fact(n.a), &b = fact(n.b);
        if (a.kind == Fact::known && a == b && fact(n.c).is_uniform()) return a;
        return uniform(n);
      }
      default: return is_elementwise(n.op) || is_load(n.op) ? uniform(n) : kVaries;
    }
  }

  bool is_kept(const Node& n) const { return n.p == program_.kept; }
  Fact& kept_at(const Node& n) {
    if (n.imm / 4 >= kept_.size()) kept_.resize(n.imm / 4 + 1);
    return kept_[n.imm / 4];
  }

  const Program& program_;
  const uint32_t lanes_;
  const bool limits_;
  std::vector<Fact> facts_, variables_, masks_;
  std::vector<Fact> kept_;  ///< by dword of memory
  bool changed_ = false;
};

}  // namespace

std::vector<Stride> find_strides(const Program& program, uint32_t lanes) {
  Finder finder(program, lanes, true);
  finder.run();
  return finder.strides();
}
std::vector<uint8_t> find_uniform(const Program& program) {
  Finder finder(program, kLanes, false);
  finder.run();
  return finder.uniform();
}

}  // namespace pumice::hw::fast::lane
