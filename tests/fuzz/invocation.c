/* Command lines and files from bytes, run in this process. */
#include "tests/fuzz/invocation.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/answer.h"
#include "cmd/commands.h"
#include "cmd/help/help.h"
#include "cmd/verb.h"
#include "tests/fuzz/words.h"

enum { OPTIONS_MAX = 8, NAME_MAX_BYTES = 40, INT_DIGITS = 6 };

static char root[64]; /* "/dev/shm/traceq-fuzz-PID"; empty: not made */
static const char *const folders[] = { "one", "two", "out" };
static const char separator[] = "=== ";

/* ---- the command line ---- */

static char *add_arg(struct invocation *v)
{
	if (v->argc == INVOCATION_ARGS)
		return v->text[INVOCATION_ARGS - 1];
	v->argv[v->argc] = v->text[v->argc];
	return v->text[v->argc++];
}

static void add_word(struct invocation *v, const char *word)
{
	(void)snprintf(add_arg(v), INVOCATION_PATH, "%s", word);
}

/* Written by the program, or one of the files; the value is a suffix. */
static void add_path(struct invocation *v, const struct opt *o, struct span value)
{
	char suffix[NAME_MAX_BYTES] = "";
	size_t i;

	if (strcmp(o->name, "config") == 0 || strcmp(o->name, "thresholds") == 0) {
		(void)snprintf(
			add_arg(v), INVOCATION_PATH, "--%s=%.120s", o->name, v->path[v->nfile - 1]);
		return;
	}
	for (i = 0; i < value.n && i + 1 < sizeof(suffix); i++)
		suffix[i] = value.p[i] == '/' || !value.p[i] ? '_' : value.p[i];
	(void)snprintf(
		add_arg(v), INVOCATION_PATH, "--%s=%s/out/%s%s", o->name, root, o->name, suffix);
}

static void add_int(struct invocation *v, const struct opt *o, struct span value)
{
	int n = 0, i;

	for (i = 0; i < (int)value.n && i < INT_DIGITS && value.p[i] >= '0' && value.p[i] <= '9';
		i++)
		n = n * 10 + (value.p[i] - '0');
	if (strcmp(o->name, "threads") == 0)
		n = 1 + (n & 1);
	(void)snprintf(add_arg(v), INVOCATION_PATH, "--%s=%d", o->name, n);
}

static void add_option(struct invocation *v, struct span word)
{
	const char *equals = memchr(word.p, '=', word.n);
	struct span name = { word.p, equals ? (size_t)(equals - word.p) : word.n };
	struct span value = { word.p + word.n, 0 };
	char text[512];
	struct words names;
	const struct opt *o;

	if (equals)
		value = (struct span){ equals + 1, word.n - name.n - 1 };
	if (name.n > 2 && memcmp(name.p, "--", 2) == 0)
		name = (struct span){ name.p + 2, name.n - 2 };
	words_options(&v->verb, &names);
	o = words_option(&v->verb, words_pick(&names, name));
	if (!o) /* a command without options */
		return;
	v->is_quiet |= strcmp(o->name, "quiet") == 0;
	if (o->type == OPT_FLAG)
		(void)snprintf(add_arg(v), INVOCATION_PATH, "--%s", o->name);
	else if (o->type == OPT_INT)
		add_int(v, o, value);
	else if (o->type == OPT_CHOICE)
		(void)snprintf(add_arg(v), INVOCATION_PATH, "--%s=%s", o->name,
			words_choice(o->choices, value, text, sizeof(text)));
	else if (o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0))
		add_path(v, o, value);
	else
		(void)snprintf(add_arg(v), INVOCATION_PATH, "--%s=%.*s", o->name,
			(int)(value.n < 100 ? value.n : 100), value.p);
}

static void add_operands(struct invocation *v, const char *form)
{
	size_t i;

	if (strcmp(form, "vs") == 0) {
		add_word(v, v->path[0]);
		add_word(v, "vs");
		for (i = 1; i < v->nfile; i++)
			add_word(v, v->path[i]);
	} else if (strcmp(form, "labels") == 0) {
		for (i = 0; i < v->nfile; i++)
			(void)snprintf(
				add_arg(v), INVOCATION_PATH, "x%zu=%.120s", i / 2, v->path[i]);
	} else {
		for (; *form; form++)
			if (*form < 'D')
				add_word(v, v->path[(size_t)(*form - 'A') % v->nfile]);
			else
				(void)snprintf(add_arg(v), INVOCATION_PATH, "%s/%s", root,
					folders[*form - 'D']);
	}
}

static void add_own(struct invocation *v, const char *own)
{
	if (strcmp(v->verb.name, "plot") == 0 && strcmp(own, "list") == 0)
		own = "--list";
	add_word(v, own);
	if (strcmp(v->verb.name, "plot") == 0)
		(void)snprintf(add_arg(v), INVOCATION_PATH, "--output=%s/out/chart.svg", root);
}

/* The command's name, its form of operands; *own: its own word, or NULL. */
static const char *read_names(struct invocation *v, struct span *line, const char **own)
{
	struct words names;
	const char *form;

	words_verbs(&names);
	if (!verb_find(&commands_all, words_pick(&names, words_next(line)), &v->verb))
		abort();
	words_forms(&names);
	form = words_pick(&names, words_next(line));
	words_own(&v->verb, &names);
	*own = names.n ? words_pick(&names, words_next(line)) : NULL;
	return form;
}

