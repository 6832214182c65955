/*
 * Landlock by its system calls, which the C library has no functions for.  Structures and numbers:
 * landlock(7), linux/landlock.h.
 */
#include "cmd/mcp/sandbox.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"

/* Own copies of what is part of the kernel's interface: headers may be older than the kernel. */
enum {
	CREATE_RULESET = 444,
	ADD_RULE = 445,
	RESTRICT_SELF = 446,
	VERSION = 1, /* flag: ask which */
	PATH_BENEATH = 1
};

struct ruleset {
	uint64_t fs, net;
};

struct beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

#define EXECUTE     (1u << 0)
#define WRITE_FILE  (1u << 1)
#define READ_FILE   (1u << 2)
#define READ_DIR    (1u << 3)
#define REMOVE_FILE (1u << 5)
#define MAKE_REG    (1u << 8)
#define ALL_OF_1    ((1u << 13) - 1)
#define REFER       (1u << 13) /* version 2 */
#define TRUNCATE    (1u << 14) /* version 3 */
#define TCP         3u         /* bind and connect, version 4 */

enum { WITH_REFER = 2, WITH_TRUNCATE = 3, WITH_NET = 4 };

static const char *const readable[] = { "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib",
	"/lib64", "/etc/ld.so.cache", "/usr/share/locale", "/sys/devices/system/cpu" };

/* What the kernel's version knows. */
static uint64_t known_of(long version)
{
	uint64_t all = ALL_OF_1;

	if (version >= WITH_REFER)
		all |= REFER;
	if (version >= WITH_TRUNCATE)
		all |= TRUNCATE;
	return all;
}

static bool allow(int ruleset, const char *path, uint64_t what)
{
	struct beneath rule = { what, open(path, O_PATH | O_CLOEXEC) };
	struct stat st;
	bool is_done;

	if (rule.fd < 0)
		return false;
	if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed &= READ_FILE | WRITE_FILE | EXECUTE | TRUNCATE;
	is_done = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) == 0;
	(void)close(rule.fd);
	return is_done;
}

static bool allow_all(int ruleset, const char *const *folder, size_t n, uint64_t what)
{
	size_t i;

	for (i = 0; i < COUNT_OF(readable); i++) /* what is not there needs no rule */
		(void)allow(ruleset, readable[i], READ_FILE | READ_DIR);
	(void)allow(ruleset, "/dev/null", READ_FILE | WRITE_FILE);
	for (i = 0; i < n; i++)
		if (!allow(ruleset, folder[i], what))
			return false;
	return true;
}

bool sandbox_enter(const char *const *folder, size_t n, bool can_write)
{
	long version = syscall(CREATE_RULESET, NULL, 0, VERSION);
	uint64_t known = known_of(version), what = READ_FILE | READ_DIR;
	struct ruleset set = { known, version >= WITH_NET ? TCP : 0 };
	bool is_done;
	int ruleset;

	if (version < 1)
		return false;
	if (can_write)
		what |= known & (WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE);
	ruleset = (int)syscall(
		CREATE_RULESET, &set, version >= WITH_NET ? sizeof(set) : sizeof(set.fs), 0);
	if (ruleset < 0)
		return false;
	is_done = allow_all(ruleset, folder, n, what) &&
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		syscall(RESTRICT_SELF, ruleset, 0) == 0;
	(void)close(ruleset);
	return is_done;
}
