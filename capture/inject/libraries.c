/*
 * Looking at what is loaded.
 */
#include "capture/inject/libraries.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void see_cupti(struct libraries *l, const struct dl_phdr_info *info)
{
	size_t i;

	for (i = 0; i < l->ncuptis; i++)
		if (l->cupti[i] == info->dlpi_addr)
			return;
	if (l->ncuptis == LIBRARIES_CUPTIS)
		return;
	l->cupti[l->ncuptis++] = info->dlpi_addr;
	if (l->has_looked)
		(void)snprintf(l->second, sizeof(l->second), "%s", info->dlpi_name);
}

static int see(struct dl_phdr_info *info, size_t size, void *user)
{
	struct libraries *l = user;
	const char *name = base_name(info->dlpi_name);

	(void)size;
	if (l->has_looked && info->dlpi_adds == l->adds)
		return 1;
	if (begins(name, "libcupti.so"))
		see_cupti(l, info);
	else if (begins(name, "libtorch_cuda.so"))
		(void)snprintf(l->torch, sizeof(l->torch), "%s", info->dlpi_name);
	return 0;
}

static int count(struct dl_phdr_info *info, size_t size, void *user)
{
	struct libraries *l = user;

	(void)size;
	l->adds = info->dlpi_adds;
	return 1;
}

void libraries_look(struct libraries *l)
{
	l->second[0] = l->torch[0] = 0;
	(void)dl_iterate_phdr(see, l);
	(void)dl_iterate_phdr(count, l);
	l->has_looked = true;
}

bool libraries_torch_cupti(const char *torch, const char *cupti, char *own)
{
	/* Where its wheels put it: of CUDA 13, and of 12 and 11. */
	static const char *const folders[] = { "nvidia/cu13/lib", "nvidia/cuda_cupti/lib" };
	const char *end = strstr(torch, "/torch/lib/");
	struct stat ours, theirs;
	size_t i;

	for (i = 0; end && i < sizeof(folders) / sizeof(folders[0]); i++) {
		int n = snprintf(own, LIBRARIES_PATH_MAX, "%.*s/%s/%s", (int)(end - torch), torch,
			folders[i], base_name(cupti));

		if (n > 0 && n < LIBRARIES_PATH_MAX && stat(own, &theirs) == 0 &&
			stat(cupti, &ours) == 0)
			return ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino;
	}
	return false;
}
