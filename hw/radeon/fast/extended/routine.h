// SPDX-License-Identifier: MIT
/// Extended programs made into routines, and the cache of them by content.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/radeon/jit/lane/interpret.h"
#include "hw/radeon/jit/lane/routine.h"
#include "hw/radeon/jit/x/translate.h"

namespace pumice::hw::fast::extended {

/// Native code, or prepared steps on processors without.
class Routine {
 public:
  Routine(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full, const DescriptorKeys& keys, Cpu cpu,
          CodeNames names, StageCode* code = nullptr);
  bool usable() const { return code_ || steps_; }
  const std::string& why() const { return why_; }  ///< not usable
  /// FTZ and DAZ are set.
  void run(GroupArgs& args) const {
    if (code_)
      code_->function()(&args);
    else
      steps_->run(&args);
  }
  const std::vector<ViewUse>& views() const { return views_; }
  uint32_t barriers() const { return barriers_; }
  uint32_t state_bytes() const { return state_bytes_; }
  bool calls() const { return calls_; }            ///< needs Caller::thread
  bool writes_any() const { return writes_any_; }  ///< beyond views()

 private:
  std::vector<ViewUse> views_;
  uint32_t barriers_ = 0, state_bytes_ = 0;
  bool calls_ = false, writes_any_ = false;
  std::shared_ptr<const lane::Code> code_;
  std::optional<lane::Interpreter> steps_;
  std::string why_;
};

/// By content: the same program at another address, or read again, is the same routine.
class Routines {
 public:
  Routines(Cpu cpu, CodeNames names) : cpu_(cpu), names_(names) {}
  /// `full`: all 16 lanes exist and begin active; `keys`: by number of textures() and images(). Never null; perhaps not usable.
  std::shared_ptr<const Routine> find(const std::shared_ptr<const hw::x::Program>& program, const hw::x::Resources& needs,
                                      hw::x::Stage stage, bool full, const DescriptorKeys& keys);
  using Words = std::vector<uint32_t>;
  /// The same with code of the stage, which `key` identifies: not empty, and its first word is the stage's own.
  std::shared_ptr<const Routine> find(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full,
                                      const DescriptorKeys& keys, StageCode& code, const Words& key);
  /// texture_uses() of the program; valid until the next call.
  std::span<const TextureUse> textures(const std::shared_ptr<const hw::x::Program>& program) { return uses(program).textures; }
  /// The same of image_uses().
  std::span<const ImageUse> images(const std::shared_ptr<const hw::x::Program>& program) { return uses(program).images; }

 private:
  static constexpr size_t kMost = 1024;  ///< then all are dropped
  std::shared_ptr<const Routine> find(const hw::x::Program& program, const hw::x::Resources& needs, hw::x::Stage stage, bool full,
                                      const DescriptorKeys& keys, StageCode* code, Words key);
  struct Hash {
    size_t operator()(const Words& words) const;
  };
  /// What a program was found by last time. The pointer keeps the address from being used again.
  struct Recent {
    std::shared_ptr<const hw::x::Program> program;
    uint32_t temps = 0, scratch = 0;
    std::vector<TextureKey> textures;
    std::vector<ImageKey> images;
    std::shared_ptr<const Routine> routine;
  };
  const Cpu cpu_;
  const CodeNames names_;
  std::unordered_map<Words, std::shared_ptr<const Routine>, Hash> routines_;
  struct Uses {
    std::shared_ptr<const hw::x::Program> program;
    std::vector<TextureUse> textures;
    std::vector<ImageUse> images;
  };
  const Uses& uses(const std::shared_ptr<const hw::x::Program>& program);
  std::map<std::pair<const hw::x::Program*, uint32_t>, Recent> recent_;
  std::map<const hw::x::Program*, Uses> uses_;
};

}  // namespace pumice::hw::fast::extended
