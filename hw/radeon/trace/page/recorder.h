// SPDX-License-Identifier: MIT
/// Watches a replay and keeps what the page shows of each draw.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>

#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/writers.h"
#include "hw/radeon/trace/page/surfaces.h"
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

struct PageOptions {
  uint64_t first_draw = 1, last_draw = ~0ull;       ///< what the page has
  std::optional<uint64_t> frame;                    ///< this frame alone
  std::vector<std::array<int32_t, 2>> pixels;       ///< whose lives it has
  bool quick = false;                               ///< draws are not executed by the reference: no work, no lives
  uint32_t texture_side = 256;                      ///< larger pictures of textures are made smaller
  static constexpr uint64_t kMostPixels = 1 << 24;  ///< of a surface
};

/// A draw, or a change of memory before one.
struct PageEvent {
  uint64_t draw = 0;  ///< 0: no draw
  uint64_t frame = 0;
  std::string packet;
  std::vector<uint32_t> surfaces;
  WorkTotals work;
  size_t changes = 0;  ///< registers that differ from the draw before
  bool extended = false;
  std::string layers;   ///< base64
  std::string details;  ///< JSON
};

struct PageFrame {
  std::optional<uint64_t> presented;  ///< address of the picture
};

class PageRecorder final : public Watcher {
 public:
  PageRecorder(const PageOptions& options, Profile profile);
  /// told(draw) behind each draw.
  void begin(std::function<void(uint64_t)> told) { told_ = std::move(told); }

  std::vector<PageEvent> events;
  std::vector<PageFrame> frames{1};
  std::vector<std::string> pictures;  ///< of textures: PNG, base64
  std::string program;                ///< the command line that was recorded
  const Surfaces& surfaces() const { return surfaces_; }

  bool one_by_one() const override { return true; }
  bool enough() const override;
  Inspector* inspector(uint64_t draw) override;
  void note(Note kind, const std::string& text) override;
  void packet(const Where& where, std::span<const uint32_t> words) override;
  void label(const PictureLabel& label) override;
  void draw(const DrawContext& ctx, const DrawInput& input) override;
  void drawn(const DrawContext& ctx) override;

 private:
  bool wanted(uint64_t draw) const;
  /// Buffers that something else has changed, or that the frame does not have yet, as an event.
  void before(const DrawContext& ctx);
  std::string details(const DrawContext& ctx, PageEvent& event);
  void textures(const DrawContext& ctx, Json& json);
  uint32_t picture(uint64_t digest, const std::function<Picture()>& make);

  const PageOptions options_;
  const Profile profile_;
  std::function<void(uint64_t)> told_;
  Writers writers_;
  Surfaces surfaces_;
  std::vector<std::string> packets_;  ///< since the draw before
  size_t left_out_ = 0;               ///< packets behind the most that are kept
  std::unique_ptr<ChipState> before_;
  std::map<uint64_t, uint32_t> picture_of_;  ///< number in `pictures` by digest of bytes and format
  uint64_t now_ = 0;

  // Of the draw under way.
  std::vector<SurfaceView> views_;
  std::unique_ptr<PixelWork> work_;
  std::vector<std::unique_ptr<PixelLife>> lives_;
  std::unique_ptr<Inspector> all_;
};

}  // namespace pumice::hw::trace
