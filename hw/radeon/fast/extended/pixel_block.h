// SPDX-License-Identifier: MIT
/// A drawing thread's state while it draws blocks of one extended draw, as plain data, and the part of PixelWorker that is compiled once
/// per instruction set (pixel_block_simd.cpp). Called with FTZ and DAZ set.
#pragma once
#include "hw/common/simd/cpu.h"
#include "hw/radeon/fast/extended/collected.h"
#include "hw/radeon/fast/extended/packed.h"
#include "hw/radeon/fast/extended/picture.h"
#include "hw/radeon/fast/extended/pixel_args.h"

namespace pumice::hw::fast::extended {

/// A target in memory, from the first layer that is drawn to.
struct Surface {
  uint64_t base = 0, layer_pitch = 0, layer_bytes = 0;
  uint32_t layers = 0;     ///< that are known to be backed
  uint32_t row_pitch = 0;  ///< bytes from a row of pixels to the next
  uint32_t pixel_bytes = 0;
  uint32_t block_bytes = 0;  ///< of four rows
};

/// Properties of a draw that its blocks use.
struct BlockDraw {
  uint32_t samples = 1;
  bool early = false;
  bool counts_covered = false;  ///< every covered sample passes
  bool counts_bits = false;     ///< PixelArgs::passed_bits
  /// Invocations of the program in the reference's order (PipelineCounts::fragment_invocations): of samples that pass, else of covered
  /// ones.
  bool runs_passed = false;
  bool runs_per_sample = false;
  bool uses_z = false;
  bool uses_w = false;        ///< 1/w and planes
  bool whole_blocks = false;  ///< PixelKey
  bool by_facing = false;     ///< facings differ
  bool depth = false;
  Surface depth_surface;
  uint32_t colors = 0;
  Surface color[kColorTargets];
  uint32_t color_number[kColorTargets] = {};  ///< its number among the targets
  struct Face {
    uint32_t reference = 0, compare = 0, write = 0;
    bool operator==(const Face&) const = default;
  } face[2];
  /// What the depth in memory is sure to hide, if the test has no other effect: pixels whose depth times `scale` is beyond what is stored
  /// by more than `margin`.
  struct Rejected {
    bool known = false;    ///< else there is no such test
    bool greater = false;  ///< larger depths pass
    bool is_float = false;
    uint32_t shift = 0, mask = ~0u;  ///< of the stored code
    float scale = 1, margin = 0;
  } rejected;
  struct Range {
    float low = 0, high = 1;
  } z_range[16];                     ///< by viewport
  uint8_t linear[kMostPlanes] = {};  ///< by plane: without perspective
};

/// Planes of 1/w and of the varyings (hw/radeon/ref/xr/fragment.cpp, Varyings): value = (origin + x*dx) + y*dy, x and y in grid steps from
/// point 0.
struct alignas(64) Planes {
  double origin[kMostPlanes], dx[kMostPlanes], dy[kMostPlanes];
  double w = 0, w_dx = 0, w_dy = 0;
};

/// Targets whose rows for the current tile are elsewhere (draw/pool.h, Batch::transient): their addresses, and what stands for them.
struct OwnTargets {
  uint64_t base[kColorTargets + 1] = {};
  std::byte* to[kColorTargets + 1] = {};
  uint32_t count = 0;
};

struct BlockState {
  PixelArgs args;
  Planes planes;
  const BlockDraw* draw = nullptr;
  /// A routine and its data by facing.
  struct Code {
    void (*native)(void*) = nullptr;  ///< null: `call` runs it
    const View* views = nullptr;
    const TextureView* textures = nullptr;
    const ImageView* images = nullptr;
    void (*collected)(void*) = nullptr;  ///< for collected blocks or packed quads; null: `call_collected` runs it
  } code[2];
  Collected* collected = nullptr;  ///< with it or `packed` some blocks are not drawn alone
  Packed* packed = nullptr;
  bool counts_alone = false;  ///< `alone` advances: blocks that would be collected, if there was code for it
  uint64_t alone = 0;
  PixelArgs collected_args;  ///< of one call of `collected`; the budget is that of `args`
  void (*call_collected)(BlockState&, bool back) = nullptr;
  uint32_t plane_count = 0;     ///< planes that the program reads
  uint32_t flat_count = 0;      ///< flat components that it reads
  uint32_t batch = 1;           ///< blocks of one call
  uint32_t slots = 0;           ///< of the program
  int64_t group_budget = 0;     ///< of each group; 0: they have one in common
  int64_t slice = 0;            ///< Caller::kSlice
  int64_t* own = nullptr;       ///< Budget::own
  std::byte* memory = nullptr;  ///< address 0
  bool has_scratch = false;
  void* user = nullptr;
  void (*call)(BlockState&) = nullptr;     ///< runs the routine of args.group by other means, or with a budget of its own
  void (*refill)(BlockState&) = nullptr;   ///< `left` is negative: fills it up, or sets `stop`
  void (*stopped)(BlockState&) = nullptr;  ///< the budget is spent
  void (*clear_scratch)(BlockState&) = nullptr;
  // Of the primitive.
  const raster::Record* record = nullptr;
  const Code* now = nullptr;  ///< null: nothing is drawn
  std::byte *depth = nullptr, *color[kColorTargets] = {};
  double sample_x[kMostSamples] = {}, sample_y[kMostSamples] = {};  ///< grid steps from the centre
  int32_t unit = 0;                                                 ///< that they are of
  uint64_t zpass = 0;
  bool counts_runs = false;  ///< `runs` advances
  uint64_t runs = 0;         ///< BlockDraw::runs_passed
  // Of blocks that wait for their call: args.count of them. Behind them is room for a row of blocks.
  int32_t x[2 * kMostBlocks] = {}, y[2 * kMostBlocks] = {};
  OwnTargets own_targets;
  // Of draws by rows. Behind what blocks use: small draws notice.
  const Picture* picture = nullptr;  ///< Picture::is
  PictureTexture picture_texture;    ///< then
};

struct BlockRoutines {
  /// Draws the block of 4x4 pixels at (x, y), multiples of 4, within PixelJob's extents and layers as far as it is covered, at once, in
  /// finish() or, if it is drawn with pixels of other primitives, by settle() at the latest. `covered`: by sample, not all zero. Blocks of
  /// the same record that follow each other without another PixelWorker::begin() share its planes; no two of them are the same block.
  void (*draw)(BlockState& state, const raster::Record& record, int32_t x, int32_t y, const LaneMask* covered);
  /// The same for blocks of a row that are wholly covered: (x + 4*i, y) for each bit i of `blocks`, which has 16.
  void (*row)(BlockState& state, const raster::Record& record, int32_t x, int32_t y, uint32_t blocks);
  /// Before another record.
  void (*finish)(BlockState& state);
  /// Draws collected blocks and packed quads. Before the draw or the tile changes.
  void (*settle)(BlockState& state);
  /// Before the first block of a record. False: nothing is drawn.
  bool (*begin)(BlockState& state, const raster::Record& record);
};
BlockRoutines block_routines(Cpu cpu);

}  // namespace pumice::hw::fast::extended

#ifdef PUMICE_SIMD
namespace pumice::hw::fast::PUMICE_SIMD {
extern const extended::BlockRoutines kBlockRoutines;
}
#endif
