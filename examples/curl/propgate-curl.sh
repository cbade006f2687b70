#!/bin/sh
# Signs one request with openssl and sends it with curl.
#
#   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
#   ./propgate-curl.sh GET  /api/v1/trading/account
#   ./propgate-curl.sh GET  '/api/v1/trading/payouts?limit=10'
#   ./propgate-curl.sh POST /api/v1/trading/orders @order.json     (or the JSON itself)
#
# --print as first argument: prints the canonical string, a line of ---, the signature; sends nothing.
# PROPGATE_BASE_URL    where the service is (http://127.0.0.1:8787)
# PROPGATE_BRAND  the brand word in the header names (Service)
# openssl gets the secret as an argument: on a machine you share, sign with the Python example.
set -eu

mode=send
if [ "${1:-}" = --print ]; then mode=print; shift; fi
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  echo "usage: $0 [--print] METHOD TARGET [BODY | @FILE]" >&2
  exit 2
fi
: "${PROPGATE_SECRET:?set it to the secret of your key}"
method=$1 target=$2 body=${3:-}
brand=${PROPGATE_BRAND:-Service}
timestamp=${PROPGATE_TIMESTAMP:-$(date +%s)000} # whole milliseconds; POSIX date has no finer ones
nonce=${PROPGATE_NONCE:-$(openssl rand -hex 16)} # never the same twice

# The bytes that are hashed are the bytes that are sent, whatever they are.
body_bytes() {
  case $body in
    @*) cat -- "${body#@}" ;;
    *) printf %s "$body" ;;
  esac
}

body_sha256=$(body_bytes | openssl dgst -sha256 -r | cut -c 1-64)
# Six parts, a newline between them, none at the end.
canonical() {
  printf 'v1\n%s\n%s\n%s\n%s\n%s' "$method" "$target" "$timestamp" "$nonce" "$body_sha256"
}
signature=v1=$(canonical | openssl dgst -sha256 -hmac "$PROPGATE_SECRET" -binary | openssl base64 -A)

if [ "$mode" = print ]; then
  canonical
  printf '\n---\n%s\n' "$signature"
  exit 0
fi

: "${PROPGATE_KEY_ID:?set it to the id of your key}"
if [ -n "$body" ]; then
  set -- -H 'Content-Type: application/json' --data-binary @-
else
  set --
fi
body_bytes | curl -sS --globoff --path-as-is -X "$method" "$@" \
  -H "X-$brand-Key-Id: $PROPGATE_KEY_ID" -H "X-$brand-Timestamp: $timestamp" \
  -H "X-$brand-Nonce: $nonce" -H "X-$brand-Signature: $signature" \
  "${PROPGATE_BASE_URL:-http://127.0.0.1:8787}$target"
