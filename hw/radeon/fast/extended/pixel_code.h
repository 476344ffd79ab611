// SPDX-License-Identifier: MIT
/// Code of the fragment stage (hw/radeon/ref/xr, xz, xb): interpolation, system values, tests, sample loop, output, for blocks of 4x4
/// pixels, one after the other.
#pragma once
#include "hw/radeon/decode/xz/depth.h"
#include "hw/radeon/fast/extended/pixel_args.h"
#include "hw/radeon/fast/raster/inputs.h"
#include "hw/radeon/jit/x/format.h"
#include "hw/radeon/jit/x/output.h"
#include "hw/radeon/jit/x/stage_code.h"

namespace pumice::hw::fast::extended {

/// The state that the code depends on, besides the program.
struct PixelKey {
  struct Face {
    uint8_t func = 7, fail = 0, pass = 0, depth_fail = 0;
    bool operator==(const Face&) const = default;
    bool keeps() const { return !(fail | pass | depth_fail); }
  };
  bool early = false;    ///< tests before the program
  bool rejects = false;  ///< tests behind it, but it does not run for what does not pass: the program can only discard more
  bool per_sample = false;
  bool writes_depth = false, writes_stencil = false, writes_mask = false;
  bool alpha_to_coverage = false, alpha_to_one = false, depth_clamp = false, unrestricted = false;
  bool collected = false;     ///< pixels of several primitives: PixelArgs::lanes instead of planes
  bool packed = false;        ///< with `collected`: four quads from anywhere instead of a block; views are of the whole layer
  bool whole_blocks = false;  ///< targets have memory for all pixels of each block (lane::Builder::block_buffer)
  uint8_t samples_log2 = 0;
  uint8_t depth_format = 0;  ///< 0: every sample passes
  bool depth_test = false, depth_write = false, stencil_test = false, bounds_test = false;
  uint8_t depth_func = 7;
  Face stencil;  ///< of the facing
  std::array<output::Key, kColorTargets> target{};
  raster::PixelInputs inputs;
  std::vector<uint8_t> linear;                             ///< by plane: without perspective
  std::array<uint8_t, hw::x::kVaryings> centroid{};        ///< by varying: 1: X_RS_VARYING.CENTROID, 2: SAMPLE
  std::array<float, kMostSamples> sample_x{}, sample_y{};  ///< from the pixel's centre; they follow from samples_log2

  uint32_t samples() const { return 1u << samples_log2; }
  /// Equal words, equal code.
  std::vector<uint32_t> words() const;
};

class PixelCode final : public StageCode {
 public:
  explicit PixelCode(const PixelKey& key) : key_(key) {}
  void begin(Group& g) override;
  Numbers varying(Group& g, uint32_t number, uint32_t mode, const Numbers& where) override;
  Numbers system(Group& g, uint32_t number) override;
  void end(Group& g, const Exports& exports) override;

 private:
  using Value = lane::Value;
  using Mask = lane::Mask;
  /// A sample that the code is made for, or the current one of the loop.
  struct Sample {
    int32_t number;  ///< -1: the current one
  };
  struct Place {
    Value x, y;  ///< pixels from the centre of the block's first pixel
  };
  static constexpr Sample kCurrent{-1};
  // pixel_code.cpp
  Value constant_at(Group& g, uint32_t offset, Sample s);
  Value argument_at(Group& g, uint32_t offset, Sample s);
  Value sample_bit(Group& g, Sample s);
  Value bits_of(Group& g, const std::array<Mask, kMostSamples>& masks);
  Place lane_place(Group& g);
  Place moved(Group& g, Value x, Value y);
  Place pixel(Group& g);
  Place at_sample(Group& g, Value number);
  Place own(Group& g);
  Place centroid(Group& g);
  Value plane(Group& g, uint32_t base, uint32_t step_x, uint32_t step_y, const Place& p);
  Value plane_w(Group& g, const Place& p);
  int32_t find(const std::vector<raster::PixelInputs::Component>& in, uint32_t varying, uint32_t component) const;
  Number component(Group& g, uint32_t number, uint32_t c, const Place& p);
  /// A sample of a block in a target.
  struct Stored {
    lane::Buffer buffer;
    Value offset;
    format::Layout layout;
    /// All of the block may be read and written back.
    bool whole() const { return layout == format::Layout::whole_block; }
  };
  Stored stored_at(Group& g, size_t view, size_t target, uint32_t bytes, Sample s);
  void write_sample(Group& g, const Exports& e, Sample s, Mask m);
  // pixel_tests.cpp
  Value depth_at(Group& g, Sample s);
  static Value number_or_zero(Group& g, Value z);
  Value limited_depth(Group& g, Value z);
  /// What the tests of a sample leave to be written.
  struct Tested {
    Mask pass, changed;
    format::Raw result;
    Stored at;
  };
  Tested test(Group& g, Sample s, Mask m, const Exports* e);
  void write_test(Group& g, Sample s, const Tested& t);
  Mask compare(Group& g, uint32_t func, Value a, Value b, bool is_float);
  Value operate(Group& g, uint32_t op, Value stored, Value reference);

  const PixelKey& key_;
  // The loop over blocks.
  lane::Pointer block_, views_;  ///< PixelArgs for what is a dword by block, and for views: they move
  lane::Scalar count_;
  lane::Label block_loop_, next_block_;
  lane::Pointer constants_, extended_, values_;
  lane::Pointer lanes_;  ///< PixelArgs::lanes, where collected
  Mask all_, none_;
  std::array<Mask, kMostSamples> raster_, cover_;  ///< before early tests, and behind them
  Value bits_;                                     ///< the same, bits by sample
  // The loop over samples.
  bool loops_ = false;
  lane::Scalar sample_, bit_, left_;
  lane::Variable passed_;  ///< bits by sample
  lane::Label loop_, next_;
  Mask own_;
};

}  // namespace pumice::hw::fast::extended
