// SPDX-License-Identifier: MIT
/// Routines compiled from extended programs, and their cache by content.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/radeon/fast/extended/textures.h"
#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/x/literals.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

class SlotRoutines;

/// Native code, or interpreter steps on processors without a code generator.
class Routine {
 public:
  Routine(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form, const DescriptorKeys& keys,
          Cpu cpu, CodeNames names, const std::shared_ptr<lane::CodeMemory>& memory, StageCode* code = nullptr,
          std::shared_ptr<SlotRoutines> slots = nullptr);
  bool usable() const { return code_ || steps_; }
  const std::string& why() const { return why_; }  ///< not usable
  /// FTZ and DAZ are set.
  void run(GroupArgs& args) const {
    if (code_)
      code_->function()(&args);
    else
      steps_->run(&args);
  }
  /// The machine code of run(); null where there is none.
  lane::Function native() const { return code_ ? code_->function() : nullptr; }
  const std::vector<ViewUse>& views() const { return views_; }
  /// With GroupForm::constants_at: what the rows have.
  const std::vector<ConstantDword>& constant_rows() const { return constant_rows_; }
  /// Execute slots whose descriptors registers choose; null: the reference's code does.
  SlotRoutines* slots() const { return slots_.get(); }
  const ScratchStores& scratch() const { return scratch_; }
  uint32_t barriers() const { return barriers_; }
  uint32_t state_bytes() const { return state_bytes_; }
  bool calls() const { return calls_; }      ///< needs Caller::thread
  bool has_quads() const { return quads_; }  ///< the level of a texture depends on the lanes of the quad
  /// Whether it reads the lanes, or the dword for all, at `offset` of its arguments.
  bool reads(uint32_t offset) const { return std::binary_search(reads_.begin(), reads_.end(), offset); }
  uint32_t operations() const { return operations_; }  ///< of the lane IR, loops counted once
  bool is_straight() const { return straight_; }       ///< no loops, no calls: never refills the budget

 private:
  std::vector<ViewUse> views_;
  std::vector<ConstantDword> constant_rows_;
  std::vector<uint32_t> reads_;  ///< sorted
  uint32_t barriers_ = 0, state_bytes_ = 0, operations_ = 0;
  ScratchStores scratch_;
  bool calls_ = false, straight_ = false, quads_ = false;
  std::shared_ptr<SlotRoutines> slots_;
  std::shared_ptr<const lane::Code> code_;
  std::optional<lane::Interpreter> steps_;
  std::string why_;
};

/// What is backed, for accesses by address.
struct WholeMemory {
  uint64_t map_version = 0;  ///< of Memory
  Memory::Run largest;
};

class LaterRoutine;

/// By content: the same program at another address, or read again, is the same routine.
class Routines {
 public:
  using ProgramPointer = std::shared_ptr<const hw::x::Program>;
  using Words = std::vector<uint32_t>;
  Routines(Cpu cpu, CodeNames names, uint32_t collect_after = 0);
  ~Routines();
  /// `keys`: by number of textures() and images(). Never null; may be unusable (why()).
  std::shared_ptr<const Routine> find(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                                      const DescriptorKeys& keys) {
    return find(program, needs, stage, form, keys, nullptr, {});
  }
  /// The same with code of the stage, which `key` identifies: not empty, and its first word is the stage's own.
  std::shared_ptr<const Routine> find(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                                      const DescriptorKeys& keys, StageCode& code, const Words& key) {
    return find(program, needs, stage, form, keys, &code, key);
  }
  /// How often a second routine has to be worth it before it is made.
  uint32_t collect_after() const { return collect_after_; }
  /// For collected blocks, where find() has made `alone` for others: made when it is worth it (GpuConfig::collect_after). `code`: a new
  /// object of the stage's code.
  std::shared_ptr<LaterRoutine> find_collected(const ProgramPointer& program, const hw::x::Resources& needs, const DescriptorKeys& keys,
                                               const std::shared_ptr<const Routine>& alone,
                                               std::function<std::unique_ptr<StageCode>()> code, const Words& key);
  /// texture_uses() of the program; valid until the next call.
  std::span<const TextureUse> textures(const ProgramPointer& program) { return facts(program).code->textures; }
  /// Of any thread.
  const std::shared_ptr<SlotRoutines>& slots() const { return slots_; }
  WholeMemory& whole_memory() { return whole_memory_; }
  DecodedTextures& decoded_textures() { return decoded_textures_; }
  /// The same of image_uses().
  std::span<const ImageUse> images(const ProgramPointer& program) { return facts(program).code->images; }

 private:
  static constexpr size_t kMost = 1024;  ///< routines, contents; then all are dropped
  struct Hash {
    size_t operator()(const Words& words) const;
  };
  /// Kept with the code.
  struct CodeFacts {
    std::shared_ptr<const char> owner;  ///< `identity_` of the Routines that they are of
    uint32_t content = 0;               ///< the same for equal code
    std::vector<TextureUse> textures;
    std::vector<ImageUse> images;
    LiteralUses literals;
  };
  /// Kept with the program.
  struct Facts {
    std::shared_ptr<const CodeFacts> code;
    uint32_t content = 0;       ///< the same for equal code and literals, but for those that routines do not know
    std::vector<uint8_t> open;  ///< open_literals()
  };
  std::shared_ptr<const CodeFacts> code_facts(const hw::x::Code& code);
  const Facts& facts(const ProgramPointer& program);
  uint32_t number_of_content();
  /// Of the program with all that its code depends on, in key_.
  void make_key(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                const DescriptorKeys& keys, std::span<const uint32_t> key);
  std::shared_ptr<const Routine> find(const ProgramPointer& program, const hw::x::Resources& needs, hw::x::Stage stage, GroupForm form,
                                      const DescriptorKeys& keys, StageCode* code, std::span<const uint32_t> key);

  const Cpu cpu_;
  const CodeNames names_;
  const uint32_t collect_after_;
  const std::shared_ptr<lane::CodeMemory> memory_ = std::make_shared<lane::CodeMemory>();
  const std::shared_ptr<SlotRoutines> slots_;
  std::unordered_map<Words, uint32_t, Hash> contents_;
  uint32_t last_content_ = 0;
  const std::shared_ptr<const char> identity_ =
      std::make_shared<char>();  ///< its address is this object's; facts keep it from being used again
  std::unordered_map<Words, std::shared_ptr<const Routine>, Hash> routines_;
  std::unordered_map<Words, std::shared_ptr<LaterRoutine>, Hash> collected_;
  Words key_;      ///< of the current find()
  Words content_;  ///< of the current facts() or code_facts()
  DecodedTextures decoded_textures_;
  WholeMemory whole_memory_;
};

}  // namespace pumice::hw::fast::extended
