/*
 * What AMD's monitors call their figures, in CSV and JSON alike.  Sources: rocm-smi's and amd-smi's
 * own output.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_AMD_H
#define ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_AMD_H

#include "analyze/input/artifact/monitors/smi_rows.h"
#include "base/str.h"

/* rocm-smi's: "GPU use (%)"; NULL: of no interest. */
const struct smi_word *smi_amd_rocm(struct span word);

/* amd-smi's, of CSV and of monitor: "gfx_activity"; of its JSON, by path: "usage.gfx_activity". */
const struct smi_word *smi_amd_word(struct span word);
const struct smi_word *smi_amd_path(struct span path);

/* Seconds since 1970, or a date; false: it is neither. */
bool smi_amd_time(struct span t, double *time);

/* "card3" is 3; what is no card stays. */
struct span smi_amd_gpu(struct span t);

#endif
