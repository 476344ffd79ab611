// SPDX-License-Identifier: MIT
/// pumice-replay: plays recordings of the chip (docs/trace.md).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "hw/radeon/cp/dump.h"
#include "hw/radeon/gpu.h"
#include "hw/radeon/trace/tools/pictures.h"
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
  const std::string wrong = at <= text.size() ? "more than three words; " : set_execution(out.config, part[0], part[1], part[2]);
  if (wrong.empty()) return true;
  std::fprintf(stderr, "pumice-replay: '%s': %s", text.c_str(), wrong.c_str());
  std::fprintf(stderr, "expected EXEC[:THREADS[:CPU]], as in fast:7:avx2\n");
  return false;
}

void print_report(const Report& report) { std::fprintf(stderr, "pumice-replay: chip: %s\n", report.text.c_str()); }

namespace {

constexpr char kHelp[] =
    "usage: pumice-replay FILE [OPTIONS]\n"
    "Plays a recording (PUMICE_TRACE=FILE) and compares what the chip writes with what it wrote then.\n"
    "  --exec fast|ref|check   who draws (default fast)\n"
    "  --threads N             of the fast executor\n"
    "  --cpu WORD              portable, avx2, avx512\n"
    "  --digests               a line for each picture\n"
    "  --png DIR               each picture as a PNG file: frames that were presented, or what each step drew to\n"
    "  --targets               what steps drew to also when there are frames\n"
    "  --list                  the packets in words\n"
    "  --until DRAW            stop behind this draw\n"
    "  --time N                play N times and print milliseconds\n"
    "  --compare SPEC SPEC ..  play once for each EXEC[:THREADS[:CPU]]; where bytes differ, find the draw and the pixel\n"
    "Exit code: 0 the same bytes, 1 other bytes, 2 the trace cannot be played.\n";

struct Options {
  std::string file;
  Spec spec{"fast", {}};
  PictureOptions pictures;
  bool list = false;
  uint64_t until = 0;
  uint32_t times = 0;
  std::vector<Spec> compare;
};

/// Pictures, the list and the early end.
class Screen final : public Pictures {
 public:
  Screen(const Options& options, Profile profile) : Pictures(options.pictures), options_(options), profile_(profile) {}
  bool one_by_one() const override { return options_.until != 0; }
  bool enough() const override { return options_.until && draw_ >= options_.until; }
  void note(Note kind, const std::string& text) override {
    if (options_.list && kind == Note::program) std::printf("recorded from: %s\n", text.c_str());
  }
  void packet(const Where& where, std::span<const uint32_t> words) override {
    if (!options_.list) return;
    static constexpr const char* kIndent[] = {"", "", "  ", "    ", ""};
    std::printf("%s%05x %s", kIndent[static_cast<size_t>(where.stream)], where.dword, dump_packet(profile_, words).c_str());
  }
  void drawn(const DrawContext& ctx) override {
    draw_ = ctx.draw;
    if (options_.list) std::printf("    -- draw %llu\n", static_cast<unsigned long long>(draw_));
  }
  void step(const Step& s) override {
    if (options_.list)
      std::printf("-- step %llu ends%s; wrote %016llx\n", static_cast<unsigned long long>(s.number),
                  s.signalled ? ", the host was told" : "", static_cast<unsigned long long>(s.digest));
    Pictures::step(s);
  }

 private:
  const Options& options_;
  Profile profile_;
  uint64_t draw_ = 0;
};

int print_time(const Options& o) {
  double best = 0, sum = 0;
  for (uint32_t i = 0; i < o.times; ++i) {
    std::string error;
    auto reader = Reader::open(o.file, error);
    Watcher nobody;
    auto player = reader ? Player::create(std::move(reader), o.spec.config, nobody, false) : nullptr;
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
  if (reader && o.pictures.any() && !o.pictures.targets) {
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
  screen.look_at(player->memory());
  const Player::Result r = player->play();
  if (!r.remark.empty()) std::fprintf(stderr, "pumice-replay: %s\n", r.remark.c_str());
  if (!r.ok) {
    std::fprintf(stderr, "pumice-replay: %s\n", r.error.c_str());
    return 2;
  }
  std::printf("%llu steps, %llu draws%s: ", static_cast<unsigned long long>(r.steps), static_cast<unsigned long long>(r.draws),
              r.hung ? ", the chip hangs" : "");
  if (r.differs) {
    std::printf("%llu steps wrote other bytes than recorded, the first is step %llu, draws %llu to %llu\n",
                static_cast<unsigned long long>(r.differing), static_cast<unsigned long long>(r.differs->number),
                static_cast<unsigned long long>(r.differs->first_draw), static_cast<unsigned long long>(r.differs->last_draw));
    return 1;
  }
  std::printf("the same bytes as recorded\n");
  return screen.failed() ? 2 : 0;
}

int usage() {
  std::fputs(kHelp, stderr);
  return 2;
}

int run(const std::vector<std::string>& args) {
  Options o;
  std::string exec, threads, cpu;
  bool comparing = false;
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
    } else if (word == "--targets") {
      o.pictures.targets = true;
    } else if (word == "--list") {
      o.list = true;
    } else if (word == "--until" || word == "--time") {
      good = value(number);
      const uint64_t n = std::strtoull(number.c_str(), &end, 10);
      good = good && *end == 0 && n > 0;
      if (word == "--until")
        o.until = n;
      else
        o.times = static_cast<uint32_t>(n);
    } else if (word == "--compare") {
      comparing = true;
    } else if (word.starts_with("-")) {
      good = false;
    } else if (o.file.empty()) {
      o.file = word;
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
  if (!o.pictures.directory.empty()) {
    std::error_code error;
    std::filesystem::create_directories(o.pictures.directory, error);
    if (error) {
      std::fprintf(stderr, "pumice-replay: %s: %s\n", o.pictures.directory.c_str(), error.message().c_str());
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
