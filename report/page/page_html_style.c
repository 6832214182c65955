/*
 * What an HTML document may load (nothing), how it looks, and the script that sorts its tables.
 *
 * The script is ours and constant: the policy allows it by its hash and no other, so a name that
 * got past the escapes would not run.  tests/oracle/reports.py holds the hash against the script.
 */
#include "report/page/page_html.h"

/* Of the bytes between the tags below. */
#define SCRIPT_HASH "sha256-EwDx/S2XMY2p54VHblYzmgI7iVWrolDfA7fhaOTbPik="

static const char script[] =
	"(() => {\n"
	"'use strict';\n"
	"const value = cell => {\n"
	"  const text = cell.textContent.trim();\n"
	"  const number = Number(cell.dataset.value ?? text.replace(/,/g, ''));\n"
	"  return text === '' || text === '-' ? null : Number.isNaN(number) ? text : number;\n"
	"};\n"
	"const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b\n"
	"  : String(a).localeCompare(String(b), 'en', {numeric: true});\n"
	"/* What has no value comes last either way. */\n"
	"const order = (rows, i, sign) => rows.map(row => [value(row.cells[i]), row])\n"
	"  .sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null)\n"
	"    : sign * compare(a, b)).map(pair => pair[1]);\n"
	"for (const table of document.querySelectorAll('table')) {\n"
	"  const body = table.tBodies[0], rows = [...body.rows];\n"
	"  const heads = [...table.tHead.rows[0].cells];\n"
	"  if (2 > rows.length)\n"
	"    continue;\n"
	"  heads.forEach((head, i) => {\n"
	"    if (!head.textContent)\n"
	"      return;\n"
	"    const button = document.createElement('button');\n"
	"    const ways = ['ascending', 'descending'];\n"
	"    if (head.classList.contains('n'))\n"
	"      ways.reverse();\n"
	"    button.type = 'button';\n"
	"    button.append(...head.childNodes);\n"
	"    head.append(button);\n"
	"    button.addEventListener('click', () => {\n"
	"      const way = ways[ways.indexOf(head.getAttribute('aria-sort')) + 1];\n"
	"      for (const other of heads)\n"
	"        other.removeAttribute('aria-sort');\n"
	"      if (way)\n"
	"        head.setAttribute('aria-sort', way);\n"
	"      body.append(...(way ? order(rows, i, way === 'ascending' ? 1 : -1) : rows));\n"
	"    });\n"
	"  });\n"
	"}\n"
	"})();\n";

