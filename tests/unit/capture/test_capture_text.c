/* What the capture library writes: JSON text, names, file names, windows, checkpoints. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "capture/inject/emit.h"
#include "capture/inject/gzout.h"
#include "capture/inject/intern.h"
#include "capture/inject/jtext.h"
#include "capture/inject/symbols.h"
#include "capture/inject/record_clock.h"
#include "capture/seal.h"
#include "capture/launch.h"
#include "capture/process_identity.h"

/* The text so far, which is then empty. */
static const char *taken(struct jtext *t)
{
	jtext_put(t, "", 1);
	t->n = 0;
	return t->p;
}

static void numbers(void **state)
{
	static const double reals[] = { 0.1, 1.0 / 3, 25.004196871423122, 1e300, 5e-324, -7.25,
		1e15 };
	struct jtext t = { 0 };
	size_t i;

	(void)state;
	jtext_us(&t, 0);
	assert_string_equal(taken(&t), "0.000");
	jtext_us(&t, -5);
	assert_string_equal(taken(&t), "0.000");
	jtext_us(&t, 7889237999999999999);
	assert_string_equal(taken(&t), "7889237999999999.999");
	jtext_i64(&t, INT64_MIN);
	assert_string_equal(taken(&t), "-9223372036854775808");
	jtext_u64(&t, UINT64_MAX);
	assert_string_equal(taken(&t), "18446744073709551615");
	jtext_real(&t, 3);
	assert_string_equal(taken(&t), "3");
	jtext_real(&t, NAN);
	assert_string_equal(taken(&t), "\"nan\"");
	jtext_real(&t, -INFINITY);
	assert_string_equal(taken(&t), "\"-inf\"");
	for (i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		jtext_real(&t, reals[i]);
		assert_true(strtod(taken(&t), NULL) == reals[i]);
	}
	jtext_real(&t, 0.1);
	assert_string_equal(taken(&t), "0.1");
	jtext_free(&t);
}

