// SPDX-License-Identifier: MIT
/// Text for memory faults.
#pragma once
#include <string>

#include "hw/radeon/cp/reporter.h"
#include "hw/radeon/memory/memory.h"
#include "hw/radeon/regfile/decode.h"

namespace pumice::hw {

/// Takes the fault record and reports it with the current position in the command stream (reporter.where).
inline void report_fault(Memory& memory, Reporter& reporter) {
  const Memory::Fault fault = memory.take_fault();
  if (fault.count == 0) return;
  reporter.report(ReportKind::vm_fault, fault.is_write ? "write to memory that is not backed" : "read of memory that is not backed",
                  ": " + std::to_string(fault.size) + " bytes at " + decode::hex(fault.address) +
                      (fault.count > 1 ? " and " + std::to_string(fault.count - 1) + " more accesses" : ""));
}

}  // namespace pumice::hw
