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
    "FILE: *.rdpv, an RDPDUMP1/2 dump, or big-endian 64-bit command words\n"
    "  --vector NAME           which vector of an *.rdpv file\n"
    "  --list                  print the commands\n"
    "  --frame N               stop after frame N of a dump (from 0)\n"
    "  --png OUT               write the colour image (the last one set, or --image)\n"
    "  --image ADDR,WxH,BITS   which image: byte address, size, 8, 16 or 32 bits per pixel\n"
    "  --scale WxH             scale the picture as the VI does\n"
    "  --measure N             play N times and print the time\n"
    "Exit code: 0 played; 1 played, but the list has undefined or cut-off commands, or commands that would hang the chip, or the picture\n"
    "could not be written; 2 wrong usage or unreadable file.\n"
    "\nusage: pumice-rdp compare FILE FILE [--vector NAME] [--frame N]   do both leave the same memory?\n";

/// Of wrong usage, or of --help, which is an answer and no error.
int usage(bool help) {
  std::fputs(kUsage, help ? stdout : stderr);
  return help ? 0 : 2;
}

struct Options {
  std::vector<std::string> files;
  std::string vector, png, image, scale;
  bool list = false, help = false, ok = true;
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
    if (a == "--help" || a == "-h")
      o.help = true;
    else if (a == "--list")
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

constexpr unsigned kMaxSize = 4096;  // of a picture, each way

/// Empty, or the limit that a picture of this size breaks.
std::string check_size(const char* what, uint32_t width, uint32_t height) {
  if (width && height && width <= kMaxSize && height <= kMaxSize) return {};
  return std::string(what) + " is " + std::to_string(width) + "x" + std::to_string(height) + " pixels; pictures have 1 to " +
         std::to_string(kMaxSize) + " each way";
}

/// The image to write; empty, or why there is none.
std::string view_of(const Options& o, Player& player, ImageView& view) {
  const State& state = player.rdp().state();
  view = {state.color_image.address, state.color_image.width, state.scissor.yl >> 2, state.color_image.size};
  std::string wrong;
  if (o.image.empty()) {
    if (!view.size) return "the last colour image has 4 bits per pixel, pictures need 8, 16 or 32; name another with --image ADDR,WxH,BITS";
    wrong = check_size("the last colour image (its height is the scissor's)", view.width, view.height);
    if (!wrong.empty()) return wrong + "; name another with --image ADDR,WxH,BITS";
  } else {
    long long address = 0;
    unsigned width = 0, height = 0, depth = 0;
    char rest = 0;
    if (std::sscanf(o.image.c_str(), "%lli,%ux%u,%u%c", &address, &width, &height, &depth, &rest) != 4)
      return "--image " + o.image + ": expected ADDR,WxH,BITS, as in 0x100000,320x240,16";
    if (depth != 8 && depth != 16 && depth != 32) return "--image " + o.image + ": BITS is 8, 16 or 32";
    if (wrong = check_size("the --image", width, height); !wrong.empty()) return wrong;
    view = {static_cast<uint32_t>(address), width, height, depth == 8 ? 1u : depth == 16 ? 2u : 3u};
    if (address < 0 || address > UINT32_MAX) view.address = UINT32_MAX;
  }
  const uint64_t end = uint64_t{view.address} + (uint64_t{view.width} * view.height << (view.size - 1));
  if (end <= player.rdp().rdram().size()) return {};
  char text[120];
  std::snprintf(text, sizeof text, "the image ends at 0x%" PRIX64 ", beyond RDRAM's 0x%X bytes", end, player.rdp().rdram().size());
  return text;
}

std::string save_picture(const Options& o, Player& player) {
  ImageView view;
  if (const std::string wrong = view_of(o, player, view); !wrong.empty()) return wrong;
  Picture p = picture_of(player.rdp().rdram(), view);
  if (!o.scale.empty()) {
    unsigned w = 0, h = 0;
    char rest = 0;
    if (std::sscanf(o.scale.c_str(), "%ux%u%c", &w, &h, &rest) != 2) return "--scale " + o.scale + ": expected WxH";
    if (const std::string wrong = check_size("the --scale", w, h); !wrong.empty()) return wrong;
    p = scaled(p, w, h);
  }
  return write_png(o.png, p) ? std::string() : o.png + ": cannot be written";
}

/// Says what is wrong with the commands themselves.
bool check_words(const Script& script) {
  bool good = true;
  for (const Step& s : script.steps) {
    if (s.kind != Step::Kind::words) continue;
    const ListFindings f = check_commands(s.words);
    if (f.undefined)
      std::fprintf(stderr,
                   "pumice-rdp: %zu of %zu commands have opcodes that the RDP does not define, the first is word %zu: %016" PRIX64 "\n",
                   f.undefined, f.commands, f.first_undefined, s.words[f.first_undefined]);
    if (f.cut_off) std::fprintf(stderr, "pumice-rdp: the last command of %zu words is cut off\n", s.words.size());
    good = good && !f.any();
  }
  return good;
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
  if (o.help || !o.ok || o.files.size() != 1) return usage(o.help);
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
  const bool good = check_words(script);
  Player player(script);
  const uint32_t frames = player.play(o.frame);
  if (player.faults()) std::fprintf(stderr, "pumice-rdp: %" PRIu64 " commands would hang the chip and were dropped\n", player.faults());
  if (frames) std::printf("%u frames\n", frames);
  if (o.measure) measure(script, o);
  if (o.frame != UINT32_MAX && o.frame >= frames) {
    std::fprintf(stderr, "pumice-rdp: --frame %u: the list has %u frames\n", o.frame, frames);
    return 1;
  }
  if (!o.png.empty())
    if (const std::string wrong = save_picture(o, player); !wrong.empty()) {
      std::fprintf(stderr, "pumice-rdp: %s\n", wrong.c_str());
      return 1;
    }
  return good && !player.faults() ? 0 : 1;
}

int compare(const std::vector<std::string>& args) {
  const Options o = parse(args);
  if (o.help || !o.ok || o.files.size() != 2) return usage(o.help);
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
