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


# gh and curl: each word is written down, a file that is a body in whole, what comes by --config - apart.  What is
# asked is answered from STUB_ANSWER, a document of `user`, `viewer` and `comments`; --jq is done by jq.
STUB = """#!/usr/bin/env python3
import json, os, subprocess, sys
words = sys.argv[1:]
with open(os.environ["STUB_LOG"], "a") as log:
    log.write("\\n".join([sys.argv[0], *("<%s>" % w for w in words)]) + "\\n")
    for word in words:
        if word.startswith("body@") or word.startswith("body=@"):
            with open(word.split("@", 1)[1], encoding="utf-8") as body:
                with open(os.environ["STUB_LOG"] + ".body", "w") as out:
                    out.write(body.read())
if "--config" in words:
    with open(os.environ["STUB_LOG"] + ".config", "a") as out:
        out.write(sys.stdin.read())
if os.environ.get("STUB_EXIT", "0") != "0":
    sys.exit(int(os.environ["STUB_EXIT"]))
with open(os.environ["STUB_ANSWER"]) as f:
    given = json.load(f)
asks = [w for w in words if "/" in w or w in ("user", "graphql")]
if any(w in words for w in ("PATCH", "PUT")) or any(w.startswith("body") for w in words):
    sys.exit(0)
if asks and (asks[0] == "user" or asks[0].endswith("/user")):
    answer = given.get("user")
elif asks and asks[0] == "graphql":
    answer = given.get("viewer") and {"data": {"viewer": given["viewer"]}}
else:
    page = int(asks[0].split("&page=")[1]) if "&page=" in asks[0] else 1
    answer = given["comments"][100 * (page - 1):100 * page] if "&page=" in asks[0] else given["comments"]
if answer is None:
    print('{"message": "not for you"}')
    sys.exit(1)
text = json.dumps(answer)
if "--jq" in words:
    text = subprocess.run(["jq", "-r", words[words.index("--jq") + 1]], input=text, capture_output=True, text=True,
                          check=True).stdout
print(text, end="")
"""


