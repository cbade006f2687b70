#!/bin/sh
# Signs one request with openssl and sends it with curl. Any POSIX shell:
# `sh propgate-curl.sh GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and
# PROPGATE_SECRET in the environment. examples/README.md lists the other arguments and variables.
# `. ./propgate-curl.sh` only defines the functions, for your own script.

# canonical METHOD TARGET TIMESTAMP NONCE <body: six parts, a newline between them, none at the end.
canonical() {
  printf 'v1\n%s\n%s\n%s\n%s\n%s' "$@" "$(openssl dgst -sha256 -r | cut -c 1-64)"
}

# sign <canonical: the signature. `openssl dgst -hmac` would show the secret to every user who
# runs ps; here only printf sees it, which is a part of the shell.
sign() {
  key() { printf %s "$PROPGATE_SECRET"; }
  bytes=$(key | od -An -v -tx1)
  [ "$(key | wc -c)" -le 64 ] || bytes=$(key | sha256 | od -An -v -tx1)
  { key_xor 0x36 && cat; } | sha256 | { key_xor 0x5c && cat; } | sha256 |
    { printf v1= && openssl base64 -A; } # -A: on one line, and no newline after it
}

sha256() { openssl dgst -sha256 -binary; } # bytes: the default is hex

# key_xor BYTE: the key's bytes, filled up with zeros to 64, each XOR BYTE (HMAC's two paddings).
key_xor() {
  with=$1
  set -- $bytes
  while [ $# -lt 64 ]; do set -- "$@" 00; done
  for byte; do
    byte=$((0x$byte ^ $with))
    printf "\\$((byte >> 6))$((byte >> 3 & 7))$((byte & 7))"
  done
}

main() {
  send=yes
  if [ "${1:-}" = --print ]; then send= && shift; fi
  usage="usage: $0 [--print] METHOD TARGET [BODY | @FILE]"
  case $# in 2 | 3) ;; *) echo "$usage" >&2 && exit 2 ;; esac
  : "${PROPGATE_SECRET:?set it to the secret of your key}"
  method=$1 target=$2 body=${3:-} brand=${PROPGATE_BRAND:-Service}
  timestamp=${PROPGATE_TIMESTAMP:-$(date +%s)000} # milliseconds: POSIX date has none of its own
  nonce=${PROPGATE_NONCE:-$(openssl rand -hex 16)} # fresh for every request, a repeated one too
  # What is hashed is what is sent. $(cat file) would lose the newline at the file's end.
  body_bytes() { case $body in @*) cat -- "${body#@}" ;; *) printf %s "$body" ;; esac; }
  request() { body_bytes | canonical "$method" "$target" "$timestamp" "$nonce"; }
  signature=$(request | sign)
  [ "$send" ] || { request && printf '\n---\n%s\n' "$signature" && exit; }
  : "${PROPGATE_KEY_ID:?set it to the id of your key}"
  set -- && [ -z "$body" ] || set -- -H 'Content-Type: application/json' --data-binary @-
  body_bytes | curl -sS -w '\n' --globoff --path-as-is -X "$method" "$@" \
    -H "X-$brand-Key-Id: $PROPGATE_KEY_ID" -H "X-$brand-Timestamp: $timestamp" \
    -H "X-$brand-Nonce: $nonce" -H "X-$brand-Signature: $signature" \
    "${PROPGATE_BASE_URL:-http://127.0.0.1:8787}$target"
}

case $0 in *propgate-curl.sh) set -eu && main "$@" ;; esac
