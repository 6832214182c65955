# Any JSON with numbers is a set of figures, and the results of CI's benchmarks are kinds; the second of each pair is worse in one figure
pair() { # NAME WHAT WITH: the file NAME.json, and NAME-new.json with one number changed
	cat >"$1.json"
	sed "s/$2/$3/" "$1.json" >"$1-new.json"
	for new in "$1-new" "$1"; do
		echo "== $1.json $new.json"
		$TRACEQ gate "$1.json" "$new.json" --no-config
		echo "exit $?"
	done
}
pair any 'seconds": 40' 'seconds": 80' <<'END'
{"perf": {"step_time": {"mean": 0.5, "std": 0.01, "count": 50}, "approx_tokens_per_sec": 4000, "max_mem_mb": 1200},
 "meta": {"seed": 7, "version": 3}, "stages": [{"name": "load", "seconds": 2.0}, {"name": "fit", "seconds": 40.0}]}
END
pair google '1.25' '2.5' <<'END'
{"context": {"date": "2025", "num_cpus": 8}, "benchmarks": [
 {"name": "BM_Gemm/1024", "run_type": "iteration", "iterations": 1000, "real_time": 1.25, "cpu_time": 1.24, "time_unit": "ms",
  "items_per_second": 800000.0},
 {"name": "BM_Gemm/1024_stddev", "run_type": "aggregate", "aggregate_name": "stddev", "real_time": 0.02, "time_unit": "ms"}]}
END
pair pytest '"mean": 0.011' '"mean": 0.022' <<'END'
{"machine_info": {"node": "ci"}, "commit_info": {}, "benchmarks": [{"name": "test_forward", "fullname": "t.py::test_forward",
 "stats": {"min": 0.01, "max": 0.012, "mean": 0.011, "stddev": 0.0003, "rounds": 50, "median": 0.0109, "iqr": 0.0002,
  "q1": 0.0108, "q3": 0.0111, "ops": 90.9, "total": 0.55, "iterations": 1}}], "version": "4.0.0"}
END
pair action '120.5' '241' <<'END'
[{"name": "train step", "unit": "ms", "value": 120.5, "range": "1.2"}, {"name": "decode", "unit": "iter/sec", "value": 50}]
END
pair hyperfine '"mean": 1.25' '"mean": 2.5' <<'END'
{"results": [{"command": "python train.py --lr 0.1", "mean": 1.25, "stddev": 0.02, "median": 1.24, "user": 1.0, "system": 0.1,
 "min": 1.2, "max": 1.3, "times": [1.2, 1.25, 1.3], "exit_codes": [0, 0, 0]}]}
END
pair criterion '1250.5' '2501' <<'END'
{"mean": {"confidence_interval": {"lower_bound": 1200.0, "upper_bound": 1300.0}, "point_estimate": 1250.5, "standard_error": 12.5},
 "median": {"point_estimate": 1240.5}, "median_abs_dev": {"point_estimate": 11.5}, "slope": {"point_estimate": 1251.0},
 "std_dev": {"point_estimate": 30.5}}
END
pair go '1234 ns' '1543 ns' <<'END'
goos: linux
goarch: amd64
BenchmarkStep-8         	    1000	      1234 ns/op	      56 B/op	       2 allocs/op
BenchmarkStep/batch=32-8         	     500	    250000 ns/op	 131.07 MB/s	     128 B/op	       4 allocs/op
PASS
ok  	example.com/train	3.456s
END
pair quantiles 'p99": 3' 'p99": 4' <<'END'
{"p50": 1, "p99": 3}
END
pair vllm '12.53 req' '9.40 req' <<'END'
Throughput: 12.53 requests/s, 3205.51 total tokens/s, 1602.75 output tokens/s
Total num prompt tokens:  128000
END
# beside the same trace
mkdir base new
"$FIXTURES" healthy --steps 8 >base/trace.json
cp base/trace.json new/
cp any.json base/results.json
cp any-new.json new/results.json
echo "== folders"
$TRACEQ gate base new --no-config | head -4
echo "exit ${PIPESTATUS[0]}"
