// SPDX-License-Identifier: MIT
/// See difference.h. Each recording is played once for digests of packets, of each draw's state and of what it wrote; then up to the first
/// difference of each kind for what it is.
#include "hw/radeon/trace/inspect/difference.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/trace/inspect/draw_state.h"
#include "hw/radeon/trace/inspect/extended_state.h"
#include "hw/radeon/trace/inspect/normal.h"
#include "hw/radeon/trace/inspect/one_draw.h"
#include "hw/radeon/trace/inspect/text.h"
#include "hw/radeon/trace/pieces.h"
#include "hw/radeon/trace/player.h"

namespace pumice::hw::trace {

namespace {

/// Plays a file for a watcher; the error, empty when there is none.
class Side {
 public:
  Side(std::string file, const Execution& config) : file_(std::move(file)), config_(config) {}
  std::string play(Watcher& watcher, const std::function<void(Player&)>& begin) const {
    std::string error;
    auto reader = Reader::open(file_, error);
    if (!reader) return error;
    auto player = Player::create(std::move(reader), config_, watcher, false);
    if (!player) return file_ + ": no address space, or this processor lacks the instruction set";
    begin(*player);
    const Player::Result r = player->play();
    return r.ok ? "" : file_ + ": " + r.error;
  }

 private:
  const std::string file_;
  const Execution& config_;
};

/// Not: buffers, fences and scratch registers of the ring (how a driver submits, not what it draws), declarations of modules.
bool compared(const Where& where, std::span<const uint32_t> words) { return where.stream != Stream::ring && !declares_module(words); }

struct DrawDigest {
  size_t packets = 0;  ///< before it
  uint64_t state = 0, written = 0;
};

class Collector final : public DrawWatcher {
 public:
  std::vector<uint64_t> packets;
  std::vector<DrawDigest> draws;

  void packet(const Where& where, std::span<const uint32_t> words) override {
    if (!compared(where, words)) return;
    packets.push_back(normal_packet(*profile_of, packet_names_, words));
  }
  void draw(const DrawContext& ctx, const DrawInput& input) override {
    Digest digest;
    each_state_register(ctx.state.profile,
                        [&](uint32_t offset) { digest.add_number(normal_value(state_names_, offset, ctx.state.raw(offset))); });
    digest.add(ctx.state.us_code.data(), sizeof ctx.state.us_code);
    digest.add(ctx.state.us_const.data(), sizeof ctx.state.us_const);
    digest.add(ctx.state.pvs.data(), sizeof ctx.state.pvs);
    if (x::shaders(ctx.state)) digest.add_number(extended_digest(ctx));
    draws.push_back({packets.size(), digest.value(), 0});
    touched_by(ctx, input, touched_);
  }
  void drawn(const DrawContext& ctx) override {
    Digest digest;
    digest.add_number(ctx.counters.zpass);
    touched_.each_write([&](const Rows& rows) {
      each_row(rows, memory_->space(), [&](uint64_t begin, uint64_t end) {
        each_backed(*memory_, begin, end, [&](uint64_t from, uint64_t to) { digest.add(memory_->host_pointer(from), to - from); });
      });
    });
    draws.back().written = digest.value();
  }
  std::optional<Profile> profile_of;  ///< of the recording, set before it is played

 private:
  AddressNames packet_names_, state_names_;
  Touched touched_;
};

/// The text of one packet.
class PacketText final : public Watcher {
 public:
  PacketText(size_t number, Profile profile) : number_(number), profile_(profile) {}
  std::string text = "(the recording has no more packets)\n";
  void packet(const Where& where, std::span<const uint32_t> words) override {
    if (!compared(where, words) || seen_++ != number_) return;
    text = where.text(profile_) + "\n" + dump_packet(profile_, words);
  }
  bool enough() const override { return seen_ > number_; }

