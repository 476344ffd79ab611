// SPDX-License-Identifier: MIT
/// See executor.h: registers whose write has side effects.
#include <algorithm>
#include <atomic>
#include <iterator>

#include "hw/db/regs_r5x.h"
#include "hw/radeon/cp/executor.h"
#include "hw/radeon/cp/transfer.h"
#include "hw/radeon/memory/endian.h"

namespace pumice::hw {

void Executor::attach_hooks() {
  RegisterFile& r = registers_;
  r.on_write<regs::VAP_VF_CNTL>([this](uint32_t, uint32_t v) {
    run_held();
    draws_.begin({v});
  });
  const auto port = [this](uint32_t, uint32_t v) { draws_.data({&v, 1}); };
  r.on_write<regs::VAP_PORT_DATA>(port);
  r.on_write<regs::VAP_PORT_IDX>(port);
  r.on_write<regs::VAP_PORT_DATA_IDX_128>(port);

  r.on_write<regs::CP_IB_BUFSZ>(
      [this](uint32_t, uint32_t v) { run_indirect(Stream::ib1, state_.raw(regs::CP_IB_BASE::offset), regs::CP_IB_BUFSZ{v}.IB_BUFSZ()); });
  r.on_write<regs::CP_IB2_BUFSZ>([this](uint32_t, uint32_t v) {
    run_indirect(Stream::ib2, state_.raw(regs::CP_IB2_BASE::offset), regs::CP_IB2_BUFSZ{v}.IB2_BUFSZ());
  });
  r.on_write<regs::CP_GUI_COMMAND>(
      [this](uint32_t, uint32_t v) { host_dma(state_.raw(regs::CP_GUI_SRC_ADDR::offset), state_.raw(regs::CP_GUI_DST_ADDR::offset), v); });
  // The documents give no fields: those of CP_GUI_COMMAND (UNCONFIRMED).
  r.on_write<regs::CP_VID_COMMAND>(
      [this](uint32_t, uint32_t v) { host_dma(state_.raw(regs::CP_VID_SRC_ADDR::offset), state_.raw(regs::CP_VID_DST_ADDR::offset), v); });
  r.on_write<regs::GUI_SCRATCH_REG>([this](uint32_t i, uint32_t v) { scratch(i, v); });
  r.on_write<regs::GEN_INT_STATUS>([this](uint32_t, uint32_t v) { interrupt_status(v); });
  r.on_write<regs::CP_RESYNC_DATA>([this](uint32_t, uint32_t) { resync_armed_ = true; });
  r.on_write<regs::RB3D_DSTCACHE_CTLSTAT>([this](uint32_t, uint32_t v) {
    // There are no caches to flush, and draws are finished before their results can be observed: a finish is immediate.
    if (regs::RB3D_DSTCACHE_CTLSTAT{v}.DC_FINISH()) resync();
  });
  r.on_write<regs::TX_INVALTAGS>([this](uint32_t, uint32_t) { draws_.order(); });
  // The command bits clear themselves, and nothing is ever busy.
  r.on_write<regs::ZB_ZCACHE_CTLSTAT>([this](uint32_t, uint32_t) { registers_.poke(regs::ZB_ZCACHE_CTLSTAT{0}); });
  // Fuses are read only, and assigning pipes by them is done at once.
  r.on_write<regs::GB_PIPE_SELECT>([this](uint32_t, uint32_t v) {
    using Select = regs::GB_PIPE_SELECT;
    const Select fuses{Select::reset};
    registers_.poke(Select{v}.MAX_PIPE(fuses.MAX_PIPE()).BAD_PIPES(fuses.BAD_PIPES()).CONFIG_PIPES(0));
  });
  r.on_write<regs::ZB_ZPASS_DATA>([this](uint32_t, uint32_t v) {
    finish();
    draws_.counters().zpass = v;
    registers_.poke(regs::ZB_ZPASS_DATA{v});
  });
  // GA works on a draw when it begins: no draw that is queued moves the accumulator any more.
  r.on_write<regs::GA_LINE_STIPPLE_VALUE>([this](uint32_t, uint32_t v) { draws_.counters().stipple = v; });
  r.on_write<regs::ZB_ZPASS_ADDR>([this](uint32_t, uint32_t v) { store_zpass(v); });
  attach_ram_ports();

  r.on_write<regs::r5x::X_CODE_INVALIDATE>([this](uint32_t, uint32_t) { draws_.programs().invalidate(); });

  r.on_write<regs::GA_IDLE>([this](uint32_t, uint32_t) { set_status(); });

  // Microcode is kept and read back but has no effect: this file is the microcode.
  r.on_write<regs::CP_ME_RAM_DATAL>([this](uint32_t, uint32_t v) {
    auto address = state_.get<regs::CP_ME_RAM_ADDR>();
    microcode_[address.ME_RAM_ADDR()] = uint64_t{state_.get<regs::CP_ME_RAM_DATAH>().ME_RAM_DATAH()} << 32 | v;
    registers_.poke(address.ME_RAM_ADDR((address.ME_RAM_ADDR() + 1) % kMicrocodeWords));
  });
  r.on_write<regs::CP_ME_RAM_RADDR>([this](uint32_t, uint32_t v) {
    // UNCONFIRMED: reads do not advance the address, each word is selected by a write of it.
    const uint64_t word = microcode_[regs::CP_ME_RAM_RADDR{v}.ME_RAM_RADDR()];
    registers_.poke(regs::CP_ME_RAM_DATAH{static_cast<uint32_t>(word >> 32)});
    registers_.poke(regs::CP_ME_RAM_DATAL{static_cast<uint32_t>(word)});
  });

  r.on_write<regs::CP_CSQ_APER_PRIMARY>([this](uint32_t, uint32_t v) { push(0, v); });
  r.on_write<regs::CP_CSQ_APER_INDIRECT>([this](uint32_t, uint32_t v) { push(1, v); });
  r.on_write<regs::CP_CSQ_APER_INDIRECT2>([this](uint32_t, uint32_t v) { push(2, v); });
}

namespace {

/// The three registers through which an on-chip RAM is accessed.
struct RamPort {
  OnChipRam ram;
  uint32_t write_index, dword, read_index;
};
constexpr RamPort kRamPorts[] = {
    {OnChipRam::zmask, regs::ZB_ZMASK_WRINDEX::offset, regs::ZB_ZMASK_DWORD::offset, regs::ZB_ZMASK_RDINDEX::offset},
    {OnChipRam::hiz, regs::ZB_HIZ_WRINDEX::offset, regs::ZB_HIZ_DWORD::offset, regs::ZB_HIZ_RDINDEX::offset},
    {OnChipRam::cmask, regs::RB3D_CMASK_WRINDEX::offset, regs::RB3D_CMASK_DWORD::offset, regs::RB3D_CMASK_RDINDEX::offset},
};

/// Takes the dword's number from a cursor and moves the cursor on. All three have the form of ZB_HIZ_WRINDEX (hw/radeon/regfile/README.md).
uint32_t advance(RegisterFile& registers, const ChipState& state, uint32_t cursor) {
  const regs::ZB_HIZ_WRINDEX at{state.raw(cursor)};
  const uint32_t pipes = state.chip().raster_pipes;
  registers.poke(cursor, regs::ZB_HIZ_WRINDEX{}.HIZ_WRINDEX((at.HIZ_WRINDEX() + pipes) & 0xFFFF).raw);
  return at.HIZ_WRINDEX() / pipes;
}

}  // namespace

void Executor::attach_ram_ports() {
  for (const RamPort& port : kRamPorts)
    registers_.attach(port.dword, 1, 4, [this, &port](uint32_t, uint32_t v) {
      finish();
      rams_.write(port.ram, advance(registers_, state_, port.write_index), v);
    });
}

bool Executor::reads_with_effect(uint32_t offset) {
  return std::any_of(std::begin(kRamPorts), std::end(kRamPorts), [&](const RamPort& p) { return p.dword == offset; });
}

uint32_t Executor::host_read(uint32_t offset) {
  for (const RamPort& port : kRamPorts)
    if (port.dword == offset) {
      finish();
      return rams_.read(port.ram, advance(registers_, state_, port.read_index));
    }
  return registers_.read(offset);
}

void Executor::set_status() {
  if (!state_.chip().has_idle_registers) return;
  // Reads always report the blocks behind the CP as idle: each packet is finished before the next. The queues never fill.
  registers_.poke(regs::GA_IDLE{~0u});
  registers_.poke(regs::CP_CSQ_AVAIL{}.CSQ_CNT_PRIMARY(256).CSQ_CNT_INDIRECT(256).CSQ_CNT_INDIRECT2(256));
}

uint32_t Executor::load_dword(GpuAddress address) const {
  if (!memory_.backed(address, 4)) return memory_.load<uint32_t>(address);
  // The host may write the same dword concurrently.
  return std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(memory_.host_pointer(address & kDwordAddress)))
      .load(std::memory_order_acquire);
}

