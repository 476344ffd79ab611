// SPDX-License-Identifier: MIT
/// pumice-rdp play and compare.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "hw/rdp/listing.h"
#include "hw/rdp/tools/picture.h"
#include "hw/rdp/tools/script.h"
#include "hw/rdp/tools/tool.h"

namespace pumice::hw::rdp {
namespace {

constexpr const char* kUsage =
    "usage: pumice-rdp play FILE [options]\n"
    "  FILE: *.rdpv, an RDPDUMP1/2 dump, or big-endian 64-bit command words\n"
    "  --vector NAME           which vector of an *.rdpv file\n"
    "  --list                  print the commands\n"
    "  --frame N               stop after frame N of a dump (from 0)\n"
    "  --png OUT               write the colour image (the last one set, or --image)\n"
    "  --image ADDR,WxH,BITS   which image: byte address, size, 8, 16 or 32 bits a pixel\n"
    "  --scale WxH             scale the picture as the VI does\n"
    "  --measure N             play N times and print the time\n"
    "usage: pumice-rdp compare FILE FILE [--vector NAME] [--frame N]   do both leave the same memory?\n";

int usage() {
  std::fputs(kUsage, stderr);
  return 2;
}

struct Options {
  std::vector<std::string> files;
  std::string vector, png, image, scale;
  bool list = false, ok = true;
  uint32_t frame = UINT32_MAX, measure = 0;
};

Options parse(const std::vector<std::string>& args) {
  Options o;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    const auto next = [&] {
      o.ok = o.ok && i + 1 < args.size();
      return i + 1 < args.size() ? args[++i] : std::string();
    };
    const auto number = [&] { return static_cast<uint32_t>(std::strtoul(next().c_str(), nullptr, 0)); };
    if (a == "--list")
      o.list = true;
    else if (a == "--vector")
      o.vector = next();
    else if (a == "--png")
      o.png = next();
    else if (a == "--image")
      o.image = next();
    else if (a == "--scale")
      o.scale = next();
    else if (a == "--frame")
      o.frame = number();
    else if (a == "--measure")
      o.measure = number();
    else if (a.starts_with("--"))
      o.ok = false;
    else
      o.files.push_back(a);
  }
  return o;
}

bool view_of(const Options& o, const State& state, ImageView& view) {
  view = {state.color_image.address, state.color_image.width, state.scissor.yl >> 2, state.color_image.size};
  if (!o.image.empty()) {
    int address = 0;
    unsigned width = 0, height = 0, depth = 0;
    if (std::sscanf(o.image.c_str(), "%i,%ux%u,%u", &address, &width, &height, &depth) != 4 || (depth != 8 && depth != 16 && depth != 32))
      return false;
    view = {static_cast<uint32_t>(address), width, height, depth == 8 ? 1u : depth == 16 ? 2u : 3u};
  }
  return view.width && view.height && view.width <= 4096 && view.height <= 4096;
}

bool save_picture(const Options& o, Player& player) {
  ImageView view;
  if (!view_of(o, player.rdp().state(), view)) {
    std::fprintf(stderr, "pumice-rdp: no colour image to write; name one with --image ADDR,WxH,BITS\n");
    return false;
  }
  Picture p = picture_of(player.rdp().rdram(), view);
  if (!o.scale.empty()) {
    unsigned w = 0, h = 0;
    if (std::sscanf(o.scale.c_str(), "%ux%u", &w, &h) != 2 || !w || !h || w > 4096 || h > 4096) return false;
    p = scaled(p, w, h);
  }
  if (write_png(o.png, p)) return true;
  std::fprintf(stderr, "pumice-rdp: %s cannot be written\n", o.png.c_str());
  return false;
}

void measure(const Script& script, const Options& o) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30, sum = 0;
  for (uint32_t i = 0; i < o.measure; ++i) {
    Player player(script);
    const auto start = Clock::now();
    player.play(o.frame);
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    best = std::min(best, ms);
    sum += ms;
  }
  std::printf("%u runs: best %.3f ms, mean %.3f ms\n", o.measure, best, sum / o.measure);
}

}  // namespace

int play(const std::vector<std::string>& args) {
  const Options o = parse(args);
  if (!o.ok || o.files.size() != 1) return usage();
  Script script;
  std::string error;
  if (!read_script(o.files[0], o.vector, script, error)) {
    std::fprintf(stderr, "pumice-rdp: %s\n", error.c_str());
    return 2;
  }
  if (o.list) {
    uint32_t frame = 0;
    for (const Step& s : script.steps) {
      if (s.kind == Step::Kind::words) std::fputs(list_commands(s.words).c_str(), stdout);
      if (s.kind == Step::Kind::frame && frame++ == o.frame) break;
    }
  }
  Player player(script);
  const uint32_t frames = player.play(o.frame);
  if (player.faults()) std::fprintf(stderr, "pumice-rdp: %" PRIu64 " commands would hang the chip and were dropped\n", player.faults());
  if (frames) std::printf("%u frames\n", frames);
  if (o.measure) measure(script, o);
  if (!o.png.empty() && !save_picture(o, player)) return 1;
  return 0;
}

int compare(const std::vector<std::string>& args) {
  const Options o = parse(args);
  if (!o.ok || o.files.size() != 2) return usage();
  Script scripts[2];
  for (int i = 0; i < 2; ++i) {
    std::string error;
    if (!read_script(o.files[static_cast<size_t>(i)], o.vector, scripts[i], error)) {
      std::fprintf(stderr, "pumice-rdp: %s\n", error.c_str());
      return 2;
    }
  }
  Player a(scripts[0]), b(scripts[1]);
  a.play(o.frame);
  b.play(o.frame);
  const uint32_t size = std::min(a.rdp().rdram().size(), b.rdp().rdram().size());
  uint32_t halfwords = 0, first = 0;
  for (uint32_t i = 0; i < size / 2; ++i) {
    const Rdram &ra = a.rdp().rdram(), &rb = b.rdp().rdram();
    if (ra.read16(i) == rb.read16(i) && ra.hidden(i) == rb.hidden(i)) continue;
    if (!halfwords++) first = 2 * i;
  }
  if (!halfwords && a.memory().size() == b.memory().size()) {
    std::printf("equal\n");
    return 0;
  }
  std::printf("%u halfwords differ, the first at 0x%06X\n", halfwords, first);
  return 1;
}

}  // namespace pumice::hw::rdp
