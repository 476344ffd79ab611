// SPDX-License-Identifier: MIT
#include "icd/packet_dump.h"

#include <cstdio>

#include "hw/regs_r500.h"

namespace pumice::icd {

void dump_packets(uint32_t address, std::span<const uint32_t> d) {
  std::fprintf(stderr, "pumice: stream at 0x%08X, %zu dwords\n", address, d.size());
  for (size_t at = 0; at < d.size();) {
    const regs::PM4_TYPE3_HEADER h{d[at]};
    const size_t payload = h.TYPE() == 2 ? 0 : h.COUNT() + 1;
    if (at + payload >= d.size() && payload) {
      std::fprintf(stderr, "  %05zX: cut short: header 0x%08X\n", at * 4, d[at]);
      return;
    }
    if (h.TYPE() == 0) {
      const regs::PM4_TYPE0_HEADER r{d[at]};
      std::fprintf(stderr, "  %05zX: reg 0x%04X%s", at * 4, r.BASE_INDEX() * 4, r.ONE_REG_WR() ? " (port)" : "");
    } else if (h.TYPE() == 3) {
      std::fprintf(stderr, "  %05zX: op 0x%02X", at * 4, h.IT_OPCODE());
    } else {
      std::fprintf(stderr, "  %05zX: type %u", at * 4, h.TYPE());
    }
    for (size_t i = 0; i < payload; ++i) std::fprintf(stderr, "%s%08X", i && i % 12 == 0 ? "\n          " : " ", d[at + 1 + i]);
    std::fprintf(stderr, "\n");
    at += 1 + payload;
  }
}

}  // namespace pumice::icd
