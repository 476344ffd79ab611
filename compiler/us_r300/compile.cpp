// SPDX-License-Identifier: MIT
#include "compiler/us_r300/compile.h"

#include <algorithm>

#include "compiler/isa/constants.h"
#include "compiler/isa/error.h"
#include "compiler/us/block.h"
#include "compiler/us/limits.h"
#include "compiler/us/select.h"
#include "compiler/us/spill.h"
#include "compiler/us_r300/lir.h"
#include "compiler/us_r300/machine.h"
#include "hw/db/us_r300_form.h"

namespace pumice::compiler::us_r300 {
namespace {

using us::Limits;
using us::Lir;
using us::Op;

/// The instruction in the words of the R3xx. Exact copies are those of its numbers: results that are not modified stay what they are.
::pumice::isa::us_r300::Words words_of(us::Instruction x) {
  constexpr uint8_t kCopyExactly = 7;
  for (us::Unit* u : {&x.rgb, &x.alpha}) {
    if (u->omod == kCopyExactly) u->omod = 0;
  }
  ::pumice::isa::us_r300::Instruction narrow;
  if (const char* lacks = ::pumice::isa::us_r300::narrow(x, narrow))
    throw isa::Unsupported("internal: the R3xx lacks the " + std::string(lacks) + " of " + us::disassemble(x));
  return ::pumice::isa::us_r300::pack(narrow);
}

/// Registers are read and written whole: what of them matters is at its channel.
uint32_t word_of(us::Instruction x) {
  x.tex.source.swizzle = x.tex.dest.swizzle = {0, 1, 2, 3};
  x.rgb.write = 7;
  x.alpha.write = 1;
  ::pumice::isa::us_r300_tex::Instruction narrow;
  if (const char* lacks = ::pumice::isa::us_r300::narrow(x, narrow))
    throw isa::Unsupported("internal: the R3xx lacks the " + std::string(lacks) + " of " + us::disassemble(x));
  return ::pumice::isa::us_r300_tex::pack(narrow)[0];
}

FragmentLevels write(const Lir& lir, const Vec<Part>& parts, const isa::Allocation& allocation, const ChipLimits::Fragment& has,
                     Statistics& stats, Vec<us::SlotPlace>& places) {
  FragmentLevels out;
  std::vector<Level> levels;
  const us::Lower lower(lir, allocation);
  us::Uses uses(allocation.used);
  us::Operations lookups, run;
  us::Scheduled scheduled;
  Vec<us::Instruction>& code = scheduled.code;
  for (const Part& part : parts) {
    Level level{static_cast<uint32_t>(out.tex.size()), 0, static_cast<uint32_t>(out.alu.size()), 0, false, false};
    lookups.clear();
    for (size_t i = part.begin; i < part.arithmetic; i++) lower.op(lir.ops[i], lookups);
    for (const us::Instruction& x : lookups.textures) out.tex.push_back(word_of(x));
    level.tex_count = static_cast<uint32_t>(lookups.textures.size());
    for (const us::Node& n : lookups.nodes) places.push_back({n.at, nullptr});
    run.clear();
    code.clear();
    scheduled.places.clear();
    for (size_t i = part.arithmetic; i < part.end; i++) lower.op(lir.ops[i], run);
    if (!run.nodes.empty()) schedule_run(run, scheduled, uses);
    if (code.empty()) code.emplace_back();  // every level has one
    scheduled.places.resize(code.size());
    for (const us::SlotPlace& p : scheduled.places) places.push_back(p);
    for (const us::Instruction& x : code) {
      level.color |= (x.rgb.output | x.alpha.output) != 0;
      level.depth |= x.depth_write;
      const ::pumice::isa::us_r300::Words w = words_of(x);
      out.alu.push_back({w[0], w[1], w[2], w[3]});
    }
    level.alu_count = static_cast<uint32_t>(code.size());
    levels.push_back(level);
  }
  stats.paired = scheduled.paired;
  stats.levels = static_cast<uint32_t>(levels.size());
  stats.alu = static_cast<uint32_t>(out.alu.size());
  stats.tex = static_cast<uint32_t>(out.tex.size());
  stats.slots = stats.alu + stats.tex;
  if (out.alu.size() <= has.slots) set_levels(out, levels);
  return out;
}

/// The first lookup of the first level that the chip lacks.
const uint32_t* beyond(const Lir& lir, const Vec<Part>& parts, size_t levels) {
  return parts.size() > levels ? lir.ops[parts[levels].begin].at : nullptr;
}

/// By register: the highest lane that is read, plus one.
Vec<uint8_t> components(const Vec<isa::Point>& all, size_t registers) {
  Vec<uint8_t> n(registers);
  for (const isa::Point& p : all) {
    for (const isa::Lane& l : p.reads) n[l.reg] = std::max(n[l.reg], static_cast<uint8_t>(l.lane + 1));
  }
  return n;
}

/// Registers used again too soon keep operations from pairing: values take turns in as many as there are, or in fewer.
isa::Allocation place(const Lir& lir, uint32_t temps) {
  const Vec<isa::Point> all = points(lir);
  const uint32_t wanted = std::min<uint32_t>(temps, 1 + static_cast<uint32_t>(lir.ops.size()) / 3);
  for (uint32_t spread = wanted;; spread /= 2) {
    isa::Allocation a = us::allocate(lir, all, std::max(spread, 1u));
    if (a.used <= temps || spread <= 1) return a;
  }
}

/// The program of a few that does with the fewest ALU instructions. All results of a level's lookups are there at once: where they do not
/// fit the registers, fewer of them in more levels may.
struct Fitting {
  isa::Allocation allocation;
  FragmentLevels code;
  Statistics stats;
  Vec<us::SlotPlace> places;  ///< in the order of the listing
};
Fitting fit(Lir& lir, const Limits& limit) {
  const ChipLimits::Fragment& has = limit.chip.fragment;
  std::optional<Fitting> best;
  Lir chosen;
  uint32_t temps = 0;
  for (const uint32_t most : {has.tex_slots, 12u, 8u, 6u, 4u}) {
    for (const unsigned way : {0u, 1u, 2u, 3u, 6u, 7u}) {
      const bool balanced = way & 1;
      Lir candidate = lir;
      if (way & 2) presubtract(candidate, !(way & 4));
      const Vec<Part> parts = divide(candidate, most);
      if (most == has.tex_slots) limit("levels of texture indirection", parts.size(), has.levels, beyond(candidate, parts, has.levels));
      if (parts.size() > has.levels) break;
      if (balanced) balance(candidate, parts);
      Fitting f;
      f.allocation = place(candidate, has.temps);
      if (!temps) temps = f.allocation.used;
      if (f.allocation.used > has.temps) continue;
      f.code = write(candidate, parts, f.allocation, has, f.stats, f.places);
      if (best && best->code.alu.size() <= f.code.alu.size()) continue;
      best = std::move(f);
      chosen = std::move(candidate);
    }
    if (best && best->code.alu.size() <= has.slots) break;
  }
  if (!best) limit("temporaries", temps, has.temps);
  limit("ALU instructions", best->code.alu.size(), has.slots);
  lir = std::move(chosen);
  return *best;
}

}  // namespace

us::Compiled compile(const ir::Module& module, const us::Options& options, std::string* log) {
  const ChipLimits& chip = *options.chip;
  const ChipLimits::Fragment& has = chip.fragment;
  const Limits limit{chip};
  limit("texture units (one for each pair of image and sampler)", module.textures.size(), has.texture_units,
        module.textures.size() > has.texture_units ? module.textures[has.texture_units].at : nullptr);
  isa::ConstantFile constants(module);
  Lir lir = select(module, constants, options);
  remove_dead(lir);
  write_outputs_directly(lir);
  legalize(lir, constants);
  limit("constants", constants.size(), has.constants, constants.largest());
  Vec<const uint32_t*> lookups;
  for (const Op& op : lir.ops) {
    if (op.kind == Op::Kind::tex) lookups.push_back(op.at);
  }
  limit("texture instructions", lookups.size(), has.tex_slots, lookups.size() > has.tex_slots ? lookups[has.tex_slots] : nullptr);
  const Fitting fitting = fit(lir, limit);
  if (log) *log += "--- US operations of " + module.name + "\n" + print(lir);

  const isa::Allocation& allocation = fitting.allocation;
  us::Compiled out;
  FragmentProgram& p = out.program;
  p.levels = fitting.code;
  p.stats = fitting.stats;
  p.temps = std::max(1u, allocation.used);
  p.constants = constants.ranges();
  p.textures = us::textures(module);
  if (lir.inputs.point_coord) p.point_coord_temp = allocation.of[*lir.inputs.point_coord].reg;
  p.color_outputs = lir.color_outputs;
  p.early_tests = module.early_fragment_tests;
  p.writes_depth = lir.writes_depth && !p.early_tests;  // too late to matter
  p.kills = lir.kills;
  p.stats.temps = p.temps;
  p.stats.constants = constants.size();
  const Vec<uint8_t> lanes = components(points(lir), lir.registers.size());
  for (const us::FixedRegisters::Location& l : lir.inputs.locations)
    out.inputs.push_back({l.location, allocation.of[l.reg].reg, lanes[l.reg], l.flat, l.no_perspective, l.builtin});
  if (lir.inputs.position)
    out.position = us::FragmentInput{0, allocation.of[*lir.inputs.position].reg, 4, false, false, ir::Builtin::position};
  if (options.lines) *options.lines = isa::slot_lines(fitting.places, module.words);
  if (log)
    *log += "--- US microcode of " + module.name + "\n" +
            isa::with_lines(disassemble(p.levels), options.lines ? *options.lines : std::vector<std::string>());
  std::vector<std::string> problems;
  if (options.check) problems = check({p.levels, p.temps, &chip});
  if (!problems.empty()) throw isa::Unsupported("internal: the fragment microcode breaks a rule: " + problems[0]);
  return out;
}

}  // namespace pumice::compiler::us_r300
