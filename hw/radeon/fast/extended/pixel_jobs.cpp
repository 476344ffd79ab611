// SPDX-License-Identifier: MIT
/// See pixel.h: jobs of draws from their state and their bindings.
#include <algorithm>
#include <cstring>

#include "hw/radeon/fast/extended/pixel_job.h"

namespace pumice::hw::fast::extended {

namespace {

/// For objects without pointers into themselves.
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T, size_t kCount>
bool same(const std::array<T, kCount>& a, const std::array<T, kCount>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

/// Byte offsets of the registers that make_pixel_state() reads: the extension's blocks without compute, parameters of draws, bindings and
/// vertices.
constexpr uint32_t kStateRanges[][2] = {{regs::r5x::X_CTRL::offset, regs::r5x::X_CS_CODE_LO::offset},
                                        {regs::r5x::X_FS_CTRL::offset, regs::r5x::X_DRAW_INSTANCES::offset},
                                        {regs::r5x::X_DRAW_VIEW::offset, regs::r5x::X_DRAW_VIEW::offset + 4},
                                        {regs::r5x::X_VIEWPORT_XSCALE::offset, regs::r5x::X_ZB_EXTENT::offset + 4}};
/// Those of the documented 3D engine, but for the count that it keeps itself.
constexpr uint32_t kFirst3D = 0x1E00;
constexpr uint32_t kStrictRanges[][2] = {{kFirst3D, regs::ZB_ZPASS_DATA::offset},
                                         {regs::ZB_ZPASS_DATA::offset + 4, regs::r5x::X_CTRL::offset}};

/// For the slots that the reference's code executes, with the same kStateRanges. Rings and fences of the CP differ with each submission.
bool same_for_slots(const ChipState& a, const ChipState& b) {
  const bool same_registers = std::all_of(std::begin(kStrictRanges), std::end(kStrictRanges), [&](const auto& range) {
    return std::memcmp(&a.reg[range[0] / 4], &b.reg[range[0] / 4], range[1] - range[0]) == 0;
  });
  return same_registers && same(a.us_code, b.us_code) && same(a.us_const, b.us_const) && same(a.pvs, b.pvs) && same(a.filter4, b.filter4) &&
         a.rams == b.rams && a.profile == b.profile;
}

/// Parts of a piece of memory, one after the other.
class Parts {
 public:
  explicit Parts(std::byte* to) : to_(to) {}
  size_t bytes() const { return at_; }
  /// Without memory only counts.
  template <class T>
  T* copy(const T* from, size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlign);
    T* const part = to_ ? reinterpret_cast<T*>(to_ + at_) : nullptr;
    if (part && count) std::memcpy(static_cast<void*>(part), from, count * sizeof(T));
    at_ += (count * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    return part;
  }

 private:
  static constexpr size_t kAlign = 64;
  std::byte* const to_;
  size_t at_ = 0;
};

}  // namespace

struct PixelJobs::Impl {
  explicit Impl(Routines& r) : routines(r) {}
  /// A state, and the last draw that used it.
  struct Known {
    std::vector<uint32_t> registers;
    uint64_t map_version = 0;
    std::shared_ptr<const PixelState> state;
    std::array<std::optional<PreparedStage>, 2> stage;
    /// The routines for collected blocks or packed quads, and those for single blocks.
    std::array<std::shared_ptr<LaterRoutine>, 2> collected;
    std::array<std::shared_ptr<const Routine>, 2> collected_for;
    std::shared_ptr<DrawJob> job;
    std::shared_ptr<const ChipState> registers_now;  ///< of DrawJob::registers; null: to be copied
    uint64_t bindings = 0;                           ///< number of the bindings in `stage`
  };
  void read_registers(const ChipState& state);
  bool find(DrawContext& ctx, std::string* why);
  bool bind(DrawContext& ctx);
  std::shared_ptr<LaterRoutine> collected(uint32_t back);
  std::shared_ptr<PixelState> new_state();
  DrawJob& room();
  void publish(DrawContext& ctx);
  PixelBindings* copy(Parts& to);
  Known& now() { return *known.front(); }

