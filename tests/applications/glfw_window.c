// SPDX-License-Identifier: MIT
// GLFW as tutorials use it: a Vulkan surface from glfwCreateWindowSurface, FIFO, two frames in flight, 300 frames of cleared rectangles.
// Prints the frames per second.
#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFrames = 300, kInFlight = 2, kMostImages = 8 };

static void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "glfw_window: error: %s: VkResult %d\n", what, result);
  exit(1);
}

int main(void) {
  if (!glfwInit() || !glfwVulkanSupported()) {
    fprintf(stderr, "glfw_window: error: no GLFW with Vulkan\n");
    return 1;
  }
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  GLFWwindow* window = glfwCreateWindow(640, 480, "GLFW", NULL, NULL);
  uint32_t count = 0;
  const char** extensions = glfwGetRequiredInstanceExtensions(&count);
  const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "glfw_window", .apiVersion = VK_API_VERSION_1_0};
  const VkInstanceCreateInfo instance_info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app, .enabledExtensionCount = count, .ppEnabledExtensionNames = extensions};
  VkInstance instance;
  check(vkCreateInstance(&instance_info, NULL, &instance), "vkCreateInstance");
  VkSurfaceKHR surface;
  check(glfwCreateWindowSurface(instance, window, NULL, &surface), "glfwCreateWindowSurface");
  VkPhysicalDevice physical;
  count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical);
  check(found == VK_INCOMPLETE ? VK_SUCCESS : found, "vkEnumeratePhysicalDevices");
  if (!count || !glfwGetPhysicalDevicePresentationSupport(instance, physical, 0)) {
    fprintf(stderr, "glfw_window: error: the device cannot present\n");
    return 1;
  }
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  const char* swapchain_extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                          .queueCreateInfoCount = 1,
                                          .pQueueCreateInfos = &queue_info,
                                          .enabledExtensionCount = 1,
                                          .ppEnabledExtensionNames = &swapchain_extension};
  VkDevice device;
  check(vkCreateDevice(physical, &device_info, NULL, &device), "vkCreateDevice");
  VkQueue queue;
  vkGetDeviceQueue(device, 0, 0, &queue);

  VkSurfaceCapabilitiesKHR caps;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &caps), "surface capabilities");
  VkBool32 supported;
  check(vkGetPhysicalDeviceSurfaceSupportKHR(physical, 0, surface, &supported), "surface support");
  int width, height;
  glfwGetFramebufferSize(window, &width, &height);
  const VkExtent2D extent = {(uint32_t)width, (uint32_t)height};
  const VkSwapchainCreateInfoKHR swapchain_info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                                   .surface = surface,
                                                   .minImageCount = caps.minImageCount,
                                                   .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                                   .imageExtent = extent,
                                                   .imageArrayLayers = 1,
                                                   .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                                   .preTransform = caps.currentTransform,
                                                   .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                                   .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                                   .clipped = VK_TRUE};
  VkSwapchainKHR swapchain;
  check(vkCreateSwapchainKHR(device, &swapchain_info, NULL, &swapchain), "vkCreateSwapchainKHR");
  VkImage images[kMostImages];
  count = kMostImages;
  check(vkGetSwapchainImagesKHR(device, swapchain, &count, images), "vkGetSwapchainImagesKHR");
  const VkAttachmentDescription attachment = {.format = VK_FORMAT_B8G8R8A8_UNORM,
                                              .samples = VK_SAMPLE_COUNT_1_BIT,
                                              .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                              .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
  const VkRenderPassCreateInfo pass_info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment, .subpassCount = 1, .pSubpasses = &subpass};
  VkRenderPass pass;
  check(vkCreateRenderPass(device, &pass_info, NULL, &pass), "vkCreateRenderPass");
  VkImageView views[kMostImages];
  VkFramebuffer framebuffers[kMostImages];
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = images[i],
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_B8G8R8A8_UNORM,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    check(vkCreateImageView(device, &view, NULL, &views[i]), "vkCreateImageView");
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = pass,
                                                 .attachmentCount = 1,
                                                 .pAttachments = &views[i],
                                                 .width = extent.width,
                                                 .height = extent.height,
                                                 .layers = 1};
    check(vkCreateFramebuffer(device, &framebuffer, NULL, &framebuffers[i]), "vkCreateFramebuffer");
  }
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  VkCommandPool pool;
  check(vkCreateCommandPool(device, &pool_info, NULL, &pool), "vkCreateCommandPool");
  VkCommandBuffer commands[kInFlight];
  const VkCommandBufferAllocateInfo commands_info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = kInFlight};
  check(vkAllocateCommandBuffers(device, &commands_info, commands), "vkAllocateCommandBuffers");
  VkSemaphore acquired[kInFlight], drawn[kMostImages];
  VkFence fences[kInFlight];
  const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
  for (int i = 0; i < kInFlight; ++i) {
    check(vkCreateSemaphore(device, &semaphore, NULL, &acquired[i]), "vkCreateSemaphore");
    check(vkCreateFence(device, &fence, NULL, &fences[i]), "vkCreateFence");
  }
  for (uint32_t i = 0; i < count; ++i) check(vkCreateSemaphore(device, &semaphore, NULL, &drawn[i]), "vkCreateSemaphore");

  const double begin = glfwGetTime();
  int frame = 0;
  for (; frame < kFrames && !glfwWindowShouldClose(window); ++frame) {
    glfwPollEvents();
    const int slot = frame % kInFlight;
    check(vkWaitForFences(device, 1, &fences[slot], VK_TRUE, UINT64_MAX), "vkWaitForFences");
    check(vkResetFences(device, 1, &fences[slot]), "vkResetFences");
    uint32_t image;
    check(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired[slot], VK_NULL_HANDLE, &image), "vkAcquireNextImageKHR");
    const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkClearValue back = {.color = {.float32 = {0.1f, 0.2f, 0.4f, 1}}};
    const VkRenderPassBeginInfo pass_begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                              .renderPass = pass,
                                              .framebuffer = framebuffers[image],
                                              .renderArea = {{0, 0}, extent},
                                              .clearValueCount = 1,
                                              .pClearValues = &back};
    check(vkBeginCommandBuffer(commands[slot], &begin_info), "vkBeginCommandBuffer");
    vkCmdBeginRenderPass(commands[slot], &pass_begin, VK_SUBPASS_CONTENTS_INLINE);
    for (int i = 0; i < 8; ++i) {
      const VkClearAttachment color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {.float32 = {0.1f * (float)i, 0.8f - 0.1f * (float)i, 0.5f, 1}}}};
      const VkClearRect rect = {{{20 + 70 * i, 40 + 40 * i}, {60, 60}}, 0, 1};
      vkCmdClearAttachments(commands[slot], 1, &color, 1, &rect);
    }
    vkCmdEndRenderPass(commands[slot]);
    check(vkEndCommandBuffer(commands[slot]), "vkEndCommandBuffer");
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &acquired[slot],
                                 .pWaitDstStageMask = &stage,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands[slot],
                                 .signalSemaphoreCount = 1,
                                 .pSignalSemaphores = &drawn[image]};
    check(vkQueueSubmit(queue, 1, &submit, fences[slot]), "vkQueueSubmit");
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &drawn[image],
                                      .swapchainCount = 1,
                                      .pSwapchains = &swapchain,
                                      .pImageIndices = &image};
    check(vkQueuePresentKHR(queue, &present), "vkQueuePresentKHR");
  }
  check(vkDeviceWaitIdle(device), "vkDeviceWaitIdle");
  printf("glfw_window: %.1f frames per second\n", frame / (glfwGetTime() - begin));
  // The window stays a second, so that its picture can be taken.
  for (const double end = glfwGetTime() + 1; glfwGetTime() < end;) glfwPollEvents();

  for (int i = 0; i < kInFlight; ++i) {
    vkDestroyFence(device, fences[i], NULL);
    vkDestroySemaphore(device, acquired[i], NULL);
  }
  for (uint32_t i = 0; i < count; ++i) {
    vkDestroySemaphore(device, drawn[i], NULL);
    vkDestroyFramebuffer(device, framebuffers[i], NULL);
    vkDestroyImageView(device, views[i], NULL);
  }
  vkDestroyCommandPool(device, pool, NULL);
  vkDestroyRenderPass(device, pass, NULL);
  vkDestroySwapchainKHR(device, swapchain, NULL);
  vkDestroyDevice(device, NULL);
  vkDestroySurfaceKHR(instance, surface, NULL);
  vkDestroyInstance(instance, NULL);
  glfwDestroyWindow(window);
  glfwTerminate();
  return 0;
}
