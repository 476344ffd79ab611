// SPDX-License-Identifier: MIT
#include "icd/pipeline_cache.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "icd/debug.h"

namespace pumice::icd {
namespace {

/// The linker's build identity of the object that `inside` lies in.
struct BuildId {
  uintptr_t inside = 0;
  std::span<const uint8_t> id;
};

int find_build_id(dl_phdr_info* object, size_t, void* data) {
  auto& wanted = *static_cast<BuildId*>(data);
  const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
  const bool here = std::any_of(headers.begin(), headers.end(), [&](const auto& p) {
    return p.p_type == PT_LOAD && wanted.inside - (object->dlpi_addr + p.p_vaddr) < p.p_memsz;
  });
  if (!here) return 0;
  for (const auto& p : headers) {
    if (p.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const uint8_t*>(object->dlpi_addr + p.p_vaddr);
    size_t left = p.p_memsz;
    const auto padded = [&p](size_t n) {
      const size_t align = p.p_align == 8 ? 8 : 4;
      return (n + align - 1) & ~(align - 1);
    };
    ElfW(Nhdr) note;
    while (left >= sizeof note) {
      std::memcpy(&note, at, sizeof note);
      const size_t description = sizeof note + ((size_t{note.n_namesz} + 3) & ~size_t{3}), end = padded(description + note.n_descsz);
      if (end > left) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !std::memcmp(at + sizeof note, "GNU", 4)) {
        wanted.id = {at + description, note.n_descsz};
        return 1;
      }
      at += end;
      left -= end;
    }
  }
  return 1;
}

compiler::Digest driver_build() {
  BuildId b;
  b.inside = reinterpret_cast<uintptr_t>(&pipeline_cache_uuid);
  dl_iterate_phdr(find_build_id, &b);
  compiler::Hasher h;
  const uint8_t version[] = {'p',
                             'u',
                             'm',
                             'i',
                             'c',
                             'e',
                             static_cast<uint8_t>(compiler::kCompilerVersion),
                             static_cast<uint8_t>(compiler::kCompilerVersion >> 8)};
  h.add(version);
  h.add(b.id);
  return h.finish();
}

ProgramCache::Header header_of(Device& device) {
  VkPhysicalDeviceProperties p;
  pm_GetPhysicalDeviceProperties(to_handle(&device.physical), &p);
  ProgramCache::Header h{};
  const uint32_t words[4] = {static_cast<uint32_t>(h.size()), VK_PIPELINE_CACHE_HEADER_VERSION_ONE, p.vendorID, p.deviceID};
  for (size_t i = 0; i < 16; ++i) h[i] = static_cast<uint8_t>(words[i / 4] >> (8 * (i % 4)));
  std::copy_n(p.pipelineCacheUUID, VK_UUID_SIZE, h.begin() + 16);
  return h;
}

}  // namespace

CacheUuid pipeline_cache_uuid(const ChipInfo& chip) {
  static const compiler::Digest build = driver_build();
  CacheUuid uuid;
  std::copy_n(build.begin(), uuid.size(), uuid.begin());
  for (size_t i = 0; i < 4; ++i) uuid[12 + i] = static_cast<uint8_t>(uuid[12 + i] ^ chip.device_id >> (8 * i));
  return uuid;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_CreatePipelineCache(VkDevice handle, const VkPipelineCacheCreateInfo* info,
                                                      const VkAllocationCallbacks* a, VkPipelineCache* out) {
  auto& device = *from<Device>(handle);
  auto* cache = create<PipelineCache>(a, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, device);
  if (info->initialDataSize) {
    const char* why = nullptr;
    try {
      why = cache->programs->load(header_of(device), {static_cast<const uint8_t*>(info->pInitialData), info->initialDataSize});
    } catch (...) {
      destroy(cache, a);
      throw;
    }
    // Not worth a note by default: it happens at every update of the driver.
    if (environment().on(Debug::stats))
      std::fprintf(stderr, "pumice: pipeline cache: %zu programs%s%s\n", cache->programs->size(), why ? "; ignored " : "", why ? why : "");
  }
  *out = to_handle(cache);
  return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL pm_DestroyPipelineCache(VkDevice, VkPipelineCache c, const VkAllocationCallbacks* a) {
  destroy(from<PipelineCache>(c), a);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t* size, void* data) {
  const bool all = from<PipelineCache>(cache)->programs->save(header_of(*from<Device>(device)), *size, static_cast<uint8_t*>(data));
  return all ? VK_SUCCESS : VK_INCOMPLETE;
}

VKAPI_ATTR VkResult VKAPI_CALL pm_MergePipelineCaches(VkDevice, VkPipelineCache to, uint32_t count, const VkPipelineCache* list) {
  for (uint32_t i = 0; i < count; ++i) from<PipelineCache>(to)->programs->merge(*from<PipelineCache>(list[i])->programs);
  return VK_SUCCESS;
}

}  // namespace pumice::icd
