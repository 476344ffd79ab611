// SPDX-License-Identifier: MIT
#include "compiler/isa/constants.h"

#include <bit>

#include "compiler/isa/error.h"

namespace pumice::compiler::isa {
namespace {
constexpr uint8_t kUniform = 0, kPush = 1, kParameter = 2;
}

ConstantFile::Key ConstantFile::key(const ir::Instruction& load) {
  switch (load.op) {
    case ir::Op::load_uniform: return {kUniform, load.index, 0};
    case ir::Op::load_push: return {kPush, 0, 0};
    default: {
      const bool of_texture = load.parameter == ConstantRange::Parameter::texture_size;
      return {kParameter, static_cast<uint32_t>(load.parameter), of_texture ? load.index : 0};
    }
  }
}

void ConstantFile::scan(const ir::NodeList& list, Map<Key, Map<uint32_t, bool>>& used) {
  for (const ir::Node& node : list) {
    for (const ir::Instruction& x : node.instructions) {
      if (x.op == ir::Op::load_input && module_.inputs[x.index].builtin == ir::Builtin::frag_coord) {
        ir::Instruction viewport;  // the back end computes z from the clip position with it
        viewport.op = ir::Op::load_param;
        viewport.parameter = ConstantRange::Parameter::viewport_transform;
        used[key(viewport)][0] = true;
      } else if (x.op == ir::Op::load_param) {
        const bool of_texture = x.parameter == ConstantRange::Parameter::texture_size;
        used[key(x)][0] = true;
        if (of_texture) used[key(x)][1] = true;
      } else if (x.op == ir::Op::load_uniform || x.op == ir::Op::load_push) {
        const uint32_t last = x.offset + (x.source_count ? x.max_index : 0);
        if (last >= 65536)
          throw Unsupported("constant vec4 " + std::to_string(last) + " of a block is beyond any constant file",
                            x.op == ir::Op::load_uniform ? module_.uniforms[x.index].at : ir::origin(module_, x));
        for (uint32_t i = x.offset; i <= last; i++) used[key(x)][i] = true;
      }
    }
    scan(node.then_list, used);
    scan(node.else_list, used);
  }
}

const uint32_t* ConstantFile::largest() const {
  const Key* most = nullptr;
  uint32_t slots = 0;
  for (const auto& [key, runs] : runs_) {
    uint32_t n = 0;
    for (const Run& run : runs) n += run.count;
    if (n <= slots) continue;
    slots = n;
    most = &key;
  }
  return most && most->kind == kUniform ? module_.uniforms[most->a].at : nullptr;
}

ConstantFile::ConstantFile(const ir::Module& module) : module_(module) {
  if (module.memory) return;
  Map<Key, Map<uint32_t, bool>> used;
  scan(module.body, used);
  for (const auto& [k, slots] : used) {
    Vec<Run>& runs = runs_[k];
    for (const auto& [index, unused] : slots) {
      if (runs.empty() || runs.back().first + runs.back().count != index) runs.push_back({index, 0, first_immediate_});
      runs.back().count++;
      first_immediate_++;
    }
  }
}

uint32_t ConstantFile::slot(const ir::Instruction& load) const {
  for (const Run& r : runs_.at(key(load))) {
    if (load.offset >= r.first && load.offset < r.first + r.count) return r.slot + load.offset - r.first;
  }
  throw Unsupported("internal: constant was not laid out");
}

ConstantFile::Immediate ConstantFile::immediate(std::span<const float> values) {
  const auto fit = [&](Pack& pack, Immediate& out) {
    Pack p = pack;
    for (size_t i = 0; i < values.size(); i++) {
      const uint32_t bits = std::bit_cast<uint32_t>(values[i]);
      uint8_t lane = 0;
      while (lane < 4 && !((p.used >> lane & 1) && p.bits[lane] == bits)) lane++;
      if (lane == 4) {
        lane = static_cast<uint8_t>(std::countr_one(p.used));
        if (lane == 4) return false;
        p.bits[lane] = bits;
        p.used |= static_cast<uint8_t>(1u << lane);
      }
      out.lane[i] = lane;
    }
    pack = p;
    return true;
  };
  Immediate out;
  for (size_t i = 0; i < immediates_.size(); i++) {
    out.slot = first_immediate_ + static_cast<uint32_t>(i);
    if (fit(immediates_[i], out)) return out;
  }
  immediates_.emplace_back();
  out.slot = first_immediate_ + static_cast<uint32_t>(immediates_.size()) - 1;
  fit(immediates_.back(), out);
  return out;
}

uint32_t ConstantFile::aligned(const std::array<float, 4>& values, unsigned mask) {
  const std::array<uint32_t, 4> bits = std::bit_cast<std::array<uint32_t, 4>>(values);
  const auto fits = [&](const Pack& p) {
    for (unsigned l = 0; l < 4; l++) {
      if ((mask & p.used) >> l & 1 && p.bits[l] != bits[l]) return false;
    }
    return true;
  };
  size_t i = 0;
  while (i < immediates_.size() && !fits(immediates_[i])) i++;
  if (i == immediates_.size()) immediates_.emplace_back();
  Pack& p = immediates_[i];
  for (unsigned l = 0; l < 4; l++) {
    if (mask >> l & 1) p.bits[l] = bits[l];
  }
  p.used |= static_cast<uint8_t>(mask);
  return first_immediate_ + static_cast<uint32_t>(i);
}

std::vector<std::array<uint32_t, 4>> ConstantFile::immediates() const {
  std::vector<std::array<uint32_t, 4>> out;
  for (const Pack& p : immediates_) out.push_back(p.bits);
  return out;
}

std::vector<ConstantRange> ConstantFile::ranges() const {
  std::vector<ConstantRange> out;
  size_t count = !immediates_.empty();
  for (const auto& [k, runs] : runs_) count += runs.size();
  out.reserve(count);
  for (const auto& [k, runs] : runs_) {
    for (const Run& r : runs) {
      ConstantRange range;
      range.first_slot = r.slot;
      range.count = r.count;
      range.offset = r.first * 16;
      if (k.kind == kUniform) {
        const ir::UniformBlock& block = module_.uniforms[k.a];
        range.source = block.push ? ConstantRange::Source::push_constant : ConstantRange::Source::uniform_block;
        if (block.view == ir::Type::i32) range.convert = ConstantRange::Convert::from_int;
        if (block.view == ir::Type::u32) range.convert = ConstantRange::Convert::from_uint;
        range.binding = {block.set, block.binding, block.element};
        if (!block.immediate.empty()) {
          range.source = ConstantRange::Source::immediate;
          range.offset = 0;
          range.immediate.assign(r.count * 4, 0.0f);
          for (size_t i = 0; i < range.immediate.size() && r.first * 4 + i < block.immediate.size(); i++) {
            range.immediate[i] = block.immediate[r.first * 4 + i];
          }
        }
      } else if (k.kind == kPush) {
        range.source = ConstantRange::Source::push_constant;
      } else {
        range.source = ConstantRange::Source::driver;
        range.parameter = static_cast<ConstantRange::Parameter>(k.a);
        range.offset = 0;
        if (range.parameter == ConstantRange::Parameter::texture_size) range.binding = module_.textures[k.b].pair.image;
      }
      out.push_back(std::move(range));
    }
  }
  if (!immediates_.empty()) {
    ConstantRange range;
    range.first_slot = first_immediate_;
    range.count = static_cast<uint32_t>(immediates_.size());
    range.immediate.reserve(4 * immediates_.size());
    for (const Pack& p : immediates_) {
      for (uint32_t bits : p.bits) range.immediate.push_back(std::bit_cast<float>(bits));
    }
    out.push_back(std::move(range));
  }
  return out;
}

}  // namespace pumice::compiler::isa
