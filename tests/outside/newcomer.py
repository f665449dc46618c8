"""The distance of two segments as a beginner writes it: the textbook routine with one absolute threshold, in any unit,
for squared lengths and for fourth powers of lengths. As in a beginner's program, the output is not flushed."""
import json
import math
import sys

EPSILON = 1e-8


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def minus(a, b):
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def clamp(x):
    return min(max(x, 0.0), 1.0)


def segments(p0, p1, q0, q1):
    d1, d2, r = minus(p1, p0), minus(q1, q0), minus(p0, q0)
    a, e, f, c = dot(d1, d1), dot(d2, d2), dot(d2, r), dot(d1, r)
    s = t = 0.0
    if a <= EPSILON and e <= EPSILON:
        pass
    elif a <= EPSILON:
        t = clamp(f / e)
    elif e <= EPSILON:
        s = clamp(-c / a)
    else:
        b = dot(d1, d2)
        determinant = a * e - b * b
        s = clamp((b * f - c * e) / determinant) if abs(determinant) > EPSILON else 0.0
        t = (b * s + f) / e
        if t < 0:
            t, s = 0.0, clamp(-c / a)
        elif t > 1:
            t, s = 1.0, clamp((b - c) / a)
    gap = [r[k] + s * d1[k] - t * d2[k] for k in range(3)]
    return {"distance": math.sqrt(dot(gap, gap)), "s": s, "t": t}


for line in sys.stdin:
    case = json.loads(line)
    case["output"] = segments(**case["input"])
    print(json.dumps(case))
