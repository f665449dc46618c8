"""Harmful libraries: builds harmful.c at the first request and creates a link for each way to misbehave (deed)."""
import atexit
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "harmful.c"
BUILT = pathlib.Path(tempfile.mkdtemp(prefix="demeter-harmful-"))
atexit.register(shutil.rmtree, BUILT, True)


def path(deed):
    built, link = BUILT / "harmful.so", BUILT / f"harmful_{deed}.so"
    if not built.exists():
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-I{SOURCE.parents[2]}", str(SOURCE), "-o", str(built), "-lpthread",
                        "-ldl"], check=True)
    if not link.exists():
        link.symlink_to(built.name)
    return link


def library(deed):
    return f"--subject lib:{path(deed)} "


def possible(command, libraries):
    return None if shutil.which("cc") else "no cc"


def within(seconds):
    """Returns a check that the command took less than five times `seconds` (five times, because the machine may be busy)."""
    return lambda folder, result: None if result.seconds < 5 * seconds else f"took {result.seconds:.1f} s"
