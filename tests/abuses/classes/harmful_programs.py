"""Programs that hang, crash, stop, fork, flood the output and forge ids."""
from abuses import Abuse
from harmful import within

BEGIN = """import json, math, os, signal, sys, time
deed = sys.argv[1]
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def right(case, **more):
    i = case["input"]; r, a = i["radius"], i["shaft"]
    v = math.pi * r * r * (4 * r / 3 + a)
    return json.dumps({"id": case["id"], "output": {"volume": v, "mass": v * i["density"]}, **more}) + "\\n"
def background(session):
    if os.fork() == 0:
        if session:
            os.setsid()
            if os.fork(): os._exit(0)
        if session > 1:
            for k in range(3): os.close(k)
        while True: time.sleep(100)
"""
LOOP = """for line in sys.stdin:
    case = json.loads(line)
    text = right(case)
    exec(DEED)
    say(text)
"""
# A deed is the way in which a program misbehaves. For each deed: the code that runs for each case, and the expected
# exit codes.
DEEDS = {
    "hang": ("time.sleep(1000)", 1),
    "spin": ("while True: pass", 1),
    "stop": ("os.kill(os.getpid(), signal.SIGSTOP)", 1),
    "stop_group": ("os.kill(0, signal.SIGSTOP)", 1),
    "stop_parent": ("os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1000)", 1),
    "kill_parent": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)", (1, 2)),
    "deaf": ("[signal.signal(k, signal.SIG_IGN) for k in (1, 2, 3, 13, 15)]; time.sleep(1000)", 1),
    "child": ("background(0); sys.exit(3)", (1, 2)),
    "daemon": ("background(1); sys.exit(3)", (1, 2)),
    "daemon_closed": ("background(2); sys.exit(3)", (1, 2)),
    "daemon_and_hang": ("background(1); time.sleep(1000)", 1),
    "daemon_and_answer": ("case['id'] % 50 or background(2)", 0),
    "exit": ("sys.exit(0)", (1, 2)),
    "abort": ("os.abort()", (1, 2)),
    "twice": ("say(text)", 1),
    "twice_another": ("say(text.replace('volume', 'mass'))", 1),
    "forge_other_id": ("text = json.dumps(dict(json.loads(text), id=case['id'] + 1)) + '\\n'", 1),
    "forge_all_ids": ("[say(json.dumps(dict(json.loads(text), id=k)) + '\\n') for k in range(50)]", 1),
    "forge_big_id": ("text = text.replace(': %d,' % case['id'], ': 18446744073709551615,', 1)", 1),
    "forge_negative_id": ("text = text.replace(': %d,' % case['id'], ': -1,', 1)", 1),
    "forge_fraction_id": ("text = text.replace(': %d,' % case['id'], ': 0.5,', 1)", 1),
    "forge_text_id": ("text = text.replace(': %d,' % case['id'], ': \"0\",', 1)", 1),
    "flood": ("while True: say('over and over\\n' * 1000)", 1),
    "flood_twice": ("while True: say(text * 1000)", 1),
    "flood_long_line": ("while True: say('0' * 1000000)", 1),
    "flood_err": ("for k in range(200): sys.stderr.write('over and over\\n' * 100)", 0),
    "flood_blank": ("say('\\n' * 1000)", 0),
    "nested": ("text = '[' * 100000 + '\\n'", 1),
    "binary": ("sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush(); text = ''", 1),
    "nul": ("text = '\\0' * 100 + '\\n'", 1),
    "half": ("text = text[:20]", 1),
    "left_out": ("case['id'] % 3 or (text := json.dumps({'id': case['id'], 'output': {'volume': json.loads(text)['output']"
                 "['volume']}}) + '\\n')", 1),
    "memory": ("hoard = [bytearray(1 << 24) for k in range(1000)]", (1, 2)),
    "close_output": ("os.close(1); time.sleep(1000)", 1),
    "close_input": ("os.close(0); time.sleep(1000)", 1),
    "trickle": ("time.sleep(0.05)", (0, 1)),
    "late": ("time.sleep(0.25)", 1),
}


def before(deed):
    return {"p.py": BEGIN + "DEED = " + repr(DEEDS[deed][0]) + "\n" + LOOP.replace("exec(DEED)", DEEDS[deed][0])}


CHECK = "demeter check capsule_mass_properties --tolerance double --profile everyday "
ABUSES = [
    # A check that must pass gets a number of cases and no time limit.
    Abuse(CHECK + ("--time 1 --timeout 0.8 " if codes else "--count 300 --laws 2 --timeout 3 ") +
          f"--memory 500 --subject 'pipe:python3 p.py {deed}' >out", codes, before=before(deed), check=within(12))
    for deed, (_, codes) in DEEDS.items() if deed not in ("late",)
]
for deed in ("hang", "stop", "daemon_and_hang", "stop_parent"):
    ABUSES += [
        Abuse(f"demeter explain capsule_mass_properties 3 --timeout 0.5 --subject 'pipe:python3 p.py {deed}' >out", 1,
              before=before(deed), check=within(12)),
        Abuse(f"demeter bench capsule_mass_properties --timeout 0.5 --time 0.2 --repetitions 1 --regime typical --subject "
              f"'pipe:python3 p.py {deed}' >out", (0, 1), lines=None, before=before(deed), check=within(12)),
    ]
for command in ("sleep 1000", "cat >/dev/null", "yes", "cat /dev/zero", "true", "false", "kill -STOP $$", "kill -9 $$",
                "exec >&-; sleep 1000", "setsid sleep 1000 & exit 1", "nohup sleep 1000 >/dev/null 2>&1 & cat", "cat",
                "no such program", "", "(((", "trap '' TERM; while :; do :; done"):
    ABUSES.append(Abuse(CHECK + f'--time 1 --timeout 0.5 --subject "pipe:{command}" >out'.replace("$$", "\\$\\$"), (1, 2),
                        check=within(12)))
