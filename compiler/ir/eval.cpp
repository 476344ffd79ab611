// SPDX-License-Identifier: MIT
/// Interpreter of the IR, see eval.h. All invocations run in lockstep with a mask, as the chip's quads do, so that derivatives see
/// the neighbours' values even where those have left a loop.
#include "compiler/ir/eval.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compiler/ir/eval_memory.h"
#include "compiler/ir/scalar.h"

namespace pumice::compiler::ir {
namespace {

using Mask = unsigned;  // bit per invocation

class Interpreter {
 public:
  Interpreter(const Module& module, const Environment& environment)
      : m_(module), env_(environment), count_(unsigned(std::min<size_t>(environment.inputs.size(), 4))), values_(module.values.size()) {
    for (unsigned n = 0; n < count_; ++n) {
      Invocation& i = out_.invocations.emplace_back();
      i.outputs.resize(m_.outputs.size());
      i.outputs_written.resize(m_.outputs.size());
      for (const Temp& t : m_.temps) temps_[n].emplace_back(t.elements);
      scratch_[n].resize(m_.scratch_bytes / 4);
    }
    shared_.resize(m_.shared_bytes / 4);
    out_.buffers = env_.buffers;
  }

  Evaluation run() {
    list(m_.body, (1u << count_) - 1, nullptr);
    if (steps_ > env_.step_limit) out_.error = "step limit reached";
    return std::move(out_);
  }

 private:
  struct Loop {
    const Node& node;
    Mask broken = 0, continued = 0;
  };

  /// As it lies in the register: modifiers are for floats.
  uint32_t word(const Source& s, unsigned n, unsigned i) const {
    const Lanes& v = values_[s.value][n];
    return s.abs || s.negate ? std::bit_cast<uint32_t>(modify(v[s.swizzle[i]], s)) : v.bits[s.swizzle[i]];
  }
  float lane(const Source& s, unsigned n, unsigned i) const { return std::bit_cast<float>(word(s, n, i)); }
  bool holds(const Source& s, unsigned n, unsigned i) const {
    return m_.value(s.value).type == Type::boolean ? word(s, n, i) != 0 : lane(s, n, i) != 0.0f;
  }
  Lanes words(const Source& s, unsigned n, unsigned lanes) const {
    Lanes v;
    for (unsigned i = 0; i < lanes; ++i) v.bits[i] = word(s, n, i);
    return v;
  }
  Vec4 fetch(const Source& s, unsigned n, unsigned lanes) const {
    Vec4 v{};
    for (unsigned i = 0; i < lanes; ++i) v[i] = lane(s, n, i);
    return v;
  }

  /// Parallel copy of an edge in the invocations of the mask.
  void carry(std::span<const ValueId> to, std::span<const Source> from, Mask mask) {
    for (unsigned n = 0; n < count_; ++n) {
      if (!(mask >> n & 1)) continue;
      std::vector<Lanes> read;
      for (size_t i = 0; i < to.size(); ++i) read.push_back(words(from[i], n, m_.comps(to[i])));
      for (size_t i = 0; i < to.size(); ++i) values_[to[i]][n] = read[i];
    }
  }

  /// Returns the invocations that reach the end of the list (or yield). `branch` receives the yields.
  Mask list(const NodeList& nodes, Mask mask, Loop* loop, const Node* branch = nullptr) {
    for (const Node& node : nodes) {
      if (!mask || steps_ > env_.step_limit) return 0;
      switch (node.kind) {
        case Node::Kind::block:
          for (const Instruction& in : node.instructions) instruction(in, mask);
          steps_ += node.instructions.size() + 1;
          break;
        case Node::Kind::branch: {
          Mask taken = 0;
          for (unsigned n = 0; n < count_; ++n) taken |= unsigned(holds(node.cond, n, 0)) << n;
          const Mask then_end = list(node.then_list, mask & taken, loop, &node);
          mask = then_end | list(node.else_list, mask & ~taken, loop, &node);
          break;
        }
        case Node::Kind::loop: mask = run_loop(node, mask); break;
        case Node::Kind::jump:
          if (node.jump == Node::Jump::yield) {
            carry(branch->results, node.args, mask);
            return mask;
          }
          if (node.jump == Node::Jump::break_) {
            carry(loop->node.results, node.args, mask);
            loop->broken |= mask;
          } else {
            carry(loop->node.params, node.args, mask);
            loop->continued |= mask;
          }
          return 0;
      }
    }
    return mask;
  }