static const char colors[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#222;--soft:#5c5c5c;--line:#ddd;"
	"--good:#00735a;--warn:#8a5a00;--bad:#b03a00;--link:#0b57d0;--mild:#f4f5f7}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e4e4e4;--soft:#a8a8a8;"
	"--line:#3a3d42;--good:#3ecfa6;--warn:#f0b040;--bad:#ff8a50;--link:#8ab4f8;"
	"--mild:#202329}}\n";

static const char parts[] =
	"body{background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
	"margin:0 auto;padding:1rem;max-width:72rem}\n"
	"h1{font-size:1.5rem;margin:.5rem 0 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;"
	"border-bottom:1px solid var(--line)}\n"
	".sub,.note,figcaption,.from{color:var(--soft)}.sub,.from{margin:.2rem 0}"
	".from{font-size:.9rem}.from dd,code{color:var(--fg)}\n"
	"h1,.sub,figcaption,.panel,li,p,code{overflow-wrap:anywhere}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}"
	"dl div{display:contents}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
	".from,.from div{display:flex;flex-wrap:wrap;gap:0 1.5rem}.from div{gap:0 .4rem}"
	"p.from{display:block}"
	".made code{display:block;white-space:pre-wrap;overflow-wrap:anywhere}\n"
	".answer{font-size:1.15rem;margin:1rem 0 .5rem;padding:.5rem .8rem;background:var(--mild);"
	"color:var(--fg)!important;border-left:.3rem solid var(--soft)}"
	".answer.good{border-color:var(--good)}.answer.warn{border-color:var(--warn)}"
	".answer.bad{border-color:var(--bad)}\n"
	"@media(min-width:64rem) and (min-height:30rem){.answer{position:sticky;top:0;z-index:1}"
	"h2{scroll-margin-top:6rem}}\n"
	"nav ol{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.5rem 0;"
	"padding:0;font-size:.9rem}a{color:var(--link)}\n"
	".heard,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;"
	"clip-path:inset(50%);white-space:nowrap}\n"
	".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}"
	".tone{font-weight:600}\n"
	".charts,.panels{display:flex;flex-wrap:wrap;gap:1rem 2rem}"
	"figure{margin:1rem 0;flex:1 1 28rem;min-width:0;max-width:44rem}"
	".wide{flex-basis:100%;max-width:none}"
	".panels>div{flex:1 1 26rem;max-width:44rem;min-width:0}.panel{margin:0}\n"
	"pre{overflow-x:auto;font-size:.85rem}\n";

static const char tables[] =
	".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;"
	"margin:.5rem 0}\n"
	"caption{text-align:left;color:var(--soft);white-space:nowrap}th,td{padding:.25rem .6rem;"
	"text-align:left;border-bottom:1px solid var(--line);vertical-align:top;"
	"white-space:pre}tbody th{font-weight:400}\n"
	".e,.prose tbody>*>*{white-space:normal}.e{overflow-wrap:anywhere}"
	".e:not(:empty){min-width:9rem}"
	".n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"th button{font:inherit;color:inherit;background:none;border:0;margin:0;padding:0;"
	"cursor:pointer;text-align:inherit;white-space:inherit}"
	"th button:hover{text-decoration:underline}"
	"[aria-sort=ascending] button{box-shadow:0 -2px var(--link)}"
	"[aria-sort=descending] button{box-shadow:0 2px var(--link)}\n";

/* A phone: tables become what turn_of (page_html_table.c) says. */
static const char phone[] =
	"@media(max-width:40rem){dl:not(.from),dl:not(.from) div{display:block}"
	"dl:not(.from) dt{display:inline;margin-right:.5rem}dl:not(.from) dd{display:inline}"
	"figure{flex-basis:100%}.prose thead{display:none}"
	".prose tbody>*>*{display:block;border:0;padding:.1rem 0}.prose tr{display:block;"
	"padding:.4rem 0;border-bottom:1px solid var(--line)}"
	".named,.named thead,.named tbody,.named caption{display:block}.named tr{display:grid;"
	"grid-template-columns:repeat(var(--n),minmax(0,1fr));padding:.3rem 0;"
	"border-bottom:1px solid var(--line)}.named td,.named th{border:0;padding:0 .2rem}"
	".named thead th{white-space:normal}.named .h{grid-column:1/-1;grid-row:1;"
	"white-space:pre-wrap;overflow-wrap:anywhere;"
	"max-width:calc(100vw - 2.4rem)}"
	".cards,.cards tbody,.cards caption{display:block}.cards thead{display:none}"
	".cards tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.35rem 0;"
	"border-bottom:1px solid var(--line)}"
	".cards tbody>*>*{border:0;padding:0;white-space:pre-wrap;overflow-wrap:anywhere}"
	".cards td:before{content:attr(data-h);color:var(--soft);margin-right:.4rem}"
	".cards .h{flex-basis:100%;order:-1}.cards .h:before{content:none}"
	"caption{white-space:normal}}\n";

/* Paper: heads of tables again on each page, nothing that belongs together on two. */
static const char paper[] =
	"@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--line:#ccc;--soft:#444;"
	"--good:#00735a;--warn:#8a5a00;--bad:#b03a00;--link:#000;--mild:#fff}"
	":root{font-size:11px}body{font-size:1rem;max-width:none;padding:0}"
	".answer{position:static}.skip{display:none}nav{break-inside:avoid}"
	".scroll{overflow:visible}th,td{white-space:pre-wrap;padding:.15rem .35rem}"
	".n{white-space:nowrap}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
	"thead{display:table-header-group;break-after:avoid}.few,h2{break-inside:avoid}"
	"h2,caption,figcaption,.panel{break-after:avoid}"
	"figure,tr,li,p,dl div,.answer,.panels>div{break-inside:avoid}p,li{orphans:3;widows:3}"
	".note{break-before:avoid}.charts,.panels{display:block}"
	"figure{max-width:68%}.wide,.wide .panels>div{max-width:100%}"
	".wide .panels{display:grid;grid-template-columns:1fr 1fr}}\n";

void html_policy(struct str *out)
{
	str_adds(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
		"style-src 'unsafe-inline';script-src '" SCRIPT_HASH "';base-uri 'none';"
		"form-action 'none'\">\n");
}

void html_style(struct str *out)
{
	str_adds(out, colors);
	str_adds(out, parts);
	str_adds(out, tables);
	str_adds(out, phone);
	str_adds(out, paper);
}

void html_script(struct str *out)
{
	str_adds(out, "<script>");
	str_adds(out, script);
	str_adds(out, "</script>\n");
}
