// SPDX-License-Identifier: MIT
/// Random legal programs: nothing crashes or hangs, memory that no descriptor names stays as it is, and the same comes out twice.
/// Which programs: tests/fuzz.h.
#include <cstring>
#include <random>

#include "tests/fuzz.h"
#include "tests/hw/x/rig.h"

namespace pumice::hw::x_test {
namespace {

class XFuzz : public XRig {
 protected:
  static constexpr uint32_t kArena = 16384;  ///< bytes that descriptors name
  static constexpr uint32_t kTemps = 12;
  std::mt19937 random;
  uint64_t arena = 0, bystander = 0;

  uint32_t below(uint32_t n) { return uint32_t(random() % n); }

  void make_extended(Instruction& x, Unit& u, const XiOpInfo& op) {
    x.type = Type::ALU;
    u.op = AluOp::XI;
    u.clamp = false;
    u.xi(op.op);
    for (uint32_t n = 0; n < op.sources; ++n) {
      Operand& o = u.operand[n];
      if (op.classes[n] == OperandClass::real) continue;
      o.select = uint8_t(below(3));
      for (uint8_t& s : o.swizzle) s = uint8_t(below(5));
      if (op.classes[n] == OperandClass::raw && n < 2) o.modifier = 0;
    }
  }

  void make_extended(Instruction& x) {
    x.type = Type::TEXTURE;
    Texture& t = x.tex;
    t.inst = TexOp::X, t.unit = 0, t.ignore_uncovered = t.unscaled = false;
    t.x.op = kXOps[below(kXOps.size())].op;
    t.x.width = uint8_t(below(3)), t.x.sub = uint8_t(below(11));
    if (below(4)) t.x.immediate = below(256);
    if (below(4)) t.x.descriptor = {0, below(4) == 0, uint8_t(below(kTemps)), uint8_t(below(4)), below(16)};
  }

  Instruction legal(uint32_t slots) {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      Words w;
      for (uint32_t& v : w) v = uint32_t(random());
      Instruction x = unpack(w);
      const Format& f = format(x);
      for (size_t i = 0; i < w.size(); ++i) w[i] &= f.defined[i];
      x = unpack(w);
      if (x.type == Type::TEXTURE && below(8)) make_extended(x);
      // Temps that exist, mostly; no aL.
      for (Unit* u : {&x.rgb, &x.alpha}) {
        for (Address& a : u->address) a.relative = false;
        for (Address& a : u->address)
          if (a.file == Address::File::temp && below(16)) a.value = uint8_t(a.value % kTemps);
        u->dest = uint8_t(u->dest % kTemps);
      }
      for (Port* p : {&x.tex.source, &x.tex.dest, &x.tex.dx, &x.tex.dy}) p->temp = uint8_t(p->temp % kTemps), p->relative = false;
      if ((x.type == Type::ALU || x.type == Type::OUTPUT) && below(4)) {
        make_extended(x, x.rgb, kXiOps[below(kXiOps.size())]);
        if (below(2)) make_extended(x, x.alpha, kXiOps[below(kXiOps.size())]);
      }
      if (x.type == Type::FLOW_CONTROL) {
        x.flow.target = uint16_t(below(slots + 1));
        if (below(2)) x.flow.op = below(2) ? FlowOp::XLOOP : FlowOp::XENDLOOP;
      }
      if (!find_misfit(x) && !find_illegal(pack(x), Level::r5x)) return x;
    }
    return xi(XiOp::MOV, 0, kX, r(0));
  }

  void once(uint32_t seed) {
    random.seed(seed);
    const uint32_t slots = 4 + below(60);
    std::vector<Instruction> code;
    for (uint32_t i = 0; i < slots; ++i) code.push_back(legal(slots));
    std::vector<Bits4> literals(below(20));
    for (Bits4& l : literals)
      for (uint32_t& v : l) v = uint32_t(below(2) ? random() : random() % 64);
    const uint32_t scratch = 16 * below(8);
    const uint32_t lds = below(256);
    local_size(1 + below(20), 1 + below(2), 1 + below(2));
    set(regs::r5x::X_CS_LDS_SIZE{}.BYTES(lds));
    std::vector<uint32_t> before(kArena / 4);
    for (uint32_t& v : before) v = uint32_t(random() % 5 ? random() % 1000 : random());
    for (uint32_t n = 0; n < 16; ++n) {
      if (below(8) == 0) {  // anything
        for (uint32_t k = 0; k < 4; ++k) dwords(sets)[4 * n + k] = uint32_t(random());
      } else {
        const uint32_t from = below(kArena / 2);
        buffer(n, arena + from, below(kArena / 2));
      }
    }
    std::vector<uint32_t> after[2];
    std::vector<std::string> said[2];
    for (int pass = 0; pass < 2; ++pass) {
      std::memcpy(dwords(arena), before.data(), kArena);
      program(code, literals, kTemps, scratch);
      ASSERT_FALSE(HasFatalFailure()) << rerun(seed);
      counters = {};
      counters.instructions_left = 5000;
      reports.clear();
      DrawContext ctx{*state, *memory, counters, config};
      ctx.programs = &programs;
      execute_dispatch(ctx, {{1 + seed % 2, 1, 1}, {}});
      memory->take_fault();
      memory->unmap(last_program, (next - kPageBytes) - last_program);
      next = last_program;
      programs.invalidate();
      after[pass].assign(dwords(arena), dwords(arena) + kArena / 4);
      said[pass] = reports;
      EXPECT_LE(reports.size(), 14u) << "each complaint once; " << rerun(seed);
    }
    EXPECT_EQ(after[0], after[1]) << rerun(seed);
    EXPECT_EQ(said[0], said[1]) << rerun(seed);
    for (uint32_t i = 0; i < 1024; ++i) ASSERT_EQ(dwords(bystander)[i], 0xB75Au) << rerun(seed);
  }
  uint64_t last_program = 0;
};

TEST_F(XFuzz, LegalProgramsEndAndRepeat) {
  bystander = allocate(4096);
  arena = allocate(kArena);
  std::fill_n(dwords(bystander), 1024, 0xB75Au);
  last_program = next;
  const FuzzRange range = fuzz_range(2000);
  for (uint32_t i = range.first; i < range.end() && !HasFailure(); ++i) once(i);
}

}  // namespace
}  // namespace pumice::hw::x_test
