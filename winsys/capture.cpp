// SPDX-License-Identifier: MIT
/// PUMICE_CAPTURE=dir: every presented frame as dir/frame-000000.png; PUMICE_CAPTURE_FRAMES=a-b (or a single number) limits it.
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "winsys/png_file.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

struct FrameRange {
  uint64_t first = 0, last = UINT64_MAX;
};

bool parse_number(std::string_view text, uint64_t& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size();
}

bool parse_range(std::string_view text, FrameRange& range) {
  if (text.empty()) return true;
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return parse_number(text, range.first) && parse_number(text, range.last);
  return parse_number(text.substr(0, dash), range.first) && parse_number(text.substr(dash + 1), range.last) && range.first <= range.last;
}

class PngCapture final : public Capture {
 public:
  PngCapture(std::string directory, FrameRange range) : directory_(std::move(directory)), range_(range) {}

  bool frame(const Frame& frame, std::string& error) override {
    std::lock_guard lock(mutex_);
    const uint64_t number = next_++;
    if (number < range_.first || number > range_.last) return true;
    char name[40];
    std::snprintf(name, sizeof name, "/frame-%06llu.png", static_cast<unsigned long long>(number));
    return write_png(directory_ + name, frame, error);
  }

 private:
  std::string directory_;
  FrameRange range_;
  std::mutex mutex_;
  uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Capture> Capture::create(const std::string& directory, const std::string& frames, std::string& error) {
  if (directory.empty()) return nullptr;
  FrameRange range;
  if (!parse_range(frames, range)) {
    error = "PUMICE_CAPTURE_FRAMES=" + frames + ": expected a-b or a number, with a <= b";
    return nullptr;
  }
  std::error_code status;
  std::filesystem::create_directories(directory, status);
  if (status) {
    error = "PUMICE_CAPTURE=" + directory + ": " + status.message();
    return nullptr;
  }
  return std::make_unique<PngCapture>(directory, range);
}

}  // namespace pumice::winsys
