"""warpline from Python: the C library through ctypes, nothing to install but libwarpline itself.

    import warpline
    result = warpline.Machine(config="gtx480", policies="gto,pric", settings={"l1.sets": 64}).run_files("k.ptx", "k.json")
    print(result["cycles"], result["l1.hits"])

The library is looked for where the system looks; WARPLINE_LIBRARY names another file.
"""
import ctypes
import json
import os

_TOTALS = ctypes.c_size_t(-1)
_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_ulonglong, ctypes.c_ulonglong)


def _load():
    library = ctypes.CDLL(os.environ.get("WARPLINE_LIBRARY", "libwarpline.so.0"))
    text, size, handle, number = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
    for name, result, arguments in (
        ("version", text, []),
        ("open", handle, []),
        ("close", None, [handle]),
        ("config", number, [handle, text]),
        ("set", number, [handle, text, text]),
        ("policies", number, [handle, text]),
        ("plugin", number, [handle, text]),
        ("limit", None, [handle, ctypes.c_ulonglong, ctypes.c_ulonglong]),
        ("on_progress", None, [handle, _PROGRESS, ctypes.c_void_p]),
        ("check", number, [handle]),
        ("error", text, [handle]),
        ("run_ptx", number, [handle, text, size, text, size, ctypes.POINTER(handle)]),
        ("run_files", number, [handle, text, text, ctypes.POINTER(handle)]),
        ("run_trace", number, [handle, text, ctypes.POINTER(handle)]),
        ("result_free", None, [handle]),
        ("kernel_count", size, [handle]),
        ("kernel_name", text, [handle, size]),
        ("stopped", number, [handle]),
        ("counter_count", size, [handle]),
        ("counter_name", text, [handle, size]),
        ("counter", ctypes.c_double, [handle, size, text]),
        ("json", text, [handle]),
    ):
        function = getattr(library, "warpline_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_lib = _load()


class WarplineError(Exception):
    """The library's sentence; `code` is one of warpline.h's."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


class Result:
    """Numbers of one run: result["l1.hits"] of all kernels, result.kernel(0)["l1.hits"] of one."""

    def __init__(self, handle, kernel=_TOTALS, owner=None):
        self._handle, self._kernel, self._owner = handle, kernel, owner

    def __del__(self):
        if self._owner is None and self._handle:
            _lib.warpline_result_free(self._handle)

    def __getitem__(self, name):
        return _lib.warpline_counter(self._handle, self._kernel, name.encode())

    def names(self):
        return [_lib.warpline_counter_name(self._handle, i).decode() for i in range(_lib.warpline_counter_count(self._handle))]

    def kernel_names(self):
        return [_lib.warpline_kernel_name(self._handle, i).decode() for i in range(_lib.warpline_kernel_count(self._handle))]

    def kernel(self, number):
        return Result(self._handle, ctypes.c_size_t(number), owner=self)

    @property
    def stopped(self):
        return bool(_lib.warpline_stopped(self._handle))

    def json(self):
        return json.loads(_lib.warpline_json(self._handle))


class Machine:
    """A machine's description. `progress(cycles, warp_instructions)` may answer True to stop the run."""

    def __init__(self, config=None, policies=None, settings=None, plugins=(), max_cycles=0, progress=None):
        self._handle = _lib.warpline_open()
        if not self._handle:
            raise MemoryError
        if config:
            self._must(_lib.warpline_config(self._handle, config.encode()))
        for path in plugins:
            self._must(_lib.warpline_plugin(self._handle, path.encode()))
        if policies:
            self._must(_lib.warpline_policies(self._handle, policies.encode()))
        for key, value in (settings or {}).items():
            self._must(_lib.warpline_set(self._handle, key.encode(), str(value).encode()))
        _lib.warpline_limit(self._handle, max_cycles, 0)
        if progress:
            self._progress = _PROGRESS(lambda _, cycles, instructions: 1 if progress(cycles, instructions) else 0)
            _lib.warpline_on_progress(self._handle, self._progress, None)

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.warpline_close(self._handle)

    def _must(self, code):
        if code:
            raise WarplineError(code, _lib.warpline_error(self._handle).decode())

    def _run(self, function, *arguments):
        handle = ctypes.c_void_p()
        code = function(self._handle, *arguments, ctypes.byref(handle))
        result = Result(handle) if handle else None
        self._must(code)
        return result

    def check(self):
        self._must(_lib.warpline_check(self._handle))

    def run_files(self, ptx, launch):
        return self._run(_lib.warpline_run_files, ptx.encode(), launch.encode())

    def run_ptx(self, ptx, launch):
        """PTX text and a launch as a dict (docs/running.md, "Launch files")."""
        code, text = ptx.encode(), json.dumps(launch).encode()
        return self._run(_lib.warpline_run_ptx, code, len(code), text, len(text))

    def run_trace(self, path):
        return self._run(_lib.warpline_run_trace, path.encode())


def version():
    return _lib.warpline_version().decode()
