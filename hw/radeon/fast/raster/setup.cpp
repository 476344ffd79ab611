// SPDX-License-Identifier: MIT
/// See setup.h.
#include "hw/radeon/fast/raster/setup.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "hw/common/numerics/float_bits.h"
#include "hw/radeon/draw/extended.h"
#include "hw/radeon/ref/ga/packet.h"
#include "hw/radeon/ref/su/su.h"

namespace pumice::hw::fast::raster {

namespace {

int64_t floor_div(int64_t n, int64_t d) {  // d > 0
  const int64_t q = n / d;
  return q * d > n ? q - 1 : q;
}

/// What does not depend on where the values come from, but for edges by sample.
void set_up_shape(const ChipState& state, const Shape& shape, const su::Planes& planes, const sc::Scan& scan, Record& r) {
  r.x0 = static_cast<int16_t>(scan.box.x0);
  r.y0 = static_cast<int16_t>(scan.box.y0);
  r.x1 = static_cast<int16_t>(scan.box.x1);
  r.y1 = static_cast<int16_t>(scan.box.y1);
  r.edges = static_cast<uint8_t>(scan.edges);
  r.wide = false;
  for (uint32_t i = 0; i < scan.edges; ++i) {
    const sc::Edge& e = scan.edge[i];
    r.edge[i] = {floor_div(e.c, shape.unit), static_cast<int32_t>(e.a / shape.unit), static_cast<int32_t>(e.b / shape.unit)};
    // Over a tile an edge that crosses it stays below 2 * 63 * (|a| + |b|); samples are up to two pixels further.
    r.wide |= std::abs(int64_t{r.edge[i].a}) + std::abs(int64_t{r.edge[i].b}) >= 1 << 24;
  }
  r.back_facing = shape.back_facing;
  r.boxed = true;
  r.small = false;
  r.unit = shape.unit;
  r.from_x = shape.at[0].x - shape.unit / 2;
  r.from_y = shape.at[0].y - shape.unit / 2;
  r.b1x = planes.b1x(), r.b1y = planes.b1y(), r.b2x = planes.b2x(), r.b2y = planes.b2y();
  const su::Plane z = su::depth(state, shape, planes).z.plane;
  r.z = z.origin, r.z_dx = z.dx, r.z_dy = z.dy;
  for (size_t i = 0; i < 3; ++i) r.inv_w[i] = shape.vertex[i]->inv_w;
}

/// After Record::stride and more.
void set_up_samples(const Shape& shape, const sc::Scan& scan, Record& r) {
  if (scan.samples.count == 1) return;
  for (uint32_t s = 0; s < scan.samples.count; ++s)
    for (uint32_t i = 0; i < scan.edges; ++i) r.sample_edges()[s][i] = floor_div(scan.edge[i].c + scan.sample[s].more[i], shape.unit);
}

float value_of(const Shape& shape, size_t point, const PixelInputs::Component& c) {
  if (c.varying < x::kVaryings) return x::extended(*shape.vertex[point]).varying[c.varying][c.component];
  return shape.kind == PrimitiveKind::point && point == c.component + 1u ? 1.0f : 0.0f;
}

}  // namespace

bool set_up(const ChipState& state, const PixelInputs& inputs, const sc::Samples& samples, const sc::Bounds& bounds, const Shape& shape,
            Record& r) {
  const su::Planes planes(shape);
  if (!planes.valid()) return false;
  sc::Scan scan;
  scan.samples = samples;
  std::array<uint8_t, sc::Samples::kMost> doors;
  doors.fill(0xF);
  if (!sc::prepare(shape, bounds, doors, scan)) return false;
  set_up_shape(state, shape, planes, scan, r);
  const uint32_t stride = inputs.stride();
  r.stride = static_cast<uint8_t>(stride);
  r.more = static_cast<uint8_t>(Extended::dwords(static_cast<uint32_t>(inputs.flat.size())));
  r.flat = false;
  set_up_samples(shape, scan, r);
  float* const value = r.values();
  for (size_t i = 0; i < 3; ++i)
    for (uint32_t n = 0; n < stride; ++n) value[i * stride + n] = n < inputs.planes.size() ? value_of(shape, i, inputs.planes[n]) : 0.0f;
  for (size_t n = 0; n < inputs.flat.size(); ++n) {
    const PixelInputs::Component& c = inputs.flat[n];
    r.extended().flat[n] = num::bits(x::extended(*shape.provoking).varying[c.varying][c.component]);
  }
  return true;
}

bool set_up(const ChipState& state, const Routing& routing, const Shape& shape, Record& r) {
  const su::Planes planes(shape);
  if (!planes.valid()) return false;
  sc::Scan scan;
  if (!sc::prepare(state, shape, scan)) return false;
  set_up_shape(state, shape, planes, scan, r);
  const uint32_t count = routing.layout.interpolants, stride = (count + 7) & ~7u;
  r.stride = static_cast<uint8_t>(stride);
  r.more = 0;
  set_up_samples(shape, scan, r);
  r.flat = true;
  if (count == 0) return true;
  const ga::Packet packet(state, shape);
  float* value = r.values();
  for (uint32_t n = 0; n < stride; ++n) {
    ga::Packet::Component c;
    const InterpolantSource& source = routing.source[n];
    if (n < count) c = source.color ? packet.color(source.index, source.channel) : packet.texcoord(source.index);
    for (size_t i = 0; i < 3; ++i) value[i * stride + n] = c.value[i];
    r.flat &= c.value[0] == c.value[1] && c.value[0] == c.value[2];
  }
  return true;
}

Stencil read_stencil(const ChipState& state) {
  Stencil s;
  const sc::Samples samples = sc::samples(state);
  s.samples = samples.count;
  for (uint32_t i = 0; i < s.samples; ++i) {
    s.sample_door[i] = static_cast<LaneMask>(sc::screen_door(state, i) * 0x1111u);
    s.at[i] = samples.at[i];
    s.x[i] = sc::offset_of(samples.at[i].x, kUnit), s.y[i] = sc::offset_of(samples.at[i].y, kUnit);
    s.door &= s.sample_door[i];
  }
  s.clip_rule = sc::bounds(state).rule;  // the box is part of every primitive's (sc::prepare)
  if (s.clip_rule != 0xFFFF) s.clip = sc::clip_rectangles(state);
  return s;
}

}  // namespace pumice::hw::fast::raster
