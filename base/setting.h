/* Settings: values that a person may choose, by key, with a type and a built-in value.
 *
 * What can be set is a table of constant rows, as options are; whoever owns a row writes it. Values
 * come in layers, each overriding those before: built in, file, environment, option.  Every value
 * remembers its text and where it came from. */
#pragma once

#include "base/base.h"

enum setting_type {
	SETTING_RATIO,  /* 0..1: "5%", "0.05" */
	SETTING_GROWTH, /* a share that may pass all: "150%", "0.05"; bare numbers up to 1 */
	SETTING_NUMBER, /* 0 or more: "1.5" */
	SETTING_COUNT,  /* a whole number, 0 or more: "10", "1,000" is none */
	SETTING_TIME,   /* with its unit: "20us", "1.5 ms"; ns, us, ms, s */
	SETTING_BYTES,  /* with its unit: "200MiB", "1 GB"; B, KiB to TiB, kB to TB */
	SETTING_CHOICE, /* one of choices */
	SETTING_LIST,   /* words separated by commas */
	SETTING_TEXT    /* whatever it says */
};

struct setting {
	const char *key; /* "diagnose.G10.warn"; a part that is * stands for any word */
	enum setting_type type;
	const char *preset;  /* the built-in value, as one would write it */
	const char *choices; /* SETTING_CHOICE: "note|warn|crit"; else NULL */
	const char *help;    /* what it does; a sentence */
};

/* One value. */
struct setting_value {
	const struct setting *setting;
	const char *key;    /* as in setting->key; its own where that has a * */
	const char *text;   /* as written */
	const char *origin; /* "built-in", "traceq.yaml:3:5", "TRACEQ_DIAGNOSE_G10_WARN", "-t" */
	int64_t i;          /* COUNT; TIME: ns; BYTES; CHOICE: its index */
	double r;           /* RATIO, NUMBER; the others: i */
};

/* All values in force. */
struct settings {
	struct setting_value *v; /* in the rows' order; those of a * behind it, as they came */
	size_t n, cap;
	const struct setting *const *row;
	size_t nrow;
	struct arena mem; /* owns texts */
};

/* Every row at its built-in value, rows with a * aside.  The list is copied.  A built-in value that
 * does not parse is a mistake of the program: assert.  Released by settings_clear. */
void settings_init(struct settings *s, const struct setting *const *row, size_t nrow);
void settings_clear(struct settings *s);

/* A copy, to put options over; released by settings_clear. */
void settings_copy(struct settings *s, const struct settings *from);

/* Sets a key with points ("diagnose.G10.warn") to what text says; origin is copied.  E_USAGE with
 * what is wrong with the key or the text.  The value is then as before. */
enum status settings_set(struct settings *s, const char *key, const char *text, const char *origin,
	struct err *e) MUST_CHECK;

/* The value of that key, or NULL when nobody set it and no row is called so. */
const struct setting_value *settings_get(const struct settings *s, const char *key);

/* Parses text as the row wants it into *v (i and r only).  E_USAGE. */
enum status setting_parse(const struct setting *row, const char *text, struct setting_value *v,
	struct err *e) MUST_CHECK;

/* The value of an option or key by itself, as setting_parse: its real part into *v.  E_USAGE. */
enum status setting_number(const char *key, enum setting_type type, const char *text, double *v,
	struct err *e) MUST_CHECK;

/* "ratio", "time", ...; constant. */
const char *setting_type_word(enum setting_type t);

/* ---- settings as YAML has them: groups of keys, values, lists ---- */

/* Puts a document over the values of s; name is what errors and origins call it.  E_SYNTAX, E_LIMIT
 * or E_USAGE with "NAME:LINE:COLUMN: what" as text; values before the mistake are then set. */
enum status setting_yaml_put(
	struct settings *s, struct span text, const char *name, struct err *e) MUST_CHECK;
