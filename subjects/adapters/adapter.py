#!/usr/bin/env python3
"""A template for code in Python that answers over Demeter's pipe. Replace `capsule` by your own routine, then run:

    demeter check capsule_mass_properties --subject "pipe:python3 adapter.py"
"""
import json
import math
import sys


def capsule(radius, shaft, density):
    square = radius * radius  # radius**2 calls pow(), which may round differently in another unit of length
    cylinder, caps = math.pi * square * shaft, 4 * math.pi * square * radius / 3  # volumes
    transverse = cylinder * (square / 4 + shaft * shaft / 12) + caps * (
        2 * square / 5 + 3 * radius * shaft / 8 + shaft * shaft / 4)
    return {
        "volume": cylinder + caps,
        "mass": density * (cylinder + caps),
        "ixx": density * square * (cylinder / 2 + 2 * caps / 5),
        "iyy": density * transverse,
        "bounding_radius": radius + shaft / 2,
    }


def toy_lists(limit, points):
    """An example of lists, null and labels. Its kernel exists only in Demeter's tests.

    A case has a list of points along a line, and a limit.
    """
    x = [point[0] for point in points]
    return {
        "order": "none" if not x else "rising" if x == sorted(x) else "mixed",  # the name of a label
        "doubled": [[2 * each for each in point] for point in points],  # a list as long as `points`
        "steps": [{"rise": b - a, "height": b} for a, b in zip(x, x[1:]) if b - a > limit],  # a list of its own length
        "signs": [None if each == 0 else 1 if each > 0 else -1 for each in x],  # None becomes null in JSON
        "highest": max(x, default=None),
    }


kernels = {"capsule_mass_properties": capsule, "toy_lists": toy_lists}

for line in sys.stdin:
    case = json.loads(line)
    answer = {"id": case["id"]}
    try:
        answer["output"] = kernels[case["kernel"]](**case["input"])
    except OverflowError as why:
        answer["unsupported"] = str(why)
    print(json.dumps(answer), flush=True)
