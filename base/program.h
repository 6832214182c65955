/* Programs and libraries of the machine. */
#pragma once

#include "base/base.h"

/* The program of that name in PATH, malloc'ed; NULL: there is none.  Folders that are named from
 * the current one are passed over: what lies beside an input is not run. */
char *program_find(const char *name);

/* A library whose calls are found when they are first needed: a program that is linked to it starts
 * more slowly for every file that does without.  CALLS(X) lists them.
 *
 * LIBRARY(name, file, CALLS) defines struct name, with a pointer to each call by the call's name,
 * and
 *
 *   bool name_open(struct name *l)    false where the library is not installed
 *   void name_close(struct name *l)   only after true
 *
 * A static program has them all linked. */
#define LIBRARY_MEMBER(call) __typeof__(call) *call;

#ifdef STATIC_LIBRARIES
#define LIBRARY_OPEN(l, file) (l)
#define LIBRARY_CLOSE(l)      ((void)(l))
#define LIBRARY_FIND(call)    l->call = call;
#else
#include <dlfcn.h>

/* Kept when closed: libraries behind libarchive do not like to be loaded twice. */
#define LIBRARY_OPEN(l, file) dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
#define LIBRARY_CLOSE(l)      ((void)dlclose((l)->handle))
#define LIBRARY_FIND(call)                                                 \
	l->call = (__typeof__(l->call))(uintptr_t)dlsym(l->handle, #call); \
	if (!l->call) {                                                    \
		LIBRARY_CLOSE(l);                                          \
		return false;                                              \
	}
#endif

#define LIBRARY(name, file, CALLS)                      \
	struct name {                                   \
		void *handle;                           \
		CALLS(LIBRARY_MEMBER)                   \
	};                                              \
                                                        \
	static inline bool name##_open(struct name *l)  \
	{                                               \
		l->handle = LIBRARY_OPEN(l, file);      \
		if (!l->handle)                         \
			return false;                   \
		CALLS(LIBRARY_FIND)                     \
		return true;                            \
	}                                               \
                                                        \
	static inline void name##_close(struct name *l) \
	{                                               \
		LIBRARY_CLOSE(l);                       \
		l->handle = NULL;                       \
	}
