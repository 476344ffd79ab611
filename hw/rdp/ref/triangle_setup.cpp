// SPDX-License-Identifier: MIT
/// Triangle set-up in floating point.
#include "hw/rdp/ref/triangle_setup.h"

#include <algorithm>
#include <cmath>

#include "hw/db/rdp_commands.h"

namespace pumice::hw::rdp {
namespace {

int32_t fixed16(double v) {
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(std::floor(std::clamp(v, -32768.0, 32767.99998) * 65536.0))));
}
int32_t quarter(double y) { return static_cast<int32_t>(std::floor(std::clamp(y, -2047.0, 2047.0) * 4)); }
/// The nearest quarter line: the chip begins and ends edges there. Slopes of vertices between them would be followed beyond the vertex, and
/// far out of the triangle where it is flat.
double on_quarter(double y) { return std::floor(std::clamp(y, -2047.0, 2047.0) * 4 + 0.5) / 4; }

/// The plane through three values: per x, per y, along the H edge, and at the edge's start.
struct Plane {
  int32_t base, dx, de, dy;
};

struct Geometry {
  Vertex h, m, l;  // top, middle, bottom
  double inverse_area, dxhdy, top_offset;

  Plane plane(double a, double b, double c) const {
    const double hx = m.x - h.x, hy = m.y - h.y, lx = l.x - h.x, ly = l.y - h.y;
    const double dx = ((b - a) * ly - (c - a) * hy) * inverse_area, dy = ((c - a) * hx - (b - a) * lx) * inverse_area;
    const double de = dy + dx * dxhdy;
    return {fixed16(a + de * top_offset), fixed16(dx), fixed16(de), fixed16(dy)};
  }
};

}  // namespace

std::vector<uint64_t> triangle_words(const std::array<Vertex, 3>& v, const TriangleOptions& o) {
  std::array<Vertex, 3> p = v;
  for (Vertex& q : p) q.y = on_quarter(q.y);
  std::stable_sort(p.begin(), p.end(), [](const Vertex& a, const Vertex& b) { return a.y < b.y; });
  const Vertex &h = p[0], &m = p[1], &l = p[2];
  const double area = (m.x - h.x) * (l.y - h.y) - (l.x - h.x) * (m.y - h.y);
  if (!(l.y > h.y) || area == 0 || !std::isfinite(area)) return {};
  const auto slope = [](const Vertex& a, const Vertex& b) { return b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0.0; };
  const double dxh = slope(h, l), dxm = slope(h, m), dxl = slope(m, l);
  const double top = std::floor(h.y) - h.y;
  const Geometry g{h, m, l, 1 / area, dxh, top};

  Triangle t;
  t.shade(o.shade).texture(o.texture).depth(o.depth);
  t.left_major(area > 0).level(o.level & 7).tile(o.tile & 7);
  t.yl(quarter(l.y)).ym(quarter(m.y)).yh(quarter(h.y));
  t.xh(fixed16(h.x + dxh * top)).dxhdy(fixed16(dxh));
  t.xm(fixed16(h.x + dxm * top)).dxmdy(fixed16(dxm));
  t.xl(fixed16(m.x)).dxldy(fixed16(dxl));
  std::vector<uint64_t> words(t.raw.begin(), t.raw.end());
  if (o.shade) {
    ShadeCoefficients c;
    const auto r = g.plane(h.rgba[0], m.rgba[0], l.rgba[0]), gr = g.plane(h.rgba[1], m.rgba[1], l.rgba[1]);
    const auto b = g.plane(h.rgba[2], m.rgba[2], l.rgba[2]), a = g.plane(h.rgba[3], m.rgba[3], l.rgba[3]);
    c.red(r.base).red_dx(r.dx).red_de(r.de).red_dy(r.dy).green(gr.base).green_dx(gr.dx).green_de(gr.de).green_dy(gr.dy);
    c.blue(b.base).blue_dx(b.dx).blue_de(b.de).blue_dy(b.dy).alpha(a.base).alpha_dx(a.dx).alpha_de(a.de).alpha_dy(a.dy);
    words.insert(words.end(), c.raw.begin(), c.raw.end());
  }
  if (o.texture) {
    // s and t are s10.5 in the integer half; 1.0 of w is 0x7FFF.
    const auto st = [&](const Vertex& q, double e) { return e * 32 * (o.perspective ? q.w : 1); };
    const auto s = g.plane(st(h, h.s), st(m, m.s), st(l, l.s)), tt = g.plane(st(h, h.t), st(m, m.t), st(l, l.t));
    const auto w = g.plane(h.w * 32767, m.w * 32767, l.w * 32767);
    TextureCoefficients c;
    c.s(s.base).s_dx(s.dx).s_de(s.de).s_dy(s.dy).t(tt.base).t_dx(tt.dx).t_de(tt.de).t_dy(tt.dy);
    c.w(w.base).w_dx(w.dx).w_de(w.de).w_dy(w.dy);
    words.insert(words.end(), c.raw.begin(), c.raw.end());
  }
  if (o.depth) {
    const auto z = g.plane(h.z * 32767, m.z * 32767, l.z * 32767);
    DepthCoefficients c;
    c.z(z.base).z_dx(z.dx).z_de(z.de).z_dy(z.dy);
    words.insert(words.end(), c.raw.begin(), c.raw.end());
  }
  return words;
}

}  // namespace pumice::hw::rdp
