// SPDX-License-Identifier: MIT
#include "icd/r5x/descriptor.h"

#include <algorithm>
#include <cstring>

namespace pumice::icd {
namespace r5x {
namespace {

bool has_sampler(VkDescriptorType t) { return t == VK_DESCRIPTOR_TYPE_SAMPLER || t == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER; }
uint32_t aligned(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

/// VK_EXT_descriptor_indexing: the last binding may have fewer descriptors in a set than in the layout.
bool has_variable(const VkDescriptorSetLayoutCreateInfo& info) {
  const auto* flags =
      find_next<VkDescriptorSetLayoutBindingFlagsCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  return flags && std::any_of(flags->pBindingFlags, flags->pBindingFlags + flags->bindingCount,
                              [](auto f) { return f & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT; });
}

/// VK_EXT_mutable_descriptor_type: whether the types of each binding are those that share a descriptor's bytes.
bool has_possible_types(const VkDescriptorSetLayoutCreateInfo& info) {
  const auto* m = find_next<VkMutableDescriptorTypeCreateInfoEXT>(info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
  for (uint32_t i = 0; m && i < std::min(m->mutableDescriptorTypeListCount, info.bindingCount); ++i) {
    const VkMutableDescriptorTypeListEXT& list = m->pMutableDescriptorTypeLists[i];
    if (info.pBindings[i].descriptorType != VK_DESCRIPTOR_TYPE_MUTABLE_EXT) continue;
    for (uint32_t k = 0; k < list.descriptorTypeCount; ++k) {
      const VkDescriptorType t = list.pDescriptorTypes[k];
      if (is_dynamic(t) || is_inline(t) || t == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) return false;
    }
  }
  return true;
}

constexpr uint32_t kInlineAlignment = 16;  ///< of the data of inline uniform blocks: minUniformBufferOffsetAlignment

/// Where the bindings lie, by their types and counts.
void place(SetShape& shape) {
  shape.bytes = shape.elements = shape.dynamic = 0;
  for (SetShape::Binding& b : shape.bindings) {
    b.stride = shape_of(b.type).stride;
    b.first = shape.elements;
    b.first_dynamic = shape.dynamic;
    shape.elements += b.count;
    if (is_inline(b.type)) {
      b.block = aligned(shape.bytes, sizeof(BufferWords));
      shape.bytes = b.block + uint32_t{sizeof(BufferWords)};
      continue;
    }
    b.offset = aligned(shape.bytes, b.stride);
    shape.bytes = b.offset + b.stride * b.count;
    if (is_dynamic(b.type)) shape.dynamic += b.count;
  }
  // Behind the descriptors, which alone must be near the set's beginning (kMostPerSet).
  for (SetShape::Binding& b : shape.bindings) {
    if (!is_inline(b.type)) continue;
    b.offset = aligned(shape.bytes, kInlineAlignment);
    shape.bytes = b.offset + b.count;
  }
  shape.bytes = aligned(shape.bytes, kDescriptorBytes);
}

std::shared_ptr<const SetShape> shape_from(const VkDescriptorSetLayoutCreateInfo& info) {
  auto shape = std::make_shared<SetShape>();
  shape->push = info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& b = info.pBindings[i];
    SetShape::Binding out;
    out.binding = b.binding;
    out.type = b.descriptorType;
    out.count = b.descriptorCount;
    if (b.pImmutableSamplers && has_sampler(b.descriptorType))
      for (uint32_t k = 0; k < b.descriptorCount; ++k) out.immutable.push_back(sampler_words(*from<Sampler>(b.pImmutableSamplers[k])));
    shape->bindings.push_back(std::move(out));
  }
  std::sort(shape->bindings.begin(), shape->bindings.end(), [](const auto& a, const auto& b) { return a.binding < b.binding; });
  shape->variable = has_variable(info);
  place(*shape);
  return shape;
}

/// Walks elements from (binding, element) on, over the ends of bindings.
class Elements {
 public:
  Elements(const SetShape& shape, uint32_t binding, uint32_t element)
      : at_(shape.find(binding)), end_(shape.bindings.data() + shape.bindings.size()) {
    if (at_) skip(element);
  }
  bool ended() const { return !at_ || at_ == end_; }
  const SetShape::Binding& binding() const { return *at_; }
  uint32_t element() const { return element_; }
  uint32_t offset() const { return at_->offset + element_ * at_->stride; }
  uint32_t left() const { return at_->count - element_; }
  void next(uint32_t n = 1) { skip(n); }

 private:
  void skip(uint32_t n) {
    element_ += n;
    while (at_ != end_ && element_ >= at_->count) element_ -= at_++->count;
  }
  const SetShape::Binding *at_, *end_;
  uint32_t element_ = 0;
};

template <class T>
const T& nth(const T* list, size_t stride, uint32_t k) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(list) + (stride ? stride : sizeof(T)) * k);
}

template <class Words>
void put(std::byte* to, const Words& words) {
  std::memcpy(to, words.data(), sizeof words);
}

}  // namespace

bool is_dynamic(VkDescriptorType t) {
  return t == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

const SetShape::Binding* SetShape::find(uint32_t binding) const {
  const auto it = std::lower_bound(bindings.begin(), bindings.end(), binding, [](const auto& a, uint32_t b) { return a.binding < b; });
  return it != bindings.end() && it->binding == binding ? &*it : nullptr;
}

std::shared_ptr<const SetShape> SetShape::with_last(uint32_t count) const {
  auto shape = std::make_shared<SetShape>(*this);
  Binding& last = shape->bindings.back();
  last.count = std::min(last.count, count);
  last.immutable.resize(std::min<size_t>(last.immutable.size(), last.count));
  place(*shape);
  return shape;
}

SetLayout::SetLayout(Device& d, const VkDescriptorSetLayoutCreateInfo& info) : DeviceObject(d, kType), shape(shape_from(info)) {}

void SetMemory::clear() const {
  if (shape->bytes) std::memset(host, 0, shape->bytes);
  for (const SetShape::Binding& b : shape->bindings) {
    for (uint32_t k = 0; k < b.immutable.size(); ++k)
      put(host + b.offset + k * b.stride + (b.type == VK_DESCRIPTOR_TYPE_SAMPLER ? 0 : kCombinedSampler), b.immutable[k]);
    if (is_inline(b.type) && b.count) put(host + b.block, memory_words(address + b.offset, b.count));
  }
}

void SetMemory::write(const VkWriteDescriptorSet& w) const {
  Data data{w.pBufferInfo, w.pImageInfo, w.pTexelBufferView};
  if (is_inline(w.descriptorType))
    if (const auto* block =
            find_next<VkWriteDescriptorSetInlineUniformBlock>(w.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK))
      data.bytes = static_cast<const std::byte*>(block->pData);
  write(w.dstBinding, w.dstArrayElement, w.descriptorCount, w.descriptorType, data);
}

void SetMemory::write(uint32_t binding, uint32_t element, uint32_t count, VkDescriptorType type, const Data& data) const {
  Elements at(*shape, binding, element);
  if (is_inline(type)) {
    for (uint32_t done = 0, n = 0; data.bytes && done < count && !at.ended(); done += n, at.next(n)) {
      n = std::min(count - done, at.left());
      std::memcpy(host + at.offset(), data.bytes + done, n);
    }
    return;
  }
  for (uint32_t k = 0; k < count && !at.ended(); ++k, at.next()) {
    std::byte* to = host + at.offset();
    const bool keeps_sampler = !at.binding().immutable.empty();
    switch (type) {
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: {
        const VkDescriptorBufferInfo& i = nth(data.buffers, data.stride, k);
        put(to, buffer_words(from<Buffer>(i.buffer), i.offset, i.range));
        break;
      }
      case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: {
        const auto* view = from<BufferView>(nth(data.texels, data.stride, k));
        put(to, view ? view->words : BufferWords{});
        break;
      }
      case VK_DESCRIPTOR_TYPE_SAMPLER:
        if (!keeps_sampler) put(to, sampler_words(*from<Sampler>(nth(data.images, data.stride, k).sampler)));
        break;
      case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: {
        const VkDescriptorImageInfo& i = nth(data.images, data.stride, k);
        const auto* view = from<ImageView>(i.imageView);
        put(to, view ? image_words(*view) : ImageWords{});
        if (type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && !keeps_sampler)
          put(to + kCombinedSampler, sampler_words(*from<Sampler>(i.sampler)));
        break;
      }
      default: break;
    }
  }
}

void SetMemory::copy(uint32_t binding, uint32_t element, uint32_t count, const SetMemory& from, uint32_t from_binding,
                     uint32_t from_element) const {
  Elements to(*shape, binding, element), source(*from.shape, from_binding, from_element);
  for (uint32_t k = 0, n = 1; k < count && !to.ended() && !source.ended(); k += n, to.next(n), source.next(n)) {
    // Bytes of inline uniform blocks go together.
    n = is_inline(to.binding().type) ? std::min({count - k, to.left(), source.left()}) : 1;
    // Of mutable ones as many as the other has.
    uint32_t bytes = std::min(shape_of(to.binding().type).bytes, shape_of(source.binding().type).bytes) * n;
    // Immutable samplers are not overwritten.
    if (!to.binding().immutable.empty()) bytes = to.binding().type == VK_DESCRIPTOR_TYPE_SAMPLER ? 0 : kCombinedSampler;
    std::memmove(host + to.offset(), from.host + source.offset(), bytes);
  }
}

DescriptorSet::DescriptorSet(Device& d, std::shared_ptr<const SetShape> s, hw::GpuAddress address, std::byte* host)
    : DeviceObject(d, kType), shape(std::move(s)), memory{shape.get(), address, host} {
  memory.clear();
}

namespace {
/// Bytes of inline uniform blocks count as descriptors.
uint32_t descriptors_of(const VkDescriptorPoolCreateInfo& info) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < info.poolSizeCount; ++i) n += info.pPoolSizes[i].descriptorCount;
  return static_cast<uint32_t>(std::min<uint64_t>(n, UINT32_MAX));
}
uint64_t bytes_of(const VkDescriptorPoolCreateInfo& info) {
  uint64_t bytes = kDescriptorBytes;
  for (uint32_t i = 0; i < info.poolSizeCount; ++i)
    bytes += uint64_t{is_inline(info.pPoolSizes[i].type) ? 1 : kDescriptorBytes} * info.pPoolSizes[i].descriptorCount;
  // The descriptor of a block, and what its alignment and that of its set may cost.
  if (const auto* blocks = find_next<VkDescriptorPoolInlineUniformBlockCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO))
    bytes += uint64_t{sizeof(BufferWords) + kInlineAlignment + kDescriptorBytes} * blocks->maxInlineUniformBlockBindings;
  return bytes;
}
}  // namespace

