# SPDX-License-Identifier: MIT
"""What the generators read from the Vulkan registry (vk.xml and our own vk_pumice.xml)."""


class RegistryError(Exception):
    pass


def text_of(element):
    return "".join(element.itertext())


def serves_vulkan(element):
    api = element.get("api")
    return api is None or "vulkan" in api.split(",")


def enum_values(roots, group):
    """{name: value} of an enumeration or of a type of flag bits, extensions included, aliases left out."""
    values = {}

    def add(e, number):
        if e.get("alias") or not serves_vulkan(e):
            return
        if e.get("bitpos") is not None:
            value = 1 << int(e.get("bitpos"))
        elif e.get("value") is not None:
            value = int(e.get("value"), 0)
        else:
            value = 1000000000 + (int(e.get("extnumber", number)) - 1) * 1000 + int(e.get("offset"))
            value = -value if e.get("dir") == "-" else value
        values.setdefault(e.get("name"), value)

    for root in roots:
        for enums in root.findall("enums"):
            if enums.get("name") == group:
                for e in enums.findall("enum"):
                    add(e, 0)
        for owner in [*root.findall("feature"), *root.find("extensions")]:
            for e in owner.iter("enum"):
                if e.get("extends") == group:
                    add(e, owner.get("number", 0))
    if not values:
        raise RegistryError(f"no enumeration {group}")
    return values


def structures(roots):
    """{VK_STRUCTURE_TYPE_...: name of the structure}."""
    found = {}
    for root in roots:
        for t in root.iter("type"):
            if t.get("category") != "struct" or t.get("alias"):
                continue
            for member in t.findall("member"):
                if member.find("name").text == "sType" and member.get("values"):
                    found[member.get("values")] = t.get("name")
    return found


def members(roots, structure):
    """Names of a structure's members, in order."""
    for root in roots:
        for t in root.iter("type"):
            if t.get("category") == "struct" and t.get("name") == structure:
                return [m.find("name").text for m in t.findall("member") if serves_vulkan(m)]
    raise RegistryError(f"no structure {structure}")
