// SPDX-License-Identifier: MIT
/// VkCommandBuffer of an RDP: what the queue's thread does, in order. The vkCmd* functions are in rdp/cmd_*.cpp.
#pragma once
#include <functional>
#include <vector>

#include "icd/commands.h"

namespace pumice::icd {

class RdpDevice;

class RdpCommandBuffer : public Commands {
 public:
  using Commands::Commands;

  void reset() override {
    steps.clear();
    status = VK_SUCCESS;
  }

  std::vector<std::function<void(RdpDevice&)>> steps;
};

}  // namespace pumice::icd
