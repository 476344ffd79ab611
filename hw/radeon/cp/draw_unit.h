// SPDX-License-Identifier: MIT
/// From VAP_VF_CNTL to execute_draw: a write of that register from any source begins a draw, which runs when the data it
/// needs (indices or embedded vertices) has arrived through packets or the VAP_PORT registers (cp-pm4 s.5.2, 5.3).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "hw/radeon/cp/observer.h"
#include "hw/radeon/decode/us/program.h"
#include "hw/radeon/decode/us/strict.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/regfile/register_file.h"

namespace pumice::hw {

class DrawUnit {
 public:
  DrawUnit(const ChipState& state, RegisterFile& registers, Memory& memory, const GpuConfig& config, Reporter& reporter,
           DrawExecutor& executor, const std::atomic<bool>* stopping, Observer* observer = nullptr);
  /// Drops a waiting draw and clears a lockup.
  void reset();

  void begin(regs::VAP_VF_CNTL vf_cntl);
  /// Delivers dwords to the draw that waits for them. `padding`: dwords at the end that may be surplus.
  void data(std::span<const uint32_t> words, uint32_t padding = 0);
  /// The same for all indices of a draw in one piece of memory, which an extended draw reads where they are: no index is trusted, and none
  /// is needed after the draw. False: data() has to be called.
  bool indices_in_place(std::span<const uint32_t> words);
  /// Draws that follow the last one, at least one; dwords[i]: where the packet of draws[i] begins in the stream. Returns how many are
  /// drawn, with their bindings written; the others must be drawn one by one.
  size_t draw_more(std::span<const NextDraw> draws, std::span<const uint32_t> dwords);
  /// One vertex from the VAP_VTX_ST_* registers: ignored unless a draw with PRIM_WALK 0 waits for it.
  void state_vertex(std::span<const uint32_t> words);
  /// End of the vertices: the draw runs with those that have arrived.
  void end_state_vertices();

  /// Queues a fill of backed memory. False: it must be done after finish().
  bool fill(const FillInput& input);
  /// The same of a resolve.
  bool resolve(const ResolveInput& input);
  /// DrawExecutor::wrote().
  void wrote(const ByteRange& bytes) { executor_.wrote(bytes.begin, bytes.size()); }
  /// DrawExecutor::scale(); everything before it is finished.
  bool scale(const ScaleInput& input, const RowsPart& part) const { return executor_.scale(input, part); }
  /// DrawExecutor::resolve_part(), likewise.
  bool resolve_part(const ResolveInput& input, const RowsPart& part) const { return executor_.resolve_part(input, part); }
  /// Reports that the executors differ (PUMICE_EXEC=check), and hangs the chip.
  void differs(const char* what);
  /// A dispatch; everything before it is finished. It is complete when this returns.
  void dispatch(const DispatchInput& input);
  x::Programs& programs() { return programs_; }

  /// DrawExecutor::order().
  void order() { executor_.order(); }
  /// Waits for queued draws: afterwards their results are in memory and in counters(), and reported. Free when nothing is queued.
  void finish();
  /// Calls finish() if a queued draw may write these bytes.
  void finish_writes(const ByteRange& bytes) {
    if ((!unfinished_.empty() || fills_) && executor_.writes(bytes.begin, bytes.size())) finish();
  }

  /// Whether queued draws may read or write these dwords of an on-chip RAM.
  DrawExecutor::RamRange in_use(OnChipRam which) const { return unfinished_.empty() ? DrawExecutor::RamRange{} : executor_.in_use(which); }

  /// A draw has begun of which not all data have come.
  bool waiting() const { return phase_ == Phase::waiting; }
  bool hung() const { return counters_.hung; }
  void hang() { counters_.hung = true; }
  DrawCounters& counters() { return counters_; }

 private:
  /// The information for the lockup report of a draw that hangs after the CP has moved on.
  struct Origin {
    uint64_t number = 0;
    Where where;
    uint32_t vf_cntl = 0;
    std::array<uint32_t, 4> program{};
    bool dispatch = false;
  };

  bool queue(const std::function<bool(DrawContext&)>& add);
  void run(std::span<const uint32_t> data);
  bool draws_nothing() const;
  DrawContext context() {
    return {state_, memory_, counters_, config_, &reporter_, nullptr, number_, &registers_.changes(), &programs_, &strict_, stopping_};
  }
  /// Registers that identify the programs in use.
  std::span<const uint32_t> program_registers(bool dispatch) const;
  void begin_execution(const Origin& origin);
  Origin& add_origin(const Origin& origin, uint64_t number);
  void after_execution();
  const Origin& origin(uint64_t number) const;
  void report_lockup();

  const ChipState& state_;
  RegisterFile& registers_;
  Memory& memory_;
  const GpuConfig& config_;
  Reporter& reporter_;
  DrawExecutor& executor_;
  const std::atomic<bool>* const stopping_;
  Observer* const observer_;
  x::Programs programs_;
  us::StrictPrograms strict_;
  DrawCounters counters_;
  uint64_t number_ = 0;
  std::vector<Origin> unfinished_;  ///< since the last finish()
  bool fills_ = false;              ///< fills or resolves have been queued since

  enum class Phase : uint8_t { idle, waiting, refused } phase_ = Phase::idle;  ///< refused: data of a draw that was not begun is dropped
  regs::VAP_VF_CNTL vf_cntl_;
  size_t needed_ = 0;
  std::vector<uint32_t> words_;
};

}  // namespace pumice::hw
