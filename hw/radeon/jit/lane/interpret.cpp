// SPDX-License-Identifier: MIT
/// Preparing programs for the interpreter: lifetimes, slots, operands.
#include "hw/radeon/jit/lane/interpret.h"

#include <algorithm>
#include <cstring>

#include "hw/radeon/jit/lane/routine.h"

namespace pumice::hw::fast::lane {

/// Frame: pointers, scalars, slots.
class Interpreter::Preparation {
 public:
  Preparation(const Program& program, Interpreter& to) : program_(program), nodes_(program.nodes), to_(to) {}

  void run() {
    to_.addresses_ = program_.addresses, to_.pointers_ = program_.pointers, to_.calls_ = program_.calls, to_.ranges_ = program_.ranges;
    to_.fields_ = program_.fields, to_.budgets_ = program_.budgets, to_.buffers_ = program_.buffers;
    constants_at_ = 8 * uint32_t(program_.pointers.size());
    tables_at_ = constants_at_ + 8;
    scalars_at_ = tables_at_ + 8;
    slots_at_ = (scalars_at_ + 4 * uint32_t(program_.scalars) + 63) / 64 * 64;
    slots_ = uint32_t(program_.variables + program_.mask_variables);
    for (const auto& t : program_.tables) {
      to_.tables_.emplace_back();
      std::memcpy(&to_.tables_.back(), t.data(), sizeof(Lanes));
    }
    find_lifetimes();
    find_variable_writes();
    where_.resize(nodes_.size());
    dying_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) step(int32_t(i));
    to_.steps_.push_back({.run = portable::end_handler()});
    for (const auto& [at, label] : jumps_) to_.steps_[at].jump = int32_t(label_step_[label]) - int32_t(at);
    to_.scratch_at_ = slots_at_ + 64 * slots_;
    to_.frame_bytes_ = to_.scratch_at_ + program_.scratch;
  }

 private:
  enum class Kind : uint8_t { none, slot, splat };
  struct Where {
    Kind kind = Kind::none;
    Operand operand;
    bool owned = false;  ///< the slot is given back when the value dies
  };

