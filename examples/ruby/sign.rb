#!/usr/bin/env ruby
# Signs requests to a Propgate service and sends them. Ruby 2.7 or newer, without packages:
# `ruby sign.rb GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and PROPGATE_SECRET
# in the environment. examples/README.md lists the other arguments and variables.
require "net/http"
require "openssl"
require "securerandom"

# The canonical string, and the value of the signature header.
def sign(secret, method, target, timestamp, nonce, body)
  body_sha256 = OpenSSL::Digest::SHA256.hexdigest(body)
  canonical = ["v1", method, target, timestamp, nonce, body_sha256].join("\n")
  mac = OpenSSL::HMAC.digest("SHA256", secret, canonical) # hexdigest is for the body only
  [canonical, "v1=" + [mac].pack("m0")] # m0: Base64.encode64 would put a newline at the end
end

# A timestamp and a nonce, for one request: a retry needs new ones.
def fresh
  now = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond) # Time.now.to_i is in seconds
  [ENV.fetch("PROPGATE_TIMESTAMP", now.to_s), ENV.fetch("PROPGATE_NONCE", SecureRandom.hex(16))]
end

# Sends target and body unchanged.
def send_signed(method, target, body)
  base = URI(ENV.fetch("PROPGATE_BASE_URL", "http://127.0.0.1:8787"))
  brand = ENV.fetch("PROPGATE_BRAND", "Service")
  timestamp, nonce = fresh
  _, signature = sign(ENV.fetch("PROPGATE_SECRET"), method, target, timestamp, nonce, body)
  headers = {
    "X-#{brand}-Key-Id" => ENV.fetch("PROPGATE_KEY_ID"), "X-#{brand}-Timestamp" => timestamp,
    "X-#{brand}-Nonce" => nonce, "X-#{brand}-Signature" => signature,
    "Content-Type" => "application/json"
  }
  Net::HTTP.start(base.host, base.port, use_ssl: base.scheme == "https") do |http|
    http.send_request(method, target, body.empty? ? nil : body, headers)
  end
end

if __FILE__ == $PROGRAM_NAME
  print_only = ARGV.first == "--print" && ARGV.shift
  method, target, given = ARGV
  abort "usage: sign.rb [--print] METHOD TARGET [BODY | @FILE]" unless target
  abort "set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment" unless ENV["PROPGATE_SECRET"]
  body = given.to_s.start_with?("@") ? File.binread(given[1..]) : given.to_s.b
  if print_only
    puts sign(ENV["PROPGATE_SECRET"], method, target, *fresh, body).join("\n---\n")
  else
    answer = send_signed(method, target, body)
    puts answer.body
    exit answer.is_a?(Net::HTTPOK)
  end
end
