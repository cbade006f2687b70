/**
 * What every answer tells a browser: this is data and no page, nobody may frame it, guess its type,
 * keep it or learn where it was linked from. A page of our own would bring its own policy.
 */
export function securityHeaders(hstsMaxAgeSeconds = 0): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    // TLS is the proxy's in front, so only its operator knows whether there is any.
    ...(hstsMaxAgeSeconds > 0
      ? { "Strict-Transport-Security": `max-age=${hstsMaxAgeSeconds}` }
      : {}),
  };
}
