/*
 * Libraries that the program loads after CUPTI and that go with another one.
 */
#ifndef CAPTURE_INJECT_LIBRARIES_H
#define CAPTURE_INJECT_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIBRARIES_CUPTIS = 8, LIBRARIES_PATH_MAX = 1024 };

struct libraries {
	unsigned long long adds;           /* how often something was loaded, at the last look */
	uintptr_t cupti[LIBRARIES_CUPTIS]; /* where the CUPTIs are that were there at the first look
	                                    */
	size_t ncuptis;
	bool has_looked, said_second, said_torch;
	/* What this look found, "": nothing. */
	char second[LIBRARIES_PATH_MAX], torch[LIBRARIES_PATH_MAX];
};

/* The first time: what is there; later: what has come.  Costs next to nothing where nothing has. */
void libraries_look(struct libraries *l);

/*
 * The CUPTI that a PyTorch brings whose library lies at torch, where it is another file than cupti
 * but of the same name: true, with its path in own[LIBRARIES_PATH_MAX].  The loader gives PyTorch
 * the one that is there already.
 */
bool libraries_torch_cupti(const char *torch, const char *cupti, char *own);

#endif
