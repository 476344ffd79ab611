// SPDX-License-Identifier: MIT
/// Extended programs (docs/r5x.md s.2) and the chip's cache of them.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::x {

/// A program as it was read from memory.
struct Program {
  uint64_t address = 0;
  std::vector<isa::us_r500::Instruction> code;
  std::vector<Bits4> literals;
  std::string problem;  ///< why it cannot run (not backed, an illegal slot): empty when it can
};

/// What an invocation of a stage needs and where its data is: X_*_CODE_RSRC, X_*_SET, X_*_PUSH.
struct Resources {
  uint32_t temps = 1;
  uint32_t scratch = 0;           ///< bytes of a lane
  std::array<uint64_t, 9> set{};  ///< addresses of descriptor sets
  /// The address of the descriptor that a selector names; an indirect selector adds a register's bytes to it.
  uint64_t descriptor(const isa::us_r500::Selector& s) const {
    return set[s.set] + uint64_t{regs::r5x::US_X_DESCRIPTOR::OFFSET__UNIT} * s.offset;
  }
  uint64_t push = 0;
  uint32_t push_size = 0;  ///< bytes
};
Resources resources(const ChipState& state, Stage stage);

/// Where a stage's program is, literals included (or a little more).
struct CodeRange {
  uint64_t begin = 0, end = 0;
};
CodeRange code_range(const ChipState& state, Stage stage);

/// Why the stage's program cannot run with these resources; empty when it can.
std::string problem(const ChipState& state, const Program& program, const Resources& needs);

/// Runs groups of vertex and fragment programs in place of the interpreter.
class GroupExecutor {
 public:
  /// As x::run. False, and nothing is done: the interpreter must.
  virtual bool run(DrawContext& ctx, const Group& group) = 0;

 protected:
  ~GroupExecutor() = default;
};

/// Programs by address and size. Used by the chip's thread only; the programs themselves may be used by any.
class Programs {
 public:
  /// The stage's program; reads it at the first use.
  std::shared_ptr<const Program> find(const ChipState& state, const Memory& memory, Stage stage);
  /// Memory may have changed.
  void invalidate() { programs_.clear(), ++version_; }
  /// Changes where find() may return something else for the same registers.
  uint64_t version() const { return version_; }
  /// Runs the groups of draws; null: the interpreter does.
  GroupExecutor* groups = nullptr;

 private:
  static constexpr size_t kMost = 4096;  ///< then all are dropped
  struct Key {
    uint64_t address;
    uint32_t size;  ///< X_*_CODE_SIZE
    auto operator<=>(const Key&) const = default;
  };
  uint64_t version_ = 1;
  std::map<Key, std::shared_ptr<const Program>> programs_;
};

}  // namespace pumice::hw::x
