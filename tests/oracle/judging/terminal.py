"""A program on a terminal, as a person sees it."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

END = b"\x1e"  # written behind the last word: what a terminal still holds is lost when its last writer closes it


def own_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def read_all(child, master, slave, keys, expect, deadline):
    seen, is_typed, is_marked = b"", not keys, False
    while not seen.endswith(END) and time.monotonic() < deadline:
        has_ended = child.poll() is not None
        ready, _, _ = select.select([master], [], [], 0.01)
        if ready:
            seen += os.read(master, 65536)
        elif has_ended and not is_marked:
            is_marked = os.write(slave, END) == 1
        if not is_typed and expect in seen:
            is_typed = True
            os.write(master, keys)
    return seen.removesuffix(END)


def run(argv, env, cwd, rows, columns, keys=b"", expect=b"", stderr=None, timeout=60):
    """What is seen and the exit code, None where it does not end; keys are typed once `expect` is seen."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave if stderr is None else stderr, env=env, cwd=cwd,
                             preexec_fn=own_terminal)
    seen = read_all(child, master, slave, keys, expect, time.monotonic() + timeout)
    os.close(slave)
    os.close(master)
    try:
        code = child.wait(timeout=30)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        code = None
    return seen.replace(b"\r\n", b"\n"), code