  Mask run_loop(const Node& node, Mask mask) {
    carry(node.params, node.args, mask);
    Mask left = 0;
    while (mask && ++steps_ <= env_.step_limit) {
      Loop loop{node};
      mask = list(node.then_list, mask, &loop);
      mask |= loop.continued;
      left |= loop.broken;
    }
    return left;
  }

  uint32_t dynamic_index(const Source& s, unsigned n, uint32_t max) const {
    const Type type = m_.value(s.value).type;
    if (is_typed(type)) {
      const uint32_t i = word(s, n, 0);
      return type == Type::i32 && int32_t(i) < 0 ? 0 : std::min(i, max);
    }
    const float i = std::floor(lane(s, n, 0));
    return i > 0.0f ? (i < float(max) ? uint32_t(i) : max) : 0;
  }

  void instruction(const Instruction& in, Mask mask) {
    active_ = mask;
    for (unsigned n = 0; n < count_; ++n) {
      if (!(mask >> n & 1)) continue;
      Lanes result;
      switch (info(in.op).shape) {
        case OpInfo::Shape::cw: result = componentwise(in, n); break;
        case OpInfo::Shape::dot2: result = dot(in, n, 2); break;
        case OpInfo::Shape::dot3: result = dot(in, n, 3); break;
        case OpInfo::Shape::dot4: result = dot(in, n, 4); break;
        case OpInfo::Shape::other: result = special(in, n); break;
      }
      if (in.saturate) {
        Vec4 clamped = result.floats();
        for (float& f : clamped) f = saturate(f);
        result = clamped;
      }
      if (in.result) pending_[n] = result;
    }
    // Written afterwards: derivatives of all invocations read the old values. (SSA: nothing else reads the result.)
    if (in.result)
      for (unsigned n = 0; n < count_; ++n)
        if (mask >> n & 1) values_[in.result][n] = pending_[n];
  }

  float difference(const Source& s, unsigned lane_index, bool vertical) const {
    return count_ == 4 ? flush(flush(lane(s, vertical ? 2 : 1, lane_index)) - flush(lane(s, 0, lane_index))) : 0.0f;
  }
  Lanes componentwise(const Instruction& in, unsigned n) const {
    Lanes r;
    const bool boolean = m_.value(in.result).type == Type::boolean;
    for (unsigned i = 0; i < m_.comps(in.result); ++i) r.bits[i] = result_word(in, n, i, boolean);
    return r;
  }
  uint32_t result_word(const Instruction& in, unsigned n, unsigned i, bool boolean) const {
    if (in.op == Op::mov) return word(in.source[0], n, i);
    if (in.op == Op::sel) return word(in.source[holds(in.source[0], n, i) ? 1 : 2], n, i);
    if (is_typed(in.op) || (in.op >= Op::nmin && in.op <= Op::frexp_exp)) {
      std::array<uint32_t, 4> s{};
      for (unsigned k = 0; k < in.source_count; ++k) s[k] = word(in.source[k], n, i);
      return boolean ? eval_word(in.op, s) & 1 : eval_word(in.op, s);
    }
    if (is_ext(in.op)) return of_lanes(in, n, i);
    if (in.op == Op::ddx || in.op == Op::ddy) return std::bit_cast<uint32_t>(difference(in.source[0], i, in.op == Op::ddy));
    float s[3] = {};
    for (unsigned k = 0; k < in.source_count; ++k) s[k] = lane(in.source[k], n, i);
    const float f = eval_scalar(in.op, s[0], s[1], s[2]);
    return boolean ? f != 0.0f : std::bit_cast<uint32_t>(f);
  }
  Lanes dot(const Instruction& in, unsigned n, unsigned lanes) const {
    return Vec4{eval_dot(fetch(in.source[0], n, lanes).data(), fetch(in.source[1], n, lanes).data(), lanes)};
  }

