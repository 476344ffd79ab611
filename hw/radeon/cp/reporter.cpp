// SPDX-License-Identifier: MIT
/// See reporter.h; also DrawContext::report, the equivalent for the blocks that execute draws.
#include "hw/radeon/cp/reporter.h"

#include <bit>

#include "hw/radeon/cp/packet.h"
#include "hw/radeon/draw/draw.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw {

std::string Where::text(Profile profile) const {
  std::string text = draw ? "draw " + std::to_string(draw) + ", " : "";
  if (stream == Stream::host) return text + "register write by the host";
  text += packet_title(decode::tables(profile), header);
  switch (stream) {
    case Stream::host: break;
    case Stream::ring: text += " at ring dword "; break;
    case Stream::ib1: text += " at IB1 " + decode::hex(base) + " dword "; break;
    case Stream::ib2: text += " at IB2 " + decode::hex(base) + " dword "; break;
    case Stream::pio: return text + " pushed by the host";
  }
  return text + decode::hex(dword, 0);
}

void Reporter::report(ReportKind kind, const std::string& text, const std::string& detail) {
  if (!config_.on_report) return;
  auto& problems = seen_[static_cast<size_t>(kind)];
  const bool crowded = problems.size() >= kMaxProblems && !problems.contains(text);
  const uint64_t count = ++problems[crowded ? std::string() : text];
  if (count > kAlways && !std::has_single_bit(count)) return;
  std::string full = where.text(config_.profile) + ": " + text + detail;
  if (count > kAlways) full += " (number " + std::to_string(count) + " of its kind)";
  config_.on_report({kind, std::move(full)});
}

void DrawContext::report(ReportKind kind, const std::string& text) const {
  if (reporter)
    reporter->report(kind, text);
  else if (config.on_report)
    config.on_report({kind, text});
}

}  // namespace pumice::hw
