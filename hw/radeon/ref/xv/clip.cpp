// SPDX-License-Identifier: MIT
/// See clip.h.
#include "hw/radeon/ref/xv/clip.h"

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::xv {
namespace {

constexpr float kSmallestW = 0x1p-80f;

/// Number of planes: depth, sides, distances, w.
constexpr uint32_t kPlanes = 2 + 4 + 8 + 1;

/// Positive inside; plane `n` of the volume that is not in use: 0.
double distance(const ClipVolume& volume, uint32_t n, const Shaded& v) {
  const double x = v.position[0], y = v.position[1], z = v.position[2], w = v.position[3];
  switch (n) {
    case 0: return !volume.clips_depth ? 0 : volume.negative_depth ? w + z : z;
    case 1: return volume.clips_depth ? w - z : 0;
    case 2: return volume.guard_x * w + x;
    case 3: return volume.guard_x * w - x;
    case 4: return volume.guard_y * w + y;
    case 5: return volume.guard_y * w - y;
    case kPlanes - 1: return w - kSmallestW;
    default: return volume.distances >> (n - 6) & 1u ? double(v.clip[n - 6]) : 0;
  }
}
bool outside(double distance) { return !(distance >= 0); }

Shaded cut(const ClipVolume& volume, uint32_t n, const Shaded& inside, const Shaded& beyond) {
  const double di = distance(volume, n, inside), t = di / (di - distance(volume, n, beyond));
  const auto mix = [t](float a, float b) { return num::canonical(float(double(a) + t * (double(b) - double(a)))); };
  Shaded r = inside;
  for (uint32_t c = 0; c < 4; ++c) r.position[c] = mix(inside.position[c], beyond.position[c]);
  const float w = r.position[3];
  switch (n) {
    case 0: r.position[2] = volume.negative_depth ? -w : 0; break;
    case 1: r.position[2] = w; break;
    case 2: r.position[0] = float(-volume.guard_x * w); break;
    case 3: r.position[0] = float(volume.guard_x * w); break;
    case 4: r.position[1] = float(-volume.guard_y * w); break;
    case 5: r.position[1] = float(volume.guard_y * w); break;
    case kPlanes - 1: r.position[3] = kSmallestW; break;
    default: break;
  }
  r.point_size = mix(inside.point_size, beyond.point_size);
  for (uint32_t i = 0; i < x::kVaryings; ++i)
    for (uint32_t c = 0; c < 4; ++c) r.vertex.varying[i][c] = mix(inside.vertex.varying[i][c], beyond.vertex.varying[i][c]);
  for (uint32_t i = 0; i < 8; ++i) r.clip[i] = mix(inside.clip[i], beyond.clip[i]);
  return r;
}

}  // namespace

bool keep_point(const ClipVolume& volume, const Shaded& v) {
  for (uint32_t n = 0; n < kPlanes; ++n)
    if (outside(distance(volume, n, v))) return false;
  return true;
}

bool clip_line(const ClipVolume& volume, Shaded& a, Shaded& b) {
  for (uint32_t n = 0; n < kPlanes; ++n) {
    const bool out_a = outside(distance(volume, n, a)), out_b = outside(distance(volume, n, b));
    if (out_a && out_b) return false;
    if (out_a) a = cut(volume, n, b, a);
    if (out_b) b = cut(volume, n, a, b);
  }
  return true;
}

void clip_polygon(const ClipVolume& volume, std::vector<Corner>& polygon) {
  std::vector<Corner> next;
  for (uint32_t n = 0; n < kPlanes && polygon.size() >= 3; ++n) {
    bool any = false;
    for (const Corner& c : polygon) any |= outside(distance(volume, n, c.v));
    if (!any) continue;
    next.clear();
    for (size_t k = 0; k < polygon.size(); ++k) {
      const Corner &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
      const bool out_a = outside(distance(volume, n, a.v)), out_b = outside(distance(volume, n, b.v));
      if (!out_a) next.push_back(a);
      if (!out_a && out_b) next.push_back({cut(volume, n, a.v, b.v), false});
      if (out_a && !out_b) next.push_back({cut(volume, n, b.v, a.v), a.edge});
    }
    polygon.swap(next);
  }
  if (polygon.size() < 3) polygon.clear();
}

}  // namespace pumice::hw::xv
