// SPDX-License-Identifier: MIT
/// pumice-replay: plays recordings of the chip (docs/trace.md).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/gpu.h"
#include "hw/radeon/trace/inspect/difference.h"
#include "hw/radeon/trace/tools/inspection.h"
#include "hw/radeon/trace/tools/progress.h"
#include "hw/radeon/trace/tools/tool.h"

namespace pumice::hw::trace {

bool parse_spec(const std::string& text, Spec& out) {
  std::string part[3];
  size_t at = 0;
  for (auto& p : part) {
    const size_t end = std::min(text.find(':', at), text.size());
    p = text.substr(std::min(at, text.size()), end - std::min(at, text.size()));
    at = end + 1;
  }
  out.text = text;
  out.config.on_report = print_report;
  bool lacking = false;
  const std::string wrong = at <= text.size() ? "more than three words; " : set_execution(out.config, part[0], part[1], part[2], &lacking);
  out.available = !lacking;
  if (wrong.empty() || lacking) return true;
  std::fprintf(stderr, "pumice-replay: '%s': %s", text.c_str(), wrong.c_str());
  std::fprintf(stderr, "expected EXEC[:THREADS[:CPU]], as in fast:7:avx2\n");
  return false;
}

void print_report(const Report& report) { std::fprintf(stderr, "pumice-replay: chip: %s\n", report.text.c_str()); }

namespace {

constexpr char kHelp[] =
    "usage: pumice-replay FILE [OPTIONS]\n"
    "Plays a recording (PUMICE_TRACE=FILE) and compares what the chip writes with what it wrote then.\n"
    "       pumice-replay FILE FILE [--exec ..] [--threads ..] [--cpu ..]\n"
    "Compares two recordings: the first packet, the first draw's state, the first pixel and the first step of its life that differ.\n"
    "  --exec fast|ref|check   executor (default fast)\n"
    "  --threads N             of the fast executor\n"
    "  --cpu WORD              portable, avx2, avx512\n"
    "  --digests               a line for each picture\n"
    "  --png DIR               each picture as a PNG file: frames that were presented, or what each step drew to\n"
    "  --targets               what steps drew to also when there are frames\n"
    "  --sample S, --layer L   pictures of targets and depth are of this sample and layer (from 0, which they are without it)\n"
    "  --list                  the packets in words\n"
    "  --frame N               frame N alone (from 0): its picture and, with --list, its packets; nothing behind it is played\n"
    "  --draw N                draw N alone (from 1): its packet, registers, programs, constants, what differs from the draw before and\n"
    "                          which packet wrote it; its textures, depth and targets; with --list, the packets since the draw before\n"
    "    --pixel X,Y           of that draw: what the chip computed for this pixel, instruction by instruction, and stored\n"
    "      --sample S          depth and colour of this sample only (from 0)\n"
    "    --vertex I            of that draw: what the chip computed for the vertex of this index\n"
    "  --dispatch N            dispatch N alone; draws and dispatches share their numbers (--list shows them): workgroups, registers, "
    "program,\n"
    "                          constants, images that it reads\n"
    "    --invocation X,Y,Z    of that dispatch: what the chip computed for the invocation of this gl_GlobalInvocationID\n"
    "  --modules DIR           with --draw or --dispatch: its shader modules as SPIR-V files\n"
    "  --until DRAW            stop behind this draw\n"
    "  --time N                play N times and print milliseconds\n"
    "  --compare SPEC SPEC ..  play once for each EXEC[:THREADS[:CPU]]; where bytes differ, find the draw and the pixel\n"
    "Exit code: 0 the same bytes, 1 other bytes, 2 the trace cannot be played or has no such frame or draw, 3 the same bytes as far as "
    "the\n"
    "recording goes, but it is truncated, 77 this processor lacks the instruction set.\n";

struct Options {
  std::string file, other;
  Spec spec{"fast", {}};
  PictureOptions pictures;
  InspectOptions inspect;
  bool list = false;
  uint64_t until = 0;
  uint32_t times = 0;
  std::vector<Spec> compare;
};

/// Pictures, the list and the early end.
class Screen final : public Inspection {
 public:
  Screen(const Options& options, Profile profile)
      : Inspection(options.pictures, options.inspect, profile),
        options_(options),
        profile_(profile),
        last_draw_(options.pictures.draw ? options.pictures.draw : options.until),
        progress_(options.spec.text) {}
  /// The player to look into, before it plays.
  void begin(Player& player) {
    player_ = &player;
    look_at(player.memory());
  }
  bool one_by_one() const override { return last_draw_ && now_ + 1 >= last_draw_; }
  bool enough() const override {
    return (last_draw_ && draw_ >= last_draw_) || (options_.pictures.frame && frames() > *options_.pictures.frame);
  }
  void note(Note kind, const std::string& text) override {
    if (options_.list && kind == Note::program) std::printf("recorded from: %s\n", text.c_str());
  }
  void packet(const Where& where, std::span<const uint32_t> words) override {
    Inspection::packet(where, words);
    static constexpr const char* kIndent[] = {"", "", "  ", "    ", ""};
    char place[16];
    std::snprintf(place, sizeof place, "%05x ", where.dword);
    list([&] { return kIndent[static_cast<size_t>(where.stream)] + (place + dump_packet(profile_, words)); });
  }
  void draw(const DrawContext& ctx, const DrawInput& input) override {
    now_ = ctx.draw;
    if (now_ == options_.pictures.draw && ctx.reporter) std::printf("%s\n", ctx.reporter->where.text(profile_).c_str());
    Inspection::draw(ctx, input);
  }
  void dispatch(const DrawContext& ctx, const DispatchInput& input) override {
    now_ = ctx.draw;
    if (now_ == options_.pictures.draw && options_.inspect.dispatch && ctx.reporter) {
      Where where = ctx.reporter->where;
      where.draw = 0;
      std::printf("dispatch %llu, %s\n", static_cast<unsigned long long>(now_), where.text(profile_).c_str());
    }
    Inspection::dispatch(ctx, input);
  }
  void dispatched(const DrawContext& ctx) override {
    Inspection::dispatched(ctx);
    executed(ctx.draw, true);
  }
  void drawn(const DrawContext& ctx) override {
    if (player_) progress_.at(*player_, ctx.draw);
    Inspection::drawn(ctx);
    executed(ctx.draw, false);
  }
  void step(const Step& s) override {
    list([&] {
      char text[96];
      std::snprintf(text, sizeof text, "-- step %llu ends%s; wrote %016llx\n", static_cast<unsigned long long>(s.number),
                    s.signalled ? ", the host was told" : "", static_cast<unsigned long long>(s.digest));
      return std::string(text);
    });
    Pictures::step(s);
    if (player_) progress_.at(*player_, s.last_draw);
  }
  /// Empty, or an error that the recording lacks the requested frame or draw. After playing.
  std::string missing() const {
    const auto has = [](uint64_t n, const char* what) { return "the recording has " + std::to_string(n) + " " + what; };
    if (options_.pictures.frame && frames() <= *options_.pictures.frame)
      return "--frame " + std::to_string(*options_.pictures.frame) + ": " + has(frames(), "frames, the first is 0");
    if (last_draw_ && draw_ < last_draw_)
      return (options_.inspect.dispatch ? "--dispatch "
              : options_.pictures.draw  ? "--draw "
                                        : "--until ") +
             std::to_string(last_draw_) + ": " + has(draw_, "draws and dispatches");
    if (options_.pictures.draw && other_kind_)
      return std::to_string(draw_) +
             (options_.inspect.dispatch ? " is the number of a draw: --draw" : " is the number of a dispatch: --dispatch");
    return {};
  }

