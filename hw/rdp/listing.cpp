// SPDX-License-Identifier: MIT
/// Listings.
#include "hw/rdp/listing.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>

#include "hw/rdp/cmd.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {
namespace {

uint64_t bits(uint64_t w, int high, int low) { return w >> low & ((uint64_t{1} << (high - low + 1)) - 1); }

std::string value(const FieldInfo& f, const uint64_t* w) {
  int width = f.high - f.low + 1;
  uint64_t v = bits(w[f.word], f.high, f.low);
  if (f.frac_high >= 0) {
    const int n = f.frac_high - f.frac_low + 1;
    v = v << n | bits(w[f.frac_word], f.frac_high, f.frac_low);
    width += n;
  }
  if (f.values) return f.values[v];
  const int64_t s = f.is_signed && (v >> (width - 1) & 1) ? static_cast<int64_t>(v) - (int64_t{1} << width) : static_cast<int64_t>(v);
  char text[40];
  if (f.fraction)
    std::snprintf(text, sizeof text, "%.7g", std::ldexp(static_cast<double>(s), -f.fraction));
  else
    std::snprintf(text, sizeof text, width > 12 ? "0x%" PRIX64 : "%" PRId64, s);
  return text;
}

std::string fields(const CommandInfo& info, const uint64_t* w) {
  std::string line;
  for (const FieldInfo& f : info.fields) {
    // Switches that are off would only fill the line.
    if (f.high == f.low && !bits(w[f.word], f.high, f.low)) continue;
    line.append(" ").append(f.name);
    if (f.high != f.low || f.values) line.append("=").append(value(f, w));
  }
  return line;
}

}  // namespace

ListFindings check_commands(const std::vector<uint64_t>& words) {
  ListFindings out;
  for (size_t at = 0; at < words.size(); ++out.commands) {
    const unsigned n = command_words(words[at]);
    if (std::string_view(kCommands[words[at] >> 56 & 0x3F].name) == kUndefinedCommand && !out.undefined++) out.first_undefined = at;
    out.cut_off = at + n > words.size();
    at += n;
  }
  return out;
}

std::string list_commands(const std::vector<uint64_t>& words) {
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const uint64_t* w = &words[at];
    const unsigned n = command_words(*w);
    char head[64];
    std::snprintf(head, sizeof head, "%6zu %016" PRIX64 "  ", at, *w);
    const CommandInfo& info = kCommands[*w >> 56 & 0x3F];
    if (at + n > words.size()) return out.append(head).append(info.name).append(" (cut off)\n");
    out.append(head).append(info.name).append(fields(info, w)).append("\n");
    if (is_triangle(*w)) {
      Triangle t;
      t.raw[0] = *w;
      const uint64_t* c = w + Triangle::words;
      const auto group = [&](bool present, const CommandInfo& g) {
        if (!present) return;
        out.append(25, ' ').append(g.name).append(fields(g, c)).append("\n");
        c += g.words;
      };
      group(t.shade(), kShadeCoefficients);
      group(t.texture(), kTextureCoefficients);
      group(t.depth(), kDepthCoefficients);
    }
    at += n;
  }
  return out;
}

}  // namespace pumice::hw::rdp
