import * as oauth from 'oauth4webapi'

/** The key that tokens are bound to (RFC 9449), and the nonces that servers want to see in proofs. */
export class DpopKey {
  readonly handle: oauth.DPoPHandle
  readonly thumbprint: string
  readonly #pair: oauth.CryptoKeyPair
  readonly #nonces = new Map<string, string>()

  constructor(pair: oauth.CryptoKeyPair, handle: oauth.DPoPHandle, thumbprint: string) {
    this.#pair = pair
    this.handle = handle
    this.thumbprint = thumbprint
  }

  /** The headers of a request to the resource: the token, and a proof made for this request. */
  async headers(method: string, url: URL, accessToken: string): Promise<{ [name: string]: string }> {
    return { Authorization: `DPoP ${accessToken}`, DPoP: await this.#proof(method, url, accessToken) }
  }

  /** Remembers the nonce of a reply. */
  remember({ origin }: URL, nonce: string): void {
    this.#nonces.set(origin, nonce)
  }

  async #proof(method: string, url: URL, accessToken: string): Promise<string> {
    const { SignJWT, exportJWK, base64url } = await import('jose')
    const { kty, crv, x, y, e, n } = await exportJWK(this.#pair.publicKey)
    const jwk = Object.fromEntries(Object.entries({ kty, crv, x, y, e, n }).filter(([, value]) => value !== undefined))
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
    const nonce = this.#nonces.get(url.origin)
    return new SignJWT({
      htm: method,
      htu: url.origin + url.pathname,
      ath: base64url.encode(new Uint8Array(hash)),
      ...(nonce !== undefined && { nonce }),
    })
      .setProtectedHeader({ alg: algorithmOf(this.#pair.privateKey), typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .sign(this.#pair.privateKey)
  }
}

/** A key that never leaves the process, or the given one. */
export async function dpopKey(given?: oauth.CryptoKeyPair): Promise<DpopKey> {
  const pair = given ?? (await oauth.generateKeyPair('ES256', { extractable: false }))
  const handle = oauth.DPoP({}, pair)
  return new DpopKey(pair, handle, await handle.calculateThumbprint())
}

function algorithmOf({ algorithm }: oauth.CryptoKey): string {
  const { name, namedCurve } = algorithm as EcKeyAlgorithm
  if (name === 'ECDSA') return namedCurve === 'P-384' ? 'ES384' : namedCurve === 'P-521' ? 'ES512' : 'ES256'
  if (name === 'Ed25519') return 'Ed25519'
  const { hash } = algorithm as RsaHashedKeyAlgorithm
  return `${name === 'RSA-PSS' ? 'PS' : 'RS'}${hash.name.slice(-3)}`
}
