/* Inputs and outputs of a command.
 *
 * A file that is there is its device and inode.  One that is not there yet is the innermost folder
 * of its path that is there, and what of the path is below it. */
#include "base/door.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reach.h"
#include "base/xalloc.h"

enum { HEAD_BYTES = 1 << 16 };

/* What a path leads to. */
struct place {
	dev_t dev;
	ino_t ino;
	bool is_there, is_special; /* special: a pipe, a device; nothing is replaced there */
	dev_t folder_dev;
	ino_t folder_ino;
	struct str below; /* the name in that folder, or "a/b" where "a" is not there */
};

struct input {
	dev_t dev;
	ino_t ino;
	char *name;
};

struct planned {
	char *option, *path, *beside;
	bool is_store;
};

static struct door {
	pthread_mutex_t lock; /* of the inputs, which any thread adds to */
	struct input *input;
	size_t ninput, input_cap;
	struct planned *plan;
	size_t nplan, plan_cap;
	bool is_forced;
} door = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* malloc'ed; NULL of NULL. */
static char *copied(const char *s)
{
	struct str b = { 0 };

	if (s)
		str_adds(&b, s);
	return b.s;
}

void door_begin(void)
{
	for (size_t i = 0; i < door.ninput; i++)
		free(door.input[i].name);
	for (size_t i = 0; i < door.nplan; i++)
		FREE_ALL(door.plan[i].option, door.plan[i].path, door.plan[i].beside);
	FREE_ALL(door.input, door.plan);
	door.input = NULL;
	door.plan = NULL;
	door.ninput = door.input_cap = door.nplan = door.plan_cap = 0;
	door.is_forced = false;
}

void door_force(bool is_forced)
{
	door.is_forced = is_forced;
}

/* ---- where a path leads ---- */

/* Cuts the last part of a path off and puts it before what is below; "." when none is left. */
static void step_up(struct str *path, struct str *below)
{
	struct str all = { 0 };
	size_t end = path->n, at;

	while (end > 1 && path->s[end - 1] == '/')
		end--;
	for (at = end; at > 0 && path->s[at - 1] != '/'; at--)
		continue;
	if (!(end - at == 1 && path->s[at] == '.')) {
		str_add(&all, path->s + at, end - at);
		if (below->n)
			str_addf(&all, "/%s", below->s);
		str_free(below);
		*below = all;
	}
	while (at > 1 && path->s[at - 1] == '/')
		at--;
	path->n = at;
	if (at == 0)
		str_addc(path, '.');
	else
		path->s[at] = '\0';
}

static void place_find(struct place *p, const char *path)
{
	struct stat st;
	char *target = io_target(path);
	SCOPED_STR up = { 0 };

	assert(path);
	*p = (struct place){ .is_there = stat(path, &st) == 0 };
	if (p->is_there) {
		p->dev = st.st_dev;
		p->ino = st.st_ino;
		p->is_special = !S_ISREG(st.st_mode);
	}
	str_adds(&up, target);
	free(target);
	str_adds(&p->below, "");
	do
		step_up(&up, &p->below);
	while (stat(up.s, &st) != 0 && strcmp(up.s, ".") != 0 && strcmp(up.s, "/") != 0);
	p->folder_dev = st.st_dev;
	p->folder_ino = st.st_ino;
}

static bool place_is_same(const struct place *a, const struct place *b)
{
	if (a->is_special || b->is_special)
		return false;
	if (a->is_there && b->is_there && a->dev == b->dev && a->ino == b->ino)
		return true;
	return a->folder_dev == b->folder_dev && a->folder_ino == b->folder_ino &&
		strcmp(a->below.s, b->below.s) == 0;
}

bool door_is_same(const char *a, const char *b)
{
	struct place x, y;

	place_find(&x, a);
	place_find(&y, b);
	bool is = place_is_same(&x, &y);
	str_free(&x.below);
	str_free(&y.below);
	return is;
}

/* ---- inputs ---- */

static void add_input(const struct stat *st, const char *name)
{
	(void)pthread_mutex_lock(&door.lock);
	PUSH(door.input, door.ninput, door.input_cap,
		(struct input){ .dev = st->st_dev, .ino = st->st_ino, .name = copied(name) });
	(void)pthread_mutex_unlock(&door.lock);
}

void door_input_fd(int fd, const char *name)
{
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		add_input(&st, strcmp(name, "-") == 0 ? "standard input" : name);
}

void door_input(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0) {
		door_input_fd(STDIN_FILENO, path);
		return;
	}
	if (stat(path, &st) == 0) {
		if (S_ISREG(st.st_mode))
			add_input(&st, path);
		return;
	}
	for (const char *end = strchr(path, '!'); end; end = strchr(end + 1, '!')) {
		struct str archive = { 0 };

		str_add(&archive, path, (size_t)(end - path));
		bool is = stat(archive.s, &st) == 0 && S_ISREG(st.st_mode);
		if (is)
			add_input(&st, archive.s);
		str_free(&archive);
		if (is)
			return;
	}
}

/* The name of the input that the file is, or NULL. */
static const char *input_of(dev_t dev, ino_t ino)
{
	const char *name = NULL;

	(void)pthread_mutex_lock(&door.lock);
	for (size_t i = 0; i < door.ninput && !name; i++)
		if (door.input[i].dev == dev && door.input[i].ino == ino)
			name = door.input[i].name;
	(void)pthread_mutex_unlock(&door.lock);
	return name;
}

/* ---- outputs ---- */

/* "-o x.svg", "x.dat, which is written beside x.svg," */
static void put_name(struct str *b, const struct planned *p)
{
	if (p->option)
		str_addf(b, "%s ", p->option);
	str_adds(b, p->path);
	if (p->beside)
		str_addf(b, ", which goes with %s,", p->beside);
}

