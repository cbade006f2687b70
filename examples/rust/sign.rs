//! Signs requests to a Propgate service and sends them with curl. Rust 1.73 or newer:
//! `rustc -O sign.rs && ./sign GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and
//! PROPGATE_SECRET in the environment. examples/README.md lists the other arguments and variables.
//! The standard library has no TLS, so curl sends; your own program can use reqwest, and the
//! crates hmac, sha2 and base64 in place of digest.rs.
mod digest;

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::process::{exit, Command};
use std::{env, fs, time::SystemTime};

/// The canonical string and the signature header's value for method, target, timestamp and nonce.
pub fn sign(secret: &str, parts: [&str; 4], body: &str) -> (String, String) {
    let body_sha256 = digest::hex(&digest::sha256(body.as_bytes()));
    let canonical = format!("v1\n{}\n{body_sha256}", parts.join("\n"));
    let mac = digest::hmac_sha256(secret.as_bytes(), canonical.as_bytes());
    (canonical, format!("v1={}", digest::base64(&mac)))
}

fn main() {
    let print = env::args().nth(1).is_some_and(|word| word == "--print");
    let given: Vec<String> = env::args().skip(if print { 2 } else { 1 }).collect();
    let [method, target, body @ ..] = &given[..] else {
        eprintln!("usage: sign [--print] METHOD TARGET [BODY | @FILE]");
        exit(2)
    };
    let body = body.first().map_or("", String::as_str);
    let body = match body.strip_prefix('@') {
        Some(path) => fs::read_to_string(path).expect("the body's file"),
        None => body.to_string(),
    };
    let set = |name: &str, otherwise: &str| env::var(name).unwrap_or(otherwise.to_string());
    let need = |name: &str| env::var(name).unwrap_or_else(|_| panic!("set {}", name));
    // Timestamp and nonce are valid for one request: a retry needs new ones.
    let since = SystemTime::UNIX_EPOCH.elapsed().expect("a clock after 1970");
    let timestamp = set("PROPGATE_TIMESTAMP", &since.as_millis().to_string());
    let random = || RandomState::new().build_hasher().finish();
    let nonce = set("PROPGATE_NONCE", &format!("{:016x}{:016x}", random(), random()));
    let parts: [&str; 4] = [method, target, &timestamp, &nonce];
    let (canonical, signature) = sign(&need("PROPGATE_SECRET"), parts, &body);
    if print {
        return println!("{canonical}\n---\n{signature}");
    }
    let brand = set("PROPGATE_BRAND", "Service");
    let mut curl = Command::new("curl");
    curl.args(["-sS", "-w", "\n", "--globoff", "--path-as-is", "-X", method]);
    let id = need("PROPGATE_KEY_ID");
    let values =
        [("Key-Id", id), ("Timestamp", timestamp), ("Nonce", nonce), ("Signature", signature)];
    for (name, value) in values {
        curl.args(["-H", &format!("X-{brand}-{name}: {value}")]);
    }
    if !body.is_empty() {
        curl.args(["-H", "Content-Type: application/json", "--data-raw", &body]);
    }
    let sent = curl.arg(set("PROPGATE_BASE_URL", "http://127.0.0.1:8787") + target).status();
    exit(sent.ok().and_then(|status| status.code()).unwrap_or(1))
}
