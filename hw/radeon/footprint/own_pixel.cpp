// SPDX-License-Identifier: MIT
/// See own_pixel.h: forward over the slots, what components of temps hold. Where a jump may arrive nothing is known.
#include "hw/radeon/footprint/own_pixel.h"

#include <array>
#include <map>

namespace pumice::hw::footprint {

using namespace isa::us_r500;

namespace {

enum class Value : uint8_t { any, coord_x, coord_y, pixel_x, pixel_y };
constexpr uint32_t kFragmentCoordinate = 0;  ///< number of SYS

class Walk {
 public:
  explicit Walk(std::span<const Instruction> code) : code_(code), own_(code.size()), arrives_(code.size() + 1) {}

  std::vector<bool> run() {
    for (const Instruction& x : code_)
      if (x.type == Type::FLOW_CONTROL && x.flow.target < arrives_.size()) arrives_[x.flow.target] = true;
    for (size_t pc = 0; pc < code_.size(); ++pc) {
      const Instruction& x = code_[pc];
      if (arrives_[pc] || x.type == Type::FLOW_CONTROL) values_.clear();
      if (x.type == Type::FLOW_CONTROL) continue;
      if (x.type == Type::TEXTURE)
        texture(x, pc);
      else
        arithmetic(x);
    }
    return std::move(own_);
  }

 private:
  static uint32_t cell(uint32_t temp, uint32_t channel) { return temp * 4 + channel; }
  Value at(uint32_t cell) const {
    const auto found = values_.find(cell);
    return found == values_.end() ? Value::any : found->second;
  }
  static const Unit& unit_of(const Instruction& x, uint32_t channel) { return channel < 3 ? x.rgb : x.alpha; }

  /// The channels that the slot writes get new values.
  void write(const Instruction& x, uint32_t temp, uint32_t channel, bool relative, Value value) {
    const Unit& unit = unit_of(x, channel);
    if (relative && unit.write) return values_.clear();
    if (!(unit.write >> (channel < 3 ? channel : 0) & 1u)) return;
    const bool predicated = (channel < 3 ? x.rgb_predicate : x.alpha_predicate) != 0;
    values_[cell(temp, channel)] = predicated ? Value::any : value;
  }

  void texture(const Instruction& x, size_t pc) {
    const Texture& t = x.tex;
    const bool extended = t.inst == TexOp::X;
    if (extended && t.x.op == XOp::FETCH && !t.x.offset && !t.source.relative)
      own_[pc] =
          at(cell(t.source.temp, t.source.swizzle[0])) == Value::pixel_x && at(cell(t.source.temp, t.source.swizzle[1])) == Value::pixel_y;
    const bool coordinate = extended && t.x.op == XOp::SYS && t.x.immediate == kFragmentCoordinate;
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t from = t.dest.swizzle[c];
      write(x, t.dest.temp, c, t.dest.relative,
            coordinate && from == 0   ? Value::coord_x
            : coordinate && from == 1 ? Value::coord_y
                                      : Value::any);
    }
  }

  void arithmetic(const Instruction& x) {
    std::array<Value, 4> made{};
    for (uint32_t c = 0; c < 4; ++c) made[c] = result(x, c);
    for (uint32_t c = 0; c < 4; ++c) write(x, unit_of(x, c).dest, c, unit_of(x, c).dest_relative, made[c]);
  }

  Value result(const Instruction& x, uint32_t channel) const {
    const Unit& unit = unit_of(x, channel);
    if (unit.op != AluOp::XI || unit.clamp || (unit.xi() != XiOp::F2I && unit.xi() != XiOp::MOV)) return Value::any;
    const Operand& o = unit.operand[0];
    const uint32_t swizzle = o.swizzle[channel < 3 ? channel : 0];
    if (o.modifier || o.select > 2 || swizzle > 3) return Value::any;
    const Address& from = (swizzle == 3 ? x.alpha : x.rgb).address[o.select];
    if (from.file != Address::File::temp || from.relative) return Value::any;
    const Value v = at(cell(from.value, swizzle));
    if (unit.xi() == XiOp::MOV) return v;
    return v == Value::coord_x ? Value::pixel_x : v == Value::coord_y ? Value::pixel_y : Value::any;
  }

  const std::span<const Instruction> code_;
  std::vector<bool> own_, arrives_;
  std::map<uint32_t, Value> values_;  ///< by cell; what is not here is not known
};

}  // namespace

std::vector<bool> own_pixel_fetches(std::span<const Instruction> code) {
  bool fetches = false;
  for (const Instruction& x : code) fetches |= x.type == Type::TEXTURE && x.tex.inst == TexOp::X && x.tex.x.op == XOp::FETCH;
  return fetches ? Walk(code).run() : std::vector<bool>(code.size());
}

}  // namespace pumice::hw::footprint
