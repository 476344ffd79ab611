// SPDX-License-Identifier: MIT
/// The pictures of a replay: frames that labels name, and the colour targets that a step drew to.
#pragma once
#include <optional>

#include "hw/radeon/trace/inspect/picture.h"
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

/// Whether a trace names frames.
bool has_labels(Reader& reader);

struct PictureOptions {
  bool print = false;             ///< one line per picture with its digest
  std::string directory;          ///< of PNG files; empty: none
  bool targets = false;           ///< what each step drew to
  std::optional<uint64_t> frame;  ///< only this frame
  uint64_t draw = 0;              ///< not 0: only what this draw drew to
  Part part;                      ///< of what steps and draws drew to
  bool any() const { return print || !directory.empty(); }
};

class Pictures : public Watcher {
 public:
  Pictures(const PictureOptions& options) : options_(options) {}
  /// The player to look into, before it plays.
  void look_at(Memory& memory) { memory_ = &memory; }
  bool failed() const { return failed_; }
  /// Larger pictures are not shown.
  static constexpr uint32_t kMostPixels = 1u << 26;
  /// Frames that have been presented so far.
  uint64_t frames() const { return frames_; }

  void label(const PictureLabel& label) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void fills(const Rows& rows, uint32_t pixel_bytes) override;
  void step(const Step& step) override;

 protected:
  /// `name`: the file's without .png; `what`: the printed line's.
  void show(const std::string& name, const std::string& what, const Picture& image);
  const Part& part() const { return options_.part; }

 private:
  PictureOptions options_;
  Memory* memory_ = nullptr;
  std::vector<TargetView> drawn_;  ///< in this step, the last one last, with all pixels that draws could change
  std::vector<Rows> filled_;       ///< in this step, four bytes per pixel: shown when nothing was drawn
  uint64_t frames_ = 0;
  bool failed_ = false;
};

}  // namespace pumice::hw::trace
