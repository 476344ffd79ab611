// SPDX-License-Identifier: MIT
/// Executes packets: the visitor that owns the chip's state, with the side effects of the CP's, RBBM's and ZB's registers
/// (cp-pm4 s.1, 3, 5). Indirect buffers run here, inside the register write that starts them; the ring is cp.h's.
/// Everything runs on the chip's thread. Draws may be queued (DrawExecutor); any operation that can observe or overwrite their results
/// finishes them first.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/zero_pages.h"
#include "hw/common/threads/crew.h"
#include "hw/radeon/cp/draw_unit.h"
#include "hw/radeon/cp/engine_2d.h"
#include "hw/radeon/cp/following_draws.h"
#include "hw/radeon/cp/held_rows.h"
#include "hw/radeon/cp/observer.h"
#include "hw/radeon/cp/packet.h"
#include "hw/radeon/cp/reporter.h"
#include "hw/radeon/decode/vap/vertex_state.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/regfile/register_file.h"
#include "hw/radeon/regfile/upload_ports.h"

namespace pumice::hw {

/// The aligned dword that contains an address.
inline constexpr GpuAddress kDwordAddress = ~GpuAddress{3};

/// Ring set-up and pointers: writable by the host only.
constexpr bool is_ring_register(uint32_t offset) { return offset >= regs::CP_RB_BASE::offset && offset <= regs::CP_RB_RPTR_WR::offset; }

class Executor final : private PacketVisitor {
 public:
  struct Wires {
    /// Execution must unwind now (reset or destruction).
    const std::atomic<bool>* stopping;
    /// Sleeps briefly inside a waiting packet while serving host accesses.
    std::function<void()> pause;
  };
  Executor(const GpuConfig& config, Memory& memory, DrawExecutor& draws, Team& team, Wires wires, Observer* observer = nullptr);

  void reset() { reset(false); }
  /// Resets the CP only: drops unfinished draws and clears a lockup, keeps registers.
  void reset_cp();

  /// execute() of a packet of the ring, as a separate step for the observer.
  uint32_t execute_step(const Where& where, std::span<const uint32_t> packet);
  /// Executes one packet; returns how many dwords of the same stream after it must be skipped.
  uint32_t execute(const Where& where, std::span<const uint32_t> packet);
  /// A register write by the host, outside of the command streams.
  void host_write(uint32_t offset, uint32_t value);
  void write_back_rptr(GpuAddress ring_base, regs::CP_RB_RPTR_ADDR address, uint32_t rptr);
  /// The ring ran empty.
  void gui_idle();
  /// Waits until the results of queued draws are in memory.
  void finish() {
    run_held();
    draws_.finish();
  }
  /// finish(), then whether the stream may continue: effects ordered after a draw that hung must not happen.
  [[nodiscard]] bool settle() {
    finish();
    return !stopped();
  }

  bool hung() const { return draws_.hung(); }
  bool stopped() const { return hung() || wires_.stopping->load(std::memory_order_relaxed); }
  RegisterFile& registers() { return registers_; }
  const RegisterFile& registers() const { return registers_; }
  /// Stores a dword that the host may poll: a release, so a host that sees it also sees all earlier writes.
  void store_dword(GpuAddress address, uint32_t value);
  Reporter& reporter() { return reporter_; }
  const ChipState& state() const { return state_; }
  const OnChipRams& rams() const { return rams_; }
  /// True for registers whose read has side effects: these need host_read() on the chip's thread.
  static bool reads_with_effect(uint32_t offset);
  uint32_t host_read(uint32_t offset);

