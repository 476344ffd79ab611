// SPDX-License-Identifier: MIT
/// One draw of a recording as compared between two recordings: its state before, its targets behind it, the life of a pixel.
#pragma once
#include <array>
#include <memory>
#include <optional>

#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

/// The memory that the draws of a recording touch, reported draw by draw.
class DrawWatcher : public Watcher {
 public:
  void begin(Player& player) { memory_ = &player.memory(); }
  bool one_by_one() const override { return true; }

 protected:
  Memory* memory_ = nullptr;
};

class OneDraw final : public DrawWatcher {
 public:
  explicit OneDraw(uint64_t number) : number_(number) {}
  std::unique_ptr<ChipState> state;
  struct Picture {
    TargetView view;
    uint32_t width = 0;
    std::vector<std::array<uint32_t, 4>> pixels;  ///< as they are stored
  };
  std::vector<Picture> pictures;
  std::vector<std::string> programs;  ///< and constants, of an extended draw
  std::optional<PixelLife> life;

  Inspector* inspector(uint64_t draw) override { return life && draw == number_ ? &*life : nullptr; }
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void drawn(const DrawContext& ctx) override;
  bool enough() const override { return done_; }

 private:
  /// Of an extended draw: its first layer and sample.
  void image(Picture& p);

  const uint64_t number_;
  bool done_ = false;
};

/// A pixel of a picture in numbers.
std::string value_text(const TargetView& view, const std::array<uint32_t, 4>& bits);

}  // namespace pumice::hw::trace