class Place:
    """A working folder of a runner, with stubs before PATH."""

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
        self.answers()
        self.cache, self.artifacts = {}, {}

    def answers(self, comments=(), **who):
        """What the server has: comments, and who the token's user is."""
        with open(self.answer, "w") as f:
            f.write(json.dumps({"comments": list(comments), **who}))

    def environment(self, more):
        env = {"PATH": self.bin + ":" + os.environ["PATH"], "HOME": self.root, "LC_ALL": "C.UTF-8",
               "STUB_LOG": self.log, "STUB_ANSWER": self.answer}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        return {**env, **more}

    def stub_log(self):
        text = read(self.log) if os.path.exists(self.log) else ""
        self.body = read(self.log + ".body") if os.path.exists(self.log + ".body") else ""
        self.config = read(self.log + ".config") if os.path.exists(self.log + ".config") else ""
        for path in (self.log, self.log + ".body", self.log + ".config"):
            if os.path.exists(path):
                os.unlink(path)
        return text


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
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

    def __init__(self, place, event="pull_request", stub_exit="0", attempt="1", **inputs):
        self.place, self.outputs, self.stdout, self.stderr, self.code = place, {}, "", "", 0
        self.document = yaml.safe_load(read("action.yml"))
        self.temp = os.path.join(place.root, "temp dir")
        self.stub_exit = stub_exit
        os.makedirs(self.temp, exist_ok=True)
        self.context = {
            "runner.temp": self.temp, "runner.os": "Linux", "github.action_path": HERE, "github.sha": "abc1234",
            "github.token": "secret", "github.event_name": event, "github.ref_name": "main", "github.run_id": "7",
            "github.run_attempt": attempt,
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
            expect("key" not in what or what["key"] not in shelf, f"a cache is written once: {what.get('key')}")
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
    expect(list(place.cache) == ["traceq-gate-Linux-7-1"], f"cache {list(place.cache)}")
    shutil.rmtree(os.path.join(work, "traceq-store"))
    good = Action(place, run="again.json", comment="true", traceq=TRACEQ)
    expect(good.code == 0 and good.verdict() == "pass", f"a good run: {good.code} {good.stderr}")
    expect(sorted(os.listdir(place.artifacts["traceq-gate"])) ==
           ["comment.md", "exit-code", "gate.html", "gate.json", "gate.md", "gate.txt", "gate.xml", "metrics.txt", "report.html"],
           f"artifact {os.listdir(place.artifacts['traceq-gate'])}")
    said = place.stub_log()
    has_jq = shutil.which("jq")
    expect("<repos/a/b/issues/12/comments>" in said, f"comment: {said}")
    expect(not has_jq or f"<body=@{good.out('comment.md')}>" in said, f"comment: {said}")
    expect("PATCH" not in said and "secret" not in said, f"comment: {said}")
    expect(re.search(r"\d", good.outputs["gate"].get("compared", "")) and good.outputs["gate"]["compared"] != "0" and
           first.outputs["gate"]["compared"] == "0", f"how many figures were compared: {good.outputs['gate']}")
    place.answers([{"id": n, "body": "<!-- traceq: gate -->\nold", "user": {"login": "github-actions[bot]"}}
                   for n in (55, 56)])
    bad = Action(place, run="slow.json", comment="true", traceq=TRACEQ)
    expect(bad.code == 1 and bad.verdict() == "fail", f"a worse run: {bad.code} {bad.verdict()}")
    expect("::error title=traceq gate" in bad.stderr + bad.stdout, f"no annotation: {bad.stderr[:300]}")
    expect("failed" in bad.summary and "|" in bad.summary, f"no step summary: {bad.summary[:200]}")
    said = place.stub_log()
    expect(not has_jq or ("<PATCH>" in said and "<repos/a/b/issues/comments/56>" in said), f"the comment is not updated: {said}")
    expect(read(bad.out("comment.md")).startswith("<!-- traceq: gate -->\n### "), "comment body")
    expect(json.loads(read(bad.out("gate.json")))["schema"] == "traceq.gate/1", "gate.json")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 1, "a pull request adds no base")
    nightly = Action(place, event="push", attempt="3", run="slow.json", traceq=TRACEQ)
    expect(nightly.code == 1 and "not kept" in nightly.stderr, f"a worse run on the main branch: {nightly.stderr}")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 1, "a worse run became a base")
    again = Action(place, event="push", attempt="2", run="good run.json", traceq=TRACEQ)
    expect(again.code == 0 and "traceq-gate-Linux-7-2" in place.cache,
           f"a second attempt keeps what it added: {list(place.cache)}")
    expect(len(read(os.path.join(work, "traceq-store", "baseline.jsonl")).splitlines()) == 2, "the store of the first attempt")
    noisy(place)
    github_odd(place)
    if shutil.which("jq"):
        github_authors(place)
    tuned(place)


def noisy(place):
    """What noise alone may explain is no green: a verdict of its own, and a neutral check."""
    for name, seconds in (("one.log", .5), ("two.log", .57)):
        with open(os.path.join(place.work, name), "w") as f:
            f.writelines(f"step {i} loss {3 - i * .001:.4f} step_time {seconds * (1 + i % 5 * .004):.4f}s\n" for i in range(1, 41))
    Action(place, event="push", run="one.log", store="logs", cache="false", traceq=TRACEQ)
    place.stub_log()
    two = Action(place, run="two.log", store="logs", cache="false", traceq=TRACEQ)
    expect((two.code, two.verdict()) == (0, "noisy"), f"a noisy run: {two.code} {two.verdict()} {two.stdout}")
    said = place.stub_log()
    expect("<repos/a/b/check-runs>" in said and "<conclusion=neutral>" in said, f"a noisy run: {said}")
    for options in ["--fail-on=noisy", "--allow-lost=trace", "--strict-unknown"]:
        two = Action(place, run="two.log", store="logs", cache="false", options=options, traceq=TRACEQ)
        expect(two.code == ("noisy" in options), f"{options}: {two.code} {two.stderr}")


