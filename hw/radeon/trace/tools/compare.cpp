// SPDX-License-Identifier: MIT
/// See tool.h: digests of steps first, of draws in the first step that differs then, and at last the bytes of that draw.
#include <cstdio>

#include "hw/radeon/trace/pieces.h"
#include "hw/radeon/trace/tools/tool.h"

namespace pumice::hw::trace {

namespace {

/// Digests of the steps.
class Steps : public Watcher {
 public:
  std::vector<Step> steps;
  void step(const Step& s) override { steps.push_back(s); }
};

/// Digests of draws first..last one by one; the bytes of the last one.
class Draws : public Watcher {
 public:
  Draws(uint64_t first, uint64_t last) : first_(first), last_(last) {}
  Memory* memory = nullptr;
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
    if (now_ < first_) return;
    Digest digest;
    digest.add_number(ctx.counters.zpass);
    touched_.each_write([&](const Rows& rows) {
      each_row(rows, memory->space(), [&](uint64_t begin, uint64_t end) {
        each_backed(*memory, begin, end, [&](uint64_t from, uint64_t to) {
          const std::byte* data = memory->host_pointer(from);
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
  uint64_t now_ = 0;
  bool done_ = false;
  Touched touched_;
};

bool run(const std::string& file, const Spec& spec, Watcher& watcher, Draws* draws, Player::Result& result) {
  std::string error;
  auto reader = Reader::open(file, error);
  auto player = reader ? Player::create(std::move(reader), spec.config, watcher) : nullptr;
  if (!player) {
    std::fprintf(stderr, "pumice-replay: %s\n", error.empty() ? "no address space" : error.c_str());
    return false;
  }
  if (draws) draws->memory = &player->memory();
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
  const auto look = [&](uint64_t last, Draws& x, Draws& y) { return run(file, a, x, &x, result) && run(file, b, y, &y, result) && last; };
  Draws x(step.first_draw, step.last_draw), y(step.first_draw, step.last_draw);
  if (step.last_draw < step.first_draw || !look(1, x, y)) return 1;
  uint64_t i = 0;
  while (i < x.digests.size() && i < y.digests.size() && x.digests[i] == y.digests[i]) ++i;
  if (i == x.digests.size() && i == y.digests.size()) {
    std::printf("  each draw by itself is the same: the difference comes from elsewhere, or from draws that run at the same time\n");
    return 1;
  }
  const uint64_t draw = step.first_draw + i;
  Draws p(draw, draw), q(draw, draw);
  if (!look(1, p, q)) return 1;
  std::printf("  the first draw that differs is %llu: %s\n", static_cast<unsigned long long>(draw), p.where.c_str());
  print_bytes(p, q);
  return 1;
}

}  // namespace

int compare(const std::string& file, const std::vector<Spec>& specs) {
  std::vector<Steps> logs(specs.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    Player::Result result;
    if (!run(file, specs[i], logs[i], nullptr, result)) return 2;
    std::printf("%-16s %llu steps, %llu draws%s\n", specs[i].text.c_str(), static_cast<unsigned long long>(result.steps),
                static_cast<unsigned long long>(result.draws), result.differs ? ", not as recorded" : ", as recorded");
  }
  for (size_t i = 1; i < specs.size(); ++i) {
    const auto& x = logs[0].steps;
    const auto& y = logs[i].steps;
    for (size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
      if (x[k].hung != y[k].hung) {
        // What ran of the draw, and what came after it, cannot be compared.
        std::printf("the watchdog stops %s in step %llu, draws %llu to %llu, and not %s\n", (x[k].hung ? specs[0] : specs[i]).text.c_str(),
                    static_cast<unsigned long long>(x[k].number), static_cast<unsigned long long>(x[k].first_draw),
                    static_cast<unsigned long long>(x[k].last_draw), (x[k].hung ? specs[i] : specs[0]).text.c_str());
        return 1;
      }
      if (x[k].digest != y[k].digest) return narrow(file, specs[0], specs[i], x[k]);
    }
    if (x.size() != y.size()) {
      std::printf("%s and %s differ: %zu and %zu steps\n", specs[0].text.c_str(), specs[i].text.c_str(), x.size(), y.size());
      return 1;
    }
  }
  std::printf("the same bytes everywhere\n");
  return 0;
}

}  // namespace pumice::hw::trace
