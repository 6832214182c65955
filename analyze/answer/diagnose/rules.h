/* What the rules of `diagnose` share: analyze/rule/rule.h says what a rule is.  One about a trace
 * stands in rule_TOPIC.c, one about what lies beside it in recorded_TOPIC.c.
 *
 * A rule about a trace looks at its profile and adds one finding: how bad it is, one measured
 * number, its share of the step, evidence.  What cannot be known is UNKNOWN with the reason, never
 * ok.
 *
 * Rules about what lies beside a trace, or is there instead of one (summaries, op CSVs, stage
 * times, logs), add as many as they find.  Nothing there says when anything happened, so there are
 * no gaps, no overlap and no idle time.  Thresholds and words are the documents'; each finding
 * names the file that says so, and `saves` is the share of the time it is about that it takes. */
#pragma once

#include "analyze/answer/diagnose/profile.h"
#include "analyze/rule/finding.h"
#include "analyze/trace/columns/record.h"
#include "base/unit.h"

/* ---- of a trace ---- */

/* Its value and share are that time, its severity what the limits say (look_above). */
void rules_put_time(
	const struct look *k, struct finding *f, nsec ns, const char *warn, const char *crit);

/* Its value is that share, which is worth a note above the limit. */
void rules_put_ratio(const struct look *k, struct finding *f, double share, const char *note);

/* It is about the longest of these: row, name, evidence.  Needs NEED_SHAPES. */
void rules_put_longest(const struct profile *p, struct finding *f, const struct profile_sum *s);

/* Where in time a finding is worst: as the rule says, else its row, else the longest of the steps
 * that count.  Of no length where nothing is found. */
struct interval rules_place(const struct profile *p, const struct finding *f);

/* The step that figures have around that time, else all steps that count: what it is about. */
struct interval rules_step_around(const struct profile *p, nsec t);
struct interval rules_all_steps(const struct profile *p);

/* rule_seed.c: cuda_time_total summed over all rows of torch's table, as the documents have it. */
nsec rules_documents_cuda(const struct profile *p);

/* ns over the steps' time, and per step.  Of a device: what was not recorded is no part of the
 * time; of the host all of the steps are. */
double rules_share(const struct profile *p, nsec ns);
double rules_host_share(const struct profile *p, nsec ns);
double rules_per_step(const struct profile *p, double v);

/* "12/step", "0.25/step"; without steps "12".  Texts are of the profile's memory. */
const char *rules_count(const struct profile *p, int64_t count);
/* "16.90 ms/step"; without steps "16.90 ms". */
const char *rules_step_time(const struct profile *p, nsec ns);
/* look_name of a name of the run. */
/* ", 7.55 ms/step of it behind aten::item, which kept it from being hidden"; "" for less than a
 * tenth of `wait`. */
const char *rules_behind(const struct profile *p, const struct profile_sum *behind, nsec wait);

const char *rules_name(const struct profile *p, sym name);

/* It is UNKNOWN where no memory was recorded; else true: there is a curve. */
bool rules_know_memory(const struct profile *p, struct finding *f);

/* The sum of all device work. */
nsec rules_device_ns(const struct profile *p);

/* ", in FRAME" of the innermost frame of an op's call stack; "" where the trace does not say. Needs
 * NEED_STACKS. */
const char *rules_frame(const struct profile *p, uint32_t op_row);

/* ---- of what lies beside it ---- */

/* The first scalar whose key ends so, in a file that is no copy of others; NULL: none. */
const struct scalar *recorded_find(const struct look *k, const char *end);

/* The number of that scalar; NaN. */
double recorded_number(const struct look *k, const char *end);

/* The i-th sheet of that kind in a file that is no copy of others; NULL behind the last. */
const struct sheet *recorded_sheet(const struct look *k, enum sheet_table kind, size_t i);

/* "CUDA", "NPU", "GPU": how who wrote that artifact calls the device; constant. */
const char *recorded_device(const struct look *k, int artifact);

/* What Q01, Q02 and Q03, which are in rule_seed.c, say of it. */
void recorded_ratio(struct look *k);
void recorded_copies(struct look *k);
void recorded_leak(struct look *k);
