// SPDX-License-Identifier: MIT
/// Pixels of extended draws (docs/r5x.md, sections 4 to 8): a draw as its tiles see it, and the native routine for a block of 4x4 pixels.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/simd/lanes.h"
#include "hw/extents.h"
#include "hw/radeon/fast/extended/routine.h"
#include "hw/radeon/fast/raster/inputs.h"

namespace pumice::hw::fast::raster {
struct Record;
}

namespace pumice::hw::fast::extended {

using raster::PixelInputs;

/// Properties of a draw's pixels that the executor and the tiles use.
struct PixelTraits {
  uint32_t samples = 1;
  /// Pixels that may be drawn: the smallest extents of the targets. Primitives of layers from `layers` on are not drawn.
  uint32_t width = kMaxExtent, height = kMaxExtent, layers = ~0u;
  bool early = false;        ///< tests come before the program
  bool fills = false;        ///< all pixels of the draw get the same value without tests: PixelWorker::ready_fill()
  bool uses_z = false;       ///< the depth of a pixel is used
  bool uses_planes = false;  ///< the program reads varyings or 1/w
  bool picture = false;      ///< may be drawn by rows: BlockState::picture
  /// Addresses of the first layers of targets that get a value in every pixel that is covered, whatever they held.
  static constexpr uint32_t kTargets = 8;
  uint64_t overwritten[kTargets] = {};
  uint32_t overwrites = 0;
};

/// One draw's pixels. Immutable; owns everything it points to except memory of the chip.
class PixelJob : public PixelTraits {
 public:
  static constexpr size_t kBytes = 4096;  ///< of memory, roughly
  virtual ~PixelJob() = default;
  virtual const raster::PixelInputs& inputs() const = 0;
};

/// What descriptors and addresses say of a draw whose job is the same: plain data, all in one piece of memory (PixelJobs::copy_bindings).
struct PixelBindings {
  const View* views[2] = {};              ///< by facing
  const TextureView* textures = nullptr;  ///< of both facings
  const ImageView* images = nullptr;
  uint32_t kept_blocks = 0;                 ///< as Textures::blocks
  uint32_t bools = 0;                       ///< US_FC_BOOL_CONST
  const hw::x::Resources* needs = nullptr;  ///< where Routine::calls()
};

/// Makes the jobs of successive draws: the part that depends on state and programs once, the part that depends on descriptors and addresses
/// again when they change. Draws with the same state and routines share a job. The chip's thread only.
class PixelJobs {
 public:
  explicit PixelJobs(Routines& routines);
  ~PixelJobs();
  /// The draw of the state. `same_state`: since the last update() or select() that succeeded only registers of Changes::kConstants and
  /// kVertexConstants and memory have changed, and the programs are the same. `bindings`: a number for this content of the bindings.
  /// False, and why: the reference must draw it.
  bool update(DrawContext& ctx, bool same_state, std::string* why = nullptr, uint64_t bindings = 0);
  /// Makes current again what an earlier update() with this number made. False: it is not there any more.
  bool select(const std::shared_ptr<const PixelJob>& job, uint64_t bindings);
  /// After update() or select().
  const std::shared_ptr<const PixelJob>& now() const { return now_; }
  /// The bindings of the current draw: their size, and a copy in memory of that size, aligned to 64 bytes.
  size_t binding_bytes() const;
  const PixelBindings* copy_bindings(void* to) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::shared_ptr<const PixelJob> now_;
};

struct BlockState;

/// The mutable state of a draw, written by any thread.
struct DrawProgress {
  uint64_t number = 0;  ///< DrawContext::draw
  std::atomic<int64_t>& instructions_left;
  std::atomic<uint32_t>& reported;  ///< DrawCounters::reported
  bool counts_runs = false;         ///< PixelWorker::runs advances
};
/// Receives a report of the draw with this number.
using ReportDraw = std::function<void(uint64_t draw, const Report& report)>;

/// State and code of one drawing thread. Called with FTZ and DAZ set.
class PixelWorker {
 public:
  /// `stop`: set when all work is to be dropped. `lost_draw` gets the number of a draw that has used up its budget.
  PixelWorker(Memory& memory, ReportDraw report, const std::atomic<bool>& stop, std::atomic<uint64_t>& lost_draw, Cpu cpu);
  ~PixelWorker();
  PixelWorker(const PixelWorker&) = delete;
  PixelWorker& operator=(const PixelWorker&) = delete;

  /// `job`, `bindings` and what `draw` refers to live until end().
  void begin(const PixelJob& job, const PixelBindings& bindings, const DrawProgress& draw);
  /// Whether fill() may take the place of blocks (BlockRoutines::draw) where all samples are covered; only where PixelJob::fills.
  bool ready_fill(const raster::Record& record);
  /// Pixels x0 <= x < x1, y0 <= y < y1, after ready_fill().
  void fill(const raster::Record& record, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
  void end();
  /// The state that BlockRoutines use (pixel_block.h), for callers of the same instruction set.
  BlockState& state();

  uint64_t zpass = 0;  ///< samples that passed the tests, since the owner cleared it
  uint64_t runs = 0;   ///< PipelineCounts::fragment_invocations, since the owner cleared it

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pumice::hw::fast::extended
