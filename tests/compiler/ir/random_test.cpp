// SPDX-License-Identifier: MIT
/// Random structured programs (if, for, while, switch with fallthrough, break, continue, return, arrays, functions) as GLSL through
/// frontend and passes, against a direct interpretation of the same tree. Which ones: tests/fuzz.h.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "compiler/frontend/frontend.h"
#include "compiler/ir/eval.h"
#include "compiler/passes/passes.h"
#include "tests/compiler/glsl.h"
#include "tests/fuzz.h"

namespace pumice::compiler {
namespace {

constexpr int kVars = 4;  // v[0..3], values kept in -99..99 by mod

struct Rng {
  uint32_t state;
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  int below(int n) { return int(next() >> 8) % n; }
};

struct Expr {
  enum Kind { variable, constant, counter, add, sub, mul, min, max, mod, element } kind = constant;
  int n = 0;
  std::vector<Expr> args;
};
struct Stmt {
  enum Kind { assign, array_store, if_, for_, while_, switch_, break_, continue_, return_, discard_ } kind = assign;
  int n = 0;  // variable, iteration count
  bool dynamic = false;
  std::vector<Expr> exprs;
  std::vector<std::vector<Stmt>> lists;
  std::vector<int> labels;  // switch: -1 is default
  std::vector<bool> falls;  // switch: case falls through
};
using List = std::vector<Stmt>;

class Generator {
 public:
  Generator(uint32_t seed, bool vertex) : r_{seed * 2654435761u + 1}, vertex_(vertex) {}
  List program() { return list(3, 0, false); }

