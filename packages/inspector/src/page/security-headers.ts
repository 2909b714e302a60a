/** The headers of every answer. `frames` are the origins that views of servers are shown from. */
export function securityHeaders(frames: readonly string[] = []): { [name: string]: string } {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    // Text of a server can never become markup, not even by a mistake in the page.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
    'Cache-Control': 'no-store',
  }
}
