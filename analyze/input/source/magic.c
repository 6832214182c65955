/* Magic numbers and the words for what they mean. */
#include "analyze/input/source/magic.h"

#include "analyze/input/source/alien.h"
#include "analyze/trace/digest/digest_files.h"

#define TRIED                                                                                         \
	"tried as a Chrome trace (\"traceEvents\", an array of events, one event a line), a log "     \
	"(JSON lines, CSV, text), a table of operations, stages or batch sizes, nvidia-smi samples, " \
	"a profiler's summary, metrics, stacks, a configuration"

struct magic {
	const char *bytes;
	size_t n;
	const char *what, *todo;
	enum container as;
};

#define PACKED(bytes, what, todo, as)                    \
	{                                                \
		bytes, sizeof(bytes) - 1, what, todo, as \
	}
#define MAGIC(bytes, what, todo) PACKED(bytes, what, todo, CONTAINER_OTHER)

static const struct magic magics[] = {
	MAGIC("\x1f\x8b", "gzip-compressed data inside gzip", /* met behind one layer only */
		"take one layer off: gzip -dc FILE | traceq top -"),
	PACKED("PK\x03\x04", "a zip archive", "unpack it: unzip -p FILE | traceq top -",
		CONTAINER_ZIP),
	PACKED(DIGEST_FILES_MAGIC, "a file of digests", "give it as it is", CONTAINER_DIGESTS),
	PACKED("PK\x05\x06", "an empty zip archive", "nothing is inside it", CONTAINER_OTHER),
	PACKED("\x28\xb5\x2f\xfd", "zstd-compressed data",
		"decompress it: zstd -dc FILE | traceq top -", CONTAINER_ZSTD),
	PACKED("\xfd"
	       "7zXZ\0",
		"xz-compressed data", "decompress it: xz -dc FILE | traceq top -", CONTAINER_XZ),
	PACKED("BZh", "bzip2-compressed data", "decompress it: bzip2 -dc FILE | traceq top -",
		CONTAINER_BZIP2),
	PACKED("\x04\x22\x4d\x18", "lz4-compressed data",
		"decompress it: lz4 -dc FILE | traceq top -", CONTAINER_LZ4),
	MAGIC("7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
	MAGIC("\x7f"
	      "ELF",
		"a program (ELF)", "give the trace it wrote"),
	MAGIC("\x89PNG", "a PNG picture", "give the trace file"),
	MAGIC("%PDF", "a PDF document", "give the trace file"),
	MAGIC("NVIDIA Tegra Profiler Report", "a report of Nsight Systems, not its export",
		"export it: nsys export --type sqlite FILE, and give the .sqlite file"),
	MAGIC("version https://git-lfs", "a Git LFS pointer, not the file itself",
		"fetch the file: git lfs pull"),
	MAGIC("<!DOCTYPE", "an HTML page", "the download went wrong; fetch the file itself"),
	MAGIC("<!doctype", "an HTML page", "the download went wrong; fetch the file itself"),
	MAGIC("<html", "an HTML page", "the download went wrong; fetch the file itself"),
	MAGIC("<HTML", "an HTML page", "the download went wrong; fetch the file itself"),
	MAGIC("<?xml", "an XML document", "give the trace file"),
	MAGIC("# tracer:", "an ftrace text trace", "traceq reads Chrome JSON traces"),
	MAGIC("TRACE:", "an Android systrace", "traceq reads Chrome JSON traces"),
};

/* Flame graphs, whose pages and drawings are read. */
#define READ_PAGES "<svg|<title>memray - "

static bool begins(struct span t, const struct magic *m)
{
	return t.n >= m->n && memcmp(t.p, m->bytes, m->n) == 0;
}

static struct span blanks_off(struct span t)
{
	while (t.n && (t.p[0] == ' ' || t.p[0] == '\n' || t.p[0] == '\r' || t.p[0] == '\t')) {
		t.p++;
		t.n--;
	}
	return t;
}

static const struct magic *find_magic(struct span head)
{
	struct span text = blanks_off(head);

	return FIND(
		i, magics, COUNT_OF(magics), begins(head, &magics[i]) || begins(text, &magics[i]));
}

/* Its mark is behind the name and the numbers of the first member. */
static const struct magic tar_magic =
	PACKED("ustar", "a tar archive", "unpack it: tar -xf FILE", CONTAINER_TAR);
enum { TAR_MARK_AT = 257 };

static bool is_tar(struct span head)
{
	return head.n > TAR_MARK_AT &&
		begins((struct span){ head.p + TAR_MARK_AT, head.n - TAR_MARK_AT }, &tar_magic);
}

static bool is_zlib(struct span t)
{
	if (t.n < 2)
		return false;
	unsigned cmf = (unsigned char)t.p[0];
	unsigned flg = (unsigned char)t.p[1];
	return (cmf & 15) == 8 && cmf >> 4 <= 7 && (cmf << 8 | flg) % 31 == 0 && !(flg & 32) &&
		cmf == 0x78;
}

enum container magic_container(struct span head)
{
	if (head.n >= 2 && (unsigned char)head.p[0] == 0x1f && (unsigned char)head.p[1] == 0x8b)
		return CONTAINER_GZIP;
	if (is_zlib(head))
		return CONTAINER_ZLIB;
	if (is_tar(head))
		return CONTAINER_TAR;
	const struct magic *m = find_magic(head);
	if (!m || (m->bytes[0] == '<' && span_has_in(head, READ_PAGES)))
		return CONTAINER_PLAIN;
	return begins(head, m) ? m->as : CONTAINER_OTHER; /* blanks in front: no archive */
}

const char *magic_container_name(enum container c)
{
	static const char *const names[] = { "plain", "gzip", "zlib", "zstd", "xz", "bzip2", "lz4",
		"zip", "tar", "digest", "other" };

	return names[c];
}

enum encoding magic_encoding(struct span head, size_t *skip)
{
	const unsigned char *p = (const unsigned char *)head.p;

	*skip = 0;
	if (head.n >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf)
		*skip = 3;
	else if (head.n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
		*skip = 2;
	if (*skip == 2)
		return p[0] == 0xff ? ENCODING_UTF16LE : ENCODING_UTF16BE;
	if (head.n >= 4 && *skip == 0 && (p[0] == '{' || p[0] == '[') && !p[1] && p[2] && !p[3])
		return ENCODING_UTF16LE;
	if (head.n >= 4 && *skip == 0 && !p[0] && (p[1] == '{' || p[1] == '[') && !p[2])
		return ENCODING_UTF16BE;
	return ENCODING_UTF8;
}

/* The first bytes as harmless text. */
static void quote(struct span head, char *out, size_t room)
{
	size_t o = 0;

	for (size_t i = 0; i < head.n && i < 40 && o + 2 < room; i++) {
		unsigned char c = (unsigned char)head.p[i];

		out[o++] = c >= 0x20 && c < 0x7f ? (char)c : '.';
	}
	out[o] = '\0';
}

/* Mostly control bytes: a binary format.  Protobuf traces begin with a length-delimited field 1. */
static bool is_binary(struct span t)
{
	size_t odd = 0;

	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];

		odd += c < 0x20 && c != '\n' && c != '\r' && c != '\t';
	}
	return t.n && odd * 20 > t.n;
}