DescriptorPool::DescriptorPool(Device& d, const VkDescriptorPoolCreateInfo& info)
    : DeviceObject(d, kType), max_sets_(info.maxSets), left_(descriptors_of(info)), most_(left_), memory_(*d.heap, bytes_of(info)) {}
DescriptorPool::~DescriptorPool() { reset(); }

DescriptorSet* DescriptorPool::make(const std::shared_ptr<const SetShape>& shape) {
  if (sets_.size() >= max_sets_ || shape->elements > left_) return nullptr;
  // The first gap that is large enough.
  hw::GpuAddress at = memory_.address;
  auto place = sets_.begin();
  for (; place != sets_.end() && (*place)->memory.address < at + shape->bytes; ++place)
    at = (*place)->memory.address + (*place)->shape->bytes;
  if (at + shape->bytes > memory_.address + memory_.size) return nullptr;
  sets_.reserve(sets_.size() + 1);
  auto* set = create<DescriptorSet>(nullptr, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device, shape, at, memory_.host + (at - memory_.address));
  sets_.insert(std::find_if(sets_.begin(), sets_.end(), [&](const DescriptorSet* s) { return s->memory.address > at; }), set);
  left_ -= shape->elements;
  return set;
}
void DescriptorPool::free(DescriptorSet* set) {
  left_ += set->shape->elements;
  std::erase(sets_, set);
  destroy(set, nullptr);
}
void DescriptorPool::reset() {
  for (DescriptorSet* s : sets_) destroy(s, nullptr);
  sets_.clear();
  left_ = most_;
}

