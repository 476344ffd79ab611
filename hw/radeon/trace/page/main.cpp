// SPDX-License-Identifier: MIT
/// pumice-inspect: a recording as a page (docs/trace.md).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "hw/radeon/trace/page/document.h"
#include "hw/radeon/trace/page/rdp.h"
#include "hw/radeon/trace/page/recorder.h"

namespace pumice::hw::trace {

namespace {

constexpr char kHelp[] =
    "usage: pumice-inspect TRACE -o PAGE.html [OPTIONS]\n"
    "Makes one self-contained page of a recording (PUMICE_TRACE=TRACE): its draws with what they wrote, registers and which packets "
    "changed\n"
    "them, programs, constants, textures, depth, overdraw and cost, and the history of each pixel.\n"
    "  -o FILE          the page\n"
    "  --frame N        frame N alone (from 0)\n"
    "  --draws A-B      draws A to B alone (from 1)\n"
    "  --pixel X,Y      what the chip computed for this pixel in each draw that covers it, instruction by instruction; up to 16 times\n"
    "  --invocation X,Y,Z  the same of the invocation of this gl_GlobalInvocationID in each dispatch that has it; up to 16 times\n"
    "  --sample S       pictures, and depth and colours of --pixel, of this sample (from 0); without it pictures are of sample 0\n"
    "  --layer L        pictures of this layer of layered targets (from 0, which it is without it)\n"
    "  --textures SIDE  pictures of textures have at most SIDE pixels a side (default 256)\n"
    "  --quick          draw with the fast executor: without overdraw, cost, failed tests and lives\n"
    "Without --quick all draws of the page are executed by the scalar reference: choose a frame of a long recording.\n"
    "A recording of the RDP (RDPDUMP2) has a draw for each primitive, without lives; the cost of a pixel is its cycles.\n"
    "Exit code: 0 the page is written, 1 the recording plays to other bytes than it has, 2 it cannot be played, has no such draws, or the\n"
    "page cannot be written.\n";

constexpr int kOther = 1, kError = 2;

struct Options {
  std::string trace, out;
  PageOptions page;
};

bool parse_number(const std::string& text, uint64_t& out) {
  char* end = nullptr;
  out = std::strtoull(text.c_str(), &end, 10);
  return !text.empty() && text[0] >= '0' && text[0] <= '9' && *end == 0;
}

/// False: `word` means nothing here, or its value does not.
bool parse(const std::string& word, const std::string& value, Options& o) {
  uint64_t n = 0;
  char tail = 0;
  if (word == "-o") {
    o.out = value;
    return !value.empty();
  }
  if (word == "--frame") {
    if (!parse_number(value, n)) return false;
    o.page.frame = n;
    return true;
  }
  if (word == "--draws") {
    const size_t dash = value.find('-');
    return dash != std::string::npos && parse_number(value.substr(0, dash), o.page.first_draw) &&
           parse_number(value.substr(dash + 1), o.page.last_draw) && o.page.first_draw && o.page.first_draw <= o.page.last_draw;
  }
  if (word == "--pixel") {
    auto& p = o.page.pixels.emplace_back();
    return std::sscanf(value.c_str(), "%d,%d%c", &p[0], &p[1], &tail) == 2 && p[0] >= 0 && p[1] >= 0 && o.page.pixels.size() <= 16;
  }
  if (word == "--invocation") {
    auto& at = o.page.invocations.emplace_back();
    return value.find('-') == std::string::npos && std::sscanf(value.c_str(), "%9u,%9u,%9u%c", &at[0], &at[1], &at[2], &tail) == 3 &&
           o.page.invocations.size() <= 16;
  }
  if (word == "--sample" || word == "--layer") {
    const bool sample = word == "--sample";
    if (!parse_number(value, n) || n > (sample ? 7u : 2047u)) return false;
    if (sample) o.page.sample = uint32_t(n);
    (sample ? o.page.part.sample : o.page.part.layer) = uint32_t(n);
    return true;
  }
  if (word != "--textures" || !parse_number(value, n) || n < 1 || n > 4096) return false;
  o.page.texture_side = uint32_t(n);
  return true;
}

int fail(const std::string& why) {
  std::fprintf(stderr, "pumice-inspect: %s\n", why.c_str());
  return kError;
}

/// Writes the page of what was read; `played`: draws that the recording has.
int write(const Options& o, const PageData& data, uint64_t played) {
  size_t draws = 0;
  for (const PageEvent& e : data.events) draws += e.draw != 0;
  if (draws == 0) return fail(o.trace + ": no draw to show; the recording has " + std::to_string(played) + " draws and dispatches");
  if (!write_page(o.out, std::filesystem::path(o.trace).filename(), data, o.page)) return fail(o.out + ": cannot be written");
  std::error_code ignored;
  std::printf("%s: %zu draws, %.1f MB\n", o.out.c_str(), draws, double(std::filesystem::file_size(o.out, ignored)) / 1e6);
  return 0;
}

int radeon_page(const Options& o) {
  std::string error;
  auto reader = Reader::open(o.trace, error);
  if (!reader) return fail(error);
  PageRecorder recorder(o.page, reader->profile());
  Execution config;
  config.on_report = [](const Report& r) { std::fprintf(stderr, "pumice-inspect: chip: %s\n", r.text.c_str()); };
  auto player = Player::create(std::move(reader), config, recorder);
  if (!player) return fail(o.trace + ": no address space, or this processor lacks the instruction set");
  using Clock = std::chrono::steady_clock;
  auto next = Clock::now() + std::chrono::seconds(5);
  recorder.begin([&](uint64_t draw) {
    if (Clock::now() < next) return;
    next = Clock::now() + std::chrono::seconds(5);
    std::fprintf(stderr, "pumice-inspect: %.0f %%, draw %llu\n", 100 * player->progress(), static_cast<unsigned long long>(draw));
  });
  const Player::Result r = player->play();
  if (!r.ok) return fail(o.trace + ": " + r.error);
  if (const int code = write(o, recorder.data, r.draws)) return code;
  if (!r.remark.empty()) std::fprintf(stderr, "pumice-inspect: %s\n", r.remark.c_str());
  if (!r.differs) return 0;
  std::printf("other bytes than recorded, first in step %llu\n", static_cast<unsigned long long>(r.differs->number));
  return kOther;
}

int rdp_page(const Options& o) {
  if (!o.page.pixels.empty() || !o.page.invocations.empty()) return fail("--pixel: the lives of an RDP's pixels are not told");
  if (o.page.sample || o.page.part.layer) return fail("--sample and --layer: an RDP has neither");
  PageData data;
  uint64_t draws = 0;
  if (const std::string error = read_rdp(o.trace, o.page, data, draws); !error.empty()) return fail(error);
  return write(o, data, draws);
}

int run(const std::vector<std::string>& args) {
  Options o;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    if (word == "--help" || word == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (!word.starts_with("-") && o.trace.empty()) {
      o.trace = word;
    } else if (word == "--quick") {
      o.page.quick = true;
    } else if (i + 1 == args.size() || !parse(word, args[i + 1], o)) {
      std::fprintf(stderr, "pumice-inspect: what does '%s' mean here?\n%s", word.c_str(), kHelp);
      return kError;
    } else {
      ++i;
    }
  }
  if (o.page.quick && (!o.page.pixels.empty() || !o.page.invocations.empty()))
    return fail(std::string(o.page.pixels.empty() ? "--invocation" : "--pixel") + " needs the reference, which --quick leaves out");
  if (!o.trace.empty() && !o.out.empty()) return is_rdp(o.trace) ? rdp_page(o) : radeon_page(o);
  std::fputs(kHelp, stderr);
  return kError;
}

}  // namespace
}  // namespace pumice::hw::trace

int main(int argc, char** argv) { return pumice::hw::trace::run({argv + 1, argv + argc}); }
