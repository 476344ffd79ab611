// SPDX-License-Identifier: MIT
/// Names of generated routines for perf (/tmp/perf-PID.map) and gdb (its JIT interface).
#pragma once
#include <cstddef>
#include <memory>
#include <string>

namespace pumice::hw::fast::lane {

void tell_perf(const void* address, size_t size, const std::string& name);

/// The symbol exists for gdb while the object does.
class GdbSymbol {
 public:
  GdbSymbol(const void* address, size_t size, const std::string& name);
  ~GdbSymbol();
  GdbSymbol(const GdbSymbol&) = delete;
  GdbSymbol& operator=(const GdbSymbol&) = delete;

 private:
  struct Entry;
  std::unique_ptr<Entry> entry_;
};

}  // namespace pumice::hw::fast::lane
