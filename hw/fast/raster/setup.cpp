// SPDX-License-Identifier: MIT
/// See setup.h.
#include "hw/fast/raster/setup.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "hw/ga/packet.h"
#include "hw/su/su.h"

namespace pumice::hw::fast::raster {

namespace {

int64_t floor_div(int64_t n, int64_t d) {  // d > 0
  const int64_t q = n / d;
  return q * d > n ? q - 1 : q;
}

PlaneRecord record_of(const su::Interpolant& i) {
  if (i.constant) return {i.plane.origin, -0.0, -0.0, -0.0f, -0.0f};
  return {i.plane.origin, i.plane.dx, i.plane.dy, i.step_x, i.step_y};
}

}  // namespace

bool set_up(const ChipState& state, const Routing& routing, const Shape& shape, Record& r) {
  const su::Planes planes(shape);
  if (!planes.valid()) return false;
  sc::Scan scan;
  if (!sc::prepare(state, shape, scan)) return false;
  r.x0 = static_cast<int16_t>(scan.box.x0);
  r.y0 = static_cast<int16_t>(scan.box.y0);
  r.x1 = static_cast<int16_t>(scan.box.x1);
  r.y1 = static_cast<int16_t>(scan.box.y1);
  r.edges = static_cast<uint8_t>(scan.edges);
  r.wide = false;
  for (uint32_t i = 0; i < scan.edges; ++i) {
    const sc::Edge& e = scan.edge[i];
    r.edge[i] = {floor_div(e.c, shape.unit), static_cast<int32_t>(e.a / shape.unit), static_cast<int32_t>(e.b / shape.unit)};
    // Over a tile an edge that crosses it stays below 2 * 63 * (|a| + |b|).
    r.wide |= std::abs(int64_t{r.edge[i].a}) + std::abs(int64_t{r.edge[i].b}) >= 1 << 24;
  }
  r.back_facing = shape.back_facing;
  r.unit = shape.unit;
  r.from_x = shape.at[0].x - shape.unit / 2;
  r.from_y = shape.at[0].y - shape.unit / 2;
  r.z = record_of(su::depth(state, shape, planes).z);

  double inv_w[3];
  for (int i = 0; i < 3; ++i) inv_w[i] = num::flush_denormal(shape.vertex[i]->inv_w);
  r.same_w = !routing.layout.perspective || (inv_w[0] == inv_w[1] && inv_w[0] == inv_w[2]);
  r.w = record_of(r.same_w ? su::Interpolant::fixed(1) : su::Interpolant::along(planes.through(inv_w[0], inv_w[1], inv_w[2]), shape.unit));

  const uint32_t count = routing.layout.interpolants, stride = (count + 7) & ~7u;
  r.interpolants = static_cast<uint8_t>(count);
  r.stride = static_cast<uint8_t>(stride);
  r.negative_zero = false;
  if (count == 0) return true;
  const ga::Packet packet(state, shape);
  double* plane = r.planes();
  float* step = r.steps();
  uint32_t* factor = r.factors();
  for (uint32_t n = 0; n < stride; ++n) {
    PlaneRecord p{0, -0.0, -0.0, -0.0f, -0.0f};
    factor[n] = 0;
    if (n < count) {
      const InterpolantSource& source = routing.source[n];
      const auto c = source.color ? packet.color(source.index, source.channel) : packet.texcoord(source.index);
      const double v0 = num::flush_denormal(c.value[0]), v1 = num::flush_denormal(c.value[1]), v2 = num::flush_denormal(c.value[2]);
      if (v0 == v1 && v0 == v2) {
        p.origin = v0;
        r.negative_zero |= v0 == 0 && std::signbit(v0);
      } else if (r.same_w || !c.perspective) {
        p = record_of(su::Interpolant::along(planes.through(v0, v1, v2), shape.unit));
      } else {
        p = record_of(su::Interpolant::along(planes.through(v0 * inv_w[0], v1 * inv_w[1], v2 * inv_w[2]), shape.unit));
        factor[n] = 1;
      }
    }
    plane[n] = p.origin;
    plane[stride + n] = p.dx;
    plane[2 * stride + n] = p.dy;
    step[n] = p.step_x;
    step[stride + n] = p.step_y;
  }
  return true;
}

Stencil read_stencil(const ChipState& state) {
  Stencil s;
  const uint32_t door = state.get<regs::SC_SCREENDOOR>().SCREENDOOR();
  uint32_t quad = 0;  // 4 pixels x 6 samples, sample 0 counts
  for (uint32_t i = 0; i < 4; ++i) quad |= ((door >> (6 * i)) & 1) << i;
  s.door = static_cast<LaneMask>(quad * 0x1111u);
  s.clip_rule = sc::bounds(state).rule;  // the box is part of every shape's (sc::prepare)
  if (s.clip_rule != 0xFFFF) s.clip = sc::clip_rectangles(state);
  return s;
}

}  // namespace pumice::hw::fast::raster
