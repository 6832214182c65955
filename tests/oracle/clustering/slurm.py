"""A Slurm of one node, started by the test out of Debian's packages, in a folder of its own: own
configuration, sockets, ports and keys.  Whoever starts it gets it stopped, whatever happens."""
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
PATIENCE_S = 30
CPUS = 16  # as many tasks at a time, whatever there is

CONFIG = """ClusterName=traceq
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port2}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={dir}/munge.socket
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def descendants():
    """Processes below this one, by /proc."""
    parent = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                parent[int(pid)] = int(f.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            pass
    found, todo = [], [os.getpid()]
    while todo:
        at = todo.pop()
        below = [p for p, q in parent.items() if q == at]
        found += below
        todo += below
    return found


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slurm:
    """with Slurm(folder) as s: s.why is why it could not be started, or None."""

    def __init__(self, folder):
        self.dir = folder
        self.why = None
        self.daemons = []
        self.env = dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")

    def __enter__(self):
        missing = [t for t in TOOLS if not shutil.which(t, path=self.path())]
        if missing:
            self.why = f"{missing[0]} is not installed (packages slurm-wlm, munge)"
            return self
        self.env["PATH"] = self.path()
        # What daemons leave behind becomes a child of ours, and is ended with the rest.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    @staticmethod
    def path():
        return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

    def start(self):
        for sub in ("state", "spool"):
            os.mkdir(os.path.join(self.dir, sub))
        with open(os.path.join(self.dir, "munge.key"), "wb") as f:
            f.write(os.urandom(128))
        os.chmod(f.name, 0o600)
        host = socket.gethostname().split(".")[0]
        user = str(os.getuid())
        with open(os.path.join(self.dir, "slurm.conf"), "w") as f:
            f.write(CONFIG.format(host=host, user=user, dir=self.dir, port=free_port(),
                                  port2=free_port(), cpus=CPUS))
        with open(os.path.join(self.dir, "cgroup.conf"), "w") as f:
            f.write("CgroupAutomount=no\nConstrainCores=no\n")
        where = {w: f"{self.dir}/munge.{w}" for w in ("key", "socket", "pid", "log", "seed")}
        self.daemon("munged", "--foreground", "--force", "--num-threads=2",
                    f"--key-file={where['key']}", f"--socket={where['socket']}",
                    f"--pid-file={where['pid']}", f"--log-file={where['log']}",
                    f"--seed-file={where['seed']}")
        if not self.until(lambda: os.path.exists(where["socket"])):
            return
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D", "-N", host)
        self.until(lambda: "State=IDLE" in self.tool("scontrol", "show", "node", host).stdout)

    def daemon(self, *argv):
        log = open(os.path.join(self.dir, argv[0] + ".out"), "wb")
        self.daemons.append(subprocess.Popen(argv, env=self.env, cwd=self.dir, stdout=log,
                                             stderr=subprocess.STDOUT,
                                             stdin=subprocess.DEVNULL))
        log.close()

    def tool(self, *argv, **more):
        return subprocess.run(argv, env=dict(self.env, **more), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60, cwd=self.dir)

    def until(self, is_so):
        """Whether it came to be; else why says what a daemon said last."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            gone = [d for d in self.daemons if d.poll() is not None]
            if gone:
                break
            if is_so():
                return True
            time.sleep(0.05)
        self.why = "it does not start here: " + self.last_words()
        return False

    def last_words(self):
        for name in ("slurmctld.log", "slurmd.log", "slurmctld.out", "slurmd.out", "munged.out"):
            try:
                with open(os.path.join(self.dir, name)) as f:
                    lines = [line for line in f.read().splitlines() if "error" in line.lower()]
            except OSError:
                continue
            if lines:
                return lines[-1]
        return "no daemon says why"

    def state(self, job):
        """COMPLETED, FAILED ...; the states of an array's tasks, joined."""
        said = self.tool("scontrol", "-o", "show", "job", job).stdout
        states = {w.split("=")[1] for w in said.split() if w.startswith("JobState=")}
        return " ".join(sorted(states))

    def wait(self, job, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            state = self.state(job)
            if state and not any(w in state for w in ("PENDING", "RUNNING", "COMPLETING")):
                return state
            time.sleep(0.1)
        return "LATE " + self.state(job)

    def stop(self):
        """Ends the daemons, and what they began: all that is below this process by now."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and descendants():
            for pid in descendants():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
            time.sleep(0.02)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
