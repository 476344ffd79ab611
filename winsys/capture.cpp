// SPDX-License-Identifier: MIT
/// PUMICE_CAPTURE=dir: every presented frame as dir/frame-000000.png; PUMICE_CAPTURE_FRAMES=a-b (or a single number) limits it.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "winsys/png_file.h"
#include "winsys/winsys.h"

namespace pumice::winsys {
namespace {

bool parse_number(std::string_view text, uint64_t& value) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size();
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

/// The directory and those above it, as far as they are missing; 0 or errno. Not by std::filesystem, which would link iostreams into the driver.
int make_directories(const std::string& path) {
  for (size_t end = 0; end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    if (mkdir(path.substr(0, end).c_str(), 0777) && errno != EEXIST) return errno;
  }
  struct stat is;
  if (stat(path.c_str(), &is)) return errno;
  return S_ISDIR(is.st_mode) ? 0 : ENOTDIR;
}

}  // namespace

bool parse_frames(std::string_view text, FrameRange& range) {
  const size_t dash = text.find('-');
  FrameRange r;
  const bool good = dash == std::string_view::npos
                        ? parse_number(text, r.first) && parse_number(text, r.last)
                        : parse_number(text.substr(0, dash), r.first) && parse_number(text.substr(dash + 1), r.last) && r.first <= r.last;
  if (good) range = r;
  return good;
}

std::unique_ptr<Capture> Capture::create(const std::string& directory, FrameRange frames, std::string& error) {
  if (const int status = make_directories(directory)) {
    error = directory + ": " + std::strerror(status);
    return nullptr;
  }
  return std::make_unique<PngCapture>(directory, frames);
}

}  // namespace pumice::winsys
