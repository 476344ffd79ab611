// SPDX-License-Identifier: MIT
/// The pictures of a replay: frames that labels name, and the colour targets that a step drew to.
#pragma once
#include <map>

#include "hw/trace/player.h"

namespace pumice::hw::trace {

struct PictureOptions {
  bool print = false;     ///< a line a picture with its digest
  std::string directory;  ///< of PNG files; empty: none
  bool targets = false;   ///< colour targets too when the trace has labels
};

class Pictures : public Watcher {
 public:
  Pictures(const PictureOptions& options) : options_(options) {}
  /// The player to look into, before it plays.
  void look_at(Memory& memory) { memory_ = &memory; }
  bool failed() const { return failed_; }

  void label(const PictureLabel& label) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void step(const Step& step) override;

 private:
  struct Image {
    std::string name, what;
    uint32_t width = 0, height = 0;
    std::vector<uint8_t> rgba;
  };
  void show(const Image& image);
  Image image_of(const TargetView& view, uint32_t width, uint32_t height) const;

  PictureOptions options_;
  Memory* memory_ = nullptr;
  std::map<uint64_t, TargetView> targets_;  ///< by address, with all pixels that draws could change
  std::map<uint64_t, TargetView> drawn_;    ///< in this step
  uint64_t frames_ = 0;
  bool failed_ = false;
};

}  // namespace pumice::hw::trace
