// SPDX-License-Identifier: MIT
/// VK_EXT_calibrated_timestamps. The chip's clock is the host's monotonic one (docs/r5x.md, 9), so its time is the host's.
#include <algorithm>
#include <ctime>
#include <optional>

#include "icd/device.h"

namespace pumice::icd {
namespace {

constexpr VkTimeDomainEXT kDomains[] = {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                        VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT};

uint64_t nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

std::optional<clockid_t> clock_of(VkTimeDomainEXT domain) {
  switch (domain) {
    case VK_TIME_DOMAIN_DEVICE_EXT:
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT: return CLOCK_MONOTONIC;
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT: return CLOCK_MONOTONIC_RAW;
    default: return std::nullopt;
  }
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice device, uint32_t* count,
                                                                               VkTimeDomainEXT* out) {
  // Other chips write no timestamps.
  const bool has = extension_of(from<PhysicalDevice>(device)->chip.family, DeviceExtension::EXT_calibrated_timestamps);
  return write_list(count, out, kDomains, has ? static_cast<uint32_t>(std::size(kDomains)) : 0);
}

VKAPI_ATTR VkResult VKAPI_CALL pm_GetCalibratedTimestampsEXT(VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT* infos,
                                                             uint64_t* timestamps, uint64_t* deviation) {
  const uint64_t begin = nanoseconds(CLOCK_MONOTONIC);
  for (uint32_t i = 0; i < count; ++i) {
    const auto clock = clock_of(infos[i].timeDomain);
    if (!clock)
      return report_once(from<Device>(device), VK_ERROR_FEATURE_NOT_PRESENT,
                         "vkGetCalibratedTimestampsEXT: time domain %d is none of the device's", static_cast<int>(infos[i].timeDomain));
    timestamps[i] = nanoseconds(*clock);
  }
  *deviation = nanoseconds(CLOCK_MONOTONIC) - begin + 1;  // the clocks' own steps
  return VK_SUCCESS;
}

}  // namespace pumice::icd
