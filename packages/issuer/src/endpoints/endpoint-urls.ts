import { metadataUrls } from '../upstream/issuer-metadata.ts'

export type EndpointName =
  | 'authorize'
  | 'token'
  | 'register'
  | 'revoke'
  | 'introspect'
  | 'jwks'
  | 'device_authorization'
  | 'device'
  | 'callback'

const names: readonly EndpointName[] = [
  ...(['authorize', 'token', 'register', 'revoke', 'introspect', 'jwks'] as const),
  ...(['device_authorization', 'device', 'callback'] as const),
]

/** The URLs of the endpoints, below the issuer, and of its metadata. */
export class Endpoints {
  readonly #base: string
  readonly #byPath = new Map<string, EndpointName | 'metadata'>()

  constructor(issuer: string) {
    this.#base = issuer.replace(/\/+$/, '')
    for (const name of names) this.#byPath.set(new URL(this.url(name)).pathname, name)
    for (const url of metadataUrls(issuer)) this.#byPath.set(new URL(url).pathname, 'metadata')
  }

  url(name: EndpointName): string {
    return `${this.#base}/${name}`
  }

  at(path: string): EndpointName | 'metadata' | undefined {
    return this.#byPath.get(path)
  }
}
