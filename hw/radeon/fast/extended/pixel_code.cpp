// SPDX-License-Identifier: MIT
/// See pixel_code.h: inputs of the program (hw/radeon/ref/xr/fragment.cpp), the loop over samples, output (hw/radeon/ref/xr/pixel.cpp).
#include "hw/radeon/fast/extended/pixel_code.h"

#include "hw/common/numerics/float_bits.h"

namespace pumice::hw::fast::extended {

using lane::kArgs;
namespace slot = hw::x::slot;

namespace {

constexpr uint32_t at(size_t offset, uint32_t n = 0) { return uint32_t(offset) + 4 * n; }
/// Of arrays by number and block.
constexpr uint32_t row(size_t offset, uint32_t n) { return uint32_t(offset + n * sizeof(PixelArgs::ByBlock<uint32_t>)); }

template <class F>
std::array<uint32_t, kLanes> by_lane(F f) {
  std::array<uint32_t, kLanes> t;
  for (int l = 0; l < kLanes; ++l) t[size_t(l)] = num::bits(float(f(l)));
  return t;
}

/// Modes of LDV.
enum : uint32_t { kDeclared, kCentre, kCentroid, kSample, kOffset };

}  // namespace

std::vector<uint32_t> PixelKey::words() const {
  std::vector<uint32_t> w;
  w.reserve(3 + 3 * target.size() + inputs.planes.size() + inputs.flat.size());
  const auto flags = [&](std::initializer_list<bool> bits) {
    uint32_t v = 0;
    for (const bool b : bits) v = v << 1 | uint32_t(b);
    w.push_back(v);
  };
  const auto bytes = [&](uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    w.push_back(a | uint32_t{b} << 8 | uint32_t{c} << 16 | uint32_t{d} << 24);
  };
  flags({early, rejects, per_sample, writes_depth, writes_stencil, writes_mask, alpha_to_coverage, alpha_to_one, depth_clamp, depth_test,
         depth_write, stencil_test, bounds_test, whole_blocks, collected, packed, unrestricted});
  bytes(samples_log2, depth_format, depth_func, uint8_t(inputs.planes.size()));
  bytes(stencil.func, stencil.fail, stencil.pass, stencil.depth_fail);
  for (const output::Key& t : target) {
    bytes(t.format, t.write_mask, uint8_t(t.blend | t.logic << 1), t.logic_op);
    if (t.blend)
      bytes(t.color.source, t.color.destination, t.color.operation, 0), bytes(t.alpha.source, t.alpha.destination, t.alpha.operation, 0);
  }
  for (size_t i = 0; i < inputs.planes.size(); ++i) bytes(inputs.planes[i].varying, inputs.planes[i].component, linear[i], 0);
  for (const auto& f : inputs.flat) bytes(f.varying, f.component, 0, 1);
  for (uint32_t i = 0; i < centroid.size(); ++i)
    if (centroid[i]) bytes(uint8_t(i), centroid[i], 0, 2);
  return w;
}

// ---- Samples ---------------------------------------------------------------------------------------------------------------------

lane::Value PixelCode::constant_at(Group& g, uint32_t offset, Sample s) {
  if (s.number >= 0) return g.b.splat(constants_, offset + 4 * uint32_t(s.number));
  return g.b.splat_at(constants_, sample_, offset, 4, kMostSamples);
}

lane::Value PixelCode::argument_at(Group& g, uint32_t offset, Sample s) {
  constexpr uint32_t kRow = sizeof(PixelArgs::ByBlock<float>);
  if (s.number >= 0) return g.b.splat(block_, offset + kRow * uint32_t(s.number));
  return g.b.splat_at(block_, sample_, offset, kRow, kMostSamples);
}

lane::Value PixelCode::sample_bit(Group& g, Sample s) { return s.number >= 0 ? g.b.constant_bits(1u << s.number) : g.b.from_scalar(bit_); }

lane::Value PixelCode::bits_of(Group& g, const std::array<Mask, kMostSamples>& masks) {
  const Value zero = g.b.constant_bits(0);
  Value v = g.b.select(masks[0], g.b.constant_bits(1), zero);
  for (uint32_t s = 1; s < key_.samples(); ++s) v = g.b.bit_or(v, g.b.select(masks[s], g.b.constant_bits(1u << s), zero));
  return v;
}

void PixelCode::begin(Group& g) {
  lane::Builder& b = g.b;
  constants_ = b.pointer(kArgs, offsetof(PixelArgs, constants));
  extended_ = b.pointer(kArgs, offsetof(PixelArgs, extended));
  values_ = b.pointer(kArgs, offsetof(PixelArgs, values));
  if (key_.collected) lanes_ = b.pointer(kArgs, offsetof(PixelArgs, lanes));
  block_ = b.moving(0), views_ = b.moving(0);
  all_ = b.mask_constant(0xFFFF), none_ = b.mask_constant(0);
  const uint32_t n = key_.samples();
  count_ = b.scalar();
  b.load(count_, kArgs, {.offset = offsetof(PixelArgs, count)});
  block_loop_ = b.make_label(), next_block_ = b.make_label();
  b.place(block_loop_);
  if (!key_.collected) g.loop = block_loop_;  // those come one by one
  std::array<Tested, kMostSamples> tested;
  const bool tests = key_.depth_format && (key_.early || key_.rejects);
  for (uint32_t s = 0; s < n; ++s) {
    cover_[s] = raster_[s] = b.mask_load(block_, row(offsetof(PixelArgs, covered), s));
    if (!tests) continue;
    tested[s] = test(g, {int32_t(s)}, cover_[s], nullptr);
    cover_[s] = tested[s].pass;
  }
  Mask any = cover_[0];
  for (uint32_t s = 1; s < n; ++s) any = b.mask_or(any, cover_[s]);
  if (tests) {
    // Depth changes where a sample passes only.
    const bool skips = !key_.stencil_test || key_.stencil.keeps();
    if (skips) b.jump_none(any, next_block_);
    for (uint32_t s = 0; s < n && key_.early; ++s) write_test(g, {int32_t(s)}, tested[s]);
    if (!skips) b.jump_none(any, next_block_);
  }
  bits_ = bits_of(g, cover_);
  g.wanted = b.mask_load(block_, offsetof(PixelArgs, quads));
  own_ = any;
  loops_ = key_.per_sample && n > 1;
  if (loops_) {
    sample_ = b.scalar(), bit_ = b.scalar(), left_ = b.scalar();
    b.set(sample_, 0), b.set(bit_, 1), b.set(left_, int32_t(n));
    if (!key_.early) passed_ = b.variable(), b.set(passed_, b.constant_bits(0));
    loop_ = b.make_label(), next_ = b.make_label();
    b.place(loop_);
    own_ = b.ine(b.bit_and(bits_, b.from_scalar(bit_)), b.constant_bits(0));
    b.jump_none(own_, next_);
  }
  g.helpers = b.mask_not(own_);
}

// ---- Inputs of the program -------------------------------------------------------------------------------------------------------

PixelCode::Place PixelCode::lane_place(Group& g) { return {g.b.table(by_lane(lane_x)), g.b.table(by_lane(lane_y))}; }

PixelCode::Place PixelCode::moved(Group& g, Value x, Value y) {
  const Place p = lane_place(g);
  return {g.b.add(p.x, x), g.b.add(p.y, y)};
}

/// Window coordinates of the pixels' centres.
PixelCode::Place PixelCode::pixel(Group& g) {
  lane::Builder& b = g.b;
  if (key_.packed) {
    const auto centre = [&](size_t at) { return b.add(b.lanes(lanes_, uint32_t(at)), b.constant(0.5f)); };
    return {centre(offsetof(PackedLanes, x)), centre(offsetof(PackedLanes, y))};
  }
  const Place lane = lane_place(g);
  return {b.add(b.splat(block_, offsetof(PixelArgs, x)), lane.x), b.add(b.splat(block_, offsetof(PixelArgs, y)), lane.y)};
}

/// `number`: by lane, below the number of samples.
PixelCode::Place PixelCode::at_sample(Group& g, Value number) {
  const auto position = [&](const std::array<float, kMostSamples>& of) {
    std::array<uint32_t, kLanes> t{};
    for (uint32_t s = 0; s < key_.samples(); ++s) t[s] = num::bits(of[s]);
    return g.b.permute(g.b.table(t), number);
  };
  return moved(g, position(key_.sample_x), position(key_.sample_y));
}

PixelCode::Place PixelCode::own(Group& g) {
  if (!loops_) return lane_place(g);
  return moved(g, constant_at(g, offsetof(PixelConstants, sample_x), kCurrent),
               constant_at(g, offsetof(PixelConstants, sample_y), kCurrent));
}

PixelCode::Place PixelCode::centroid(Group& g) {
  lane::Builder& b = g.b;
  const uint32_t n = key_.samples();
  if (n == 1) return lane_place(g);
  const Mask centre = b.mask_or(b.ieq(bits_, b.constant_bits((1u << n) - 1)), b.ieq(bits_, b.constant_bits(0)));
  const Place c = lane_place(g), s = at_sample(g, b.find_lsb(bits_));
  return {b.select(centre, c.x, s.x), b.select(centre, c.y, s.y)};
}

lane::Value PixelCode::plane(Group& g, uint32_t base, uint32_t step_x, uint32_t step_y, const Place& p) {
  const Value row = g.b.fma(p.y, g.b.splat(kArgs, step_y), g.b.splat(block_, base));
  return g.b.fma(p.x, g.b.splat(kArgs, step_x), row);
}

lane::Value PixelCode::plane_w(Group& g, const Place& p) {
  if (key_.collected) return g.b.lanes(lanes_, offsetof(CollectedLanes, w));
  return plane(g, offsetof(PixelArgs, w), offsetof(PixelArgs, w_step_x), offsetof(PixelArgs, w_step_y), p);
}

int32_t PixelCode::find(const std::vector<raster::PixelInputs::Component>& in, uint32_t varying, uint32_t component) const {
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].varying == varying && in[i].component == component) return int32_t(i);
  return -1;
}

