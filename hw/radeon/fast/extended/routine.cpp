// SPDX-License-Identifier: MIT
/// See routine.h.
#include "hw/radeon/fast/extended/routine.h"

#include <algorithm>
#include <atomic>

#include "hw/radeon/fast/extended/caller.h"

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

Routine::Routine(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full, const DescriptorKeys& keys,
                 Cpu cpu, CodeNames names, StageCode* code) {
  const Callbacks callbacks{address_of(Caller::slot), address_of(Caller::refill), address_of(Caller::fence)};
  Translator translator(program, needs.temps, needs.scratch, stage, full, callbacks, keys, code);
  auto made = translator.run();
  if (!made) {
    why_ = translator.why();
    return;
  }
  views_ = std::move(made->views);
  barriers_ = made->barriers, state_bytes_ = made->state_bytes;
  calls_ = made->calls, writes_any_ = made->writes_any;
  if (cpu == Cpu::portable)
    steps_.emplace(made->program);
  else
    code_ = lane::assemble(made->program, cpu, name_of(stage) + std::to_string(program.code.size()), names);
  if (!usable()) why_ = "no executable memory";
}

size_t Routines::Hash::operator()(const Words& words) const {
  uint64_t h = 0x9E3779B97F4A7C15u;
  for (const uint32_t w : words) h = (h ^ w) * 0xD6E8FEB86659FD93u, h ^= h >> 32;
  return size_t(h);
}

std::shared_ptr<const Routine> Routines::find(const std::shared_ptr<const hw::x::Program>& program, const hw::x::Resources& needs,
                                              hw::x::Stage stage, bool full, const DescriptorKeys& keys) {
  const uint32_t how = uint32_t(stage) << 1 | uint32_t(full);
  if (recent_.size() >= kMost) recent_.clear();
  Recent& recent = recent_[{program.get(), how}];
  if (recent.routine && recent.temps == needs.temps && recent.scratch == needs.scratch && std::ranges::equal(recent.textures, keys.textures) &&
      std::ranges::equal(recent.images, keys.images))
    return recent.routine;
  const std::shared_ptr<const Routine> routine = find(*program, needs, stage, full, keys, nullptr, {});
  recent = {program, needs.temps, needs.scratch, {keys.textures.begin(), keys.textures.end()}, {keys.images.begin(), keys.images.end()}, routine};
  return routine;
}

std::shared_ptr<const Routine> Routines::find(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full,
                                              const DescriptorKeys& keys, StageCode& code, const Words& key) {
  return find(program, needs, stage, full, keys, &code, key);
}

std::shared_ptr<const Routine> Routines::find(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full,
                                              const DescriptorKeys& keys, StageCode* code, Words key) {
  for (const TextureKey& t : keys.textures) {
    const auto words = t.words();
    key.insert(key.end(), words.begin(), words.end());
  }
  for (const ImageKey& i : keys.images) key.push_back(i.word());
  key.insert(key.begin(),
             {uint32_t(key.size()), uint32_t(stage) << 1 | uint32_t(full), needs.temps, needs.scratch, uint32_t(program.code.size())});
  for (const auto& x : program.code) {
    const isa::us_r500::Words w = pack(x);
    key.insert(key.end(), w.begin(), w.end());
  }
  for (const hw::x::Bits4& l : program.literals) key.insert(key.end(), l.begin(), l.end());
  if (routines_.size() >= kMost) routines_.clear();
  auto& routine = routines_[std::move(key)];
  if (!routine) routine = std::make_shared<Routine>(program, needs, stage, full, keys, cpu_, names_, code);
  return routine;
}

const Routines::Uses& Routines::uses(const std::shared_ptr<const hw::x::Program>& program) {
  if (uses_.size() >= kMost) uses_.clear();
  Uses& u = uses_[program.get()];
  if (!u.program) u = {program, texture_uses(program->code), image_uses(program->code)};
  return u;
}

}  // namespace pumice::hw::fast::extended