def github_odd(place):
    work = place.work
    for run in ["nothing.json", "nowhere.json", "", "\n\n"]:
        none = Action(place, run=run, traceq=TRACEQ)
        expect(none.code == (1 if run == "nothing.json" else 2), f"run {run!r}: exit {none.code}")
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


def github_authors(place):
    """A comment is updated only where its author is the token's own user."""
    mark = "<!-- traceq: gate -->\nold"

    def comment(n, login, body=mark):
        return {"id": n, "body": body, "user": {"login": login}}

    bot, me, other = "github-actions[bot]", "me", 'x" or true or "'
    for who, comments, wanted in [
            ({"user": {"login": me}}, [comment(1, "mallory"), comment(2, bot), comment(3, other)], None),
            ({"user": {"login": me}}, [comment(1, me), comment(2, "mallory")], 1),
            ({"user": {"login": me}}, [comment(1, me, "> " + mark), comment(2, me, "<!-- traceq: gate2 -->")], None),
            ({"viewer": {"login": "app[bot]"}}, [comment(1, "app[bot]"), comment(2, bot), comment(3, "app")], 1),
            ({}, [comment(1, "mallory"), comment(2, bot), comment(3, "github-actions")], 2),
            ({"user": {"login": other}}, [comment(1, "mallory"), comment(2, other)], None)]:
        place.stub_log()
        place.answers(comments, **who)
        done = Action(place, run="again.json", comment="true", html="false", artifact="false", traceq=TRACEQ)
        said = place.stub_log()
        expect(done.code == 0 and place.body.startswith("<!-- traceq: gate -->\n"), f"{who}: {done.stderr}")
        got = re.search(r"<PATCH>\n<repos/a/b/issues/comments/(\d+)>", said)
        expect((int(got[1]) if got else None) == wanted, f"{who}, {comments}: updated {got and got[1]}, not {wanted}")
        expect(wanted or "<repos/a/b/issues/12/comments>\n<-F>" in said, f"{who}: no new comment: {said}")
    place.answers()


# Options that leave no gate, hide what it says or make it another one; each as lines of TRACEQ_OPTIONS.
NO_TUNING = ["--help", "-h", "--he", "--version", "--md=other.md", "--md\nother.md", "--junit=/dev/null", "--json-out=x.json",
             "--openmetrics=x", "-o\nx.json", "-ox.json", "--output=x", "--format=json", "--json", "--table=why",
             "--missing-baseline=pass", "--missing-baseline\npass", "--config=x.yaml", "--history", "--no-history", "--",
             "--\n--help", "-", "again.json", "base=again.json", "--tier\n--help", "--tier", "--tier smoke", "'--tier=smoke'",
             '"--help"', "--verbose\n--help", " --help", "\t--help", "--help\r", "--verbose\r\n--help\r",
             "--no-pager", "--quiet", "-q", "-qh", "--verbose=x", "--tie=smoke", "--update", "--base=x", "--$(touch owned)",
             "\u00a0--help", "--\x1b[2Jtier=smoke", "##[error]owned", "--##[error]owned=x"]


