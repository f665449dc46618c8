"""Measures the bytes and the number of files of a report, by kind of file. Fails if it is larger than docs/testing.md permits.

usage: site_size.py FOLDER
"""

import collections
import gzip
import json
import pathlib
import sys

# With 20 kernels: 12 MB and 300 files. The base is for the documents, which are in every report.
BASE_BYTES, KERNEL_BYTES = 2_000_000, 500_000
BASE_FILES, KERNEL_FILES = 60, 12


def main():
    folder = pathlib.Path(sys.argv[1])
    # Figures and tables for a paper are not limited.
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".pdf", ".tex")]
    kinds = collections.defaultdict(lambda: [0, 0])
    for file in files:
        kinds["".join(file.suffixes[-2:])][0] += file.stat().st_size
        kinds["".join(file.suffixes[-2:])][1] += 1
    for kind, (size, count) in sorted(kinds.items(), key=lambda item: -item[1][0]):
        print(f"{size:11,} bytes in {count:4} files {kind}")
    kernels = len(json.loads(gzip.decompress((folder / "results.json.gz").read_bytes()))["kernels"])
    size, limit = sum(file.stat().st_size for file in files), BASE_BYTES + kernels * KERNEL_BYTES
    most = BASE_FILES + kernels * KERNEL_FILES
    print(f"{size:11,} bytes in {len(files):4} files, {kernels} kernels")
    if kernels == 0:
        print(f"{folder}: kernels: got 0, expected at least 1", file=sys.stderr)
    for what, got, expected in (("bytes", size, limit), ("files", len(files), most)):
        if got > expected:
            print(f"{folder}: {what}: got {got:,}, expected at most {expected:,}", file=sys.stderr)
    return size > limit or len(files) > most or kernels == 0


sys.exit(main())
