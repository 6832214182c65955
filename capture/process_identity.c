/* The process's place among others, from its environment. */
#include "capture/process_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/system.h"

/* A small number in a variable; -1 when it is not there or something else. */
static int number(const char *variable)
{
	const char *s = variable ? getenv(variable) : NULL;
	int v = 0;

	if (!s || !*s || strlen(s) > 8)
		return -1;
	for (size_t i = 0; s[i]; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -1;
		v = v * 10 + (s[i] - '0');
	}
	return v;
}

void process_identity_ask(struct process_identity *w)
{
	char path[1024];

	memset(w, 0, sizeof(*w));
	static const struct {
		const char *rank, *local, *world;
	} known[] = {
		{ "RANK", "LOCAL_RANK", "WORLD_SIZE" },
		{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE" },
		{ "PMIX_RANK", NULL, NULL },
		{ "PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE" },
		{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_SIZE" },
		{ "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS" },
	};
	w->rank = w->local_rank = w->world = -1;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && w->rank < 0; i++) {
		w->rank = number(known[i].rank);
		if (w->rank < 0)
			continue;
		w->local_rank = number(known[i].local);
		w->world = number(known[i].world);
	}
	w->pid = (int)getpid();
	w->ppid = (int)getppid();
	w->start_ns = system_realtime();
	if (gethostname(w->host, sizeof(w->host) - 1) != 0 || !w->host[0])
		(void)snprintf(w->host, sizeof(w->host), "host");
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	const char *last = strrchr(path, '/');
	(void)snprintf(
		w->program, sizeof(w->program), "%s", last && last[1] ? last + 1 : "program");
}

/* One %X; 0 when there is no such letter. */
static int expand_one(const struct process_identity *w, char letter, char *to, size_t size)
{
	switch (letter) {
	case 'r':
		return w->rank < 0 ? snprintf(to, size, "p%d", w->pid)
				   : snprintf(to, size, "%d", w->rank);
	case 'l': return snprintf(to, size, "%d", w->local_rank < 0 ? 0 : w->local_rank);
	case 'w': return snprintf(to, size, "%d", w->world < 0 ? 1 : w->world);
	case 'p': return snprintf(to, size, "%d", w->pid);
	case 'h': return snprintf(to, size, "%s", w->host);
	case 'n': return snprintf(to, size, "%s", w->program);
	case 't': return snprintf(to, size, "%lld", (long long)(w->start_ns / 1000000));
	case '%': return snprintf(to, size, "%%");
	default: return 0;
	}
}

bool process_identity_expand(
	const struct process_identity *w, const char *pattern, char *to, size_t size)
{
	char part[160];
	size_t n = 0;

	for (; *pattern; pattern++) {
		int k = 1;

		part[0] = *pattern;
		if (*pattern == '%')
			k = expand_one(w, *++pattern, part, sizeof(part));
		if (k <= 0 || n + (size_t)k >= size)
			return false;
		/* Names of hosts and programs make no folders. */
		for (size_t i = 0; k > 1 && i < (size_t)k; i++)
			if (part[i] == '/')
				part[i] = '_';
		memcpy(to + n, part, (size_t)k);
		n += (size_t)k;
	}
	to[n] = 0;
	return true;
}
