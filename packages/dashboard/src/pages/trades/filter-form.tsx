import { Button } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/field.tsx";
import type { TradeFilter } from "./trade-filter.ts";

interface FilterFormProps {
  readonly filter: TradeFilter;
  readonly pairs: readonly string[];
  readonly onChange: (filter: TradeFilter) => void;
}

const ALL = { value: "", text: "All" } as const;

/** The filter of the trades. Every choice is stored in the page's URL. */
export function FilterForm({ filter, pairs, onChange }: FilterFormProps) {
  const set = (name: keyof TradeFilter, value: string): void => {
    const { [name]: _before, ...rest } = filter;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  const known =
    filter.pair === undefined || pairs.includes(filter.pair) ? pairs : [...pairs, filter.pair];
  return (
    <form
      aria-label="Filter"
      className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
      onSubmit={(event) => event.preventDefault()}
    >
      <Choice
        label="Pair"
        value={filter.pair ?? ""}
        options={[ALL, ...known.map((pair) => ({ value: pair, text: pair }))]}
        onChange={(value) => set("pair", value)}
      />
      <Choice
        label="Side"
        value={filter.side ?? ""}
        options={[ALL, { value: "LONG", text: "LONG" }, { value: "SHORT", text: "SHORT" }]}
        onChange={(value) => set("side", value)}
      />
      <Choice
        label="Result"
        value={filter.result ?? ""}
        options={[ALL, { value: "win", text: "Won" }, { value: "loss", text: "Lost" }]}
        onChange={(value) => set("result", value)}
      />
      <Choice
        label="Status"
        value={filter.status ?? ""}
        options={[
          ALL,
          { value: "CLOSED", text: "CLOSED" },
          { value: "LIQUIDATED", text: "LIQUIDATED" },
        ]}
        onChange={(value) => set("status", value)}
      />
      <Field
        label="Closed from, UTC"
        type="date"
        value={filter.from ?? ""}
        onChange={(event) => set("from", event.target.value)}
      />
      <Field
        label="Closed to, UTC"
        type="date"
        value={filter.to ?? ""}
        onChange={(event) => set("to", event.target.value)}
      />
      <Button
        className="min-h-9"
        onClick={() => onChange({})}
        disabled={Object.keys(filter).length === 0}
      >
        Show all
      </Button>
    </form>
  );
}
