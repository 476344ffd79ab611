// SPDX-License-Identifier: MIT
/// While a recording is made: modules and programs of pipelines, which go into the command stream as NOPs before what uses them
/// (docs/trace.md, "Labels"). The chip skips them. Thread safe.
#pragma once
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "compiler/driver/declared.h"
#include "hw/types.h"

namespace pumice::icd {

class Cs;

class ModuleNotes {
 public:
  void add(const compiler::PipelineSource& source, const compiler::Program& program);
  /// Whether something waits for write().
  bool any() const { return any_.load(std::memory_order_acquire); }
  void write(Cs& cs);

 private:
  struct Note {
    hw::ModuleLabel::Kind kind;
    std::vector<uint32_t> words;
    uint32_t bytes;  ///< of them
  };
  std::mutex mutex_;
  std::atomic<bool> any_ = false;
  std::set<compiler::Digest> modules_, programs_;  ///< that are declared
  std::vector<Note> waiting_;
};

}  // namespace pumice::icd
