/** Keys that clients and other issuers sign with. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'

interface TestKey {
  kid: string
  privateKey: CryptoKey
  /** The public half. */
  jwk: JWK
}

export async function signingKey(kid: string): Promise<TestKey> {
  const alg = 'ES256'
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
