// SPDX-License-Identifier: MIT
/// A lane program made ready to be run without native code: one step per operation, operands found, values in slots that are used again.
#pragma once
#include <memory>
#include <vector>

#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::lane {

struct Step;
/// Does the step and says which one is next; null at the end.
using Handler = const Step* (*)(const Step& step, char* frame);

/// A slot (64 bytes at frame + at), or a dword for all lanes: at *(frame + at) + offset.
struct Operand {
  uint32_t at = 0, offset = 0;
};
struct Step {
  Handler run = nullptr;
  Operand a, b, c;
  Operand memory;                ///< pointer and offset; of a buffer: its pointer and where its scalar is
  uint32_t out = 0;              ///< slot of the result, or place of the scalar that changes
  uint32_t imm = 0;              ///< shift count, lane, number, 16-bit store
  int32_t jump = 1;              ///< steps to go on when the jump is taken
  const void* detail = nullptr;  ///< Call, Range, Field, Budget or Buffer
};

/// Masks are lanes of 0 or -1, in slots like values.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);
  void run(void* args) const;  ///< thread-safe; FTZ and DAZ are set

 private:
  class Preparation;
  void run_in(char* frame, void* args) const;

  std::vector<Step> steps_;
  std::vector<Lanes> tables_;
  std::vector<uint32_t> constants_;
  std::vector<const void*> addresses_;
  std::vector<Program::PointerSource> pointers_;  ///< after them in a frame: pointers to constants_ and tables_
  std::vector<Program::Call> calls_;
  std::vector<Program::Range> ranges_;
  std::vector<Program::Field> fields_;
  std::vector<Program::Budget> budgets_;
  std::vector<Program::Buffer> buffers_;
  uint32_t frame_bytes_ = 0, scratch_at_ = 0;
};

}  // namespace pumice::hw::fast::lane

namespace pumice::hw::fast::portable {
/// Bit i of splats: operand i is a dword for all lanes. Null where that form does not exist. `nullptr` op: the end.
lane::Handler handler_of(lane::Op op, uint32_t imm, uint32_t splats);
lane::Handler end_handler();
}  // namespace pumice::hw::fast::portable
