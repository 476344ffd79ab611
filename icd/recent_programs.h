// SPDX-License-Identifier: MIT
/// SPIR-V as modules and pipelines share it, and what a device remembers of its last compilations: the same pipeline made again is not
/// compiled again, whether the application has a VkPipelineCache or not. Compares sources themselves: a digest that names them on disk
/// costs as much as the first 5 % of compiling them.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "compiler/driver/serialize.h"

namespace pumice::icd {

class ShaderCode {
 public:
  explicit ShaderCode(std::span<const uint32_t> code);
  ShaderCode(std::span<const uint32_t> code, uint64_t its_hash) : words(code.begin(), code.end()), hash(its_hash) {}
  const std::vector<uint32_t> words;
  const uint64_t hash;  ///< for tables in memory
  /// Made at the first call.
  const compiler::Digest& digest() const;

 private:
  mutable std::once_flag once_;
  mutable compiler::Digest digest_;
};

/// Thread safe.
class RecentPrograms {
 public:
  using ProgramPtr = std::shared_ptr<const compiler::Program>;
  using CodePtr = std::shared_ptr<const ShaderCode>;
  struct Source {
    /// `fragment` may be null. `rest` is compiler::source_bytes().
    Source(CodePtr v, CodePtr f, std::vector<uint8_t> r);
    CodePtr vertex, fragment;
    std::vector<uint8_t> rest;
    uint64_t hash;
    bool operator==(const Source& o) const;
    size_t bytes() const;
  };

  /// With more than that the program not used for longest goes.
  RecentPrograms(size_t most_programs, size_t most_bytes) : most_programs_(most_programs), most_bytes_(most_bytes) {}
  ProgramPtr find(const Source& source);
  void add(Source source, ProgramPtr program);

 private:
  struct Entry {
    Source source;
    ProgramPtr program;
  };
  using Entries = std::list<Entry>;
  void drop(Entries::iterator entry);

  const size_t most_programs_, most_bytes_;
  std::mutex mutex_;
  Entries entries_;  ///< the last used first
  std::unordered_map<uint64_t, Entries::iterator> by_hash_;
  size_t bytes_ = 0;  ///< of the sources
};

}  // namespace pumice::icd
