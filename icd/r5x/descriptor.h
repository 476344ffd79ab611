// SPDX-License-Identifier: MIT
/// Descriptor set layouts, pools, sets and pipeline layouts of chips that read descriptors from memory. A pool is one range of GPU memory,
/// a set a piece of it; an update writes words, so draws use the contents of the set when they run. Descriptors of dynamic buffers are in
/// the set without their offsets; vkCmdBindDescriptorSets makes the ones that programs read (X_*_SET[8]).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "compiler/compiler.h"
#include "icd/r5x/words.h"

namespace pumice::icd::r5x {

inline constexpr uint32_t kSets = 8;               ///< maxBoundDescriptorSets
inline constexpr uint32_t kDescriptorBytes = 64;   ///< sets begin at multiples of this, and no descriptor of any type takes more
inline constexpr uint32_t kDynamicSet = 8;         ///< X_*_SET[8]
inline constexpr uint32_t kPushBytes = 256;        ///< maxPushConstantsSize
inline constexpr uint32_t kMostPerSet = 1u << 16;  ///< maxPerSetDescriptors: offsets in a set have 18 bits, of 16 bytes

/// The layout of a set. Sets and pipeline layouts keep it after their VkDescriptorSetLayout is destroyed.
struct SetShape {
  struct Binding {
    uint32_t binding = 0;
    VkDescriptorType type{};
    uint32_t count = 0;               ///< descriptors; of an inline uniform block its bytes
    uint32_t offset = 0, stride = 0;  ///< bytes in the set; of an inline uniform block its data
    uint32_t block = 0;               ///< of an inline uniform block: the descriptor that names the data
    uint32_t first = 0;               ///< index of element 0 among the set's elements
    uint32_t first_dynamic = 0;       ///< index of element 0 among the set's dynamic buffers
    std::vector<SamplerWords> immutable;
  };
  std::vector<Binding> bindings;  ///< sorted by number
  uint32_t bytes = 0;             ///< a multiple of 64
  uint32_t elements = 0, dynamic = 0;
  bool push = false;      ///< VK_KHR_push_descriptor
  bool variable = false;  ///< each set has its own count of the last binding's descriptors, up to the layout's

  const Binding* find(uint32_t binding) const;
  /// The shape of a set with `count` descriptors in its last binding.
  std::shared_ptr<const SetShape> with_last(uint32_t count) const;
};

bool is_dynamic(VkDescriptorType type);
/// VK_EXT_inline_uniform_block: bytes in the set itself. A descriptor of a uniform buffer names them, so programs see a buffer.
inline bool is_inline(VkDescriptorType type) { return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }
inline constexpr uint32_t kMostInlineBytes = 1u << 16;  ///< maxInlineUniformBlockSize: maxUniformBufferRange

class SetLayout : public DeviceObject {
 public:
  using Handle = VkDescriptorSetLayout;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT;
  SetLayout(Device& d, const VkDescriptorSetLayoutCreateInfo& info);
  const std::shared_ptr<const SetShape> shape;
};

/// The words of a set, in a pool or in a command buffer's memory.
struct SetMemory {
  const SetShape* shape = nullptr;
  hw::GpuAddress address = 0;
  std::byte* host = nullptr;

  /// Immutable samplers and where inline uniform blocks lie; everything else null.
  void clear() const;
  /// As vkUpdateDescriptorSets: elements past a binding's end run on into the next one. The k-th element's data is at infos + k * stride of
  /// the type's structure.
  struct Data {
    const VkDescriptorBufferInfo* buffers = nullptr;
    const VkDescriptorImageInfo* images = nullptr;
    const VkBufferView* texels = nullptr;
    const std::byte* bytes = nullptr;  ///< of inline uniform blocks
    size_t stride = 0;                 ///< bytes between two of them; 0: tightly packed
  };
  void write(uint32_t binding, uint32_t element, uint32_t count, VkDescriptorType type, const Data& data) const;
  void write(const VkWriteDescriptorSet& w) const;
  void copy(uint32_t binding, uint32_t element, uint32_t count, const SetMemory& from, uint32_t from_binding, uint32_t from_element) const;
};

class DescriptorPool;

class DescriptorSet : public DeviceObject {
 public:
  using Handle = VkDescriptorSet;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET;
  DescriptorSet(Device& d, std::shared_ptr<const SetShape> s, hw::GpuAddress address, std::byte* host);
  const std::shared_ptr<const SetShape> shape;
  const SetMemory memory;
};

class DescriptorPool : public DeviceObject {
 public:
  using Handle = VkDescriptorPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_POOL;
  DescriptorPool(Device& d, const VkDescriptorPoolCreateInfo& info);
  ~DescriptorPool();
  /// Null when the pool has too few sets or descriptors left, or no piece of memory that is large enough.
  DescriptorSet* make(const std::shared_ptr<const SetShape>& shape);
  void free(DescriptorSet* set);
  void reset();

 private:
  const uint32_t max_sets_;
  uint32_t left_ = 0, most_ = 0;  ///< descriptors
  GpuRange memory_;
  std::vector<DescriptorSet*> sets_;  ///< by address
};

class PipelineLayout : public DeviceObject {
 public:
  using Handle = VkPipelineLayout;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  PipelineLayout(Device& d, const VkPipelineLayoutCreateInfo& info);
  std::vector<std::shared_ptr<const SetShape>> sets;
  std::vector<uint32_t> first_dynamic;  ///< of each set in X_*_SET[8]
  uint32_t dynamic = 0;
  uint32_t push_bytes = 0;
  /// For the compiler: where every binding lies.
  std::vector<compiler::DescriptorLayout> resources() const;
};

/// VK_KHR_descriptor_update_template: where the data of each run of descriptors lies.
class UpdateTemplate : public DeviceObject {
 public:
  using Handle = VkDescriptorUpdateTemplate;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE;
  UpdateTemplate(Device& d, const VkDescriptorUpdateTemplateCreateInfo& info)
      : DeviceObject(d, kType),
        point(info.pipelineBindPoint),
        entries(info.pDescriptorUpdateEntries, info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {}
  const VkPipelineBindPoint point;  ///< of templates for vkCmdPushDescriptorSetWithTemplateKHR
  const std::vector<VkDescriptorUpdateTemplateEntry> entries;
  void write(const SetMemory& set, const void* data) const;
};

class BufferView : public DeviceObject {
 public:
  using Handle = VkBufferView;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER_VIEW;
  BufferView(Device& d, const BufferWords& w) : DeviceObject(d, kType), words(w) {}
  const BufferWords words;
};

}  // namespace pumice::icd::r5x