static void read_line(struct invocation *v, struct span line, const char *form, const char *own)
{
	const struct opt *threads = words_option(&v->verb, "threads");
	size_t i;

	add_word(v, v->verb.name);
	if (own)
		add_own(v, own);
	add_operands(v, form);
	if (threads)
		add_word(v, "--threads=1");
	for (i = 0; i < OPTIONS_MAX && line.n; i++) {
		struct span word = words_next(&line);

		if (word.n)
			add_option(v, word);
	}
	for (i = 0; i < (size_t)v->argc; i++)
		v->is_json |= strcmp(v->argv[i], "--json") == 0 ||
			strcmp(v->argv[i], "--format=json") == 0;
	v->argv[v->argc] = NULL;
}

/* ---- files ---- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '.' || c == '_' || c == '-';
}

static bool put_file(struct invocation *v, struct span name, struct span text, bool is_two)
{
	char *path = v->path[v->nfile], plain[NAME_MAX_BYTES + 1];
	size_t i, n = 0;
	bool is_whole;
	int fd;

	for (i = 0; i < name.n && n < NAME_MAX_BYTES; i++)
		if (is_name(name.p[i]) && (n > 0 || name.p[i] != '.'))
			plain[n++] = name.p[i];
	plain[n] = '\0';
	(void)snprintf(path, INVOCATION_PATH, "%s/%s/%s", root, folders[is_two],
		n ? plain : (const char *[]){ "a", "b", "c", "d" }[v->nfile]);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	is_whole = fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n;
	if (fd >= 0)
		(void)close(fd);
	v->nfile += is_whole;
	return is_whole;
}

/* Where the next file's line begins, at a line's start; NULL: none. */
static const char *next_file(struct span text)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t n = sizeof(separator) - 1;

	while (p && (size_t)(end - p) >= n) {
		if (memcmp(p, separator, n) == 0)
			return p;
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

static struct span cut_line(struct span *text)
{
	const char *end = text->n ? memchr(text->p, '\n', text->n) : NULL;
	struct span line = { text->p, end ? (size_t)(end - text->p) : text->n };
	size_t used = line.n + (end != NULL);

	text->p += used;
	text->n -= used;
	return line;
}

static bool put_files(struct invocation *v, struct span text, bool in_two)
{
	struct span name = { "", 0 };

	if (next_file(text) == text.p)
		name = cut_line(&text);
	while (v->nfile < INVOCATION_FILES) {
		const char *next = next_file(text);
		size_t n = next ? (size_t)(next - text.p) : text.n;

		if (name.n > sizeof(separator) - 1)
			name = (struct span){ name.p + sizeof(separator) - 1,
				name.n - sizeof(separator) + 1 };
		if (!put_file(v, name, (struct span){ text.p, n }, in_two && v->nfile % 2))
			return false;
		if (!next)
			break;
		text = (struct span){ next, text.n - n };
		name = cut_line(&text);
	}
	return true;
}

bool invocation_read(struct invocation *v, const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size }, line;
	const char *form, *own;

	memset(v, 0, sizeof(*v));
	line = cut_line(&text);
	if (line.n > WORDS_HEAD || memchr(line.p, '\0', line.n))
		return false;
	form = read_names(v, &line, &own);
	if (!put_files(v, text, strchr(form, 'E') != NULL))
		return false;
	read_line(v, line, form, own);
	return true;
}

int invocation_run(struct invocation *v)
{
	const struct command_line line = { .all = &commands_all, .argc = v->argc, .argv = v->argv };
	int code = v->verb.analysis ? answer_run(v->verb.analysis, &line)
				    : v->verb.command->run(&line);

	if (code == EXIT_HELP_BRIEF || code == EXIT_HELP_FULL)
		return help_verb(&commands_all, v->verb.name, code == EXIT_HELP_FULL);
	return code;
}

bool invocation_written(const char *name, struct str *out)
{
	char path[INVOCATION_PATH], part[8192];
	FILE *f;
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/out/%s", root, name);
	f = fopen(path, "re");
	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		str_add(out, part, n);
	(void)fclose(f);
	return true;
}

/* ---- the folder ---- */

static void empty(int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *f;

	while (d && (f = readdir(d))) {
		if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, f->d_name, 0) != 0 && depth > 0) {
			empty(fd, f->d_name, depth - 1);
			(void)unlinkat(fd, f->d_name, AT_REMOVEDIR);
		}
	}
	if (d)
		(void)closedir(d);
}

void invocation_clear(void)
{
	size_t i;

	for (i = 0; i < COUNT_OF(folders); i++) {
		char path[INVOCATION_PATH];

		(void)snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		empty(AT_FDCWD, path, 2);
	}
}

static void remove_root(void)
{
	invocation_clear();
	empty(AT_FDCWD, root, 1);
	(void)rmdir(root);
}

bool invocation_open(void)
{
	const char *base = getenv("FUZZ_ROOT"); /* of a runner that sweeps it after a crash */
	size_t i;

	if (root[0])
		return true;
	if (!base)
		base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(root, sizeof(root), "%s/traceq-fuzz-XXXXXX", base);
	if (!mkdtemp(root) || atexit(remove_root) != 0)
		return false;
	for (i = 0; i < COUNT_OF(folders); i++) {
		char path[INVOCATION_PATH];

		(void)snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		if (mkdir(path, 0700) != 0)
			return false;
	}
	return true;
}
