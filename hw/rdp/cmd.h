// SPDX-License-Identifier: MIT
/// Command assembly and execution (docs/reference/rdp.md sections 3, 13, 22 and the command summary).
#pragma once
#include <functional>
#include <span>

#include "hw/rdp/scheduler.h"

namespace pumice::hw::rdp {

/// Number of 64-bit words of the command that begins with this word; 1 for undefined opcodes.
unsigned command_words(uint64_t first);
inline Op opcode(uint64_t first) { return static_cast<Op>(first >> 56 & 0x3F); }
inline bool is_triangle(uint64_t first) { return (first >> 59 & 7) == 1; }

constexpr unsigned kMaxCommandWords = 22;

class CommandProcessor {
 public:
  explicit CommandProcessor(Rdram& ram) : ram_(ram), scheduler_(ram) {}

  void reset();
  /// Takes words; executes every command that is complete.
  void push(std::span<const uint64_t> words);

  /// Waits until everything is in memory.
  void sync() { scheduler_.flush(); }
  void set_execution(Execution e);
  void set_threads(unsigned n) { scheduler_.set_threads(n); }
  void watch(PixelWatcher* watcher);

  std::function<void()> on_sync_full;
  std::function<void(Fault, uint64_t first_word)> on_fault;

  const State& state() const { return *state_; }
  uint64_t commands() const { return commands_; }

 private:
  void execute();
  void triangle();
  void texture_rectangle(bool flip);
  void fill_rectangle();
  void rectangle(uint32_t xl, uint32_t yl, uint32_t xh, uint32_t yh, Primitive& p);
  void load(Op op);
  void draw_primitive(Primitive& p);
  void fault(Fault f);

  Rdram& ram_;
  /// State and TMEM are shared with primitives that wait to be drawn; a change makes a copy then.
  State& writable_state();
  Tmem& writable_tmem();

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::shared_ptr<Tmem> tmem_ = std::make_shared<Tmem>();
  Scheduler scheduler_;
  std::array<uint64_t, kMaxCommandWords> words_{};
  unsigned have_ = 0, need_ = 0;
  const uint64_t* command_ = nullptr;  // the one that is executed
  uint64_t commands_ = 0;
  uint32_t primitives_ = 0;
  uint64_t versions_ = 0;
};

}  // namespace pumice::hw::rdp