 private:
  void executed(uint64_t number, bool dispatch) {
    list([&] { return (dispatch ? "    -- dispatch " : "    -- draw ") + std::to_string(number) + "\n"; });
    draw_ = number;
    other_kind_ = dispatch != options_.inspect.dispatch;
    if (!options_.pictures.draw) return;
    if (draw_ == options_.pictures.draw) std::fputs(held_.c_str(), stdout);
    held_.clear();
  }
  /// Prints what `text` makes when it is part of the list: with --draw it waits for that draw.
  template <class Text>
  void list(Text text) {
    if (!options_.list || (options_.pictures.frame && frames() != *options_.pictures.frame)) return;
    if (options_.pictures.draw) {
      if (draw_ < options_.pictures.draw) held_ += text();
    } else {
      std::fputs(text().c_str(), stdout);
    }
  }

  const Options& options_;
  const Profile profile_;
  const uint64_t last_draw_;
  Progress progress_;
  Player* player_ = nullptr;
  uint64_t now_ = 0, draw_ = 0;
  bool other_kind_ = false;  ///< number draw_ is a dispatch where a draw was asked for, or the other way round
  std::string held_;
};

int print_time(const Options& o) {
  double best = 0, sum = 0;
  for (uint32_t i = 0; i < o.times; ++i) {
    std::string error;
    auto reader = Reader::open(o.file, error);
    Watcher watcher;
    auto player = reader ? Player::create(std::move(reader), o.spec.config, watcher, false) : nullptr;
    if (!player) {
      std::fprintf(stderr, "pumice-replay: %s\n", error.c_str());
      return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const Player::Result r = player->play();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!r.ok) {
      std::fprintf(stderr, "pumice-replay: %s\n", r.error.c_str());
      return 2;
    }
    best = i ? std::min(best, ms) : ms;
    sum += ms;
  }
  std::printf("%s: best %.3f ms, mean %.3f ms of %u\n", o.spec.text.c_str(), best, sum / o.times, o.times);
  return 0;
}

int play(Options o) {
  std::string error;
  auto reader = Reader::open(o.file, error);
  if (reader && o.pictures.any() && !o.pictures.targets && !o.pictures.frame) {
    o.pictures.targets = !has_labels(*reader);
    reader = Reader::open(o.file, error);
  }
  if (!reader) {
    std::fprintf(stderr, "pumice-replay: %s\n", error.c_str());
    return 2;
  }
  Screen screen(o, reader->profile());
  auto player = Player::create(std::move(reader), o.spec.config, screen);
  if (!player) {
    std::fprintf(stderr, "pumice-replay: no address space\n");
    return 2;
  }
  screen.begin(*player);
  const Player::Result r = player->play();
  if (!r.remark.empty()) std::fprintf(stderr, "pumice-replay: %s\n", r.remark.c_str());
  if (!r.ok) {
    std::fprintf(stderr, "pumice-replay: %s\n", r.error.c_str());
    return 2;
  }
  if (const std::string missing = screen.missing(); !missing.empty()) {
    std::fprintf(stderr, "pumice-replay: %s\n", missing.c_str());
    return kError;
  }
  std::printf("%llu steps, %llu draws%s: ", static_cast<unsigned long long>(r.steps), static_cast<unsigned long long>(r.draws),
              r.hung ? ", the chip hangs" : "");
  if (r.differs) {
    std::printf("%llu steps wrote other bytes than recorded, the first is step %llu, draws %llu to %llu\n",
                static_cast<unsigned long long>(r.differing), static_cast<unsigned long long>(r.differs->number),
                static_cast<unsigned long long>(r.differs->first_draw), static_cast<unsigned long long>(r.differs->last_draw));
    return kOther;
  }
  std::printf("the same bytes as recorded\n");
  return screen.failed() ? kError : r.truncated ? kTruncated : kSame;
}

int print_difference(const Options& o) {
  const Difference d = difference(o.file, o.other, o.spec.config);
  for (const std::string& l : d.lines) d.failed ? std::fprintf(stderr, "pumice-replay: %s\n", l.c_str()) : std::printf("%s\n", l.c_str());
  return d.failed ? kError : d.found ? kOther : kSame;
}

int usage() {
  std::fputs(kHelp, stderr);
  return 2;
}

int run(const std::vector<std::string>& args) {
  Options o;
  std::string exec, threads, cpu;
  bool comparing = false, drawing = false, parts = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    const auto value = [&](std::string& out) {
      if (i + 1 == args.size()) return false;
      out = args[++i];
      return true;
    };
    std::string number;
    char* end = nullptr;
    bool good = true;
    if (word == "--help" || word == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    } else if (word == "--exec") {
      good = value(exec);
    } else if (word == "--threads") {
      good = value(threads);
    } else if (word == "--cpu") {
      good = value(cpu);
    } else if (word == "--digests") {
      o.pictures.print = true;
    } else if (word == "--png") {
      good = value(o.pictures.directory);
    } else if (word == "--modules") {
      good = value(o.inspect.modules);
    } else if (word == "--targets") {
      o.pictures.targets = true;
    } else if (word == "--list") {
      o.list = true;
    } else if (word == "--pixel") {
      char tail = 0;
      auto& p = o.inspect.pixel.emplace();
      good = value(number) && std::sscanf(number.c_str(), "%d,%d%c", &p.x, &p.y, &tail) == 2 && p.x >= 0 && p.y >= 0;
    } else if (word == "--invocation") {
      char tail = 0;
      auto& at = o.inspect.invocation.emplace();
      good = value(number) && number.find('-') == std::string::npos &&
             std::sscanf(number.c_str(), "%9u,%9u,%9u%c", &at[0], &at[1], &at[2], &tail) == 3;
    } else if (word == "--layer") {
      good = value(number) && !number.empty() && number[0] != '-';
      const uint64_t n = std::strtoull(number.c_str(), &end, 10);
      good = good && *end == 0 && n <= 2047u;
      o.pictures.part.layer = static_cast<uint32_t>(n);
      parts = true;
    } else if (word == "--sample" || word == "--vertex") {
      good = value(number) && !number.empty() && number[0] != '-';
      const uint64_t n = std::strtoull(number.c_str(), &end, 10);
      good = good && *end == 0 && n <= (word == "--sample" ? 7u : 0xFFFFFFu);
      (word == "--sample" ? o.inspect.sample : o.inspect.vertex) = static_cast<uint32_t>(n);
      if (word == "--sample") o.pictures.part.sample = static_cast<uint32_t>(n), parts = true;
    } else if (word == "--until" || word == "--time" || word == "--frame" || word == "--draw" || word == "--dispatch") {
      good = value(number) && !number.empty() && number[0] != '-';
      const uint64_t n = std::strtoull(number.c_str(), &end, 10);
      good = good && *end == 0 && (n > 0 || word == "--frame");
      if (word == "--until")
        o.until = n;
      else if (word == "--frame")
        o.pictures.frame = n;
      else if (word == "--draw" || word == "--dispatch")
        o.pictures.draw = n, (word == "--draw" ? drawing : o.inspect.dispatch) = true;
      else
        o.times = static_cast<uint32_t>(n);
    } else if (word == "--compare") {
      comparing = true;
    } else if (word.starts_with("-")) {
      good = false;
    } else if (o.file.empty()) {
      o.file = word;
    } else if (o.other.empty() && !comparing) {
      o.other = word;
    } else if (comparing) {
      if (!parse_spec(word, o.compare.emplace_back())) return 2;
    } else {
      good = false;
    }
    if (!good) {
      std::fprintf(stderr, "pumice-replay: what does '%s' mean here?\n", word.c_str());
      return usage();
    }
  }
  if (o.file.empty()) return usage();
  if (!parse_spec((exec.empty() ? "fast" : exec) + (threads.empty() && cpu.empty() ? "" : ":" + threads) + (cpu.empty() ? "" : ":" + cpu),
                  o.spec))
    return 2;
  if ((o.pictures.frame ? 1 : 0) + (o.pictures.draw ? 1 : 0) + (o.until ? 1 : 0) > 1) {
    std::fprintf(stderr, "pumice-replay: --frame, --draw and --until exclude each other\n");
    return kError;
  }
  if (drawing && o.inspect.dispatch) {
    std::fprintf(stderr, "pumice-replay: --draw and --dispatch exclude each other\n");
    return kError;
  }
  if (o.inspect.invocation ? !o.inspect.dispatch || o.inspect.pixel || o.inspect.vertex : o.inspect.dispatch && o.inspect.life()) {
    std::fprintf(stderr, "pumice-replay: --invocation goes with --dispatch, --pixel and --vertex with --draw\n");
    return kError;
  }
  if ((o.inspect.life() && !o.pictures.draw) || (o.inspect.pixel && o.inspect.vertex)) {
    std::fprintf(stderr, "pumice-replay: --pixel or --vertex goes with --draw\n");
    return kError;
  }
  if (parts && !o.pictures.draw && !o.pictures.any()) {
    std::fprintf(stderr, "pumice-replay: --sample and --layer go with --draw, --png or --digests\n");
    return kError;
  }
  if (!o.inspect.modules.empty() && !o.pictures.draw) {
    std::fprintf(stderr, "pumice-replay: --modules goes with --draw or --dispatch\n");
    return kError;
  }
  if (!comparing && !o.spec.available) {
    std::printf("%s skipped: this processor lacks the instruction set\n", o.spec.text.c_str());
    return kSkipped;
  }
  if (!o.other.empty()) {
    if (comparing || o.pictures.any() || o.pictures.frame || o.pictures.draw || parts || o.until || o.list || o.times || o.inspect.life()) {
      std::fprintf(stderr, "pumice-replay: two recordings are compared as a whole, only --exec, --threads and --cpu go with them\n");
      return kError;
    }
    return print_difference(o);
  }
  // Without a folder for it a picture is a line.
  if ((o.pictures.frame || o.pictures.draw) && o.pictures.directory.empty()) o.pictures.print = true;
  if (o.pictures.draw) o.pictures.targets = true;
  for (const std::string& folder : {o.pictures.directory, o.inspect.modules}) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) {
      std::fprintf(stderr, "pumice-replay: %s: %s\n", folder.c_str(), error.message().c_str());
      return 2;
    }
  }
  if (comparing && o.compare.size() < 2) {
    std::fprintf(stderr, "pumice-replay: --compare needs two or more\n");
    return 2;
  }
  if (comparing) return compare(o.file, o.compare);
  return o.times ? print_time(o) : play(o);
}

}  // namespace
}  // namespace pumice::hw::trace

int main(int argc, char** argv) { return pumice::hw::trace::run({argv + 1, argv + argc}); }
