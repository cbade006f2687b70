import { CANONICAL_PARTS, type CanonicalPart } from "@propgate/contract";
import type { Seen } from "@propgate/sdk";
import type { ReactNode } from "react";
import { characterText, firstDifference, visibleText } from "./difference.ts";

const NAMES: Readonly<Record<CanonicalPart, string>> = {
  version: "version",
  method: "method",
  target: "target",
  timestamp: "timestamp",
  nonce: "nonce",
  bodySha256: "body SHA-256",
};

interface CanonicalLinesProps {
  /** The canonical string that the client should have signed. */
  readonly canonical: string;
  /** The canonical string that the client built; null when it is unknown. */
  readonly signedCanonical: string | null;
  readonly seen: Seen;
}

/**
 * The six lines that should have been signed. Where the client's or the service's version of a line is known, it is
 * shown beside the line.
 */
export function CanonicalLines({ canonical, signedCanonical, seen }: CanonicalLinesProps) {
  const lines = canonical.split("\n");
  const signed = signedCanonical?.split("\n") ?? [];
  return (
    <>
      {signedCanonical !== null && (
        <FirstByte name="What your client signed" left={canonical} right={signedCanonical} />
      )}
      <ol className="mt-2 divide-y divide-line rounded-box border border-line">
        {CANONICAL_PARTS.map((part, index) => (
          <li key={part} className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[8rem_1fr]">
            <span className="text-xs text-muted">
              {index + 1}. {NAMES[part]}
            </span>
            <Line
              expected={lines[index] ?? ""}
              others={otherVersionsOf(part, { seen, signed: signed[index] ?? null })}
            />
          </li>
        ))}
        {signed.length > CANONICAL_PARTS.length && (
          <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[8rem_1fr]">
            <span className="text-xs text-danger">Extra lines</span>
            <Mono>{tooMany(signed)}</Mono>
          </li>
        )}
      </ol>
    </>
  );
}

function tooMany(signed: readonly string[]): string {
  const rest = signed.slice(CANONICAL_PARTS.length).join("\n");
  return rest === "" ? "a newline at the end" : visibleText(rest);
}

interface Other {
  readonly by: string;
  readonly text: string;
}

function otherVersionsOf(
  part: CanonicalPart,
  known: { readonly seen: Seen; readonly signed: string | null },
): readonly Other[] {
  const { target, bodySha256 } = known.seen;
  const seen = part === "target" ? target : part === "bodySha256" ? bodySha256 : null;
  return [
    ...(seen === null ? [] : [{ by: "The service saw", text: seen }]),
    ...(known.signed === null ? [] : [{ by: "Your client signed", text: known.signed }]),
  ];
}

function Line({
  expected,
  others,
}: {
  readonly expected: string;
  readonly others: readonly Other[];
}) {
  return (
    <div className="min-w-0">
      <Mono>{visibleText(expected)}</Mono>
      {others.map(({ by, text }) => (
        <div key={by} className="mt-1">
          <span className="text-xs text-muted">{by} </span>
          {text === expected ? (
            <span className="text-xs text-gain">the same</span>
          ) : (
            <>
              <Marked text={text} against={expected} />
              <FirstByte name={by} left={expected} right={text} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}

function Mono({ children }: { readonly children: ReactNode }) {
  return <span className="block font-mono text-xs wrap-anywhere">{children}</span>;
}

/** The text with a mark at the first character that differs. */
function Marked({ text, against }: { readonly text: string; readonly against: string }) {
  const difference = firstDifference(against, text);
  if (difference === null) return <Mono>{visibleText(text)}</Mono>;
  const { unit, right } = difference;
  return (
    <Mono>
      {visibleText(text.slice(0, unit))}
      <mark className="rounded-xs bg-danger px-0.5 font-bold text-ground">
        {right === null ? "\u2205" : visibleText(right)}
      </mark>
      {visibleText(text.slice(unit + (right?.length ?? 0)))}
    </Mono>
  );
}

function FirstByte({
  name,
  left,
  right,
}: {
  readonly name: string;
  readonly left: string;
  readonly right: string;
}) {
  const difference = firstDifference(left, right);
  if (difference === null) return <p className="text-xs text-gain">{name}: the same.</p>;
  return (
    <p className="text-xs text-danger">
      {name}: byte {difference.byte} is the first difference. Expected{" "}
      {characterText(difference.left)}, found {characterText(difference.right)}.
    </p>
  );
}
