// SPDX-License-Identifier: MIT
/// Compiled programs by source key, in memory and as the bytes of vkGetPipelineCacheData. Thread safe. Bytes are decoded at first use.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "compiler/driver/serialize.h"

namespace pumice::icd {

class ProgramCache {
 public:
  /// VkPipelineCacheHeaderVersionOne: whose data it is.
  using Header = std::array<uint8_t, 32>;
  using Key = compiler::Digest;
  using ProgramPtr = std::shared_ptr<const compiler::Program>;

  /// Of programs for a chip. With more than `most` the one not used for longest goes.
  explicit ProgramCache(const compiler::ChipLimits& chip, size_t most = SIZE_MAX) : chip_(chip), most_(most) {}

  /// Null when there is none (or its bytes turn out to be no program).
  ProgramPtr find(const Key& key);
  void add(const Key& key, ProgramPtr program);
  size_t size() const;

  /// Takes what save() wrote under the same header. Null, or why nothing was taken: foreign, damaged or cut-off data is ignored whole.
  const char* load(const Header& header, std::span<const uint8_t> data);
  /// Vulkan's two calls: without `out` only the size. Else as many whole programs as fit; false when not all did.
  bool save(const Header& header, size_t& size, uint8_t* out);
  void merge(const ProgramCache& from);

 private:
  using Bytes = std::shared_ptr<const std::vector<uint8_t>>;
  struct Entry {  ///< one of the two at least
    ProgramPtr program;
    Bytes bytes;
    uint64_t used = 0;  ///< clock_ of the last use
  };
  using Entries = std::map<Key, Entry>;
  void insert(const Key& key, Entry entry);  ///< with mutex_ held

  const compiler::ChipLimits& chip_;
  const size_t most_;
  mutable std::mutex mutex_;
  Entries entries_;
  uint64_t clock_ = 0;
};

}  // namespace pumice::icd