Number PixelCode::component(Group& g, uint32_t number, uint32_t c, const Place& p) {
  lane::Builder& b = g.b;
  const auto collected = [&](size_t i) { return b.lanes(lanes_, uint32_t(offsetof(CollectedLanes, value) + i * sizeof(Lanes))); };
  if (const int32_t f = find(key_.inputs.flat, number, c); f >= 0) {
    if (key_.collected) return {collected(key_.inputs.planes.size() + size_t(f))};
    return {b.splat(extended_, at(offsetof(raster::Extended, flat), uint32_t(f)))};
  }
  const int32_t found = find(key_.inputs.planes, number, c);
  if (found < 0) return {b.constant_bits(0)};
  const auto n = uint32_t(found);
  if (key_.collected) return {collected(n), Nan::rs};
  const Value v = plane(g, row(offsetof(PixelArgs, base), n), at(offsetof(PixelArgs, step_x), n), at(offsetof(PixelArgs, step_y), n), p);
  if (key_.linear[n]) return {v, Nan::rs};
  return {b.fma(v, b.div(b.constant(1.0f), plane_w(g, p)), b.splat(values_, 4 * n)), Nan::rs};
}

StageCode::Numbers PixelCode::varying(Group& g, uint32_t number, uint32_t mode, const Numbers& where) {
  if (number >= hw::x::kVaryings) return zeros(g);
  lane::Builder& b = g.b;
  Place p = lane_place(g);
  const bool is_centroid = key_.centroid[number] & 1u, is_sample = key_.centroid[number] & 2u;
  switch (mode) {
    case kDeclared: p = loops_ && (is_sample || !is_centroid) ? own(g) : is_centroid ? centroid(g) : p; break;
    case kCentroid: p = centroid(g); break;
    case kSample:
      if (key_.samples() > 1) p = at_sample(g, b.bit_and(g.bits(where[0]), b.constant_bits(key_.samples() - 1)));
      break;
    case kOffset: p = moved(g, where[0].v, where[1].v); break;
    default: break;
  }
  Numbers out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = component(g, number, c, p);
  return out;
}

