import { base64Of, base64UrlOf, bytesOfBase64, bytesOfHex, hexOf, utf8Of } from "../byte-text.ts";
import type { Digests } from "../digests.ts";
import type { Part } from "./sent.ts";
import { distinctVariants, type Variant } from "./variant.ts";

/** Joins the six parts to the string that is signed. */
export type Join = (parts: readonly string[]) => string;

const joinLines: Join = (parts) => parts.join("\n");
const SIX_LINES = "Join the six parts by one newline (\\n) each, with none at the end.";

/** The ways in which a client may have joined the parts to the string that it signed. */
export function joinVariants(): readonly Variant<Join>[] {
  return distinctVariants(joinLines, [
    joinVariant((parts) => `${parts.join("\n")}\n`, "it was signed with a newline at its end"),
    joinVariant((parts) => parts.join("\\n"), "its parts were joined by a backslash and an n"),
    joinVariant((parts) => parts.join("\r\n"), "its lines were ended by CRLF"),
    joinVariant((parts) => parts.join(""), "its parts were joined by nothing"),
    joinVariant((parts) => parts.join(" "), "its parts were joined by spaces"),
    joinVariant((parts) => parts.join("."), "its parts were joined by dots"),
    joinVariant((parts) => parts.join(":"), "its parts were joined by colons"),
    joinVariant((parts) => parts.join("|"), "its parts were joined by bars"),
    joinVariant((parts) => parts.slice(1).join("\n"), "its first line, v1, is missing"),
    joinVariant(
      (parts) => parts.slice(0, -1).join("\n"),
      "its last line, the body's hash, is missing",
    ),
    joinVariant(swapParts(3, 4), "the timestamp and the nonce changed places"),
    joinVariant(swapParts(1, 2), "the method and the target changed places"),
  ]);
}

function swapParts(left: number, other: number): Join {
  return (parts) => {
    const order = parts.map((_, index) => {
      if (index === left) return other;
      return index === other ? left : index;
    });
    return order.map((index) => parts[index] ?? "").join("\n");
  };
}

function joinVariant(value: Join, problem: string): Variant<Join> {
  return { value, finding: { part: "canonical string", problem, fix: SIX_LINES } };
}

const USE_THE_TEXT = "Use the secret as it was shown, as UTF-8 text, with nothing around it.";

/** Keys that a client may have used for the HMAC instead of the secret. */
export async function secretVariants(
  { secret, keyId }: { readonly secret: string; readonly keyId: string | null },
  digests: Digests,
): Promise<readonly Variant<Uint8Array>[]> {
  const trimmed = secret.trim();
  const [prefix = ""] = /^propgate_sk_/.exec(trimmed) ?? [];
  const bare = trimmed.slice(prefix.length);
  const hashed = await digests.sha256(utf8Of(secret));
  const guesses: (readonly [string | Uint8Array, string])[] = [
    [trimmed, "it was used without its surrounding white space"],
    [`${secret}\n`, "it was used with a newline at its end"],
    [`"${secret}"`, "it was used with quotes around it"],
    [bare, `it was used without its ${prefix}`],
    [bytesOfBase64(trimmed), "it was decoded as base64 before use"],
    [bytesOfBase64(bare), "it was decoded as base64 before use"],
    [bytesOfHex(trimmed), "it was decoded as hex before use"],
    [hexOf(hashed), "its SHA-256 was used"],
    [hashed, "its SHA-256 was used"],
    ["", "an empty secret was used"],
  ];
  if (keyId !== null) guesses.push([keyId, "the key id was used as the secret"]);
  return distinctVariants<Uint8Array>(
    utf8Of(secret),
    guesses.map(([value, problem]) => ({
      value: typeof value === "string" ? utf8Of(value) : value,
      finding: { part: SECRET, problem, fix: USE_THE_TEXT },
    })),
  );
}

const SECRET: Part = "secret";

/** Writes the digest as the value of the signature header. */
export type Encoding = (digest: Uint8Array) => string;

const V1_BASE64 = "Send v1= and the digest's 32 bytes in base64: 44 characters that end in =.";

/** The ways in which a client may have written the digest into the signature header. */
export function encodingVariants(): readonly Variant<Encoding>[] {
  return distinctVariants<Encoding>(
    (digest) => `v1=${base64Of(digest)}`,
    [
      encodingVariant((digest) => base64Of(digest), "the v1= before it is missing"),
      encodingVariant((digest) => `v1=${hexOf(digest)}`, "it is hex instead of base64"),
      encodingVariant((digest) => hexOf(digest), "it is hex, and the v1= is missing"),
      encodingVariant((digest) => `v1=${base64UrlOf(digest)}`, "it is base64url, not base64"),
      encodingVariant(
        (digest) => `v1=${base64Of(digest).replace(/=+$/, "")}`,
        "the = at its end is missing",
      ),
      encodingVariant(
        (digest) => `v1=${btoa(hexOf(digest))}`,
        "it is the base64 of the hex text, not of the digest's bytes",
      ),
      encodingVariant((digest) => `v1:${base64Of(digest)}`, "it starts with v1: instead of v1="),
      encodingVariant((digest) => `V1=${base64Of(digest)}`, "it starts with V1= in upper case"),
      encodingVariant((digest) => `v1=${base64Of(digest)}\n`, "it has a newline at its end"),
    ],
  );
}

function encodingVariant(value: Encoding, problem: string): Variant<Encoding> {
  return { value, finding: { part: "signature", problem, fix: V1_BASE64 } };
}
