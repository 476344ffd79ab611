// SPDX-License-Identifier: MIT
#include "tests/hw/x/rig.h"

#include <cstring>

#if defined(__x86_64__) || defined(__aarch64__)
#include "hw/radeon/fast/extended/dispatch.h"
#include "tests/hw/fast/cpus.h"
#endif

namespace pumice::hw::x_test {
namespace {

void place(Instruction& x, uint32_t n, const Src& s) {
  for (Unit* u : {&x.rgb, &x.alpha}) {
    u->address[n] = {s.file, s.value, false};
    u->operand[n].select = uint8_t(n);
  }
  for (uint32_t c = 0; c < 3; ++c) x.rgb.operand[n].swizzle[c] = s.swizzle[c];
  x.alpha.operand[n].swizzle[0] = s.swizzle[3];
}

Instruction both_units(AluOp op, uint8_t dest, uint8_t mask, const Src& a, const Src& b, const Src& c) {
  Instruction x;
  x.type = Type::ALU;
  x.rgb.op = x.alpha.op = op;
  x.rgb.dest = x.alpha.dest = dest;
  x.rgb.write = mask & 7, x.alpha.write = mask >> 3;
  place(x, 0, a), place(x, 1, b), place(x, 2, c);
  return x;
}

}  // namespace

Instruction alu(AluOp op, uint8_t dest, uint8_t mask, Src a, Src b, Src c) {
  Instruction x = both_units(op, dest, mask, a, b, c);
  const Src* const s[3] = {&a, &b, &c};
  for (uint32_t n = 0; n < 3; ++n) x.rgb.operand[n].modifier = x.alpha.operand[n].modifier = s[n]->modifier;
  return x;
}

Instruction xi(XiOp op, uint8_t dest, uint8_t mask, Src a, Src b, Src c) {
  Instruction x = both_units(AluOp::XI, dest, mask, a, b, c);
  const Src* const s[2] = {&a, &b};
  for (uint32_t n = 0; n < 2; ++n) x.rgb.operand[n].modifier = x.alpha.operand[n].modifier = s[n]->modifier;
  x.rgb.xi(op), x.alpha.xi(op);
  return x;
}

Instruction test_not_zero(Src a) {
  Instruction x = xi(XiOp::MOV, 0, 0, a.x(a.swizzle[0]));
  x.result_write = true;
  x.result_op = 3;
  return x;
}

X::operator Instruction() const {
  Instruction x;
  x.type = Type::TEXTURE;
  x.rgb.write = mask & 7, x.alpha.write = mask >> 3;
  Texture& t = x.tex;
  t.inst = TexOp::X;
  t.dest.temp = dest, t.source.temp = source, t.dx.temp = src2, t.dy.temp = src3;
  t.x.op = op;
  t.x.components = uint8_t(components - 1);
  t.x.width = uint8_t(width);
  t.x.is_signed = is_signed, t.x.is_float = is_float;
  t.x.sub = uint8_t(sub);
  t.x.immediate = immediate;
  t.x.descriptor = descriptor;
  return x;
}

Instruction flow(Jump kind, uint16_t target) {
  constexpr uint8_t kNone = 0, kDecrement = 1, kIncrement = 2, kNotResult = 0x0F, kResult = 0xF0;
  Instruction x;
  x.type = Type::FLOW_CONTROL;
  Flow& f = x.flow;
  f.target = target;
  switch (kind) {
    case Jump::if_: f.jump_func = kNotResult, f.branch_op0 = kIncrement; break;
    case Jump::else_: f.jump_func = 0, f.is_else = true, f.branch_op0 = kNone, f.branch_op1 = kDecrement, f.pop_count = 1; break;
    case Jump::endif: f.jump_func = 0, f.jump_any = true, f.branch_op0 = kDecrement, f.pop_count = 1; break;
    case Jump::loop: f.op = FlowOp::XLOOP; break;
    case Jump::endloop: f.op = FlowOp::XENDLOOP; break;
    case Jump::break_: f.op = FlowOp::BREAKLOOP, f.jump_func = kResult; break;
    case Jump::continue_: f.op = FlowOp::CONTINUE, f.jump_func = kResult; break;
  }
  return x;
}

XRig::XRig() {
  config.on_report = [this](const Report& r) { reports.push_back(r.text); };
  reset(*state, Profile::r5x);
  set(regs::r5x::X_CTRL{}.EN(1));
  sets = allocate(4096);
  set(regs::r5x::X_CS_SET_LO{uint32_t(sets)});
  set(regs::r5x::X_CS_SET_HI{uint32_t(sets >> 32)});
  local_size(16);
}

uint64_t XRig::allocate(uint64_t bytes) { return allocate_at(next, bytes); }
uint64_t XRig::allocate_low(uint64_t bytes) { return allocate_at(next_low, bytes); }

uint64_t XRig::allocate_at(uint64_t& place, uint64_t bytes) {
  const uint64_t address = place, size = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  EXPECT_TRUE(memory->map(address, size));
  allocated.push_back({address, size});
  place += size + kPageBytes;  // an unbacked page between any two
  return address;
}

void XRig::buffer(uint32_t n, uint64_t address, uint32_t bytes) {
  uint32_t* d = dwords(sets) + 4 * n;
  d[0] = uint32_t(address), d[1] = uint32_t(address >> 32), d[2] = bytes, d[3] = 0;
}

void XRig::program(const std::vector<Instruction>& code, const std::vector<Bits4>& literals, uint32_t temps, uint32_t scratch) {
  const uint64_t bytes = code.size() * sizeof(Words), literals_at = (bytes + 15) / 16 * 16;
  const uint64_t address = allocate(literals_at + literals.size() * 16);
  for (size_t i = 0; i < code.size(); ++i) {
    ASSERT_EQ(find_misfit(code[i]), nullptr) << "slot " << i << ": " << find_misfit(code[i]);
    const Words w = pack(code[i]);
    const auto illegal = find_illegal(w, Level::r5x);
    ASSERT_FALSE(illegal) << "slot " << i << ": " << illegal->name;
    std::memcpy(memory->host_pointer(address + i * sizeof w), w.data(), sizeof w);
  }
  if (!literals.empty()) std::memcpy(memory->host_pointer(address + literals_at), literals.data(), literals.size() * 16);
  set(regs::r5x::X_CS_CODE_LO{uint32_t(address)});
  set(regs::r5x::X_CS_CODE_HI{uint32_t(address >> 32)});
  set(regs::r5x::X_CS_CODE_SIZE{}.SLOTS(uint32_t(code.size())).LITERALS(uint32_t(literals.size())));
  set(regs::r5x::X_CS_CODE_RSRC{}.TEMPS(temps - 1).SCRATCH(scratch / 16));
}

void XRig::run(std::array<uint32_t, 3> groups, std::array<uint32_t, 3> first) {
  using Image = std::vector<std::vector<std::byte>>;
  const auto content = [&] {
    Image image;
    for (const Range& r : allocated) {
      const std::byte* p = memory->host_pointer(r.address);
      image.emplace_back(p, p + r.bytes);
    }
    return image;
  };
  const auto put_back = [&](const Image& image) {
    for (size_t i = 0; i < image.size(); ++i) std::memcpy(memory->host_pointer(allocated[i].address), image[i].data(), image[i].size());
  };
  const DispatchInput input{groups, first};
  const auto begin = [&] {
    counters = {};
    counters.instructions_left = kInstructions;
    reports.clear();
    DrawContext ctx{*state, *memory, counters, config};
    ctx.programs = &programs;
    return ctx;
  };
  const Image before = content();
  DrawContext reference = begin();
  execute_dispatch(reference, input);
  is_native = false;
  difference.clear();
#if defined(__x86_64__) || defined(__aarch64__)
  const Image wanted = content();
  const std::vector<std::string> wanted_reports = reports;
  const bool wanted_hung = counters.hung;
  for (const fast::Cpu cpu : fast::cpus()) {
    put_back(before);
    Team team(1);
    fast::extended::Dispatcher dispatcher(*memory, team, cpu, {});
    DrawContext native = begin();
    if (!dispatcher.run(native, input, true)) continue;
    is_native = true;
    const auto stage = fast::extended::prepare(native, dispatcher.routines(), x::Stage::compute, true, false);
    calls = stage && stage->partial.routine->calls();
    slot_routines = dispatcher.routines().slots()->usable();
    const std::string who = "\ninstruction set " + std::to_string(int(cpu)) + ": ";
    if (counters.hung != wanted_hung) difference += who + "lockup " + std::to_string(counters.hung);
    if (reports != wanted_reports) difference += who + std::to_string(reports.size()) + " reports, " + (reports.empty() ? "" : reports[0]);
    if (wanted_hung) continue;  // where it stops differs
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::byte* have = memory->host_pointer(allocated[i].address);
      const auto [at, want] = std::mismatch(have, have + wanted[i].size(), wanted[i].data());
      if (at == have + wanted[i].size()) continue;
      const auto dword = size_t(at - have) / 4;
      uint32_t h, w;
      std::memcpy(&h, have + dword * 4, 4), std::memcpy(&w, wanted[i].data() + dword * 4, 4);
      difference += who + "dword " + std::to_string(dword) + " of range " + std::to_string(i) + ": " + std::to_string(h) +
                    ", the reference " + std::to_string(w);
    }
  }
  if (!may_differ) {
    EXPECT_EQ(difference, "");
  }
  put_back(wanted);
  reports = wanted_reports;
  counters.hung = wanted_hung;
#else
  static_cast<void>(put_back);
#endif
}

}  // namespace pumice::hw::x_test
