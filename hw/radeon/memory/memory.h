// SPDX-License-Identifier: MIT
/// The chip's address space: one reserved, sparse host range as wide as the chip's addresses (4 GiB of strict chips). Translation is base +
/// address, always bounds-checked against the backed pages. Unbacked addresses, and those beyond the space, read as zero, drop
/// writes and are counted as faults.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "common/zero_pages.h"
#include "hw/types.h"

namespace pumice::hw {

class Memory {
 public:
  /// A space of 2^address_bits bytes. Null when the width is invalid (not 18..kMaxAddressBits) or the host cannot reserve that much.
  static std::unique_ptr<Memory> create(uint32_t address_bits = 32);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Size of the address space in bytes.
  uint64_t space() const { return space_; }

  /// Changes with every map() and unmap(): cached results about backed ranges are valid as long as it stays the same.
  uint64_t map_version() const { return map_version_.load(std::memory_order_acquire); }

  /// The range must consist of multiples of kPageBytes inside the space, without page 0 and mapped pages; else false and nothing changes.
  bool map(GpuAddress address, uint64_t size) { return back(address, size, -1); }
  /// As map(), but the pages are those of the file `fd` from its beginning, shared with all who map it, so its content is kept. The
  /// descriptor may be closed afterwards; the file must not become shorter than `size`.
  bool map_file(GpuAddress address, uint64_t size, int fd) { return fd >= 0 && back(address, size, fd); }
  void unmap(GpuAddress address, uint64_t size);
  std::byte* host_pointer(GpuAddress address) { return base_ + address; }

  /// True when every byte of [address, address+size) is backed. size 0 is always backed.
  bool backed(uint64_t address, uint64_t size) const {
    if (size == 0) return true;
    if (address >= space_ || size > space_ - address) return false;
    const uint64_t first = address >> 12, last = (address + size - 1) >> 12;
    for (uint64_t word = first / 64; word <= last / 64; ++word) {
      uint64_t wanted = ~uint64_t{0};
      if (word == first / 64) wanted &= wanted << first % 64;
      if (word == last / 64) wanted &= ~uint64_t{0} >> (63 - last % 64);
      if ((pages(word).load(std::memory_order_acquire) & wanted) != wanted) return false;
    }
    return true;
  }

  /// The first address from..end-1 whose page is backed, or is not; `end` when there is none.
  uint64_t next_page(uint64_t from, uint64_t end, bool backed) const;

  struct Run {
    uint64_t begin = 0, end = 0;
  };
  /// The largest range without gaps in 0..end-1.
  Run largest_run(uint64_t end) const;
  /// A bit for each page from address 0 on, ascending from the lowest bit of each byte: is it backed. Others change them.
  const void* page_bits() const { return &pages_backed_[0]; }

  /// Reads/writes `size` bytes; false (and zeroes read, nothing written) when any byte is not backed. Of no bytes the pointer may be null.
  bool read(uint64_t address, void* out, size_t size) const {
    if (!backed(address, size)) {
      std::memset(out, 0, size);
      return note_fault(address, size, false);
    }
    if (size) std::memcpy(out, base_ + address, size);
    return true;
  }
  bool write(uint64_t address, const void* in, size_t size) {
    if (!backed(address, size)) return note_fault(address, size, true);
    if (size) std::memcpy(base_ + address, in, size);
    return true;
  }
  template <class T>
  T load(uint64_t address) const {
    T v{};
    read(address, &v, sizeof v);
    return v;
  }
  template <class T>
  void store(uint64_t address, T v) {
    write(address, &v, sizeof v);
  }

  /// memmove inside the address space with one check for the whole range; false (and nothing written) when any byte is not backed.
  bool copy(uint64_t destination, uint64_t source, size_t size);

  /// The first fault since the last call, if any; the CP calls it after each packet and reports the fault with the packet's name.
  struct Fault {
    uint64_t address = 0, size = 0, count = 0;
    bool is_write = false;
  };
  Fault take_fault();
  /// Counts an access to memory that is not backed, for accesses through host_pointer(); false.
  bool note_fault(uint64_t address, size_t size, bool is_write) const;
  bool faulted() const { return faulted_.load(std::memory_order_relaxed); }

 private:
  explicit Memory(uint64_t space) : space_(space), pages_backed_(space / kPageBytes / 64) {}
  bool back(GpuAddress address, uint64_t size, int fd);
  std::atomic_ref<uint64_t> pages(uint64_t word) const { return std::atomic_ref<uint64_t>(pages_backed_[word]); }

  const uint64_t space_;
  std::byte* base_ = nullptr;
  ZeroPages<uint64_t> pages_backed_;  ///< one bit per page: whole surfaces are checked for every draw
  std::atomic<uint64_t> map_version_ = 0;
  std::mutex map_mutex_;
  mutable std::mutex fault_mutex_;
  mutable Fault fault_;
  mutable std::atomic<bool> faulted_ = false;  ///< lets take_fault() skip the lock
};

}  // namespace pumice::hw
