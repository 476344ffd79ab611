// SPDX-License-Identifier: MIT
#include "compiler/isa/places.h"

#include <algorithm>

namespace pumice::compiler::isa {
namespace {

/// Computed (on chips with memory also loaded) into a register of its own choice, so that the register may be chosen for it.
bool placeable(const ir::Instruction* def, bool memory) {
  if (!def) return true;  // result of an if or loop
  switch (def->op) {
    case ir::Op::constant:
    case ir::Op::load_push:
    case ir::Op::load_param:
    case ir::Op::vec: return false;
    case ir::Op::load_input:
    case ir::Op::ddx:
    case ir::Op::ddy: return memory;
    case ir::Op::load_uniform: return memory && def->source_count;
    case ir::Op::bitcast:
    case ir::Op::mov: return def->saturate || def->source[0].abs || def->source[0].negate;
    default: return true;
  }
}

}  // namespace

Places::Places(const ir::Module& module, std::array<uint8_t, 4> channels, Vec<VirtualRegister>& registers)
    : module_(module), channels_(channels), registers_(registers), values_(module.values.size()) {
  scan(module.body);
  // Edge arguments are copied whole: their lanes are those of the destination; reading four is more than there may be.
  for (size_t v = 1; v < values_.size(); v++)
    values_[v].used &= static_cast<uint8_t>((1u << module_.comps(static_cast<ir::ValueId>(v))) - 1);
  reserve(module.body);
}

uint32_t Places::new_register(std::span<const uint8_t> channels) {
  VirtualRegister r;
  r.lanes = static_cast<uint8_t>(channels.size());
  std::copy(channels.begin(), channels.end(), r.channels.begin());
  registers_.push_back(r);
  return static_cast<uint32_t>(registers_.size()) - 1;
}

void Places::use(const ir::Source& source, unsigned lanes) {
  for (unsigned i = 0; i < lanes; i++) values_[source.value].used |= static_cast<uint8_t>(1u << source.swizzle[i]);
}

/// `loop`, `branch`: the innermost ones around the list.
void Places::scan(const ir::NodeList& list, const ir::Node* loop, const ir::Node* branch) {
  for (const ir::Node& node : list) {
    for (const ir::Instruction& x : node.instructions) {
      if (x.result) values_[x.result].def = &x;
      for (unsigned i = 0; i < x.source_count; i++) use(x.source[i], ir::source_lanes(module_, x, i));
    }
    if (node.kind == ir::Node::Kind::branch) use(node.cond, 1);
    for (const ir::Source& s : node.args) use(s, 4);
    if (module_.memory && node.kind == ir::Node::Kind::jump && !node.args.empty()) {
      const ir::Node* to = node.jump == ir::Node::Jump::yield ? branch : loop;
      const Vec<ir::ValueId>& destinations = node.jump == ir::Node::Jump::continue_ ? to->params : to->results;
      for (size_t i = 0; i < node.args.size(); i++) values_[node.args[i].value].copied_to = destinations[i];
    }
    if (node.kind == ir::Node::Kind::loop) {
      for (ir::ValueId p : node.params) values_[p].loop_param = true;
    }
    const bool is_loop = node.kind == ir::Node::Kind::loop;
    scan(node.then_list, is_loop ? &node : loop, is_loop ? nullptr : &node);
    scan(node.else_list, loop, &node);
  }
}

void Places::try_place(const Vec<Request>& requests, uint32_t reg) {
  Vec<ir::ValueId> seen;
  for (const Request& w : requests) {
    const ir::ValueId v = w.source->value;
    if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
    seen.push_back(v);
    Info& info = values_[v];
    if (info.place.kind != Place::Kind::unset || info.loop_param || !placeable(info.def, module_.memory)) continue;
    Place p;
    p.kind = Place::Kind::reg;
    p.index = reg;
    bool plain = true;
    for (const Request& o : requests) {
      if (o.source->value != v) continue;
      if (o.source->abs || o.source->negate) plain = false;
      uint8_t& lane = p.lane[o.source->swizzle[o.lane]];
      if (lane == kNoLane) lane = static_cast<uint8_t>(o.to);
    }
    for (unsigned l = 0; l < 4; l++) {
      if ((info.used >> l & 1) && p.lane[l] == kNoLane) plain = false;
    }
    if (plain) info.place = p;
  }
}

void Places::reserve(const ir::NodeList& list) {
  for (const ir::Node& node : list) {
    for (const ir::Instruction& x : node.instructions) {
      Vec<Request> requests;
      if (x.op == ir::Op::vec) {
        if (values_[x.result].place.kind != Place::Kind::unset) continue;
        Place& p = dest(x.result, channels_[3]);
        for (unsigned i = 0; i < x.source_count; i++) {
          if (values_[x.result].used >> i & 1) requests.push_back({&x.source[i], 0, p.lane[i]});
        }
        try_place(requests, p.index);
      } else if (x.op == ir::Op::tex && (x.tex_kind == ir::TexKind::bias || x.tex_kind == ir::TexKind::lod ||
                                         x.tex_kind == ir::TexKind::proj || x.tex_kind == ir::TexKind::fetch)) {
        const unsigned n = ir::coord_lanes(module_.textures[x.index].dim);
        Place p;
        p.kind = Place::Kind::reg;
        Vec<uint8_t> channels(channels_.begin(), channels_.begin() + n);
        channels.push_back(channels_[3]);
        p.index = new_register(channels);
        for (unsigned i = 0; i <= n; i++) p.lane[i] = static_cast<uint8_t>(i);
        for (unsigned i = 0; i < n; i++) requests.push_back({&x.source[0], i, i});
        requests.push_back({&x.source[1], 0, n});
        try_place(requests, p.index);
        coordinates_.emplace_back(&x, p);
      }
    }
    reserve(node.then_list);
    reserve(node.else_list);
  }
}

Place& Places::dest(ir::ValueId id, uint8_t scalar) {
  Info& info = values_[id];
  if (info.place.kind == Place::Kind::unset) {
    const unsigned lanes = module_.comps(id);
    // Of the same unit as what it will be copied to, so that both may share a place.
    if (const Place& to = values_[info.copied_to].place; lanes == 1 && info.copied_to && to.kind == Place::Kind::reg && to.lane[0] < 4) {
      if (const uint8_t channels = registers_[to.index].channels[to.lane[0]]; channels == channels_[0] || channels == channels_[3])
        scalar = channels;
    }
    info.place.kind = Place::Kind::reg;
    info.place.index = new_register(lanes == 1 ? std::span<const uint8_t>(&scalar, 1) : std::span(channels_).first(lanes));
    for (unsigned l = 0; l < lanes; l++) info.place.lane[l] = static_cast<uint8_t>(l);
  }
  return info.place;
}

Operand Places::read(const ir::Source& source) { return {at(source.value), source.swizzle, source.abs, source.negate}; }

Place Places::coordinate(const ir::Instruction& tex) const {
  for (const auto& [x, place] : coordinates_) {
    if (x == &tex) return place;
  }
  return {};
}

}  // namespace pumice::compiler::isa
