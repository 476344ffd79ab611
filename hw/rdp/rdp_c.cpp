// SPDX-License-Identifier: MIT
/// The C interface (include/pumice/rdp.h) over the facade. No exception leaves it.
#include <pumice/rdp.h>

#include <exception>

#include "hw/rdp/rdp.h"

using pumice::hw::rdp::ByteOrder;
using pumice::hw::rdp::Fault;
using pumice::hw::rdp::Rdp;

struct pumice_rdp {
  pumice_rdp(std::span<uint8_t> ram, ByteOrder order, std::span<const uint8_t> dmem) : rdp(ram, order, dmem) {}
  Rdp rdp;
};

extern "C" {

pumice_rdp* pumice_rdp_create(const pumice_rdp_info* info) {
  if (!info || info->version != PUMICE_RDP_VERSION || info->byte_order > PUMICE_RDP_HOST_WORDS) return nullptr;
  if ((!info->rdram && info->rdram_size) || (!info->dmem && info->dmem_size)) return nullptr;
  try {
    auto* r = new pumice_rdp({info->rdram, info->rdram_size}, static_cast<ByteOrder>(info->byte_order), {info->dmem, info->dmem_size});
    r->rdp.set_threads(info->threads);
    if (info->reference) r->rdp.set_execution(pumice::hw::rdp::Execution::reference);
    if (info->sync_full) r->rdp.on_sync_full([f = info->sync_full, u = info->user] { f(u); });
    if (info->fault)
      r->rdp.on_fault([f = info->fault, u = info->user](Fault fault, uint64_t w) { f(u, static_cast<pumice_rdp_fault>(fault), w); });
    return r;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void pumice_rdp_destroy(pumice_rdp* r) { delete r; }
void pumice_rdp_reset(pumice_rdp* r) { r->rdp.reset(); }
uint32_t pumice_rdp_read_register(pumice_rdp* r, uint32_t offset) { return r->rdp.read(offset); }
void pumice_rdp_write_register(pumice_rdp* r, uint32_t offset, uint32_t value) { r->rdp.write(offset, value); }
void pumice_rdp_enqueue(pumice_rdp* r, const uint64_t* words, size_t count) { r->rdp.enqueue({words, count}); }
void pumice_rdp_sync(pumice_rdp* r) { r->rdp.sync(); }
void pumice_rdp_cpu_wrote(pumice_rdp* r, uint32_t address, uint32_t length) {
  r->rdp.sync();
  r->rdp.rdram().cpu_wrote(address, length);
}
uint32_t pumice_rdp_get_hidden(pumice_rdp* r, uint32_t address) {
  r->rdp.sync();
  return r->rdp.rdram().hidden(address / 2);
}
void pumice_rdp_set_hidden(pumice_rdp* r, uint32_t address, uint32_t bits) {
  r->rdp.sync();
  r->rdp.rdram().set_hidden(address / 2, bits);
}
const char* pumice_rdp_fault_text(pumice_rdp_fault fault) { return pumice::hw::rdp::fault_text(static_cast<Fault>(fault)); }
}