  /// A number of the environment as a value of the type, and back.
  static uint32_t from_number(float x, Type type) {
    if (!is_typed(type)) return std::bit_cast<uint32_t>(x);
    if (type == Type::boolean) return x != 0.0f;
    return eval_word(type == Type::i32 ? Op::f2i : Op::f2u, {std::bit_cast<uint32_t>(x)});
  }
  static float to_number(uint32_t word, Type type) {
    if (!is_typed(type)) return std::bit_cast<float>(word);
    if (type == Type::boolean) return word ? 1.0f : 0.0f;
    return std::bit_cast<float>(eval_word(type == Type::i32 ? Op::i2f : Op::u2f, {word}));
  }
  Lanes input(const Instruction& in, unsigned n) const {
    Lanes r;
    if (in.index >= env_.inputs[n].size()) return r;
    for (unsigned i = 0; i < m_.comps(in.result); ++i) r.bits[i] = from_number(env_.inputs[n][in.index][i], m_.inputs[in.index].type);
    return r;
  }
  Lanes slot(std::span<const float> data, const Instruction& in, unsigned n) const {
    const uint32_t i = in.offset + (in.source_count ? dynamic_index(in.source[0], n, in.max_index) : 0);
    Vec4 r{};
    for (unsigned k = 0; k < 4; ++k)
      if (size_t(i) * 4 + k < data.size()) r[k] = data[size_t(i) * 4 + k];
    const Type type = m_.value(in.result).type;
    if (!is_typed(type) || !env_.integer) return r;
    UniformBlock row;
    if (in.op == Op::load_uniform) row = m_.uniforms[in.index];
    if (!row.immediate.empty()) return r;
    row.view = type;
    row.push = in.op == Op::load_push;
    Lanes words;
    for (unsigned k = 0; k < 4; ++k) words.bits[k] = from_number(env_.integer(row, i * 4 + k), type);
    return words;
  }

  /// Componentwise operations that read other invocations.
  uint32_t of_lanes(const Instruction& in, unsigned n, unsigned i) const {
    const Source& s = in.source[0];
    const auto of = [&](unsigned k) { return word(s, k < count_ ? k : n, i); };
    const auto difference_of = [&](unsigned low, unsigned high) {
      return count_ == 4 ? std::bit_cast<uint32_t>(flush(flush(std::bit_cast<float>(of(high))) - flush(std::bit_cast<float>(of(low)))))
                         : 0u;
    };
    const auto op = Atomic(in.access().sub);
    const bool floats = m_.value(in.result).type == Type::f32;
    switch (in.op) {
      case Op::ddx_fine: return difference_of(n & 2, n | 1);
      case Op::ddy_fine: return difference_of(n & 1, n | 2);
      case Op::quad_broadcast: return of(in.access().sub);
      case Op::quad_swap: return of(n ^ (in.access().sub + 1u));
      case Op::first_lane: return of(unsigned(std::countr_zero(active_)));
      default: break;
    }
    uint32_t sum = identity(op, floats);
    for (unsigned k = 0; k < count_; ++k) {
      if (!(active_ >> k & 1)) continue;
      if (in.op == Op::scan_exclusive && k == n) break;
      sum = eval_atomic(op, floats, sum, of(k), 0);
      if (in.op == Op::scan && k == n) break;
    }
    return sum;
  }

