import type { JsonSchema } from '@tenon/sdk/server'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 4_096 }
const url: JsonSchema = { type: 'string', pattern: '^https?://[^?#|\\s]+$', maxLength: 2_048 }
const list = (items: JsonSchema, more: object = {}): JsonSchema => ({
  type: 'array',
  items,
  uniqueItems: true,
  maxItems: 1_000,
  ...more,
})
const scopes = list({ type: 'string', pattern: '^[!#-\\[\\]-~]+$', maxLength: 256 })
const name: JsonSchema = { type: 'string', pattern: '^[\\w.@-]+$', maxLength: 100 }
const header: JsonSchema = { type: 'string', pattern: "^[\\w!#$%&'*+.^`|~-]+$", maxLength: 100 }
const closed = (properties: { [name: string]: JsonSchema }, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})
const secret: JsonSchema = {
  ...text,
  description: `A secret: \${env:NAME}, \${file:PATH} or \${keychain:NAME}, also inside a longer text.`,
}

const issuer = closed(
  {
    issuer: { ...url, description: 'The issuer, exactly as its tokens name it in `iss`.' },
    jwksUri: url,
    algorithms: list(text),
    typ: text,
    introspection: closed({ endpoint: url, clientId: text, clientSecret: secret }, [
      'endpoint',
      'clientId',
      'clientSecret',
    ]),
  },
  ['issuer'],
)

const key = closed(
  {
    name: { ...name, description: 'The caller is called `key:NAME`.' },
    hash: {
      type: 'string',
      pattern: '^sha256:[\\w-]{43}$',
      description: 'The hash of the key, as it was printed when the key was made. The key itself is kept nowhere.',
    },
    scopes,
    groups: list(text),
    expires: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T[\\d:.]+Z)?$',
      description: 'A day or a time in UTC.',
    },
  },
  ['name', 'hash'],
)

const proxy = closed(
  {
    addresses: list(
      { type: 'string', pattern: '^[\\da-fA-F.:]+(?:/\\d{1,3})?$' },
      { minItems: 1, description: 'The addresses of the proxy, or networks such as 10.0.0.0/24.' },
    ),
    header: { ...header, description: 'Has the name of the verified client certificate.' },
    verified: closed({ header, value: text }, ['header', 'value']),
    scopes,
    groups: list(text),
  },
  ['addresses', 'header'],
)

const provider = closed(
  { issuer: url, clientId: text, clientSecret: secret, scopes, authorizationEndpoint: url, tokenEndpoint: url },
  ['issuer', 'clientId'],
)

const ownIssuer = closed({
  provider: { ...provider, description: 'The identity provider at which people sign in.' },
  users: list(closed({ subject: text, name: text, groups: list(text) }, ['subject']), {
    description: 'For development on this machine, instead of a provider: the page lets the person choose.',
  }),
  file: { ...text, description: 'Keeps keys, clients and grants across restarts.' },
})

/** The JSON Schema of the section `identity`. */
export const identitySchema: JsonSchema = closed({
  local: {
    type: 'boolean',
    description:
      'Admits everybody who connects from this machine, without credentials, as `local`. Default: only if nothing else is given.',
  },
  issuers: list({ anyOf: [url, issuer] }, { description: 'The issuers whose access tokens are accepted.' }),
  issuer: { ...ownIssuer, description: 'Runs an authorization server at /issuer, for hosts that need one.' },
  scopes: { ...scopes, description: 'Scopes that every token needs.' },
  audience: list(text, { description: 'Audiences that are accepted beside the URL of the virtual server.' }),
  groupsClaim: {
    ...text,
    description: 'The claim with the groups of a person. Dots lead into objects. Default `groups`.',
  },
  nameClaim: { ...text, description: 'The claim with the name of a person. Default: name, email, preferred_username.' },
  keys: list(key, { description: 'API keys of programs.' }),
  proxy: { ...proxy, description: 'A proxy that ends mutual TLS, and names the certificate in a header.' },
  servers: {
    type: 'object',
    maxProperties: 1_000,
    propertyNames: name,
    additionalProperties: closed({ scopes, groups: list(text) }),
    description: 'Requirements of single virtual servers: scopes of tokens, and groups of which a caller needs one.',
  },
  signIn: {
    ...provider,
    description: 'How people sign in to the page of their accounts. Default: by the issuer of the gateway.',
  },
  vault: closed({
    database: {
      ...text,
      description: 'A folder, or postgres://USER:PASSWORD@HOST/NAME. Default: a folder beside the configuration.',
    },
    key: {
      ...secret,
      description: '32 bytes as base64 or hex. Default: a file beside the folder, made at the first start.',
    },
    previousKeys: list(secret, { description: 'Keys that only open what they sealed.' }),
  }),
})
