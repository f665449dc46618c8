"""Programs that misbehave. Each answers capsules correctly, except the one with radius 7. usage: misbehave.py DEED"""
import json
import math
import os
import signal
import subprocess
import sys
import time

deed = sys.argv[1]
out, err = sys.stdout, sys.stderr


def say(text):
    out.write(text)
    out.flush()


def answer(case, **more):
    i = case["input"]
    mass = i["density"] * math.pi * i["radius"] ** 2 * (4 * i["radius"] / 3 + i["shaft"])
    return json.dumps({"id": case["id"], "output": {"mass": mass}, **more}) + "\n"


def misbehave(case):
    """Misbehaves, and returns the line to print for the case."""
    right = answer(case)
    broken = dict(case, output={"mass": 1})
    if deed == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)
    if deed == "abort":
        os.abort()
    if deed == "exit":
        err.write("a reason\non two lines\n\n")
        sys.exit(3)
    if deed == "exception":
        raise ValueError("out of luck")
    if deed == "end":
        sys.exit(0)
    if deed in ("hang", "stubborn"):
        if deed == "stubborn":
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        time.sleep(1000)
    if deed == "garbage":
        return "this is not JSON\n"
    if deed == "binary":
        out.buffer.write(bytes(range(256)) * 4 + b"\n")
        out.buffer.flush()
        return ""
    if deed == "duplicate":
        return right * 2
    if deed == "missing":
        return ""
    if deed == "unknown_id":
        return '{"id":123456789,"output":{"mass":1}}\n'
    if deed == "negative_id":
        return '{"id":-1,"output":{"mass":1}}\n'
    if deed == "nan":
        return '{"id":%d,"output":{"mass":"nan"}}\n' % case["id"]
    if deed == "bare_nan":
        return '{"id":%d,"output":{"mass":NaN}}\n' % case["id"]
    if deed == "infinity":
        return '{"id":%d,"output":{"mass":"inf"}}\n' % case["id"]
    if deed == "flood":
        while True:
            say("over and over again\n" * 1000)
    if deed == "long_line":
        while True:
            say("0" * 1000000)
    if deed == "flood_of_errors":
        for _ in range(2000):
            err.write("a complaint\n" * 1000)
    if deed == "chatter":
        return "thinking about radius 7 ...\n" + right
    if deed == "wrong_kernel":
        return json.dumps({"id": case["id"], "kernel": "something_else", "output": {"mass": 1}}) + "\n"
    if deed == "unknown_output":
        return json.dumps({"id": case["id"], "output": {"mass": 1, "colour": 3}}) + "\n"
    if deed == "more_keys":
        return answer(case, colour="blue", expected={"mass": 0})
    if deed == "no_output":
        return '{"id":%d,"output":{}}\n' % case["id"]
    if deed == "two_answers":
        return json.dumps(dict(broken, unsupported="but")) + "\n"
    if deed == "echo":
        return json.dumps(case) + "\n"
    if deed == "unsupported":
        return '{"id":%d,"unsupported":"seven"}\n' % case["id"]
    if deed == "error":
        return '{"id":%d,"error":"radius: 7, expected < 7"}\n' % case["id"]
    if deed == "memory":
        hoard = []
        while True:
            hoard.append(b"x" * (1 << 24))
    if deed in ("child", "daemon"):
        subprocess.Popen(["sleep", "1234.5"], start_new_session=deed == "daemon")
        if os.environ.get("PID_FILE"):
            with open(os.environ["PID_FILE"], "w") as file:
                file.write(subprocess.run(["pgrep", "-n", "-f", "sleep 1234.5"], capture_output=True).stdout.decode())
        os.kill(os.getpid(), signal.SIGKILL)
    if deed == "close_input":
        os.close(0)
        say(right)
        sys.exit(0)
    if deed == "close_output":
        out.flush()
        os.close(1)
        time.sleep(1000)
    if deed == "half_line":
        say(right[:20])
        os._exit(0)
    return right


if deed == "hang_first":
    time.sleep(1000)
if deed == "exit_first":
    sys.exit(1)
if deed == "slow_start":
    time.sleep(1.5)
if deed == "no_reading":
    while True:
        say("chatter without end\n")
        time.sleep(0.01)
if deed in ("at_end", "reverse"):
    lines = [answer(json.loads(line)) for line in sys.stdin]
    say("".join(reversed(lines) if deed == "reverse" else lines))
    sys.exit(0)
if deed == "last_line":
    say("".join(answer(json.loads(line)) for line in sys.stdin)[:-1])
    sys.exit(0)
if deed == "block":  # buffers its output, as C's stdio does
    out = open(1, "w", buffering=4096, closefd=False)
    for line in sys.stdin:
        out.write(answer(json.loads(line)))
    out.flush()
    sys.exit(0)

held_back = []
for line in iter(sys.stdin.readline, ""):
    case = json.loads(line)
    if deed == "chatter_always":
        say("thinking ...\n")
    if deed == "no_id":
        case.pop("id")
        case["id"] = 0
        say(json.dumps({"output": json.loads(answer(case))["output"]}) + "\n")
    elif deed == "swap":
        held_back.append(answer(case))
        if len(held_back) == 2:
            say(held_back.pop() + held_back.pop())
    elif case["input"]["radius"] == 7:
        say(misbehave(case))
    else:
        say(answer(case))
if deed == "swap":
    say("".join(held_back))
if deed == "hang_after":
    time.sleep(1000)
