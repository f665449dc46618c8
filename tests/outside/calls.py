"""Answers capsules correctly, except in the call pattern DEED. usage: calls.py DEED"""
import json
import math
import random
import sys

deed = sys.argv[1]
seen, before = set(), 0.0
for line in sys.stdin:
    case = json.loads(line)
    i = case["input"]
    volume = math.pi * i["radius"] ** 2 * (4 * i["radius"] / 3 + i["shaft"])
    key = (i["radius"], i["shaft"], i["density"])
    if deed == "second" and key in seen:
        volume *= 2
    if deed == "order" and before > i["radius"]:
        volume *= 2
    if deed == "random":
        volume *= 1 + random.random()
    seen.add(key)
    before = i["radius"]
    print(json.dumps({"id": case["id"], "output": {"volume": volume}}), flush=True)