def tuned(place):
    """TRACEQ_OPTIONS only tunes; what is no tuning is refused by name, and what compared nothing never passes."""
    work = place.work
    environment = place.environment({"TRACEQ": TRACEQ, "TRACEQ_RUN": "again.json", "TRACEQ_HTML": "false"})

    def step(step, **more):
        return subprocess.run(["bash", os.path.join(HERE, "share/ci/gate.sh"), step], cwd=work, env={**environment, **more},
                              capture_output=True, text=True)

    for options in NO_TUNING:
        done = step("all", TRACEQ_OPTIONS=options)
        expect(done.returncode == 2, f"TRACEQ_OPTIONS={options!r}: {done.returncode}")
        expect("TRACEQ_OPTIONS: " in done.stderr, f"TRACEQ_OPTIONS={options!r}: {done.stderr}")
        expect(not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stderr), f"{options!r} goes to the log: {done.stderr!r}")
        expect("##[" not in done.stdout + done.stderr and not os.path.exists(os.path.join(work, "other.md")), f"{options!r}")
        expect(not os.path.exists(os.path.join(work, "owned")), f"{options!r} was run")
    expect(step("all", TRACEQ_OPTIONS="--tier=smoke --help").returncode == 2, "a value that is none")
    for options in ["", "\n\n", "--tier=smoke", "--tier=default\n\n--check=step_time=50%\n--check=op:a b=9%", "--steps=1-", "--no-config\n"
                    "--verbose\n--fail-on=fail\n--noise=3%"]:
        done = step("all", TRACEQ_OPTIONS=options)
        expect(done.returncode == 0, f"TRACEQ_OPTIONS={options!r}: {done.returncode} {done.stderr}")
    compared_nothing(place, step)


def compared_nothing(place, step):
    """Programs that exit 0 and compared nothing."""
    fake = os.path.join(place.bin, "fake")
    suite = '<testsuites name="traceq gate" tests="%s" failures="0" errors="%s" skipped="%s" time="0">'
    for what, text, code in [
            ("no report", None, 2), ("an empty report", "", 2), ("no checks", suite % (0, 0, 0), 2),
            ("all skipped", suite % (4, 0, 4), 2), ("an error", suite % (1, 1, 0), 2), ("no number", suite % ("x", 0, 0), 2),
            ("numbers of a shell", suite % ("a[$(touch owned)]", 0, 0), 2), ("too many digits", suite % ("9" * 40, 0, 0), 2),
            ("another root", '<testsuite tests="4" errors="0" skipped="0">', 2), ("two checks", suite % (3, 0, 1), 0)]:
        with open(fake, "w") as f:
            f.write("#!/bin/bash\nfor w; do case $w in --junit=*) junit=${w#--junit=} ;; esac; done\n")
            f.write("" if text is None else f"[ -z \"${{junit:-}}\" ] || printf '%s\\n' '<?xml?>' '{text}' >\"$junit\"\n")
        os.chmod(fake, 0o755)
        done = step("all", TRACEQ=fake)
        expect(done.returncode == code, f"{what}: exit {done.returncode} {done.stderr}")
        expect(not os.path.exists(os.path.join(place.work, "owned")), f"{what} was run")
    for words in ["256", "0 1", "", "-1", "x"]:
        with open(os.path.join(place.work, "traceq-gate", "exit-code"), "w") as f:
            f.write(words + "\n")
        expect(step("verdict").returncode == 2, f"exit-code {words!r}")