 private:
  Expr expr(int depth, int loops) {
    const int pick = r_.below(depth > 0 ? 10 : 3);
    Expr e;
    switch (pick) {
      case 0: e.kind = Expr::variable, e.n = r_.below(kVars); break;
      case 1: e.kind = Expr::constant, e.n = r_.below(7) - 3; break;
      case 2:
        if (loops == 0) return expr(0, 1);
        e.kind = Expr::counter, e.n = loops > 0 ? r_.below(loops) : 0;
        if (e.n >= active_) e.kind = Expr::variable, e.n = 0;
        break;
      case 9: e.kind = Expr::element, e.args = {expr(depth - 1, loops)}; break;
      default: e.kind = Expr::Kind(Expr::add + pick - 3); e.args = {expr(depth - 1, loops), expr(depth - 1, loops)};
    }
    return e;
  }
  List list(int depth, int loops, bool in_switch) {
    List l;
    const int n = 1 + r_.below(4);
    for (int i = 0; i < n; ++i) {
      l.push_back(stmt(depth, loops, in_switch));
      const Stmt::Kind k = l.back().kind;
      if (k == Stmt::break_ || k == Stmt::continue_ || k == Stmt::return_) break;
    }
    return l;
  }
  Stmt stmt(int depth, int loops, bool in_switch) {
    Stmt s;
    const int pick = depth > 0 ? r_.below(16) : r_.below(2);
    active_ = loops;
    if (pick < 4) {
      s.kind = pick == 3 ? Stmt::array_store : Stmt::assign;
      s.n = r_.below(kVars);
      s.exprs = {expr(2, loops), expr(1, loops)};
    } else if (pick < 8) {
      s.kind = Stmt::if_;
      s.exprs = {expr(1, loops), expr(1, loops)};
      s.lists = {list(depth - 1, loops, in_switch)};
      if (r_.below(2)) s.lists.push_back(list(depth - 1, loops, in_switch));
    } else if (pick < 11) {
      s.kind = r_.below(3) || vertex_ ? Stmt::for_ : Stmt::while_;
      s.n = 1 + r_.below(4);
      s.dynamic = !vertex_ && r_.below(2);
      s.lists = {list(depth - 1, loops + 1, false)};
    } else if (pick < 13) {
      s.kind = Stmt::switch_;
      s.exprs = {expr(1, loops)};
      const int cases = 1 + r_.below(3), default_at = r_.below(4);
      for (int i = 0; i < cases; ++i) {
        s.labels.push_back(i == default_at ? -1 : i);
        s.lists.push_back(list(depth - 1, loops, true));
        s.falls.push_back(r_.below(3) == 0);
      }
    } else if (pick == 13 && (loops > 0 || in_switch)) {
      s.kind = Stmt::break_;
    } else if (pick == 14 && loops > 0) {
      s.kind = Stmt::continue_;
    } else if (pick == 15 && r_.below(3) == 0) {
      s.kind = Stmt::return_;
    } else {
      s.n = r_.below(kVars);
      s.exprs = {expr(2, loops), expr(1, loops)};
    }
    return s;
  }
  Rng r_;
  bool vertex_;
  int active_ = 0;
};

std::string text(const Expr& e) {
  auto a = [&](size_t i) { return text(e.args[i]); };
  switch (e.kind) {
    case Expr::variable: return "v" + std::to_string(e.n);
    case Expr::constant: return "(" + std::to_string(e.n) + ")";
    case Expr::counter: return "i" + std::to_string(e.n);
    case Expr::add: return "(" + a(0) + " + " + a(1) + ")";
    case Expr::sub: return "(" + a(0) + " - " + a(1) + ")";
    case Expr::mul: return "(" + a(0) + " * " + a(1) + ")";
    case Expr::min: return "min(" + a(0) + ", " + a(1) + ")";
    case Expr::max: return "max(" + a(0) + ", " + a(1) + ")";
    case Expr::mod: return "(" + a(0) + " % (abs(" + a(1) + " % 5) + 1))";
    case Expr::element: return "t[abs(" + a(0) + ") % 4]";
  }
  return "";
}
std::string text(const List& l, int loops);
std::string text(const Stmt& s, int loops) {
  const std::string i = "i" + std::to_string(loops);
  // % of a negative number is undefined in GLSL: expressions are wrapped by rem(), see kHead.
  switch (s.kind) {
    case Stmt::assign: return "v" + std::to_string(s.n) + " = wrap(" + text(s.exprs[0]) + ");\n";
    case Stmt::array_store: return "t[abs(" + text(s.exprs[1]) + ") % 4] = wrap(" + text(s.exprs[0]) + ");\n";
    case Stmt::if_:
      return "if (" + text(s.exprs[0]) + " < " + text(s.exprs[1]) + ") {\n" + text(s.lists[0], loops) + "}" +
             (s.lists.size() > 1 ? " else {\n" + text(s.lists[1], loops) + "}\n" : "\n");
    case Stmt::for_:
      return "for (int " + i + " = 0; " + i + " < " + std::to_string(s.n) + (s.dynamic ? " + int(a.w)" : "") + "; ++" + i + ") {\n" +
             text(s.lists[0], loops + 1) + "}\n";
    case Stmt::while_:
      return "{ int " + i + " = -1; while (true) { ++" + i + "; if (" + i + " >= " + std::to_string(s.n) + " + int(a.w)) break;\n" +
             text(s.lists[0], loops + 1) + "} }\n";
    case Stmt::switch_: {
      std::string r = "switch (" + text(s.exprs[0]) + ") {\n";
      for (size_t k = 0; k < s.lists.size(); ++k)
        r += (s.labels[k] < 0 ? "default" : "case " + std::to_string(s.labels[k])) + ": {\n" + text(s.lists[k], loops) + "}\n" +
             (s.falls[k] ? "" : "break;\n");
      return r + "}\n";
    }
    case Stmt::break_: return "break;\n";
    case Stmt::continue_: return "continue;\n";
    case Stmt::return_: return "{ finish(); return; }\n";
    case Stmt::discard_: return "discard;\n";
  }
  return "";
}
std::string text(const List& l, int loops) {
  std::string r;
  for (const Stmt& s : l) r += text(s, loops);
  return r;
}

struct Machine {
  int v[kVars];
  int t[4] = {1, 2, 3, 4};
  std::vector<int> counters;
  long steps = 0;
  int a_w = 0;
  enum End { normal, breaks, continues, returns };

