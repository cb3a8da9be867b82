#!/bin/sh
# Pins the images of Dockerfile and compose.yaml to the digests that their registry shows now, beside their tags. Run again, it takes newer ones.
set -eu
cd "$(dirname "$0")"
images=$(sed -nE 's/^(FROM| +image:) ([a-z0-9./-]+:[A-Za-z0-9._-]+).*/\2/p' Dockerfile compose.yaml | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  if ! printf '%s\n' "$digest" | grep -qE '^sha256:[0-9a-f]{64}$'; then
    echo "No digest of $image: $digest" >&2
    exit 1
  fi
  for file in Dockerfile compose.yaml; do
    # Written into the file that is there: it keeps its rights.
    pinned=$(sed -E "s#^((FROM| +image:) $image)(@sha256:[0-9a-f]{64})?( |\$)#\\1@$digest\\4#" "$file")
    printf '%s\n' "$pinned" > "$file"
  done
  echo "$image@$digest"
done
