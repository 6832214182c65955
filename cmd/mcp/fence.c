/* Paths below roots, by their real names. */
#include "cmd/mcp/fence.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/reach.h"

static enum status add_root(struct fence *f, const char *path, struct arena *mem, struct err *e)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (!real || stat(real, &st) != 0) {
		(void)err_set(e, E_USAGE, -1, "%s: %s", path, strerror(errno));
		free(real);
		return E_USAGE;
	}
	if (S_ISDIR(st.st_mode))
		f->root[f->n++] = arena_copy(mem, real, strlen(real));
	free(real);
	return S_ISDIR(st.st_mode) ? OK : err_set(e, E_USAGE, -1, "%s is no folder", path);
}

enum status fence_open(
	struct fence *f, const char *const *path, size_t n, struct arena *mem, struct err *e)
{
	f->root = arena_array(mem, n ? n : 1, sizeof(*f->root));
	f->n = 0;
	if (n == 0)
		return add_root(f, ".", mem, e);
	for (size_t i = 0; i < n; i++)
		TRY(add_root(f, path[i], mem, e));
	return OK;
}

/* Whether the path is there, at or below a root. */
static bool is_inside(const struct fence *f, const char *path)
{
	char *real = *path ? realpath(path, NULL) : NULL;
	bool is_in = false;

	for (size_t i = 0; real && i < f->n; i++)
		is_in = is_in || reach_is_below(real, f->root[i]);
	free(real);
	return is_in;
}

static enum status refuse(const struct fence *f, const char *path, const char *what, struct err *e)
{
	SCOPED_STR roots = { 0 };

	for (size_t i = 0; i < f->n; i++)
		str_addf(&roots, "%s%s", i ? ", " : "", f->root[i]);
	return err_hinted(e, E_USAGE, "other folders are named where 'traceq mcp' is started",
		"'%s': %s below %s", path, what, roots.s);
}

/* "-" alone is standard input wherever files are opened. */
static const char *as_file(const char *path, struct arena *mem)
{
	const char *file = strcmp(path, "-") == 0 ? "./-" : path;

	return arena_copy(mem, file, strlen(file));
}

enum status fence_reads(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e)
{
	struct stat st;

	if (!is_inside(f, path) || stat(path, &st) != 0)
		return refuse(f, path, "there is no such file or folder", e);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(e, E_USAGE, -1, "'%s' is neither a file nor a folder", path);
	*file = as_file(path, mem);
	return OK;
}

enum status fence_writes(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e)
{
	const char *name = path_name(path);
	char *folder = io_folder(path);
	bool is_in = is_inside(f, folder);
	struct stat st;

	free(folder);
	if (!is_in)
		return refuse(f, path, "there is no folder for such a file", e);
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return err_set(e, E_USAGE, -1, "'%s' is no name of a file", path);
	if (lstat(path, &st) == 0)
		return err_set(
			e, E_USAGE, -1, "'%s' is there already: nothing is overwritten", path);
	*file = as_file(path, mem);
	return OK;
}

/* ---- the sandbox ---- */

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

	if (rule.fd < 0)
		return false;
	if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed &= READ_FILE | WRITE_FILE | EXECUTE | TRUNCATE;
	bool is_done = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) == 0;
	(void)close(rule.fd);
	return is_done;
}

static bool allow_all(int ruleset, const char *const *folder, size_t n, uint64_t what)
{
	for (size_t i = 0; i < COUNT_OF(readable); i++) /* what is not there needs no rule */
		(void)allow(ruleset, readable[i], READ_FILE | READ_DIR);
	(void)allow(ruleset, "/dev/null", READ_FILE | WRITE_FILE);
	return ALL(i, n, allow(ruleset, folder[i], what));
}

bool sandbox_enter(const char *const *folder, size_t n, bool can_write)
{
	long version = syscall(CREATE_RULESET, NULL, 0, VERSION);
	uint64_t known = known_of(version), what = READ_FILE | READ_DIR;
	struct ruleset set = { known, version >= WITH_NET ? TCP : 0 };

	if (version < 1)
		return false;
	if (can_write)
		what |= known & (WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE);
	int ruleset = (int)syscall(
		CREATE_RULESET, &set, version >= WITH_NET ? sizeof(set) : sizeof(set.fs), 0);
	if (ruleset < 0)
		return false;
	bool is_done = allow_all(ruleset, folder, n, what) &&
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		syscall(RESTRICT_SELF, ruleset, 0) == 0;
	(void)close(ruleset);
	return is_done;
}
