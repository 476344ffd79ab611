// SPDX-License-Identifier: MIT
/// See routine.h.
#include "hw/radeon/fast/extended/routine.h"

#include <algorithm>
#include <atomic>

#include "hw/common/numerics/hash.h"
#include "hw/common/simd/flush.h"
#include "hw/radeon/fast/extended/caller.h"
#include "hw/radeon/fast/extended/later_routine.h"
#include "hw/radeon/fast/extended/slot_routines.h"
#include "hw/radeon/fast/extended/wide.h"

namespace pumice::hw::fast::extended {

namespace {

template <class F>
const void* address_of(F* function) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(function));
}

const char* name_of(hw::x::Stage stage) {
  switch (stage) {
    case hw::x::Stage::vertex: return "x_vs_";
    case hw::x::Stage::fragment: return "x_fs_";
    case hw::x::Stage::compute: break;
  }
  return "x_cs_";
}

}  // namespace

Routine::Routine(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                 const DescriptorKeys& keys, Cpu cpu, CodeNames names, const std::shared_ptr<lane::CodeMemory>& memory, StageCode* code,
                 std::shared_ptr<SlotRoutines> slots)
    : slots_(std::move(slots)) {
  const Callbacks callbacks{.slot = address_of(Caller::slot),
                            .refill = address_of(Caller::refill),
                            .fence = address_of(Caller::fence),
                            .clock = address_of(Caller::clock),
                            .wide = address_of(wide_lanes)};
  Translator translator(program, needs.temps, needs.scratch, stage, form, callbacks, keys, code);
  auto made = translator.run();
  if (!made) {
    why_ = translator.why();
    return;
  }
  views_ = std::move(made->views);
  constant_rows_ = std::move(made->constant_rows);
  barriers_ = made->barriers, state_bytes_ = made->state_bytes;
  calls_ = made->calls;
  scratch_ = made->scratch;
  quads_ = std::any_of(made->program.nodes.begin(), made->program.nodes.end(), [](const lane::Node& n) { return n.op == lane::Op::quad; });
  for (const lane::Node& n : made->program.nodes)
    if ((n.op == lane::Op::lanes || n.op == lane::Op::splat) && n.p == lane::kArgs.id) reads_.push_back(n.imm);
  std::sort(reads_.begin(), reads_.end());
  operations_ = uint32_t(made->program.nodes.size());
  straight_ = !calls_ && made->program.budgets.empty();
  if (cpu == Cpu::portable)
    steps_.emplace(made->program);
  else
    code_ = lane::assemble(made->program, cpu, name_of(stage) + std::to_string(program.code.size()), names, cpu_extras(), memory);
  if (!usable()) why_ = "no executable memory";
}

size_t Routines::Hash::operator()(const Words& words) const { return size_t(num::hash_words(words)); }

/// Of content_.
uint32_t Routines::number_of_content() {
  const auto found = contents_.find(content_);
  if (found != contents_.end()) return found->second;
  if (contents_.size() >= kMost) contents_.clear();  // numbers are not reused
  return contents_[content_] = ++last_content_;
}

std::shared_ptr<const Routines::CodeFacts> Routines::code_facts(const hw::x::Code& code) {
  std::shared_ptr<const void>& known = code.derived[size_t(hw::x::Derived::routines)];
  if (auto f = std::static_pointer_cast<const CodeFacts>(known); f && f->owner == identity_) return f;
  content_.assign(1, uint32_t(code.words.size()));
  for (const isa::us_r500::Words& w : code.words) content_.insert(content_.end(), w.begin(), w.end());
  auto made = std::make_shared<const CodeFacts>(CodeFacts{identity_, number_of_content(), texture_uses(code.instructions),
                                                          image_uses(code.instructions), LiteralUses(code.instructions)});
  known = made;
  return made;
}

