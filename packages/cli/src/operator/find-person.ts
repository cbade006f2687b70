import type { OperatorPerson } from "@propgate/contract";
import { CliError, EXIT } from "../cli-error.ts";
import { type CallOperator, readEveryPage } from "../operator-client.ts";

/** Finds a person by name. Case does not count, as in the service. Throws CliError when there is none. */
export async function findPerson(call: CallOperator, name: string): Promise<OperatorPerson> {
  const wanted = nameKey(name);
  const people = await readEveryPage((page) =>
    call("people.list", { query: { ...page, q: name } }),
  );
  const found = people.find((person) => nameKey(person.name) === wanted);
  if (found !== undefined) return found;
  throw new CliError({
    message: `there is no person called ${name}`,
    fix: "List all people with: propgate operator people list",
    exitCode: EXIT.refused,
  });
}

function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
