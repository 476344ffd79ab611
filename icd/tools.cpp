// SPDX-License-Identifier: MIT
/// VK_EXT_tooling_info: what of the driver itself observes the application.
#include <cstdio>
#include <vector>

#include "icd/debug.h"
#include "icd/journal.h"
#include "icd/object.h"
#include "icd/version.h"

namespace pumice::icd {
namespace {

/// sType and pNext are the application's.
void write_tool(VkPhysicalDeviceToolProperties& t, const char* name, VkToolPurposeFlags purposes, const char* description) {
  std::snprintf(t.name, sizeof t.name, "%s", name);
  std::snprintf(t.version, sizeof t.version, "%u.%u.%u", VK_API_VERSION_MAJOR(kDriverVersion), VK_API_VERSION_MINOR(kDriverVersion),
                VK_API_VERSION_PATCH(kDriverVersion));
  t.purposes = purposes;
  std::snprintf(t.description, sizeof t.description, "%s", description);
  t.layer[0] = '\0';
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL pm_GetPhysicalDeviceToolProperties(VkPhysicalDevice, uint32_t* count, VkPhysicalDeviceToolProperties* out) {
  struct Tool {
    bool active;
    const char* name;
    VkToolPurposeFlags purposes;
    const char* description;
  };
  const Tool tools[] = {
      {!environment().trace.empty(), "Pumice recording", VK_TOOL_PURPOSE_TRACING_BIT,
       "PUMICE_TRACE: what the chip does, for pumice-replay"},
      {!environment().capture.empty(), "Pumice capture", VK_TOOL_PURPOSE_TRACING_BIT, "PUMICE_CAPTURE: frames as PNG files"},
      {journal_wanted(), "Pumice journal", VK_TOOL_PURPOSE_TRACING_BIT, "the requests that ./pumice doctor shows"}};
  uint32_t n = 0;
  bool all = true;
  for (const Tool& t : tools) {
    if (!t.active) continue;
    if (out && n == *count) {
      all = false;
      break;
    }
    if (out) write_tool(out[n], t.name, t.purposes, t.description);
    ++n;
  }
  *count = n;
  return all ? VK_SUCCESS : VK_INCOMPLETE;
}

}  // namespace pumice::icd
