// SPDX-License-Identifier: MIT
/// Command assembly and execution. Attribute commands are in attributes.cpp.
#include "hw/rdp/cmd.h"

#include <algorithm>

#include "hw/rdp/fast/load.h"
#include "hw/rdp/ref/attributes.h"
#include "hw/rdp/ref/load.h"
#include "hw/rdp/tables.h"

namespace pumice::hw::rdp {

unsigned command_words(uint64_t first) {
  unsigned n = kCommands[first >> 56 & 0x3F].words;
  if (is_triangle(first)) {
    Triangle t;
    t.raw[0] = first;
    n += (t.shade() ? ShadeCoefficients::words : 0) + (t.texture() ? TextureCoefficients::words : 0) +
         (t.depth() ? DepthCoefficients::words : 0);
  }
  return n;
}

void CommandProcessor::reset() {
  scheduler_.flush();
  state_ = std::make_shared<State>();
  tmem_ = std::make_shared<Tmem>();
  have_ = 0;
}

void CommandProcessor::set_execution(Execution e) {
  scheduler_.flush();
  scheduler_.execution = e;
}

void CommandProcessor::watch(PixelWatcher* watcher) {
  scheduler_.flush();
  scheduler_.watcher = watcher;
}

State& CommandProcessor::writable_state() {
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
  state_->version = ++versions_;
  return *state_;
}

Tmem& CommandProcessor::writable_tmem() {
  if (tmem_.use_count() > 1) tmem_ = std::make_shared<Tmem>(*tmem_);
  return *tmem_;
}

void CommandProcessor::push(std::span<const uint64_t> words) {
  while (!words.empty()) {
    if (have_ == 0) need_ = command_words(words[0]);
    const size_t n = std::min<size_t>(need_ - have_, words.size());
    if (n == need_) {
      command_ = words.data();
    } else {
      std::copy_n(words.begin(), n, words_.begin() + have_);
      have_ += static_cast<unsigned>(n);
      command_ = words_.data();
    }
    words = words.subspan(n);
    if (n != need_ && have_ < need_) return;
    have_ = 0;
    ++commands_;
    execute();
  }
}

void CommandProcessor::execute() {
  if (is_triangle(command_[0])) return triangle();
  const Op op = opcode(command_[0]);
  switch (op) {
    case Op::texture_rectangle: return texture_rectangle(false);
    case Op::texture_rectangle_flip: return texture_rectangle(true);
    case Op::fill_rectangle: return fill_rectangle();
    case Op::load_tile:
    case Op::load_block:
    case Op::load_tlut: return load(op);
    case Op::sync_full:
      scheduler_.flush();
      if (on_sync_full) on_sync_full();
      return;
    case Op::no_op:
    case Op::sync_load:
    case Op::sync_pipe:
    case Op::sync_tile: return;
    default: set_attributes(writable_state(), command_); return;
  }
}

void CommandProcessor::fault(Fault f) {
  if (f != Fault::none && on_fault) on_fault(f, command_[0]);
}

void CommandProcessor::draw_primitive(Primitive& p) {
  p.noise_seed = ++primitives_;
  fault(scheduler_.draw(state_, tmem_, p));
}

void CommandProcessor::triangle() {
  const Triangle t(command_);
  Primitive p;
  p.left_major = t.left_major();
  p.level = t.level();
  p.tile = t.tile();
  p.yl = t.yl();
  p.ym = t.ym();
  p.yh = t.yh();
  p.xl = t.xl();
  p.xh = t.xh();
  p.xm = t.xm();
  p.dxldy = t.dxldy();
  p.dxhdy = t.dxhdy();
  p.dxmdy = t.dxmdy();
  const auto set = [&](Attribute a, int32_t base, int32_t dx, int32_t de, int32_t dy) {
    p.base[a] = static_cast<uint32_t>(base);
    p.dx[a] = static_cast<uint32_t>(dx);
    p.de[a] = static_cast<uint32_t>(de);
    p.dy[a] = static_cast<uint32_t>(dy);
  };
  const uint64_t* w = command_ + Triangle::words;
  if (t.shade()) {
    const ShadeCoefficients c(w);
    set(kR, c.red(), c.red_dx(), c.red_de(), c.red_dy());
    set(kG, c.green(), c.green_dx(), c.green_de(), c.green_dy());
    set(kB, c.blue(), c.blue_dx(), c.blue_de(), c.blue_dy());
    set(kA, c.alpha(), c.alpha_dx(), c.alpha_de(), c.alpha_dy());
    w += ShadeCoefficients::words;
  }
  if (t.texture()) {
    const TextureCoefficients c(w);
    set(kS, c.s(), c.s_dx(), c.s_de(), c.s_dy());
    set(kT, c.t(), c.t_dx(), c.t_de(), c.t_dy());
    set(kW, c.w(), c.w_dx(), c.w_de(), c.w_dy());
    w += TextureCoefficients::words;
  }
  if (t.depth()) {
    const DepthCoefficients c(w);
    set(kZ, c.z(), c.z_dx(), c.z_de(), c.z_dy());
  }
  draw_primitive(p);
}

/// Rectangles are left-major primitives with vertical edges; fill and copy mode widen them to whole scanlines.
void CommandProcessor::rectangle(uint32_t xl, uint32_t yl, uint32_t xh, uint32_t yh, Primitive& p) {
  if (state_->cycle_type() == kFill || state_->cycle_type() == kCopy) yl |= 3;
  p.left_major = true;
  p.xh = static_cast<int32_t>(xh << 14);
  p.xm = p.xl = static_cast<int32_t>(xl << 14);
  p.yh = static_cast<int32_t>(yh);
  p.ym = p.yl = static_cast<int32_t>(yl);
  draw_primitive(p);
}

void CommandProcessor::fill_rectangle() {
  const FillRectangle r(command_);
  Primitive p;
  rectangle(r.xl(), r.yl(), r.xh(), r.yh(), p);
}

void CommandProcessor::texture_rectangle(bool flip) {
  const TextureRectangle r(command_);
  Primitive p;
  p.tile = r.tile();
  p.base[kS] = static_cast<uint32_t>(r.s()) << 16;
  p.base[kT] = static_cast<uint32_t>(r.t()) << 16;
  const uint32_t ds = static_cast<uint32_t>(r.dsdx()) << 11, dt = static_cast<uint32_t>(r.dtdy()) << 11;
  if (flip) {
    p.dx[kT] = dt;
    p.de[kS] = p.dy[kS] = ds;
  } else {
    p.dx[kS] = ds;
    p.de[kT] = p.dy[kT] = dt;
  }
  rectangle(r.xl(), r.yl(), r.xh(), r.yh(), p);
}

void CommandProcessor::load(Op op) {
  const LoadTile l(command_);
  State& state = writable_state();
  Tile& tile = state.tiles[l.tile()];
  tile.s.set_range(l.sl(), l.sh());
  tile.t.set_range(l.tl(), l.th());
  const Image& image = state.texture_image;
  if (image.size == k4b) return fault(Fault::load_4bit_image);
  if (op == Op::load_tlut && image.size != k16b) return fault(Fault::load_tlut_image_size);
  if (op == Op::load_tlut && tile.t.low >> 2 != tile.t.high >> 2) return fault(Fault::load_tlut_lines);
  // Primitives before this one may have drawn what is loaded. A generous bound: whole lines from the first to the last.
  const uint64_t first_line = op == Op::load_block ? l.tl() & 0x3FF : l.tl() >> 2,
                 last_line = op == Op::load_block ? first_line : l.th() >> 2;
  const uint64_t first = first_line * image.width, end = last_line * image.width + 2 * 4096 + 8;
  scheduler_.flush_range(image.address + (first << image.size >> 1), image.address + (end << image.size >> 1));
  Tmem& tmem = writable_tmem();
  const bool fast = scheduler_.execution != Execution::reference;
  if (op == Op::load_tile) {
    if (!fast || !fast::load_tile(state, tile, ram_, tmem)) load_tile(state, tile, ram_, tmem);
  } else if (op == Op::load_block) {
    if (!fast || !fast::load_block(state, tile, ram_, tmem)) load_block(state, tile, ram_, tmem);
  } else if (!fast || !fast::load_tlut(state, tile, ram_, tmem)) {
    load_tlut(state, tile, ram_, tmem);
  }
}

}  // namespace pumice::hw::rdp
