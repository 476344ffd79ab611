// SPDX-License-Identifier: MIT
#include "icd/descriptor.h"

#include <algorithm>

namespace pumice::icd {
namespace {

bool is_dynamic(VkDescriptorType t) {
  return t == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

const DescriptorSetLayout::Binding* search(const std::vector<DescriptorSetLayout::Binding>& list, uint32_t binding) {
  const auto it = std::lower_bound(list.begin(), list.end(), binding, [](const auto& a, uint32_t b) { return a.binding < b; });
  return it != list.end() && it->binding == binding ? &*it : nullptr;
}

}  // namespace

DescriptorSetLayout::DescriptorSetLayout(Device& d, const VkDescriptorSetLayoutCreateInfo& info) : DeviceObject(d, kType) {
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& b = info.pBindings[i];
    Binding out;
    out.binding = b.binding;
    out.type = b.descriptorType;
    out.count = b.descriptorCount;
    if (b.pImmutableSamplers &&
        (b.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER || b.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER))
      for (uint32_t k = 0; k < b.descriptorCount; ++k) out.immutable.push_back(from<Sampler>(b.pImmutableSamplers[k]));
    bindings.push_back(std::move(out));
  }
  std::sort(bindings.begin(), bindings.end(), [](const Binding& a, const Binding& b) { return a.binding < b.binding; });
  for (Binding& b : bindings) {
    b.first = descriptors;
    descriptors += b.count;
    b.first_dynamic = dynamic;
    if (is_dynamic(b.type)) dynamic += b.count;
  }
}

const DescriptorSetLayout::Binding* DescriptorSetLayout::find(uint32_t binding) const { return search(bindings, binding); }

DescriptorSet::DescriptorSet(Device& d, DescriptorPool& p, const DescriptorSetLayout& l)
    : DeviceObject(d, kType), pool(p), bindings(l.bindings), descriptors(l.descriptors) {
  for (const auto& b : bindings)
    for (size_t k = 0; k < b.immutable.size(); ++k) descriptors[b.first + k].sampler = b.immutable[k];
}
const DescriptorSetLayout::Binding* DescriptorSet::find(uint32_t binding) const { return search(bindings, binding); }
Descriptor* DescriptorSet::at(uint32_t binding, uint32_t element) {
  const auto* b = find(binding);
  if (!b || b->first + element >= descriptors.size()) return nullptr;
  return &descriptors[b->first + element];
}

DescriptorPool::DescriptorPool(Device& d, const VkDescriptorPoolCreateInfo& info)
    : DeviceObject(d, kType), max_sets(info.maxSets), max_descriptors(0) {
  for (uint32_t i = 0; i < info.poolSizeCount; ++i) max_descriptors += info.pPoolSizes[i].descriptorCount;
}
DescriptorPool::~DescriptorPool() { reset(); }
void DescriptorPool::reset() {
  for (DescriptorSet* s : sets) destroy(s, nullptr);
  sets.clear();
  used_descriptors = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                                            const VkAllocationCallbacks* a, VkDescriptorSetLayout* out) {
  *out = to_handle(create<DescriptorSetLayout>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout l, const VkAllocationCallbacks* a) {
  destroy(from<DescriptorSetLayout>(l), a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo*, const VkAllocationCallbacks* a,
                                                       VkPipelineLayout* out) {
  *out = to_handle(create<PipelineLayout>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device)));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyPipelineLayout(VkDevice, VkPipelineLayout l, const VkAllocationCallbacks* a) {
  destroy(from<PipelineLayout>(l), a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo* info,
                                                       const VkAllocationCallbacks* a, VkDescriptorPool* out) {
  *out = to_handle(create<DescriptorPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyDescriptorPool(VkDevice, VkDescriptorPool p, const VkAllocationCallbacks* a) {
  destroy(from<DescriptorPool>(p), a);
}
VKAPI_ATTR VkResult VKAPI_CALL pm_ResetDescriptorPool(VkDevice, VkDescriptorPool p, VkDescriptorPoolResetFlags) {
  from<DescriptorPool>(p)->reset();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* out) {
  auto& device = *from<Device>(handle);
  auto& pool = *from<DescriptorPool>(info->descriptorPool);
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) {
    wanted += from<DescriptorSetLayout>(info->pSetLayouts[i])->descriptors;
    out[i] = VK_NULL_HANDLE;
  }
  if (pool.sets.size() + info->descriptorSetCount > pool.max_sets || pool.used_descriptors + wanted > pool.max_descriptors)
    return device.out_of_pool();
  pool.sets.reserve(pool.sets.size() + info->descriptorSetCount);
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) {
    auto* set =
        create<DescriptorSet>(nullptr, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, pool, *from<DescriptorSetLayout>(info->pSetLayouts[i]));
    pool.sets.push_back(set);
    pool.used_descriptors += static_cast<uint32_t>(set->descriptors.size());
    out[i] = to_handle(set);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_FreeDescriptorSets(VkDevice, VkDescriptorPool handle, uint32_t count, const VkDescriptorSet* sets) {
  auto& pool = *from<DescriptorPool>(handle);
  for (uint32_t i = 0; i < count; ++i) {
    auto* set = from<DescriptorSet>(sets[i]);
    if (!set) continue;
    pool.used_descriptors -= static_cast<uint32_t>(set->descriptors.size());
    std::erase(pool.sets, set);
    destroy(set, nullptr);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pm_UpdateDescriptorSets(VkDevice, uint32_t write_count, const VkWriteDescriptorSet* writes, uint32_t copy_count,
                                                   const VkCopyDescriptorSet* copies) {
  for (uint32_t i = 0; i < write_count; ++i) {
    const VkWriteDescriptorSet& w = writes[i];
    auto& set = *from<DescriptorSet>(w.dstSet);
    for (uint32_t k = 0; k < w.descriptorCount; ++k) {
      Descriptor* d = set.at(w.dstBinding, w.dstArrayElement + k);
      if (!d) break;
      const auto* binding = set.find(w.dstBinding);
      switch (w.descriptorType) {
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
          d->buffer = from<Buffer>(w.pBufferInfo[k].buffer);
          d->offset = w.pBufferInfo[k].offset;
          d->range = w.pBufferInfo[k].range;
          break;
        case VK_DESCRIPTOR_TYPE_SAMPLER:
        case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
          if (w.descriptorType != VK_DESCRIPTOR_TYPE_SAMPLER) d->view = from<ImageView>(w.pImageInfo[k].imageView);
          if ((w.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER || w.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) &&
              binding->immutable.empty())
            d->sampler = from<Sampler>(w.pImageInfo[k].sampler);
          break;
        default: break;
      }
    }
  }
  for (uint32_t i = 0; i < copy_count; ++i) {
    const VkCopyDescriptorSet& c = copies[i];
    auto &source = *from<DescriptorSet>(c.srcSet), &target = *from<DescriptorSet>(c.dstSet);
    const auto* binding = target.find(c.dstBinding);
    for (uint32_t k = 0; k < c.descriptorCount; ++k) {
      const Descriptor* s = source.at(c.srcBinding, c.srcArrayElement + k);
      Descriptor* d = target.at(c.dstBinding, c.dstArrayElement + k);
      if (!s || !d) break;
      Sampler* keep = d->sampler;
      *d = *s;
      if (binding && !binding->immutable.empty()) d->sampler = keep;
    }
  }
}

}  // namespace pumice::icd
