// SPDX-License-Identifier: MIT
/// Two recordings compared: the first packet, the first draw's registers, programs and constants, the first pixel, and the first line of
/// that pixel's life that differ. Addresses are normalised: the n-th different address of one recording is the n-th of the other.
#pragma once
#include <string>
#include <vector>

#include "hw/types.h"

namespace pumice::hw::trace {

struct Difference {
  bool failed = false;  ///< a recording cannot be played: `lines` says why
  bool found = false;
  std::vector<std::string> lines;  ///< what differs, or that nothing does
};

/// `config` is used for executor, threads, cpu and on_report. What ends first is compared as far as it goes, and its end is a difference.
Difference difference(const std::string& a, const std::string& b, const Execution& config);

}  // namespace pumice::hw::trace
