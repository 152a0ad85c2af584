"""What end-to-end tests share: running the program, and folders that vanish."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["WARPLINE_BUILD"]).resolve()
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WARPLINE = str(BUILD / "warpline")

OK, PROGRAM_FAILED, USAGE, BAD_INPUT, INTERNAL, PLUGIN_FAILED = range(6)


def run(*arguments, **options):
    """Runs warpline; the result has returncode, stdout and stderr."""
    options.setdefault("timeout", 480)  # a busy machine is no failure; meson has limits too
    options.setdefault("cwd", ROOT)
    return subprocess.run([WARPLINE, *map(str, arguments)], capture_output=True, text=True, errors="replace", **options)


def wait_until_it_writes(running, seconds=60):
    """Until the process has a file without a name open (see src/base/part_file.h) and a program started; or it has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and running.poll() is None:
        links = [os.path.realpath(path) for path in pathlib.Path(f"/proc/{running.pid}/fd").iterdir()]
        children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
        if children and any(link.endswith("(deleted)") and "memfd:" not in link for link in links):
            return
        time.sleep(0.02)


class Case(unittest.TestCase):
    """A test with a folder of its own in self.folder."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="warpline-e2e-")
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def put(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def refused(self, done, code, *phrases):
        """It ended with the code, one sentence that holds the phrases, and nothing on stdout."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("warpline: "), done.stderr)
        for phrase in phrases:
            self.assertIn(phrase, done.stderr)


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=1)
