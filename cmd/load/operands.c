/* Operands into sides: words only, no file is opened. */
#include "cmd/load/operands.h"

#include <sys/stat.h>
#include <unistd.h>

static bool is_path(const char *s)
{
	return strcmp(s, "-") == 0 || access(s, F_OK) == 0;
}

enum status operands_count(size_t n, size_t max, struct err *e)
{
	if (n <= max)
		return OK;
	return err_hinted(e, E_USAGE,
		"an answer about so many is not read by anyone; give fewer at a time, "
		"as 'xargs -n 1000' does",
		"takes at most %zu paths at a time, got %zu", max, n);
}

/* The '=' behind a label, or NULL. */
static const char *after_label(const char *s)
{
	const char *equals = strchr(s, '=');

	return equals && equals > s && equals[1] && !is_path(s) ? equals : NULL;
}

static struct operand_side *new_side(struct operands *o)
{
	return &o->side[o->n++];
}

static struct operand_side *labelled(struct operands *o, struct span label, struct arena *mem)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->side[i].label && span_is(label, o->side[i].label))
			return &o->side[i];
	struct operand_side *s = new_side(o);
	s->label = arena_copy(mem, label.p, label.n);
	return s;
}

static void add_operand(struct operand_side *s, const char *path, struct arena *mem)
{
	ARENA_PUSH(mem, s->path, s->npath, s->cap, path);
}

/* "A B vs C D": a side between each two "vs". */
static enum status by_vs(
	struct operands *o, const char *const *operand, size_t n, struct arena *mem, struct err *e)
{
	struct operand_side *s = new_side(o);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(operand[i], "vs") != 0) {
			const char *equals = after_label(operand[i]);

			if (equals)
				s->label =
					arena_copy(mem, operand[i], (size_t)(equals - operand[i]));
			add_operand(s, equals ? equals + 1 : operand[i], mem);
			continue;
		}
		if (s->npath == 0 || i + 1 == n)
			return err_set(e, E_USAGE, -1, "'vs' needs a path before and after it");
		s = new_side(o);
	}
	return OK;
}

static bool has_vs(const char *const *operand, size_t n)
{
	return ANY(i, n, strcmp(operand[i], "vs") == 0 && !is_path("vs"));
}

/* Which file or folder a path is. */
struct file_id {
	dev_t device;
	ino_t number;
	size_t i;
};

ORDER(by_file, struct file_id, compare3(a->device, b->device), compare3(a->number, b->number),
	compare3(a->i, b->i))

/* A run that is twice on one side would count as two that agree. */
static enum status no_run_twice(const struct operand_side *s, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	struct file_id *id = arena_array(&mem, s->npath, sizeof(*id));
	struct stat st;
	size_t n = 0;

	for (size_t i = 0; i < s->npath; i++)
		if (stat(s->path[i], &st) == 0)
			id[n++] = (struct file_id){ st.st_dev, st.st_ino, i };
	sort_rows(id, n, sizeof(*id), by_file);
	for (size_t i = 1; i < n; i++)
		if (id[i].device == id[i - 1].device && id[i].number == id[i - 1].number)
			return err_hinted(e, E_USAGE,
				"repeats are runs of their own, a file or folder each",
				"'%s' is given twice as %s", s->path[id[i].i], s->label);
	return OK;
}

/* What is read side by side would go to whoever is first. */
static enum status stdin_once(const struct operands *o, struct err *e)
{
	size_t n = 0;

	for (EACH(const struct operand_side, s, o->side, o->n))
		n += SUM(size_t, i, s->npath, strcmp(s->path[i], "-") == 0);
	return n < 2 ? OK : err_set(e, E_USAGE, -1, "'-' (standard input) can be given once");
}

static void name_sides(struct operands *o, struct arena *mem)
{
	for (size_t i = 0; i < o->n; i++) {
		SCOPED_STR b = { 0 };

		if (o->side[i].label)
			continue;
		for (size_t k = 0; k < o->side[i].npath; k++)
			str_addf(&b, "%s%s", k ? " " : "", o->side[i].path[k]);
		o->side[i].label = arena_copy(mem, b.s ? b.s : "", b.n);
	}
}

enum status operands_split(struct operands *o, const char *const *operand, size_t n, unsigned min,
	unsigned max, struct arena *mem, struct err *e)
{
	TRY(operands_count(n, OPERANDS_TOGETHER_MAX, e));
	o->n = 0;
	o->side = arena_array(mem, n + 1, sizeof(*o->side));
	if (max > 1 && has_vs(operand, n))
		TRY(by_vs(o, operand, n, mem, e));
	/* Each path a side.  The same label twice is one. */
	else
		for (size_t i = 0; i < n; i++) {
			const char *equals = after_label(operand[i]);
			struct operand_side *s;
			if (equals && max > 1)
				s = labelled(o,
					(struct span){ operand[i], (size_t)(equals - operand[i]) },
					mem);
			else if (max == 1 && o->n > 0)
				s = &o->side[0];
			else
				s = new_side(o);
			add_operand(s, equals ? equals + 1 : operand[i], mem);
		}
	name_sides(o, mem);
	if (o->n < min) {
		(void)err_set(e, E_USAGE, -1, "needs %s, got %zu",
			min == 2 ? "two sides, base first" : "a path", o->n);
		return err_hint(e,
			min == 2 ? "a side is a file or a folder; several: A B vs C D"
				 : "a file or a folder");
	}
	if (o->n > max)
		return err_hinted(e, E_USAGE,
			"several paths a side: A B vs C D, or the same label: base=A base=B new=C",
			"takes two sides, got %zu", o->n);
	for (size_t i = 0; max > 1 && i < o->n; i++)
		TRY(no_run_twice(&o->side[i], e));
	return stdin_once(o, e);
}

enum status operands_take(struct operands *o, const char *const *path, size_t n, size_t nfirst,
	unsigned max, struct arena *mem, struct err *e)
{
	static const char *const labels[] = { "base", "new" };
	bool is_labelled = max > 1 && n > 2;

	TRY(operands_count(n, OPERANDS_TOGETHER_MAX, e));
	o->n = max > 1 ? 2 : 1;
	o->side = arena_array(mem, o->n, sizeof(*o->side));
	for (size_t i = 0; i < n; i++)
		add_operand(&o->side[max > 1 && i >= nfirst], path[i], mem);
	for (size_t i = 0; i < o->n && is_labelled; i++)
		o->side[i].label = labels[i];
	name_sides(o, mem);
	return stdin_once(o, e);
}