 private:
  /// `zeroed`: nothing has been written yet.
  void reset(bool zeroed);
  // PacketVisitor
  void nothing() override {}
  void label(std::span<const uint32_t> payload) override {
    if (observer_) observer_->label(payload);
  }
  void registers(uint32_t offset, bool one_register, std::span<const uint32_t> values) override;
  void draw(const DrawPacket& packet) override;
  void index_buffer(const IndexBufferPacket& packet) override;
  void clear_ram(OnChipRam ram, uint32_t start, uint32_t count, uint32_t value) override;
  void wait_mem(const MemoryTest& test) override;
  void wait_semaphore(uint32_t word) override;
  /// False: the watchdog, a reset or destruction ended it.
  bool wait_until(const std::function<bool()>& holds, const char* packet, const std::string& condition);
  void cond_exec(const MemoryTest& test, uint32_t count) override;
  void pred_exec(uint32_t devices, uint32_t count) override;
  void settings_2d(std::span<const RegisterValue> settings) override;
  void paint(const Rect& rect) override;
  void blit(const Blit& blit) override;
  void paints(std::span<const Rect> rects) override;
  void blits(std::span<const Blit> blits) override;
  void host_blit(const HostBlit& blit) override;
  void polyline(std::span<const Point2d> points) override;
  void dispatch(const DispatchPacket& packet) override;
  void copy(const CopyPacket& packet) override;
  void fill(const FillPacket& packet) override;
  void scale(const ScalePacket& packet) override;
  void resolve(const ResolvePacket& packet) override;
  void fill_now(const FillInput& input);
  void write(const WritePacket& packet) override;
  void bad(const std::string& why) override;

  /// Before an X packet: false, after a report, unless X_CTRL.EN is set and nothing hangs. What is queued is finished then.
  [[nodiscard]] bool begin_extended();
  /// The same for what may be held back: rows that are held stay so.
  [[nodiscard]] bool begin_rows();
  bool enabled_extended();
  /// Holds the operation back, if that is worthwhile.
  void hold(const HeldRows::Operation& operation);
  void run_held() {
    if (!held_.empty()) run_held_now();
  }
  void run_held_now();
  /// Before the CP reads memory: finishes what may write it.
  void finish_writes(const ByteRange& bytes) {
    if (held_.writes(bytes)) run_held();
    draws_.finish_writes(bytes);
  }
  /// Whether both ranges are backed; else a fault of the first that is not.
  bool check_backed(GpuAddress address, uint64_t bytes, bool is_write);

  void attach_hooks();
  void set_status();
  void stream_write(uint32_t offset, uint32_t value);
  void run_indirect(Stream level, GpuAddress base, uint32_t dwords);
  uint32_t draw_following(std::span<const uint32_t> done, std::span<const uint32_t> next, uint32_t at);
  void interrupt_status(uint32_t value);
  void scratch(uint32_t index, uint32_t value);
  void host_dma(GpuAddress from, GpuAddress to, uint32_t command);
  void resync();
  void store_zpass(uint32_t address);
  void attach_ram_ports();
  void store_result(GpuAddress address, uint32_t value);
  void push(uint32_t queue, uint32_t value);
  /// Before the CP reads memory that a queued draw may write: finishes those draws, notifies the observer.
  void will_read(const Rows& rows);
  void report_2d(const std::string& refusal);
  uint32_t load_dword(GpuAddress address) const;

  static constexpr uint32_t kMicrocodeWords = 256;

  const GpuConfig& config_;
  Memory& memory_;
  Wires wires_;
  Observer* const observer_;
  Reporter reporter_;
  const ZeroPages<ChipState> state_pages_{1};
  ChipState& state_;
  RegisterFile registers_;
  UploadPorts ports_;
  DrawUnit draws_;
  vap::VertexState vertex_state_;
  Crew crew_;
  HeldRows held_;  ///< while draws_ has nothing queued
  Engine2d engine_2d_;

  std::span<const uint32_t> packet_;              ///< being executed; for reports
  uint32_t skip_ = 0;                             ///< result of the packet being executed
  bool drew_ = false;                             ///< the packet being executed ended a draw
  FollowingDraws following_;                      ///< kept for its memory
  uint32_t pause_ = 0;                            ///< draws behind which draw_following() does not look
  std::array<std::vector<uint32_t>, 2> fetched_;  ///< of IB1, IB2: what was read ahead
  std::vector<uint32_t> streamed_;                ///< by INDX_BUFFER
  OnChipRams rams_;
  std::array<uint64_t, kMicrocodeWords> microcode_{};
  uint32_t interrupts_ = 0;  ///< pending bits of GEN_INT_STATUS
  bool resync_armed_ = false;
  std::array<std::vector<uint32_t>, 3> pushed_;  ///< PIO queues: primary, indirect, indirect 2
};

}  // namespace pumice::hw
