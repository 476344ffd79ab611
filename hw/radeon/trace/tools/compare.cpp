// SPDX-License-Identifier: MIT
/// See tool.h: digests of steps first, all replays side by side; of draws in the first step that differs then, and at last the bytes of
/// that draw.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

#include "common/processors.h"
#include "hw/radeon/trace/pieces.h"
#include "hw/radeon/trace/tools/progress.h"
#include "hw/radeon/trace/tools/tool.h"

namespace pumice::hw::trace {

namespace {

/// What all replays have found so far: each adds its steps in order, the first is the judge of the others.
class Race {
 public:
  explicit Race(size_t runners) : steps_(runners) {}
  void add(size_t runner, const Step& step) {
    const std::lock_guard lock(mutex_);
    auto& mine = steps_[runner];
    mine.push_back(step);
    const size_t k = mine.size() - 1;
    for (size_t other = 1; other < steps_.size(); ++other) {
      if ((runner != 0 && other != runner) || steps_[0].size() <= k || steps_[other].size() <= k) continue;
      const Step &a = steps_[0][k], &b = steps_[other][k];
      if (!over_ && (a.digest != b.digest || a.hung != b.hung)) over_ = true, loser_ = other, where_ = k;
    }
  }
  void give_up() { over_ = true; }
  bool over() const { return over_; }
  /// The runner that differs from the first, 0 when none does; and the step.
  size_t loser() const { return loser_; }
  const Step& step_of(size_t runner) const { return steps_[runner][where_]; }

 private:
  std::mutex mutex_;
  std::vector<std::vector<Step>> steps_;
  std::atomic<bool> over_ = false;
  size_t loser_ = 0, where_ = 0;
};

/// One of the replays of a race.
class Runner : public Watcher {
 public:
  Runner(Race& race, size_t number, const std::string& name) : race_(race), number_(number), progress_(name) {}
  const Player* player = nullptr;
  void step(const Step& s) override {
    race_.add(number_, s);
    if (player) progress_.at(*player, s.last_draw);
  }
  void drawn(const DrawContext& ctx) override {
    if (player) progress_.at(*player, ctx.draw);
  }
  bool enough() const override { return race_.over(); }

 private:
  Race& race_;
  const size_t number_;
  Progress progress_;
};

/// Digests of draws first..last one by one; the bytes of the last one.
class Draws : public Watcher {
 public:
  Draws(uint64_t first, uint64_t last) : first_(first), last_(last) {}
  void look_at(Player& p) { player_ = &p, memory_ = &p.memory(); }
  std::vector<uint64_t> digests;
  std::vector<TargetView> targets;  ///< of the last draw
  std::vector<std::pair<uint64_t, std::vector<std::byte>>> bytes;
  std::string where;

  bool one_by_one() const override { return now_ >= first_; }
  bool enough() const override { return done_; }
  void draw(const DrawContext& ctx, const DrawInput& input) override {
    now_ = ctx.draw;
    if (now_ >= first_) touched_by(ctx, input, touched_);
    if (now_ == last_) {
      targets = color_targets(ctx.state);
      if (ctx.reporter) where = ctx.reporter->where.text(ctx.state.profile);
    }
  }
  void drawn(const DrawContext& ctx) override {
    progress_.at(*player_, now_);
    if (now_ < first_) return;
    Digest digest;
    digest.add_number(ctx.counters.zpass);
    touched_.each_write([&](const Rows& rows) {
      each_row(rows, memory_->space(), [&](uint64_t begin, uint64_t end) {
        each_backed(*memory_, begin, end, [&](uint64_t from, uint64_t to) {
          const std::byte* data = memory_->host_pointer(from);
          digest.add(data, to - from);
          if (now_ == last_) bytes.emplace_back(from, std::vector<std::byte>(data, data + (to - from)));
        });
      });
    });
    digests.push_back(digest.value());
    done_ = now_ == last_;
  }

