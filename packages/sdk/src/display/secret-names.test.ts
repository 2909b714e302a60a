import { expect, test } from 'vitest'
import { isSecretName, isSecretSetting } from './secret-names.ts'

const secret = [
  ...['password', 'userPassword', 'DBPassword', 'DB_PWD', 'passwd', 'passphrase', 'dbPass', 'SMTP_PASS', 'PASSWORD2'],
  ...['API_KEY', 'apiKey', 'x-api-key', 'apikey', 'APIKey', 'api_keys', 'privateKey', 'awsAccessKeyId', 'sshKey'],
  ...['access_token', 'refreshToken', 'tokens', 'token1', 'accesstoken', 'GITHUB_PERSONAL_ACCESS_TOKEN', 'JWT'],
  ...['Authorization', 'proxy-authorization', 'set-cookie', 'Cookie', 'client-secret', 'clientsecret', 'secret_id'],
  ...['credentials', 'aws_creds', 'connectionString', 'passcode'],
]

const secretSettings = [
  ...[
    'KEY',
    'OPENAI_KEY',
    'AZURE_STORAGE_KEY',
    '--key',
    'sig',
    'X-Auth',
    'GITHUB_PAT',
    'SENTRY_DSN',
    'PASS',
    'SESSION_ID',
  ],
]

const harmless = [
  ...['', 'author', 'monkey', 'keyboard', 'tokenizer', 'secretary', 'compass', 'passenger', 'bypass', 'constructor'],
  ...['progressToken', 'nextPageToken', 'page_token', 'MAX_TOKENS', 'inputTokens', 'token_count', 'tokensUsed'],
  ...['token_endpoint', 'tokenType', 'PASSWORD_FILE', 'cookieName', 'AUTH_MODE', 'SESSION_TIMEOUT', 'publicKey'],
  ...['region', 'path', 'PATTERN', 'sessions'],
]

test.each(secret)('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
  expect(isSecretSetting(name)).toBe(true)
})

test.each(secretSettings)('%s is the name of a secret where something is set up, and of anything in data', (name) => {
  expect(isSecretName(name)).toBe(false)
  expect(isSecretSetting(name)).toBe(true)
})

test.each(harmless)('%j is no name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false)
  expect(isSecretSetting(name)).toBe(false)
})

test('data has keys of other kinds', () => {
  for (const name of ['key', 'primaryKey', 'cacheKey', 'session', 'signature', 'auth'])
    expect(isSecretName(name)).toBe(false)
})