  static constexpr size_t kMost = 2048, kMostKnown = 8, kMostStates = 2 * kMostKnown;
  Routines& routines;
  std::vector<std::unique_ptr<Known>> known;   ///< the current one first, then those used before
  std::vector<uint32_t> registers;             ///< of the state to be found
  std::vector<std::shared_ptr<DrawJob>> jobs;  ///< made so far; those without another reference are reused
  size_t next = 0;
  uint64_t published = 0;
  std::vector<std::shared_ptr<PixelState>> states;  ///< made so far; those without another reference are reused
};

PixelJobs::PixelJobs(Routines& routines) : impl_(std::make_unique<Impl>(routines)) {}
PixelJobs::~PixelJobs() = default;

void PixelJobs::Impl::read_registers(const ChipState& state) {
  registers.clear();
  for (const auto& [begin, end] : kStateRanges) registers.insert(registers.end(), &state.reg[begin / 4], &state.reg[end / 4]);
}

/// Moves the state to the front of the list.
bool PixelJobs::Impl::find(DrawContext& ctx, std::string* why) {
  read_registers(ctx.state);
  const uint64_t map_version = ctx.memory.map_version();
  const auto program = ctx.programs ? ctx.programs->find(ctx.state, ctx.memory, hw::x::Stage::fragment) : nullptr;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& k) {
    return k->state->program == program && k->map_version == map_version && same(k->registers, registers);
  });
  if (found != known.end()) {
    std::rotate(known.begin(), found, found + 1);
    return true;
  }
  std::shared_ptr<PixelState> state = new_state();
  if (!make_pixel_state(ctx, *state, why)) return false;
  if (known.size() >= kMostKnown) known.pop_back();
  known.insert(known.begin(), std::make_unique<Known>(Known{registers, map_version, std::move(state), {}, {}, {}, nullptr, nullptr, 0}));
  return true;
}

/// Routines and their inputs.
bool PixelJobs::Impl::bind(DrawContext& ctx) {
  const PixelState& state = *now().state;
  for (const uint32_t back : {0u, 1u}) {
    if (back && !state.two_sided) break;
    std::optional<PreparedStage>& s = now().stage[back];
    PixelCode code(state.key[back]);
    if (s) {
      if (!extended::bind(ctx, routines, hw::x::Stage::fragment, code, state.words[back], *s)) s.reset();
    } else {
      s = extended::prepare(ctx, routines, hw::x::Stage::fragment, code, state.words[back]);
    }
    if (!s) return false;
  }
  return true;
}

bool PixelJobs::select(const std::shared_ptr<const PixelJob>& job, uint64_t bindings) {
  auto& known = impl_->known;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k->job == job && k->bindings == bindings; });
  if (found == known.end()) return false;
  std::rotate(known.begin(), found, found + 1);
  now_ = job;
  return true;
}

bool PixelJobs::update(DrawContext& ctx, bool same_state, std::string* why, uint64_t bindings) {
  Impl& i = *impl_;
  if (!same_state || i.known.empty()) {
    if (!i.find(ctx, why)) return false;
    // Strict lookups read others than those that make the state. Copying takes ten times as long as comparing: the heap gives new pages.
    if (auto& copy = i.now().registers_now; copy && !same_for_slots(*copy, ctx.state)) copy = nullptr;
  }
  if (!i.bind(ctx)) {
    i.known.erase(i.known.begin());
    if (why) *why = "no native code";
    return false;
  }
  Impl::Known& now = i.now();
  now.bindings = bindings;
  const PreparedStage& front = *now.stage[0];
  const bool calls = front.full.routine->calls();
  const bool as_before = now.job && (!calls || now.registers_now) && now.job->face[0].routine == front.full.routine &&
                         (!now.state->two_sided || now.job->face[1].routine == now.stage[1]->full.routine);
  if (!as_before) i.publish(ctx);
  now_ = now.job;
  return true;
}

/// Packing a quad takes as long as a short program with one lookup. (Where second routines are made at once, all quads are packed.)
bool is_worth_packing(const PreparedStage& stage) {
  constexpr uint32_t kOperations = 550;
  const Routine& alone = *stage.full.routine;
  const auto& keys = stage.textures.keys;
  return alone.operations() >= kOperations || !alone.is_straight() ||
         std::any_of(keys.begin(), keys.end(), [](const TextureKey& k) { return k.probes > 0; });
}

/// Else quads may be packed.
bool can_collect(const PixelState& state, const Routine& alone) { return state.collects && alone.is_straight() && !alone.has_quads(); }

