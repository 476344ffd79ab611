// SPDX-License-Identifier: MIT
// Nothing but colours: how many pixels of the quad the primitive covers, and which of them this one is.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) out vec4 color;
void main() { color = vec4(float(subgroupAdd(1u)) / 255.0, float(gl_SubgroupInvocationID) / 255.0, float(subgroupInclusiveAdd(1u)) / 255.0, 1); }
