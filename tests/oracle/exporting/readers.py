"""Readers of Parquet that are not ours: DuckDB and hyparquet, where tests/deps.sh readers put them."""
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.path.join(os.environ.get("BUILD") or os.path.join(HERE, "..", "..", "..", "build"), "readers")


def are_here():
    return bool(shutil.which("node")) and all(
        os.path.exists(os.path.join(PLACE, "node_modules", *name.split("/"), "package.json"))
        for name in ("@duckdb/node-api", "hyparquet"))


def value(v):
    """What a cell of an answer says: whole numbers exactly."""
    if isinstance(v, dict):
        return int(v["int"]) if "int" in v else float(v["real"])
    return v


class Readers:
    def __enter__(self):
        self.node = subprocess.Popen(["node", os.path.join(HERE, "read.mjs"), os.path.abspath(PLACE)],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait()

    def ask(self, **what):
        self.node.stdin.write(json.dumps(what).encode() + b"\n")
        self.node.stdin.flush()
        said = json.loads(self.node.stdout.readline())
        if "error" in said:
            raise ValueError(f"{what}: {said['error']}")
        return said["keys"], [tuple(map(value, row)) for row in said["rows"]]

    def sql(self, statement):
        """DuckDB's rows."""
        return self.ask(sql=statement)[1]

    def duckdb(self, path):
        return self.ask(sql=f"select * from read_parquet('{path}')")

    def hyparquet(self, path, *columns):
        return self.ask(file=str(path), **({"columns": columns} if columns else {}))
