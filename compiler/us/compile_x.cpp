// SPDX-License-Identifier: MIT
/// Programs of docs/r5x.md, section 2: all stages.
#include <algorithm>

#include "compiler/isa/constants.h"
#include "compiler/isa/error.h"
#include "compiler/us/compile.h"
#include "compiler/us/schedule.h"
#include "compiler/us/select.h"
#include "compiler/us/spill.h"
#include "hw/db/regs_r5x.h"

namespace pumice::compiler::us {
namespace {

namespace rx = regs::r5x;

template <class Visit>
void each_instruction(const ir::NodeList& list, const Visit& visit) {
  for (const ir::Node& n : list) {
    for (const ir::Instruction& x : n.instructions) visit(x);
    each_instruction(n.then_list, visit);
    each_instruction(n.else_list, visit);
  }
}

/// The X slots of the program.
template <class Visit>
void each_slot(const Lir& lir, const Visit& visit) {
  for (const Op& op : lir.ops) {
    if (op.x >= 0) visit(lir.slots[static_cast<size_t>(op.x)]);
  }
}

/// What operands name, then the constant arrays that are indexed at run time, whose loads learn where they are.
std::vector<std::array<uint32_t, 4>> literals(const ir::Module& module, const isa::ConstantFile& constants, Lir& lir) {
  std::vector<std::array<uint32_t, 4>> out = constants.immediates();
  Vec<int64_t> at(module.uniforms.size(), -1);
  for (XSlot& s : lir.slots) {
    if (s.array < 0) continue;
    const size_t row = static_cast<size_t>(s.array);
    if (at[row] < 0) {
      at[row] = static_cast<int64_t>(out.size() * 16);
      const std::vector<float>& values = module.uniforms[row].immediate;
      for (size_t i = 0; i < values.size(); i += 4) {
        std::array<uint32_t, 4>& vec = out.emplace_back();
        for (size_t k = 0; k < 4 && i + k < values.size(); k++) vec[k] = std::bit_cast<uint32_t>(values[i + k]);
      }
    }
    s.say.immediate += static_cast<uint32_t>(at[row]);
    s.array = -1;
  }
  return out;
}

std::vector<XDescriptor> descriptors(const ir::Module& module) {
  std::vector<XDescriptor> out;
  const auto add = [&](const ir::Resource& r, uint32_t element, bool indexed, bool read, bool written) {
    if (r.layout.set == kWholeMemory) return;
    XDescriptor d;
    d.set = r.layout.set;
    d.binding = r.layout.binding;
    d.kind = r.layout.kind;
    d.all_elements = indexed;
    d.element = indexed ? 0 : element;
    const auto same = [&](const XDescriptor& o) {
      return o.set == d.set && o.binding == d.binding && o.kind == d.kind && o.all_elements == d.all_elements && o.element == d.element;
    };
    auto found = std::find_if(out.begin(), out.end(), same);
    if (found == out.end()) found = out.insert(out.end(), d);
    found->read |= read;
    found->written |= written;
  };
  each_instruction(module.body, [&](const ir::Instruction& x) {
    if (!ir::names_resource(x.op)) return;
    const ir::Access a = x.access();
    const bool store = x.op == ir::Op::store_buffer || x.op == ir::Op::store_image;
    const bool atomic = x.op == ir::Op::atomic_buffer || x.op == ir::Op::atomic_image;
    add(module.resources[x.index], a.element, (a.flags & ir::Access::kIndexed) != 0, !store, store || atomic);
    if (a.sampler) add(module.resources[a.sampler - 1u], a.sampler_element, (a.flags & ir::Access::kSamplerIndexed) != 0, true, false);
  });
  std::sort(out.begin(), out.end(), [](const XDescriptor& a, const XDescriptor& b) {
    return std::tie(a.set, a.binding, a.element, a.all_elements, a.kind) < std::tie(b.set, b.binding, b.element, b.all_elements, b.kind);
  });
  return out;
}

/// Bytes of the push constants that the program can read.
uint32_t push_bytes(const ir::Module& module, const Lir& lir) {
  bool any = false;
  each_slot(lir, [&](const XSlot& s) { any |= s.say.op == XOp::LDU; });
  return any ? module.push_size : 0;
}

bool stores_to_memory(const Lir& lir) {
  bool any = false;
  each_slot(lir, [&](const XSlot& s) {
    const XOpInfo& op = info(s.say.op);
    any |= op.stores && !op.scratch && !op.local;
  });
  return any;
}

void vertex(const Lir& lir, XProgram& p) {
  rx::X_VS_CTRL control;
  uint32_t varyings = 0, clip = 0, cull = 0;
  each_slot(lir, [&](const XSlot& s) {
    const uint32_t n = s.say.immediate;
    if (s.say.op == XOp::LDA) p.attributes |= 1u << n;
    if (s.say.op != XOp::EXP) return;
    if (n == kPointSize) control.POINT_SIZE(1);
    if (n == 18) control.LAYER(1);
    if (n == 19) control.VIEWPORT(1);
    if (n == 20 || n == 21) clip |= uint32_t{s.mask} << (n - 20) * 4;
    if (n == 22 || n == 23) cull |= uint32_t{s.mask} << (n - 22) * 4;
    if (n >= kVaryings) varyings = std::max(varyings, n - kVaryings + 1);
  });
  p.control = control.CLIP_DISTANCES(clip).CULL_DISTANCES(cull).VARYINGS(varyings).STORES(stores_to_memory(lir)).raw;
}

void fragment(const ir::Module& module, const Lir& lir, XProgram& p) {
  rx::X_FS_CTRL control;
  control.EARLY_TESTS(module.early_fragment_tests).PER_SAMPLE(module.per_sample).STORES(stores_to_memory(lir));
  control.DEPTH_MODE(static_cast<uint32_t>(module.depth_mode));
  each_slot(lir, [&](const XSlot& s) {
    const uint32_t n = s.say.immediate;
    if (s.say.op == XOp::KILL) control.KILLS(1);
    if (s.say.op == XOp::LDV && n >= p.varyings.size()) p.varyings.resize(n + 1);
    if (s.say.op != XOp::EXP) return;
    if (n < 8) p.color_outputs |= 1u << n;
    if (n == 8) control.WRITES_DEPTH(1);
    if (n == 9) control.WRITES_STENCIL(1);
    if (n == 10) control.WRITES_MASK(1);
  });
  p.control = control.raw;
  for (const ir::Input& in : module.inputs) {
    if (in.builtin != ir::Builtin::none || in.location >= p.varyings.size()) continue;
    rx::X_RS_VARYING v{.raw = p.varyings[in.location]};
    const uint32_t components = ((1u << in.comps) - 1) << in.component & 15;
    if (in.flat) v.FLAT(v.FLAT() | components);
    if (in.no_perspective) v.NOPERSPECTIVE(v.NOPERSPECTIVE() | components);
    if (in.centroid) v.CENTROID(1);
    if (in.sample) v.SAMPLE(1);
    p.varyings[in.location] = v.raw;
  }
}

}  // namespace

XProgram compile_x(const ir::Module& module, const Options& options, std::string* log) {
  const ChipLimits& chip = *options.chip;
  const auto limit = [&](const char* what, size_t needed, size_t available) {
    if (needed > available)
      throw isa::Unsupported("needs " + std::to_string(needed) + " " + what + ", the " + std::string(chip.name) + " has " +
                             std::to_string(available));
  };
  isa::ConstantFile constants(module);
  Lir lir = select(module, constants, options);
  fold_conditions(lir);
  remove_dead(lir);
  // What is dead in the arms leaves empty branches, and those leave dead conditions.
  for (int i = 0; i < 2 && remove_empty_branches(lir); i++) remove_dead(lir);
  XProgram p;
  p.literals = literals(module, constants, lir);
  if (log) *log += "--- US operations of " + module.name + "\n" + print(lir);
  p.scratch_bytes = (module.scratch_bytes + 15) / 16 * 16;
  const uint32_t spread = std::min<uint32_t>(32, 1 + static_cast<uint32_t>(lir.ops.size()) / 4);
  const isa::Allocation allocation = allocate_or_spill(lir, chip.fragment.temps, spread, p.scratch_bytes);
  const Scheduled scheduled = schedule(lir, allocation, chip);
  limit("instruction slots", scheduled.code.size(), chip.fragment.slots);
  constexpr size_t kScratch = ((1u << 20) - 1) * 16;
  limit("literals", p.literals.size(), chip.fragment.literals);
  limit("bytes of scratch memory", p.scratch_bytes, kScratch);
  p.code.reserve(scheduled.code.size());
  for (const Instruction& x : scheduled.code) {
    p.code.push_back(pack(x));
    (x.type == Type::TEXTURE ? p.stats.tex : x.type == Type::FLOW_CONTROL ? p.stats.flow : p.stats.alu)++;
  }
  p.temps = std::max(1u, allocation.used);
  p.lds_bytes = module.shared_bytes;
  p.local_size = module.local_size;
  p.push_bytes = push_bytes(module, lir);
  p.descriptors = descriptors(module);
  if (module.stage == Stage::vertex) vertex(lir, p);
  if (module.stage == Stage::fragment) fragment(module, lir, p);
  p.stats.slots = static_cast<uint32_t>(p.code.size());
  p.stats.temps = p.temps;
  p.stats.constants = static_cast<uint32_t>(p.literals.size());
  p.stats.paired = scheduled.paired;
  std::vector<std::string> problems;
  if (options.check) problems = check(scheduled.code, {p.code, p.temps, true, &chip});
  if (options.lines) *options.lines = isa::slot_lines(scheduled.places, module.words);
  if (log)
    *log += "--- US microcode of " + module.name + "\n" +
            isa::with_lines(disassemble(p.code), options.lines ? *options.lines : std::vector<std::string>());
  if (!problems.empty()) throw isa::Unsupported("internal: the microcode breaks a rule: " + problems[0]);
  return p;
}

}  // namespace pumice::compiler::us