PipelineLayout::PipelineLayout(Device& d, const VkPipelineLayoutCreateInfo& info) : DeviceObject(d, kType) {
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    // Layouts of libraries need not name the sets of the others.
    const auto* l = from<SetLayout>(info.pSetLayouts[i]);
    sets.push_back(l ? l->shape : std::make_shared<const SetShape>());
    first_dynamic.push_back(dynamic);
    dynamic += sets.back()->dynamic;
  }
  for (uint32_t i = 0; i < info.pushConstantRangeCount; ++i)
    push_bytes = std::max(push_bytes, info.pPushConstantRanges[i].offset + info.pPushConstantRanges[i].size);
}

namespace {
compiler::DescriptorLayout::Kind kind_of(VkDescriptorType t) {
  using enum compiler::DescriptorLayout::Kind;
  switch (t) {
    case VK_DESCRIPTOR_TYPE_SAMPLER: return sampler;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return combined;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: return sampled_image;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: return storage_image;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: return input_attachment;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: return uniform_texels;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: return storage_texels;
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT: return any;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: return storage_buffer;
    default: return uniform_buffer;
  }
}
}  // namespace

std::vector<compiler::DescriptorLayout> PipelineLayout::resources() const {
  std::vector<compiler::DescriptorLayout> out;
  size_t bindings = 0;
  for (const auto& s : sets) bindings += s->bindings.size();
  out.reserve(bindings);
  for (uint32_t s = 0; s < sets.size(); ++s)
    for (const SetShape::Binding& b : sets[s]->bindings) {
      compiler::DescriptorLayout l;
      l.set = s;
      l.binding = b.binding;
      l.kind = kind_of(b.type);
      l.count = is_inline(b.type) ? 1 : b.count;
      l.dynamic = is_dynamic(b.type);
      l.offset = l.dynamic ? (first_dynamic[s] + b.first_dynamic) * uint32_t{sizeof(BufferWords)} : is_inline(b.type) ? b.block : b.offset;
      l.stride = is_inline(b.type) ? uint32_t{sizeof(BufferWords)} : b.stride;
      out.push_back(l);
    }
  return out;
}