static enum status refuse(const struct planned *p, const char *what, const char *other,
	const char *behind, struct err *e)
{
	SCOPED_STR name = { 0 };

	put_name(&name, p);
	(void)err_set(e, E_USAGE, -1, "%s %s %s%s", name.s, what, other, behind);
	return E_USAGE;
}

static enum status spares_inputs(const struct planned *p, const struct place *at, struct err *e)
{
	const char *input =
		at->is_there && !at->is_special && !p->is_store ? input_of(at->dev, at->ino) : NULL;

	return input ? refuse(p, "would overwrite the input", input, "", e) : OK;
}

static enum status spares_outputs(const struct planned *p, struct err *e)
{
	SCOPED_STR other = { 0 };

	for (size_t i = 0; i < door.nplan; i++)
		if (door_is_same(p->path, door.plan[i].path)) {
			put_name(&other, &door.plan[i]);
			(void)refuse(p, "and", other.s, " are one file", e);
			return E_USAGE;
		}
	return OK;
}

/* What is written to already, and what a rename would take away. */
static enum status spares_streams(const struct planned *p, const struct place *at, struct err *e)
{
	static const char *const names[] = { NULL, "standard output", "standard error" };
	struct stat st;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO && at->is_there && !at->is_special; fd++)
		if (fstat(fd, &st) == 0 && st.st_dev == at->dev && st.st_ino == at->ino &&
			io_own_fd(p->path) < 0)
			return refuse(p, "and", names[fd], " are one file", e);
	return OK;
}

static bool is_ours(const struct door_output *o, const struct place *at)
{
	bool is = false;
	int fd = at->is_special ? -1 : reach_open(o->path, O_NONBLOCK);

	if (fd < 0)
		return false;
	char *head = xmalloc(HEAD_BYTES);
	ssize_t n = read(fd, head, HEAD_BYTES);
	if (n > 0)
		is = o->is_ours((struct span){ head, (size_t)n }, o->ctx);
	free(head);
	(void)close(fd);
	return is;
}

static enum status spares_others(
	const struct door_output *o, const struct planned *p, const struct place *at, struct err *e)
{
	if (!o->beside || door.is_forced || !at->is_there || is_ours(o, at))
		return OK;
	(void)refuse(p, "would replace", "a file that traceq did not write", "", e);
	return err_hint(e, "--force replaces it; or another name or folder");
}

enum status door_plan(const struct door_output *o, struct err *e)
{
	struct planned p = { .is_store = o->is_store };
	struct place at;

	if (!o->path || strcmp(o->path, "-") == 0)
		return OK;
	if (!*o->path)
		return err_set(e, E_USAGE, -1, "the name of the file to write is empty");
	p.option = copied(o->option);
	p.path = copied(o->path);
	p.beside = copied(o->beside);
	place_find(&at, p.path);
	enum status st = spares_inputs(&p, &at, e);
	THEN(st, spares_outputs(&p, e));
	THEN(st, spares_streams(&p, &at, e));
	THEN(st, spares_others(o, &p, &at, e));
	str_free(&at.below);
	/* Also what is refused: the next of its name is not to slip through. */
	PUSH(door.plan, door.nplan, door.plan_cap, p);
	return st;
}

static enum status planned_passes(const struct planned *p, struct err *e)
{
	struct place at;

	place_find(&at, p->path);
	enum status st = spares_inputs(p, &at, e);
	str_free(&at.below);
	return st;
}

enum status door_passes(const char *path, struct err *e)
{
	const struct planned p = { .path = copied(path) };
	const struct planned *planned =
		FIND(i, door.plan, door.nplan, strcmp(door.plan[i].path, path) == 0);
	enum status st = planned_passes(planned ? planned : &p, e);

	free(p.path);
	return st;
}

enum status door_stdout(struct err *e)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		return OK;
	const char *input = input_of(st.st_dev, st.st_ino);
	return input ? err_set(e, E_USAGE, -1, "standard output goes to the input %s", input) : OK;
}

enum status door_check(struct err *e)
{
	for (size_t i = 0; i < door.nplan; i++)
		TRY(planned_passes(&door.plan[i], e));
	return door_stdout(e);
}

/* ---- names of files, before anything is opened ---- */

enum {
	LINKS_MAX = 40, /* as many as the kernel follows */
	FD_DIGITS = 6
};

char *io_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str b = { 0 };

	if (slash)
		str_add(&b, path, slash == path ? 1 : (size_t)(slash - path));
	else
		str_adds(&b, ".");
	return b.s;
}

/* Where the link at `from` leads, "to" being what it holds. */
static char *led(const char *from, const char *to)
{
	const char *slash = to[0] == '/' ? NULL : strrchr(from, '/');
	struct str b = { 0 };

	if (slash)
		str_add(&b, from, (size_t)(slash - from) + 1);
	str_adds(&b, to);
	return b.s;
}

char *io_target(const char *path)
{
	char *at = copied(path), to[PATH_MAX];

	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(at, to, sizeof(to) - 1);

		if (n <= 0)
			break;
		to[n] = '\0';
		char *next = led(at, to);
		free(at);
		at = next;
	}
	return at;
}

int io_own_fd(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < COUNT_OF(folders); i++) {
		size_t n = strlen(folders[i]);
		int fd = 0;

		if (strncmp(path, folders[i], n) != 0)
			continue;
		size_t digits = strspn(path + n, "0123456789");
		if (digits == 0 || digits > FD_DIGITS || path[n + digits])
			return -1;
		for (size_t k = 0; k < digits; k++)
			fd = fd * 10 + (path[n + k] - '0');
		return fd;
	}
	return -1;
}
