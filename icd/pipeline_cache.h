// SPDX-License-Identifier: MIT
/// VkPipelineCache: a ProgramCache that the application keeps. Pipelines refer to it weakly, because variants for textures are compiled at
/// draws, when the application may have destroyed the cache.
#pragma once
#include "icd/device.h"
#include "icd/program_cache.h"

namespace pumice::icd {

class PipelineCache : public DeviceObject {
 public:
  using Handle = VkPipelineCache;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_PIPELINE_CACHE;
  explicit PipelineCache(Device& d) : DeviceObject(d, kType), programs(std::make_shared<ProgramCache>(*d.chip.compiler_chip)) {}

  const std::shared_ptr<ProgramCache> programs;
};

using CacheUuid = std::array<uint8_t, VK_UUID_SIZE>;
/// VkPhysicalDeviceProperties::pipelineCacheUUID: another one for each build of the driver and each chip.
CacheUuid pipeline_cache_uuid(const ChipInfo& chip);

}  // namespace pumice::icd
