/**
 * Checks the address of a PostgreSQL database: a URL in the form of libpq. Any other form is refused, and so is an
 * `sslmode` that may silently go on without encryption. The address may contain a password, so no problem repeats a
 * part of it.
 */

/** The modes of libpq in which a connection is always encrypted or never encrypted. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];
const WRONG_START_TEXT = "must start with postgres:// or postgresql://";
const ENCODING_ADVICE = "write # / ? @ % and : of a password as %23 %2F %3F %40 %25 and %3A";

/** Why the text is not a usable address, in words that follow the name of its setting; null when it is one. */
export function databaseAddressProblem(text: string): string | null {
  if (/^["'`]/.test(text)) return "has quotes around it; remove them";
  if (/^jdbc:/i.test(text)) return `${WRONG_START_TEXT}, without jdbc:`;
  if (/^\w+ *=/.test(text)) return `${WRONG_START_TEXT}; it is a list of name=value, not a URL`;
  if (!/^postgres(ql)?:\/\/.+/.test(text)) return WRONG_START_TEXT;
  const url = parseDatabaseAddress(text);
  if (url === null) {
    return /^[^/]*\/\/[^/?#]*,/.test(text)
      ? "names several hosts; name one that follows the primary"
      : `cannot be read; ${ENCODING_ADVICE}`;
  }
  // When a special character of the password is not encoded, the address ends within the password: the parsed URL then
  // has no user.
  const isCut = url.username === "" && text.includes("@");
  if (isCut || url.hash !== "" || !isEncoded(url)) return `cannot be read; ${ENCODING_ADVICE}`;
  return sslProblem(url.searchParams);
}

/**
 * The address as a URL; null for a text that cannot be one. An address may have a user without a host, when its
 * parameter `host` is the folder of a socket; then the host becomes `localhost`.
 */
export function parseDatabaseAddress(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
}

function isEncoded({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function sslProblem(parameters: URLSearchParams): string | null {
  if (parameters.has("ssl"))
    return "has ssl, which libpq does not know; write sslmode=require or verify-full";
  const mode = parameters.get("sslmode");
  if (mode === null) return null;
  if (mode === "prefer" || mode === "allow") {
    return `has sslmode=${mode}, which may go on without encryption; write sslmode=require or sslmode=disable`;
  }
  if (!SSL_MODES.includes(mode))
    return `has an unknown sslmode; it is one of ${SSL_MODES.join(", ")}`;
  const needsRoot = mode === "verify-ca" && !parameters.has("sslrootcert");
  return needsRoot ? "has sslmode=verify-ca without sslrootcert, the file of the authority" : null;
}
