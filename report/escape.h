/* Text that traceq did not write itself, made harmless: one function for each destination.
 *
 * Names of events, keys, stages, hosts, files and folders, words of a command line: all may hold
 * anything.  Whatever the destination, bytes that are not UTF-8 become U+FFFD; code points that
 * steer a terminal or hide text (base/utf8.h) are shown as escapes, never sent; and no text gives
 * a CI server an order (escape.c).  Letters of any script stay as they are.
 *
 * Everything that is printed goes through here; tests/lint/text.sh says where it does not. */
#pragma once

#include "base/utf8.h"

/* A line on a terminal, in a message or in a text file: unsafe code points as \n, \t, \x1b,
 * \u202e, \U000e0041; "::" at the beginning of a word as \x3a:.  Without utf8 everything outside
 * ASCII is shown that way too, but typography has its plain form: ... +/- -> us.  The result is one
 * line, however it is broken at blanks.  Doing it twice changes nothing. */
void escape_terminal(struct str *b, struct span s, bool utf8);

/* The same for a text whose line breaks are traceq's own. */
void escape_lines(struct str *b, struct span s);

/* A JSON string with its quotes (RFC 8259).  Unsafe code points as \uXXXX: the same value. */
void escape_json(struct str *b, struct span s);

/* A CSV cell, quoted by RFC 4180 where needed.  Tabs, CR and LF stay (inside quotes); other unsafe
 * code points are shown as escapes.  A text that a spreadsheet would take for a formula (first
 * character = + - @ tab CR LF, also full-width) gets a leading ', as OWASP advises: a name in a
 * trace must not be able to run anything on the desk of the one who opens the file.  The number
 * columns are never touched.  A line that a cell begins or breaks begins with no "::": \x3a:. */
void escape_csv(struct str *b, struct span s);

/* A TSV cell: \t \n \r and \\, unsafe code points as escapes; no quotes.  No guard against
 * formulas: this is the format for command-line tools. */
void escape_tsv(struct str *b, struct span s);

/* Text inside a line of Markdown (CommonMark, and GitHub's tables, links and mentions): a cell, a
 * heading, behind a word of ours.  No markup, no HTML; an address stays text, and nobody is
 * mentioned. */
void escape_markdown(struct str *b, struct span s);

/* The same where the text begins a paragraph or an item: it is no heading, list or rule. */
void escape_markdown_block(struct str *b, struct span s);

/* A command line of base/shell.h as a block of code (CommonMark 4.5), in a line of its own, which
 * begins with "traceq" and so ends no block. */
void escape_markdown_command(struct str *b, struct span s);

/* The target of a link inside a page: percent escapes (RFC 3986) for all but plain letters of a
 * path, so that it has no scheme. */
void escape_link(struct str *b, struct span s);

/* Text and attributes of HTML and of SVG inside it: one line, entities for what is markup. */
void escape_html(struct str *b, struct span s);

/* Text and attributes of XML 1.0, which has no control characters; a line feed as &#10;. */
void escape_xml(struct str *b, struct span s);

/* The value of an OpenMetrics label, without its quotes: \\, \" and \n (OpenMetrics 1.0). */
void escape_openmetrics(struct str *b, struct span s);

/* The message of a GitHub workflow command: %25, %0D and %0A (actions/toolkit, command.ts). */
void escape_github_message(struct str *b, struct span s);

/* A property of one: also %3A and %2C. */
void escape_github_property(struct str *b, struct span s);

/* A folded stack for flamegraph.pl: frames with ';' between them, which no name in it has any more
 * (stacks puts ':' there), and no line break. */
void escape_folded(struct str *b, struct span s);
