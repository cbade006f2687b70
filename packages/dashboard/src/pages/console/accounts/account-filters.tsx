import { ACCOUNT_STATUSES, OPERATOR_PHASES } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../parts/button.tsx";
import { Choice, Field } from "../../../parts/field.tsx";
import { programsQuery } from "../queries.ts";
import { type AccountFilter, accountFilterOf } from "./account-filter.ts";
import { phaseText } from "./account-line.tsx";

interface AccountFiltersProps {
  readonly filter: AccountFilter;
  readonly onChange: (filter: AccountFilter) => void;
}

const ALL = { value: "", text: "All" } as const;
const STATUSES = [ALL, ...ACCOUNT_STATUSES.map((value) => ({ value, text: value }))];
const PHASES = [ALL, ...OPERATOR_PHASES.map((value) => ({ value, text: phaseText(value) }))];

/** The filter of the list of accounts. Every choice is stored in the page's URL. */
export function AccountFilters({ filter, onChange }: AccountFiltersProps) {
  const programs = useQuery(programsQuery).data?.map(({ id }) => id) ?? [];
  const { program = "" } = filter;
  const known = programs.includes(program) || program === "" ? programs : [...programs, program];
  const set = (name: keyof AccountFilter, value: string | number): void =>
    onChange(accountFilterOf({ ...filter, [name]: value }));
  const { q: _q, order: _order, ...chosen } = filter;
  return (
    <form
      aria-label="Filter"
      className="grid grid-cols-2 items-end gap-3 px-4 pt-3 sm:grid-cols-3 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
      onSubmit={(event) => event.preventDefault()}
    >
      <Choice
        label="Status"
        value={filter.status ?? ""}
        options={STATUSES}
        onChange={(value) => set("status", value)}
      />
      <Choice
        label="Phase"
        value={filter.phase ?? ""}
        options={PHASES}
        onChange={(value) => set("phase", value)}
      />
      <Choice
        label="Program"
        value={program}
        options={[ALL, ...known.map((value) => ({ value, text: value }))]}
        onChange={(value) => set("program", value)}
      />
      <Field
        label="Limit used from, %"
        type="number"
        min={0}
        step="any"
        value={filter.used ?? ""}
        onChange={({ target }) => set("used", target.value === "" ? "" : target.valueAsNumber)}
      />
      <Field
        label="No order since, UTC"
        type="date"
        value={filter.idle ?? ""}
        onChange={(event) => set("idle", event.target.value)}
      />
      <Field
        label="Ended since, UTC"
        type="date"
        value={filter.ended ?? ""}
        onChange={(event) => set("ended", event.target.value)}
      />
      <Button
        className="min-h-9"
        onClick={() => onChange(accountFilterOf({ q: filter.q, order: filter.order }))}
        disabled={Object.keys(chosen).length === 0}
      >
        Show all
      </Button>
    </form>
  );
}
