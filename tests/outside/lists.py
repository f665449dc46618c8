"""The toy kernel of lists.hpp in Python. With DEED, answers to cases with the limit 3 are wrong. usage: lists.py [DEED]"""
import json
import sys

deed = sys.argv[1] if len(sys.argv) > 1 else ""


def toy(limit, points):
    x = [point[0] for point in points]
    rises = [(b - a, b) for a, b in zip(x, x[1:])]
    return {
        "order": "none" if not x else "mixed" if any(rise < 0 for rise, _ in rises) else "rising",
        "doubled": [[2 * each for each in point] for point in points],
        "steps": [{"rise": rise, "height": height} for rise, height in rises if rise > limit],
        "signs": [None if each == 0 else 1 if each > 0 else -1 for each in x],
        "highest": max(x, default=None),
    }


def spoil(output):
    if deed == "element":
        output["doubled"][-1][1] += 1
    if deed == "record":
        output["steps"][-1]["height"] += 1
    if deed == "short":
        output["steps"].pop()
    if deed == "long":
        output["steps"].append({"rise": 4, "height": 1})
    if deed == "no_null":
        output["signs"][0] = 1
    if deed == "null":
        output["signs"][-1] = None
    if deed == "null_number":
        output["highest"] = None
    if deed == "label":
        output["order"] = "none"
    if deed == "no_label":
        output["order"] = "falling"
    if deed == "law" and output["steps"]:
        output["steps"][-1]["rise"] = -1
    if deed == "given_short":
        output["doubled"].pop()
    if deed == "given_long":
        output["signs"].append(1)
    if deed == "given_none":
        output["doubled"] = []
    if deed == "null_record":
        output["steps"][0] = None
    if deed == "half_record":
        del output["steps"][0]["height"]
    if deed == "no_list":
        output["doubled"] = 1


for line in sys.stdin:
    case = json.loads(line)
    output = toy(**case["input"])
    if case["input"]["limit"] == 3:
        spoil(output)
        if deed == "crash":
            sys.exit(3)
    if deed == "some":
        output = {key: output[key] for key in ("order", "highest")}
    print(json.dumps({"id": case["id"], "output": output}), flush=True)