void UpdateTemplate::write(const SetMemory& set, const void* data) const {
  for (const VkDescriptorUpdateTemplateEntry& e : entries) {
    const auto* at = static_cast<const std::byte*>(data) + e.offset;
    set.write(e.dstBinding, e.dstArrayElement, e.descriptorCount, e.descriptorType,
              {reinterpret_cast<const VkDescriptorBufferInfo*>(at), reinterpret_cast<const VkDescriptorImageInfo*>(at),
               reinterpret_cast<const VkBufferView*>(at), at, e.stride});
  }
}

}  // namespace r5x

using namespace r5x;

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateDescriptorUpdateTemplate(VkDevice device, const VkDescriptorUpdateTemplateCreateInfo* info,
                                                                  const VkAllocationCallbacks* a, VkDescriptorUpdateTemplate* out) {
  *out = to_handle(create<UpdateTemplate>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyDescriptorUpdateTemplate(VkDevice, VkDescriptorUpdateTemplate t, const VkAllocationCallbacks* a) {
  destroy(from<UpdateTemplate>(t), a);
}
VKAPI_ATTR void VKAPI_CALL r5x_UpdateDescriptorSetWithTemplate(VkDevice, VkDescriptorSet set, VkDescriptorUpdateTemplate t,
                                                               const void* data) {
  from<UpdateTemplate>(t)->write(from<DescriptorSet>(set)->memory, data);
}

VKAPI_ATTR void VKAPI_CALL r5x_GetDescriptorSetLayoutSupport(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                                             VkDescriptorSetLayoutSupport* out) {
  uint64_t descriptors = 0;
  uint32_t last = 0;
  bool small = true;
  const auto count = [](const VkDescriptorSetLayoutBinding& b) { return is_inline(b.descriptorType) ? 1 : b.descriptorCount; };
  for (uint32_t i = 0; i < info->bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& b = info->pBindings[i];
    descriptors += count(b);
    if (is_inline(b.descriptorType)) small &= b.descriptorCount <= kMostInlineBytes;
    if (b.binding >= info->pBindings[last].binding) last = i;
  }
  out->supported = descriptors <= kMostPerSet && small && has_possible_types(*info);
  uint64_t others = has_variable(*info) ? descriptors - count(info->pBindings[last]) : kMostPerSet;
  if (others < kMostPerSet && is_inline(info->pBindings[last].descriptorType)) others = kMostPerSet - kMostInlineBytes;
  for (auto* b = static_cast<VkBaseOutStructure*>(out->pNext); b; b = b->pNext)
    if (b->sType == VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT)
      reinterpret_cast<VkDescriptorSetVariableDescriptorCountLayoutSupport*>(b)->maxVariableDescriptorCount =
          others < kMostPerSet ? static_cast<uint32_t>(kMostPerSet - others) : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                                             const VkAllocationCallbacks* a, VkDescriptorSetLayout* out) {
  *out = to_handle(create<SetLayout>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout l, const VkAllocationCallbacks* a) {
  destroy(from<SetLayout>(l), a);
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                                        const VkAllocationCallbacks* a, VkPipelineLayout* out) {
  *out = to_handle(create<PipelineLayout>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyPipelineLayout(VkDevice, VkPipelineLayout l, const VkAllocationCallbacks* a) {
  destroy(from<PipelineLayout>(l), a);
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo* info,
                                                        const VkAllocationCallbacks* a, VkDescriptorPool* out) {
  *out = to_handle(create<DescriptorPool>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *from<Device>(device), *info));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyDescriptorPool(VkDevice, VkDescriptorPool p, const VkAllocationCallbacks* a) {
  destroy(from<DescriptorPool>(p), a);
}
VKAPI_ATTR VkResult VKAPI_CALL r5x_ResetDescriptorPool(VkDevice, VkDescriptorPool p, VkDescriptorPoolResetFlags) {
  from<DescriptorPool>(p)->reset();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* out) {
  auto& device = *from<Device>(handle);
  auto& pool = *from<DescriptorPool>(info->descriptorPool);
  const auto* counts = find_next<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) out[i] = VK_NULL_HANDLE;
  const auto take_back = [&](uint32_t made) {
    for (uint32_t k = 0; k < made; ++k) {
      pool.free(from<DescriptorSet>(out[k]));
      out[k] = VK_NULL_HANDLE;
    }
  };
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) {
    DescriptorSet* set = nullptr;
    try {
      const std::shared_ptr<const SetShape>& shape = from<SetLayout>(info->pSetLayouts[i])->shape;
      set = pool.make(shape->variable ? shape->with_last(counts && i < counts->descriptorSetCount ? counts->pDescriptorCounts[i] : 0)
                                      : shape);
    } catch (...) {
      take_back(i);
      throw;
    }
    if (!set) {
      take_back(i);
      return device.out_of_pool();
    }
    out[i] = to_handle(set);
  }
  return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL r5x_FreeDescriptorSets(VkDevice, VkDescriptorPool pool, uint32_t count, const VkDescriptorSet* sets) {
  for (uint32_t i = 0; i < count; ++i)
    if (auto* set = from<DescriptorSet>(sets[i])) from<DescriptorPool>(pool)->free(set);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL r5x_UpdateDescriptorSets(VkDevice, uint32_t write_count, const VkWriteDescriptorSet* writes, uint32_t copy_count,
                                                    const VkCopyDescriptorSet* copies) {
  for (uint32_t i = 0; i < write_count; ++i) from<DescriptorSet>(writes[i].dstSet)->memory.write(writes[i]);
  for (uint32_t i = 0; i < copy_count; ++i) {
    const VkCopyDescriptorSet& c = copies[i];
    from<DescriptorSet>(c.dstSet)->memory.copy(c.dstBinding, c.dstArrayElement, c.descriptorCount, from<DescriptorSet>(c.srcSet)->memory,
                                               c.srcBinding, c.srcArrayElement);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL r5x_CreateBufferView(VkDevice handle, const VkBufferViewCreateInfo* info, const VkAllocationCallbacks* a,
                                                    VkBufferView* out) {
  auto& device = *from<Device>(handle);
  const FormatInfo* f = find_format(info->format);
  constexpr VkFormatFeatureFlags kTexels = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  if (!f || !(device.chip.format_properties(*f).bufferFeatures & kTexels))
    return report_once(&device, VK_ERROR_FORMAT_NOT_SUPPORTED, "vkCreateBufferView: format %u has no texel buffers", info->format);
  *out = to_handle(create<BufferView>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device,
                                      texel_words(*from<Buffer>(info->buffer), info->offset, info->range, *f)));
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL r5x_DestroyBufferView(VkDevice, VkBufferView v, const VkAllocationCallbacks* a) {
  destroy(from<BufferView>(v), a);
}

}  // namespace pumice::icd
