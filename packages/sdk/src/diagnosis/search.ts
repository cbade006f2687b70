import { bytesOfBase64, bytesOfHex, sameBytes, utf8Of } from "../byte-text.ts";
import type { Digests, Mac } from "../digests.ts";
import { bodyLineVariants } from "./body-variants.ts";
import {
  methodVariants,
  nonceVariants,
  targetVariants,
  timestampVariants,
} from "./line-variants.ts";
import type { Finding, Sent } from "./sent.ts";
import { encodingVariants, type Join, joinVariants, secretVariants } from "./signature-variants.ts";
import type { Variant } from "./variant.ts";

/** One way in which the digest of a signature may have been made. */
interface Recipe {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyLine: string;
  readonly join: Join;
  readonly mac: Mac;
}

/** A change of one part of a recipe, and the mistake that it represents. */
interface Change {
  readonly part: keyof Recipe;
  readonly apply: (recipe: Recipe) => Recipe;
  readonly finding: Finding;
}

interface Attempt {
  readonly recipe: Recipe;
  readonly findings: readonly Finding[];
}

/**
 * A digest that the signature may encode. `finding` is the mistake of the encoding, null when the encoding is right.
 */
interface SignatureReading {
  readonly digest: Uint8Array;
  readonly finding: Finding | null;
}

/** How many signatures are computed concurrently: enough to keep WebCrypto busy, few enough for a responsive page. */
const BATCH_SIZE = 256;

/**
 * Finds how the signature of a request was made. An HMAC reveals no part of its input, so every known mistake is tried,
 * then every two and every three together, until one set gives that signature. Returns the findings of the set, [] for
 * a right signature, null when no set fits.
 */
export async function explainSignature(
  { sent, secret }: { readonly sent: Sent; readonly secret: string },
  digests: Digests,
): Promise<readonly Finding[] | null> {
  const readings = readingsOf(sent.signature);
  // No mistake in the signed parts explains a signature that does not encode a digest.
  if (readings.length === 0) return null;
  const body = await bodyLineVariants(sent.body, digests);
  const right: Recipe = {
    method: sent.method.toUpperCase(),
    target: sent.target,
    timestamp: sent.timestamp,
    nonce: sent.nonce,
    bodyLine: body[0]?.value ?? "",
    join: (parts) => parts.join("\n"),
    mac: await digests.hmac(utf8Of(secret)),
  };
  const changes = await allChanges({ sent, secret, body }, digests);
  // The timestamps that are off by a few milliseconds are too many for sets of three mistakes.
  const few = changes.filter((change) => !change.finding.problem.includes("read twice"));
  for (const [choices, depth] of [
    [changes, 0],
    [changes, 1],
    [changes, 2],
    [few, 3],
  ] as const) {
    const start = { recipe: right, findings: [] };
    const found = await findFirstMatch(attempts(start, choices, depth), readings);
    if (found !== null) return found;
  }
  return null;
}

function readingsOf(signature: string): readonly SignatureReading[] {
  const text = signature.trim().replace(/^v1[=:]/i, "");
  const inner = new TextDecoder().decode(bytesOfBase64(text));
  const digests = [bytesOfBase64(text), bytesOfHex(text), bytesOfHex(inner)];
  return digests.flatMap((digest) => {
    if (digest.length !== DIGEST_BYTES) return [];
    const written = encodingVariants().find(({ value }) => value(digest) === signature);
    return written === undefined ? [] : [{ digest, finding: written.finding }];
  });
}

const DIGEST_BYTES = 32;

/** Every set of `depth` changes to different parts of a recipe. */
function* attempts(
  from: Attempt,
  choices: readonly Change[],
  depth: number,
): Generator<Attempt, void> {
  if (depth === 0) {
    yield from;
    return;
  }
  for (const [index, change] of choices.entries()) {
    const changed = {
      recipe: change.apply(from.recipe),
      findings: [...from.findings, change.finding],
    };
    const rest = choices.slice(index + 1).filter(({ part }) => part !== change.part);
    yield* attempts(changed, rest, depth - 1);
  }
}

async function findFirstMatch(
  tried: Iterable<Attempt>,
  readings: readonly SignatureReading[],
): Promise<readonly Finding[] | null> {
  let batch: Attempt[] = [];
  for (const attempt of tried) {
    batch.push(attempt);
    if (batch.length < BATCH_SIZE) continue;
    const found = await findMatch(batch, readings);
    if (found !== null) return found;
    batch = [];
  }
  return findMatch(batch, readings);
}

async function findMatch(
  batch: readonly Attempt[],
  readings: readonly SignatureReading[],
): Promise<readonly Finding[] | null> {
  const digests = await Promise.all(batch.map(async ({ recipe }) => digestOf(recipe)));
  for (const [at, { findings }] of batch.entries()) {
    const reading = readings.find(({ digest }) => sameBytes(digest, digests[at]));
    if (reading === undefined) continue;
    return reading.finding === null ? findings : [reading.finding, ...findings];
  }
  return null;
}

function digestOf(recipe: Recipe): ReturnType<Mac> {
  const { method, target, timestamp, nonce, bodyLine } = recipe;
  return recipe.mac(utf8Of(recipe.join(["v1", method, target, timestamp, nonce, bodyLine])));
}

async function allChanges(
  given: {
    readonly sent: Sent;
    readonly secret: string;
    readonly body: readonly Variant<string>[];
  },
  digests: Digests,
): Promise<readonly Change[]> {
  const { sent, secret, body } = given;
  const secrets = await secretVariants({ secret, keyId: sent.keyId }, digests);
  const macs = secrets.map(async ({ value, finding }) => ({
    value: await digests.hmac(value),
    finding,
  }));
  return [
    ...changesOf("method", methodVariants(sent)),
    ...changesOf("target", targetVariants(sent)),
    ...changesOf("nonce", nonceVariants(sent)),
    ...changesOf("bodyLine", body),
    ...changesOf("join", joinVariants()),
    ...changesOf("mac", await Promise.all(macs)),
    ...changesOf("timestamp", timestampVariants(sent)),
  ];
}

function changesOf<Part extends keyof Recipe>(
  part: Part,
  options: readonly Variant<Recipe[Part]>[],
): readonly Change[] {
  return options.flatMap(({ value, finding }) =>
    finding === null ? [] : [{ part, apply: (recipe) => ({ ...recipe, [part]: value }), finding }],
  );
}
