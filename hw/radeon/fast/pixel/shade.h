// SPDX-License-Identifier: MIT
/// Fragment programs for the fast executor: US microcode plus RS routing become one ShadeRoutine (hw/radeon/fast/README.md). A program that
/// native code does not support runs on the reference interpreter quad by quad, inside a ShadeRoutine of the same signature.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/simd/cpu.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/jit/lane/code_memory.h"
#include "hw/radeon/jit/us/block.h"
#include "hw/radeon/jit/us/texel_copy.h"

namespace pumice::hw::fast::us {

class CompiledShade;

/// ShadeArgs::user of every ShadeRoutine points to one: state for the interpreter and reports.
struct ShadeUser {
  DrawContext* context = nullptr;        ///< the worker's: state is the draw's snapshot, counters are the worker's
  const CompiledShade* shade = nullptr;  ///< the shade whose routine is called
};

/// All inputs of a routine. Equal keys: equal routines. Cheap enough to build per draw.
class ShadeKey {
 public:
  ShadeKey() = default;
  ShadeKey(const ChipState& state, const RsLayout& layout, Cpu cpu);
  uint64_t hash() const { return hash_; }
  bool operator==(const ShadeKey& other) const { return hash_ == other.hash_ && words_ == other.words_; }

 private:
  std::vector<uint32_t> words_;
  uint64_t hash_ = 0;
};
struct ShadeKeyHash {
  size_t operator()(const ShadeKey& k) const { return size_t(k.hash()); }
};

class CompiledShade {
 public:
  virtual ~CompiledShade() = default;
  ShadeRoutine routine() const { return routine_; }  ///< valid while the object lives
  const ShadeTraits& traits() const { return traits_; }
  const TexelCopy& texel_copy() const { return texel_copy_; }
  const RsLayout& layout() const { return layout_; }
  bool native() const { return native_; }          ///< false: the interpreter runs inside
  const std::string& why() const { return why_; }  ///< the reason if not native
  /// Blocks may be handed to the reference: ShadeUser needs a context with the draw's registers.
  bool may_interpret() const { return may_interpret_; }

 protected:
  ShadeRoutine routine_ = nullptr;
  ShadeTraits traits_;
  TexelCopy texel_copy_;
  RsLayout layout_;
  bool native_ = false;
  bool may_interpret_ = true;
  std::string why_;
};

/// Never fails. Thread-safe. Native routines write the colours of traits().targets only, and the depth when traits().writes_depth: the
/// caller keeps the other colours zero.
std::shared_ptr<const CompiledShade> compile(const ChipState& state, const RsLayout& layout, Cpu cpu, CodeNames names = {},
                                             const std::shared_ptr<lane::CodeMemory>& memory = nullptr);

/// The lane program as readable text.
std::string listing(const ChipState& state, const RsLayout& layout);

/// The interpreter as a routine: interpolates as native code does, then us::run for each quad with a covered pixel.
void interpret(ShadeArgs& args);

}  // namespace pumice::hw::fast::us
