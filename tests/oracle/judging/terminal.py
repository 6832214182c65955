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
    """The child's end wakes us, too: waiting for it by the clock was most of what a thousand terminals took."""
    seen, is_typed, wanted = b"", not keys, [master, os.pidfd_open(child.pid)]
    while not seen.endswith(END) and time.monotonic() < deadline:
        ready, _, _ = select.select(wanted, [], [], 1)
        if master in ready:
            seen += os.read(master, 65536)
        elif ready:
            os.close(wanted.pop())
            os.write(slave, END)
        if not is_typed and expect in seen:
            is_typed = True
            os.write(master, keys)
    for handle in wanted[1:]:
        os.close(handle)
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
