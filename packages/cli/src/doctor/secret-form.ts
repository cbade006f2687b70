/** What shows in a secret that it was not copied whole; null when nothing does. */
export function secretProblems(secret: string): string | null {
  if (secret !== secret.trim()) return "the secret has white space around it";
  if (/^["'].*["']$/.test(secret)) return "the secret has quotes around it";
  if (secret.startsWith("pk_")) return "the secret is a key id: it begins with pk_";
  if (/^sk_/.test(secret) && secret.length !== SECRET_LENGTH) {
    return `the secret has ${secret.length} characters, and one of this service has ${SECRET_LENGTH}`;
  }
  return null;
}

/** `sk_` and 43. @rule D8.keys */
const SECRET_LENGTH = 46;
