// SPDX-License-Identifier: MIT
/// Variables of the words of 64-bit numbers that are read to be put together: they hold the numbers instead, so that what a loop carries
/// is not taken apart in each round.
#include <algorithm>
#include <optional>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {
namespace {

/// A pair's variables afterwards, and what is known of it.
struct Pair {
  int32_t lower = -1, upper = -1;    ///< variables of words
  int32_t low = -1, high = -1;       ///< variables of numbers: of zip_low and zip_high
  uint32_t together = 0, apart = 0;  ///< reads by zips, and others
  bool only_numbers = true;          ///< zips are operands of operations on numbers alone: which NaN does not matter
  bool possible = true;
};

class Pairing {
 public:
  explicit Pairing(Program& program) : program_(program), nodes_(program.nodes) {}

  bool run() {
    if (std::none_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return is_double(n.op); })) return false;
    find_pairs();
    if (pairs_.empty()) return false;
    look_at_uses();
    look_at_order();
    bool any = false;
    for (Pair& p : pairs_) {
      p.possible = p.possible && p.together >= p.apart;
      if (!p.possible) continue;
      p.low = program_.variables++, p.high = program_.variables++;
      any = true;
    }
    if (any) rewrite();
    return any;
  }

 private:
  const Node& node(int32_t id) const { return nodes_[size_t(id)]; }
  static bool is_zip(const Node& n) { return n.op == Op::zip_low || n.op == Op::zip_high; }
  Pair* pair_of(uint32_t variable) {
    const int32_t i = variable < of_.size() ? of_[variable] : -1;
    return i < 0 ? nullptr : &pairs_[size_t(i)];
  }
  Pair* pair_of(const Node& n) { return n.op == Op::get || n.op == Op::set ? pair_of(n.imm) : nullptr; }
  /// The zip puts words of a pair together.
  Pair* zipped(const Node& n) {
    if (!is_zip(n) || node(n.a).op != Op::get || node(n.b).op != Op::get) return nullptr;
    Pair* const p = pair_of(node(n.a));
    return p && int32_t(node(n.b).imm) == p->upper && int32_t(node(n.a).imm) == p->lower ? p : nullptr;
  }

  void find_pairs() {
    of_.assign(size_t(program_.variables), -1);
    for (const Node& n : nodes_) {
      if (!is_zip(n) || node(n.a).op != Op::get || node(n.b).op != Op::get) continue;
      const uint32_t lower = node(n.a).imm, upper = node(n.b).imm;
      if (lower == upper || of_[lower] >= 0 || of_[upper] >= 0) continue;
      of_[lower] = of_[upper] = int32_t(pairs_.size());
      pairs_.push_back({.lower = int32_t(lower), .upper = int32_t(upper)});
    }
  }

  void look_at_uses() {
    for (const Node& n : nodes_) {
      Pair* const z = zipped(n);
      if (z) ++z->together;
      for_operands(n, [&](int, int32_t v) {
        if (Pair* const p = pair_of(node(v)); p && p != z && node(v).op == Op::get) ++p->apart, p->only_numbers = false;
        if (Pair* const p = zipped(node(v)); p && !is_double(n.op) && n.op != Op::narrow) p->only_numbers = false;
      });
    }
  }

  /// Both words are set and read in the same stretch without jumps, and nothing comes between that would tell.
  void look_at_order() {
    std::vector<int32_t> half_set(pairs_.size(), -1), read(pairs_.size(), 0);  // variable of the word that was set alone
    version_.assign(nodes_.size(), 0);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& n = nodes_[i];
      if (n.op == Op::label || is_jump(n.op)) {
        for (size_t p = 0; p < pairs_.size(); ++p)
          if (half_set[p] >= 0) pairs_[p].possible = false;
        for (int32_t& r : read) ++r;
      }
      Pair* const pair = pair_of(n);
      if (!pair) {
        if (Pair* const z = zipped(n); z && version_[size_t(n.a)] != version_[size_t(n.b)]) z->possible = false;
        continue;
      }
      const auto p = size_t(pair - pairs_.data());
      if (n.op == Op::get) {
        if (half_set[p] >= 0) pair->possible = false;
        version_[i] = read[p];
      } else {
        ++read[p];
        if (half_set[p] == int32_t(n.imm)) pair->possible = false;
        half_set[p] = half_set[p] < 0 ? int32_t(n.imm) : -1;
      }
    }
    for (size_t p = 0; p < pairs_.size(); ++p)
      if (half_set[p] >= 0) pairs_[p].possible = false;
  }

  int32_t put(const Node& n) {
    out_.push_back(n);
    return int32_t(out_.size()) - 1;
  }
  int32_t stripped(int32_t id, bool strips) const { return strips && out_[size_t(id)].op == Op::dnumber ? out_[size_t(id)].a : id; }

  /// What the words are, put together.
  void set_pair(const Pair& p, int32_t lower, int32_t upper) {
    const Node &even = out_[size_t(lower)], &odd = out_[size_t(upper)];
    int32_t low = -1, high = -1;
    if (even.op == Op::unzip_even && odd.op == Op::unzip_odd && even.a == odd.a && even.b == odd.b) {
      low = stripped(even.a, p.only_numbers), high = stripped(even.b, p.only_numbers);
    } else {
      low = put({.op = Op::zip_low, .a = lower, .b = upper});
      high = put({.op = Op::zip_high, .a = lower, .b = upper});
    }
    put({.op = Op::set, .a = low, .imm = uint32_t(p.low)});
    put({.op = Op::set, .a = high, .imm = uint32_t(p.high)});
  }

  void rewrite() {
    std::vector<int32_t> to(nodes_.size(), -1);
    std::vector<std::array<int32_t, 2>> halves(nodes_.size(), {-1, -1});  // of reads: the numbers
    std::vector<std::optional<Node>> first(pairs_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      Node n = nodes_[i];
      if (const Pair* const z = zipped(n); z && z->possible) {
        to[i] = halves[size_t(n.a)][n.op == Op::zip_high];
        continue;
      }
      for_operands(n, [&](int, int32_t& v) { v = to[size_t(v)]; });
      Pair* const pair = pair_of(nodes_[i]);
      if (!pair || !pair->possible) {
        to[i] = put(n);
        continue;
      }
      if (n.op == Op::get) {
        halves[i] = {put({.op = Op::get, .imm = uint32_t(pair->low)}), put({.op = Op::get, .imm = uint32_t(pair->high)})};
        const Op word = int32_t(n.imm) == pair->lower ? Op::unzip_even : Op::unzip_odd;
        to[i] = put({.op = word, .a = halves[i][0], .b = halves[i][1]});
        continue;
      }
      std::optional<Node>& other = first[size_t(pair - pairs_.data())];
      if (!other) {
        other = n;
        continue;
      }
      if (int32_t(n.imm) == pair->lower)
        set_pair(*pair, n.a, other->a);
      else
        set_pair(*pair, other->a, n.a);
      other.reset();
    }
    nodes_ = std::move(out_);
  }

  Program& program_;
  std::vector<Node>& nodes_;
  std::vector<Pair> pairs_;
  std::vector<int32_t> of_;       ///< by variable: its pair
  std::vector<int32_t> version_;  ///< by read of a pair: which of the pair's values
  std::vector<Node> out_;
};

}  // namespace

bool pair_variables(Program& program) { return Pairing(program).run(); }

}  // namespace pumice::hw::fast::lane
