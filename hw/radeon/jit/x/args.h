// SPDX-License-Identifier: MIT
/// Inputs and outputs of a routine made from an extended program (docs/r5x.md), for one group of 16 lanes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hw/common/simd/lanes.h"
#include "hw/radeon/jit/lane/ir.h"

namespace pumice::hw::fast::extended {

/// A buffer that the program names in its code, for the whole draw or dispatch.
struct View {
  lane::BufferView buffer;
  const void* constants = nullptr;  ///< the first ViewUse::constants bytes of the buffer, zeros beyond its end
  // Of all memory (SET 15): `buffer` is the lowest 4 GiB without the last page, `constants` their bits of pages that are backed. A range
  // without gaps, the largest:
  uint32_t first = 0, bytes = 0;
  /// `constants` are no part of the buffer.
  bool is_copied() const { return constants != buffer.base && !bytes; }
};
static_assert(sizeof(View) == 32);

struct TextureView;
struct ImageView;
struct BlockTables;

struct alignas(64) GroupArgs {
  // Masks are in the low 16 bits.
  uint32_t exists = 0;     ///< lanes that exist
  uint32_t active = 0;     ///< lanes that are active at the start
  uint32_t helpers = 0;    ///< in and out: stores and atomics do nothing
  uint32_t resume = 0;     ///< number of the barrier after which the group resumes; 0: from the start
  uint32_t waits = 0;      ///< out: number of the barrier that the group has reached; 0: it has ended
  uint32_t stop = 0;       ///< of Callbacks::refill: all ones when nothing is left to execute
  uint32_t stopped = 0;    ///< out: ended for that reason
  uint32_t slot = 0;       ///< of Callbacks::slot
  uint32_t wide = 0;       ///< of Callbacks::wide: WideOp, bit 8: of two numbers
  int64_t left = 0;        ///< instructions until Callbacks::refill is called
  uint32_t bools = 0;      ///< US_FC_BOOL_CONST
  uint32_t lanes_set = 0;  ///< scratch for turning a mask into a number
  const View* views = nullptr;
  lane::BufferView local;             ///< local memory
  lane::BufferView scratch;           ///< of the group: scratch.h
  lane::BufferView literals;          ///< of the program
  Lanes* state = nullptr;             ///< Translation::state_bytes: values of the group kept across a barrier
  const Lanes* invocation = nullptr;  ///< compute: x, y, z, index
  uint32_t workgroup[3] = {};
  uint32_t workgroups[3] = {};
  uint32_t subgroup[2] = {};   ///< number, count
  uint32_t predicate[4] = {};  ///< of Callbacks::slot
  uint32_t call_active = 0;    ///< of Callbacks::slot
  void* user = nullptr;        ///< of the executor
  Lanes temp[5][4];            ///< of Callbacks::slot: temps_of() or, of OUTPUT slots, the results in [0]; of Callbacks::wide: operands
  Lanes out[4];                ///< of Callbacks::slot: the destination temp
  const TextureView* textures = nullptr;  ///< by number of texture_uses()
  const ImageView* images = nullptr;      ///< by number of image_uses()
  BlockTables* blocks = nullptr;          ///< the BlockCache of this worker if any texture uses it
  uint32_t first_block = 0;               ///< the first tag of this draw in it
};

/// Functions of the executor: (GroupArgs*, GroupArgs*).
struct Callbacks {
  const void* slot = nullptr;    ///< executes the slot GroupArgs::slot by the reference's code
  const void* refill = nullptr;  ///< `left` is spent: refills it or sets `stop`
  const void* fence = nullptr;
  const void* clock = nullptr;  ///< the clock's low words into out[0], high words into out[1]
  const void* wide = nullptr;   ///< the WIDE operation GroupArgs::wide of `temp` into `out`, in all lanes
};

}  // namespace pumice::hw::fast::extended
