/* Snapshots become shifts to the primary clock's time, one list for each clock; a timestamp takes
 * the last that is not later than it. */
#include "analyze/input/format/proto/proto_clocks.h"

#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"

/* A reading of a snapshot. */
struct reading {
	uint32_t id;
	nsec time; /* ns */
	int64_t unit;
	bool is_incremental;
};

void clocks_init(struct clocks *c)
{
	*c = (struct clocks){ .primary = CLOCK_BOOTTIME_ID };
}

void clocks_clear(struct clocks *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->clock[i].shift);
	c->n = 0;
}

static bool is_local(uint32_t id)
{
	return id >= CLOCK_OF_SEQUENCE && id < 2 * CLOCK_OF_SEQUENCE;
}

static const struct machine_clock *find_machine(const struct clocks *c, uint32_t id)
{
	return FIND(i, c->clock, c->n, c->clock[i].id == id);
}

static struct local_clock *find_local(struct local_clocks *of, uint32_t id)
{
	return FIND(i, of->clock, of->n, of->clock[i].id == id);
}

/* The shift of a machine's clock at that time of its; false: nothing relates it. */
static bool machine_shift(const struct clocks *c, uint32_t id, nsec at, int64_t *shift)
{
	*shift = 0;
	if (id == c->primary)
		return true;
	const struct machine_clock *m = find_machine(c, id);
	if (!m || m->n == 0)
		return false;
	size_t after = PARTITION_POINT(i, 0, m->n, m->shift[i].from <= at);
	*shift = m->shift[after ? after - 1 : 0].shift;
	return true;
}

static void learn_machine(struct clocks *c, const struct reading *r, nsec trace_time)
{
	struct machine_clock *m = (struct machine_clock *)find_machine(c, r->id);
	int64_t shift;

	if (sub_overflows(trace_time, r->time, &shift))
		return;
	if (!m) {
		if (c->n == CLOCKS_OF_TRACE)
			return;
		m = &c->clock[c->n++];
		*m = (struct machine_clock){ .id = r->id };
	}
	if (m->n && (r->time <= m->shift[m->n - 1].from || shift == m->shift[m->n - 1].shift))
		return; /* one that steps back is kept as it was */
	PUSH(m->shift, m->n, m->cap, (struct clock_shift){ r->time, shift });
}

static void learn_local(
	struct local_clocks *of, const struct reading *r, bool known, nsec trace_time)
{
	struct local_clock *l = find_local(of, r->id);

	if (!l) {
		if (of->n == CLOCKS_OF_SEQUENCE)
			return;
		l = &of->clock[of->n++];
	}
	*l = (struct local_clock){ r->id, r->is_incremental, r->unit, r->time, 0, known };
	if (known && sub_overflows(trace_time, r->time, &l->shift))
		l->has_shift = false;
}

static bool read_clock(struct span message, struct reading *r)
{
	struct wire_field f[CLOCK_UNIT + 1];
	bool whole = wire_fields(message, f, COUNT_OF(f));
	uint64_t id = wire_number(&f[CLOCK_ID]), unit = wire_number(&f[CLOCK_UNIT]);

	*r = (struct reading){
		.id = id > UINT32_MAX ? 0 : (uint32_t)id,
		.unit = unit && unit < 1u << 30 ? (int64_t)unit : 1,
		.is_incremental = wire_number(&f[CLOCK_INCREMENTAL]),
	};
	return whole && r->id &&
		!mul_overflows(wire_number(&f[CLOCK_TIMESTAMP]), r->unit, &r->time);
}

static bool read_snapshot(struct clocks *c, struct span message, struct reading *reading, size_t *n)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	bool whole = true;

	*n = 0;
	while (wire_next(&w, &f)) {
		if (wire_is(&f, SNAPSHOT_PRIMARY, WIRE_VARINT) && !c->primary_said &&
			!c->primary_used && f.value > 0 && f.value < CLOCK_OF_SEQUENCE) {
			c->primary = (uint32_t)f.value;
			c->primary_said = true;
		}
		if (!wire_is(&f, SNAPSHOT_CLOCK, WIRE_BYTES) || *n == CLOCKS_IN_SNAPSHOT)
			continue;
		if (read_clock(f.bytes, &reading[*n]))
			++*n;
		else
			whole = false;
	}
	return whole && !w.damaged;
}

bool clocks_take(struct clocks *c, struct local_clocks *of, struct span snapshot)
{
	struct reading r[CLOCKS_IN_SNAPSHOT];
	size_t n;
	bool whole = read_snapshot(c, snapshot, r, &n);
	const struct reading *primary = FIND(i, r, n, r[i].id == c->primary);
	bool known = primary;
	nsec now = primary ? primary->time : 0;

	for (size_t i = 0; i < n && !known; i++) { /* by a clock that was related before */
		int64_t shift;

		known = !is_local(r[i].id) && machine_shift(c, r[i].id, r[i].time, &shift) &&
			!add_overflows(r[i].time, shift, &now);
	}
	for (EACH(const struct reading, reading, r, n))
		if (is_local(reading->id))
			learn_local(of, reading, known, now);
		else if (known && reading->id != c->primary)
			learn_machine(c, reading, now);
	return whole;
}

/* The time of a clock of the sequence, as the clock has it. */
static bool local_time(struct local_clock *l, uint64_t timestamp, nsec *time)
{
	int64_t ns;

	if (mul_overflows(timestamp, l->unit, &ns))
		return false;
	if (l->is_incremental) {
		if (add_overflows(l->last, ns, &ns))
			return false;
		l->last = ns;
	}
	*time = ns;
	return true;
}

bool clocks_time(struct clocks *c, struct local_clocks *of, uint32_t clock, uint64_t timestamp,
	nsec *time, bool *is_related)
{
	struct local_clock *l = is_local(clock) ? find_local(of, clock) : NULL;
	int64_t shift;

	*is_related = true;
	if (clock == 0)
		clock = c->primary;
	if (clock == c->primary)
		return clocks_primary_time(c, clock, timestamp, time);
	if (l) {
		*is_related = l->has_shift;
		return local_time(l, timestamp, time) &&
			!add_overflows(*time, l->has_shift ? l->shift : 0, time);
	}
	*time = (nsec)timestamp;
	if (timestamp > INT64_MAX)
		return false;
	*is_related = machine_shift(c, clock, *time, &shift);
	if (!*is_related && !c->primary_used && !c->primary_said && c->n == 0 && !is_local(clock)) {
		c->primary = clock; /* the only clock of a trace without snapshots */
		c->primary_used = *is_related = true;
	}
	return !add_overflows(*time, shift, time);
}

bool clocks_epoch(const struct clocks *c, int64_t *shift)
{
	const struct machine_clock *m = find_machine(c, CLOCK_REALTIME_ID);

	return m && m->n != 0 && !sub_overflows(0, m->shift[0].shift, shift);
}
