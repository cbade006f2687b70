import { queryOptions } from "@tanstack/react-query";

/**
 * The path of the script that started these pages. Its name contains a hash of its content. Null when it cannot be
 * found.
 */
function ownEntry(): string | null {
  return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

/**
 * The path of the start script that the service serves at present. When it differs from `ownEntry`, a new version was
 * installed. @throws when the service cannot be reached
 */
async function servedEntry(signal: AbortSignal): Promise<string> {
  const response = await fetch("/", { cache: "no-store", signal });
  const [, entry] = /<script[^>]*\ssrc="([^"]+)"/.exec(await response.text()) ?? [];
  if (!response.ok || entry === undefined) throw new Error("The service cannot be reached.");
  return entry;
}

const CHECK_EVERY_MS = 10 * 60 * 1000;

/** True when the service has another version of the pages than the one that is shown. */
export const entryQuery = queryOptions({
  queryKey: ["served-entry"],
  queryFn: async ({ signal }) => (await servedEntry(signal)) !== ownEntry(),
  initialData: false,
  staleTime: CHECK_EVERY_MS,
  refetchInterval: CHECK_EVERY_MS,
  retry: false,
});

/**
 * Checks immediately whether the service has another version of the pages. @throws when the service cannot be reached
 */
export async function isNewVersion(): Promise<boolean> {
  return (await servedEntry(AbortSignal.timeout(5_000))) !== ownEntry();
}
