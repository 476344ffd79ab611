// SPDX-License-Identifier: MIT
/// The lookups of docs/r5x.md 4 (hw/radeon/ref/xt is the specification) as lane IR, for a texture whose key is known.
#pragma once
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hw/db/formats.h"
#include "hw/radeon/decode/xt/texel.h"
#include "hw/radeon/jit/lane/ir.h"
#include "hw/radeon/jit/x/format.h"
#include "hw/radeon/jit/x/texture.h"

namespace pumice::hw::fast::extended {

class TextureCode {
 public:
  using Builder = lane::Builder;
  using Value = lane::Value;
  using Mask = lane::Mask;
  using Values = std::array<Value, 4>;
  enum class Lod : uint8_t { gradients, bias, level };
  struct Request {
    Values coord{};
    Lod mode = Lod::gradients;
    Value lod{};                      ///< level or bias
    std::array<Value, 3> dx{}, dy{};  ///< gradients, where the mode has them
    bool compare = false;
    Value reference{};
    uint32_t components = 15;  ///< of the result that are wanted
    bool has_offset = false;
    std::array<Value, 3> offset{};  ///< texels
    Mask taken;                     ///< where filters_bytes(): the others get 0; none: all lanes
  };

  /// The view is at `views` + `at`. `changes`: the program writes memory, so the order of texel reads and writes is kept.
  TextureCode(Builder& b, const TextureKey& key, lane::Pointer views, uint32_t at, bool changes)
      : b_(b),
        k_(key),
        views_(views),
        at_(at),
        changes_(changes),
        format_(formats::info(key.format)),
        how_(xt::decoding_of(format_, key.stencil)) {}

  /// Whether sample() and gather() support the key; otherwise the reference's code executes the slots.
  static bool can_sample(const TextureKey& key);
  static bool can_gather(const TextureKey& key);
  static bool can_fetch(const TextureKey& key);

  /// As xt::sample and so on. NaN: any bits unless never_nan(), of fetch() as in memory.
  Values sample(const Request& r);
  Values gather(const Request& r, uint32_t component);
  Values fetch(const Values& coord, Value level, Value sample, const Request& offsets);
  Values query_size(Value level);
  Values query_levels();
  Values query_lod(const Request& r);
  /// No result of sample() and gather() is NaN.
  bool never_nan() const;

 private:
  /// Entries of one level, or of the level of each lane.
  struct Level {
    bool constant = true;
    Value number;
    std::vector<std::pair<size_t, Value>> known;  ///< members of the view that have been looked up
    Value first_row;                              ///< of all lanes' faces and layers, bytes
  };
  struct Index {
    Value i;
    Mask inside;  ///< where `border`
    bool border = false;
  };
  struct Axis {
    Value position, weight;  ///< first texel, weight of the next: of 256
    Value fraction;          ///< weight as a float
    Mask alone;              ///< the weight is 0
    Index first, second;
  };
  struct Position {
    std::array<Value, 3> at{};
    Value layer;  ///< bytes; none where there is one layer
    Value face;   ///< of cubes
  };
  struct Texel {
    Value i, j;   ///< j: of images that have rows
    Value row;    ///< bytes
    Mask inside;  ///< of the border's image; none: everywhere
    Value slot;   ///< of find_blocks()
  };
  struct Detail {
    Position position;
    Value lambda, clamped;
    std::array<Value, 3> dx{}, dy{};  ///< of the position
    Mask x_longer;                    ///< where there are probes
    Value probes;                     ///< number per lane, where there are probes
  };

  // texture_code.cpp: coordinates and level of detail.
  Value number(size_t member) { return b_.splat(views_, at_ + uint32_t(member)); }
  Value table(size_t member, const Level& level);
  Value constant(float v) { return b_.constant(v); }
  Value integer(uint32_t v) { return b_.constant_bits(v); }
  uint32_t axes() const;
  bool is_array() const { return k_.dim == xt::Dim::d1_array || k_.dim == xt::Dim::d2_array || k_.dim == xt::Dim::cube_array; }
  bool is_cube() const { return k_.dim == xt::Dim::cube || k_.dim == xt::Dim::cube_array; }
  /// Texels beyond a face are those of the adjoining one.
  bool seamless() const { return is_cube() && !k_.seams; }
  Detail describe(const Request& r, bool needs_lod);
  Value squared_length(const std::array<Value, 3>& d);
  void on_face(Detail& d, const Request& r, bool needs_steps);
  Value probe_count(Value longer, Value shorter);
  Value log2_coarse(Value x);