  std::vector<uint32_t>* memory_of(const Instruction& in, unsigned n) {
    if (in.op == Op::load_shared || in.op == Op::store_shared || in.op == Op::atomic_shared) return &shared_;
    if (in.op == Op::load_scratch || in.op == Op::store_scratch) return &scratch_[n];
    const Access a = in.access();
    uint32_t element = a.element;
    if (in.index_source() >= 0)
      element += word(in.source[unsigned(in.index_source())], n, 0) / std::max(m_.resources[in.index].layout.stride, 1u);
    if (in.index >= out_.buffers.size() || element >= out_.buffers[in.index].size()) return nullptr;
    return &out_.buffers[in.index][element];
  }
  Lanes memory(const Instruction& in, unsigned n) {
    Lanes r;
    const Access a = in.access();
    std::vector<uint32_t> pushed;
    std::vector<uint32_t>* words = nullptr;
    if (in.op == Op::load_pushed) {
      for (float f : env_.push) pushed.push_back(std::bit_cast<uint32_t>(f));
      words = &pushed;
    } else {
      words = memory_of(in, n);
    }
    if (!words) return r;
    if (in.op == Op::buffer_size) return Lanes(std::array{uint32_t(words->size() * 4), 0u, 0u, 0u});
    EvalMemory m(*words);
    const uint32_t at = word(in.source[0], n, 0) + in.offset;
    switch (in.op) {
      case Op::store_buffer:
      case Op::store_shared:
      case Op::store_scratch:
        for (unsigned i = 0; i < 4; ++i)
          if (in.mask >> i & 1) m.store(at + 4 * i, a.width, word(in.source[1], n, i));
        return r;
      case Op::atomic_buffer:
      case Op::atomic_shared: {
        const bool compares = a.sub == uint8_t(Atomic::compare_exchange);
        if (m_.comps(in.result) == 2) {
          const auto number = [&](unsigned i) { return uint64_t{word(in.source[i], n, 1)} << 32 | word(in.source[i], n, 0); };
          const uint64_t old = m.atomic_wide(at, Atomic(a.sub), number(1), compares ? number(2) : 0);
          r.bits[0] = uint32_t(old), r.bits[1] = uint32_t(old >> 32);
          return r;
        }
        r.bits[0] = m.atomic(at, Atomic(a.sub), m_.value(in.result).type == Type::f32, word(in.source[1], n, 0),
                             compares ? word(in.source[2], n, 0) : 0);
        return r;
      }
      default:
        for (unsigned i = 0; i < m_.comps(in.result); ++i) r.bits[i] = m.load(at + 4 * i, a.width, a.flags & Access::kSigned);
        return r;
    }
  }
  /// Operations of chips with memory that are not componentwise.
  Lanes extended(const Instruction& in, unsigned n) {
    switch (in.op) {
      case Op::interpolate: return input(in, n);
      case Op::is_helper: return Lanes(std::array{uint32_t{out_.invocations[n].killed}, 0u, 0u, 0u});
      case Op::clock: return Lanes(std::array{++clock_, 0u, 0u, 0u});
      case Op::ballot: {
        uint32_t mask = 0;
        for (unsigned k = 0; k < count_; ++k)
          if (active_ >> k & 1) mask |= uint32_t{holds(in.source[0], k, 0)} << k;
        return Lanes(std::array{mask, 0u, 0u, 0u});
      }
      case Op::shuffle: {
        const uint32_t from = word(in.source[1], n, 0);
        return words(in.source[0], from < count_ ? from : n, m_.comps(in.result));
      }
      case Op::barrier:
      case Op::fence: return {};
      default: break;
    }
    if (in.op < Op::load_image) return memory(in, n);
    ImageRequest r{.instruction = &in};
    const unsigned given = in.source_count - unsigned(in.index_source() >= 0);
    if (in.index_source() >= 0) r.index = word(in.source[given], n, 0);
    std::array<uint32_t, 4>* to[] = {&r.coord, &r.two, &r.three};
    for (unsigned i = 0; i < given; ++i) *to[i] = words(in.source[i], n, source_lanes(m_, in, i)).bits;
    return env_.image ? Lanes(env_.image(r)) : Lanes{};
  }

