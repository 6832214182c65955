/* What a comma is in the numbers of a log: "1,050 s" is a second where the log writes "0,95 s", and
 * 1050 where it writes "0.95 s".
 *
 * Told by the numbers that can be read in one way alone: those of the same name first, then all of
 * the log's beginning; where neither says it, by what is called so. */
#pragma once

#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/logs/log_pair.h"

enum { COMMA_KEYS = 64, COMMA_KEY = 40 };

/* Numbers with decimals behind a comma; with such behind a point, or commas of thousands; of a key
 * also whole ones, as "950" beside "1,050". */
struct log_comma_count {
	char key[COMMA_KEY];
	size_t n;
	int64_t commas, points;
};

struct log_commas {
	bool is_known;
	struct log_comma_count all, key[COMMA_KEYS];
	size_t nkey;
	int64_t weak;    /* "loss 2,515": which would hardly be thousands */
	int64_t unclear; /* numbers that the name decided, whose first is */
	char first[2 * COMMA_KEY];
	bool is_read; /* it, as decimals */
};

/* Decimals stand behind commas, as far as is known: what looks like "1.050" may be thousands. */
bool log_commas_are_decimal(const struct log_commas *c);

/* The pair's number as the log has it; head: the log's beginning. */
double log_commas_value(struct log_commas *c, const struct head *head, const struct log_pair *pair);
