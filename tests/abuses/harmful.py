"""Libraries that mean harm, built from harmful.c when they are asked for."""
import atexit
import pathlib
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "harmful.c"
BUILT = pathlib.Path(tempfile.mkdtemp(prefix="demeter-harmful-"))
atexit.register(shutil.rmtree, BUILT, True)


def path(deed, options=()):
    built = BUILT / f"{deed}.so"
    if not built.exists():
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", f'-DDEED="{deed}"', *options, str(SOURCE), "-o", str(built),
                        "-lpthread"], check=True)
    return built


def library(deed):
    return f"--subject lib:{path(deed)} "


def possible(command, libraries):
    return None if shutil.which("cc") else "no cc"


def within(seconds):
    """A busy machine has five times as long."""
    return lambda folder, result: None if result.seconds < 5 * seconds else f"took {result.seconds:.1f} s"
