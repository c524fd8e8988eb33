#!/bin/sh
# Starts Redis with the password from its secret file, or not at all: with an empty one it would run and let everybody in.
set -eu

secret=${REDIS_PASSWORD_FILE:-/run/secrets/redis_password}
folder=${TMPDIR:-/tmp}
refuse() {
  echo "redis is not started: $1" >&2
  exit 78
}

umask 077
# Nobody needs to know this one: it is made where there is none yet. One that is there and empty is a mistake, and is refused.
if [ "${REDIS_PASSWORD_MAKE:-0}" = 1 ] && [ ! -e "$secret" ]; then
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$secret.new" && mv "$secret.new" "$secret" || refuse "$secret cannot be made"
fi
[ -r "$secret" ] || refuse "$secret cannot be read"
password=$(tr -d '\r\n' <"$secret")
[ -n "$password" ] || refuse "$secret is empty"
case $password in
  *[!A-Za-z0-9._~-]*) refuse "$secret should hold letters, digits, . _ ~ and - only" ;;
esac

# A file and not an argument, which every process of the machine could read.
cat >"$folder/redis.conf" <<CONF
requirepass $password
dir $folder
save ""
appendonly no
maxmemory-policy noeviction
CONF
exec redis-server "$folder/redis.conf" "$@"
