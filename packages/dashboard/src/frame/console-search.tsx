import { FOUND_MAX, type FoundView } from "@propgate/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useState } from "react";
import { readOperator } from "../api/operator.ts";

/** The minimum length of a search. A shorter one would find too much. */
const LETTERS_MIN = 2;

interface Hit {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly note: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/**
 * The search of the console. It finds accounts by id and owner, people by name, keys and payouts by id, and opens the
 * chosen result.
 */
export function ConsoleSearch() {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const sought = useDeferredValue(typed.trim());
  const isEnough = sought.length >= LETTERS_MIN;
  const found = useQuery({
    queryKey: ["console", "search", sought],
    queryFn: ({ signal }) => readOperator("search", { query: { q: sought }, signal }),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const hits = isEnough && found.data !== undefined ? hitsOf(found.data, sought) : [];
  // While the results of the typed text are loading, the results of an earlier text are shown.
  const isCurrent = !found.isPlaceholderData && sought === typed.trim();
  const isShown = isOpen && isEnough;
  const go = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    setOpen(false);
    setTyped("");
    void navigate({ to: hit.to, search: hit.search });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setOpen(false);
    if (event.key === "Enter" && isShown && isCurrent) go(hits[chosen]);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || hits.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + hits.length) % hits.length);
  };
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-expanded={isShown}
        aria-controls="console-found"
        aria-activedescendant={isShown && hits.length > 0 ? `found-${chosen}` : undefined}
        aria-label="Search accounts, people, keys and payouts"
        placeholder="Account, person, key, payout"
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="min-h-8 w-full rounded-box border border-line bg-panel px-3"
      />
      <div
        id="console-found"
        role="listbox"
        aria-label="Search results"
        hidden={!isShown}
        className="absolute inset-x-0 top-full z-50 mt-1 max-h-96 min-w-72 overflow-y-auto rounded-box border border-line bg-panel p-1 shadow-xl"
      >
        {hits.map((hit, index) => (
          <HitLine
            key={hit.key}
            hit={hit}
            id={`found-${index}`}
            chosen={index === chosen}
            go={go}
          />
        ))}
        {hits.length === 0 && (
          <ResultNote>
            {found.error?.message ?? (found.isFetching ? "Searching…" : "No result.")}
          </ResultNote>
        )}
        {hits.length > 0 && mayHaveMore(found.data?.keys, found.data?.payouts) && (
          <ResultNote>
            Only the first {FOUND_MAX} keys and payouts are listed. Type more of the id.
          </ResultNote>
        )}
      </div>
    </>
  );
}

/** A row in the list of results that cannot be chosen, such as a note. */
function ResultNote({ children }: { readonly children: ReactNode }) {
  return (
    <div
      role="option"
      tabIndex={-1}
      aria-selected="false"
      aria-disabled="true"
      className="p-2 text-muted"
    >
      {children}
    </div>
  );
}

/** True when a list has the maximum number of matches of an answer, so that there may be more matches. */
function mayHaveMore(...lists: readonly (readonly unknown[] | undefined)[]): boolean {
  return lists.some((list = []) => list.length >= FOUND_MAX);
}

/** The row that opens the page with all matches of a kind; an empty list when every match is already listed. */
function allOf(name: "accounts" | "people", listed: readonly unknown[], q: string): readonly Hit[] {
  if (!mayHaveMore(listed)) return [];
  const note = `The first ${FOUND_MAX} are listed.`;
  return [
    {
      key: name,
      kind: name,
      text: `All matching ${name}`,
      note,
      to: `/console/${name}`,
      search: { q },
    },
  ];
}

function HitLine({
  hit,
  id,
  chosen,
  go,
}: {
  readonly hit: Hit;
  readonly id: string;
  readonly chosen: boolean;
  readonly go: (hit: Hit) => void;
}) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      // The `blur` of the field closes the list before a `click` would arrive. `pointerdown` comes before `blur`.
      onPointerDown={(event) => {
        event.preventDefault();
        go(hit);
      }}
      className="cursor-pointer rounded-box px-2 py-1.5 hover:bg-raised aria-selected:bg-raised"
    >
      <span className="flex justify-between gap-3">
        <span className="min-w-0 truncate">{hit.text}</span>
        <span className="text-xs text-muted">{hit.kind}</span>
      </span>
      <span className="block truncate text-xs text-muted">{hit.note}</span>
    </div>
  );
}

function hitsOf({ accounts, people, keys, payouts }: FoundView, q: string): readonly Hit[] {
  return [
    ...accounts.map(({ accountId, ownerId, status }) => ({
      key: accountId,
      kind: "account",
      text: accountId,
      note: `of ${ownerId}, ${status}`,
      to: "/console/accounts",
      search: { q: accountId },
    })),
    ...allOf("accounts", accounts, q),
    ...people.map(({ personId, name, role }) => ({
      key: personId,
      kind: "person",
      text: name,
      note: role,
      to: "/console/people",
      search: { q: name },
    })),
    ...allOf("people", people, q),
    ...keys.map(({ keyId, accountId, label }) => ({
      key: keyId,
      kind: "key",
      text: keyId,
      note: label === "" ? `of ${accountId}` : `${label}, of ${accountId}`,
      to: `/a/${accountId}/keys`,
      search: {},
    })),
    ...payouts.map(({ payoutId, accountId }) => ({
      key: payoutId,
      kind: "payout",
      text: payoutId,
      note: `of ${accountId}`,
      to: "/console/payouts",
      search: { payout: payoutId },
    })),
  ];
}
