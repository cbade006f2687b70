import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../api/session.ts";
import { Frame } from "../frame/frame.tsx";
import { Snippet } from "../parts/copy.tsx";
import { Empty } from "../parts/notice.tsx";

/** An owner without any account yet. */
export function NoAccountPage() {
  const session = useQuery(sessionQuery).data ?? null;
  const owner = session?.person.ownerId ?? "";
  return (
    <Frame session={session} pages={[]}>
      <Empty title="No account yet">
        <p className="mb-3">Your firm opens accounts. Whoever runs this service does it with</p>
        <Snippet
          label="Command that opens an account"
          text={`npm run propgate -- operator account create --size 100000 --owner ${owner}`}
        />
      </Empty>
    </Frame>
  );
}
