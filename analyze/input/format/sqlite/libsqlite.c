/* Finding SQLite. */
#include "analyze/input/format/sqlite/libsqlite.h"

#include <dlfcn.h>

#ifdef STATIC_LIBRARIES
bool libsqlite_open(struct libsqlite *l)
{
	l->handle = l;
#define X(call) l->call = call;
	LIBSQLITE_CALLS(X)
#undef X
	return true;
}

void libsqlite_close(struct libsqlite *l)
{
	l->handle = NULL;
}
#else
enum { HOW = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

bool libsqlite_open(struct libsqlite *l)
{
	l->handle = dlopen("libsqlite3.so.0", HOW);
	if (!l->handle)
		return false;
#define X(call)                                                            \
	l->call = (__typeof__(l->call))(uintptr_t)dlsym(l->handle, #call); \
	if (!l->call) {                                                    \
		libsqlite_close(l);                                        \
		return false;                                              \
	}
	LIBSQLITE_CALLS(X)
#undef X
	return true;
}

void libsqlite_close(struct libsqlite *l)
{
	(void)dlclose(l->handle);
	l->handle = NULL;
}
#endif