StageCode::Numbers PixelCode::system(Group& g, uint32_t number) {
  lane::Builder& b = g.b;
  Numbers out = zeros(g);
  const auto truth = [&](Mask m) { return Number{b.select(m, b.constant_bits(~0u), b.constant_bits(0))}; };
  switch (number) {
    case 0: {
      auto [x, y] = pixel(g);
      if (loops_) {
        x = b.add(x, constant_at(g, offsetof(PixelConstants, sample_x), kCurrent));
        y = b.add(y, constant_at(g, offsetof(PixelConstants, sample_y), kCurrent));
      }
      out = {Number{x}, {y}, {number_or_zero(g, depth_at(g, loops_ ? kCurrent : Sample{0}))}, {plane_w(g, own(g)), Nan::rs}};
      break;
    }
    case 1: out[0] = {b.splat(kArgs, offsetof(PixelArgs, front))}; break;
    case 2:
      if (loops_) out[0] = {b.from_scalar(sample_)};
      break;
    case 3:
      for (uint32_t c = 0; c < 2; ++c) {
        const Value half = b.constant(0.5f);
        const auto from = uint32_t(c ? offsetof(PixelConstants, sample_y) : offsetof(PixelConstants, sample_x));
        out[c] = {loops_ ? b.add(half, constant_at(g, from, kCurrent)) : half};
      }
      break;
    case 4:
    case 10: {
      const Value bits = number == 10 || !key_.early ? bits_ : bits_of(g, raster_);
      out[0] = {loops_ ? b.bit_and(bits, sample_bit(g, kCurrent)) : bits};
      break;
    }
    case 5: {
      const Place p = own(g);
      for (uint32_t c = 0; c < 2; ++c) out[c] = component(g, raster::PixelInputs::kPoint, c, p);
      break;
    }
    case 6: out[0] = {b.splat(extended_, offsetof(raster::Extended, primitive))}; break;
    case 7: out[0] = {b.splat(extended_, offsetof(raster::Extended, layer))}; break;
    case 8: out[0] = {b.splat(extended_, offsetof(raster::Extended, viewport))}; break;
    case 9: out[0] = truth(g.helpers); break;
    default: break;
  }
  return out;
}

