#!/usr/bin/env python3
"""action.yml and share/ci/gitlab.yml, step by step as the servers run them, without a server.

Expressions are filled in, conditions obeyed, variables and outputs handed on by the files that runners use;
`gh` and `curl` are stubs that write down what they are told.  What a step of another action would do (cache,
artifact) is done by copying.  A first run without a base, one that passes, one that is worse, input that is
none, several files, names that try to give the server orders, paths with blanks.
"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
HERE = os.path.abspath(".")
EVIL = "x\n::error::owned $(touch owned) `touch owned` '; touch owned; ' ${{ github.token }}.json"
passed, failures = 0, []


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


def fixture(path, *words):
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *words], stdout=out, check=True)


STUB = """#!/bin/sh
{ printf '%s\\n' "$0"; for word; do printf '<%s>\\n' "$word"; done; } >>"$STUB_LOG"
case "$*" in
*--jq*|*per_page*) cat "$STUB_ANSWER" ;;
esac
exit "${STUB_EXIT:-0}"
"""


class Place:
    """A working folder of a runner, with stubs in front of PATH."""

    def __init__(self, root):
        self.root = root
        self.bin = os.path.join(root, "bin")
        self.work = os.path.join(root, "work")
        os.makedirs(self.bin)
        os.makedirs(self.work)
        for name in ("gh", "curl"):
            path = os.path.join(self.bin, name)
            with open(path, "w") as f:
                f.write(STUB)
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        self.log = os.path.join(root, "stub.log")
        self.answer = os.path.join(root, "stub.answer")
        open(self.answer, "w").close()
        self.cache, self.artifacts = {}, {}

    def environment(self, more):
        env = {"PATH": self.bin + ":" + os.environ["PATH"], "HOME": self.root, "LC_ALL": "C.UTF-8",
               "STUB_LOG": self.log, "STUB_ANSWER": self.answer}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        return {**env, **more}

    def stub_log(self):
        if not os.path.exists(self.log):
            return ""
        with open(self.log) as f:
            text = f.read()
        os.unlink(self.log)
        return text


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- GitHub ----

def outputs_of(path):
    """key<<end / lines / end, and key=value, as the runner reads them."""
    got, lines = {}, read(path).split("\n")
    while lines and lines[0]:
        key, mark, end = re.match(r"^([\w-]+)(<<|=)(.*)$", lines.pop(0)).groups()
        value = end if mark == "=" else "\n".join(lines[:lines.index(end)])
        if mark == "<<":
            del lines[:lines.index(end) + 1]
        got[key] = value
    return got


class Action:
    """One call of action.yml."""

    def __init__(self, place, event="pull_request", stub_exit="0", **inputs):
        self.place, self.outputs, self.stdout, self.stderr, self.code = place, {}, "", "", 0
        self.document = yaml.safe_load(read("action.yml"))
        self.temp = os.path.join(place.root, "temp dir")
        self.stub_exit = stub_exit
        os.makedirs(self.temp, exist_ok=True)
        self.context = {
            "runner.temp": self.temp, "runner.os": "Linux", "github.action_path": HERE, "github.sha": "abc1234",
            "github.token": "secret", "github.event_name": event, "github.ref_name": "main", "github.run_id": "7",
            "github.event.repository.default_branch": "main",
            "github.event.pull_request.number": "12" if event == "pull_request" else ""}
        given = {k.replace("_", "-"): v for k, v in inputs.items()}
        for name, what in self.document["inputs"].items():
            expect(name in given or not what.get("required"), f"input {name} is required")
            self.context["inputs." + name] = given.get(name, self.fill(str(what.get("default", ""))))
        self.run_all()

    def value(self, text):
        text = text.strip()
        if "&&" in text:
            return "true" if all(self.value(t) == "true" for t in text.split("&&")) else "false"
        if "==" in text:
            a, b = text.split("==")
            return "true" if self.value(a) == self.value(b) else "false"
        if text.startswith("'"):
            return text[1:-1]
        step = re.match(r"steps\.(\w+)\.outputs\.([\w-]+)$", text)
        if step:
            return self.outputs.get(step[1], {}).get(step[2], "")
        return self.context[text]

    def fill(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda m: self.value(m[1]), text)

    def run_all(self):
        for step in self.document["runs"]["steps"]:
            if self.code == 0 and ("if" not in step or self.value(step["if"]) == "true"):
                self.run(step) if "run" in step else self.use(step)

    def use(self, step):
        what = {k: self.fill(v) for k, v in step["with"].items()}
        path = os.path.join(self.place.work, what["path"])
        if "restore" in step["uses"]:
            keys = [k for k in self.place.cache if k.startswith(what["restore-keys"])]
            if keys:
                shutil.copytree(self.place.cache[keys[-1]], path, dirs_exist_ok=True)
        else:
            kept = tempfile.mkdtemp(dir=self.place.root)
            if os.path.isdir(path):
                shutil.copytree(path, kept, dirs_exist_ok=True)
            shelf = self.place.cache if "save" in step["uses"] else self.place.artifacts
            shelf[what.get("key", what.get("name"))] = kept

    def run(self, step):
        out, summary = os.path.join(self.place.root, "output"), os.path.join(self.place.root, "summary")
        for path in (out, summary):
            open(path, "w").close()
        env = {k: self.fill(str(v)) for k, v in step["env"].items()}
        env.update(GITHUB_ACTIONS="true", GITHUB_OUTPUT=out, GITHUB_STEP_SUMMARY=summary, GITHUB_REPOSITORY="a/b",
                   STUB_EXIT=self.stub_exit)
        expect("${{" not in step["run"], f"an expression inside of a script: {step['run']}")
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                              cwd=self.place.work, env=self.place.environment(env), capture_output=True)
        self.stdout += done.stdout.decode()
        self.stderr += done.stderr.decode()
        self.code = done.returncode
        self.outputs[step.get("id")] = outputs_of(out)
        self.summary = read(summary) or getattr(self, "summary", "")

    def out(self, name):
        return os.path.join(self.temp, f"traceq-{self.context['inputs.name']}", name)

    def verdict(self):
        return self.fill(self.document["outputs"]["verdict"]["value"])


def orders(text):
    """Lines that the runner would obey, but for the annotations that traceq writes itself."""
    return [line for line in text.splitlines() if re.match(r"^\s*::", line) and
            not re.match(r"^::(error|warning) title=traceq gate", line)]


def github(root):
    place = Place(os.path.join(root, "github"))
    work = place.work
    fixture(os.path.join(work, "good run.json"), "healthy")
    fixture(os.path.join(work, "again.json"), "healthy", "--seed", "2")
    fixture(os.path.join(work, "slow.json"), "copy-bound")
    with open(os.path.join(work, "nothing.json"), "w") as f:
        f.write("{}")
    first = Action(place, event="push", run="good run.json", traceq=TRACEQ)
    expect(first.code == 0 and first.verdict() == "pass", f"first run: {first.code} {first.verdict()} {first.stderr}")
    expect("no base" in first.stdout + first.stderr, "first run: that there is no base is not said")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 1, "first run: the store")
    expect(list(place.cache) == ["traceq-gate-Linux-7"], f"cache {list(place.cache)}")
    shutil.rmtree(os.path.join(work, "traceq-store"))
    good = Action(place, run="again.json", comment="true", traceq=TRACEQ)
    expect(good.code == 0 and good.verdict() == "pass", f"a good run: {good.code} {good.stderr}")
    expect(sorted(os.listdir(place.artifacts["traceq-gate"])) ==
           ["comment.md", "exit-code", "gate.json", "gate.md", "gate.txt", "gate.xml", "metrics.txt", "report.html"],
           f"artifact {os.listdir(place.artifacts['traceq-gate'])}")
    said = place.stub_log()
    expect("<repos/a/b/issues/12/comments>" in said and f"<body=@{good.out('comment.md')}>" in said, f"comment: {said}")
    expect("PATCH" not in said and "secret" not in said, f"comment: {said}")
    with open(place.answer, "w") as f:
        f.write("55\n56\n")
    bad = Action(place, run="slow.json", comment="true", traceq=TRACEQ)
    expect(bad.code == 1 and bad.verdict() == "fail", f"a worse run: {bad.code} {bad.verdict()}")
    expect("::error title=traceq gate" in bad.stderr + bad.stdout, f"no annotation: {bad.stderr[:300]}")
    expect("failed" in bad.summary and "|" in bad.summary, f"no step summary: {bad.summary[:200]}")
    said = place.stub_log()
    expect("<PATCH>" in said and "<repos/a/b/issues/comments/56>" in said, f"the comment is not updated: {said}")
    expect(read(bad.out("comment.md")).startswith("<!-- traceq: gate -->\n### "), "comment body")
    expect(json.loads(read(bad.out("gate.json")))["schema"] == "traceq.gate/1", "gate.json")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 1, "a pull request adds no base")
    nightly = Action(place, event="push", run="slow.json", traceq=TRACEQ)
    expect(nightly.code == 1 and "not kept" in nightly.stderr, f"a worse run on the main branch: {nightly.stderr}")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 1, "a worse run became a base")
    github_odd(place)


def github_odd(place):
    work = place.work
    for run in ["nothing.json", "nowhere.json", "", "\n\n"]:
        none = Action(place, run=run, traceq=TRACEQ)
        expect(none.code == 2, f"run {run!r}: exit {none.code}")
    missing = Action(place, run="again.json", store="other", missing_baseline="error", cache="false", traceq=TRACEQ)
    expect(missing.code == 2 and missing.verdict() == "none", f"no base is an error: {missing.code} {missing.verdict()}")
    several = Action(place, run="again.json\ngood run.json", options="--tier=default\n--verbose", html="false",
                     artifact="false", traceq=TRACEQ)
    expect(several.code == 0, f"several files: {several.stderr}")
    expect(not os.path.exists(several.out("report.html")), "html: false")
    wrong = Action(place, run="again.json", options="--nonsense", traceq=TRACEQ)
    expect(wrong.code == 2 and "nonsense" in wrong.stderr, f"a wrong option: {wrong.stderr}")
    os.link(os.path.join(work, "slow.json"), os.path.join(work, EVIL.replace("/", "_")))
    with open(os.path.join(work, "again.json")) as f:
        trace = f.read()
    with open(os.path.join(work, "evil.json"), "w") as f:
        f.write(trace.replace("aten::mm", "::error::owned\\n::set-output name=x::y @everyone <script>"))
    for run in ["./" + EVIL.split("\n", maxsplit=1)[1], "evil.json", "--config=x", "$(touch owned)"]:
        evil = Action(place, run=run, name="g;$(touch owned)", comment="true", traceq=TRACEQ)
        expect(not orders(evil.stdout + "\n" + evil.stderr), f"orders: {orders(evil.stdout + evil.stderr)}")
        expect("owned" not in os.listdir(work) + os.listdir(place.root), f"{run!r} was run")
        expect(evil.code in (0, 1, 2), f"{run!r}: exit {evil.code}")
        place.stub_log()
    refused = Action(place, run="again.json", comment="true", stub_exit="1", traceq=TRACEQ)
    expect(refused.code == 0 and "not written" in refused.stderr, f"a token that may not: {refused.code} {refused.stderr}")
    by_path = Action(place, run="again.json")
    expect(by_path.code == 0, "traceq of the action's own tree")


def action_is_whole():
    text = read("action.yml")
    document = yaml.safe_load(text)
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    expect(used == set(document["inputs"]), f"inputs used but not declared, or not used: {used ^ set(document['inputs'])}")
    for step in document["runs"]["steps"]:
        expect("run" not in step or step["shell"] == "bash", "a step without a shell")
        expect("uses" not in step or re.search(r"@v\d+$", step["uses"]), f"{step.get('uses')} is not pinned")
    script = read("share/ci/gate.sh")
    handed = set(re.findall(r"\b(TRACEQ_[A-Z]+|GH_TOKEN|TRACEQ)\b", text))
    expect(all(name in script for name in handed), f"variables the script does not know: {handed}")
    told = set(re.findall(r"^#.*?\b(TRACEQ_[A-Z_]+)", script, re.M)) | {"TRACEQ_UPDATE", "TRACEQ_COMMENT", "TRACEQ_HTML"}
    read_by = set(re.findall(r"\$\{?(TRACEQ_[A-Z_]+)", script))
    expect(read_by <= told | {"TRACEQ_GITLAB_TOKEN"}, f"variables the head of the script does not name: {read_by - told}")


# ---- GitLab ----

def gitlab_job(place, branch, **variables):
    job = yaml.safe_load(read("share/ci/gitlab.yml"))[".traceq-gate"]
    env = {**job["variables"], "TRACEQ_STEPS": os.path.join(HERE, "share/ci/gate.sh"), "TRACEQ": TRACEQ, "GITLAB_CI": "true",
           "CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "abc1234", "CI_JOB_NAME": "gate",
           "CI_API_V4_URL": "https://example.invalid/api/v4", "CI_PROJECT_ID": "3", **variables}
    script = "\n".join(["set -eo pipefail", *job["script"]])
    done = subprocess.run(["bash", "-c", script], cwd=place.work, env=place.environment(env), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def gitlab(root):
    if not shutil.which("jq"):
        print("oracle ci: no jq: skipped GitLab's comments")
    place = Place(os.path.join(root, "git lab"))
    work = place.work
    fixture(os.path.join(work, "good.json"), "healthy")
    fixture(os.path.join(work, "again.json"), "healthy", "--seed", "2")
    fixture(os.path.join(work, "slow.json"), "copy-bound")
    store = os.path.join(work, "traceq-store", "baseline.jsonl")
    code, said = gitlab_job(place, "main", TRACEQ_RUN="good.json")
    expect(code == 0 and os.path.exists(store), f"first run: {code} {said}")
    with open(place.answer, "w") as f:
        f.write("[]")
    code, said = gitlab_job(place, "", TRACEQ_RUN="again.json", CI_MERGE_REQUEST_IID="4", TRACEQ_GITLAB_TOKEN="secret")
    expect(code == 0 and "secret" not in said, f"a merge request: {code} {said}")
    if shutil.which("jq"):
        log = place.stub_log()
        expect("merge_requests/4/notes>" in log and "<body@traceq-gate/comment.md>" in log, f"note: {log}")
        with open(place.answer, "w") as f:
            json.dump([{"id": 8, "body": "other"}, {"id": 9, "body": "<!-- traceq: gate -->\nold"}], f)
        gitlab_job(place, "", TRACEQ_RUN="again.json", CI_MERGE_REQUEST_IID="4", TRACEQ_GITLAB_TOKEN="secret")
        log = place.stub_log()
        expect("<PUT>" in log and "/notes/9>" in log, f"the note is not updated: {log}")
    code, said = gitlab_job(place, "main", TRACEQ_RUN="slow.json", TRACEQ_OPTIONS="--tier=default")
    expect(code == 1 and "not kept" in said, f"a worse run: {code} {said}")
    expect(len(read(store).splitlines()) == 1, "a worse run became a base")
    for report in ["gate.xml", "metrics.txt", "report.html"]:
        expect(os.path.getsize(os.path.join(work, "traceq-gate", report)) > 100, f"no {report}")
    code, said = gitlab_job(place, "", TRACEQ_RUN="nowhere.json")
    expect(code == 2, f"no such file: {code}")
    code, said = gitlab_job(place, "", TRACEQ_RUN="again.json", CI_MERGE_REQUEST_IID="4;touch owned", TRACEQ_GITLAB_TOKEN="x")
    expect(code == 2 and not os.path.exists(os.path.join(work, "owned")), f"a number that is none: {code} {said}")


def alone(root):
    """The script by itself: an installed one finds the program beside it, steps have an order."""
    place = Place(os.path.join(root, "alone"))
    fixture(os.path.join(place.work, "a.json"), "healthy")
    where = os.path.join(root, "usr")
    os.makedirs(os.path.join(where, "share", "traceq", "ci"))
    os.makedirs(os.path.join(where, "bin"))
    shutil.copy("share/ci/gate.sh", os.path.join(where, "share", "traceq", "ci"))
    os.symlink(TRACEQ, os.path.join(where, "bin", "traceq"))
    script = os.path.join(where, "share", "traceq", "ci", "gate.sh")

    def step(*words, **more):
        return subprocess.run(["bash", script, *words], cwd=place.work, env=place.environment(more), capture_output=True,
                              text=True)

    for words in [[], ["nonsense"], ["verdict"], ["comment"], ["gate"]]:
        expect(step(*words).returncode == 2, f"gate.sh {words} without anything")
    expect(step("all", TRACEQ_RUN="nowhere.json").returncode == 2, "no run and no base: a pass")
    expect(step("gate", TRACEQ_RUN="a.json").returncode == 0 and step("gate").returncode == 2 and
           step("verdict").returncode == 2, "a verdict of the gate before")
    done = step("all", TRACEQ_RUN="a.json", TRACEQ_UPDATE="true", TRACEQ_COMMENT="true", TRACEQ_OUT="some where/out")
    expect(done.returncode == 0, f"all: {done.stdout} {done.stderr}")
    expect("no comment: this is no pull request" in done.stderr, f"all: {done.stderr}")
    expect(read(os.path.join(place.work, "some where/out", "exit-code")) == "0\n", "exit-code")
    os.unlink(os.path.join(where, "bin", "traceq"))
    done = step("find", PATH="/usr/bin:/bin")
    expect(done.returncode == 2 and "install" in done.stderr, f"no traceq: {done.stderr}")


def main():
    if not yaml:
        print("SKIP: python3-yaml is not installed\n0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory() as root:
        action_is_whole()
        github(root)
        gitlab(root)
        alone(root)
    for text in failures:
        print(f"oracle ci: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
