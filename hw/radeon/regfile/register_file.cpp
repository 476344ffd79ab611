// SPDX-License-Identifier: MIT
/// Access rules of register_file.h and the reset values of chip_state.h.
#include "hw/radeon/regfile/register_file.h"

#include <cassert>
#include <memory>

namespace pumice::hw {

void reset(ChipState& state, Profile profile) {
  state.profile = profile;
  state.reg.fill(0);
  for (const decode::Entry& e : decode::tables(profile).entries)
    if (e.kind == decode::Kind::reg)
      for (uint32_t i = 0; i < e.count; ++i) state.reg[(static_cast<uint32_t>(e.offset) + i * e.stride) / 4] = e.reset;
  for (auto& v : state.us_code) v.fill(0);
  for (auto& v : state.us_const) v.fill(0);
  for (auto& v : state.pvs) v.fill(0);
  state.filter4 = {};
}

namespace {

/// Registers below are the ring's and the host's, writable by the host only (hw/radeon/cp/executor.h).
constexpr uint32_t kHostRegistersEnd = 0x1000;

/// Two addresses, one register (pipeline s.3, cp-pm4 s.1).
struct Alias {
  uint32_t a, b, count;
};
constexpr Alias kAliases[] = {
    {regs::SE_VPORT_XSCALE::offset, regs::VAP_VPORT_XSCALE::offset, 6},
    {regs::DSTCACHE_CTLSTAT::offset, regs::RB2D_DSTCACHE_CTLSTAT::offset, 1},
};

uint32_t other_address(uint32_t offset) {
  for (const Alias& alias : kAliases) {
    if (offset - alias.a < alias.count * 4) return alias.b + (offset - alias.a);
    if (offset - alias.b < alias.count * 4) return alias.a + (offset - alias.b);
  }
  return offset;
}

}  // namespace

RegisterFile::RegisterFile(ChipState& state, BadWrite bad_write)
    : state_(state), tables_(decode::tables(state.profile)), bad_write_(std::move(bad_write)), slots_(kRegistersEnd / 4) {
  for (const decode::Entry& e : tables_.entries) {
    if (e.kind != decode::Kind::reg) continue;
    for (uint32_t i = 0; i < e.count; ++i) {
      const uint32_t offset = static_cast<uint32_t>(e.offset) + i * e.stride;
      assert(offset < kRegistersEnd);
      Slot& slot = slots_[offset / 4];
      if (slot.rule != absent) continue;
      slot.rule = e.access == decode::Access::ro ? read_only : plain;
      slot.groups = e.groups;
      slot.direct = slot.rule == plain && offset >= kHostRegistersEnd;
      slot.readable = e.access != decode::Access::wo;
    }
  }
  for (const Alias& alias : kAliases)
    for (uint32_t i = 0; i < alias.count; ++i)
      for (const uint32_t offset : {alias.a + 4 * i, alias.b + 4 * i}) {
        slots_[offset / 4].direct = false;
        slots_[offset / 4].aliased = true;
      }
}

void RegisterFile::attach(uint32_t offset, uint32_t count, uint32_t stride, Hook hook) {
  hooks_.push_back({offset, count, stride, std::move(hook)});
  if (offset >= kRegistersEnd) return;
  for (uint32_t i = 0; i < count; ++i) {
    Slot& slot = slots_[(offset + i * stride) / 4];
    if (slot.rule == absent) continue;  // the profile has no such register: the hook never runs
    assert(slot.rule == plain && slot.hook == 0);
    slot.direct = false;
    slot.hook = static_cast<uint16_t>(hooks_.size());
  }
}

const RegisterFile::Attached* RegisterFile::window(uint32_t offset) const {
  if (offset < kRegistersEnd || offset % 4) return nullptr;
  for (const Attached& hook : hooks_)
    if (hook.offset >= kRegistersEnd && offset - hook.offset < hook.count * hook.stride) return &hook;
  return nullptr;
}

bool RegisterFile::is_absent(uint32_t offset) const { return !tables_.at(offset); }

void RegisterFile::reset(bool zeroed) {
  if (zeroed) {
    for (const decode::Entry& e : tables_.entries)
      if (e.kind == decode::Kind::reg && e.reset)
        for (uint32_t i = 0; i < e.count; ++i) poke(static_cast<uint32_t>(e.offset) + i * e.stride, e.reset);
  } else {
    // Modify a copy: the host may read the register concurrently.
    const auto fresh = std::make_unique<ChipState>(state_.profile);
    hw::reset(*fresh, state_.profile);
    for (uint32_t dword = 0; dword < fresh->reg.size(); ++dword) poke(dword * 4, fresh->reg[dword]);
    state_.us_code = fresh->us_code;
    state_.us_const = fresh->us_const;
    state_.pvs = fresh->pvs;
    state_.filter4 = fresh->filter4;
  }
  changes_ = {};
  named_.reset();
}

void RegisterFile::write(uint32_t offset, uint32_t value) {
  // A window has no storage: it is a port into a store, or without effect if there is no hook.
  if (const Attached* store = window(offset)) return run_hook(offset, value, *store);
  if (offset % 4 || offset >= kRegisterSpace) return bad_write_(offset, value, "outside the register space");
  const Slot slot = offset < kRegistersEnd ? slots_[offset / 4] : Slot{};
  if (slot.rule != plain) {
    if (named_.test(offset / 4)) return;
    named_.set(offset / 4);
    return bad_write_(offset, value, slot.rule == read_only ? "read-only register" : "no such register on this profile");
  }
  if (state_.reg[offset / 4] != value) {
    changes_.groups |= slot.groups;
    poke(offset, value);
  }
  if (slot.aliased) poke(other_address(offset), value);
  if (slot.hook) run_hook(offset, value, hooks_[slot.hook - 1]);
}

uint32_t RegisterFile::read(uint32_t offset) const {
  if (offset % 4 || offset >= kRegistersEnd || !slots_[offset / 4].readable) return 0;
  return std::atomic_ref<uint32_t>(state_.reg[offset / 4]).load(std::memory_order_acquire);
}

}  // namespace pumice::hw
