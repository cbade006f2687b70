import { createHmac } from "node:crypto";
import { bodyLineVariants } from "./body-variants.ts";
import {
  methodVariants,
  nonceVariants,
  targetVariants,
  timestampVariants,
} from "./line-variants.ts";
import type { Finding, Sent } from "./sent.ts";
import {
  type Encoding,
  encodingVariants,
  type Join,
  joinVariants,
  secretVariants,
} from "./signature-variants.ts";
import type { Variant } from "./variant.ts";

/** How one signature may have been made. */
interface Recipe {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyLine: string;
  readonly join: Join;
  readonly secret: string | Uint8Array;
  readonly encoding: Encoding;
}

/** One part of the recipe with another value in it. */
interface Change {
  readonly part: keyof Recipe;
  readonly apply: (recipe: Recipe) => Recipe;
  readonly finding: Finding;
}

/**
 * Finds how the signature that was sent came about: an HMAC tells nothing about its input, so every
 * known mistake is made on purpose, then every two and three together, until one gives that signature.
 * Returns the fewest findings that explain it, [] for a right signature, null when none does.
 */
export function explainSignature(sent: Sent, secret: string): readonly Finding[] | null {
  const right: Recipe = {
    method: sent.method.toUpperCase(),
    target: sent.target,
    timestamp: sent.timestamp,
    nonce: sent.nonce,
    bodyLine: bodyLineVariants(sent.body)[0]?.value ?? "",
    join: (parts) => parts.join("\n"),
    secret,
    encoding: (digest) => `v1=${digest.toString("base64")}`,
  };
  if (signatureOf(right) === sent.signature) return [];
  const changes = allChanges(sent, secret);
  // The many nearly right timestamps are worth a pair with another mistake, not more.
  const few = changes.filter((change) => !change.finding.problem.includes("taken twice"));
  for (const [choices, depth] of [
    [changes, 1],
    [changes, 2],
    [few, 3],
  ] as const) {
    const found = search({ sent, choices }, right, depth);
    if (found !== null) return found;
  }
  return null;
}

export function signatureOf(recipe: Recipe): string {
  const { method, target, timestamp, nonce, bodyLine } = recipe;
  const message = recipe.join(["v1", method, target, timestamp, nonce, bodyLine]);
  return recipe.encoding(createHmac("sha256", recipe.secret).update(message).digest());
}

interface Space {
  readonly sent: Sent;
  readonly choices: readonly Change[];
}

/** Tries every set of `depth` changes to different parts. */
function search(space: Space, recipe: Recipe, depth: number): readonly Finding[] | null {
  for (const [index, change] of space.choices.entries()) {
    const changed = change.apply(recipe);
    if (depth === 1) {
      if (signatureOf(changed) === space.sent.signature) return [change.finding];
      continue;
    }
    const choices = space.choices.slice(index + 1).filter(({ part }) => part !== change.part);
    const rest = search({ sent: space.sent, choices }, changed, depth - 1);
    if (rest !== null) return [change.finding, ...rest];
  }
  return null;
}

function allChanges(sent: Sent, secret: string): readonly Change[] {
  return [
    ...changesOf("encoding", encodingVariants()),
    ...changesOf("method", methodVariants(sent)),
    ...changesOf("target", targetVariants(sent)),
    ...changesOf("nonce", nonceVariants(sent)),
    ...changesOf("bodyLine", bodyLineVariants(sent.body)),
    ...changesOf("join", joinVariants()),
    ...changesOf("secret", secretVariants(secret, sent.keyId)),
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
