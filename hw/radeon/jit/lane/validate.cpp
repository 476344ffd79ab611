// SPDX-License-Identifier: MIT
/// Is a program well formed? By the signatures of operations.h.
#include <algorithm>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

class Check {
 public:
  explicit Check(const Program& program) : program_(program), placed_(size_t(std::max(program.labels, 0)), 0) {}

  std::string all() {
    for (size_t i = 0; i < program_.pointers.size(); ++i)
      if (i > 0 && program_.pointers[i].parent == kKnown)
        wrong_ += program_.pointers[i].offset < program_.addresses.size() ? "" : "pointer " + std::to_string(i) + " has no such address\n";
      else if (i > 0 && program_.pointers[i].parent >= i && program_.pointers[i].parent != kScratch &&
               program_.pointers[i].parent != kMoving)
        wrong_ += "pointer " + std::to_string(i) + " is read through a later one\n";
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const auto& b = program_.buffers[i];
      if (b.p >= program_.pointers.size() || b.index < -1 || b.index >= program_.scalars || b.stride > INT32_MAX)
        wrong_ += "buffer " + std::to_string(i) + " has no such pointer or scalar, or too large a stride\n";
      if (b.rows_p < -1 || b.rows_p >= int32_t(program_.pointers.size()) || (b.is_block() && b.index >= 0))
        wrong_ += "buffer " + std::to_string(i) + " has no such pointer to rows, or is a block and chosen\n";
    }
    for (size_t i = 0; i < program_.calls.size(); ++i)
      if (program_.calls[i].object >= program_.pointers.size() || program_.calls[i].argument >= program_.pointers.size())
        wrong_ += "call " + std::to_string(i) + " has no such pointer\n";
    for (const Node& n : program_.nodes)
      if (size_t(n.op) < std::size(rows::kOperations) && n.op == Op::label && n.imm < placed_.size()) ++placed_[n.imm];
    for (at_ = 0; at_ < program_.nodes.size(); ++at_) node();
    if (wrong_.empty()) definitions_run();  // which relies on all that
    return std::move(wrong_);
  }

 private:
  void complain(const std::string& what) {
    wrong_ += "node " + std::to_string(at_) + " (" + name_of(program_.nodes[at_].op) + "): " + what + "\n";
  }
  void limit(const char* what, uint32_t index, size_t count) {
    if (index >= count) complain(std::string(what) + " " + std::to_string(index) + " of " + std::to_string(count));
  }

  void node() {
    const Node& n = program_.nodes[at_];
    if (size_t(n.op) >= std::size(rows::kOperations)) {
      wrong_ += "node " + std::to_string(at_) + " is no operation\n";
      return;
    }
    const Operation& op = operation(n.op);
    if (op.is(trait::pointer)) limit("pointer", n.p, program_.pointers.size());
    if (!op.is(trait::pointer) && !has_displacement(n.op) && n.p != 0) complain("has a pointer or displacement");
    for (int k = 0; k < 3; ++k) role(op.operand(k), operand(n, k));
    role(op.signature.imm, int32_t(n.imm));
    if (op.signature.imm == Role::label && n.imm < placed_.size() && placed_[n.imm] != 1) complain("label is not placed once");
  }

  void role(Role role, int32_t v) {
    switch (role) {
      case Role::value:
      case Role::mask:
        if (v < 0 || size_t(v) >= at_)
          complain("operand is not defined before");
        else if (const Op op = program_.nodes[size_t(v)].op;
                 size_t(op) < std::size(rows::kOperations) && type_of(op) != (role == Role::value ? Type::value : Type::mask))
          complain("operand has the wrong type");
        return;
      case Role::now:
      case Role::half:
        if (v != -1 && v != 1) complain("flag is neither -1 nor 1");
        return;
      case Role::range: return limit("range", uint32_t(v), program_.ranges.size());
      case Role::bit_field: return limit("field", uint32_t(v), program_.fields.size());
      case Role::budget: return limit("budget", uint32_t(v), program_.budgets.size());
      case Role::scalar: return limit("scalar", uint32_t(v), size_t(program_.scalars));
      case Role::mask_bits: return limit("mask", uint32_t(v), 0x10000);
      case Role::table: return limit("table", uint32_t(v), program_.tables.size());
      case Role::shift: return limit("shift", uint32_t(v), 32);
      case Role::lane:
      case Role::signs: return limit("number", uint32_t(v), 4);
      case Role::variable: return limit("variable", uint32_t(v), size_t(program_.variables));
      case Role::mask_variable: return limit("mask variable", uint32_t(v), size_t(program_.mask_variables));
      case Role::call: return limit("call", uint32_t(v), program_.calls.size());
      case Role::buffer: return limit("buffer", uint32_t(v), program_.buffers.size());
      case Role::label: return limit("label", uint32_t(v), placed_.size());
      case Role::none:
      case Role::number:
      case Role::bits:
      case Role::offset: return;
    }
  }

  /// Blocks begin at labels and after jumps. A definition has surely run where its block is on every way from the beginning.
  void definitions_run() {
    const auto& nodes = program_.nodes;
    std::vector<size_t> block_of(nodes.size()), label_block(placed_.size());
    std::vector<size_t> last;  // node of each block
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i == 0 || nodes[i].op == Op::label || is_jump(nodes[i - 1].op)) last.push_back(i);
      last.back() = i, block_of[i] = last.size() - 1;
      if (nodes[i].op == Op::label) label_block[nodes[i].imm] = block_of[i];
    }
    const size_t count = last.size(), words = (count + 63) / 64;
    std::vector<std::vector<size_t>> before(count);
    for (size_t b = 0; b < count; ++b) {
      const Node& n = nodes[last[b]];
      if (is_jump(n.op)) before[label_block[n.imm]].push_back(b);
      if (n.op != Op::jump && b + 1 < count) before[b + 1].push_back(b);
    }
    // surely[b]: bits of the blocks on every way to b, b included.
    std::vector<std::vector<uint64_t>> surely(count, std::vector<uint64_t>(words, ~uint64_t{0}));
    for (bool changed = count > 0; changed;) {
      changed = false;
      for (size_t b = 0; b < count; ++b) {
        std::vector<uint64_t> all(words, b == 0 ? 0 : ~uint64_t{0});
        for (const size_t from : before[b])
          for (size_t w = 0; w < words; ++w) all[w] &= surely[from][w];
        all[b / 64] |= uint64_t{1} << b % 64;
        changed |= all != surely[b];
        surely[b] = std::move(all);
      }
    }
    for (at_ = 0; at_ < nodes.size(); ++at_)
      for_operands(nodes[at_], [&](int, int32_t v) {
        const size_t b = block_of[size_t(v)];
        if (!(surely[block_of[at_]][b / 64] >> b % 64 & 1)) complain("operand " + std::to_string(v) + " may not have been defined");
      });
  }

  const Program& program_;
  std::vector<int> placed_;
  size_t at_ = 0;
  std::string wrong_;
};

}  // namespace

std::string validate(const Program& program) { return Check(program).all(); }

}  // namespace pumice::hw::fast::lane