void Executor::store_dword(GpuAddress address, uint32_t value) {
  if (!memory_.backed(address, 4)) return memory_.store(address, value);
  std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(memory_.host_pointer(address & kDwordAddress)))
      .store(value, std::memory_order_release);
}

void Executor::store_result(GpuAddress address, uint32_t value) {
  if (observer_) {
    observer_->signals();
    observer_->writes({address, 4});
  }
  draws_.wrote({address, address + 4});
  store_dword(address, value);
}

void Executor::interrupt_status(uint32_t value) {
  using Status = regs::GEN_INT_STATUS;
  const Status written{value};
  // The hook runs after the store; pending bits are kept in a copy, which this register's owner alone changes.
  finish();  // the host's acknowledgements come here too, also when the chip hangs
  if (observer_ && !stopped()) observer_->signals();
  interrupts_ &= ~(value & (Status{0}.SW_INT_TEST(1).GUI_IDLE_STAT(1).raw));
  if (written.SW_INT_FIRE()) interrupts_ |= Status{0}.SW_INT_TEST(1).raw;
  registers_.poke(Status{interrupts_});
  if (written.SW_INT_FIRE() && state_.get<regs::GEN_INT_CNTL>().SW_INT_ENABLE() && config_.on_interrupt) config_.on_interrupt();
}