 private:
  const uint64_t first_, last_;
  Player* player_ = nullptr;
  Memory* memory_ = nullptr;
  Progress progress_{"looking for the draw"};
  uint64_t now_ = 0;
  bool done_ = false;
  Touched touched_;
};

bool run(const std::string& file, const Spec& spec, Watcher& watcher, const std::function<void(Player&)>& begin, Player::Result& result) {
  std::string error;
  auto reader = Reader::open(file, error);
  auto player = reader ? Player::create(std::move(reader), spec.config, watcher) : nullptr;
  if (!player) {
    std::fprintf(stderr, "pumice-replay: %s\n", error.empty() ? "no address space" : error.c_str());
    return false;
  }
  begin(*player);
  result = player->play();
  if (!result.ok) std::fprintf(stderr, "pumice-replay: %s: %s\n", spec.text.c_str(), result.error.c_str());
  return result.ok;
}

/// Names the byte, and the pixel when it is one of a colour target.
void print_bytes(const Draws& a, const Draws& b) {
  const size_t n = std::min(a.bytes.size(), b.bytes.size());
  for (size_t i = 0; i < n; ++i) {
    const auto& [from, x] = a.bytes[i];
    const auto& y = b.bytes[i].second;
    for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
      if (x[k] == y[k]) continue;
      const uint64_t address = from + k;
      std::printf("  first byte: 0x%08llx, 0x%02x and 0x%02x\n", static_cast<unsigned long long>(address), static_cast<unsigned>(x[k]),
                  static_cast<unsigned>(y[k]));
      for (const TargetView& v : a.targets) {
        const surface::PixelAccess& p = v.target.pixels;
        const uint64_t pitch = uint64_t{p.layout.pitch_px} * p.layout.bytes_per_pixel;
        if (p.layout.macro_tiled || p.layout.micro || address < p.base || pitch == 0 || (address - p.base) / pitch >= v.y1) continue;
        std::printf("  colour target %u at 0x%08llx, pixel (%llu, %llu)\n", v.index, static_cast<unsigned long long>(p.base),
                    static_cast<unsigned long long>((address - p.base) % pitch / p.layout.bytes_per_pixel),
                    static_cast<unsigned long long>((address - p.base) / pitch));
        return;
      }
      return;
    }
  }
  std::printf("  the Z-pass counters differ, or the draws touch different memory\n");
}

int narrow(const std::string& file, const Spec& a, const Spec& b, const Step& step) {
  std::printf("%s and %s differ in step %llu, draws %llu to %llu\n", a.text.c_str(), b.text.c_str(),
              static_cast<unsigned long long>(step.number), static_cast<unsigned long long>(step.first_draw),
              static_cast<unsigned long long>(step.last_draw));
  Player::Result result;
  const auto look = [&](Draws& x, Draws& y) {
    return run(
               file, a, x, [&](Player& p) { x.look_at(p); }, result) &&
           run(
               file, b, y, [&](Player& p) { y.look_at(p); }, result);
  };
  Draws x(step.first_draw, step.last_draw), y(step.first_draw, step.last_draw);
  if (step.last_draw < step.first_draw || !look(x, y)) return 1;
  uint64_t i = 0;
  while (i < x.digests.size() && i < y.digests.size() && x.digests[i] == y.digests[i]) ++i;
  if (i == x.digests.size() && i == y.digests.size()) {
    std::printf("  each draw by itself is the same: the difference comes from elsewhere, or from draws that run at the same time\n");
    return 1;
  }
  const uint64_t draw = step.first_draw + i;
  Draws p(draw, draw), q(draw, draw);
  if (!look(p, q)) return 1;
  std::printf("  the first draw that differs is %llu: %s\n", static_cast<unsigned long long>(draw), p.where.c_str());
  print_bytes(p, q);
  return 1;
}

}  // namespace

int compare(const std::string& file, const std::vector<Spec>& asked) {
  std::vector<Spec> specs;
  for (const Spec& spec : asked) {
    if (spec.available)
      specs.push_back(spec);
    else
      std::printf("%-16s skipped: this processor lacks the instruction set\n", spec.text.c_str());
  }
  if (specs.size() < 2) {
    std::printf("nothing left to compare\n");
    return kSkipped;
  }
  Race race(specs.size());
  std::vector<Player::Result> results(specs.size());
  std::atomic<size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (size_t i; !race.over() && (i = next++) < specs.size();) {
      Runner runner(race, i, specs[i].text);
      if (run(
              file, specs[i], runner, [&](Player& p) { runner.player = &p; }, results[i]))
        continue;
      failed = true;
      race.give_up();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min<size_t>(processors(), specs.size()); ++i) threads.emplace_back(work);
    work();
  }
  if (failed) return kError;
  if (const size_t loser = race.loser()) {
    const Step &x = race.step_of(0), &y = race.step_of(loser);
    if (x.hung == y.hung) return narrow(file, specs[0], specs[loser], x);
    // What ran of the draw, and what came after it, cannot be compared.
    std::printf("the watchdog stops %s in step %llu, draws %llu to %llu, and not %s\n", (x.hung ? specs[0] : specs[loser]).text.c_str(),
                static_cast<unsigned long long>(x.number), static_cast<unsigned long long>(x.first_draw),
                static_cast<unsigned long long>(x.last_draw), (x.hung ? specs[loser] : specs[0]).text.c_str());
    return kOther;
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    const Player::Result& r = results[i];
    std::printf("%-16s %llu steps, %llu draws%s, %.1f s, %.1f draws/s\n", specs[i].text.c_str(), static_cast<unsigned long long>(r.steps),
                static_cast<unsigned long long>(r.draws), r.differs ? ", not as recorded" : ", as recorded", r.seconds,
                static_cast<double>(r.draws) / std::max(r.seconds, 1e-9));
    if (r.steps == results[0].steps) continue;
    std::printf("%s and %s differ: %llu and %llu steps\n", specs[0].text.c_str(), specs[i].text.c_str(),
                static_cast<unsigned long long>(results[0].steps), static_cast<unsigned long long>(r.steps));
    return kOther;
  }
  std::printf("the same bytes everywhere\n");
  if (!results[0].remark.empty()) std::fprintf(stderr, "pumice-replay: %s\n", results[0].remark.c_str());
  return results[0].truncated ? kTruncated : kSame;
}

}  // namespace pumice::hw::trace
