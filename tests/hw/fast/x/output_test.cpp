// SPDX-License-Identifier: MIT
/// Colour output in the lane IR against hw/radeon/ref/xb, bit for bit, on every back end: random targets. Which ones: tests/fuzz.h.
#include "hw/radeon/jit/x/output.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "hw/radeon/ref/xb/write.h"
#include "tests/fuzz.h"
#include "tests/hw/fast/lane/backends.h"
#include "tests/hw/fast/x/values.h"

namespace pumice::hw::fast::extended {
namespace {

using formats::Class;
using formats::Info;

constexpr uint64_t kBase = 0x1'2000'0000;
constexpr uint32_t kPitch = 64 + 16, kBytes = 4 * kPitch;
constexpr uint32_t column(uint32_t lane) { return lane / 4 % 2 * 2 + lane % 2; }
constexpr uint32_t line(uint32_t lane) { return lane / 8 * 2 + lane % 4 / 2; }

struct alignas(64) Args {
  lane::BufferView target;
  Lanes source[4], second[4];
  float constant[4];
  uint32_t mask = 0;
  alignas(64) uint8_t texels[kBytes];
};

lane::Program program_of(const output::Key& k, uint32_t bytes, format::Layout layout) {
  lane::Builder b;
  std::array<uint32_t, kLanes> places;
  for (uint32_t l = 0; l < kLanes; ++l) places[l] = line(l) * kPitch + column(l) * bytes;
  const auto color = [&](size_t at) {
    format::Color c;
    for (uint32_t i = 0; i < 4; ++i) c[i] = b.lanes(lane::kArgs, uint32_t(at + i * sizeof(Lanes)));
    return c;
  };
  format::Color constant, second;
  // What the key says it does not read is not there.
  if (output::reads_constant(k))
    for (uint32_t i = 0; i < 4; ++i) constant[i] = b.splat(lane::kArgs, uint32_t(offsetof(Args, constant) + 4 * i));
  if (output::reads_second(k)) second = color(offsetof(Args, second));
  output::write_target(b, k, b.buffer(lane::kArgs, offsetof(Args, target)), b.table(places), b.mask_load(lane::kArgs, offsetof(Args, mask)),
                       color(offsetof(Args, source)), second, constant, layout);
  lane::remove_dead(b.program());
  EXPECT_EQ(lane::validate(b.program()), "");
  return std::move(b.program());
}

xb::Target random_target(std::mt19937& random) {
  xb::Target t;
  t.enabled = true;
  // Often what is common.
  constexpr uint8_t kCommon[] = {formats::R8G8B8A8_UNORM, formats::B8G8R8A8_UNORM,      formats::B8G8R8A8_SRGB,
                                 formats::R8G8B8A8_SRGB,  formats::R16G16B16A16_SFLOAT, formats::R32G32B32A32_SFLOAT};
  do t.image.format = uint8_t(random() % 3 ? random() % formats::kFormats : kCommon[random() % std::size(kCommon)]);
  while (!formats::is_known(t.image.format) || formats::info(t.image.format).compressed());
  const Info& f = formats::info(t.image.format);
  t.image.base = kBase, t.image.dim = xt::Dim::d2_array, t.image.width = t.image.height = 4, t.image.pitch = kPitch;
  t.write_mask = uint8_t(random() % 2 ? 15 : random() % 16);
  const uint32_t how = random() % 8;
  t.blend = how < 5 && !f.is_integer();
  t.logic = how == 5 && f.cls != Class::sfloat && f.cls != Class::ufloat && f.cls != Class::srgb;
  t.logic_op = uint8_t(random() % 16);
  for (xb::BlendEquation* e : {&t.color, &t.alpha})
    *e = {uint8_t(random() % 4 ? random() % 19 : random() % 2), uint8_t(random() % 4 ? random() % 19 : random() % 2),
          uint8_t(random() % 2 ? 0 : random() % 5)};
  for (float& v : t.constant) v = random() % 4 ? float(random() % 1001) / 1000 : std::bit_cast<float>(any_number(random));
  return t;
}

TEST(XOutput, RandomTargetsLikeTheReference) {
  const auto memory = Memory::create(40);
  ASSERT_TRUE(memory->map(kBase, 4096));
  const FuzzRange seeds = fuzz_range(4000);
  for (uint32_t seed = seeds.first; seed < seeds.end(); ++seed) {
    std::mt19937 random(seed);
    const xb::Target t = random_target(random);
    const Info& f = formats::info(t.image.format);
    const output::Key k = output::key_of(t);
    const lane::Backends backends(program_of(k, f.bytes, random() % 2 ? format::Layout::block : format::Layout::any));
    for (uint32_t round = 0; round < 8; ++round) {
      Args a;
      for (auto* color : {a.source, a.second})
        for (uint32_t c = 0; c < 4; ++c)
          for (float& v : color[c].v)
            v = round % 2 ? std::bit_cast<float>(any_number(random)) : float(int32_t(random() % 1400) - 200) / 1000;
      std::memcpy(a.constant, t.constant.data(), sizeof a.constant);
      a.mask = round ? 0xFFFF : random() & 0xFFFF;
      a.target = {a.texels, 3 * kPitch + 4u * f.bytes};
      uint8_t stored[kBytes];
      for (uint8_t& byte : stored) byte = uint8_t(random());
      memory->write(kBase, stored, sizeof stored);
      for (uint32_t l = 0; l < kLanes; ++l) {
        if (!(a.mask >> l & 1u)) continue;
        xt::Bits4 source, second;
        for (uint32_t c = 0; c < 4; ++c)
          source[c] = std::bit_cast<uint32_t>(a.source[c].v[l]), second[c] = std::bit_cast<uint32_t>(a.second[c].v[l]);
        xb::write(*memory, t, {.x = column(l), .y = line(l)}, source, second);
      }
      const auto* expected = reinterpret_cast<const uint8_t*>(memory->host_pointer(kBase));
      for (size_t i = 0; i < backends.count(); ++i) {
        std::memcpy(a.texels, stored, sizeof stored);
        backends.run(i, &a);
        for (uint32_t n = 0; n < kBytes; ++n)
          ASSERT_EQ(a.texels[n], expected[n]) << rerun(seed) << f.name.c_str() << " on " << backends.name(i) << ", byte " << n << ": blend "
                                              << t.blend << " color " << +t.color.source << " " << +t.color.destination << " "
                                              << +t.color.operation << " alpha " << +t.alpha.source << " " << +t.alpha.destination << " "
                                              << +t.alpha.operation << " logic " << t.logic << " " << +t.logic_op << " mask "
                                              << +t.write_mask;
      }
    }
  }
}

}  // namespace
}  // namespace pumice::hw::fast::extended
