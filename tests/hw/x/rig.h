// SPDX-License-Identifier: MIT
/// A rig for extended programs (docs/r5x.md): a small assembler on the decoded instruction, memory, registers of a compute program, and a
/// dispatch on the reference and, beside it, by native code. What a program makes is read back from memory.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "hw/db/isa_us_r500.h"
#include "hw/db/regs_r5x.h"
#include "hw/radeon/decode/us/program.h"

namespace pumice::hw::x_test {

using namespace isa::us_r500;
using x::Bits4;

/// What a dispatch may execute in all where X_BUDGET is 0.
inline constexpr uint64_t kInstructions = 1u << 20;
inline constexpr uint8_t kX = 1, kXyzw = 15;

/// An operand: all of its components in order, unless swizzled.
struct Src {
  Address::File file = Address::File::temp;
  uint8_t value = 0;
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
  uint8_t modifier = 0;
  /// One component for all.
  Src x(uint8_t c = 0) const {
    Src s = *this;
    s.swizzle.fill(c);
    return s;
  }
  Src operator-() const {
    Src s = *this;
    s.modifier ^= 1;
    return s;
  }
  Src operator~() const {
    Src s = *this;
    s.modifier ^= 2;
    return s;
  }
};
inline Src r(uint8_t n) { return {Address::File::temp, n}; }
inline Src c(uint8_t n) { return {Address::File::constant, n}; }
/// An inline constant: the number for integers.
inline Src n(uint8_t v) { return {Address::File::inline_float, v}; }

/// r[dest].mask = op(a, b, c) in both units as far as the mask says.
Instruction xi(XiOp op, uint8_t dest, uint8_t mask, Src a, Src b = {}, Src c = {});
/// The same of a strict operation that both units have.
Instruction alu(AluOp op, uint8_t dest, uint8_t mask, Src a, Src b = {}, Src c = {});
/// ALU result = (a.x != 0) as an integer.
Instruction test_not_zero(Src a);

/// An X slot: r[dest].mask = op(r[source].x.., r[src2], r[src3]).
struct X {
  XOp op;
  uint8_t dest = 0, mask = 0;
  uint8_t source = 0, src2 = 0, src3 = 0;
  uint8_t components = 1;
  uint32_t immediate = 0;
  Selector descriptor{};
  XWidth width = XWidth::DWORD;
  bool is_signed = false, is_float = false;
  SubOp sub = SubOp::ADD;
  operator Instruction() const;
};

enum class Jump { if_, else_, endif, loop, endloop, break_, continue_ };
/// Structured flow: if_, break_ and continue_ act on lanes whose ALU result is not set (if_) or set (break_, continue_).
Instruction flow(Jump kind, uint16_t target);

class XRig : public ::testing::Test {
 protected:
  XRig();
  /// Backed and zeroed; above 4 GiB, to see that addresses are wide.
  uint64_t allocate(uint64_t bytes);
  /// The same in the lowest 4 GiB, where accesses by address reach it.
  uint64_t allocate_low(uint64_t bytes);
  uint32_t* dwords(uint64_t address) { return reinterpret_cast<uint32_t*>(memory->host_pointer(address)); }
  template <class R>
  void set(R value, uint32_t i = 0) {
    state->set(value, i);
  }
  /// A buffer descriptor in set 0 at number `n` (16 bytes each).
  void buffer(uint32_t n, uint64_t address, uint32_t bytes);
  static Selector at(uint32_t n) { return {0, false, 0, 0, n}; }
  /// Writes the program and its registers. Checks that every instruction is legal.
  void program(const std::vector<Instruction>& code, const std::vector<Bits4>& literals = {}, uint32_t temps = 16, uint32_t scratch = 0);
  void local_size(uint32_t x, uint32_t y = 1, uint32_t z = 1) { set(regs::r5x::X_CS_LOCAL_SIZE{}.X(x - 1).Y(y - 1).Z(z - 1)); }
  /// Dispatches on the reference; the reports are in `reports`. Then by native code of each instruction set, where the program has any:
  /// memory, reports and lockups must be the same.
  void run(std::array<uint32_t, 3> groups = {1, 1, 1}, std::array<uint32_t, 3> first = {});

  bool is_native = false;   ///< native code ran the last dispatch
  bool calls = false;       ///< and left slots to the reference's code, or to routines of their own
  size_t slot_routines = 0;  ///< that such slots had
  std::string difference;   ///< of it to the reference, as text
  bool may_differ = false;  ///< a difference is no failure

  std::unique_ptr<ChipState> state = std::make_unique<ChipState>(Profile::r5x);
  std::unique_ptr<Memory> memory = Memory::create(40);
  DrawCounters counters;
  GpuConfig config{Profile::r5x};
  std::vector<std::string> reports;
  x::Programs programs;
  uint64_t next = 0x1'2000'0000, next_low = 0x1000'0000;
  struct Range {
    uint64_t address, bytes;
  };
  std::vector<Range> allocated;
  uint64_t sets = 0;

 private:
  uint64_t allocate_at(uint64_t& place, uint64_t bytes);
};

inline uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }
inline float flt(uint32_t v) { return std::bit_cast<float>(v); }

}  // namespace pumice::hw::x_test
