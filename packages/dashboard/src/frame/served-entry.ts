import { queryOptions } from "@tanstack/react-query";

/** The script that started this page. Its name contains a hash of its content. */
function ownEntry(): string | null {
  return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

/**
 * The script that the service starts pages with now. If it is not this page's own, a new version
 * was installed. @throws when the service cannot be reached
 */
async function servedEntry(signal: AbortSignal): Promise<string> {
  const response = await fetch("/", { cache: "no-store", signal });
  const [, entry] = /<script[^>]*\ssrc="([^"]+)"/.exec(await response.text()) ?? [];
  if (!response.ok || entry === undefined) throw new Error("The service cannot be reached.");
  return entry;
}

const LOOK_MS = 10 * 60 * 1000;

/** True when the service has a different version of the pages than the one shown. */
export const entryQuery = queryOptions({
  queryKey: ["served-entry"],
  queryFn: async ({ signal }) => (await servedEntry(signal)) !== ownEntry(),
  initialData: false,
  staleTime: LOOK_MS,
  refetchInterval: LOOK_MS,
  retry: false,
});

/** @throws when the service cannot be reached */
export async function isNewVersion(): Promise<boolean> {
  return (await servedEntry(AbortSignal.timeout(5_000))) !== ownEntry();
}
