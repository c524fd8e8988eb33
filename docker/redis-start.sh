#!/bin/sh
# Starts Redis with the password from its secret file, or not at all: with an empty one it would run and let everybody in.
set -eu

secret=${REDIS_PASSWORD_FILE:-/run/secrets/redis_password}
folder=${TMPDIR:-/tmp}
refuse() {
  echo "redis is not started: $1" >&2
  exit 78
}

[ -r "$secret" ] || refuse "$secret cannot be read"
password=$(tr -d '\r\n' <"$secret")
[ -n "$password" ] || refuse "$secret is empty"
case $password in
  *[!A-Za-z0-9._~-]*) refuse "$secret should hold letters, digits, . _ ~ and - only" ;;
esac

# A file and not an argument, which every process of the machine could read.
umask 077
cat >"$folder/redis.conf" <<CONF
requirepass $password
dir $folder
save ""
appendonly no
maxmemory-policy noeviction
CONF
exec redis-server "$folder/redis.conf" "$@"