// ---- Its outputs -----------------------------------------------------------------------------------------------------------------

void PixelCode::end(Group& g, const Exports& e) {
  lane::Builder& b = g.b;
  const Mask alive = b.mask_andnot(g.helpers, all_);
  const uint32_t n = key_.samples();
  // The samples that the program keeps, if it writes a sample mask.
  Value left;
  if (key_.writes_mask) left = g.bits(e.value[slot::sample_mask][0]);
  if (key_.alpha_to_coverage) {
    const Value a = b.minimum(b.maximum(e.value[slot::color][3].v, b.constant(0.0f)), b.constant(1.0f));
    const Value count = b.to_int(b.add(b.mul(a, b.constant(float(n))), b.constant(0.5f)));
    left = left ? b.bit_and(left, b.low_bits(count)) : b.low_bits(count);
  }
  const auto mask_of = [&](Sample s, Mask m) {
    m = b.mask_and(alive, m);
    return left ? b.mask_and(m, b.ine(b.bit_and(left, sample_bit(g, s)), b.constant_bits(0))) : m;
  };
  if (loops_) {
    write_sample(g, e, kCurrent, mask_of(kCurrent, own_));
    b.place(next_);
    b.add_to(sample_, 1);
    b.add_to(bit_, bit_);
    b.add_to(left_, -1);
    b.jump_nonzero(left_, loop_);
    if (!key_.early) b.store(kArgs, offsetof(PixelArgs, passed_bits), b.get(passed_));
  }
  for (uint32_t s = 0; s < n && !loops_; ++s) write_sample(g, e, {int32_t(s)}, mask_of({int32_t(s)}, n == 1 ? all_ : cover_[s]));
  b.place(next_block_);
  b.advance(block_, sizeof(float)), b.advance(views_, sizeof(lane::BufferView));
  b.add_to(count_, -1);
  b.jump_nonzero(count_, block_loop_);
}

