// SPDX-License-Identifier: MIT
/// Builds Report texts: prefixes the packet and the draw, and limits the rate so that a broken stream does not flood the driver.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "hw/types.h"

namespace pumice::hw {

enum class Stream : uint8_t { host, ring, ib1, ib2, pio };

/// The position in the command streams. Plain numbers: updated for every packet, formatted only when an error is reported.
struct Where {
  Stream stream = Stream::host;
  GpuAddress base = 0;  ///< of the ring or indirect buffer
  uint32_t dword = 0;   ///< of the packet's header within it
  uint32_t header = 0;  ///< the packet's header
  uint64_t draw = 0;    ///< number of the running draw, 0 outside of draws
  std::string text(Profile profile) const;
};

class Reporter {
 public:
  explicit Reporter(const GpuConfig& config) : config_(config) {}
  void reset() { seen_ = {}; }

  Where where;

  /// Hands "<where>: <text> <detail>" to the driver. Reports with the same kind and text are one problem: the first kAlways of it
  /// are passed on, then every one whose number is a power of two, saying how many there were.
  void report(ReportKind kind, const std::string& text, const std::string& detail = {});

 private:
  static constexpr uint64_t kAlways = 4;
  static constexpr size_t kMaxProblems = 64;  ///< per kind; all further ones share one count

  const GpuConfig& config_;
  std::array<std::map<std::string, uint64_t>, static_cast<size_t>(ReportKind::lockup) + 1> seen_;  ///< by kind; lockup is the last
};

}  // namespace pumice::hw
