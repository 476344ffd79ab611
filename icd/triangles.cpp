// SPDX-License-Identifier: MIT
#include "icd/triangles.h"

#include <cstring>
#include <utility>

#include "icd/radeon.h"

namespace pumice::icd {

std::vector<uint32_t> triangle_list(VkPrimitiveTopology topology, uint32_t count) {
  std::vector<uint32_t> out;
  const bool list = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const uint32_t triangles = list ? count / 3 : count < 3 ? 0 : count - 2;
  out.reserve(size_t{triangles} * 3);
  for (uint32_t t = 0; t < triangles; ++t) {
    const uint32_t odd = t & 1;
    if (list)
      out.insert(out.end(), {3 * t, 3 * t + 1, 3 * t + 2});
    else if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)
      out.insert(out.end(), {t, t + 1 + odd, t + 2 - odd});
    else
      out.insert(out.end(), {t + 1, t + 2, 0});
  }
  return out;
}

void spread(RadeonDevice& device, Cs& cs, VertexArray& a, std::span<const uint32_t> vertices) {
  const uint32_t corner = std::exchange(a.corner, uint8_t{0});
  if (a.per_instance || !a.stride) return;
  const uint32_t bytes = a.dwords * 4;
  const Cs::Data data = cs.data(uint64_t{vertices.size()} * bytes);
  for (size_t i = 0; i < vertices.size(); ++i) {
    const uint32_t v = vertices[i / 3 * 3 + (i + corner) % 3];
    if (const auto number = static_cast<float>(v); a.identity)
      std::memcpy(data.host + i * bytes, &number, bytes);
    else
      std::memcpy(data.host + i * bytes, device.host(a.address) + uint64_t{v} * a.stride, bytes);
  }
  a.address = data.address;
  a.stride = bytes;
  a.last = static_cast<uint32_t>(vertices.size()) - 1;
  a.identity = false;
}

}  // namespace pumice::icd
