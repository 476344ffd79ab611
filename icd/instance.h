// SPDX-License-Identifier: MIT
/// VkInstance and its debug messengers.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "icd/object.h"

namespace pumice::icd {

class Device;
class PhysicalDevice;

class DebugMessenger : public Object {
 public:
  using Handle = VkDebugUtilsMessengerEXT;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT;
  DebugMessenger(Instance* owner, const VkDebugUtilsMessengerCreateInfoEXT& info) : Object(owner, kType), create_info(info) {}
  VkDebugUtilsMessengerCreateInfoEXT create_info;
};

/// VK_EXT_debug_report.
class DebugReport : public Object {
 public:
  using Handle = VkDebugReportCallbackEXT;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT;
  DebugReport(Instance* owner, const VkDebugReportCallbackCreateInfoEXT& info) : Object(owner, kType), create_info(info) {}
  VkDebugReportCallbackCreateInfoEXT create_info;
};

class Instance : public Object {
 public:
  using Handle = VkInstance;
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_INSTANCE;
  Instance();
  ~Instance();

  InstanceExtensions extensions;
  uint32_t api_version = VK_API_VERSION_1_0;  ///< what the application asks for
  std::vector<std::unique_ptr<PhysicalDevice>> physical_devices;

  void add(DebugMessenger* m);
  void remove(DebugMessenger* m);
  void add(DebugReport* r);
  void remove(DebugReport* r);
  void add(Device* d);
  void remove(Device* d);
  /// Ends what the threads of devices do that the application has not destroyed; their memory is the application's.
  void end_devices();
  /// To callbacks of both extensions.
  void messenger_say(VkDebugUtilsMessageSeverityFlagBitsEXT severity, const Object& about, const std::string& text);

 private:
  std::mutex messenger_mutex_;
  std::vector<DebugMessenger*> messengers_;
  std::vector<DebugReport*> reports_;
  std::mutex devices_mutex_;
  std::vector<Device*> devices_;
};

}  // namespace pumice::icd
