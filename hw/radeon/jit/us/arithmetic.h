// SPDX-License-Identifier: MIT
/// The arithmetic of US instructions in lane IR, for strict programs (translate.h) and extended ones (hw/radeon/jit/x): operands,
/// operations and output modifiers of hw/radeon/ref/us/alu.h and arith.h. Where registers and constants are is the translator's.
#pragma once
#include <array>
#include <string>

#include "hw/db/isa_us_r500.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::us {

/// Which bits a NaN in a value stands for. The reference makes NaN canonical after every operation; here that is done only where the bits
/// are observable.
enum class Nan : uint8_t {
  exact,  ///< the bits are right as they are, or it is never NaN
  us,     ///< 0x7FFFFFFF, of US arithmetic
  rs,     ///< 0x7FC00000, of interpolation
};

/// The NaN of US arithmetic.
inline constexpr uint32_t kUsNan = 0x7FFFFFFFu;

struct Number {
  lane::Value v;
  Nan nan = Nan::exact;
};

class Arithmetic {
 protected:
  using Instruction = isa::us_r500::Instruction;
  using AluOp = isa::us_r500::AluOp;
  using Builder = lane::Builder;
  using Value = lane::Value;
  using Mask = lane::Mask;

  struct Operand {
    uint32_t select, swizzle, modifier;
  };
  struct Channel {
    uint32_t channel;
    Operand a, b, c;
  };

  ~Arithmetic() = default;
  /// A component of a source of the instruction now_.
  virtual Number source(const isa::us_r500::Address& address, uint32_t channel) = 0;
  /// The result of an XI operation, of extended programs only.
  virtual Number extended_operation(uint32_t) { return {b_.constant(0.0f)}; }

  bool refuse(uint32_t pc, const char* text);
  bool never_nan(Value v) const;
  Value exact(Number n);  ///< with the right bits for NaN
  Number select(Mask m, Number a, Number b);

  static Channel channel_of(const Instruction& x, uint32_t channel);
  Number read(uint32_t select, uint32_t channel);
  Number operand(const Operand& o, bool bits_matter);
  Number modify(Number n, uint32_t modifier, bool bits_matter);
  Number neighbour(uint32_t channel, uint32_t pixel, uint32_t modifier);
  Value multiply(Value a, Value b);
  Value multiply_add(Value a, Value b, Value c);
  Number operation(AluOp op, const Channel& ch, bool bits_matter);
  Number output_modifier(Number n, uint32_t omod, bool clamp);
  Mask test(uint32_t op, Value x);
  /// The results of the instruction's channels after OMOD and clamp; false and why_ when it has a reserved operation.
  bool results(uint32_t pc, const Instruction& x, std::array<Number, 4>& result);

  /// What the R3xx keeps of a result: arith.h's fp24(), but for the bits of NaN.
  Value to_fp24(Value v);

  Builder b_;
  bool zero_wins_ = false;
  bool fp24_ = false;                 ///< the R3xx: results have 24 bits
  const Instruction* now_ = nullptr;  ///< the ALU instruction whose sources are read
  std::string why_;
};

}  // namespace pumice::hw::fast::us
