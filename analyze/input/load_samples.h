/*
 * Samples in a trace: counters of NVML become series of the run's record, as nvidia-smi names them.
 */
#ifndef ANALYZE_INPUT_LOAD_SAMPLES_H
#define ANALYZE_INPUT_LOAD_SAMPLES_H

struct run;

/*
 * Takes the rows of KIND_COUNTER out of the run's events.  Needs the run whole and no index.  A run
 * without such rows stays as it is.
 */
void load_samples(struct run *run);

#endif
