import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { IssuerState } from '../state/state.ts'

export const signingAlgorithm = 'ES256'

interface SigningKey {
  kid: string
  key: CryptoKey
}

/** A private key to sign with, as it is kept. */
export async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: signingAlgorithm, use: 'sig' }
}

export async function importKey(jwk: JWK): Promise<SigningKey> {
  return { kid: jwk.kid!, key: (await importJWK(jwk, signingAlgorithm)) as CryptoKey }
}

/** The half of a key that everybody may see. */
const publicHalf = ({ kty, crv, x, y, kid, alg, use }: JWK): JWK => ({ kty, crv, x, y, kid, alg, use }) as JWK

/** Signs tokens. */
export class Keys {
  readonly #state: IssuerState
  #signer: SigningKey

  private constructor(state: IssuerState, signer: SigningKey) {
    this.#state = state
    this.#signer = signer
  }

  static async of(state: IssuerState): Promise<Keys> {
    if (state.keys.length === 0) {
      state.keys.push(await newKey())
      await state.save()
    }
    return new Keys(state, await importKey(state.keys.at(-1)!))
  }

  get published(): JWK[] {
    return this.#state.keys.map(publicHalf)
  }

  /** Signs with a new key from here on. Tokens of the last one stay good. */
  async rotate(): Promise<void> {
    const jwk = await newKey()
    this.#signer = await importKey(jwk)
    this.#state.keys.push(jwk)
    if (this.#state.keys.length > 2) this.#state.keys.shift()
    await this.#state.save()
  }

  sign(typ: string, claims: { [claim: string]: unknown }, { kid, key }: SigningKey = this.#signer): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: signingAlgorithm, kid, typ }).sign(key)
  }
}
