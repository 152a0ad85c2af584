#!/usr/bin/env python3
"""A stored result is used again only when everything its program read is as it was: one kind of input at a time."""
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

from harness import BAD_INPUT, BUILD, ROOT, Case, main, run


class Reuse(Case):
    @classmethod
    def setUpClass(cls):
        cls._programs = tempfile.TemporaryDirectory(prefix="warpline-reuse-")
        cls.reader = pathlib.Path(cls._programs.name) / "reader"
        made = run("cc", ROOT / "tests/e2e/cuda/reader.cu", "-o", cls.reader)
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls._programs.cleanup()

    def setUp(self):
        super().setUp()
        self.db = self.folder / "r.db"
        self.here = self.folder / "here"
        self.here.mkdir()
        shutil.copy(self.reader, self.folder / "reader")

    def compare(self, *more, target=None, folder=None, code=0, **variables):
        """(instructions, whether it was run now)"""
        environment = {**{k: v for k, v in os.environ.items() if not k.startswith("READER")}, **variables}
        done = run("compare", "--policies", "gto", "--metric", "thread_instructions", "--workloads", target or self.folder / "reader", "--db", self.db,
                   "--json", "-", *more, cwd=folder or self.here, env=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.said = done.stderr
        return json.loads(done.stdout)["rows"][0]["cells"][0]["value"], "1 run now" in done.stderr

    def is_noticed(self, change, undo=None):
        before, ran = self.compare()
        self.assertTrue(ran)
        self.assertEqual(self.compare(), (before, False))
        change()
        after, ran = self.compare()
        self.assertTrue(ran, "a result of other inputs was used")
        self.assertNotEqual(after, before)
        self.assertEqual(self.compare(), (after, False))

    def put_here(self, name, content):
        (self.here / name).write_text(content)

    def test_a_build_without_the_watching_library_says_so(self):
        """It must not look like a program whose reads cannot be seen, for then nothing would ever be reused."""
        for name in ("warpline", "libcudart.so.13"):
            shutil.copy(BUILD / name, self.folder / name)
        done = subprocess.run([self.folder / "warpline", "run", "--inputs", "--json", "-", self.folder / "reader"], capture_output=True, text=True)
        self.refused(done, BAD_INPUT, "libwarpline_watch.so is missing", "ninja -C build")

    def test_a_file_read_by_fopen(self):
        self.put_here("by_fopen", "5")
        self.is_noticed(lambda: self.put_here("by_fopen", "6"))

    def test_a_file_read_by_a_stream(self):
        self.put_here("by_stream", "5")
        self.is_noticed(lambda: self.put_here("by_stream", "6"))

    def test_a_file_read_by_open(self):
        self.put_here("by_open", "5")
        self.is_noticed(lambda: self.put_here("by_open", "6"))

    def test_a_file_opened_by_the_system_calls_number(self):
        self.put_here("by_number", "5")
        self.is_noticed(lambda: self.put_here("by_number", "6"))

    def test_a_change_that_keeps_size_and_time(self):
        self.put_here("by_fopen", "5")
        os.utime(self.here / "by_fopen", (1000, 1000))

        def change():
            self.put_here("by_fopen", "6")
            os.utime(self.here / "by_fopen", (1000, 1000))

        self.is_noticed(change)

    def test_a_file_that_was_not_there(self):
        self.is_noticed(lambda: self.put_here("by_fopen", "6"))

    def test_a_file_that_is_only_looked_for(self):
        self.is_noticed(lambda: self.put_here("flag", ""))

    def test_the_names_in_a_folder(self):
        (self.here / "folder").mkdir()
        self.put_here("folder/one", "")
        self.is_noticed(lambda: self.put_here("folder/two", ""))

    def test_a_library_of_the_program(self):
        """Its bytes count, though the loader opens it and not the program."""
        (self.here / "libs").mkdir()
        source = self.put("part.c", "int part(void) { return 1; }")
        library = self.here / "libs" / "libpart.so"
        os.system(f"cc -shared -fPIC {source} -o {library}")
        self.assertTrue(self.compare(LD_PRELOAD=str(library))[1])
        self.assertFalse(self.compare(LD_PRELOAD=str(library))[1])
        self.put("part.c", "int part(void) { return 2; }")
        os.system(f"cc -shared -fPIC {source} -o {library}")
        self.assertTrue(self.compare(LD_PRELOAD=str(library))[1])

    def test_an_environment_variable(self):
        plain, ran = self.compare()
        self.assertTrue(ran)
        five, ran = self.compare(READER_N="5")
        self.assertTrue(ran)
        self.assertGreater(five, plain)
        six, ran = self.compare(READER_N="6")
        self.assertTrue(ran)
        self.assertGreater(six, five)
        self.assertEqual(self.compare(READER_N="6", READER_UNREAD="7"), (six, False))

    def test_secrets_are_not_written_down(self):
        self.compare(READER_N="5000secret")
        self.assertNotIn(b"5000secret", self.db.read_bytes())

    def test_the_working_folder(self):
        """What relative names mean there decides, and a folder with the same files is as good."""
        self.put_here("by_fopen", "5")
        other, same = self.folder / "other", self.folder / "same"
        for folder, content in ((other, "9"), (same, "5")):
            folder.mkdir()
            (folder / "by_fopen").write_text(content)
        five, ran = self.compare()
        self.assertEqual(self.compare(folder=same), (five, False))
        nine, ran = self.compare(folder=other)
        self.assertTrue(ran)
        self.assertGreater(nine, five)

    def test_the_name_of_the_working_folder(self):
        self.put_here("show_folder", "")
        longer = self.folder / "a_longer_name"
        longer.mkdir()
        (longer / "show_folder").write_text("")
        short, _ = self.compare()
        self.assertEqual(self.compare(), (short, False))
        long, ran = self.compare(folder=longer)
        self.assertTrue(ran)
        self.assertGreater(long, short)

    def test_an_argument_that_is_a_file(self):
        file = self.folder / "argument"

        def tune():
            """The numbers of the runs that are the result."""
            done = run("tune", "swl", "--set", "sm.threads=128", "--db", self.db, self.folder / "reader", file, cwd=self.here)
            self.assertEqual(done.returncode, 0, done.stderr)
            with sqlite3.connect(self.db) as database:
                return [row[0] for row in database.execute("SELECT id FROM run ORDER BY id")]

        file.write_text("5")
        first = tune()
        self.assertEqual(len(first), 3)  # two limits, and none
        self.assertEqual(tune(), first)
        file.write_text("6")
        self.assertEqual(len(set(tune()) - set(first)), 3)

    def test_fresh_runs_again(self):
        value, _ = self.compare()
        self.assertEqual(self.compare(), (value, False))
        self.assertEqual(self.compare("--fresh"), (value, True))
        study = self.put("s.conf", f"workloads = {self.folder / 'reader'}\npolicies = gto\n")
        self.assertIn("1 already there", run("sweep", study, "--db", self.db, "--dry-run", cwd=self.here).stderr)
        self.assertIn("0 already there", run("sweep", study, "--db", self.db, "--dry-run", "--fresh", cwd=self.here).stderr)
        self.assertIn("1 run now", run("sweep", study, "--db", self.db, "--fresh", cwd=self.here).stderr)

    def starter(self, line):
        """A program that lets a shell do its work."""
        source = self.put("starter.c", f"#include <stdlib.h>\nint main(void) {{ return system({json.dumps(line)}) != 0; }}\n")
        self.assertEqual(os.system(f"cc {source} -o {self.folder / 'starter'}"), 0)
        return self.folder / "starter"

    def test_what_a_shell_of_the_program_reads(self):
        """What the processes read that a program starts counts too; a variable that they set themselves is no input."""
        target = self.starter(f"READER_N=$(cat amount) exec {self.folder / 'reader'}")
        self.put_here("amount", "5")
        five, ran = self.compare(target=target)
        self.assertTrue(ran)
        self.assertEqual(self.compare(target=target), (five, False))
        self.put_here("amount", "6")
        six, ran = self.compare(target=target)
        self.assertTrue(ran)
        self.assertGreater(six, five)

    def test_what_a_shell_of_the_program_takes_from_the_environment(self):
        """A shell reads the environment as a whole."""
        target = self.starter(f"READER_N=${{READER_AMOUNT:-1}} exec {self.folder / 'reader'}")
        one, ran = self.compare(target=target)
        self.assertEqual(self.compare(target=target), (one, False))
        two, ran = self.compare(target=target, READER_AMOUNT="2")
        self.assertTrue(ran)
        self.assertGreater(two, one)

    def test_a_program_that_cannot_be_watched_is_run_again(self):
        """Without the library that watches, nothing is known of what it read."""
        source = self.put("alone.c", f'#include <unistd.h>\nint main(void) {{ execl("{self.folder / "reader"}", "reader", (char *)0); }}\n')
        if os.system(f"cc -static {source} -o {self.folder / 'alone'}") != 0:
            self.skipTest("no static libc")
        for _ in range(2):
            self.assertTrue(self.compare(target=self.folder / "alone")[1])
            self.assertIn("cannot be seen", self.said)

    def test_two_names_of_the_same_bytes_are_two_rows(self):
        shutil.copy(self.folder / "reader", self.folder / "twin")
        for _ in range(2):
            done = run("compare", "--policies", "gto,lrr", "--workloads", f"{self.folder / 'reader'},{self.folder / 'twin'}", "--db", self.db, cwd=self.here)
            self.assertEqual(done.returncode, 0, done.stderr)
        with sqlite3.connect(self.db) as database:
            rows = set(database.execute("SELECT target, policies FROM run"))
        self.assertEqual(rows, {(str(self.folder / name), policy) for name in ("reader", "twin") for policy in ("gto", "lrr")})

    def test_two_names_of_one_machine_are_two_rows_and_one_run(self):
        mine = self.put("mine.conf", "# mine: the default machine under a name of its own\n[l1]\nways = 4\n")
        study = self.put("s.conf", f"workloads = {self.folder / 'reader'}\npolicies = gto\n[axes]\nl1.ways = 4\n")
        first = run("compare", "--policies", "gto", "--workloads", self.folder / "reader", "--db", self.db, cwd=self.here)
        self.assertIn("1 run now", first.stderr)
        for words in (["compare", "--policies", "gto,gto", "--workloads", self.folder / "reader", "--config", mine], ["sweep", study]):
            done = run(*words, "--db", self.db, cwd=self.here)
            self.assertIn("0 run now", done.stderr)
        with sqlite3.connect(self.db) as database:
            rows = list(database.execute("SELECT config, settings, cycles FROM run ORDER BY id"))
        self.assertEqual([r[:2] for r in rows], [("", ""), (str(mine), ""), ("", "l1.ways=4")])
        self.assertEqual(len({r[2] for r in rows}), 1)

    def test_the_same_asked_twice_at_once_is_run_once(self):
        done = run("compare", "--policies", "gto,gto", "--workloads", self.folder / "reader", "--db", self.db, "--csv", self.folder / "c.csv", cwd=self.here)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "c.csv").read_text().splitlines()[1].split(",")[1:], ["1", "1"])

    def test_results_of_an_older_warpline_are_run_again(self):
        """A database from before inputs were recorded can be read, and nothing in it is taken for known."""
        self.compare()
        with sqlite3.connect(self.db) as database:
            database.execute("DROP TABLE input")
            database.execute("DROP INDEX run_content")
            database.execute("ALTER TABLE run DROP COLUMN content")
            database.execute("PRAGMA user_version = 1")
        database.close()
        self.assertEqual(run("results", "list", "--db", self.db).returncode, 0)
        self.assertTrue(self.compare()[1])


if __name__ == "__main__":
    main()
