#!/bin/bash
# The container: its image holds the static program alone.  Made by podman or buildah where one of
# them works, and run as a folder that holds nothing else, which takes root.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh
root=$place/root

copies_static() {
	grep -qx 'FROM scratch' Containerfile && ! grep -q '^RUN' Containerfile &&
		grep -qx 'COPY build/static/traceq /traceq' Containerfile
}
made_by() {
	local tool=$1 store=(--root "$place/store" --runroot "$place/run" --storage-driver vfs)
	case $tool in
	podman) podman "${store[@]}" build -q -t traceq-test . ;;
	buildah) buildah "${store[@]}" bud -q -t traceq-test . ;;
	esac
}
image_runs() {
	podman --root "$place/store" --runroot "$place/run" --storage-driver vfs run --rm --network none \
		-v "$place/in:/data:ro" traceq-test top plain.json.gz >"$place/image.out" &&
		(cd "$place/in" && LC_ALL=C.UTF-8 "$TRACEQ" top plain.json.gz) | cmp - "$place/image.out"
}

[ -x build/static/traceq ] || own_make -j"$(nproc)" static >/dev/null 2>&1 || {
	skip 4 "no static program"
	finish
	exit
}
check "Containerfile copies what make static makes" copies_static
inputs "$place/in"
if command -v podman >/dev/null; then
	check "podman makes an image" made_by podman && check "the image answers" image_runs
elif command -v buildah >/dev/null; then
	check "buildah makes an image" made_by buildah
	skip 1 "no podman to run it"
else
	skip 2 "neither podman nor buildah is installed"
fi
if [ "$(id -u)" = 0 ] && chroot / true 2>/dev/null; then
	mkdir "$root"
	cp build/static/traceq "$root/traceq"
	cp -r "$place/in/." "$root/"
	same_answers "a root with nothing else" "$root" chroot "$root" /traceq
else
	skip 1 "only root can change the root"
fi
finish
