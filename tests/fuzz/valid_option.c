/* Options by a table of values; what is not in it is left out, unless it says its choices. */
#include "tests/fuzz/valid_option.h"

#include <string.h>

#include "base/compiler.h"
#include "base/str.h"
#include "cmd/verb.h"
#include "tests/fuzz/words.h"

/* By option and command, by option, or by what its argument is called; the first that fits.
 * Values have blanks between them; "" leaves the option out. */
static const struct {
	const char *verb, *name, *arg, *values;
} values[] = {
	{ NULL, "config", NULL, "" },
	{ NULL, "thresholds", NULL, "" },
	{ NULL, "et", NULL, "" },
	{ NULL, "peak", NULL, "" },
	{ NULL, "json", NULL, "" }, /* --format says it, and may contradict it */
	{ NULL, "table", NULL, "" },
	{ NULL, "json-out", NULL, ".json" },
	{ NULL, "junit", NULL, ".xml" },
	{ NULL, "md", NULL, ".md" },
	{ NULL, "openmetrics", NULL, ".txt" },
	{ "plot", "output", NULL, "" },
	{ "digest", "output", NULL, ".tqd" },
	{ "cut", "output", NULL, "" },
	{ "merge", "output", NULL, "" },
	{ "report", "output", NULL, ".html .md .txt" },
	{ "overview", "output", NULL, ".txt .md" },
	{ NULL, "output", NULL, ".json .csv .txt .md" },
	{ NULL, "steps", NULL, "3 3-4 4- 3,5 2-" },
	{ NULL, "cat", NULL,
		"kernel kernel,cpu_op kernel,user_annotation,cpu_op gpu_memcpy,kernel" },
	{ NULL, "device", NULL, "0 0,1 0-3" },
	{ NULL, "stream", NULL, "7 7,20 0-99" },
	{ NULL, "rank", NULL, "0 0-3 0- 0,2" },
	{ NULL, "annotate", NULL, "steps critical,idle findings critical,idle,findings,steps" },
	{ NULL, "rules", NULL, "G01,G03 -G06 G02 Q01" },
	{ NULL, "allow-env", NULL, "gpu" },
	{ "batch", "batch", NULL, "" },
	{ NULL, "alpha", NULL, "0.05 0.001" },
	{ NULL, "around", NULL, "step:3 step:4" },
	{ NULL, "regime", NULL, "lora qlora zero3" },
	{ NULL, "at", NULL, "3 3-4 0-1ms 10us-20us" },
	{ NULL, "leak-baseline", NULL, "1 5" },
	{ NULL, "params", NULL, "7B 494M 1" },
	{ NULL, "check", NULL, "step_time=5% peak_memory=200MiB op:aten.*=15% cpu:.*=1%" },
	{ NULL, "better", NULL, "grad_norm=lower loss=lower" },
	{ NULL, "capacity", NULL, "A100-40 16GiB" },
	{ NULL, "gpu", NULL, "A100-40 16GiB H100 T4" },
	{ NULL, "pass", NULL, "0.5 0" },
	{ "metrics", "target", NULL, "loss=0.5 reward=1" },
	{ "metrics", "format", NULL, "table json csv md" },
	{ "metrics", "x", NULL, "step" },
	{ "metrics", "ddof", NULL, "0 1" },
	{ "metrics", NULL, "REGEX", "loss|reward .* time loss" },
	{ "merge", "to", NULL, "json pftrace" },
	{ NULL, "to", NULL, "json pftrace speedscope folded" },
	{ NULL, "warmup", NULL, "1 0" },
	{ NULL, "level", NULL, "1 6 9" },
	{ NULL, "time", "FROM-TO", "0-1ms 10us- 0-1s 20us-60us" },
	{ NULL, "time", NULL, "1700000000" },
	{ NULL, "what-if", NULL,
		"kernel=0.5 kernel:gemm=0 comm=hidden copy=0.5 op:aten.*=5us dataloader=0" },
	{ NULL, "keep", NULL, "1 3" },
	{ NULL, "threshold", "KEY=VALUE", "" },
	{ NULL, "zone", NULL, "+01:00 +00:00" },
	{ NULL, NULL, "REGEX", "aten gemm|nccl .* kernel (?i)ALL loss|reward" },
	{ NULL, NULL, "RATIO", "5% 0.5 1%" },
	{ NULL, NULL, "TIME", "1ms 10us 1s" },
	{ NULL, NULL, "SIZE", "1GiB 16MiB" },
	{ NULL, NULL, "US", "10 100" },
	{ NULL, NULL, "N", "1 2 20 100 3" },
	{ NULL, NULL, "TOKENS", "2048" },
	{ NULL, NULL, "REASON", "x" },
	{ NULL, NULL, "SHA", "abc1234" },
	{ NULL, NULL, "TEXT", "title" },
	{ NULL, NULL, "DIR", "s" },
	{ NULL, NULL, "WxH", "800x600 400x240" },
};

/* What a command, or an option of it, is not without. */
static const struct {
	const char *verb, *own, *option, *with;
} needs[] = {
	{ "cut", NULL, NULL, " --output=.json" },
	{ "merge", NULL, NULL, " --output=.json" },
	{ "digest", NULL, NULL, " --output=.tqd" },
	{ "fit", NULL, NULL, " --params=7B" },
	{ "baseline", "prune", NULL, " --keep=2" },
	{ "cut", NULL, "margin", " --around=step:3" },
	{ "fit", NULL, "seq", " --layers=32 --hidden=4096 --heads=32" },
	{ "report", NULL, "size", " --plots=s" },
	{ "report", NULL, "theme", " --plots=s" },
};

/* Flags that make most other lines wrong. */
static bool is_left_out(const struct opt *o)
{
	static const char *const names[] = { "history", "strict", "help", "list", "no-config" };
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (strcmp(names[i], o->name) == 0)
			return true;
	return false;
}

static bool is_same(const char *wanted, const char *word)
{
	return !wanted || (word && strcmp(wanted, word) == 0);
}

/* Empty where it is not to be given. */
static struct span value_of(const struct verb *v, const struct opt *o, size_t choice)
{
	size_t i;

	for (i = 0; i < COUNT_OF(values); i++) {
		if (!is_same(values[i].verb, v->name) || !is_same(values[i].name, o->name) ||
			!is_same(values[i].arg, o->arg))
			continue;
		if (o->type == OPT_CHOICE && !values[i].name)
			break;
		return words_split(values[i].values, ' ', choice);
	}
	return o->choices ? words_split(o->choices, '|', choice) : (struct span){ "", 0 };
}

void valid_option_needed(const struct verb *v, const char *own, const char *option, struct str *out)
{
	size_t i;

	for (i = 0; i < COUNT_OF(needs); i++)
		if (strcmp(needs[i].verb, v->name) == 0 && !needs[i].option == !option &&
			is_same(needs[i].option, option) && is_same(needs[i].own, own))
			str_adds(out, needs[i].with);
}

void valid_option_write(const struct verb *v, const char *own, struct draw *d, struct str *out)
{
	struct words names;
	const struct opt *o;
	struct span value;
	size_t choice;

	words_options(v, &names);
	o = words_option(v, draw_name(d, &names));
	choice = draw_below(d, 256);
	if (!o || is_left_out(o))
		return;
	value = value_of(v, o, choice);
	if (!value.n && (o->type != OPT_FLAG || strcmp(o->name, "json") == 0))
		return;
	str_addf(out, " --%s", o->name);
	if (o->type != OPT_FLAG)
		str_addf(out, "=%.*s", (int)value.n, value.p);
	valid_option_needed(v, own, o->name, out);
}
