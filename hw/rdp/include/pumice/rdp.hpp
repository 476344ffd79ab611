// SPDX-License-Identifier: MIT
/// C++ over pumice/rdp.h: ownership and callbacks, nothing else.
#pragma once
#include <pumice/rdp.h>

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace pumice {

class Rdp {
 public:
  struct Callbacks {
    std::function<void()> sync_full;
    std::function<void(std::string_view text, uint64_t first_word)> fault;
  };

  explicit Rdp(std::span<uint8_t> rdram, pumice_rdp_byte_order order = PUMICE_RDP_BIG_ENDIAN, Callbacks callbacks = {},
               uint32_t threads = 1)
      : callbacks_(std::make_unique<Callbacks>(std::move(callbacks))) {
    pumice_rdp_info info{};
    info.version = PUMICE_RDP_VERSION;
    info.byte_order = order;
    info.rdram = rdram.data();
    info.rdram_size = rdram.size();
    info.threads = threads;
    info.user = callbacks_.get();
    info.sync_full = [](void* user) {
      if (const auto& f = static_cast<Callbacks*>(user)->sync_full) f();
    };
    info.fault = [](void* user, pumice_rdp_fault fault, uint64_t word) {
      if (const auto& f = static_cast<Callbacks*>(user)->fault) f(pumice_rdp_fault_text(fault), word);
    };
    rdp_.reset(pumice_rdp_create(&info));
  }

  explicit operator bool() const { return rdp_ != nullptr; }
  pumice_rdp* get() const { return rdp_.get(); }

  void reset() { pumice_rdp_reset(get()); }
  uint32_t read_register(uint32_t offset) { return pumice_rdp_read_register(get(), offset); }
  void write_register(uint32_t offset, uint32_t value) { pumice_rdp_write_register(get(), offset, value); }
  void enqueue(std::span<const uint64_t> words) { pumice_rdp_enqueue(get(), words.data(), words.size()); }
  void sync() { pumice_rdp_sync(get()); }
  void cpu_wrote(uint32_t address, uint32_t length) { pumice_rdp_cpu_wrote(get(), address, length); }

 private:
  struct Destroy {
    void operator()(pumice_rdp* r) const { pumice_rdp_destroy(r); }
  };
  std::unique_ptr<Callbacks> callbacks_;
  std::unique_ptr<pumice_rdp, Destroy> rdp_;
};

}  // namespace pumice
