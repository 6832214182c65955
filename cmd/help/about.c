/*
 * The texts about traceq as a whole, for help and for the man pages.
 */
#include "cmd/help/about.h"

#include <stddef.h>

const char about_examples[] = "traceq top trace.json.gz\n"
			      "traceq info *.json.gz --json\n"
			      "traceq explain self_cpu_ns\n";

const char about_files[] =
	"A FILE is a Chrome trace as PyTorch (Kineto), JAX, Node and others write it, or what a run "
	"leaves beside: logs, summaries, sweeps, samples; a folder is all of them. Compressed or "
	"not; '-' is standard input. What a file is, its content decides, never its name. "
	"Damage that can be worked around is, and is counted and said; --strict makes it an error.";

const char about_exit_codes[] =
	"0  answered\n"
	"1  answered, and the answer is no: regressed (gate, diff --exit-code), not\n"
	"   reliable (check), something CRIT (diagnose --exit-code)\n"
	"2  no answer, or not for all inputs: wrong options, unreadable input, output\n"
	"   not written\n";

const char *const about_environment[] = {
	"NO_COLOR",
	"set and not empty: no colors, unless --color says otherwise",
	"CLICOLOR_FORCE",
	"set and not 0: colors also where stdout is no terminal; FORCE_COLOR means the same",
	"COLUMNS",
	"width of text, in place of the terminal's; without either 80",
	"TRACEQ_PAGER",
	"shows text longer than the terminal, else PAGER, else less; empty or cat: nothing does",
	"TRACEQ_CONFIG",
	"a file of settings, in place of traceq.yaml in this folder",
	"TRACEQ_DIAGNOSE_...",
	"one setting: 'traceq config' lists them, TRACEQ_DIAGNOSE_G10_WARN is diagnose.G10.warn",
	"TRACEQ_INFLATE",
	"zlib: decompress with zlib where ISA-L is built in",
	"TRACEQ_SCANNER",
	"avx2, sse2, neon or portable: the scanner to use, where this machine has it",
	NULL,
};
