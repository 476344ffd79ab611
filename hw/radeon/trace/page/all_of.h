// SPDX-License-Identifier: MIT
/// Several inspectors of one draw.
#pragma once
#include <vector>

#include "hw/radeon/draw/inspector.h"

namespace pumice::hw::trace {

class AllOf final : public Inspector {
 public:
  explicit AllOf(std::vector<Inspector*> inspectors) : all_(std::move(inspectors)) {}

  void vertex(const DrawContext& c, uint32_t n, std::span<const uint32_t> s, std::span<const Vec4> i) override {
    tell([&](Inspector& x) { x.vertex(c, n, s, i); });
  }
  void vertex_step(const PvsStep& s) override {
    tell([&](Inspector& x) { x.vertex_step(s); });
  }
  void vertex_done(const DrawContext& c, std::span<const Vec4> o) override {
    tell([&](Inspector& x) { x.vertex_done(c, o); });
  }
  void group_begins(const DrawContext& c, const GroupStep& g) override {
    tell([&](Inspector& x) { x.group_begins(c, g); });
  }
  void group_ends(const DrawContext& c, const GroupStep& g, bool e) override {
    tell([&](Inspector& x) { x.group_ends(c, g, e); });
  }
  void instruction(us::GroupThread<16>& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.instruction(t, i); });
  }
  void executed(us::GroupThread<16>& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.executed(t, i); });
  }
  void primitive(const DrawContext& c, const Primitive& p) override {
    tell([&](Inspector& x) { x.primitive(c, p); });
  }
  void shape(const DrawContext& c, const Shape& s, const sc::Scan& n) override {
    tell([&](Inspector& x) { x.shape(c, s, n); });
  }
  void quad(const DrawContext& c, const PixelQuad& q) override {
    tell([&](Inspector& x) { x.quad(c, q); });
  }
  void begins(const DrawContext& c, PixelStage s, const PixelQuad& q, std::span<const uint8_t> m, uint32_t n,
              const std::array<float, 4>* z) override {
    tell([&](Inspector& x) { x.begins(c, s, q, m, n, z); });
  }
  void ends(const DrawContext& c, PixelStage s, const PixelQuad& q, std::span<const uint8_t> m, uint32_t n) override {
    tell([&](Inspector& x) { x.ends(c, s, q, m, n); });
  }
  void instruction(us::Thread& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.instruction(t, i); });
  }
  void executed(us::Thread& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.executed(t, i); });
  }
  void lookup(const LookupStep& s) override {
    tell([&](Inspector& x) { x.lookup(s); });
  }
  void texel(const TexelStep& s) override {
    tell([&](Inspector& x) { x.texel(s); });
  }
  void vertex(const DrawContext& c, const xv::VertexId& v) override {
    tell([&](Inspector& x) { x.vertex(c, v); });
  }
  void vertex_done(const DrawContext& c, const xv::VertexId& v, const xv::Shaded& s) override {
    tell([&](Inspector& x) { x.vertex_done(c, v, s); });
  }
  void quad(const DrawContext& c, const xr::QuadState& q) override {
    tell([&](Inspector& x) { x.quad(c, q); });
  }
  void test_begins(const DrawContext& c, uint32_t p, const xz::Sample& s) override {
    tell([&](Inspector& x) { x.test_begins(c, p, s); });
  }
  void test_ends(const DrawContext& c, uint32_t p, const xz::Sample& s, bool passed) override {
    tell([&](Inspector& x) { x.test_ends(c, p, s, passed); });
  }
  void program_begins(const DrawContext& c, int32_t s, uint32_t h) override {
    tell([&](Inspector& x) { x.program_begins(c, s, h); });
  }
  void program_ends(const DrawContext& c, const xr::FragmentLink& l) override {
    tell([&](Inspector& x) { x.program_ends(c, l); });
  }
  void store_begins(const DrawContext& c, uint32_t p, uint32_t s, const xr::FragmentLink& l) override {
    tell([&](Inspector& x) { x.store_begins(c, p, s, l); });
  }
  void store_ends(const DrawContext& c, uint32_t p, uint32_t s, const xr::FragmentLink& l) override {
    tell([&](Inspector& x) { x.store_ends(c, p, s, l); });
  }
  void instruction(us::GroupThread<4>& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.instruction(t, i); });
  }
  void executed(us::GroupThread<4>& t, const isa::us_r500::Instruction& i) override {
    tell([&](Inspector& x) { x.executed(t, i); });
  }

 private:
  template <class F>
  void tell(F f) {
    for (Inspector* x : all_) f(*x);
  }
  const std::vector<Inspector*> all_;
};

}  // namespace pumice::hw::trace
