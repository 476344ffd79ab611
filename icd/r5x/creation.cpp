// SPDX-License-Identifier: MIT
#include "icd/r5x/creation.h"

namespace pumice::icd::r5x {

CreationFeedback::CreationFeedback(const void* chain)
    : out_(find_next<VkPipelineCreationFeedbackCreateInfo>(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO)) {}

void CreationFeedback::write(bool of_application_cache) const {
  if (!out_) return;
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - began_).count();
  VkPipelineCreationFeedback& f = *out_->pPipelineCreationFeedback;
  f.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
  if (of_application_cache) f.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  f.duration = static_cast<uint64_t>(took);
  // Stages are compiled together and have no times of their own: not VALID.
  for (uint32_t i = 0; i < out_->pipelineStageCreationFeedbackCount; ++i) out_->pPipelineStageCreationFeedbacks[i] = {};
}

}  // namespace pumice::icd::r5x