  /// From its definition a value lives until the last use in the text, and to the end of a loop that it is used in and made before.
  void find_lifetimes() {
    end_.assign(nodes_.size(), -1);
    std::vector<int32_t> label_at(size_t(program_.labels), INT32_MAX);
    struct Loop {
      int32_t begin, end;
    };
    std::vector<Loop> loops;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& n = nodes_[i];
      for_operands(n, [&](int, int32_t v) { end_[size_t(v)] = int32_t(i); });
      if (n.op == Op::label)
        label_at[n.imm] = int32_t(i);
      else if (is_jump(n.op) && label_at[n.imm] < int32_t(i))
        loops.push_back({label_at[n.imm], int32_t(i)});
    }
    for (bool changed = !loops.empty(); changed;) {
      changed = false;
      for (const Loop& l : loops)
        for (int32_t v = 0; v < l.begin; ++v)
          if (end_[size_t(v)] >= l.begin && end_[size_t(v)] < l.end) end_[size_t(v)] = l.end, changed = true;
    }
  }
  void find_variable_writes() {
    writes_.resize(slots_);
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].op == Op::set || nodes_[i].op == Op::mask_set) writes_[variable_of(nodes_[i])].push_back(int32_t(i));
  }
  uint32_t variable_of(const Node& n) const {
    return n.imm + (n.op == Op::mask_get || n.op == Op::mask_set ? uint32_t(program_.variables) : 0);
  }
  uint32_t slot_address(uint32_t slot) const { return slots_at_ + 64 * slot; }
  uint32_t pointer_address(uint32_t p) const { return 8 * p; }
  uint32_t scalar_address(int32_t s) const { return scalars_at_ + 4 * uint32_t(s); }

  uint32_t take_slot() {
    if (free_.empty()) return slots_++;
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  Operand constant(uint32_t bits) {
    const auto found = std::find(to_.constants_.begin(), to_.constants_.end(), bits);
    const auto at = uint32_t(found - to_.constants_.begin());
    if (found == to_.constants_.end()) to_.constants_.push_back(bits);
    return {constants_at_, 4 * at};
  }
  void emit(Op op, uint32_t imm, uint32_t splats, Step s) {
    s.run = portable::handler_of(op, imm, splats);
    s.imm = imm;
    to_.steps_.push_back(s);
  }
  void into_slot(int32_t i) {
    Where& w = where_[size_t(i)];
    w.kind = Kind::slot;
    const uint32_t slot = take_slot();
    w.operand.at = slot_address(slot), w.owned = true;
    if (end_[size_t(i)] < 0)
      free_.push_back(slot), w.owned = false;
    else
      dying_[size_t(end_[size_t(i)])].push_back(slot);
  }

  /// True if the node needs no step because the location of its value was recorded.
  bool is_found(int32_t i) {
    const Node& n = nodes_[size_t(i)];
    Where& w = where_[size_t(i)];
    switch (n.op) {
      case Op::constant: w = {Kind::splat, constant(n.imm)}; return true;
      case Op::splat: w = {Kind::splat, {pointer_address(n.p), n.imm}}; return true;
      case Op::mask_constant:
        if (n.imm != 0 && n.imm != 0xFFFF) return false;
        w = {Kind::splat, constant(n.imm ? ~0u : 0u)};
        return true;
      case Op::get:
      case Op::mask_get: {
        const std::vector<int32_t>& writes = writes_[variable_of(n)];
        const auto next = std::upper_bound(writes.begin(), writes.end(), i);
        if (next != writes.end() && *next < end_[size_t(i)]) return false;
        w = {Kind::slot, {slot_address(variable_of(n)), 0}};
        return true;
      }
      default: return false;
    }
  }

  void step(int32_t i) {
    const Node& n = nodes_[size_t(i)];
    if (n.op == Op::label) {
      if (label_step_.size() <= n.imm) label_step_.resize(n.imm + 1);
      label_step_[n.imm] = to_.steps_.size();
    }
    if (n.op != Op::label && !is_found(i)) {
      Step s;
      uint32_t splats = 0;
      Operand* const operands[3] = {&s.a, &s.b, &s.c};
      for_operands(n, [&](int k, int32_t v) {
        const Where& w = where_[size_t(v)];
        *operands[k] = w.operand;
        if (w.kind == Kind::splat) splats |= 1u << k;
      });
      release(i);  // a result may take the slot of an operand that dies here
      s.memory = {pointer_address(n.p), n.imm};
      if (type_of(n.op) != Type::none) {
        into_slot(i);
        s.out = where_[size_t(i)].operand.at;
      }
      uint32_t imm = n.imm;
      const Signature& signature = operation(n.op).signature;
      for (const auto& [role, v] : {std::pair{signature.a, n.a}, {signature.b, n.b}}) {
        switch (role) {
          case Role::scalar: s.a.at = scalar_address(v); break;
          case Role::number: imm = uint32_t(v); break;
          case Role::half: imm = v == 1 ? 2 : 4; break;
          case Role::range: s.detail = &to_.ranges_[size_t(v)]; break;
          case Role::bit_field: s.detail = &to_.fields_[size_t(v)], s.memory.offset = 0; break;
          case Role::budget: s.detail = &to_.budgets_[size_t(v)], s.memory.offset = 0; break;
          default: break;
        }
      }
      switch (signature.imm) {
        case Role::table: s.memory = {tables_at_, uint32_t(sizeof(Lanes)) * n.imm}; break;
        case Role::variable:
        case Role::mask_variable: (type_of(n.op) == Type::none ? s.out : s.a.at) = slot_address(variable_of(n)); break;
        case Role::scalar: s.out = scalar_address(int32_t(n.imm)); break;
        case Role::call: s.detail = &to_.calls_[n.imm]; break;
        case Role::buffer: {
          const auto& b = program_.buffers[n.imm];
          s.detail = &b - program_.buffers.data() + to_.buffers_.data();
          // Of atomic_64 rows are at a pointer, and imm is the operation.
          if (operation(n.op).is(trait::pointer))
            s.b = {pointer_address(n.p), 0};
          else
            imm = displacement(n);
          s.memory = {pointer_address(b.p), b.is_block() ? pointer_address(uint8_t(b.rows_p)) : b.index >= 0 ? scalar_address(b.index) : 0};
          break;
        }
        default: break;
      }
      if (is_jump(n.op)) jumps_.push_back({to_.steps_.size(), n.imm});
      emit(n.op, imm, splats, s);
      return;
    }
    release(i);
  }
  void release(int32_t i) { free_.insert(free_.end(), dying_[size_t(i)].begin(), dying_[size_t(i)].end()); }

  const Program& program_;
  const std::vector<Node>& nodes_;
  Interpreter& to_;
  std::vector<int32_t> end_;  ///< by node: the last node that needs the value; -1: none
  std::vector<Where> where_;
  std::vector<std::vector<uint32_t>> dying_;  ///< by node: slots that are free after it
  std::vector<std::vector<int32_t>> writes_;  ///< by variable, ascending
  std::vector<uint32_t> free_;
  std::vector<size_t> label_step_;
  struct Jump {
    size_t at;
    uint32_t label;
  };
  std::vector<Jump> jumps_;
  uint32_t constants_at_ = 0, tables_at_ = 0, scalars_at_ = 0, slots_at_ = 0, slots_ = 0;
};

Interpreter::Interpreter(const Program& program) { Preparation(program, *this).run(); }

void Interpreter::run_in(char* frame, void* args) const {
  auto** const pointer = reinterpret_cast<const char**>(frame);
  pointer[0] = static_cast<const char*>(args);
  const size_t count = pointers_.size();
  for (size_t i = 1; i < count; ++i) {
    if (pointers_[i].parent == kScratch)
      pointer[i] = frame + scratch_at_ + pointers_[i].offset;
    else if (pointers_[i].parent == kMoving)
      pointer[i] = static_cast<const char*>(args) + pointers_[i].offset;
    else if (pointers_[i].parent == kKnown)
      pointer[i] = static_cast<const char*>(addresses_[pointers_[i].offset]);
    else
      std::memcpy(&pointer[i], pointer[pointers_[i].parent] + pointers_[i].offset, sizeof pointer[i]);
  }
  pointer[count] = reinterpret_cast<const char*>(constants_.data());
  pointer[count + 1] = reinterpret_cast<const char*>(tables_.data());
  for (const Step* s = steps_.data(); s;) s = s->run(*s, frame);
}

void Interpreter::run(void* args) const {
  constexpr uint32_t kRoom = 8192;
  if (frame_bytes_ <= kRoom) {
    alignas(64) char room[kRoom];
    return run_in(room, args);
  }
  std::vector<Lanes> room(frame_bytes_ / sizeof(Lanes) + 1);
  run_in(reinterpret_cast<char*>(room.data()), args);
}

void interpret(const Program& program, void* args) { Interpreter(program).run(args); }

}  // namespace pumice::hw::fast::lane
