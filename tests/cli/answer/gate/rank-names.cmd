# Logs whose names say ranks only beside each other are one run: a rank that is gone or slower fails.  Array jobs, numbers
# alone and sizes of a sweep are repeats or runs
log() { # FILE MS
	mkdir -p "${1%/*}"
	for i in $(seq 30); do echo "step=$i loss=$((60 - i)).5 step_time=$(($2 + i % 2))ms"; done >"$1"
}
run() { # NAME FILE...
	name=$1
	shift
	for file; do
		log "base/$name/$file" 100
		log "slow/$name/$file" 100
	done
	cp -r base/$name lost_$name
	rm "lost_$name/$file"
	log "slow/$name/$file" 180
	for new in base/$name slow/$name lost_$name; do
		"$TRACEQ" gate base/$name $new --no-config | grep -E 'gate|^FAIL|read as' | sed 's/  \+/  /g; s/default tier.*//'
	done
}
run node node0.log node1.log
run gpu gpu_0.log gpu_1.log gpu_2.log
run tasks slurm-1234-0.out slurm-1234-1.out
run nodes node0/train.log node1/train.log
run both node0_gpu0.log node0_gpu1.log node1_gpu0.log node1_gpu1.log
run local node0/rank0.log node0/rank1.log node1/rank0.log node1/rank1.log
run global node0/rank0.log node0/rank1.log node1/rank2.log node1/rank3.log
run array slurm-1234_0.out slurm-1234_1.out
run numbers 0.log 1.log
run seeds seed0.log seed1.log
run sweep gpu1.log gpu2.log gpu4.log
