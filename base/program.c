/* Finding programs. */
#include "base/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

char *program_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	struct str b = { 0 };
	struct stat st;

	for (; path; path = *end ? end + 1 : NULL) {
		end = path + strcspn(path, ":");
		if (*path != '/')
			continue;
		str_reset(&b);
		str_add(&b, path, (size_t)(end - path));
		str_addf(&b, "/%s", name);
		if (stat(b.s, &st) == 0 && S_ISREG(st.st_mode) && access(b.s, X_OK) == 0)
			return b.s;
	}
	str_free(&b);
	return NULL;
}
