// SPDX-License-Identifier: MIT
/// Random extended programs: native code of each instruction set, and the lane interpreter, against hw/radeon/ref/us, bit for bit
/// (XRig::run). Which programs: tests/fuzz.h.
#include <random>

#include "hw/radeon/decode/us/numbers.h"
#include "tests/fuzz.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

constexpr uint8_t kTemps = 8;    ///< r0..r7 are written at random
constexpr uint8_t kCounter = 8;  ///< and above: a loop's
constexpr uint8_t kIndex = 14;   ///< x: local invocation index, y: workgroup
constexpr uint8_t kPlace = 15;   ///< an address
constexpr uint32_t kAllTemps = 16, kScratch = 64, kLocal = 512, kBytes = 4096, kPush = 52;

class XFuzz : public XRig {
 protected:
  void SetUp() override {
    for (uint64_t& b : data_) b = allocate(kBytes);
    low_[0] = allocate_low(2 * kBytes), low_[1] = allocate_low(kBytes);
    push_ = allocate(kPush);
    set(regs::r5x::X_CS_PUSH_LO{uint32_t(push_)});
    set(regs::r5x::X_CS_PUSH_HI{uint32_t(push_ >> 32)});
    set(regs::r5x::X_CS_PUSH_SIZE{kPush});
    set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(kLocal));
  }

  void make(uint32_t seed) {
    engine_.seed(seed);
    code_.clear(), loops_.clear();
    for (const uint64_t b : data_)
      for (uint32_t i = 0; i < kBytes / 4; ++i) dwords(b)[i] = number();
    for (uint32_t i = 0; i < 3 * kBytes / 4; ++i) dwords(low_[i >= kBytes / 2])[i % (kBytes / 2)] = number();
    for (uint32_t i = 0; i < kPush / 4; ++i) dwords(push_)[i] = number();
    // 0: written; 1: read alone; 2: small and odd; 3: null.
    buffer(0, data_[0], kBytes), buffer(1, data_[1], kBytes), buffer(2, data_[2], 4 * below(20) + below(4)), buffer(3, 0, 0);
    for (uint32_t i = 4; i < 16; ++i) buffer(i, data_[i % 3], 64 + 16 * i);
    set(regs::US_FC_BOOL_CONST{random()});
    std::vector<Bits4>& literals = literal_;
    literals.resize(1 + below(8));
    for (Bits4& l : literals)
      for (uint32_t& w : l) w = number();
    literals_ = uint32_t(literals.size());
    // Places: in a large range without gaps, in another one, around their ends.
    const auto low = [&](uint32_t n, uint32_t offset) { return uint32_t(low_[n]) + offset; };
    literals.push_back({low(0, 64), low(1, 64), low(0, 2 * kBytes - 100), low(1, kBytes - 100)});

    code_.push_back(X{.op = XOp::SYS, .dest = kIndex, .mask = 1, .immediate = 35});
    Instruction group = X{.op = XOp::SYS, .dest = kIndex, .mask = 2, .immediate = 33};
    group.tex.dest.swizzle[1] = 0;
    code_.push_back(group);
    code_.push_back(xi(XiOp::SHL, kPlace, 1, r(kIndex), n(6)));
    for (uint8_t t = 0; t < 4; ++t)
      code_.push_back(
          X{.op = XOp::LDC, .dest = t, .mask = kXyzw, .source = kPlace, .components = 4, .immediate = 16u * t, .descriptor = at(1)});
    block(6 + below(14), 0);
    // What is left in the temps.
    code_.push_back(xi(XiOp::IMAD, kPlace, 1, r(kIndex).x(1), n(64), r(kIndex)));
    code_.push_back(xi(XiOp::SHL, kPlace, 1, r(kPlace), n(7)));
    for (uint8_t t = 0; t < kTemps; ++t)
      code_.push_back(X{.op = XOp::STB, .source = kPlace, .src2 = t, .components = 4, .immediate = 16u * t, .descriptor = at(16)});
    buffer(16, out_, 2 * 64 * 128);
    program(code_, literals, kAllTemps, kScratch);
  }

  uint32_t random() { return uint32_t(engine_()); }
  uint32_t below(uint32_t n) { return random() % n; }
  bool one_in(uint32_t n) { return below(n) == 0; }
  uint32_t number() {
    switch (below(10)) {
      case 0: return random();
      case 1: return random() & 0x807FFFFFu;  // denormal
      case 2: return 0x7F800000u | random() << 31;
      case 3: return 0x7F800000u | (random() & 0x807FFFFFu);  // NaN
      case 4: return random() << 31;
      case 5:
      case 6: return below(64);
      case 7: return 0u - below(64);
      default: return bits(float(int32_t(below(512)) - 256) / float(1u << below(9)));
    }
  }
  uint8_t temp() { return uint8_t(one_in(8) ? kIndex : below(kTemps)); }
  uint8_t dest() { return uint8_t(below(kTemps)); }
  uint8_t mask() { return uint8_t(one_in(2) ? 15 : 1 + below(15)); }
  Src any() {
    Src s = one_in(4) ? c(uint8_t(below(literals_))) : one_in(5) ? n(uint8_t(below(128))) : r(temp());
    if (one_in(2))
      for (uint8_t& z : s.swizzle) z = uint8_t(below(4));
    return s;
  }
  /// Predicates and what else all slots that write have.
  void common(Instruction& x) {
    if (one_in(5)) {
      x.rgb_predicate = uint8_t(below(6)), x.alpha_predicate = uint8_t(below(6));
      x.rgb_predicate_invert = one_in(2), x.alpha_predicate_invert = one_in(2);
    }
    if (one_in(10)) x.write_inactive = true;
  }
  void tests(Instruction& x) {
    if (one_in(5)) x.rgb.output = uint8_t(below(8)), x.alpha.output = uint8_t(below(2));
    if (one_in(4)) x.result_write = true, x.result_op = uint8_t(below(4)), x.result_alpha = one_in(3);
  }

  Instruction exact() {
    XiOp op;
    do op = XiOp(below(75));
    while (reserved(op));
    Instruction x = xi(op, dest(), mask(), any(), any(), any());
    for (uint32_t k = 0; k < 2; ++k)
      if (info(op).classes[k] != OperandClass::raw && one_in(3))
        x.rgb.operand[k].modifier = uint8_t(below(4)), x.alpha.operand[k].modifier = uint8_t(below(4));
    if (one_in(8))
      for (uint8_t& z : x.rgb.operand[below(3)].swizzle) z = one_in(2) ? 4 : 6;
    if (one_in(8)) {  // another one in the alpha unit
      do op = XiOp(below(75));
      while (reserved(op) || info(op).classes[0] == OperandClass::raw);
      x.alpha.xi(op);
    }
    common(x), tests(x);
    return x;
  }
  Instruction strict() {
    static constexpr AluOp kRgb[] = {AluOp::MAD, AluOp::MAD, AluOp::DP3, AluOp::DP4, AluOp::D2A, AluOp::MIN, AluOp::MAX,
                                     AluOp::CND, AluOp::CMP, AluOp::FRC, AluOp::SOP, AluOp::MDH, AluOp::MDV};
    static constexpr AluOp kAlpha[] = {AluOp::MAD, AluOp::MIN, AluOp::MAX, AluOp::CND, AluOp::CMP, AluOp::FRC, AluOp::MDH,
                                       AluOp::EX2, AluOp::LN2, AluOp::RCP, AluOp::RSQ, AluOp::SIN, AluOp::COS};
    Instruction x = alu(AluOp::MAD, dest(), mask(), any(), any(), any());
    x.rgb.op = kRgb[below(13)], x.alpha.op = kAlpha[below(13)];
    if (x.rgb.op == AluOp::SOP) x.alpha.op = kAlpha[7 + below(6)];
    if (info(x.rgb.op).dot && one_in(2)) x.alpha.op = AluOp::DP;
    for (Unit* u : {&x.rgb, &x.alpha}) {
      u->presubtract = uint8_t(below(4)), u->omod = uint8_t(one_in(2) ? below(8) : 0), u->clamp = one_in(4), u->target = uint8_t(below(4));
      for (Operand& o : u->operand) {
        o.modifier = uint8_t(below(4));
        if (one_in(8)) o.select = 3;
        for (uint8_t& z : o.swizzle) z = uint8_t(one_in(6) ? below(7) : z);
      }
      u->dest = dest();
    }
    for (uint8_t k = 1; k < 3; ++k) x.alpha.operand[k % 3].swizzle[k] = 4;  // the alpha unit uses the first
    for (Operand& o : x.alpha.operand) o.swizzle[1] = o.swizzle[2] = 4;
    common(x), tests(x);
    return x;
  }
  /// An address in range, mostly.
  void place(uint32_t bytes) {
    code_.push_back(xi(XiOp::AND, kPlace, kX, r(temp()).x(uint8_t(below(4))), n(uint8_t(std::min(bytes, 127u)))));
    if (one_in(2)) code_.push_back(xi(XiOp::IMAD, kPlace, kX, r(kIndex), n(uint8_t(4 * below(8))), r(kPlace)));
    if (one_in(12)) code_.push_back(xi(XiOp::MOV, kPlace, kX, r(temp())));
    if (one_in(4)) code_.push_back(xi(XiOp::MOV, kPlace, kX, n(uint8_t(below(128)))));
  }
  void memory_slot() {
    static constexpr XOp kOps[] = {XOp::LDB, XOp::LDB, XOp::LDC, XOp::LDC, XOp::LDU, XOp::STB,  XOp::STB, XOp::ATB,
                                   XOp::LDL, XOp::STL, XOp::ATL, XOp::LDP, XOp::STP, XOp::LENB, XOp::LDK, XOp::LDI};
    const XOp op = kOps[below(15)];
    place(op == XOp::LDP || op == XOp::STP ? kScratch : 127);
    X x{.op = op, .dest = dest(), .mask = mask(), .source = kPlace, .src2 = temp(), .src3 = temp()};
    x.components = 1 + below(4);
    x.immediate = op == XOp::LENB ? 0 : one_in(3) ? below(256) : one_in(20) ? random() : 0;
    const bool is_atomic = op == XOp::ATB || op == XOp::ATL;
    if (is_atomic) {
      x.components = 1;
      x.sub = SubOp(below(11));
      x.is_float = one_in(3) && (x.sub <= SubOp::SMAX || x.sub == SubOp::MUL);
      if (!x.is_float && one_in(3)) x.components = 2;
    } else if (op != XOp::LENB && op != XOp::LDK && one_in(3)) {
      x.width = one_in(2) ? XWidth::BYTE : XWidth::HALF;
      x.components = 1;
      x.is_signed = !info(op).stores && one_in(2);
    }
    if (op == XOp::LENB) x.source = 0, x.components = 1;
    const bool named = op == XOp::LDB || op == XOp::LDC || op == XOp::STB || op == XOp::ATB || op == XOp::LENB;
    if (named) {
      // Nothing writes what LDC reads.
      x.descriptor = at(op == XOp::LDC ? 1 : one_in(4) ? 2 + below(2) : below(2) ? 0 : info(op).stores ? 0 : 1);
      if (op != XOp::LDC && op != XOp::LENB && one_in(3)) {
        x.descriptor = {.set = x::kWholeMemory};
        if (x.immediate > 1024) x.immediate = 0;
        if (!one_in(20))
          code_.push_back(xi(XiOp::IADD, kPlace, kX, r(kPlace), c(uint8_t(literals_)).x(uint8_t(one_in(8) ? below(4) : below(2)))));
        if (one_in(4)) {  // of each lane another
          code_.push_back(xi(XiOp::AND, kPlace, 2, r(temp()), n(1)));
          code_.push_back(xi(XiOp::SEL, kPlace, kX, r(kPlace).x(1), c(uint8_t(literals_)).x(uint8_t(below(2))), r(kPlace)));
        }
      } else if (one_in(8) && op != XOp::LDC) {
        x.descriptor = {0, true, kPlace, 1, 0};
        code_.push_back(xi(XiOp::AND, kPlace, 2, r(temp()), n(3)));
        code_.push_back(xi(XiOp::SHL, kPlace, 2, r(kPlace), n(4)));
        if (info(op).stores) code_.push_back(xi(XiOp::AND, kPlace, 2, r(kPlace), n(32)));  // 0 or 2
      }
    }
    Instruction i = x;
    for (uint8_t& z : i.tex.dx.swizzle) z = uint8_t(below(4));
    for (uint8_t& z : i.tex.dest.swizzle) z = uint8_t(below(4));
    if (!info(op).loads) i.rgb.write = i.alpha.write = 0, i.tex.dest = {};
    if (info(op).sources < 2) i.tex.dx = {};
    if (info(op).sources < 3) i.tex.dy = {};
    if (info(op).sources < 1) i.tex.source = {};
    common(i);
    code_.push_back(i);
  }
  void across_slot() {
    static constexpr XOp kOps[] = {XOp::BALLOT, XOp::SHUFFLE, XOp::FIRST, XOp::REDUCE, XOp::SCANI, XOp::SCANX, XOp::SYS, XOp::WIDE};
    X x{.op = kOps[below(8)], .dest = dest(), .mask = mask(), .source = temp()};
    if (x.op == XOp::SHUFFLE) {
      code_.push_back(xi(XiOp::AND, kPlace, kX, r(temp()), n(31)));
      x.src2 = kPlace;
    }
    if (x.op == XOp::SYS) {
      static constexpr uint32_t kNumbers[] = {32, 33, 34, 35, 36, 48};
      x.source = 0, x.immediate = kNumbers[below(6)];
      if (one_in(6)) {  // the clock differs from run to run
        code_.push_back(X{.op = XOp::SYS, .dest = kPlace, .mask = 3, .immediate = x::kClock});
        code_.push_back(xi(XiOp::AND, kPlace, 3, r(kPlace), n(0)));
        x = X{.op = XOp::BALLOT, .dest = x.dest, .mask = x.mask, .source = kPlace};
      }
    }
    if (info(x.op).across && x.op >= XOp::REDUCE) {
      static constexpr SubOp kSubs[] = {SubOp::ADD, SubOp::SMIN, SubOp::SMAX, SubOp::UMIN, SubOp::UMAX,
                                        SubOp::AND, SubOp::OR,   SubOp::XOR,  SubOp::MUL};
      x.sub = kSubs[below(9)];
      x.is_float = one_in(4) && (x.sub <= SubOp::SMAX || x.sub == SubOp::MUL);
    }
    if (x.op == XOp::WIDE) {
      x.src2 = temp(), x.src3 = temp();
      x.components = one_in(2) ? 2 : 4;
      x.immediate = below(uint32_t(isa::us_r500::kWideOps.size()));
    }
    Instruction i = x;
    for (uint8_t& z : i.tex.source.swizzle) z = uint8_t(x.op == XOp::SYS ? z : below(4));
    for (uint8_t& z : i.tex.dest.swizzle) z = uint8_t(below(4));
    common(i);
    code_.push_back(i);
  }

  uint8_t condition() {
    static constexpr uint8_t kFuncs[] = {0x0F, 0x0F, 0xF0, 0x33, 0xCC, 0x55, 0xAA, 0x00, 0xFF};
    return one_in(5) ? uint8_t(random()) : kFuncs[below(9)];
  }
  void test_something() {
    Instruction t = exact();
    t.result_write = true, t.result_op = uint8_t(below(4));
    code_.push_back(t);
  }
  Instruction jump(FlowOp op) {
    Instruction x;
    x.type = Type::FLOW_CONTROL;
    x.flow.op = op;
    x.flow.bool_address = uint8_t(below(32));
    if (op != FlowOp::XLOOP && op != FlowOp::XENDLOOP && one_in(5)) x.rgb_predicate = uint8_t(below(6)), x.rgb_predicate_invert = one_in(2);
    if (op == FlowOp::XLOOP || op == FlowOp::XENDLOOP) x.flow.bool_address = 0;
    return x;
  }
  void branch(uint32_t depth) {
    test_something();
    const bool has_else = one_in(2);
    const size_t begin = code_.size();
    Instruction i = jump(FlowOp::JUMP);
    i.flow.jump_func = condition(), i.flow.branch_op0 = 2, i.flow.branch_op1 = has_else ? 2 : 0;
    code_.push_back(i);
    if (!loops_.empty()) ++loops_.back().ifs;
    block(1 + below(4), depth + 1);
    size_t from = begin;
    if (has_else) {
      Instruction e = jump(FlowOp::JUMP);
      e.flow.jump_func = 0, e.flow.is_else = true, e.flow.branch_op1 = 1, e.flow.pop_count = 1;
      from = code_.size();
      code_.push_back(e);
      code_[begin].flow.target = uint16_t(code_.size());
      block(1 + below(4), depth + 1);
    }
    Instruction e = jump(FlowOp::JUMP);
    e.flow.jump_func = 0, e.flow.jump_any = true, e.flow.branch_op0 = 1, e.flow.pop_count = 1;
    code_.push_back(e);
    code_[from].flow.target = uint16_t(code_.size());
    code_.back().flow.target = uint16_t(code_.size());
    if (!loops_.empty()) --loops_.back().ifs;
  }
  void leave(bool is_break) {
    Instruction i = jump(is_break ? FlowOp::BREAKLOOP : FlowOp::CONTINUE);
    i.flow.jump_func = condition();
    i.flow.pop_count = uint8_t(loops_.back().ifs), i.flow.branch_op1 = loops_.back().ifs ? 1 : uint8_t(below(2));
    (is_break ? loops_.back().breaks : loops_.back().continues).push_back(code_.size());
    code_.push_back(i);
  }
  void loop(uint32_t depth) {
    const auto counter = uint8_t(kCounter + loops_.size());
    code_.push_back(xi(XiOp::MOV, counter, kX, n(0)));
    const size_t begin = code_.size();
    code_.push_back(jump(FlowOp::XLOOP));
    loops_.emplace_back();
    // The lanes that have had enough leave first.
    code_.push_back(xi(XiOp::IADD, counter, kX, r(counter), n(1)));
    Instruction t = xi(XiOp::ILT, 0, 0, n(uint8_t(1 + below(4))).x(), r(counter).x());
    t.result_write = true, t.result_op = 3;
    code_.push_back(t);
    Instruction out = jump(FlowOp::BREAKLOOP);
    out.rgb_predicate = 0, out.rgb_predicate_invert = false;
    out.flow.jump_func = 0xF0;
    loops_.back().breaks.push_back(code_.size());
    code_.push_back(out);
    block(2 + below(5), depth + 1);
    const size_t end = code_.size();
    Instruction e = jump(FlowOp::XENDLOOP);
    e.flow.target = uint16_t(begin + 1);
    code_.push_back(e);
    const auto behind = uint16_t(code_.size());
    code_[begin].flow.target = behind;
    for (const size_t b : loops_.back().breaks) code_[b].flow.target = behind;
    for (const size_t k : loops_.back().continues) code_[k].flow.target = uint16_t(end);
    loops_.pop_back();
  }
  void block(uint32_t count, uint32_t depth) {
    for (; count > 0; --count) {
      switch (below(16)) {
        case 0:
        case 1: memory_slot(); break;
        case 2: memory_slot(); break;
        case 3: across_slot(); break;
        case 4:
          if (depth < 3) branch(depth);
          break;
        case 5:
          if (depth < 3) loop(depth);
          break;
        case 6:
          if (!loops_.empty()) test_something(), leave(one_in(2));
          break;
        case 7:
          if (one_in(2)) code_.push_back(X{.op = one_in(4) ? XOp::FENCE : XOp::BARRIER, .components = 1});
          break;
        case 8:
        case 9:
        case 10: code_.push_back(strict()); break;
        default: code_.push_back(exact()); break;
      }
    }
  }

  /// The slots that the difference needs, as words. Flow control stays.
  std::string reduced() {
    const auto attempt = [&](Instruction& x, auto change) {
      const Instruction before = x;
      change(x);
      if (x == before) return;
      program(code_, literal_, kAllTemps, kScratch);
      run({2, 1, 1});
      if (difference.empty()) x = before;
    };
    for (Instruction& x : code_) {
      if (x.type != Type::FLOW_CONTROL) attempt(x, [](Instruction& i) { i = Instruction{.type = Type::TEXTURE}; });
      attempt(x, [](Instruction& i) { i.write_inactive = false; });
      for (uint32_t c = 0; c < 3; ++c) attempt(x, [c](Instruction& i) { i.rgb.write &= uint8_t(~(1u << c)); });
      attempt(x, [](Instruction& i) { i.alpha.write = 0; });
      attempt(x, [](Instruction& i) { i.result_write = false; });
      attempt(x, [](Instruction& i) { i.rgb_predicate = i.alpha_predicate = 0; });
      attempt(x, [](Instruction& i) { i.rgb_predicate_invert = i.alpha_predicate_invert = false; });
      if (x.type == Type::FLOW_CONTROL && x.flow.jump_func != 0xFF) attempt(x, [](Instruction& i) { i.flow.jump_func = 0; });
    }
    program(code_, literal_, kAllTemps, kScratch);
    run({2, 1, 1});
    std::string text = difference + "\n";
    for (size_t i = 0; i < code_.size(); ++i) {
      if (code_[i] == Instruction{.type = Type::TEXTURE}) continue;
      char line[120];
      const Words w = pack(code_[i]);
      std::snprintf(line, sizeof line, "%3zu: %08x %08x %08x %08x %08x %08x\n", i, w[0], w[1], w[2], w[3], w[4], w[5]);
      text += line;
    }
    return text;
  }

  struct Loop {
    uint32_t ifs = 0;
    std::vector<size_t> breaks, continues;
  };
  std::mt19937 engine_;
  std::vector<Instruction> code_;
  std::vector<Loop> loops_;
  std::vector<Bits4> literal_;
  uint32_t literals_ = 1;
  std::array<uint64_t, 3> data_{};
  std::array<uint64_t, 2> low_{};
  uint64_t push_ = 0;
  const uint64_t out_ = allocate(2 * 64 * 128);
};

TEST_F(XFuzz, NativeCodeIsTheReference) {
  const FuzzRange range = fuzz_range(300);
  uint32_t native = 0, count = 0;
  const uint64_t begin = next;
  const size_t ranges = allocated.size();
  for (uint32_t seed = range.first; seed != range.end(); ++seed, ++count) {
    next = begin;
    for (size_t i = ranges; i < allocated.size(); ++i) memory->unmap(allocated[i].address, allocated[i].bytes);
    allocated.resize(ranges);
    programs.invalidate();
    make(seed);
    static constexpr uint32_t kSizes[][2] = {{16, 1}, {16, 2}, {32, 1}, {40, 1}, {5, 1}, {64, 1}, {1, 1}, {8, 4}, {8, 3}, {4, 4}};
    const auto& size = kSizes[below(10)];
    local_size(size[0], size[1]);
    may_differ = true;
    run({2, 1, 1});
    native += is_native;
    if (difference.empty()) continue;
    const std::string first_difference = difference;
    FAIL() << first_difference << "\n" << reduced() << rerun(seed);
  }
  if (range.usual) {
    EXPECT_GT(native, count * 9 / 10);
  }
}

}  // namespace
}  // namespace pumice::hw::x_test
