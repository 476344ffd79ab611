# SPDX-License-Identifier: MIT
"""The manifest of the Vulkan driver that a run uses, and the environment that makes the loader take it and no other."""
import glob
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = "pumice"

# Where packages put manifests, in the loader's order.
FOLDERS = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
CHROMIUM = "/usr/lib/chromium"  # chromium-common brings SwiftShader, outside of those
KNOWN = {  # folders, pattern of the manifest, the package that has it
    "lavapipe": (FOLDERS, "lvp_icd*.json", "mesa-vulkan-drivers"),
    "swiftshader": ((*FOLDERS, CHROMIUM), "*[sS]wift[sS]hader*.json", "chromium-common"),
}
VARIABLES = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")  # loaders before 1.3.207 read the second


class DriverError(Exception):
    pass


def our_manifest(base):
    path = os.path.join(base.get("PUMICE_BUILD_DIR") or os.path.join(TOP, "build"), "json", "pumice_devel_icd.json")
    if not os.path.isfile(path):
        raise DriverError(f"{path} is missing: ./pumice build makes it")
    return os.path.abspath(path)


def manifest(name, base):
    """Path of the manifest: NAME is pumice (of the build folder), lavapipe, swiftshader or the path of a manifest. BASE is the environment."""
    if name == OURS:
        return our_manifest(base)
    if name not in KNOWN:
        if not os.path.isfile(name):
            raise DriverError(f"there is no driver '{name}': expected {', '.join((OURS, *KNOWN))} or the path of a manifest (.json)")
        return os.path.abspath(name)
    folders, pattern, package = KNOWN[name]
    found = [path for folder in folders for path in sorted(glob.glob(os.path.join(folder, pattern)))]
    if not found:
        raise DriverError(f"there is no manifest {pattern} in {', '.join(folders)}: install {package}, or give the manifest's path")
    return found[0]


def environment(name, base):
    """BASE with the driver chosen. Ours prints every report, which is what a failing case is explained by, unless PUMICE_DEBUG says otherwise."""
    return {"PUMICE_DEBUG": "reports", **base, **dict.fromkeys(VARIABLES, manifest(name, base))}


def title(name, base):
    """A short name of the driver, for folders and headings: pumice-CHIP, lavapipe, the manifest's name."""
    if name == OURS and base.get("PUMICE_CHIP"):
        return f"{OURS}-{base['PUMICE_CHIP']}"
    return os.path.splitext(os.path.basename(name))[0]
