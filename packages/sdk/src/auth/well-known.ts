/** A URL at the same origin. */
const at = (origin: URL, path: string): URL => new URL(path, origin.origin)

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')

/**
 * The well-known URLs of a server's metadata (auth.prm.client-well-known-order): for its path first, then for the
 * origin.
 */
export function resourceMetadataUrls(server: URL): URL[] {
  const path = withoutSlash(server.pathname)
  const root = at(server, '/.well-known/oauth-protected-resource')
  return path === '' ? [root] : [at(server, `/.well-known/oauth-protected-resource${path}`), root]
}

/** The well-known URLs of an authorization server (auth.asmeta.order-with-path, auth.asmeta.order-without-path). */
export function issuerMetadataUrls(issuer: URL): URL[] {
  const path = withoutSlash(issuer.pathname)
  const urls = [
    at(issuer, `/.well-known/oauth-authorization-server${path}`),
    at(issuer, `/.well-known/openid-configuration${path}`),
  ]
  return path === '' ? urls : [...urls, at(issuer, `${path}/.well-known/openid-configuration`)]
}

/** Whether the metadata of a resource is about the server: the same origin, and its path or one above it. */
export function coversServer(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, search, hash } = new URL(resource)
  if (origin !== server.origin || hash !== '' || resource.includes('#')) return false
  if (search !== '' && search !== server.search) return false
  return `${withoutSlash(server.pathname)}/`.startsWith(`${withoutSlash(pathname)}/`)
}
