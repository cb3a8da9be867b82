#!/bin/sh
# Makes of the sources in this folder what runs: the packages of the lock file, the web, the server, and sbom.cdx.json, the list of all that is in it
# (CycloneDX). It is then started by `node apps/server/dist/main.js`, and writes nothing here.
set -eu
cd "$(dirname "$0")/.."
node -e 'import("./scripts/lib/install.mjs").then(({ ensureInstalled }) => ensureInstalled("."))'
npm exec --workspace @portal/web -- vite build --logLevel warn
npm exec --workspace @portal/server -- vite build --logLevel warn
npm prune --omit=dev --omit=optional --no-audit --no-fund --loglevel=error
npm sbom --package-lock-only --sbom-format=cyclonedx --loglevel=error > sbom.cdx.json
