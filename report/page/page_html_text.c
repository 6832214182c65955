/*
 * Texts between the markup of HTML documents.
 */
#include "report/escape.h"
#include "report/page/page_html.h"

static const char *const tones[] = { "", "good", "warn", "bad", "unknown" };
static const char *const words[] = { "", "ok", "warn", "bad", "?" };

const char *html_tone_class(enum page_tone tone)
{
	return tones[tone];
}

void html_element(struct str *out, const char *open, const char *text, const char *close)
{
	str_adds(out, open);
	escape_html(out, span_of(text));
	str_adds(out, close);
}

void html_tone(struct str *out, enum page_tone tone)
{
	if (tone != TONE_NONE)
		str_addf(out, "<span class=\"tone %s\">%s</span> ", tones[tone], words[tone]);
}