 private:
  const size_t number_;
  const Profile profile_;
  size_t seen_ = 0;
};

/// A line of a life in which descriptors and what they name have no addresses ("at 0x1000").
std::string without_addresses(std::string line) {
  constexpr std::string_view kAt = " at 0x";
  for (size_t at = line.find(kAt); at != std::string::npos; at = line.find(kAt, at + 1)) {
    const size_t begin = at + kAt.size();
    line.erase(begin, std::min(line.find_first_not_of("0123456789abcdef", begin), line.size()) - begin);
  }
  return line;
}

/// Both sides of a comparison and what has been said.
class Comparison {
 public:
  Comparison(const std::string& a, const std::string& b, const Execution& config) : side_{Side(a, config), Side(b, config)}, files_{a, b} {}
  Difference run();

 private:
  bool play(
      size_t i, Watcher& watcher, const std::function<void(Player&)>& begin = [](Player&) {}) {
    const std::string error = side_[i].play(watcher, begin);
    if (!error.empty()) fail(error);
    return error.empty();
  }
  void fail(const std::string& why) {
    result_.failed = true;
    result_.lines = {why};
  }
  void say(const std::string& text) { result_.lines.push_back(text); }
  /// A text of several lines, indented.
  void quote(const char* whose, const std::string& text);
  bool profiles();
  void packets();
  void state(uint64_t draw);
  void pixel(uint64_t draw);
  void life(uint64_t draw, uint32_t x, uint32_t y);

