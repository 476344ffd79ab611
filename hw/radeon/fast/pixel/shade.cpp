// SPDX-License-Identifier: MIT
/// Keys of fragment programs, and the choice between native code and the interpreter.
#include "hw/radeon/fast/pixel/shade.h"

#include <optional>

#include "hw/common/numerics/hash.h"
#include "hw/db/groups.h"
#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/us/reach.h"
#include "hw/radeon/jit/us/translate.h"

namespace pumice::hw::fast::us {

ShadeKey::ShadeKey(const ChipState& state, const RsLayout& layout, Cpu cpu) {
  const Reach r = reach(state);
  words_.reserve(512);
  words_.push_back(uint32_t(cpu) | uint32_t(state.profile) << 8 | uint32_t(layout.perspective) << 16 | uint32_t(layout.count) << 24);
  for (const RegisterRange& registers : program_key(state.profile))
    words_.insert(words_.end(), state.reg.begin() + registers.first / 4, state.reg.begin() + registers.end / 4);
  for (uint32_t i = 0; i < layout.count; ++i) {
    words_.push_back(layout.reg[i].address);
    for (const RsSource& s : layout.reg[i].channel)
      words_.push_back(uint32_t(s.kind) | uint32_t(s.index) << 8 | uint32_t(s.perspective) << 16);
  }
  // The stores of the R3xx are registers of the key; of the R4xx these show one bank.
  if (r.levels && us_r300::extended(state))
    for (const auto& slot : state.us_code) words_.insert(words_.end(), slot.begin(), slot.end());
  for (uint32_t pc = r.lowest; pc < (r.levels ? 0 : r.behind); ++pc)
    if (r.slot[pc]) {
      words_.push_back(pc);
      words_.insert(words_.end(), state.us_code[pc].begin(), state.us_code[pc].end());
    }
  hash_ = num::hash_words(words_);
}

namespace {

class Shade : public CompiledShade {
 public:
  Shade(const ChipState& state, const RsLayout& layout, Cpu cpu, CodeNames names, const std::shared_ptr<lane::CodeMemory>& memory) {
    layout_ = layout;
    const Reach r = reach(state);
    traits_ = us::traits(state, r);
    routine_ = interpret;
    Translator translator(state, layout, r, interpret);
    auto program = translator.run();
    if (!program) {
      why_ = translator.why();
      return;
    }
    traits_.uniform = Translator::is_uniform(*program);
    traits_.constants = translator.constants();
    if (!traits_.kills) texel_copy_ = find_texel_copy(*program);
    if (cpu == Cpu::portable) {
      program_.emplace(*program);
      routine_ = run_portable;
    } else {
      code_ = lane::assemble(*program, cpu, "us_" + std::to_string(r.start) + "_" + std::to_string(r.slot.count()), names, cpu_extras(),
                             memory);
      if (!code_) {
        why_ = "no executable memory";
        return;
      }
      routine_ = reinterpret_cast<ShadeRoutine>(reinterpret_cast<uintptr_t>(code_->function()));
    }
    native_ = true;
    may_interpret_ = translator.may_interpret();
  }
  size_t code_size() const { return code_ ? code_->size() : 0; }

 private:
  static void run_portable(ShadeArgs& args) {
    const auto* shade = static_cast<const Shade*>(static_cast<const ShadeUser*>(args.user)->shade);
    shade->program_->run(&args);
  }

  std::shared_ptr<const lane::Code> code_;
  std::optional<lane::Interpreter> program_;
};

}  // namespace

std::shared_ptr<const CompiledShade> compile(const ChipState& state, const RsLayout& layout, Cpu cpu, CodeNames names,
                                             const std::shared_ptr<lane::CodeMemory>& memory) {
  return std::make_shared<Shade>(state, layout, cpu, names, memory);
}

std::string listing(const ChipState& state, const RsLayout& layout) {
  const Reach r = reach(state);
  Translator translator(state, layout, r, interpret);
  const auto program = translator.run();
  return program ? lane::print(*program) : "not native: " + translator.why() + "\n";
}

}  // namespace pumice::hw::fast::us
