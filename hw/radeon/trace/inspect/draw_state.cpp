// SPDX-License-Identifier: MIT
/// See draw_state.h.
#include "hw/radeon/trace/inspect/draw_state.h"

#include <memory>
#include <set>

#include "compiler/pvs/machine.h"
#include "compiler/us/machine.h"
#include "hw/radeon/decode/us/r300.h"
#include "hw/radeon/decode/vap/pvs_program.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/text.h"

namespace pumice::hw::trace {

namespace {

std::string constant_text(const std::array<uint32_t, 4>& words) {
  std::array<float, 4> v;
  for (size_t i = 0; i < 4; ++i) v[i] = std::bit_cast<float>(words[i]);
  return numbers(v);
}

/// Constants that a program names; all of them when one is addressed relative to a register.
struct Named {
  std::set<uint32_t> numbers;
  bool relative = false;
  void add(uint32_t number, bool is_relative) {
    numbers.insert(number);
    relative |= is_relative;
  }
};

/// of(i): the words of constant i. Behind a relative address constants that are zero are left out.
template <class Of>
void constant_lines(std::vector<std::string>& out, const Named& named, uint32_t count, const StageNames* names, Of of) {
  for (uint32_t i = 0; i < count; ++i) {
    const std::array<uint32_t, 4> words = of(i);
    const bool zero = words == std::array<uint32_t, 4>{};
    if (named.numbers.contains(i) || (named.relative && !zero))
      out.push_back("  c" + std::to_string(i) + " = " + constant_text(words) + (names ? name_remark(names->constants, i) : ""));
  }
}

/// "fragment program, slots 0 to 4", and what it begins with.
void title(std::vector<std::string>& out, const std::string& text, const StageNames* names, char registers) {
  out.push_back(text);
  if (!names) return;
  for (const auto& [n, name] : names->inputs)
    if (!name.empty()) out.push_back(format("  %c%u  ; ", registers, n) + name);
}

void vertex_program(const ChipState& state, const StageNames* names, std::vector<std::string>& out) {
  if (state.get<regs::VAP_CNTL_STATUS>().PVS_BYPASS()) {
    out.push_back("no vertex program (VAP_CNTL_STATUS.PVS_BYPASS)");
    return;
  }
  const vap::PvsProgram p = vap::decode_program(state);
  title(out, format("vertex program, slots %u to %u%s", p.first, p.last, p.has_flow ? ", with flow control" : ""), names, 'i');
  Named named;
  const uint32_t end = p.has_flow ? uint32_t(p.code.size()) : std::min(p.last + 1, uint32_t(p.code.size()));
  for (uint32_t i = p.first; i < end; ++i) {
    const auto& words = state.pvs[i];
    if (p.has_flow && i > p.last && words == std::array<uint32_t, 4>{}) continue;
    const compiler::pvs::Instruction x = isa::pvs::unpack(words);
    out.push_back(format("  %4u: ", i) + compiler::pvs::disassemble(x) + slot_remark(names, x, i - p.first));
    const auto note = [&](const isa::pvs::Source& s) {
      if (s.file == regs::PVS_INST_SRC::PVS_SRC_REG_TYPE__CONSTANT) named.add(s.offset, s.addressing != isa::pvs::Addressing::absolute);
    };
    for (size_t n = 0; n < op_info(x).sources; ++n) note(x.source[n]);
    if (x.dual_math) note(x.dual.source);
  }
  const uint32_t count =
      p.constant_base < state.pvs.size() ? std::min<uint32_t>(p.constant_max + 1, uint32_t(state.pvs.size()) - p.constant_base) : 0;
  constant_lines(out, named, count, names, [&](uint32_t i) -> const std::array<uint32_t, 4>& { return state.pvs[p.constant_base + i]; });
}

void add_constants(const isa::us_r500::Instruction& x, Named& named) {
  if (x.type != isa::us_r500::Type::ALU && x.type != isa::us_r500::Type::OUTPUT) return;
  for (const auto* u : {&x.rgb, &x.alpha})
    for (const auto& a : u->address)
      if (a.file == isa::us_r500::Address::File::constant) named.add(a.value, a.relative);
}

/// Of the R3xx: all levels in the order of execution.
void fragment_levels(const ChipState& state, const StageNames* names, std::vector<std::string>& out) {
  const us_r300::Program program = us_r300::program(state);
  title(out, format("fragment program, %zu instructions in the order of execution", program.code.size()), names, 'r');
  Named named;
  for (size_t i = 0; i < program.code.size(); ++i) {
    out.push_back(format("  %4zu: ", i) + compiler::us::disassemble(program.code[i]) + slot_remark(names, program.code[i], uint32_t(i)));
    add_constants(program.code[i], named);
  }
  if (!program.problem.empty()) out.push_back("  ends here: " + program.problem);
  constant_lines(out, named, state.chip().us_constants, names, [&](uint32_t i) { return us_r300::constant(state, i); });
}

void fragment_program(const ChipState& state, const StageNames* names, std::vector<std::string>& out) {
  if (!state.chip().us_slots) return fragment_levels(state, names, out);
  const auto code = state.get<regs::US_CODE_ADDR>();
  const uint32_t offset = state.get<regs::US_CODE_OFFSET>().OFFSET_ADDR();
  const uint32_t first = offset + code.START_ADDR();
  const auto range = state.get<regs::US_CODE_RANGE>();
  // Subroutines may lie behind the end.
  const uint32_t last =
      std::min<uint32_t>(std::max(offset + code.END_ADDR(), range.CODE_ADDR() + range.CODE_SIZE()), state.chip().us_slots - 1);
  title(out,
        format("fragment program, slots %u to %u, from %u to %u", std::min<uint32_t>(first, range.CODE_ADDR()), last, first,
               offset + code.END_ADDR()),
        names, 'r');
  Named named;
  for (uint32_t i = std::min<uint32_t>(first, range.CODE_ADDR()); i <= last; ++i) {
    const compiler::us::Instruction x = isa::us_r500::unpack(state.us_code[i]);
    out.push_back(format("  %4u: ", i) + compiler::us::disassemble(x) + slot_remark(names, x, i - range.CODE_ADDR()));
    add_constants(x, named);
  }
  constant_lines(out, named, uint32_t(state.us_const.size()), names,
                 [&](uint32_t i) -> const std::array<uint32_t, 4>& { return state.us_const[i]; });
}

template <class Store>
void store_difference(std::vector<std::string>& out, const char* name, const Store& before, const Store& now, const Writers* writers,
                      std::initializer_list<uint32_t> ports) {
  size_t differing = 0, first = 0;
  for (size_t i = now.size(); i-- > 0;)
    if (before[i] != now[i]) ++differing, first = i;
  if (!differing) return;
  out.push_back(format("%s: %zu differ, the first is %zu", name, differing, first));
  if (writers) out.push_back("    by " + writers->writer(ports));
}

}  // namespace

std::vector<std::string> register_lines(const ChipState& state) {
  std::vector<std::string> out;
  const decode::Tables& tables = decode::tables(state.profile);
  const auto fresh = std::make_unique<ChipState>(state.profile);
  reset(*fresh, state.profile);
  each_state_register(state.profile, [&](uint32_t offset) {
    if (state.raw(offset) != fresh->raw(offset)) out.push_back(decode::describe(tables, offset, state.raw(offset)));
  });
  return out;
}

std::vector<std::string> difference_lines(const ChipState& before, const ChipState& now, const Writers* writers) {
  std::vector<std::string> out;
  const decode::Tables& tables = decode::tables(now.profile);
  each_state_register(now.profile, [&](uint32_t offset) {
    if (before.raw(offset) == now.raw(offset)) return;
    out.push_back(decode::describe(tables, offset, now.raw(offset)));
    out.push_back("    was " + decode::describe(tables, offset, before.raw(offset)));
    if (writers) out.push_back("    by " + writers->writer({offset}));
  });
  store_difference(out, "US slots", before.us_code, now.us_code, writers, {regs::GA_US_VECTOR_DATA::offset});
  store_difference(out, "US constants", before.us_const, now.us_const, writers, {regs::GA_US_VECTOR_DATA::offset});
  store_difference(out, "PVS octwords (code, constants, clip planes)", before.pvs, now.pvs, writers,
                   {regs::VAP_PVS_VECTOR_DATA_REG::offset, regs::VAP_PVS_VECTOR_DATA_REG_128::offset});
  return out;
}

std::vector<std::string> program_lines(const ChipState& state, const ProgramNames* names) {
  std::vector<std::string> out;
  vertex_program(state, names ? &(*names)[size_t(x::Stage::vertex)] : nullptr, out);
  fragment_program(state, names ? &(*names)[size_t(x::Stage::fragment)] : nullptr, out);
  return out;
}

}  // namespace pumice::hw::trace