  // texture_filter.cpp: one level.
  Value limited(Value u, float most);
  Index wrap(Value i, uint32_t axis, const Level& level);
  Axis linear_axis(Value s, uint32_t axis, const Level& level, const Request& r);
  Index nearest_axis(Value s, uint32_t axis, const Level& level, const Request& r);
  Values nearest(const Position& p, const Level& level, const Request& r);
  Values linear(const Position& p, const Level& level, const Request& r);
  /// Up to two levels.
  void in_levels(const Detail& d, std::span<const Level> levels, const Request& r, std::span<Values> out);
  void anisotropic(const Detail& d, std::span<const Level> of, const Request& request, Mask linear, std::span<Values> out);
  Values filtered(const Position& p, const Level& level, const Request& r) {
    return seamless() ? cube_linear(p, level, r) : linear(p, level, r);
  }
  Value chosen(Value a, Value b);
  Values mix(const Values& a, const Values& b, Value weight, Mask alone, bool compare);
  uint32_t wanted_codes(const Request& r) const;
  uint32_t block_rows_log2() const { return uint32_t(std::countr_zero(unsigned{format_.block_height})); }
  Value row_offset(const Position& p, const Level& level, Value j, Value k);
  Value first_row(const Position& p, const Level& level);
  Level looked_up(const Position& p, Level level);

  // texture_bytes.cpp: the linear filter of four unorm bytes.
  using Beside = std::array<Value, 2>;  ///< of lanes 0 and 1 of each quad, of 2 and 3
  struct Weight {
    Value code, fraction;
  };
  static constexpr float kBytesScale = 256;  ///< of the results
  bool filters_bytes(const Request& r) const;
  uint32_t byte_of(uint32_t channel) const;
  Beside beside(const Texel& a, const Texel& b);
  Values linear_bytes(std::span<const Texel> texels, std::span<const Weight> weights, const Request& r);

  // texture_cube.cpp: one level of a cube.
  struct CubeFootprint {
    std::array<Value, 2> i, j;
    Value x_weight, y_weight, x_fraction, y_fraction;
    Mask x_alone, y_alone;
    Value last;
    std::array<Mask, 2> i_out, j_out;
  };
  CubeFootprint cube_footprint(const Position& p, const Level& level);
  std::array<Texel, 4> cube_places(const CubeFootprint& f, const Position& p, const Level& level, bool edges);
  std::array<Values, 4> cube_texels(const CubeFootprint& f, const Position& p, const Level& level, const Request& r, bool edges);
  Values cube_linear(const Position& p, const Level& level, const Request& r);

  // texture_texel.cpp: bytes to codes, codes to results.
  format::Raw raw(const Texel& t);
  bool keeps_blocks() const;
  /// Before texel() and codes() of these.
  void find_blocks(std::span<Texel> texels);
  format::Raw kept_raw(const Texel& t);
  Values kept_codes(const Texel& t);
  Values codes(const Texel& t);
  Value place(const Texel& t);
  Values texel(const Texel& t, const Request& r) { return texel(t, codes(t), r); }
  Values texel(const Texel& t, Values codes, const Request& r);
  /// Neighbours in a row.
  std::array<Values, 2> two_texels(const Texel& a, const Texel& b, const Request& r);
  Values border_codes();
  Value compared(Value code, Value reference);
  /// Of codes that are `scale` times as large.
  Values finish(const Values& codes, bool compare, float scale = 1);

  Builder& b_;
  const TextureKey& k_;
  const lane::Pointer views_;
  const uint32_t at_;
  const bool changes_;
  std::optional<lane::Pointer> request_;
  const formats::Info& format_;
  const xt::Decoding how_;
};

}  // namespace pumice::hw::fast::extended
