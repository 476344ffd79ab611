// SPDX-License-Identifier: MIT
/// See pixel.h: jobs of draws from their state and their bindings.
#include <algorithm>
#include <cstring>

#include "hw/radeon/fast/extended/pixel_job.h"

namespace pumice::hw::fast::extended {

namespace {

/// Objects without pointers to themselves; differing padding makes a job too many.
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Whether blocks do the same with the job as with what a draw has now.
bool same(const DrawJob::Face& job, const PreparedStage& now) {
  return job.routine == now.full.routine && job.copies.empty() && now.full.copies.empty() && same(job.views, now.full.views);
}

}  // namespace

struct PixelJobs::Impl {
  explicit Impl(Routines& r) : routines(r) {}
  bool bind(DrawContext& ctx);
  DrawJob& room();
  void publish(DrawContext& ctx);

  static constexpr size_t kMost = 2048;
  Routines& routines;
  std::shared_ptr<const PixelState> state;
  std::array<std::optional<PreparedStage>, 2> stage;  ///< of the current draw
  std::shared_ptr<DrawJob> job;                       ///< of the current draw
  std::vector<std::shared_ptr<DrawJob>> jobs;         ///< made so far; those that nobody else holds are used again
  size_t next = 0;
};

PixelJobs::PixelJobs(Routines& routines) : impl_(std::make_unique<Impl>(routines)) {}
PixelJobs::~PixelJobs() = default;

/// Routines and what they are given.
bool PixelJobs::Impl::bind(DrawContext& ctx) {
  for (const uint32_t back : {0u, 1u}) {
    std::optional<PreparedStage>& s = stage[back];
    if (back && !state->two_sided) {
      s.reset();
      break;
    }
    PixelCode code(state->key[back]);
    if (s) {
      if (!extended::bind(ctx, routines, hw::x::Stage::fragment, code, state->words[back], *s)) s.reset();
    } else {
      s = extended::prepare(ctx, routines, hw::x::Stage::fragment, code, state->words[back]);
    }
    if (!s) return false;
  }
  return true;
}

bool PixelJobs::update(DrawContext& ctx, bool same_state, std::string* why) {
  Impl& i = *impl_;
  if (!same_state || !i.state) {
    i.stage = {};
    i.job = nullptr;
    i.state = pixel_state(ctx, why);
    if (!i.state) return false;
  }
  if (!i.bind(ctx)) {
    i.state = nullptr;
    if (why) *why = "no native code";
    return false;
  }
  const PreparedStage& front = *i.stage[0];
  const bool calls = front.full.routine->calls();  // a snapshot has bindings, too
  const bool known = i.job && !calls && same(i.job->face[0], front) && (!i.state->two_sided || same(i.job->face[1], *i.stage[1])) &&
                     i.job->bools == front.bools && same(i.job->textures, front.textures.views) && same(i.job->images, front.images.views);
  if (!known) i.publish(ctx);
  now_ = i.job;
  return true;
}

/// A job that nobody holds any more: all references are of the chip's thread.
DrawJob& PixelJobs::Impl::room() {
  job = nullptr;
  // In the order they were made, which is that of batches: where the oldest is in use the others are.
  if (!jobs.empty()) {
    if (next >= jobs.size()) next = 0;
    if (jobs[next].use_count() == 1) return *(job = jobs[next++]);
  }
  job = std::make_shared<DrawJob>();
  if (jobs.size() < kMost) jobs.insert(jobs.begin() + static_cast<std::ptrdiff_t>(next++), job);
  return *job;
}

void PixelJobs::Impl::publish(DrawContext& ctx) {
  DrawJob& j = room();
  static_cast<PixelTraits&>(j) = *state;
  j.state = state;
  for (size_t back = 0; back < stage.size(); ++back) {
    DrawJob::Face& to = j.face[back];
    if (!stage[back]) {
      to = {};
      continue;
    }
    const Variant& from = stage[back]->full;
    to.routine = from.routine, to.views = from.views, to.copies = from.copies;
    // Views of constants that end behind their buffer point to copies: to the job's own.
    size_t copy = 0;
    for (View& v : to.views)
      if (v.constants != v.buffer.base) v.constants = to.copies[copy++].data();
  }
  const PreparedStage& front = *stage[0];
  j.textures = front.textures.views, j.kept_blocks = front.textures.blocks, j.images = front.images.views, j.bools = front.bools;
  j.snapshot =
      front.full.routine->calls() ? std::unique_ptr<const DrawJob::Snapshot>(new DrawJob::Snapshot{ctx.state, front.needs}) : nullptr;
}

std::shared_ptr<const PixelJob> PixelJob::prepare(DrawContext& ctx, Routines& routines, std::string* why) {
  PixelJobs jobs(routines);
  return jobs.update(ctx, false, why) ? jobs.now() : nullptr;
}

}  // namespace pumice::hw::fast::extended
