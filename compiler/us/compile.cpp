// SPDX-License-Identifier: MIT
#include "compiler/us/compile.h"

#include <algorithm>

#include "compiler/isa/constants.h"
#include "compiler/isa/error.h"
#include "compiler/us/limits.h"
#include "compiler/us/schedule.h"
#include "compiler/us/select.h"
#include "compiler/us/spill.h"
#include "hw/db/regs_r500.h"

namespace pumice::compiler::us {
namespace {

/// What programs can use of the chip.
ChipLimits reachable(ChipLimits chip) {
  const auto at_most = [](uint32_t& limit, uint32_t names) { limit = std::min(limit, names); };
  at_most(chip.loop_rounds, kRoundNames);
  at_most(chip.fragment.slots, kSlotNames);
  at_most(chip.fragment.temps, kTempNames);
  at_most(chip.fragment.constants, kConstantNames);
  at_most(chip.fragment.texture_units, kUnitNames);
  at_most(chip.fragment.targets, kTargetNames);
  at_most(chip.fragment.loop_constants, kLoopConstantNames);
  return chip;
}

/// By register: the highest lane that is read, plus one.
Vec<uint8_t> components(const Vec<isa::Point>& all, size_t registers) {
  Vec<uint8_t> n(registers);
  for (const isa::Point& p : all) {
    for (const isa::Lane& l : p.reads) n[l.reg] = std::max(n[l.reg], static_cast<uint8_t>(l.lane + 1));
  }
  return n;
}

}  // namespace

std::vector<TextureUse> textures(const ir::Module& module) {
  std::vector<TextureUse> out;
  for (const ir::Texture& t : module.textures) {
    TextureUse use;
    use.pair = t.pair;
    use.unit = static_cast<uint32_t>(out.size());
    use.dim = t.dim;
    use.input_attachment = t.input_attachment;
    use.shadow = t.shadow;
    use.level0_offsets = t.level0_offsets;
    out.push_back(use);
  }
  return out;
}

Compiled compile(const ir::Module& module, const Options& given, std::string* log) {
  const ChipLimits chip = reachable(*given.chip);
  Options options = given;
  options.chip = &chip;
  const ChipLimits::Fragment& has = options.chip->fragment;
  const Limits limit{*options.chip};
  limit("texture units (one for each pair of image and sampler)", module.textures.size(), has.texture_units,
        module.textures.size() > has.texture_units ? module.textures[has.texture_units].at : nullptr);
  isa::ConstantFile constants(module);
  Lir lir = select(module, constants, options);
  fold_conditions(lir);
  remove_dead(lir);
  // What is dead in the arms leaves empty branches, and those leave dead conditions.
  for (int i = 0; i < 2 && remove_empty_branches(lir); i++) remove_dead(lir);
  write_outputs_directly(lir);
  if (log) *log += "--- US operations of " + module.name + "\n" + print(lir);
  const Vec<isa::Point> all = points(lir);
  // Reusing a register too soon keeps operations from pairing. Small programs stay in few registers.
  const uint32_t spread = std::min<uint32_t>(32, 1 + static_cast<uint32_t>(lir.ops.size()) / 4);
  const isa::Allocation allocation = allocate(lir, all, spread);
  limit("temporaries", allocation.used, has.temps);
  limit("constants", constants.size(), has.constants, constants.largest());
  const Scheduled scheduled = schedule(lir, allocation, chip);
  limit("instruction slots", scheduled.code.size(), has.slots);

  Compiled out;
  FragmentProgram& p = out.program;
  p.code.reserve(scheduled.code.size());
  for (const Instruction& x : scheduled.code) {
    p.code.push_back(pack(x));
    (x.type == Type::TEXTURE ? p.stats.tex : x.type == Type::FLOW_CONTROL ? p.stats.flow : p.stats.alu)++;
  }
  p.temps = std::max(1u, allocation.used);
  p.full_flow_control = scheduled.full_flow_control;
  // Loop constants: as many rounds as there are, aL starts at 0 and moves by the loop's own step.
  limit("loop constants", lir.counters.size(), has.loop_constants);
  for (size_t i = 0; i < lir.counters.size(); i++)
    p.int_constants[i] = regs::US_FC_INT_CONST{}.KR(options.chip->loop_rounds).KB(static_cast<uint8_t>(lir.counters[i])).raw;
  p.constants = constants.ranges();
  p.textures = textures(module);
  const auto fixed = [&](const std::optional<uint32_t>& reg) -> std::optional<uint32_t> {
    if (!reg) return {};
    return allocation.of[*reg].reg;
  };
  p.frag_coord_xy_temp = fixed(lir.inputs.frag_coord_xy);
  p.front_facing_temp = fixed(lir.inputs.front_facing);
  p.point_coord_temp = fixed(lir.inputs.point_coord);
  p.color_outputs = lir.color_outputs;
  p.early_tests = module.early_fragment_tests;
  p.writes_depth = lir.writes_depth && !p.early_tests;  // too late to matter
  p.kills = lir.kills;
  p.stats.slots = static_cast<uint32_t>(p.code.size());
  p.stats.temps = p.temps;
  p.stats.constants = constants.size();
  p.stats.paired = scheduled.paired;
  const Vec<uint8_t> lanes = lir.inputs.locations.empty() ? Vec<uint8_t>() : components(all, lir.registers.size());
  for (const FixedRegisters::Location& l : lir.inputs.locations) {
    out.inputs.push_back({l.location, allocation.of[l.reg].reg, lanes[l.reg], l.flat, l.no_perspective, l.builtin});
  }
  if (lir.inputs.position) out.position = FragmentInput{0, allocation.of[*lir.inputs.position].reg, 4, false, false, ir::Builtin::position};

  std::vector<std::string> problems;
  if (options.check) problems = check(scheduled.code, {p.code, p.temps, p.full_flow_control, options.chip});
  if (options.lines) *options.lines = isa::slot_lines(scheduled.places, module.words);
  if (log)
    *log += "--- US microcode of " + module.name + "\n" +
            isa::with_lines(disassemble(p.code), options.lines ? *options.lines : std::vector<std::string>());
  if (!problems.empty()) throw isa::Unsupported("internal: the fragment microcode breaks a rule: " + problems[0]);
  return out;
}

}  // namespace pumice::compiler::us