void Executor::gui_idle() {
  using Status = regs::GEN_INT_STATUS;
  interrupts_ |= Status{0}.GUI_IDLE_STAT(1).raw;
  registers_.poke(Status{interrupts_});
  if (state_.get<regs::GEN_INT_CNTL>().GUI_IDLE_MASK() && config_.on_interrupt) config_.on_interrupt();
}

void Executor::write_back_rptr(GpuAddress ring_base, regs::CP_RB_RPTR_ADDR address, uint32_t rptr) {
  store_dword(address.RB_RPTR_ADDR() * 4, swap_endian(rptr, address.RB_RPTR_SWAP()));
  if (!memory_.backed(address.RB_RPTR_ADDR() * 4, 4)) {
    memory_.take_fault();
    reporter_.where = {Stream::ring, ring_base, rptr, regs::PM4_TYPE2_HEADER{}.TYPE(2).raw, 0};
    reporter_.report(ReportKind::vm_fault, "CP_RB_RPTR_ADDR is not backed and RB_NO_UPDATE is not set",
                     ": " + decode::hex(address.raw & ~3u));
  }
}

void Executor::scratch(uint32_t index, uint32_t value) {
  const auto mask = state_.get<regs::SCRATCH_UMSK>();
  if (!(mask.SCRATCH_UMSK_() >> index & 1)) return;
  if (!settle()) return;
  // SCRATCH_ADDR may be rewritten between two writes: fences and events each name their own 32 bytes.
  store_result((state_.raw(regs::SCRATCH_ADDR::offset) & ~31u) + 4 * index, swap_endian(value, mask.SCRATCH_SWAP()));
}

void Executor::resync() {
  if (!resync_armed_) return;
  resync_armed_ = false;
  const uint32_t index = regs::CP_RESYNC_ADDR{state_.raw(regs::CP_RESYNC_ADDR::offset)}.RESYNC_ADDR();
  if (index >= regs::GUI_SCRATCH_REG::count) return bad("CP_RESYNC_ADDR selects a scratch register that does not exist");
  registers_.write(regs::GUI_SCRATCH_REG::at(index), state_.raw(regs::CP_RESYNC_DATA::offset));
}

void Executor::host_dma(GpuAddress from, GpuAddress to, uint32_t command) {
  if (!settle()) return;
  const uint32_t size = regs::CP_GUI_COMMAND{command}.BYTE_COUNT();
  if (observer_) {
    observer_->settled();  // it may be a flag that the host polls
    observer_->reads({from, size});
    observer_->writes({to, size});
  }
  draws_.wrote({to, GpuAddress{to} + size});
  if (!memory_.backed(from, size) || !memory_.backed(to, size)) {
    memory_.copy(to, from, size);  // a fault
    return;
  }
  transfer::copy(crew_, memory_.host_pointer(to), size, memory_.host_pointer(from), size, size, 1, false);
}

void Executor::store_zpass(uint32_t address) {
  // One raster pipe. SU_REG_DEST that selects only pipes this chip lacks writes nothing; 0 (R3xx before set-up) means all.
  if (!settle()) return;
  const uint32_t pipes = state_.get<regs::SU_REG_DEST>().SELECT();
  if (pipes == 0 || pipes & 1) store_result(address & ~3u, draws_.counters().zpass);
}

void Executor::push(uint32_t queue, uint32_t value) {
  if (reporter_.where.stream != Stream::host) return bad("PIO aperture written by a command stream");
  auto& words = pushed_[queue];
  words.push_back(value);
  if (words.size() < packet_dwords(words[0])) return;
  const std::vector<uint32_t> packet = std::exchange(words, {});
  // Conditional execution needs a stream to skip in; a pushed packet has none.
  if (execute({Stream::pio, 0, 0, packet[0], 0}, packet) != 0)
    reporter_.report(ReportKind::bad_packet, "conditional execution in a PIO queue");
}

}  // namespace pumice::hw
