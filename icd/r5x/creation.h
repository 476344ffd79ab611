// SPDX-License-Identifier: MIT
/// What applications ask for about the making of pipelines: VK_EXT_pipeline_creation_feedback, VK_EXT_pipeline_creation_cache_control.
#pragma once
#include <chrono>

#include "icd/object.h"

namespace pumice::icd::r5x {

/// Times the making of a pipeline and fills the structure in its chain, if there is one.
class CreationFeedback {
 public:
  explicit CreationFeedback(const void* chain);
  void write(bool of_application_cache) const;

 private:
  const VkPipelineCreationFeedbackCreateInfo* const out_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The result of a call that makes several pipelines: errors come before VK_PIPELINE_COMPILE_REQUIRED.
inline void merge(VkResult& all, VkResult one) {
  if (all == VK_SUCCESS || (one < 0 && all > 0)) all = one;
}

/// Whether a pipeline that was not made ends the call.
inline bool ends_call(VkPipelineCreateFlags flags) { return flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT; }

}  // namespace pumice::icd::r5x
