// SPDX-License-Identifier: MIT
/// Plays a trace on a chip of its own: memory, executor and command processor without thread or ring. What the chip writes is compared,
/// step by step, with the digests of the recording.
#pragma once
#include <atomic>
#include <memory>
#include <optional>

#include "hw/radeon/cp/executor.h"
#include "hw/radeon/trace/ranges.h"
#include "hw/radeon/trace/reader.h"
#include "hw/radeon/trace/touched.h"

namespace pumice::hw::trace {

/// What a step did.
struct Step {
  uint64_t number = 0;                     ///< from 1
  uint64_t first_draw = 0, last_draw = 0;  ///< last < first: none
  uint64_t digest = 0;                     ///< of what it wrote; 0 when it was stopped
  bool signalled = false;                  ///< the host was told (a fence, an interrupt)
  bool hung = false;                       ///< the watchdog stopped the chip
  bool whole = true;                       ///< false: the recording ends inside
};

/// Observes the playback of a trace. Memory is the player's; in drawn() and step() nothing is queued if one_by_one() resp. always.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual bool one_by_one() const { return false; }
  /// Not null: this draw (DrawContext::draw) is executed by the scalar reference, which reports to the inspector.
  virtual Inspector* inspector(uint64_t /*draw*/) { return nullptr; }
  virtual void note(Note, const std::string&) {}
  virtual void packet(const Where&, std::span<const uint32_t>) {}
  virtual void label(const PictureLabel&) {}
  virtual void draw(const DrawContext&, const DrawInput&) {}
  virtual void drawn(const DrawContext&) {}
  /// Around a dispatch; its number, DrawContext::draw, is one of the draws'.
  virtual void dispatch(const DrawContext&, const DispatchInput&) {}
  virtual void dispatched(const DrawContext&) {}
  /// Of a dispatch: as inspector().
  virtual Inspector* dispatch_inspector(uint64_t /*dispatch*/) { return nullptr; }
  /// The 2D engine fills.
  virtual void fills(const Rows&, uint32_t /*pixel_bytes*/) {}
  virtual void step(const Step&) {}
  /// True ends the replay before the next packet, draw or dispatch.
  virtual bool enough() const { return false; }
};

class Player final : private Observer {
 public:
  struct Result {
    double seconds = 0;
    bool ok = false;         ///< everything played that is in the file
    std::string error;       ///< why not
    std::string remark;      ///< how the recording ended, when it was not in order
    bool truncated = false;  ///< it has no end record
    uint64_t steps = 0, draws = 0;
    std::optional<Step> differs;  ///< the first step whose bytes are not the recording's
    uint64_t differing = 0;       ///< how many
    bool hung = false;
  };
  /// Chip and limits come from the trace. verify: compare with the recording.
  /// Null when there is no address space or config.cpu is not available().
  static std::unique_ptr<Player> create(std::unique_ptr<Reader> reader, const Execution& config, Watcher& watcher, bool verify = true);

  Result play();
  Memory& memory() { return *memory_; }
  /// How much of the file has been read, 0 to 1.
  double progress() const { return reader_->progress(); }

 private:
  Player(std::unique_ptr<Reader> reader, const Execution& config, Watcher& watcher, bool verify, std::unique_ptr<Memory> memory);

  void packet(const Where& where, std::span<const uint32_t> packet) override;
  void label(std::span<const uint32_t> payload) override;
  void writes(const Rows& rows) override;
  void fills(const Rows& rows, uint32_t pixel_bytes) override { watcher_.fills(rows, pixel_bytes); }
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void drawn(const DrawContext& ctx) override;
  void dispatch(const DrawContext& ctx) override;
  uint64_t clock(uint64_t now) override;
  bool one_by_one() const override { return watcher_.one_by_one(); }
  void settled() override;
  void signals() override;
  void waited(GpuAddress address) override;

  bool apply(const Record& r);
  void apply_memory();
  void run_step();
  void end_of_step();
  void wait();
  bool fail(const std::string& why);

  std::unique_ptr<Reader> reader_;
  GpuConfig config_;
  Watcher& watcher_;
  const bool verify_;
  std::unique_ptr<Memory> memory_;
  Team team_;
  std::unique_ptr<DrawExecutor> draws_;  ///< an Inspected around the configuration's
  Result result_;
  bool stop_ = false;                   ///< no more: an error
  std::atomic<bool> stopping_ = false;  ///< out of the step under way
  bool wait_over_ = false;              ///< the WAIT record of the packet that waits is consumed
  uint32_t depth_ = 0;                  ///< steps under way
  Step step_;
  Digest digest_;
  Ranges pending_;
  Touched touched_;
  Executor executor_;
};

}  // namespace pumice::hw::trace
