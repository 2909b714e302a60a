import type { JsonSchema } from '@tenon/sdk/server'

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 16_384 }
const url: JsonSchema = { type: 'string', pattern: '^https?://[^#\\s]+$', maxLength: 2_048 }
const scopes: JsonSchema = {
  type: 'array',
  items: { type: 'string', pattern: '^[!#-\\[\\]-~]+$', maxLength: 256 },
  uniqueItems: true,
  maxItems: 100,
}
const texts = (pattern: string): JsonSchema => ({
  type: 'object',
  propertyNames: { pattern },
  additionalProperties: text,
  maxProperties: 100,
})
const headerName = "^[\\w!#$%&'*+.^`|~-]+$"
const variableName = '^[A-Za-z_]\\w*$'

const kind = (
  type: string,
  description: string,
  properties: { [name: string]: JsonSchema },
  required: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  description,
  properties: { type: { const: type }, ...properties },
  required: ['type', ...required],
  additionalProperties: false,
})

const client: JsonSchema = {
  type: 'object',
  description: 'The gateway, as the authorization server knows it.',
  properties: {
    id: text,
    secret: text,
    privateKey: { ...text, description: 'PKCS#8 in PEM: signs assertions instead of sending a secret.' },
    algorithm: { ...text, description: 'Of the private key. Default ES256.' },
    method: { enum: ['client_secret_basic', 'client_secret_post'] },
  },
  required: ['id'],
  additionalProperties: false,
}

/** The place and the form of a token at the upstream. */
const place: { [name: string]: JsonSchema } = {
  header: {
    type: 'string',
    pattern: headerName,
    description: 'The header of the token. Default: Authorization, with `Bearer`.',
  },
  env: { type: 'string', pattern: variableName, description: 'The variable of the token, for programs.' },
}

const tokens: { [name: string]: JsonSchema } = {
  issuer: {
    ...url,
    description: 'The authorization server. Default: the one that the metadata of the upstream names.',
  },
  tokenEndpoint: { ...url, description: 'For authorization servers without metadata.' },
  client,
  scopes,
  resource: {
    ...url,
    description: 'The resource of the token (RFC 8707). Default: as the metadata of the upstream says.',
  },
  ...place,
}

const subject: JsonSchema = {
  enum: ['caller', 'sign-in'],
  description:
    '`caller` exchanges the access token of the request, `sign-in` the id token of the sign-in of the person.',
}

/** The kinds of credentials by the value of `type`. */
export const credentialKinds: ReadonlyMap<string, JsonSchema> = new Map([
  ['none', kind('none', 'No credentials. The default.', {})],
  ['static', kind('static', 'The same for all callers.', { headers: texts(headerName), env: texts(variableName) })],
  [
    'client-credentials',
    kind('client-credentials', 'The gateway acts for itself (RFC 6749 section 4.4).', { ...tokens, audience: text }, [
      'client',
    ]),
  ],
  [
    'token-exchange',
    kind(
      'token-exchange',
      'The token of the caller is exchanged for one of the upstream (RFC 8693).',
      { ...tokens, audience: text, subject, requestedTokenType: text },
      ['client'],
    ),
  ],
  [
    'id-jag',
    kind(
      'id-jag',
      'The identity provider grants access to the upstream (identity assertion authorization grant).',
      {
        ...tokens,
        provider: {
          type: 'object',
          description: 'The identity provider of the caller.',
          properties: { issuer: url, tokenEndpoint: url, client },
          required: ['issuer', 'client'],
          additionalProperties: false,
        },
        subject,
      },
      ['client', 'provider'],
    ),
  ],
  [
    'account',
    kind('account', 'Each person connects an account of their own (authorization code with PKCE).', {
      ...tokens,
      authorizationEndpoint: { ...url, description: 'For authorization servers without metadata.' },
      title: { ...text, maxLength: 100, description: 'The name on the page. Default: the name of the upstream.' },
    }),
  ],
])

/** The JSON Schema of the section `credentials`: upstreams, and the credentials that each gets. */
export const credentialsSchema: JsonSchema = {
  type: 'object',
  maxProperties: 1_000,
  propertyNames: { type: 'string', pattern: '^[\\w.-]{1,100}$' },
  additionalProperties: { oneOf: [...credentialKinds.values()] },
}
