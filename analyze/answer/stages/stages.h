/* `stages`: what its parts share.  Private to analyze/answer/stages/. */
#pragma once

#include "analyze/measure/host/calltree.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/device/replays.h"
#include "analyze/analysis/perrun.h"

struct stages_options {
	int64_t limit; /* rows of each table; below 0: the default */
	bool fold;     /* ProfilerStep#N is one */
};

/* Device work of one device: where it is busy. */
struct stages_device {
	int64_t id;
	struct intervals busy;
};

/* One call of a node of the tree that is being built. */
struct stages_call {
	uint32_t node;
	nsec ns;
};

struct stages_calls {
	struct stages_call *v;
	size_t n, cap;
};

/* What other threads launched while a call of the main thread was the innermost there. */
struct stages_awaited {
	struct keymap rows; /* of the calls: index of ns */
	nsec *ns;           /* durations of the device work */
	size_t cap;
};

/* One run being looked at. */
struct stages {
	struct perrun *at;
	const struct stages_options *o;
	size_t limit;
	bool has_device;
	struct devtime devtime;  /* by op */
	struct devtime launched; /* by launching call */
	struct stages_device *device;
	size_t ndevice;
	struct stages_awaited awaited;
	struct stages_calls calls; /* of one tree */
	struct replays replays;    /* of graphs */
	sym step; /* the first ProfilerStep#N: stands for all, when folded; else 0 */
};

/* A table of a call tree. */
struct stages_view {
	const struct calltree *tree;
	const struct strings *names;
	const char *prefix; /* cut from the beginning of names, or NULL */
	int64_t device;     /* or -1 */
	bool has_device;    /* device times are known */
	bool has_cpu_self;
};

/* stages_tree.c: a table of stages, of regions or of modules. */
struct table *stages_table(const struct stages *s, const struct table_doc *doc);
/* The name that stands for this one: steps fold. */
sym stages_name(struct stages *s, sym name);
/* Rows of a tree, in its order; adds to t->ncut what the limit leaves out. */
void stages_put_tree(struct stages *s, struct table *t, const struct stages_view *v);
/* The table of one tree. */
void stages_put_table(struct stages *s, const struct table_doc *doc, const struct stages_view *v);
/* self of each node: its total less that of its children. */
void stages_find_self(struct calltree *t);

/* Counts a call in the tree, and keeps how long it took. */
void stages_call(struct stages *s, struct calltree *t, uint32_t node, nsec dur);
void stages_calls_clear(struct stages_calls *c);

/* stages_host.c: device work that autograd's threads launched, by the innermost call of the
 * main thread meanwhile. */
void stages_await(struct stages *s);
void stages_await_clear(struct stages *s);
/* Annotations of the CPU. */
void stages_put_host(struct stages *s);
/* stages_tree.c: a call becomes a node of the tree below `up` if it is one, else passes on the node
 * around it.  So do captured calls, by their kernels in the replay that it may launch. */
typedef bool stages_is_node(void *ctx, uint32_t row);
struct frames_node;
void stages_enter(struct stages *s, struct calltree *t, struct frames_node *node, uint32_t up,
	stages_is_node *is_node, void *ctx);
/* stages_gpu.c: annotations on devices' timelines. */
void stages_put_gpu(struct stages *s);
/* stages_modules.c: nn.Module calls, or the Module Hierarchy of ops. */
void stages_put_modules(struct stages *s);

#define TABLES_DEF "analyze/answer/stages/stages_tables.def"
#include "base/table_names_impl.h"
