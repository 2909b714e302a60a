/** Failures before a request can have left: no address, no connection, or no trust in the other side. */
const unsentCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPROTO|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|UND_ERR_CONNECT)/
const unsentCalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/** Whether the error of a connection means that the server did not get the request. */
export function isUnsent(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const { code, syscall, name } = each as Error & { code?: unknown; syscall?: unknown }
    if (unsentCalls.has(syscall) || unsentCodes.test(String(code)) || name === 'ConnectTimeoutError') return true
  }
  return false
}