enum status magic_refuse_packed(struct span head, const char *why, struct err *e)
{
	const struct magic *m = is_tar(head) ? &tar_magic : find_magic(head);

	(void)err_set(e, E_FORMAT, 0, "this is %s, and %s", m ? m->what : "packed", why);
	return m ? err_hint(e, "%s", m->todo) : e->status;
}

enum status magic_refuse(struct span head, struct err *e)
{
	bool is_before;
	const char *what = alien_text(head, &is_before);
	char text[48];

	if (head.n > MAGIC_BYTES)
		head.n = MAGIC_BYTES;
	const struct magic *m = is_tar(head) ? &tar_magic : find_magic(head);
	if (m) {
		(void)err_set(e, E_FORMAT, 0, "not a Chrome trace: this is %s", m->what);
		return err_hint(e, "%s", m->todo);
	}
	if (is_binary(head) && head.p[0] == 0x0a) {
		(void)err_set(e, E_FORMAT, 0,
			"not a trace that is read: this looks like protobuf data, but neither a Perfetto "
			"trace nor XLA's .xplane.pb");
		return err_hint(e,
			"where it is one of them, its first records are damaged: export it "
			"again, or as JSON");
	}
	quote(head, text, sizeof(text));
	if (what && !is_binary(head)) {
		(void)err_set(
			e, E_FORMAT, 0, "no trace and no log of a run: this looks like %s", what);
		return magic_tried(e);
	}
	(void)err_set(e, E_FORMAT, 0, "not a Chrome trace: %s data that begins with \"%s\"",
		is_binary(head) ? "binary" : "text", text);
	return magic_tried(e);
}

