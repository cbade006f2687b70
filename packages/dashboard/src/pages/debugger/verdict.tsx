import type { Diagnosis } from "@propgate/sdk";
import { Badge, Notice } from "../../parts/notice.tsx";

/** The result of the search for mistakes: each mistake with its fix, or a note that the signature is right. */
export function Verdict({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { verdict, findings } = diagnosis;
  if (verdict === "valid") {
    return (
      <Notice kind="ok">
        <strong>The signature is right.</strong> If the service still rejects the request, the key
        was revoked or has expired, the key belongs to another service, or the nonce was used
        before.
      </Notice>
    );
  }
  return (
    <Notice kind={verdict === "wrong" ? "danger" : "warn"}>
      <strong>{verdict === "wrong" ? "Mistake found." : "No known mistake explains it."}</strong>
      <ul className="mt-2 flex flex-col gap-3">
        {findings.map(({ part, problem, fix }) => (
          <li key={`${part} ${problem}`}>
            <p className="wrap-anywhere">
              <Badge kind="danger">{part}</Badge> {problem}
            </p>
            <p className="mt-0.5 text-muted">{fix}</p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