def long_comments(place):
    """What a server would refuse for its length is cut at a line, and says so; what was left open is closed."""
    fake = os.path.join(place.bin, "fake")
    for server, limit in [("github", 65536), ("gitlab", 1000000)]:
        more = {"GITHUB_REPOSITORY": "a/b", "GITHUB_SERVER_URL": "https://example.invalid", "GITHUB_RUN_ID": "7"}
        more = more if server == "github" else {"CI_JOB_URL": "https://example.invalid/jobs/9", "GITLAB_CI": "true"}
        for size in [limit - 400, 2 * limit]:
            rows = "".join(f"| {n} \u00e9 row |\n" for n in range(size // 16))[:size // 2]
            text = "### gate\n\n<details><summary>checks</summary>\n\n" + rows + "last\n\n</details>\n"
            text = text if size > limit else "### gate\n" + rows + "last\n"
            text += "x" * 10 + "\n" if size < limit else ("y" * 99 + "\n") * (size // 100)
            with open(os.path.join(place.root, "long.md"), "w", encoding="utf-8") as f:
                f.write(text)
            with open(fake, "w") as f:
                f.write("#!/bin/bash\nfor w; do case $w in --md=*) cp ../long.md \"${w#--md=}\" ;; esac; done\n")
            os.chmod(fake, 0o755)
            subprocess.run(["bash", os.path.join(HERE, "share/ci/gate.sh"), "gate"], cwd=place.work, capture_output=True,
                           env=place.environment({"TRACEQ": fake, "TRACEQ_RUN": "again.json", "TRACEQ_HTML": "false", **more}))
            body = read(os.path.join(place.work, "traceq-gate", "comment.md"))
            expect(len(body) <= limit and len(body.encode()) <= limit, f"{server}, {size}: {len(body)} characters")
            mark, whole = "<!-- traceq: gate -->\n", body.split("\n", 1)[1]
            expect(body.startswith(mark), f"{server}, {size}: {body[:50]}")
            if len((mark + text).encode()) <= limit:
                expect(whole == text, f"{server}, {size}: cut without need")
                continue
            kept = whole[:whole.rindex("\nThe rest is cut")].removesuffix("\n</details>\n")
            expect(len(body.encode()) > 0.9 * limit, f"{server}, {size}: only {len(body)} are left")
            expect("cut" in body[-400:] and "gate.md" in body[-400:] and "https://example.invalid" in body[-400:], body[-400:])
            expect(body.count("<details>") == body.count("</details>"), f"{server}, {size}: open details")
            expect(text.startswith(kept) and kept.endswith("\n"), f"{server}, {size}: not cut at a line")
    os.unlink(fake)


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


def tuning_is_known():
    """The script's list of options is in the program, each with or without a value as there."""
    told = subprocess.run([TRACEQ, "gate", "--help"], capture_output=True, text=True, check=True,
                          env={**os.environ, "COLUMNS": "200", "LC_ALL": "C.UTF-8"}).stdout
    options = {}
    for name, value, words in re.findall(r"^ +(?:-\w, )?--([\w-]+)(?: ([A-Z]\S*))?$((?:\n {20,}.*)*)",
                                         re.sub(r"(?<=\S)  +(?=\S)|(?<=[A-Z])  +", "\n" + 24 * " ", told), re.M):
        options |= {key: value for key in [name, *re.findall(r"also\s+--([\w-]+)", words)]}
    words = re.search(r"^TUNING=\((.*?)\)$", read("share/ci/gate.sh"), re.M | re.S)[1].split()
    for word in words:
        name = word.strip("-=")
        expect(name in options and bool(options[name]) == word.endswith("="), f"{word} of TUNING, {options.get(name)!r} of gate")


# ---- GitLab ----

def gitlab_job(place, branch, **variables):
    job = yaml.safe_load(read("share/ci/gitlab.yml"))[".traceq-gate"]
    env = {**job["variables"], "TRACEQ_STEPS": os.path.join(HERE, "share/ci/gate.sh"), "TRACEQ": TRACEQ, "GITLAB_CI": "true",
           "CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "abc1234", "CI_JOB_NAME": "gate",
           "CI_API_V4_URL": "https://example.invalid/api/v4", "CI_PROJECT_ID": "3", **variables}
    script = "\n".join(["set -eo pipefail", *job["script"]])
    done = subprocess.run(["bash", "-c", script], cwd=place.work, env=place.environment(env), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def gitlab_comments(place):
    log = place.stub_log()
    expect("merge_requests/4/notes>" in log and "<body@traceq-gate/comment.md>" in log, f"note: {log}")
    mark = "<!-- traceq: gate -->\nold"

    def note(n, author, body=mark, **more):
        return {"id": n, "body": body, "author": {"id": author}, "system": False, **more}

    asked = {"TRACEQ_RUN": "again.json", "CI_MERGE_REQUEST_IID": "4", "TRACEQ_HTML": "false"}
    many = [note(100 + n, 6, "words") for n in range(230)]
    for notes, wanted in [([note(8, 5, "other"), note(9, 5)], 9), ([note(9, 6), note(8, 5, "> " + mark)], None),
                          ([note(9, 5), note(8, 5)], 9), ([note(9, 5, system=True)], None), ([*many, note(9, 5)], 9), (many, None)]:
        place.answers(notes, user={"id": 5})
        code, said = gitlab_job(place, "", **asked, TRACEQ_GITLAB_TOKEN="secret")
        log = place.stub_log()
        got = re.search(r"<PUT>(?:\n<.*>)*?\n<.*/notes/(\d+)>", log)
        expect((int(got[1]) if got else None) == wanted, f"{len(notes)} notes: updated {got and got[1]}, not {wanted}: {said}")
        expect("<body@traceq-gate/comment.md>" in log, f"{len(notes)} notes: nothing was written: {log} {said}")
        expect("secret" not in log + said and "secret" in place.config, "the token is an argument")
    place.answers([], user=None)
    code, said = gitlab_job(place, "", **asked, TRACEQ_GITLAB_TOKEN="secret")
    expect(code == 0 and "not written" in said and "body@" not in place.stub_log(), f"a token of nobody: {code} {said}")
    place.answers([], user={"id": 5})
    for token in ['se"cret', "se\ncret", "se\\cret", 'x"\nurl = "https://example.invalid/', "se cret", "@/etc/passwd"]:
        code, said = gitlab_job(place, "", **asked, TRACEQ_GITLAB_TOKEN=token)
        place.stub_log()
        expect(code == 0 and "cret" not in said and "\nurl" not in place.config, f"token {token!r}: {code} {said}")
        expect(place.config == "" or token == "@/etc/passwd", f"token {token!r} is told to curl: {place.config}")
    environment = place.environment({"TRACEQ_GITLAB_TOKEN": "secret", "CI_MERGE_REQUEST_IID": "4", "CI_PROJECT_ID": "3",
                                     "CI_API_V4_URL": "https://example.invalid/api/v4"})
    traced = subprocess.run(["bash", "-x", os.path.join(HERE, "share/ci/gate.sh"), "comment"], cwd=place.work, env=environment,
                            capture_output=True, text=True)
    expect("secret" not in traced.stderr and "body@" in place.stub_log(), f"bash -x shows the token: {traced.stderr}")
    expect("secret" in place.config, "bash -x: no token")
    expect(not [n for n in os.listdir(place.work) + os.listdir(os.path.join(place.work, "traceq-gate")) if "tmp" in n], "left behind")


def gitlab(root):
    if not shutil.which("jq"):
        print("oracle ci: no jq: skipped what comments say")
    place = Place(os.path.join(root, "git lab"))
    work = place.work
    fixture(os.path.join(work, "good.json"), "healthy")
    fixture(os.path.join(work, "again.json"), "healthy", "--seed", "2")
    fixture(os.path.join(work, "slow.json"), "copy-bound")
    store = os.path.join(work, "traceq-store", "baseline.jsonl")
    code, said = gitlab_job(place, "main", TRACEQ_RUN="good.json")
    expect(code == 0 and os.path.exists(store), f"first run: {code} {said}")
    place.answers([], user={"id": 5})
    code, said = gitlab_job(place, "", TRACEQ_RUN="again.json", CI_MERGE_REQUEST_IID="4", TRACEQ_GITLAB_TOKEN="secret")
    expect(code == 0 and "secret" not in said, f"a merge request: {code} {said}")
    if shutil.which("jq"):
        gitlab_comments(place)
    code, said = gitlab_job(place, "main", TRACEQ_RUN="slow.json", TRACEQ_OPTIONS="--tier=default")
    expect(code == 1 and "not kept" in said, f"a worse run: {code} {said}")
    expect(len(read(store).splitlines()) == 1, "a worse run became a base")
    for report in ["gate.xml", "metrics.txt", "report.html"]:
        expect(os.path.getsize(os.path.join(work, "traceq-gate", report)) > 100, f"no {report}")
    long_comments(place)
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
        tuning_is_known()
        github(root)
        gitlab(root)
        alone(root)
    for text in failures:
        print(f"oracle ci: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