/// The routine for collected blocks or packed quads; null where each block is drawn alone.
std::shared_ptr<LaterRoutine> PixelJobs::Impl::collected(uint32_t back) {
  Known& k = now();
  const PixelState& state = *k.state;
  const PreparedStage& stage = *k.stage[back];
  const Routine& alone = *stage.full.routine;
  const bool collects = can_collect(state, alone);
  if (!collects && (!state.packs || alone.calls() || !(routines.collect_after() == 0 || is_worth_packing(stage)))) return nullptr;
  if (k.collected_for[back] == stage.full.routine) return k.collected[back];
  PixelKey key = state.key[back];
  key.collected = true, key.packed = !collects;
  const auto words = key.words();
  const auto code = [key = std::move(key)] { return std::make_unique<PixelCode>(key); };
  k.collected_for[back] = stage.full.routine;
  return k.collected[back] =
             routines.find_collected(stage.program, stage.needs, {stage.textures.keys, stage.images.keys}, stage.full.routine, code, words);
}

/// A state without other references, as new, or a new one: the heap takes long for so large and aligned ones, and its
/// memory is mostly not in the caches. As many as are kept come from one block, for which the thread's heap grows once. Only the chip's
/// thread takes and drops references.
std::shared_ptr<PixelState> PixelJobs::Impl::new_state() {
  if (states.empty()) {
    const auto block = std::make_shared<std::array<PixelState, kMostKnown + 2>>();
    states.reserve(kMostStates);
    for (PixelState& s : *block) states.emplace_back(&s, [block](PixelState*) {});
  }
  const auto unused = std::find_if(states.begin(), states.end(), [](const auto& s) { return s.use_count() == 1; });
  if (unused != states.end()) {
    **unused = {};
    return *unused;
  }
  auto made = std::make_shared<PixelState>();
  if (states.size() < kMostStates) states.push_back(made);
  return made;
}

/// A job without other references to reuse, or a new one. Only the chip's thread takes and drops references.
DrawJob& PixelJobs::Impl::room() {
  std::shared_ptr<DrawJob>& job = now().job;
  job = nullptr;
  // In the order of creation, which is that of batches: if the oldest is in use, so are the others.
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
  const auto& stage = now().stage;
  static_cast<PixelTraits&>(j) = *now().state;
  j.number = ++published;
  j.state = now().state;
  for (size_t back = 0; back < stage.size(); ++back) {
    DrawJob::Face& to = j.face[back];
    if (!stage[back]) {
      to = {};
      continue;
    }
    to.routine = stage[back]->full.routine;
    to.collected = collected(uint32_t(back));
    to.packed = !can_collect(*now().state, *to.routine);
  }
  const PreparedStage& front = *stage[0];
  j.rows = {};
  if (front.textures.keys.size() == 1 && !stage[1]) j.rows = picture_of(front.program->code, now().state->key[0], front.textures.keys[0]);
  j.rows.width = int32_t(j.width), j.rows.height = int32_t(j.height);
  j.picture = j.rows.is;
  const bool calls = front.full.routine->calls();
  if (calls && !now().registers_now) now().registers_now = std::make_shared<const ChipState>(ctx.state);
  j.registers = calls ? now().registers_now : nullptr;
}

PixelBindings* PixelJobs::Impl::copy(Parts& to) {
  const auto& stage = now().stage;
  const PreparedStage& front = *stage[0];
  const PixelBindings plain{.kept_blocks = front.textures.blocks, .bools = front.bools};
  PixelBindings* const b = to.copy(&plain, 1);
  const auto* const textures = to.copy(front.textures.views.data(), front.textures.views.size());
  const auto* const images = to.copy(front.images.views.data(), front.images.views.size());
  const auto* const needs = to.copy(&front.needs, front.full.routine->calls());
  if (b) b->textures = textures, b->images = images, b->needs = needs;
  for (size_t back = 0; back < stage.size() && stage[back]; ++back) {
    const Variant& from = stage[back]->full;
    View* const views = to.copy(from.views.data(), from.views.size());
    if (b) b->views[back] = views;
    // Views of constants that end behind their buffer point to copies of their own.
    size_t copy = 0;
    for (size_t i = 0; i < from.views.size(); ++i) {
      if (!from.views[i].is_copied()) continue;
      const std::vector<uint32_t>& words = from.copies[copy++];
      const uint32_t* const constants = to.copy(words.data(), words.size());
      if (views) views[i].constants = constants;
    }
  }
  return b;
}

size_t PixelJobs::binding_bytes() const {
  Parts parts(nullptr);
  impl_->copy(parts);
  return parts.bytes();
}

const PixelBindings* PixelJobs::copy_bindings(void* to) const {
  Parts parts(static_cast<std::byte*>(to));
  return impl_->copy(parts);
}

}  // namespace pumice::hw::fast::extended
