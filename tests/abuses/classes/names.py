"""Names that are not UTF-8, or contain quotes, newlines, blanks and dashes."""
import json
import xml.dom.minidom

from abuses import Abuse

NAMES = {"newline": r"$'a\nb'", "quote": "\"a'b\"", "double": "'a\"b'", "latin": r"$'a\xe9b'", "cut": r"$'a\xe2\x82'",
         "blank": "' a '", "dash": "./-a", "dollar": "'a$(b)`c`'", "star": "'*a?'", "backslash": "'a\\\\b'", "escape": r"$'a\e[31mb'",
         "long": "$(printf 'a%.0s' {1..240})", "semicolon": "'a;b,c'", "angle": "'<a>&b'"}
KNOWN = '{"kernel":"capsule_mass_properties","subject":"*","regime":"*","output":"volume"}\n'


def control_is_gone(folder, result):
    return "a control byte reached the terminal" if "\x1b" in result.out + result.err else None


def sound(folder, result):
    for path in folder.glob("out.*"):
        text = path.read_bytes()
        if path.suffix == ".json" and text:
            json.loads(text)
        if path.suffix == ".xml":
            xml.dom.minidom.parseString(text)
    return control_is_gone(folder, result)


ABUSES = []
for name in NAMES.values():
    set_name = f"n={name}; "
    ABUSES += [
        Abuse(set_name + "demeter check capsule_mass_properties --subject fast --count 300 --junit \"$n\" >out && test -s \"$n\"", 0,
              check=control_is_gone),
        Abuse(set_name + "cp k \"$n\"; demeter check capsule_mass_properties --subject fast --count 300 --known \"$n\" "
              "--write-known \"$n\" >out", 0, before={"k": KNOWN}, check=control_is_gone),
        Abuse(set_name + "cp b \"$n\"; demeter clump \"$n\" --json >out.json", 0, before={"b": "0 0 0 1\n"}, check=sound),
        Abuse(set_name + "cp $LIBRARIES/textbook.so \"$n.so\"; demeter check segment_distance --subject \"lib:./$n.so\" --count 20 "
              "--json --junit out.xml >out.json", (0, 1), check=sound),
        Abuse(set_name + "demeter check \"$n\" --subject fast", 2, check=control_is_gone),
        Abuse(set_name + "demeter clump \"$n\"", 2, check=control_is_gone),
        Abuse(set_name + "demeter check capsule_mass_properties --subject \"file:$n\" --count 5", 2, check=control_is_gone),
        Abuse(set_name + "mkdir d; cp r.json \"d/$n\"; demeter report --from \"d/$n\" --out \"d/$n.site\" >out 2>err", (0, 3),
              before={"r.json": '{"kernels":[]}'}, lines=None, check=control_is_gone),
    ]

ABUSES += [Abuse(f"n={NAMES[name]}; " + "demeter simulate one_grain --out \"$n\" >out 2>err && test -s \"$n/results.json\"", 0,
                 check=control_is_gone) for name in ("newline", "latin", "quote")]


def possible(command, libraries):
    return None if (libraries / "textbook.so").exists() else "no libraries of tests/outside"
