#!/bin/sh
# VERSION, the newest heading of CHANGELOG.md and the newest entry of debian/changelog name the same
# release, the latter two the same day.
# Why: a report of an error is of use only when program and package say the same version.
set -u
cd "$(dirname "$0")/../.." || exit 2
version=$(cat VERSION)
status=0
if ! printf '%s\n' "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+'; then
	echo "VERSION: '$version' is not MAJOR.MINOR.PATCH"
	status=1
fi
heading=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
day=${heading#"$version - "}
if [ "$day" = "$heading" ] || ! printf '%s\n' "$day" | grep -qxE '[0-9]{4}-[0-9]{2}-[0-9]{2}'; then
	echo "CHANGELOG.md: begins with '$heading', not with '$version - YEAR-MONTH-DAY'"
	exit 1
fi
entry=$(sed -n '1s/^traceq (\(.*\)) .*/\1/p' debian/changelog)
if [ "$entry" != "$version" ]; then
	echo "debian/changelog: begins with '$entry', not with '$version'"
	status=1
fi
written=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)
if [ "$(date -u -d "$written" +%F 2>/dev/null)" != "$day" ]; then
	echo "debian/changelog: '$written' is another day than $day of CHANGELOG.md"
	status=1
fi
exit "$status"
