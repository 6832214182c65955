# A database of Ascend's profiler: kernels of ops by ids, one collective whole and not its parts, a wait that is no work; beside
# it the same recording as a trace and sums of it, which are not read; two ranks are a job. What it says of devices is no CUDA.
"$TRACEQ" --version | grep -q SQLite || { echo "traceq was built without SQLite"; exit 77; }
python3 - <<'P'
import os
import sqlite3
names = ["MatMulV2", "AI_CORE", "launch", "EVENT_WAIT", "hcom_allReduce__428_0_1", "hcom_allReduce_", "dp", "Notify_Wait", "aten::mm",
         "SDMA_SQE", "ProfilerStep#1", "ProfilerStep#2"]
number = {n: i for i, n in enumerate(names, 1)}
for rank in range(2):
    where = f"job/node1_{100 + rank}_20260901_ascend_pt/ASCEND_PROFILER_OUTPUT"
    os.makedirs(where)
    db = sqlite3.connect(f"{where}/ascend_pytorch_profiler_{rank}.db")
    db.executescript("""
    CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);
    CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER, globalPid
    INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);
    CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockDim INTEGER);
    CREATE TABLE COMMUNICATION_TASK_INFO(name INTEGER, globalTaskId INTEGER, opId INTEGER);
    CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER, opId
    INTEGER PRIMARY KEY, dataType INTEGER, count NUMERIC, opType INTEGER);
    CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY, name
    INTEGER);
    CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, type INTEGER);
    CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER);
    CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER);
    CREATE TABLE NPU_INFO(id INTEGER, name TEXT);""")
    db.executemany("INSERT INTO STRING_IDS VALUES(?, ?)", [(i, n) for n, i in number.items()])
    db.execute("INSERT INTO NPU_INFO VALUES(?, 'Ascend910B2')", (rank,))
    db.execute("INSERT INTO RANK_DEVICE_MAP VALUES(?, ?)", (rank, rank))
    main, other = (100 + rank) << 32 | 7, (100 + rank) << 32 | 8

    def task(start, dur, kind, number_of, stream, to):
        db.execute("INSERT INTO TASK VALUES(?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0)",
                   (start, start + dur, rank, to, number_of, 100 + rank, number[kind], stream))

    # A step of 1 ms: a product of 400 us (rank 1: 500), a wait, and an all-reduce that ends on both at 900 us.
    for step in range(2):
        at, k, op = 1_790_000_000_000_000_000 + step * 1_000_000, step * 10, 400_000 + rank * 100_000
        db.execute("INSERT INTO PYTORCH_API VALUES(?, ?, ?, NULL, ?, 50001)", (at, at + 1_000_000, main, number[f"ProfilerStep#{step + 1}"]))
        db.execute("INSERT INTO PYTORCH_API VALUES(?, ?, ?, ?, ?, 50001)", (at + 10_000, at + 60_000, main, step + 1, number["aten::mm"]))
        db.execute("INSERT INTO CONNECTION_IDS VALUES(?, ?)", (step + 1, k + 1))
        db.execute("INSERT INTO CANN_API VALUES(?, ?, 10000, ?, ?, ?)", (at + 30_000, at + 40_000, other, k + 1, number["launch"]))
        db.execute("INSERT INTO CANN_API VALUES(?, ?, 5500, ?, ?, ?)", (at + 42_000, at + 50_000, other, k + 2, number["hcom_allReduce_"]))
        task(at + 50_000, op, "AI_CORE", k + 1, 2, k + 1)
        db.execute("INSERT INTO COMPUTE_TASK_INFO VALUES(?, ?, 24)", (number["MatMulV2"], k + 1))
        task(at + 50_000 + op, 20_000, "EVENT_WAIT", k + 2, 2, 0xffffffff)
        db.execute("INSERT INTO COMMUNICATION_OP VALUES(?, ?, ?, ?, ?, ?, 11, 1000000, ?)",
                   (number["hcom_allReduce__428_0_1"], at + 60_000 + op, at + 900_000, k + 2, number["dp"], step, number["hcom_allReduce_"]))
        task(at + 60_000 + op, 100_000, "SDMA_SQE", k + 3, 5, k + 2)
        db.execute("INSERT INTO COMMUNICATION_TASK_INFO VALUES(?, ?, ?)", (number["Notify_Wait"], k + 3, step))
    db.commit()
    sqlite3.connect(f"{where}/analysis.db").execute("CREATE TABLE CommAnalyzerTime(a)").connection.commit()
P
cd job/node1_100*/ASCEND_PROFILER_OUTPUT || exit
echo '[{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Ascend Hardware"}}, {"name": "x", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]' >trace_view.json
"$TRACEQ" info . | sed -n '1,/^span/p' | grep -v '^file size\|^text'
cd - >/dev/null || exit
for a in top steps launches comms; do
	echo "== $a"
	"$TRACEQ" $a job/node1_100*/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db
done
echo "== diagnose"
"$TRACEQ" diagnose job/node1_100*/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db | grep -E 'CUDA|NPU|^verdict|because'
echo "== ranks"
"$TRACEQ" ranks job | head -n 24