  const Side side_[2];
  const std::string files_[2];
  std::optional<Profile> profile_;  ///< of both, once profiles() has found it
  Collector seen_[2];
  Difference result_;
};

void Comparison::quote(const char* whose, const std::string& text) {
  const char* prefix = whose;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    say(std::string("  ") + prefix + "  " + text.substr(at, end - at));
    prefix = " ";
    at = end + 1;
  }
}

bool Comparison::profiles() {
  std::optional<Profile> profile[2];
  for (size_t i = 0; i < 2; ++i) {
    std::string error;
    const auto reader = Reader::open(files_[i], error);
    if (!reader) return fail(error), false;
    profile[i] = seen_[i].profile_of = reader->profile();
  }
  profile_ = profile[0];
  if (profile[0] != profile[1]) return fail("the recordings are of different chips"), false;
  return true;
}

void Comparison::packets() {
  const auto &a = seen_[0].packets, &b = seen_[1].packets;
  const size_t first = size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (first == a.size() && first == b.size()) return;
  result_.found = true;
  const auto& draws = seen_[0].draws;
  const auto next = std::find_if(draws.begin(), draws.end(), [&](const DrawDigest& d) { return d.packets > first; });
  say(format("the first packet that differs is number %zu, %s draw %zu", first + 1, next == draws.end() ? "behind" : "before or of",
             size_t(next - draws.begin()) + (next == draws.end() ? 0 : 1)));
  for (size_t i = 0; i < 2; ++i) {
    PacketText text(first, *profile_);
    if (!play(i, text)) return;
    quote(i ? "B" : "A", text.text);
  }
}

void Comparison::state(uint64_t draw) {
  OneDraw a(draw), b(draw);
  if (!play(0, a, [&](Player& p) { a.begin(p); }) || !play(1, b, [&](Player& p) { b.begin(p); })) return;
  say("the first draw whose state differs is " + std::to_string(draw) + " (B, was: A)");
  // What differs by its address alone is left out unless there is nothing else.
  const auto lines = difference_lines(*a.state, *b.state, nullptr);
  std::vector<std::string> kept, addresses;
  const decode::Tables& tables = decode::tables(*profile_);
  std::vector<std::string> names;
  each_state_register(*profile_, [&](uint32_t offset) {
    const uint32_t mask = address_bits(offset);
    if (mask && (a.state->raw(offset) & ~mask) == (b.state->raw(offset) & ~mask)) names.push_back(decode::name(tables, offset) + " = ");
  });
  bool address = false;
  for (const std::string& l : lines) {
    if (!l.starts_with(" ")) address = std::any_of(names.begin(), names.end(), [&](const std::string& n) { return l.starts_with(n); });
    (address ? addresses : kept).push_back(l);
  }
  const size_t first =
      size_t(std::mismatch(a.programs.begin(), a.programs.end(), b.programs.begin(), b.programs.end()).first - a.programs.begin());
  const bool programs = first < a.programs.size() || first < b.programs.size();
  for (const std::string& l : kept.empty() && !programs ? addresses : kept) say("  " + l);
  if (!programs) return;
  const auto line = [&](const OneDraw& d) { return first < d.programs.size() ? d.programs[first] : "(ends)"; };
  say("  the first line of programs and constants that differs");
  say("  A  " + line(a));
  say("  B  " + line(b));
}

void Comparison::pixel(uint64_t draw) {
  OneDraw a(draw), b(draw);
  if (!play(0, a, [&](Player& p) { a.begin(p); }) || !play(1, b, [&](Player& p) { b.begin(p); })) return;
  say("the first draw that writes other bytes is " + std::to_string(draw));
  for (size_t t = 0; t < std::min(a.pictures.size(), b.pictures.size()); ++t) {
    const auto &x = a.pictures[t], &y = b.pictures[t];
    if (x.width != y.width || x.pixels.size() != y.pixels.size()) return say("  its targets have other sizes");
    const size_t at = size_t(std::mismatch(x.pixels.begin(), x.pixels.end(), y.pixels.begin()).first - x.pixels.begin());
    if (at == x.pixels.size()) continue;
    const uint32_t px = uint32_t(at % x.width), py = uint32_t(at / x.width);
    say(format("  the first pixel is (%u, %u) of target %u: A %s, B %s", px, py, x.view.index, value_text(x.view, x.pixels[at]).c_str(),
               value_text(y.view, y.pixels[at]).c_str()));
    return life(draw, px, py);
  }
  say("  its colours are the same: depth, stencil, samples or the Z-pass count differ");
}

void Comparison::life(uint64_t draw, uint32_t x, uint32_t y) {
  OneDraw side[2] = {OneDraw(draw), OneDraw(draw)};
  for (size_t i = 0; i < 2; ++i) {
    side[i].life.emplace(int32_t(x), int32_t(y), std::nullopt);
    if (!play(i, side[i], [&](Player& p) { side[i].begin(p); })) return;
  }
  const Lines &a = side[0].life->lines(), &b = side[1].life->lines();
  const auto same = [](const std::string& one, const std::string& other) { return without_addresses(one) == without_addresses(other); };
  const size_t first = size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same).first - a.begin());
  if (first == a.size() && first == b.size())
    return say("  in this draw it has the same life: an earlier draw or the memory before differs");
  say("  the first step of its life that differs");
  // The instruction that a line of operands or results belongs to.
  const auto indent = [](const std::string& s) { return s.find_first_not_of(' '); };
  for (size_t i = first; i-- > 0 && first < a.size();)
    if (indent(a[i]) < indent(a[first])) {
      say("     " + a[i]);
      break;
    }
  for (size_t i = 0; i < 2; ++i) {
    const Lines& l = i ? b : a;
    say(std::string("  ") + (i ? "B" : "A") + "  " + (first < l.size() ? l[first] : "(ends)"));
  }
}

Difference Comparison::run() {
  if (!profiles()) return result_;
  for (size_t i = 0; i < 2; ++i)
    if (!play(i, seen_[i], [&](Player& p) { seen_[i].begin(p); })) return result_;
  const auto &a = seen_[0].draws, &b = seen_[1].draws;
  packets();
  const size_t both = std::min(a.size(), b.size());
  const auto first = [&](auto member) {
    size_t i = 0;
    while (i < both && a[i].*member == b[i].*member) ++i;
    return i;
  };
  if (const size_t i = first(&DrawDigest::state); !result_.failed && i < both) result_.found = true, state(i + 1);
  if (const size_t i = first(&DrawDigest::written); !result_.failed && i < both) result_.found = true, pixel(i + 1);
  if (result_.failed) return result_;
  if (a.size() != b.size()) {
    result_.found = true;
    say(format("A has %zu draws, B %zu", a.size(), b.size()));
  }
  if (!result_.found) say(format("no difference: %zu packets, %zu draws", seen_[0].packets.size(), a.size()));
  return result_;
}

}  // namespace

Difference difference(const std::string& a, const std::string& b, const Execution& config) { return Comparison(a, b, config).run(); }

}  // namespace pumice::hw::trace
