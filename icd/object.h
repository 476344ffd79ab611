// SPDX-License-Identifier: MIT
/// What every Vulkan object of the driver begins with, handle casts, creation with the application's allocator, and report().
#pragma once
#include <vulkan/vk_icd.h>

#include <cassert>
#include <cstdarg>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "icd/entrypoints.h"

namespace pumice::icd {

class Instance;
class Device;

/// The loader patches its dispatch table over the first word of dispatchable objects, so it stands first in all of them.
struct Object {
  VK_LOADER_DATA loader_data{};
  VkObjectType type;
  Instance* instance;
  std::string name;  ///< given by vkSetDebugUtilsObjectNameEXT; empty else

  Object(Instance* owner, VkObjectType object_type) : type(object_type), instance(owner) { set_loader_magic_value(this); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

/// An object of a device. The device counts them, to name leaks when it goes.
struct DeviceObject : Object {
  Device& device;
  DeviceObject(Device& owner, VkObjectType object_type);
  ~DeviceObject();
};

/// T::Handle is the Vulkan handle type, T::kType the object type. A handle is the address of the Object, which in classes with virtual
/// functions is not that of the whole.
template <class T>
T* from(typename T::Handle handle) {
  auto* object = (Object*)(uintptr_t)handle;
  assert(!object || object->type == T::kType);
  return static_cast<T*>(object);
}
template <class T>
typename T::Handle to_handle(T* object) {
  return (typename T::Handle)(uintptr_t) static_cast<Object*>(object);
}

inline void* host_allocate(const VkAllocationCallbacks* a, size_t size, size_t align, VkSystemAllocationScope scope) {
  if (a) return a->pfnAllocation(a->pUserData, size, align, scope);
  return ::operator new(size, std::align_val_t(align), std::nothrow);
}
inline void host_free(const VkAllocationCallbacks* a, void* memory, size_t align) {
  if (a)
    a->pfnFree(a->pUserData, memory);
  else
    ::operator delete(memory, std::align_val_t(align));
}

/// Null when the host is out of memory. Constructors may throw; the memory goes back then.
template <class T, class... Args>
T* create(const VkAllocationCallbacks* allocator, VkSystemAllocationScope scope, Args&&... args) {
  void* memory = host_allocate(allocator, sizeof(T), alignof(T), scope);
  if (!memory) throw std::bad_alloc();
  try {
    return new (memory) T(std::forward<Args>(args)...);
  } catch (...) {
    host_free(allocator, memory, alignof(T));
    throw;
  }
}
template <class T>
void destroy(T* object, const VkAllocationCallbacks* allocator) {
  if (!object) return;
  object->~T();
  host_free(allocator, object, alignof(T));
}

/// An object that goes unless it is released: an exception may come before its handle is the application's.
template <class T>
class Created {
 public:
  Created(T* object, const VkAllocationCallbacks* allocator) : object_(object), allocator_(allocator) {}
  Created(const Created&) = delete;
  Created& operator=(const Created&) = delete;
  ~Created() { destroy(object_, allocator_); }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  T* release() { return std::exchange(object_, nullptr); }

 private:
  T* object_;
  const VkAllocationCallbacks* allocator_;
};

/// Says on stderr (PUMICE_DEBUG) and to debug messengers why a call fails, and returns the result: `return report(obj, RESULT, "...")`.
[[gnu::format(printf, 3, 4)]] VkResult report(const Object* object, VkResult result, const char* format, ...);
/// As report(), but the same text is printed only once per process: for requests that applications repeat.
[[gnu::format(printf, 3, 4)]] VkResult report_once(const Object* object, VkResult result, const char* format, ...);
/// Says, once per process, what is no failure yet but may be why the application gives up.
[[gnu::format(printf, 2, 3)]] void warn_once(const Object* object, const char* format, ...);
/// Says that the application does what Vulkan forbids; the driver goes on as the text says.
[[gnu::format(printf, 2, 3)]] void misuse(const Object* object, const char* format, ...);
/// How messages name an object: "VkSemaphore 0x55..", and its name from vkSetDebugUtilsObjectNameEXT.
std::string describe(const Object& object);
/// Something worth knowing that is no failure of a call.
[[gnu::format(printf, 2, 3)]] void note(const Object* object, const char* format, ...);

/// The two-call idiom of every enumeration.
template <class T>
VkResult write_list(uint32_t* count, T* out, const T* list, uint32_t size) {
  if (!out) {
    *count = size;
    return VK_SUCCESS;
  }
  const uint32_t n = *count < size ? *count : size;
  for (uint32_t i = 0; i < n; ++i) out[i] = list[i];
  *count = n;
  return n < size ? VK_INCOMPLETE : VK_SUCCESS;
}

/// The structure of type `s` in a pNext chain, or null.
template <class T>
const T* find_next(const void* next, VkStructureType s) {
  for (auto* b = static_cast<const VkBaseInStructure*>(next); b; b = b->pNext)
    if (b->sType == s) return reinterpret_cast<const T*>(b);
  return nullptr;
}

}  // namespace pumice::icd
