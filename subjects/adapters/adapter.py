#!/usr/bin/env python3
"""Your code in Python behind Demeter's pipe. Put your own routine in place of `capsule`, then

    demeter check capsule_mass_properties --subject "pipe:python3 adapter.py"
"""
import json
import math
import sys


def capsule(radius, shaft, density):
    cylinder, caps = math.pi * radius**2 * shaft, 4 * math.pi * radius**3 / 3  # volumes
    transverse = cylinder * (radius**2 / 4 + shaft**2 / 12) + caps * (
        2 * radius**2 / 5 + 3 * radius * shaft / 8 + shaft**2 / 4)
    return {
        "volume": cylinder + caps,
        "mass": density * (cylinder + caps),
        "ixx": density * radius**2 * (cylinder / 2 + 2 * caps / 5),
        "iyy": density * transverse,
        "bounding_radius": radius + shaft / 2,
    }


for line in sys.stdin:
    case = json.loads(line)
    answer = {"id": case["id"]}
    try:
        answer["output"] = capsule(**case["input"])
    except OverflowError as why:
        answer["unsupported"] = str(why)
    print(json.dumps(answer), flush=True)