  Lanes special(const Instruction& in, unsigned n) {
    if (is_ext(in.op)) return extended(in, n);
    if (packs(in.op)) return Lanes(std::array{eval_pack(in.op, words(in.source[0], n, source_lanes(m_, in, 0)).bits), 0u, 0u, 0u});
    if (unpacks(in.op)) return Lanes(eval_unpack(in.op, word(in.source[0], n, 0)));
    switch (in.op) {
      case Op::constant: return in.constant;
      case Op::vec: {
        Lanes r;
        for (unsigned i = 0; i < in.source_count; ++i) r.bits[i] = word(in.source[i], n, 0);
        return r;
      }
      case Op::load_input: return input(in, n);
      case Op::load_uniform: {
        const auto& immediate = m_.uniforms[in.index].immediate;
        if (!immediate.empty()) return slot(immediate, in, n);
        return in.index < env_.uniforms.size() ? slot(env_.uniforms[in.index], in, n) : Lanes{};
      }
      case Op::load_push: return slot(env_.push, in, n);
      case Op::load_param: return env_.parameter ? Lanes(env_.parameter(in.parameter, in.index, in.offset)) : Lanes{};
      case Op::tex: return texel(in, n);
      case Op::kill_if: out_.invocations[n].killed |= holds(in.source[0], n, 0); return {};
      case Op::store_output: {
        Vec4& o = out_.invocations[n].outputs[in.index];
        for (unsigned i = 0; i < 4; ++i)
          if (in.mask >> i & 1) o[i] = to_number(word(in.source[0], n, i), m_.outputs[in.index].type);
        out_.invocations[n].outputs_written[in.index] |= in.mask;
        return {};
      }
      case Op::load_temp:
      case Op::store_temp: {
        const bool store = in.op == Op::store_temp;
        const bool dynamic = in.source_count > (store ? 1 : 0);
        const uint32_t i = in.offset + (dynamic ? dynamic_index(in.source[store], n, in.max_index) : 0);
        Lanes& element = temps_[n][in.index][i];
        if (!store) return element;
        for (unsigned k = 0; k < 4; ++k)
          if (in.mask >> k & 1) element.bits[k] = word(in.source[0], n, k);
        return {};
      }
      default: return {};
    }
  }

  Vec4 projected(const Instruction& in, unsigned n, unsigned lanes) const {
    Vec4 v = fetch(in.source[0], n, lanes);
    if (in.tex_kind == TexKind::proj)
      for (float& f : v) f = eval_scalar(Op::mul, f, eval_scalar(Op::rcp, lane(in.source[1], n, 0), 0, 0), 0);
    return v;
  }
  Vec4 texel(const Instruction& in, unsigned n) const {
    TexelRequest r{.texture = in.index, .kind = in.tex_kind, .dref = in.dref};
    const unsigned lanes = coord_lanes(m_.textures[in.index].dim);
    r.coord = projected(in, n, lanes);
    if (in.tex_kind == TexKind::grad) {
      r.dx = fetch(in.source[1], n, lanes);
      r.dy = fetch(in.source[2], n, lanes);
    } else if (count_ == 4) {
      for (unsigned i = 0; i < lanes; ++i) {
        r.dx[i] = projected(in, 1, lanes)[i] - projected(in, 0, lanes)[i];
        r.dy[i] = projected(in, 2, lanes)[i] - projected(in, 0, lanes)[i];
      }
    }
    if (in.tex_kind == TexKind::bias || in.tex_kind == TexKind::lod || in.tex_kind == TexKind::fetch) r.q = lane(in.source[1], n, 0);
    if (in.dref) r.reference = lane(in.source[in.source_count - 1], n, 0);
    return env_.texel ? env_.texel(r) : Vec4{};
  }

  const Module& m_;
  const Environment& env_;
  unsigned count_;
  std::vector<std::array<Lanes, 4>> values_;
  std::array<std::vector<std::vector<Lanes>>, 4> temps_;
  std::array<Lanes, 4> pending_{};
  std::array<std::vector<uint32_t>, 4> scratch_;
  uint32_t clock_ = 0;
  std::vector<uint32_t> shared_;
  Mask active_ = 0;
  uint64_t steps_ = 0;
  Evaluation out_;
};

}  // namespace

Evaluation evaluate(const Module& module, const Environment& environment) { return Interpreter(module, environment).run(); }

}  // namespace pumice::compiler::ir
