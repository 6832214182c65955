/* Windows of a Perfetto trace: text cut into packets, those inside compressed ones too. */
#ifndef ANALYZE_INPUT_FORMAT_PROTO_PACKET_WINDOWS_H
#define ANALYZE_INPUT_FORMAT_PROTO_PACKET_WINDOWS_H

#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/sequences.h"
#include "base/err.h"

struct source;

enum {
	WINDOWS_BLOB_MAX = 64 << 20, /* of a compressed packet, inflated */
	WINDOWS_BLOBS_MAX = 32 << 20 /* after so much the next window begins */
};

struct window_text {
	char *p; /* with padding behind n */
	size_t n, cap;
};

struct window {
	struct window_text text;
	int64_t base;       /* offset of the text in the input */
	int64_t read_bytes; /* of the file, when it was filled */
	struct packet *packet;
	size_t npacket, packet_cap;
	uint64_t place;           /* of the first packet */
	struct window_text *blob; /* inflated packets */
	size_t nblob, blob_cap, blob_bytes;
	struct decoder decoder;
};

/* What goes from window to window. */
struct windows {
	struct source *source;
	struct sequences *sequences;
	size_t window_bytes;
	struct window_text carry; /* what the last one left */
	int64_t next_base;
	bool eof;       /* the carry is the last */
	bool is_lost;   /* the carry's beginning is looked for a packet */
	size_t missing; /* how much the carry's packet needs at least */
};

void windows_clear(struct windows *w);
void window_clear(struct window *v);

/* Fills a window with the next packets; *last: there are no more.  E_IO. */
enum status windows_fill(struct windows *w, struct window *v, bool *last, struct err *e) MUST_CHECK;

#endif
