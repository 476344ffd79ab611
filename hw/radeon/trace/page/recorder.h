// SPDX-License-Identifier: MIT
/// Watches a replay and keeps what the page shows of each draw.
#pragma once
#include <map>
#include <string>

#include "hw/radeon/trace/inspect/pixel_life.h"
#include "hw/radeon/trace/inspect/writers.h"
#include "hw/radeon/trace/names/names.h"
#include "hw/radeon/trace/page/page_data.h"
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

class PageRecorder final : public Watcher {
 public:
  PageRecorder(const PageOptions& options, Profile profile);
  /// told(draw) after each draw.
  void begin(std::function<void(uint64_t)> told) { told_ = std::move(told); }

  PageData data;

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
  std::string details(const DrawContext& ctx, PageEvent& event);
  void textures(const DrawContext& ctx, Json& json);
  uint32_t picture(uint64_t digest, const std::function<Picture()>& make);

  const PageOptions options_;
  const Profile profile_;
  std::function<void(uint64_t)> told_;
  Writers writers_;
  std::unique_ptr<NameSource> source_;
  const ProgramNames* names_ = nullptr;  ///< of the draw under way; null: not known
  std::vector<std::string> packets_;     ///< since the draw before
  size_t left_out_ = 0;                  ///< packets behind the most that are kept
  std::unique_ptr<ChipState> before_;
  std::map<uint64_t, uint32_t> picture_of_;  ///< number in PageData::pictures by digest of bytes and format
  uint64_t now_ = 0;

  // Of the draw under way.
  std::vector<SurfaceView> views_;
  std::unique_ptr<PixelWork> work_;
  std::vector<std::unique_ptr<PixelLife>> lives_;
  std::unique_ptr<Inspector> all_;
};

}  // namespace pumice::hw::trace