/// `view`: in PixelArgs, `target`: in PixelConstants, `bytes`: of a pixel.
PixelCode::Stored PixelCode::stored_at(Group& g, size_t view, size_t target, uint32_t bytes, Sample s) {
  lane::Builder& b = g.b;
  const size_t rows = target + offsetof(TargetConstants, rows);
  if (key_.packed) {
    const auto place = [&](size_t of) { return b.to_int(b.lanes(lanes_, uint32_t(of))); };
    const Value pitch = b.splat(constants_, uint32_t(rows + offsetof(lane::BlockRows, pitch)));
    const Value row = b.imul(place(offsetof(PackedLanes, y)), pitch);
    const Value across = b.imul(place(offsetof(PackedLanes, x)), b.constant_bits(bytes));
    return {b.buffer(views_, uint32_t(view)), b.iadd(row, across), format::Layout::any};
  }
  Value offset = b.lanes(constants_, uint32_t(target + offsetof(TargetConstants, offset)));
  if (key_.whole_blocks && s.number >= 0) {
    const size_t of_sample = rows + size_t(s.number) * sizeof(lane::BlockRows);
    return {b.block_buffer(views_, uint32_t(view), constants_, uint32_t(of_sample)), offset, format::Layout::whole_block};
  }
  if (s.number != 0) offset = b.iadd(offset, constant_at(g, uint32_t(target + offsetof(TargetConstants, of_sample)), s));
  return {b.buffer(views_, uint32_t(view)), offset, format::Layout::block};
}

/// Late tests and colours of one sample.
void PixelCode::write_sample(Group& g, const Exports& e, Sample s, Mask m) {
  lane::Builder& b = g.b;
  if (!key_.early) {
    const Tested t = test(g, s, m, &e);
    write_test(g, s, t);
    m = t.pass;
  }
  for (uint32_t t = 0; t < kColorTargets; ++t) {
    const output::Key& key = key_.target[t];
    if (!output::writes(key)) continue;
    const auto cls = formats::info(key.format).cls;
    const bool raw = cls == formats::Class::sfloat || cls == formats::Class::uint || cls == formats::Class::sint;
    const auto color_of = [&](uint32_t from) {
      output::Color c;
      for (uint32_t i = 0; i < 4; ++i) c[i] = raw ? g.bits(e.value[from][i]) : e.value[from][i].v;
      if (key_.alpha_to_one) c[3] = b.constant(1.0f);
      return c;
    };
    output::Color second{}, constant{};
    if (output::reads_second(key)) second = color_of(slot::second_of(t));
    if (output::reads_constant(key))
      for (uint32_t i = 0; i < 4; ++i) constant[i] = b.splat(constants_, at(offsetof(PixelConstants, blend), i));
    const Stored at = stored_at(g, offsetof(PixelArgs, color) + t * sizeof(PixelArgs::Views),
                                offsetof(PixelConstants, color) + t * sizeof(TargetConstants), formats::info(key.format).bytes, s);
    output::write_target(b, key, at.buffer, at.offset, m, color_of(slot::color + t), second, constant, at.layout);
  }
}

}  // namespace pumice::hw::fast::extended
