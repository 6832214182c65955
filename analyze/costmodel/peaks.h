/* What a device can do at most: operations a second by number format, bytes a second.
 *
 * From the table of devices (devices.def) by what the trace says of the device, from --peak, or
 * from both.  Nothing is guessed: of a device that is not in the table everything is unknown. */
#pragma once

#include "analyze/costmodel/element.h"
#include "base/base.h"

struct gpu;
struct hardware;
struct result;
struct run;
struct setting;
struct settings;

/* NaN: not known. */
struct roof_peaks {
	double matrix[ROOF_DTYPE_COUNT], vector[ROOF_DTYPE_COUNT]; /* FLOP/s, dense; OP/s of INT8 */
	double memory_Bps;
	double link_Bps;    /* to other devices, all links together, one direction */
	const char *device; /* the row's name, constant; NULL: of no device of the table */
	const char *source; /* of the row, constant; NULL with it */
	struct span called; /* what the trace calls the device, "" where it does not; the run's */
	double share;       /* of the device's units that this one has: a slice of MIG; 1: all */
	bool is_alike;      /* it may be another device, with links of its own, that is as fast */
	bool is_given;      /* some of it is from --peak or a setting */
};

/* What a person says of peaks: a device, figures over those of the device, or both. */
struct peaks_given {
	const struct hardware *device; /* NULL: not said */
	struct roof_peaks over;        /* figures; NaN: not said */
};

/* Says nothing. */
void peaks_given_none(struct peaks_given *g);

/* "bf16=708T,mem=4.0T,link=450G,vector-fp32=81T", "H200", "MI300X,mem=4.0T" over what *g says.
 * Units k, M, G, T, P are powers of 1000; without one the number is FLOP/s or B/s.  `origin` names
 * the option or setting in messages.  E_USAGE with what was given and what is wanted; *g is then as
 * before. */
enum status peaks_parse(
	struct peaks_given *g, const char *text, const char *origin, struct err *e) MUST_CHECK;

/* The setting `peak`: what --peak is where it is not given. */
extern const struct setting peaks_setting;
/* Of an analysis that reads no other setting. */
const struct setting *peaks_setting_at(size_t i);

/* What the setting says, and over it what the option (text, or NULL) says.  settings: or NULL. */
enum status peaks_read(struct peaks_given *g, const struct settings *settings, const char *option,
	struct err *e) MUST_CHECK;

/* Of the run's device with that number, as its deviceProperties describe it; where they list it not
 * and all that are listed are alike, of one like those.  given: or NULL.  A device with fewer units
 * than its row (MIG, partitions) has that share of everything, of memory bandwidth the share of
 * memory it sees; links are then not known. */
void peaks_of_run(
	struct roof_peaks *p, const struct run *r, int64_t device, const struct peaks_given *given);

/* The same of one description; called: its name. */
void peaks_of_gpu(struct roof_peaks *p, const struct gpu *gpu, struct span called);

/* Of products of that format, FLOP/s: FP32 is a matter of vector units where matrix units lack it.
 */
double roof_matrix_peak(const struct roof_peaks *p, int dtype);

/* A note that no peaks are known of this device and how they can be given; none where some are. */
void peaks_say(const struct roof_peaks *p, struct result *out, int input);
