// SPDX-License-Identifier: MIT
/// Extended programs (docs/r5x.md s.2) and the chip's cache of them.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/draw/extended.h"

namespace pumice::hw::x {

/// Who keeps something that follows from code alone with the code.
enum class Derived : uint8_t { footprint, vertices, routines, count };

/// The slots of programs. Programs that differ in their literals or addresses alone share one: applications make variants of a shader by
/// specialization constants, and a variant costs neither the time to decode it nor the memory.
struct Code {
  Code() = default;
  explicit Code(std::vector<isa::us_r500::Words> from);
  explicit Code(std::vector<isa::us_r500::Instruction> from);
  std::vector<isa::us_r500::Words> words;
  std::vector<isa::us_r500::Instruction> instructions;
  std::string problem;  ///< the first slot that cannot run; empty: all can
  /// Not part of the code: the chip's thread only. It lives as long as the code, as no table by address could know.
  mutable std::array<std::shared_ptr<const void>, size_t(Derived::count)> derived;
};

/// A program as it was read from memory.
struct Program {
  Program() : Program(std::make_shared<const Code>()) {}
  explicit Program(std::shared_ptr<const Code> of) : shared(std::move(of)), code(shared->instructions) {}
  uint64_t address = 0;
  std::shared_ptr<const Code> shared;
  std::span<const isa::us_r500::Instruction> code;  ///< of `shared`
  std::vector<Bits4> literals;
  std::string problem;                               ///< why it cannot run (not backed, an illegal slot): empty when it can
  mutable std::shared_ptr<const void> for_routines;  ///< as Code::derived; depends on literals too
};
/// What `T(program)` makes of the code, once. T::kDerived says where it is kept.
template <class T>
std::shared_ptr<const T> derived(const Program& program) {
  std::shared_ptr<const void>& known = program.shared->derived[size_t(T::kDerived)];
  if (!known) known = std::make_shared<const T>(program);
  return std::static_pointer_cast<const T>(known);
}

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
  /// The stage's program; reads it at the first use. A fragment program may have no slots: there is none, and nothing is wrong with it.
  std::shared_ptr<const Program> find(const ChipState& state, const Memory& memory, Stage stage);
  /// Memory may have changed.
  void invalidate() { programs_.clear(), ++version_; }
  /// Changes where find() may return something else for the same registers.
  uint64_t version() const { return version_; }
  /// Runs the groups of draws; null: the interpreter does.
  GroupExecutor* groups = nullptr;

 private:
  static constexpr size_t kMost = 4096, kMostCodes = 1024;  ///< then all are dropped
  struct Key {
    uint64_t address;
    uint32_t size;  ///< X_*_CODE_SIZE
    auto operator<=>(const Key&) const = default;
  };
  std::shared_ptr<const Program> read(const Memory& memory, const Key& key);
  std::shared_ptr<const Code> code_of(const std::vector<isa::us_r500::Words>& words);

  const std::shared_ptr<const Program> none_ = std::make_shared<const Program>();
  uint64_t version_ = 1;
  std::map<Key, std::shared_ptr<const Program>> programs_;
  std::unordered_map<uint64_t, std::shared_ptr<const Code>> codes_;  ///< by hash; memory that changes leaves them as they are
  std::vector<isa::us_r500::Words> words_;                           ///< of the program that is read
};

}  // namespace pumice::hw::x
