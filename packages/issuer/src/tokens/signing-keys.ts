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

/** Signs tokens. Another process may change the keys, so they are read each time. */
export class Keys {
  readonly #state: IssuerState
  /** The key that signed last. */
  #signer: SigningKey | undefined

  private constructor(state: IssuerState) {
    this.#state = state
  }

  static async of(state: IssuerState): Promise<Keys> {
    const keys = new Keys(state)
    await keys.#all()
    return keys
  }

  async published(): Promise<JWK[]> {
    return (await this.#all()).map(publicHalf)
  }

  /** Signs with a new key from here on. Tokens of the last one stay good. */
  async rotate(): Promise<void> {
    const jwk = await newKey()
    for (;;) {
      const held = await this.#state.keys.read('')
      if (held === undefined) return void (await this.#all())
      if (await this.#state.keys.replace('', [...held.value, jwk].slice(-2), held.version)) return
    }
  }

  async sign(typ: string, claims: { [claim: string]: unknown }, given?: SigningKey): Promise<string> {
    const { kid, key } = given ?? (await this.#current())
    return new SignJWT(claims).setProtectedHeader({ alg: signingAlgorithm, kid, typ }).sign(key)
  }

  async #current(): Promise<SigningKey> {
    const last = (await this.#all()).at(-1)!
    if (this.#signer?.kid !== last.kid) this.#signer = await importKey(last)
    return this.#signer!
  }

  /** Somebody may have emptied the store. */
  async #all(): Promise<JWK[]> {
    const keys = await this.#state.keys.get('')
    if (keys !== undefined) return keys
    await this.#state.keys.add('', [await newKey()])
    return this.#all()
  }
}
