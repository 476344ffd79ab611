// SPDX-License-Identifier: MIT
/// A whole chip for register-level tests: memory, a ring, packets; no ICD. Everything below goes through hw/radeon/gpu.h only.
#pragma once
#include <array>
#include <bit>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hw/db/regs_r500.h"
#include "hw/radeon/gpu.h"

namespace pumice::hw::test {

inline uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

/// Packets under construction.
class Packets {
 public:
  std::vector<uint32_t> words;

  /// Type 0: consecutive registers from `offset`.
  void write(uint32_t offset, std::span<const uint32_t> values);
  /// Type 0 with ONE_REG_WR: all values into one port.
  void write_port(uint32_t offset, std::span<const uint32_t> values);
  template <class R>
  void set(R value, uint32_t i = 0) {
    const uint32_t raw = value.raw;
    write(R::at(i), {&raw, 1});
  }
  template <class R>
  void set_float(float value, uint32_t i = 0) {
    const uint32_t raw = bits(value);
    write(R::at(i), {&raw, 1});
  }
  /// Type 3.
  void command(pm4::Op op, std::span<const uint32_t> payload);
  void append(const Packets& other) { words.insert(words.end(), other.words.begin(), other.words.end()); }
};

/// The chip that tests are for that do not name one: PUMICE_CHIP, else r500. Every chip with the blocks of r500 must do.
Profile tested_profile();

class Chip {
 public:
  explicit Chip(Profile profile = tested_profile(), uint64_t instruction_limit = 1ull << 30);
  /// As `config` says, whatever the environment; on_report and on_interrupt are the chip's own.
  explicit Chip(GpuConfig config);
  ~Chip();

  /// Puts the packets into an indirect buffer, runs it and waits for the fence behind it. False when the chip hung instead.
  bool run(const Packets& packets);
  /// The same for streams that may overwrite the fence's registers: waits until the ring is empty. False also when the chip waits for ever
  /// (then it needs a reset).
  bool run_to_the_end(const Packets& packets);
  /// gpu->soft_reset(), then the ring as the constructor made it. Memory stays.
  void reset();
  std::vector<Report> reports();

  /// `dwords` of zeroed memory at a fresh address, 4 KiB aligned.
  uint32_t allocate(size_t dwords);
  uint32_t* memory(uint32_t address) { return reinterpret_cast<uint32_t*>(gpu->host_pointer(address)); }

  std::unique_ptr<Gpu> gpu;

 private:
  void set_up_ring();
  void ring_write(std::span<const uint32_t> words);
  void submit(const Packets& packets);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Report> reports_;
  uint64_t interrupts_ = 0;
  uint32_t next_ = 0x100000;
  uint32_t ring_ = 0, scratch_ = 0, buffer_ = 0;
  size_t buffer_dwords_ = 0;
  uint32_t wptr_ = 0, sequence_ = 0;
};

/// A picture of the chip: a linear ARGB8888 colour surface and a depth surface.
struct Target {
  uint32_t width = 64, height = 64;
  uint32_t color = 0, depth = 0;
};
Target make_target(Chip& chip, uint32_t width = 64, uint32_t height = 64);

/// One vertex: position as the vertex program gets it (clip space) and one attribute (texcoord set 0).
struct TestVertex {
  std::array<float, 4> position, attribute;
};

/// Packets that put every block into the plainest state: pass-through vertex program (input 0 -> position, input 1 -> texcoord 0),
/// fragment program that writes texcoord 0 as colour, no depth test, no blending, scissor = whole target, viewport = whole target.
Packets plain_state(const Target& target);
/// PRIM_WALK 3 draw with the vertices in the packet.
Packets draw(uint32_t prim_type, std::span<const TestVertex> vertices);
/// Two triangles over the whole target with the same attribute everywhere.
Packets full_quad(const std::array<float, 4>& attribute, float z = 0.5f);
/// One attribute for each of the corners (left, top), (right, top), (right, bottom), (left, bottom).
Packets gradient_quad(const std::array<std::array<float, 4>, 4>& corner, float z = 0.5f);
/// Colour target 0 becomes one of ARGB32323232 pixels of r, g, b, a.
Packets float_target(uint32_t address, uint32_t pitch);
/// `values` into the fragment (pvs: vertex) program's constants from `first`.
Packets us_constants(uint32_t first, std::span<const std::array<uint32_t, 4>> values);
inline Packets us_constants(uint32_t first, std::initializer_list<std::array<uint32_t, 4>> values) {
  return us_constants(first, std::span(values.begin(), values.size()));
}
Packets pvs_constants(uint32_t first, std::span<const std::array<uint32_t, 4>> values);
inline Packets pvs_constants(uint32_t first, std::initializer_list<std::array<uint32_t, 4>> values) {
  return pvs_constants(first, std::span(values.begin(), values.size()));
}

/// Many small cases in one indirect buffer: each draws one FP32 pixel of a sheet through the scissor, so that bits can be compared.
class Sheet {
 public:
  static constexpr uint32_t kWidth = 32, kHeight = 128, kCases = kWidth * kHeight;
  explicit Sheet(Chip& chip);
  Packets packets;  ///< begins with the plain state
  /// Appends `state` and `draw` (by default a full quad); returns the number of the case.
  uint32_t add(const Packets& state, const Packets& draw);
  uint32_t add(const Packets& state) { return add(state, full_quad({0, 0, 0, 1})); }
  /// Runs and starts again with empty packets. False when the chip hung.
  bool run();
  std::array<uint32_t, 4> bits(uint32_t number) const;
  float value(uint32_t number, uint32_t channel) const { return std::bit_cast<float>(bits(number)[channel]); }
  const Target& target() const { return target_; }

 private:
  Chip& chip_;
  Target target_;
  uint32_t count_ = 0;
};

/// Six-dword slots into the US store from slot 0, with the code window set to them.
Packets fragment_program(std::span<const std::array<uint32_t, 6>> slots, uint32_t temps);
inline Packets fragment_program(std::initializer_list<std::array<uint32_t, 6>> slots, uint32_t temps) {
  return fragment_program(std::span(slots.begin(), slots.size()), temps);
}
Packets vertex_program(std::span<const std::array<uint32_t, 4>> instructions);
inline Packets vertex_program(std::initializer_list<std::array<uint32_t, 4>> instructions) {
  return vertex_program(std::span(instructions.begin(), instructions.size()));
}
/// MAX(temp, temp) with OMOD off -> target 0, type OUT, last instruction of a program.
std::array<uint32_t, 6> out_slot(uint32_t temp);
/// ADD destination, source, 0 on the vector engine.
std::array<uint32_t, 4> move_instruction(uint32_t dst_type, uint32_t dst, uint32_t src_type, uint32_t src);

}  // namespace pumice::hw::test
