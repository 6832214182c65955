/* Finding libarchive. */
#include "analyze/input/source/libarchive.h"

#ifdef HAVE_LIBARCHIVE
#include <dlfcn.h>

#ifdef STATIC_LIBRARIES
bool libarchive_open(struct libarchive *l)
{
	l->handle = l;
#define X(call) l->call = call;
	LIBARCHIVE_CALLS(X)
#undef X
	return true;
}

void libarchive_close(struct libarchive *l)
{
	l->handle = NULL;
}
#else
/* Kept when closed: libraries behind it do not like to be loaded twice. */
enum { HOW = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

bool libarchive_open(struct libarchive *l)
{
	l->handle = dlopen("libarchive.so.13", HOW);
	if (!l->handle)
		return false;
#define X(call)                                                            \
	l->call = (__typeof__(l->call))(uintptr_t)dlsym(l->handle, #call); \
	if (!l->call) {                                                    \
		libarchive_close(l);                                       \
		return false;                                              \
	}
	LIBARCHIVE_CALLS(X)
#undef X
	return true;
}

void libarchive_close(struct libarchive *l)
{
	(void)dlclose(l->handle);
	l->handle = NULL;
}
#endif

const char *libarchive_version(void)
{
	return ", libarchive " ARCHIVE_VERSION_ONLY_STRING;
}
#else
const char *libarchive_version(void)
{
	return "";
}
#endif