static void strings(void **state)
{
	static const struct {
		const char *raw, *json;
	} cases[] = {
		{ "plain", "\"plain\"" },
		{ "q\" b\\ n\n t\t", "\"q\\\" b\\\\ n\\n t\\t\"" },
		{ "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
		{ "\xc3\xa9 \xe2\x98\xba \xf0\x9f\x98\x80",
			"\"\xc3\xa9 \xe2\x98\xba \xf0\x9f\x98\x80\"" },
		{ "\xff|\xc3|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80",
			"\"\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd"
			"\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};
	struct jtext t = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		jtext_string(&t, cases[i].raw, strlen(cases[i].raw));
		assert_string_equal(taken(&t), cases[i].json);
	}
	jtext_free(&t);
}

static void api_names(void **state)
{
	static const struct {
		const char *cupti, *plain;
		bool launch, noise, wanted;
	} cases[] = {
		{ "cudaLaunchKernel_v7000", "cudaLaunchKernel", true, false, false },
		{ "__cudaLaunchKernel_ptsz_v13000", "cudaLaunchKernel", true, false, false },
		{ "cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync", true, false, false },
		{ "cudaMemset_ptds_v7000", "cudaMemset", true, false, false },
		{ "cudaLaunchHostFunc_v10000", "cudaLaunchHostFunc", false, false, false },
		{ "cudaGetDevice_v3020", "cudaGetDevice", false, true, false },
		{ "cudaEventRecord_v3020", "cudaEventRecord", false, false, false },
		{ "cudaEventSynchronize_v3020", "cudaEventSynchronize", true, false, true },
		{ "cuMemcpyDtoH_v2", "cuMemcpyDtoH_v2", true, false, true },
		{ "cuLaunchKernelEx_ptsz", "cuLaunchKernelEx", true, false, true },
		{ "cuDeviceGetAttribute", "cuDeviceGetAttribute", false, false, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct api_name a = { 0 };
		char plain[64];

		symbols_api_plain(cases[i].cupti, plain, sizeof(plain));
		assert_string_equal(plain, cases[i].plain);
		symbols_classify(&a, plain);
		assert_int_equal(a.is_launch, cases[i].launch);
		assert_int_equal(a.is_noise, cases[i].noise);
		assert_int_equal(a.is_wanted, cases[i].wanted);
	}
}

/* The table keeps names until it is full, then makes them each time. */
static void interned(void **state)
{
	struct intern t;
	char raw[32];
	bool keeps;
	int i;

	(void)state;
	assert_true(intern_init(&t, 1 << 20, NULL, NULL));
	for (i = 0; i < INTERN_MAX + 10; i++) {
		struct name name;

		(void)snprintf(raw, sizeof(raw), "step %d", i);
		name = intern_get(&t, raw, strlen(raw), &keeps);
		assert_int_equal(keeps, i < INTERN_MAX);
		assert_int_equal(name.n, strlen(raw) + 2);
		assert_memory_equal(name.json + 1, raw, strlen(raw));
	}
	assert_int_equal(t.evicted, 10);
	assert_string_equal(intern_raw(&t, "step 7", 6), "step 7");
	assert_null(intern_raw(&t, raw, strlen(raw)));
	assert_ptr_equal(
		intern_get(&t, "step 7", 6, &keeps).json, intern_get(&t, "step 7", 6, &keeps).json);
	intern_free(&t);
}

/* Of 100,000 bytes for names of 4,000, each kept raw and quoted, hold some, and never more. */
static void interned_bytes(void **state)
{
	struct intern t;
	char raw[4001];
	bool keeps;
	int i, kept = 0;

	(void)state;
	memset(raw, 'x', sizeof(raw));
	assert_true(intern_init(&t, 100000, NULL, NULL));
	for (i = 0; i < 100; i++) {
		raw[0] = (char)('0' + i / 10);
		raw[1] = (char)('0' + i % 10);
		assert_int_equal(intern_get(&t, raw, 4000, &keeps).n, 4002);
		kept += keeps;
		assert_true(t.bytes <= 100000);
	}
	assert_in_range(kept, 8, 12);
	raw[0] = raw[1] = '0';
	assert_memory_equal(intern_raw(&t, raw, 4000), raw, 4000);
	intern_free(&t);
}

static void file_names(void **state)
{
	const struct process_identity w = { .rank = 3,
		.local_rank = 1,
		.world = 8,
		.pid = 42,
		.start_ns = 1234567890123,
		.host = "a/b",
		.program = "train" };
	const struct process_identity alone = {
		.rank = -1, .local_rank = -1, .world = -1, .pid = 42
	};
	char name[SEAL_PATH_MAX];

	(void)state;
	assert_true(process_identity_expand(&w, "/x/%r.%l.%w.%p.%h.%n.%t.%%", name, sizeof(name)));
	assert_string_equal(name, "/x/3.1.8.42.a_b.train.1234567.%");
	assert_true(process_identity_expand(&alone, "%r_%l_%w", name, sizeof(name)));
	assert_string_equal(name, "p42_0_1");
	assert_false(process_identity_expand(&w, "/x/%z", name, sizeof(name)));
	assert_false(process_identity_expand(&w, "/x/%", name, sizeof(name)));
	assert_false(process_identity_expand(&w, "/xxxxxxx", name, 8));
	seal_name(name, sizeof(name), "/a/x.pt.trace.json.gz", 2);
	assert_string_equal(name, "/a/x.2.pt.trace.json.gz");
	seal_name(name, sizeof(name), "/a/x", 1);
	assert_string_equal(name, "/a/x.1");
	seal_name(name, sizeof(name), "/a/x.gz", 0);
	assert_string_equal(name, "/a/x.gz");
}

static void bases(void **state)
{
	const int64_t unit = (int64_t)EMIT_BASE_S * 1000000000;

	(void)state;
	assert_int_equal(emit_base(unit), unit);
	assert_int_equal(emit_base(2 * unit - 1), unit);
	/* As Kineto's files have it. */
	assert_int_equal(emit_base(1751410836000000000 + 5), 1751410836000000000);
}

/*
 *      10        20        30        40
 *       [---------]         [---------]
 */
static void windows_decide(void **state)
{
	struct windows_view view;
	struct windows w;

	(void)state;
	windows_init(&w);
	windows_open(&w, 10);
	windows_open(&w, 12); /* nested: the outer one counts */
	windows_close(&w, 15);
	windows_close(&w, 20);
	windows_close(&w, 25); /* nothing is open */
	windows_open(&w, 30);
	windows_look(&w, &view);
	assert_int_equal(view.n, 2);
	assert_true(windows_hold(&view, 10, 20));
	assert_false(windows_hold(&view, 9, 15));
	assert_false(windows_hold(&view, 15, 21));
	assert_false(windows_hold(&view, 21, 29));
	assert_false(windows_hold(&view, 15, 35));
	assert_true(windows_hold(&view, 31, 1000));
	windows_close(&w, 40);
	windows_look(&w, &view);
	assert_false(windows_hold(&view, 31, 1000));
}

static void status_lines(void **state)
{
	const char line[] = "{\"pid\": 12, \"rank\": -1, \"file\": \"/a \\\"b\\\\\\u0007\\n\", "
			    "\"error\": \"\"}";
	char text[32], tiny[4];

	(void)state;
	assert_int_equal(status_number(line, "pid", 0), 12);
	assert_int_equal(status_number(line, "rank", 0), -1);
	assert_int_equal(status_number(line, "none", 7), 7);
	assert_int_equal(status_number(line, "file", 7), 7);
	status_text(line, "file", text, sizeof(text));
	assert_string_equal(text, "/a \"b\\\x07\n");
	status_text(line, "error", text, sizeof(text));
	assert_string_equal(text, "");
	status_text(line, "file", tiny, sizeof(tiny));
	assert_string_equal(tiny, "");
	status_text("{\"file\": \"cut \\", "file", text, sizeof(text));
}

static void checkpoints(void **state)
{
	const struct checkpoint c = { 0x1122334455667788, 0xdeadbeef, 77, 1u << 31, 5, 9, 1 };
	unsigned char head[CHECKPOINT_HEAD];
	struct checkpoint d;

	(void)state;
	checkpoint_head(head, 9);
	assert_true(checkpoint_get(head, &d));
	assert_int_equal(d.committed, 0);
	assert_int_equal(d.pid, 9);
	checkpoint_put(head + CHECKPOINT_AT, &c);
	assert_true(checkpoint_get(head, &d));
	assert_memory_equal(&c, &d, sizeof(c));
	head[12] = 'X';
	assert_false(checkpoint_get(head, &d));
}

/* Text of n bytes as gzip(1) would read it back. */
static void read_back(const char *path, char *text, int size, int *n)
{
	gzFile f = gzopen(path, "rb");

	assert_non_null(f);
	*n = gzread(f, text, (unsigned)size);
	assert_int_equal(gzclose(f), Z_OK);
	assert_true(*n >= 0);
}

/* Written, committed, written on, forgotten: what was committed comes back, and nothing else. */
static void sealed(void **state)
{
	char dir[] = "/tmp/traceq-seal.XXXXXX", path[64], text[4096], error[CAPTURE_WORDS_MAX];
	struct sealed s;
	struct gzout o;
	int n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/x.json.gz", dir);
	assert_true(gzout_open(&o, path, 1, NULL, NULL));
	jtext_puts(&o.text, "{\"traceEvents\": [\n{}");
	o.events = 1;
	assert_true(gzout_commit(&o));
	assert_true(gzout_settle(&o));
	jtext_puts(&o.text, ",\n{\"lost\": 1}");
	(void)deflate(&o.z, Z_NO_FLUSH);
	gzout_forget(&o);
	assert_int_equal(seal_file(o.part, &s, error), SEAL_OK);
	assert_string_equal(s.path, path);
	assert_int_equal(s.events, 1);
	assert_false(s.was_complete);
	read_back(path, text, sizeof(text), &n);
	text[n] = 0;
	assert_string_equal(text,
		"{\"traceEvents\": [\n{}\n],\n\"traceqCapture\": {\"events\": 1, "
		"\"complete\": false}}\n");
	assert_int_equal(seal_file(path, &s, error), SEAL_OK);
	assert_true(s.was_complete);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(seal_file(path, &s, error), SEAL_FAILED);
	assert_true(gzout_open(&o, path, 1, NULL, NULL));
	gzout_forget(&o);
	assert_int_equal(seal_file(o.part, &s, error), SEAL_EMPTY);
	assert_int_equal(unlink(o.part), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(strings),
		cmocka_unit_test(api_names),
		cmocka_unit_test(interned),
		cmocka_unit_test(interned_bytes),
		cmocka_unit_test(file_names),
		cmocka_unit_test(bases),
		cmocka_unit_test(windows_decide),
		cmocka_unit_test(status_lines),
		cmocka_unit_test(checkpoints),
		cmocka_unit_test(sealed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
