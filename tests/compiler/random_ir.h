// SPDX-License-Identifier: MIT
/// Random IR programs in chip form, as text. Only operations whose result is defined to the bit, values kept small enough not to overflow.
#pragma once
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace pumice::compiler::testing {

class RandomIr {
 public:
  RandomIr(uint32_t seed, bool fragment) : random_(seed), fragment_(fragment) {}

  std::string program(unsigned operations) {
    out_ << "shader " << (fragment_ ? "fragment" : "vertex") << " \"random\" floats_only\n";
    out_ << "input 0 location=0 component=0 f32x4\ninput 1 location=3 component=1 f32x2\ninput 2 location=1 component=0 f32x3\n";
    out_ << "output 0 " << (fragment_ ? "location=0 component=0 f32x4\n" : "position f32x4\n") << "output 1 location=1 component=0 f32x4\n";
    out_ << "uniform 0 set=0 binding=0 element=0 size=128\n";
    load("load_input 0", 4);
    load("load_input 1", 2);
    load("load_input 2", 3);
    load("load_uniform 0 offset=1", 4);
    load("load_uniform 0 offset=6", 4);
    load("constant 0.25 -0.75 1 0", 4);
    load("constant -1.5 3.7 0.3125 -0.1", 4);
    body(operations, 0);
    out_ << "store_output 0 " << value(4) << " mask=xyzw\nstore_output 1 " << value(4) << " mask=xyzw\n";
    return out_.str();
  }

 private:
  struct Known {
    unsigned id, lanes;
  };
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  unsigned load(const std::string& what, unsigned lanes) {
    out_ << "%" << ++last_ << ":f32" << (lanes > 1 ? "x" + std::to_string(lanes) : "") << " = " << what << "\n";
    known_.push_back({last_, lanes});
    return last_;
  }
  /// A read of some known value with `lanes` lanes, random swizzle and modifiers.
  std::string value(unsigned lanes, bool modifiers = true) {
    // Recent values more often: otherwise most of the program is dead.
    const size_t from = known_.size() > 8 && pick(3) ? known_.size() - 8 : 0;
    const Known& k = known_[from + pick(static_cast<unsigned>(known_.size() - from))];
    return read(k, lanes, modifiers);
  }
  std::string read(const Known& k, unsigned lanes, bool modifiers) {
    std::string s = "%" + std::to_string(k.id) + ".";
    for (unsigned i = 0; i < lanes; i++) s += "xyzw"[pick(k.lanes)];
    if (modifiers && pick(4) == 0) s = "|" + s + "|";
    if (modifiers && pick(3) == 0) s = "-" + s;
    return s;
  }
  /// A factor of magnitude about 1.
  std::string small(unsigned lanes) { return read(known_[pick(7)], lanes, true); }
  /// 0.25, 1 or 0: the product is exact, so that a fused and a two-step mad agree (the chip's rounding of MAD is its own affair).
  std::string power_of_two(unsigned lanes) {
    std::string s = "%6.";
    for (unsigned i = 0; i < lanes; i++) s += "xzw"[pick(3)];
    return pick(3) ? s : "-" + s;
  }
  unsigned condition(unsigned lanes) {
    static const char* kCompare[] = {"slt", "sge", "seq", "sne"};
    out_ << "%" << ++last_ << ":f32b" << (lanes > 1 ? "x" + std::to_string(lanes) : "") << " = " << kCompare[pick(4)] << " " << value(lanes)
         << " " << (pick(4) ? value(lanes) : "%6." + std::string(lanes, 'w')) << "\n";
    return last_;
  }

  void operation() {
    if (counter_ && pick(6) == 0) {  // a constant by the innermost loop's counter, 0..6, or by the next value of it
      const std::string index = pick(2) ? "[%" + std::to_string(counter_) + ".x max=6]" : "[%" + std::to_string(next_) + ".x max=7]";
      load("load_uniform 0 offset=" + std::to_string(pick(2)) + " " + index, 4);
      return;
    }
    const unsigned n = 1 + pick(4);
    const std::string sat = pick(4) == 0 ? ".sat " : " ";
    switch (pick(12)) {
      case 0: load("add" + sat + value(n) + " " + value(n), n); break;
      case 1: load("mul" + sat + value(n) + " " + small(n), n); break;
      case 2: load("mad" + sat + value(n) + " " + power_of_two(n) + " " + value(n), n); break;
      case 3: load("min" + sat + value(n) + " " + value(n), n); break;
      case 4: load("max" + sat + value(n) + " " + value(n), n); break;
      case 5: load("floor " + value(n), n); break;
      case 6: load("fract " + value(n), n); break;
      case 7: {
        const unsigned c = condition(n);
        load("sel %" + std::to_string(c) + std::string(".xyzw").substr(0, 1 + n) + " " + value(n) + " " + value(n), n);
        break;
      }
      case 8:
      case 9:
        if (n > 1) {
          std::string v = "vec";
          for (unsigned i = 0; i < n; i++) v += " " + value(1);
          load(v, n);
        } else {
          load("mov" + sat + value(1), 1);
        }
        break;
      case 10: {
        const unsigned terms = 2 + pick(3);
        load("dot" + std::to_string(terms) + sat + power_of_two(terms) + " " + value(terms), 1);
        break;
      }
      default: load("mov" + sat + value(n), n); break;
    }
  }

  void body(unsigned operations, unsigned depth) {
    while (operations > 0) {
      const unsigned kind = fragment_ && depth < 3 ? pick(12) : 2;
      if (kind == 0 && operations > 6) {
        branch(operations / 2, depth);
        operations -= operations / 2;
      } else if (kind == 1 && operations > 8 && loops_ < 2) {
        loop(operations / 2, depth);
        operations -= operations / 2;
      } else {
        operation();
        operations--;
      }
    }
  }

  void branch(unsigned operations, unsigned depth) {
    const unsigned c = condition(1);
    const unsigned r = ++last_, q = ++last_;
    const std::vector<Known> outer = known_;
    out_ << "if %" << c << ".x -> %" << r << ":f32x3, %" << q << ":f32 {\n";
    body(operations / 2, depth + 1);
    out_ << "yield " << value(3) << ", " << value(1) << "\n} else {\n";
    known_ = outer;
    body(operations / 2, depth + 1);
    out_ << "yield " << value(3) << ", " << value(1) << "\n}\n";
    known_ = outer;
    known_.push_back({r, 3});
    known_.push_back({q, 1});
  }

  /// Counts up to a limit that differs from pixel to pixel; two variables are rotated so that edges need parallel copies.
  void loop(unsigned operations, unsigned depth) {
    const unsigned scaled = load("mul |%1.x| %7.y", 1);
    const unsigned count = load("floor %" + std::to_string(scaled) + ".x", 1);
    const unsigned zero = load("constant 0", 1), one = load("constant 1", 1);
    const unsigned i = ++last_, a = ++last_, b = ++last_, r = ++last_;
    const std::vector<Known> outer = known_;
    out_ << "loop %" << i << ":f32 = %" << zero << ".x, %" << a << ":f32x4 = " << value(4) << ", %" << b << ":f32x4 = " << value(4)
         << " -> %" << r << ":f32x4 {\n";
    known_.push_back({i, 1});
    known_.push_back({a, 4});
    known_.push_back({b, 4});
    const unsigned done = ++last_;
    out_ << "%" << done << ":f32b = sge %" << i << ".x %" << count << ".x\nif %" << done << ".x {\nbreak " << value(4) << "\n}\n";
    const unsigned next = load("add %" + std::to_string(i) + ".x %" + std::to_string(one) + ".x", 1);
    const auto rotate = [&] {
      // Saturated, so that values do not grow round by round.
      const unsigned s = load("fract " + value(4), 4);
      return "continue %" + std::to_string(next) + ".x, %" + std::to_string(b) + (pick(2) ? ".xyzw" : ".wzyx") + ", %" +
             std::to_string(pick(2) ? s : a) + ".yzwx\n";
    };
    if (pick(2)) {
      const unsigned c = condition(1);
      const std::vector<Known> before = known_;
      out_ << "if %" << c << ".x {\n"
           << "}\n";
      out_ << "if %" << c << ".x {\n";
      out_ << rotate() << "}\n";
      known_ = before;
    }
    if (pick(2)) {
      const unsigned c = condition(1);
      out_ << "if %" << c << ".x {\nbreak " << value(4) << "\n}\n";
    }
    loops_++;
    const auto outer_counter = std::pair(counter_, next_);
    counter_ = i, next_ = next;
    body(operations, depth + 1);
    std::tie(counter_, next_) = outer_counter;
    loops_--;
    out_ << rotate() << "}\n";
    known_ = outer;
    known_.push_back({r, 4});
  }

  std::mt19937 random_;
  bool fragment_;
  std::ostringstream out_;
  std::vector<Known> known_;
  unsigned last_ = 0, loops_ = 0;
  unsigned counter_ = 0, next_ = 0;  ///< of the innermost loop
};

}  // namespace pumice::compiler::testing
