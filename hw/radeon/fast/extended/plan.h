// SPDX-License-Identifier: MIT
/// The data of an extended draw that the executor needs before its primitives arrive: its pixels' job, the memory it touches, the set-up of
/// triangles.
#pragma once
#include "hw/radeon/fast/extended/pixel.h"
#include "hw/radeon/fast/extended/plan_version.h"
#include "hw/radeon/fast/raster/triangles.h"
#include "hw/radeon/footprint/extended.h"
#include "hw/radeon/regfile/register_copy.h"

namespace pumice::hw::fast::extended {

struct DrawPlan {
  footprint::Extended footprint;
  std::shared_ptr<const PixelJob> pixel;
  uint32_t varyings = 0;  ///< that the fragment program reads (a mask)
  sc::Samples samples;
  uint32_t sample_mask = ~0u;
  raster::TrianglePlan triangles;
  uint32_t pixel_work = 0;  ///< as in strict draws
  xz::DepthTarget depth;
  bool any_depth = false;  ///< depths are clamped to the viewport's, or not to 0..1
  PlanVersion version;
};

/// Plans draws. The plans of the last states are kept: applications change pipelines in turn.
class Planner {
 public:
  Planner(Memory& memory, Routines& routines);

  /// Registers of these groups have changed.
  void changed(uint32_t groups) { groups_ |= groups; }
  /// Memory may have changed.
  void forget() { ++memory_version_; }
  /// Only registers of bindings, buffers and single draws, and memory, have changed: triangles() stays as it is.
  bool same_state(const DrawContext& ctx) const;
  /// Whether the plan is valid for this draw too: none of its inputs was written.
  bool holds(const DrawContext& ctx) const;
  enum class Begun { unable, valid, reads };
  /// Looks at what has changed. `valid`: at most vertex buffers, the plan is up to date. `reads`: update() will read the descriptors and
  /// constants that now().footprint's `read` and `read_early` have become. `unable`: programs that cannot run, the reference reports why.
  Begun begin(DrawContext& ctx);
  /// Plans the draw after begin() without anything in between: again what has changed. False: the reference must draw it; why() says why.
  bool update(DrawContext& ctx);
  const std::string& why() const { return why_; }
  /// Another object after begin(), where the state has changed.
  const DrawPlan& now() const { return known_.front()->plan; }
  /// Of now().pixel: what changes with PlanVersion::fragment.
  const PixelJobs& pixels() const { return pixels_; }
  /// The pixels that a primitive of the viewport may touch; inclusive. `triangle`: cut by the viewport.
  sc::Bounds bounds(const ChipState& state, uint32_t viewport, bool triangle) const;
  /// The set-up of triangles of the viewport.
  const raster::TrianglePlan& triangles(const ChipState& state, uint32_t viewport);

 private:
  /// The registers that bindings consist of, as they were when they were planned.
  struct Bound {
    static constexpr uint32_t kSetDwords = 18, kPushDwords = 3;
    std::array<uint32_t, kSetDwords> sets{};
    std::array<uint32_t, kPushDwords> push{};
    std::array<uint32_t, 1> bools{};
  };
  /// The registers of a key: a number for each content, of the last ones.
  class Part {
   public:
    uint64_t now() const { return contents_[now_].number; }
    void find(const ChipState& state, std::span<const RegisterRange> key);

   private:
    struct Content {
      RegisterCopy registers;
      uint64_t number = 0;
    };
    std::array<Content, 8> contents_;
    size_t now_ = 0, next_ = 0;
    uint64_t numbers_ = 0;
  };
  static constexpr size_t kParts = 3;
  /// Of the parts; the last one counts changes of all other groups, which strict lookups in extended programs read.
  using StateNumbers = std::array<uint64_t, kParts + 1>;
  /// A state and the last draw that had it.
  struct Known {
    StateNumbers state{};  ///< of Planner::parts_
    DrawPlan plan;
    footprint::ExtendedDraws::Programs programs;
    Bound bindings;
    std::vector<uint32_t> buffers;  ///< registers of the vertex buffers that the program reads
    bool valid = false;             ///< `plan` is complete
    uint64_t bound = 0;             ///< `memory_version_` that the parts read from memory are of
    uint32_t box_of = ~0u;          ///< the viewport whose box plan.triangles has
  };
  /// What an update() has to bind.
  struct Changed {
    bool same = false;    ///< the state is known
    bool pixels = false;  ///< its PixelJobs are current
    footprint::ExtendedDraws::Stages stages;
    hw::x::Resources needs;  ///< both stages have the same sets and push constants
  };
  Known& current() { return *known_.front(); }
  bool is_bound(const Known& k) const { return k.bound == memory_version_; }
  bool find_state(const DrawContext& ctx);
  bool find_changes(const DrawContext& ctx);
  void read_buffers(const ChipState& state);
  void plan_state(const DrawContext& ctx);

  static constexpr size_t kMostKnown = 8;
  Memory& memory_;
  PixelJobs pixels_;
  footprint::ExtendedDraws footprints_;
  std::array<Part, kParts> parts_;             ///< what states are made from, apart by what changes together
  uint64_t others_ = 0;                        ///< changes of what is in none of them
  std::vector<std::unique_ptr<Known>> known_;  ///< the current one first, then those used before; never empty
  uint64_t versions_ = 0;                      ///< the last number in a PlanVersion
  uint64_t memory_version_ = 1;
  uint32_t groups_ = Changes::kAll;                  ///< changed since update()
  Changed changed_;                                  ///< by begin()
  uint64_t map_version_ = 0, programs_version_ = 0;  ///< that `known_` is of
  std::string why_;
};

}  // namespace pumice::hw::fast::extended