  static int wrap(int x) { return x - 37 * (x / 37); }
  int eval(const Expr& e) {
    auto a = [&](size_t i) { return eval(e.args[i]); };
    switch (e.kind) {
      case Expr::variable: return v[e.n];
      case Expr::constant: return e.n;
      case Expr::counter: return counters[size_t(e.n)];
      case Expr::add: return a(0) + a(1);
      case Expr::sub: return a(0) - a(1);
      case Expr::mul: return a(0) * a(1);
      case Expr::min: return std::min(a(0), a(1));
      case Expr::max: return std::max(a(0), a(1));
      case Expr::mod: return a(0) % (std::abs(a(1) % 5) + 1);
      case Expr::element: return t[std::abs(a(0)) % 4];
    }
    return 0;
  }
  End run(const List& l) {
    for (const Stmt& s : l) {
      const End e = run(s);
      if (e != normal) return e;
    }
    return normal;
  }
  End run(const Stmt& s) {
    ++steps;
    switch (s.kind) {
      case Stmt::assign: v[s.n] = wrap(eval(s.exprs[0])); return normal;
      case Stmt::array_store: t[std::abs(eval(s.exprs[1])) % 4] = wrap(eval(s.exprs[0])); return normal;
      case Stmt::if_:
        if (eval(s.exprs[0]) < eval(s.exprs[1])) return run(s.lists[0]);
        return s.lists.size() > 1 ? run(s.lists[1]) : normal;
      case Stmt::for_:
      case Stmt::while_: {
        const int count = s.n + (s.kind == Stmt::while_ || s.dynamic ? a_w : 0);
        for (int i = 0; i < count; ++i) {
          counters.push_back(i);
          const End e = run(s.lists[0]);
          counters.pop_back();
          if (e == breaks) break;
          if (e == returns) return e;
        }
        return normal;
      }
      case Stmt::switch_: {
        const int x = eval(s.exprs[0]);
        size_t at = s.lists.size(), fallback = at;
        for (size_t k = 0; k < s.lists.size(); ++k) {
          if (s.labels[k] < 0) fallback = k;
          if (s.labels[k] == x && s.labels[k] >= 0) at = k;
        }
        if (at == s.lists.size()) at = fallback;
        for (; at < s.lists.size(); ++at) {
          const End e = run(s.lists[at]);
          if (e == breaks) return normal;
          if (e != normal) return e;
          if (!s.falls[at]) return normal;
        }
        return normal;
      }
      case Stmt::break_: return breaks;
      case Stmt::continue_: return continues;
      default: return returns;
    }
  }
};

constexpr const char* kHead =
    "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\n"
    "int v0, v1, v2, v3;\n"
    "int wrap(int x) { return x - 37 * (x / 37); }\n"
    "void finish() { o = vec4(v0, v1, v2, v3); }\n"
    "void main() {\nint t[4] = int[](1, 2, 3, 4);\nv0 = int(a.x); v1 = int(a.y); v2 = int(a.z); v3 = 1;\n";

/// GLSL leaves % of negative numbers undefined; glslang emits OpSMod for it, whose sign is the divisor's. The interpreter must not use it
/// on negative values: abs() in front everywhere, except mod, which is rewritten here.
void make_defined(Expr& e) {
  for (Expr& x : e.args) make_defined(x);
  if (e.kind == Expr::mod) {
    // a % (|b % 5| + 1) with a >= 0 and b >= 0: max(x, 0 - x) is |x|.
    for (Expr& x : e.args) {
      Expr zero, negative, magnitude;
      negative.kind = Expr::sub;
      negative.args = {zero, x};
      magnitude.kind = Expr::max;
      magnitude.args = {x, negative};
      x = magnitude;
    }
  }
}
void make_defined(List& l) {
  for (Stmt& s : l) {
    for (Expr& e : s.exprs) make_defined(e);
    for (List& x : s.lists) make_defined(x);
  }
}

void check(uint32_t seed, Stage stage) {
  List program = Generator(seed, stage == Stage::vertex).program();
  make_defined(program);
  const std::string glsl = kHead + text(program, 0) + "finish();\n}\n";
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(stage, glsl, log);
  ASSERT_FALSE(words.empty()) << log << glsl;
  ShaderSource source;
  source.spirv = words;
  ir::Module raw;
  std::vector<Diagnostic> diagnostics;
  ASSERT_TRUE(build_ir(source, stage, raw, diagnostics)) << diagnostics[0].text << "\n" << glsl << rerun(seed);
  ir::Module chip = raw;
  const bool ok = run_passes(chip, {.chip = &kR500}, diagnostics);
  // Unrolled vertex programs may be refused for size, never wrong.
  if (!ok && stage == Stage::vertex && diagnostics[0].text.find("a loop whose") != std::string::npos) return;
  ASSERT_TRUE(ok) << diagnostics[0].text << "\n" << glsl << rerun(seed);
  for (int sample = 0; sample < 4; ++sample) {
    Machine machine{{sample * 3 - 4, 5 - sample * 7, sample, 1}};
    machine.a_w = sample % 3;
    machine.run(program);
    ir::Environment env;
    env.inputs = {{{float(machine.a_w ? 0 : 0), 0, 0, 0}}};
    env.inputs[0].assign(raw.inputs.size(), {float(sample * 3 - 4), float(5 - sample * 7), float(sample), float(sample % 3)});
    for (const ir::Module* m : {&raw, &chip}) {
      const auto e = evaluate(*m, env);
      ASSERT_EQ(e.error, "") << glsl << rerun(seed);
      for (size_t i = 0; i < 4; ++i)
        ASSERT_EQ(e.invocations[0].outputs[0][i], float(machine.v[i]))
            << "sample " << sample << (m == &raw ? " before" : " after") << " the passes\n"
            << glsl << rerun(seed);
    }
  }
}

void sweep(Stage stage, uint32_t first, uint32_t count) {
  const FuzzRange range = fuzz_range(count, first);
  for (uint32_t seed = range.first; seed < range.end() && !testing::Test::HasFatalFailure(); ++seed) check(seed, stage);
}

TEST(Random, FragmentPrograms) { sweep(Stage::fragment, 1, 100); }
TEST(Random, VertexPrograms) { sweep(Stage::vertex, 1000, 50); }

}  // namespace
}  // namespace pumice::compiler