#define ET_TODO                                                                                \
	"give the Kineto trace recorded beside it (export_chrome_trace), and this with --et: " \
	"traceq critical TRACE --et THIS"

struct alien {
	const char *word, *what, *todo;
};

static const struct alien aliens[] = {
	{ "\"nbformat\"", "a Jupyter notebook", "give the trace the notebook wrote" },
	{ "chakra", "a PyTorch execution trace (Chakra)", ET_TODO },
	{ "\"nodes\"", "a PyTorch execution trace", ET_TODO },
	{ "\"dependencies\"", "a package description", "give the trace file" },
	{ "\"compilerOptions\"", "settings of a compiler", "give the trace file" },
	{ "\"FeatureCollection\"", "a map (GeoJSON)", "give the trace file" },
	{ "\"$schema\"", "a JSON schema", "give the trace file" },
	{ "\"openapi\"", "an API description", "give the trace file" },
	{ "\"filePath\"", "the findings of a linter", "give the trace file" },
	{ "\"nodeid\"", "a report of pytest", "give the trace file" },
	{ "\"__CURSOR\"", "a system's journal", "give the log of the run itself" },
};

static const struct alien *alien_of(struct span head)
{
	struct span t = { head.p, MIN(head.n, 65536) };

	return FIND(i, aliens, COUNT_OF(aliens), span_has(t, aliens[i].word));
}

bool magic_is_alien_json(struct span head)
{
	return alien_of(head) || span_has((struct span){ head.p, MIN(head.n, 200) }, "\"traceq.");
}

enum status magic_tried(struct err *e)
{
	return err_hint(e, "%s", TRIED);
}

enum status magic_refuse_cut(struct span head, int64_t end, struct err *e)
{
	if (span_has_in(head,
		    "\"traceEvents\"|\"schemaVersion\"|\"deviceProperties\"|"
		    "\"displayTimeUnit\"|\"baseTimeNanoseconds\""))
		return err_set(e, E_TRUNCATED, end, "the file ends before the first event");
	(void)err_set(e, E_TRUNCATED, end, "too short to tell what it is: the JSON ends");
	return magic_tried(e);
}

enum status magic_refuse_json(struct span head, struct err *e)
{
	struct span t = { head.p, MIN(head.n, 65536) };

	if (span_has(t, "\"traceEvents\""))
		return err_hinted(e, E_FORMAT,
			"traceq reads an object with \"traceEvents\": an array of events",
			"not a Chrome trace: \"traceEvents\" is not an array at the top of the "
			"document");
	const struct alien *alien = alien_of(head);
	if (alien) {
		(void)err_set(e, E_FORMAT, -1,
			"not a Chrome trace: JSON without trace events; it looks like %s",
			alien->what);
		return err_hint(e, "%s", alien->todo);
	}
	(void)err_set(e, E_FORMAT, -1,
		"not a Chrome trace: JSON without \"traceEvents\" and without events");
	return magic_tried(e);
}

bool magic_is_numbers(struct span head)
{
	static const char null[] = "null", signs[] = "+-.eE, \t\r\n";
	struct span t = blanks_off(head);
	bool any = false;

	if (t.n == 0 || t.p[0] != '[')
		return false;
	t = (struct span){ t.p + 1, t.n - 1 };
	while (t.n && t.p[0] != ']') {
		size_t n = span_starts(t, null) ? sizeof(null) - 1 : 1;

		if (n == 1 && !is_digit(t.p[0]) && !memchr(signs, t.p[0], sizeof(signs) - 1))
			return false;
		any |= n > 1 || is_digit(t.p[0]);
		t = (struct span){ t.p + n, t.n - n };
	}
	return any;
}

enum status magic_refuse_numbers(struct err *e)
{
	(void)err_set(e, E_FORMAT, 0, "a list of numbers: nothing says of what");
	return err_hint(e, "name them: {\"raw_metrics\": {\"score\": [1.0, 0.5, null]}} is read");
}