const Routines::Facts& Routines::facts(const ProgramPointer& program) {
  std::shared_ptr<const void>& known = program->for_routines;
  if (const auto* f = static_cast<const Facts*>(known.get()); f && f->code->owner == identity_) return *f;
  auto made = std::make_shared<Facts>();
  made->code = code_facts(*program->shared);
  if (cpu_ == Cpu::avx512) made->open = made->code->literals.open(program->literals);  // elsewhere operands in memory are whole vectors
  content_ = {0, made->code->content};                                                 // longer than that of a code without slots
  for (size_t i = 0; i < program->literals.size(); ++i) {
    constexpr uint32_t kSign = 0x80000000;
    const uint32_t bits = i < made->open.size() ? made->open[i] : 0;
    content_.push_back(bits);
    for (uint32_t c = 0; c < 4; ++c) content_.push_back(program->literals[i][c] & (bits >> c & 1u ? kSign : ~0u));
  }
  made->content = number_of_content();
  known = made;
  return *made;
}

Routines::Routines(Cpu cpu, CodeNames names, uint32_t collect_after)
    : cpu_(cpu), names_(names), collect_after_(collect_after), slots_(std::make_shared<SlotRoutines>(cpu, names, memory_)) {}

Routines::~Routines() = default;

void Routines::make_key(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                        const DescriptorKeys& keys, std::span<const uint32_t> key) {
  key_.assign({facts(program).content, form.constants_at << 8 | uint32_t(stage) << 3 | uint32_t(form.rows) << 1 | uint32_t(form.full),
               needs.temps, needs.scratch, uint32_t(key.size())});
  key_.insert(key_.end(), key.begin(), key.end());
  for (const TextureKey& t : keys.textures) {
    const auto words = t.words();
    key_.insert(key_.end(), words.begin(), words.end());
  }
  for (const ImageKey& i : keys.images) key_.push_back(i.word());
}

std::shared_ptr<const Routine> Routines::find(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage,
                                              GroupForm form, const DescriptorKeys& keys, StageCode* code, std::span<const uint32_t> key) {
  make_key(program, needs, stage, form, keys, key);
  if (const auto found = routines_.find(key_); found != routines_.end()) return found->second;
  if (routines_.size() >= kMost) routines_.clear();
  const OrdinaryFloats ordinary_floats;  // constants are folded
  const DescriptorKeys all{keys.textures, keys.images, facts(program).open};
  return routines_[key_] = std::make_shared<Routine>(*program, needs, stage, form, all, cpu_, names_, memory_, code, slots_);
}

std::shared_ptr<LaterRoutine> Routines::find_collected(const ProgramPointer& program, const hw::x::Resources& needs,
                                                       const DescriptorKeys& keys, const std::shared_ptr<const Routine>& alone,
                                                       std::function<std::unique_ptr<StageCode>()> code, const Words& key) {
  static constexpr hw::x::Stage kStage = hw::x::Stage::fragment;
  make_key(program, needs, kStage, {}, keys, key);
  if (const auto found = collected_.find(key_); found != collected_.end()) return found->second;
  if (collected_.size() >= kMost) collected_.clear();
  const auto make = [program, needs, textures = std::vector(keys.textures.begin(), keys.textures.end()),
                     images = std::vector(keys.images.begin(), keys.images.end()), open = facts(program).open, alone,
                     code = std::move(code), cpu = cpu_, names = names_, memory = memory_,
                     slots = slots_]() -> std::shared_ptr<const Routine> {
    const auto of_stage = code();
    auto made = std::make_shared<Routine>(*program, needs, kStage, GroupForm{}, DescriptorKeys{textures, images, open}, cpu, names, memory,
                                          of_stage.get(), slots);
    if (!made->usable() || made->views() != alone->views()) return nullptr;
    return made;
  };
  auto later = std::make_shared<LaterRoutine>(collect_after_, make);
  later->missed(0);
  return collected_[key_] = std::move(later);
}

}  // namespace pumice::hw::fast::extended
