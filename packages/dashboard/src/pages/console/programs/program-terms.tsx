import { Facts } from "../../../parts/figure.tsx";
import { type TermGroup, termGroups } from "./term-rows.ts";

/** The terms of a program version, under the names of its document. */
export function ProgramTerms({ program }: { readonly program: unknown }) {
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
      {termGroups(program).map((group) => (
        <section key={group.title} className="min-w-0" aria-label={group.title}>
          <h3 className="mb-2 font-mono text-xs font-semibold">{group.title}</h3>
          <Group group={group} />
        </section>
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: TermGroup }) {
  if (group.kind === "rows") {
    return <Facts rows={group.rows.map(({ path, text }) => [path, text] as const)} />;
  }
  return (
    <section className="overflow-x-auto" aria-label={`${group.title}, a table`} tabIndex={0}>
      <table className="figure w-full border-collapse text-right">
        <thead>
          <tr className="text-xs text-muted">
            <td />
            {group.columns.map((name) => (
              <th key={name} scope="col" className="border-b border-line px-2 py-1 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {group.rows.map(({ name, cells }) => (
            <tr key={name}>
              <th
                scope="row"
                className="border-b border-line px-2 py-1 text-left font-normal text-muted"
              >
                {name}
              </th>
              {cells.map((text, index) => (
                <td key={group.columns[index]} className="border-b border-line px-2 py-1">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
