#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What doctor.py says of applications that give up: usage: doctor_test.py DOCTOR PROBE"""
import os
import re
import subprocess
import sys

# Arguments of the probe, more environment: exit code, rows of the table (with single spaces), the verdict.
MADE_DEVICE = "The application made a device but no graphics pipeline; "
NO_DEVICE = "The application made no device; it ended with exit code 3. "
CASES = [
    ([], {}, 0, ['application probe "one" engine (no name)', "version 1.0 1.0 (r500)", "device Pumice R500 (strict) r500", "format D32_SFLOAT no <--",
                 "queue 1 of family 0 yes"],
     MADE_DEVICE + "it ended with exit code 0. What it was refused: format D32_SFLOAT: no."),
    (["version"], {}, 3, ["version 1.3 1.0 (r500) <--"],
     NO_DEVICE + "What most likely stopped it: version 1.3: 1.0 (r500)."),
    (["feature"], {}, 3, ["feature tessellationShader no <--", "wideLines yes"],
     NO_DEVICE + "What most likely stopped it: feature tessellationShader: no."),
    (["extension"], {}, 3, ["device extension VK_KHR_ray_query no (the loader says so) <--"],
     NO_DEVICE + "What most likely stopped it: device extension VK_KHR_ray_query: no (the loader says so)."),
    (["structure"], {}, 0, ["structure VkPhysicalDeviceVulkan12Features not known to this driver <--"], None),
    (["known structure"], {"PUMICE_CHIP": "r5x"}, 0,
     ["structure VkPhysicalDeviceVulkan12Features not known to this driver <--", "VkPhysicalDeviceTimelineSemaphoreFeatures yes"], None),
    (["compute"], {}, 3, ["queue family GRAPHICS|TRANSFER (r500)"],
     NO_DEVICE + "The driver refused nothing. The queue family has no COMPUTE (PUMICE_COMPUTE=1 adds it)."),
    (["compute"], {"PUMICE_CHIP": "rdp"}, 3, ["queue family TRANSFER (rdp)"],
     NO_DEVICE + "The driver refused nothing. The queue family has no GRAPHICS (PUMICE_CHIP chooses the device)."),
    (["compute"], {"PUMICE_COMPUTE": "1"}, 0, ["queue family GRAPHICS|COMPUTE|TRANSFER (r500)"], None),
    (["feature"], {"PUMICE_CHIP": "r50"}, 3, ["device PUMICE_CHIP=r50 PUMICE_CHIP=r50: expected r5x, r500, r300, rdp or all; there is no device <--"],
     NO_DEVICE + "What most likely stopped it: device PUMICE_CHIP=r50: PUMICE_CHIP=r50: expected r5x, r500, r300, rdp or all; there is no device."),
    (["crash"], {}, 139, [], MADE_DEVICE + "it was killed by SIGSEGV. What most likely stopped it: format D32_SFLOAT: no."),
    (["forever"], {}, 0, ["created device Pumice R500 (strict)"],
     MADE_DEVICE + "it was still running and was ended. What it was refused: format D32_SFLOAT: no."),
]


def main():
    doctor, probe = sys.argv[1:3]
    wrong = 0
    for arguments, more, code, expected, verdict in CASES:
        env = {**os.environ, "PUMICE_DEBUG": "", **more}
        done = subprocess.run([sys.executable, doctor, "--seconds", "3", probe] + arguments, env=env, capture_output=True, text=True)
        lines = [re.sub(r"\s+", " ", line).strip() for line in done.stdout.splitlines()]
        missing = [row for row in expected if row not in lines]
        if done.returncode != code or missing or (verdict and lines[-1] != verdict):
            wrong += 1
            print(f"{arguments} {more}: exit code {done.returncode}, expected {code}; lacks {missing}; expected verdict: {verdict}\n{done.stdout}\n{done.stderr}")
    done = subprocess.run([sys.executable, doctor, "/no/such/program"], capture_output=True, text=True)
    if done.returncode != 1 or done.stderr != "pumice doctor: /no/such/program: no such file or directory\n":
        wrong += 1
        print(f"a program that is not there: {done.returncode} {done.stderr}")
    return 1 if wrong else 0


sys.exit(main())
