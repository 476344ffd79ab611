#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vk.xml + vk_pumice.xml + extensions.py -> entry point prototypes, trampolines, the name table and the extension tables.

usage: gen_entrypoints.py VK_XML OUR_XML HEADER SOURCE

Every function of an exposed extension or of core 1.0 gets a weak prototype pm_<Name>. Functions without a definition stay null
and its lookup gives NULL, so an unimplemented function needs no stub. Each defined function is called through a trampoline that
lets no exception cross the API: std::bad_alloc becomes VK_ERROR_OUT_OF_HOST_MEMORY, or a note in the command buffer
that vkEndCommandBuffer returns.

Functions on devices have an implementation for each chip family: <family>_<Name> where it is not pm_<Name> (extensions.SHARED).
vkGetDeviceProcAddr picks. What core Vulkan demands and the family lacks is a refusal: an error with the function's name in it.
"""
import itertools
import sys
import xml.etree.ElementTree as ET

import extensions
from registry import RegistryError, serves_vulkan, text_of

GLOBAL = {"vkCreateInstance", "vkEnumerateInstanceExtensionProperties", "vkEnumerateInstanceLayerProperties", "vkEnumerateInstanceVersion"}


class Command:
    def __init__(self, name, prototype):
        proto = prototype.find("proto")
        self.name = name
        self.target = proto.find("name").text
        self.returns = text_of(proto).replace(self.target, "").strip()
        self.params = []
        for p in prototype.findall("param"):
            if not serves_vulkan(p):
                continue
            pname = p.find("name").text
            self.params.append((" ".join(text_of(p).split()), pname, p.find("type").text))
        self.extension = None
        self.version = (1, 0)  # of core functions

    def is_of(self, family):
        """Whether devices of the family are of a version that has the function."""
        return self.scope != "device" or self.version <= extensions.DEVICE_VERSIONS[family]

    @property
    def impl(self):
        return "pm_" + self.target[2:]

    def impl_of(self, family):
        """The family's own implementation, or None where it is the first one's."""
        if family == extensions.FAMILIES[0] or self.scope != "device" or self.target in extensions.SHARED[family]:
            return None
        return f"{family}_{self.target[2:]}"

    @property
    def own_impls(self):
        return [i for i in map(self.impl_of, filter(self.is_of, extensions.FAMILIES)) if i]

    @property
    def impls(self):
        """All that families use."""
        return dict.fromkeys(self.impl_of(f) or self.impl for f in extensions.FAMILIES if self.is_of(f))

    @property
    def scope(self):
        if self.name in GLOBAL:
            return "global"
        first = self.params[0][2]
        if self.name in ("vkGetInstanceProcAddr",):
            return "global"
        if first == "VkInstance":
            return "instance"
        if first == "VkPhysicalDevice":
            return "physical_device"
        if first in ("VkDevice", "VkQueue", "VkCommandBuffer"):
            return "device"
        raise RegistryError(f"{self.name}: unknown dispatch type {first}")


def load(paths):
    roots = [ET.parse(path).getroot() for path in paths]
    prototypes, alias = {}, {}
    for c in (c for root in roots for c in root.iter("command")):
        if c.get("alias"):
            alias[c.get("name")] = c.get("alias")
        elif c.find("proto") is not None:
            prototypes[c.find("proto/name").text] = c

    def prototype(name):
        while name in alias:
            name = alias[name]
        if name not in prototypes:
            raise RegistryError(f"{name} has no prototype")
        return prototypes[name]

    commands = []
    exposed = set(extensions.INSTANCE) | set(extensions.DEVICE)
    versions = {f.get("number"): f for root in roots for f in root.findall("feature") if serves_vulkan(f)}
    number_of = {f.get("name"): tuple(map(int, n.split("."))) for n, f in versions.items()}
    for number, version in sorted((tuple(map(int, n.split("."))), n) for n in versions):
        for name in (c.get("name") for r in versions[version].findall("require") if serves_vulkan(r) for c in r.findall("command")):
            command = Command(name, prototype(name))
            command.version = number
            if number <= (extensions.INSTANCE_VERSION if command.scope != "device" else max(extensions.DEVICE_VERSIONS.values())):
                commands.append(command)
    for wanted in (*extensions.DEVICE_VERSIONS.values(), extensions.INSTANCE_VERSION):
        if "{}.{}".format(*wanted) not in versions:
            raise RegistryError(f"Vulkan {wanted} is not in the registry")
    rows = {}
    for e in (e for root in roots for e in root.find("extensions")):
        name = e.get("name")
        if name not in exposed:
            continue
        kind = e.get("type")
        if (kind == "instance") != (name in extensions.INSTANCE):
            raise RegistryError(f"{name} is a {kind} extension")
        version = None
        for r in e.findall("require"):
            for en in r.findall("enum"):
                if en.get("name", "").endswith("_SPEC_VERSION") and en.get("value") and version is None:
                    version = int(en.get("value"))
            later = number_of[r.get("feature")] if r.get("feature") else (1, 0)
            if (r.get("extension") and r.get("extension") not in exposed) or later > max(extensions.DEVICE_VERSIONS.values()) or r.get("depends"):
                continue
            for c in r.findall("command"):
                command = Command(c.get("name"), prototype(c.get("name")))
                command.extension = name
                command.version = later
                commands.append(command)
        rows[name] = version
    missing = exposed - set(rows)
    if missing:
        raise RegistryError(f"not in the registry: {', '.join(sorted(missing))}")
    for family, shared in extensions.SHARED.items():
        unknown = set(shared) - {c.target for c in commands}
        if unknown:
            raise RegistryError(f"SHARED[{family}] names what no exposed extension has: {', '.join(sorted(unknown))}")
    return commands, rows


def implementations(commands):
    """{implementation: a command that is called by it}: a function may have several names, of which not all are for every family."""
    return {impl: c for c in commands for impl in c.impls}


def ident(extension):
    return extension[3:]  # KHR_surface


def write_header(out, commands, rows):
    out.append("// Generated by icd/gen/gen_entrypoints.py from vk.xml and icd/gen/extensions.py. Do not edit.")
    out.append("#pragma once")
    out.append("#include <vulkan/vulkan.h>")
    out.append("#include <pumice/vulkan_pumice_rdp.h>")
    out.append("#include <bitset>\n#include <cstdint>\n#include <span>")
    out.append("namespace pumice::icd {")
    def version(number):
        return "VK_MAKE_API_VERSION(0, {}, {}, VK_HEADER_VERSION)".format(*number)
    out.append(f"inline constexpr uint32_t kInstanceVersion = {version(extensions.INSTANCE_VERSION)};")
    for kind, names in (("Instance", extensions.INSTANCE), ("Device", extensions.DEVICE)):
        out.append(f"enum class {kind}Extension : uint8_t {{ {', '.join(ident(n) for n in names)}, count_ }};")
        out.append(f"using {kind}Extensions = std::bitset<static_cast<size_t>({kind}Extension::count_)>;")
        out.append(f"extern const VkExtensionProperties k{kind}Extensions[{len(names)}];")
    out.append(f"enum class ChipFamily : uint8_t {{ {', '.join(extensions.FAMILIES)} }};")
    rows = ", ".join(version(extensions.DEVICE_VERSIONS[f]) for f in extensions.FAMILIES)
    out.append("/// VkPhysicalDeviceProperties::apiVersion of a family's devices.")
    out.append(f"constexpr uint32_t device_version(ChipFamily family) {{\n  constexpr uint32_t kVersions[] = {{{rows}}};")
    out.append("  return kVersions[static_cast<unsigned>(family)];\n}")
    out.append("/// Whether devices of a family have the extension.")
    out.append("bool extension_of(ChipFamily family, DeviceExtension extension);")
    out.append("enum class Scope : uint8_t { global, instance, physical_device, device };")
    out.append("/// The function to call for `name`, or null when it is unknown, unimplemented or of an extension that is not enabled.")
    out.append("/// Null sets: every exposed extension counts as enabled. Null family: that of any family, to know whether there is one.")
    out.append("PFN_vkVoidFunction find_entry(const char* name, Scope at_least, const InstanceExtensions* instance, const DeviceExtensions* device,")
    out.append("                              const ChipFamily* family);")
    for impl, c in implementations(commands).items():
        out.append(f"VKAPI_ATTR {c.returns} VKAPI_CALL {impl}({', '.join(p[0] for p in c.params)}) __attribute__((weak, visibility(\"hidden\")));")
    out.append("}")


def write_trampoline(out, c, impl):
    args = ", ".join(p[1] for p in c.params)
    out.append(f"VKAPI_ATTR {c.returns} VKAPI_CALL tr_{impl}({', '.join(p[0] for p in c.params)}) noexcept {{")
    out.append("  try {")
    out.append(f"    return {impl}({args});")
    out.append("  } catch (...) {")
    if c.returns == "VkResult":
        out.append(f'    return guard_result("{c.name}");')
    elif c.params[0][2] == "VkCommandBuffer":
        out.append(f'    guard_command({c.params[0][1]}, "{c.name}");')
    else:
        out.append(f'    guard_void("{c.name}");')
        if c.returns != "void":
            out.append("    return {};")
    out.append("  }")
    out.append("}")


def write_refusal(out, c):
    """What stands for a function that a device does not have. Destroying nothing is no failure."""
    first = c.params[0][1]
    out.append(f"VKAPI_ATTR {c.returns} VKAPI_CALL no_{c.impl}({', '.join(p[0] for p in c.params)}) noexcept {{")
    for p in c.params[1:]:
        out.append(f"  (void){p[1]};")
    if c.returns == "VkResult":
        out.append(f'  return refuse_result({first}, "{c.name}");')
    elif c.params[0][2] == "VkCommandBuffer":
        out.append(f'  refuse_command({first}, "{c.name}");')
    elif c.name.startswith(("vkDestroy", "vkFree")):
        out.append(f"  (void){first};")
    else:
        out.append(f'  (void)refuse_result({first}, "{c.name}");')
        if c.returns != "void":
            out.append("  return {};")
    out.append("}")


PLACE_BITS = 11


def name_places(names):
    """A hash table of indices + 1, open addressing, sparsely filled: loaders look up 1,500 names at start, most of which do not exist.
    The hash (find_entry has it in C++) looks at a name's length, its last eight bytes and eight in the middle."""
    size = 1 << PLACE_BITS
    if 4 * len(names) > size or min(map(len, names)) < 8:
        raise RegistryError(f"{len(names)} names, the shortest of {min(map(len, names))} bytes, do not fit the hash table of {size}")
    places = [0] * size
    for i, name in enumerate(names):
        text = name.encode()
        middle, last = (int.from_bytes(text[at:at + 8], sys.byteorder) for at in ((len(text) - 8) // 2, len(text) - 8))
        h = ((middle * 0x9E3779B97F4A7C15) ^ (last + len(text))) * 0xD6E8FEB86659FD93 % 2**64 >> 64 - PLACE_BITS
        while places[h]:
            h = (h + 1) % size
        places[h] = i + 1
    return places


def write_source(out, commands, rows):
    out.append("// Generated by icd/gen/gen_entrypoints.py. Do not edit.")
    out.append('#include "icd/entrypoints.h"')
    out.append("#include <cstring>\n#include <new>")
    out.append('#include "icd/abi_guard.h"')
    out.append("namespace pumice::icd {")
    for kind, names in (("Instance", extensions.INSTANCE), ("Device", extensions.DEVICE)):
        body = ", ".join(f'{{"{n}", {rows[n]}}}' for n in names)
        out.append(f"const VkExtensionProperties k{kind}Extensions[{len(names)}] = {{{body}}};")
    masks = [sum(1 << extensions.FAMILIES.index(f) for f in families) for families in extensions.DEVICE.values()]
    out.append("bool extension_of(ChipFamily family, DeviceExtension extension) {")
    out.append(f"  constexpr uint8_t kFamilies[] = {{{', '.join(map(str, masks))}}};")
    out.append("  return kFamilies[static_cast<size_t>(extension)] >> static_cast<unsigned>(family) & 1;")
    out.append("}")
    out.append("namespace {")
    for impl, c in implementations(commands).items():
        write_trampoline(out, c, impl)
    refused = {c.impl: c for c in commands if c.own_impls and c.extension not in extensions.DEVICE}
    for c in refused.values():
        write_refusal(out, c)
    # Pointers in tables are relocated when the library is loaded, which is part of an application's start: a switch has none, and entries have numbers.
    functions = {impl: i for i, impl in enumerate(implementations(commands), 1)}
    refusals = {impl: i for i, impl in enumerate(refused, 1)}
    out.append("struct Function {")
    out.append("  PFN_vkVoidFunction trampoline;")
    out.append("  const void* implementation;  // null: the weak symbol has no definition")
    out.append("};")
    out.append("#define PM_IMPL(impl) Function{reinterpret_cast<PFN_vkVoidFunction>(tr_##impl), reinterpret_cast<const void*>(&impl)}")
    out.append("Function function(uint16_t number) {")
    out.append("  switch (number) {")
    out += [f"    case {i}: return PM_IMPL({impl});" for impl, i in functions.items()]
    out.append("    default: return {nullptr, nullptr};")
    out.append("  }")
    out.append("}")
    out.append("PFN_vkVoidFunction refusal(uint16_t number) {")
    out.append("  switch (number) {")
    out += [f"    case {i}: return (PFN_vkVoidFunction)(no_{impl});" for impl, i in refusals.items()]
    out.append("    default: return nullptr;")
    out.append("  }")
    out.append("}")
    out.append("struct Entry {")
    out.append(f"  uint16_t function[{len(extensions.FAMILIES)}];  // of function(), by ChipFamily; 0: of a later version than the family's devices")
    out.append("  uint16_t refusal;  // of refusal()")
    out.append("  Scope scope;")
    out.append("  int8_t instance_extension, device_extension;  // -1: core")
    out.append("  uint16_t name;  // in kNames: pointers would have to be relocated")
    out.append("};")
    out.append("const Entry kEntries[] = {  // sorted by name")
    names = sorted(c.name for c in commands)
    starts = [0, *itertools.accumulate(len(name) + 1 for name in names)]
    for c, start in zip(sorted(commands, key=lambda x: x.name), starts):
        ie = extensions.INSTANCE.index(c.extension) if c.extension in extensions.INSTANCE else -1
        de = list(extensions.DEVICE).index(c.extension) if c.extension in extensions.DEVICE else -1
        refusal = refusals[c.impl] if c.own_impls and de < 0 else 0
        impls = ", ".join(str(functions[c.impl_of(f) or c.impl]) if c.is_of(f) else "0" for f in extensions.FAMILIES)
        out.append(f'    {{{{{impls}}}, {refusal}, Scope::{c.scope}, {ie}, {de}, {start}}},')
    out.append("};")
    out.append("constexpr char kNames[] =" + "".join(f'\n    "{name}\\0"' for name in names) + ";")
    out.append(f"constexpr uint32_t kPlaceBits = {PLACE_BITS};")
    out.append("const uint16_t kPlace[1 << kPlaceBits] = {  // open addressing: index + 1 of the entry whose name's hash leads there, 0 = none")
    out.append(f"    {', '.join(map(str, name_places(names)))}}};")
    out.append("""uint64_t eight_bytes(const char* at) {
  uint64_t bytes;
  std::memcpy(&bytes, at, 8);
  return bytes;
}""")
    out.append("}")
    out.append("""PFN_vkVoidFunction find_entry(const char* name, Scope at_least, const InstanceExtensions* instance, const DeviceExtensions* device,
                              const ChipFamily* family) {
  const size_t n = std::strlen(name);
  if (n < 8) return nullptr;
  const uint64_t hash = ((eight_bytes(name + (n - 8) / 2) * 0x9E3779B97F4A7C15u) ^ (eight_bytes(name + n - 8) + n)) * 0xD6E8FEB86659FD93u;
  const Entry* e;
  for (uint32_t place = static_cast<uint32_t>(hash >> (64 - kPlaceBits));; place = (place + 1) % (1 << kPlaceBits)) {
    if (!kPlace[place]) return nullptr;
    e = &kEntries[kPlace[place] - 1];
    if (!std::strcmp(&kNames[e->name], name)) break;
  }
  if (e->scope < at_least) return nullptr;
  if (e->instance_extension >= 0 && instance && !(*instance)[static_cast<size_t>(e->instance_extension)]) return nullptr;
  if (e->device_extension >= 0 && device && !(*device)[static_cast<size_t>(e->device_extension)]) return nullptr;
  if (family) {
    const Function own = function(e->function[static_cast<size_t>(*family)]);
    if (own.implementation) return own.trampoline;
    return own.trampoline && function(e->function[0]).implementation ? refusal(e->refusal) : nullptr;  // of the first family: what it lacks is no function at all
  }
  for (const uint16_t i : e->function)
    if (const Function f = function(i); f.implementation) return f.trampoline;
  return nullptr;
}
}""")


def main():
    commands, rows = load(sys.argv[1:3])
    unique = {}
    for c in commands:
        unique.setdefault(c.name, c)
    commands = list(unique.values())
    for path, writer in ((sys.argv[3], write_header), (sys.argv[4], write_source)):
        out = []
        writer(out, commands, rows)
        with open(path, "w") as f:
            f.write("\n".join(out) + "\n")


try:
    main()
except RegistryError as err:
    sys.exit(f"vulkan registry: {err}")
