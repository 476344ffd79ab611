// SPDX-License-Identifier: MIT
/// Descriptor set layouts, pools and sets, pipeline layouts. A descriptor is the objects it names; the draw turns them into registers.
#pragma once
#include <vector>

#include "icd/resources.h"

namespace pumice::icd {

class DescriptorSetLayout : public DeviceObject {
 public:
  using Handle = VkDescriptorSetLayout;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT;
  DescriptorSetLayout(Device& d, const VkDescriptorSetLayoutCreateInfo& info);

  struct Binding {
    uint32_t binding = 0;
    VkDescriptorType type{};
    uint32_t count = 0;
    uint32_t first = 0;          ///< index of element 0 in the set
    uint32_t first_dynamic = 0;  ///< index of element 0 among the set's dynamic offsets
    std::vector<Sampler*> immutable;
  };
  std::vector<Binding> bindings;  ///< sorted by number
  uint32_t descriptors = 0, dynamic = 0;
  const Binding* find(uint32_t binding) const;
};

struct Descriptor {
  Buffer* buffer = nullptr;
  uint64_t offset = 0, range = 0;
  ImageView* view = nullptr;
  Sampler* sampler = nullptr;
};

class DescriptorPool;

class DescriptorSet : public DeviceObject {
 public:
  using Handle = VkDescriptorSet;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_SET;
  DescriptorSet(Device& d, DescriptorPool& p, const DescriptorSetLayout& l);
  DescriptorPool& pool;
  /// A copy: the layout may be destroyed while its sets live.
  std::vector<DescriptorSetLayout::Binding> bindings;
  std::vector<Descriptor> descriptors;
  const DescriptorSetLayout::Binding* find(uint32_t binding) const;
  /// The element as (binding, element); elements past a binding's end run on into the next. Null when there is none.
  Descriptor* at(uint32_t binding, uint32_t element);
};

class DescriptorPool : public DeviceObject {
 public:
  using Handle = VkDescriptorPool;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DESCRIPTOR_POOL;
  DescriptorPool(Device& d, const VkDescriptorPoolCreateInfo& info);
  ~DescriptorPool();
  void reset();
  uint32_t max_sets;
  uint32_t max_descriptors;
  uint32_t used_descriptors = 0;
  std::vector<DescriptorSet*> sets;
};

/// Nothing of it is needed after the pipeline's compilation: sets are looked up by number, push constants by offset.
class PipelineLayout : public DeviceObject {
 public:
  using Handle = VkPipelineLayout;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_LAYOUT;
  explicit PipelineLayout(Device& d) : DeviceObject(d, kType) {}
};

}  // namespace pumice::icd
