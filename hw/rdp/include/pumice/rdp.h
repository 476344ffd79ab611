/* SPDX-License-Identifier: MIT */
/**
 * The Ultra64 RDP, bit for bit: C interface for emulators. See docs/rdp.md for what is modelled.
 *
 * An object belongs to one thread at a time; different objects are independent. Link with `pkg-config --libs pumice-rdp`.
 */
#ifndef PUMICE_RDP_H
#define PUMICE_RDP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PUMICE_RDP_API __attribute__((visibility("default")))
#else
#define PUMICE_RDP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PUMICE_RDP_VERSION 1

typedef struct pumice_rdp pumice_rdp;

/** How your memory holds RDRAM and DMEM. */
typedef enum pumice_rdp_byte_order {
  PUMICE_RDP_BIG_ENDIAN = 0, /**< byte n of RDRAM is byte n of the memory */
  PUMICE_RDP_HOST_WORDS = 1  /**< little-endian 32-bit words: byte n of RDRAM is byte n ^ 3 of the memory */
} pumice_rdp_byte_order;

/** What would hang the chip. The model drops the command, calls `fault` and goes on. Text: pumice_rdp_fault_text. */
typedef int32_t pumice_rdp_fault;

typedef struct pumice_rdp_info {
  uint32_t version; /**< PUMICE_RDP_VERSION */
  uint32_t byte_order;
  uint8_t* rdram; /**< yours; must live as long as the object */
  size_t rdram_size;
  const uint8_t* dmem; /**< 4 KiB for lists in DMEM, or NULL */
  size_t dmem_size;
  void (*sync_full)(void* user); /**< everything before a Sync Full is in memory; NULL: not called */
  void (*fault)(void* user, pumice_rdp_fault fault, uint64_t first_word);
  void* user;
  uint32_t threads;   /**< threads to draw with; 0 and 1: the caller's only */
  uint32_t reference; /**< not 0: draw with the scalar reference (slow; for comparisons) */
} pumice_rdp_info;

/** NULL if the description is wrong or memory is short. Hidden bits start as if the CPU had written RDRAM's contents. */
PUMICE_RDP_API pumice_rdp* pumice_rdp_create(const pumice_rdp_info* info);
PUMICE_RDP_API void pumice_rdp_destroy(pumice_rdp* rdp);

/** Power-on state; RDRAM and its hidden bits stay. */
PUMICE_RDP_API void pumice_rdp_reset(pumice_rdp* rdp);

/** DP registers by offset from 0x04100000 (0x00 start, 0x04 end, 0x08 current, 0x0C status ...). Writing END runs the list. */
PUMICE_RDP_API uint32_t pumice_rdp_read_register(pumice_rdp* rdp, uint32_t offset);
PUMICE_RDP_API void pumice_rdp_write_register(pumice_rdp* rdp, uint32_t offset, uint32_t value);

/** Command words as numbers (bits 61-56 of a first word are the opcode). A command may be split over calls. */
PUMICE_RDP_API void pumice_rdp_enqueue(pumice_rdp* rdp, const uint64_t* words, size_t count);

/** Returns when everything enqueued is in memory. Call it before the CPU looks at or changes RDRAM. */
PUMICE_RDP_API void pumice_rdp_sync(pumice_rdp* rdp);

/** Reports that the CPU or RSP has written RDRAM, so that hidden bits are updated. Without it they keep what the RDP wrote. */
PUMICE_RDP_API void pumice_rdp_cpu_wrote(pumice_rdp* rdp, uint32_t address, uint32_t length);

/** The hidden bits of the halfword at an (even) byte address, 0..3; for save states and comparisons. */
PUMICE_RDP_API uint32_t pumice_rdp_get_hidden(pumice_rdp* rdp, uint32_t address);
PUMICE_RDP_API void pumice_rdp_set_hidden(pumice_rdp* rdp, uint32_t address, uint32_t bits);

PUMICE_RDP_API const char* pumice_rdp_fault_text(pumice_rdp_fault fault);

#ifdef __cplusplus
}
#endif
#endif
