const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that mean a secret everywhere. */
const secret = words(`
  accesskey accesstoken apikey authorization authtoken bearer clientsecret cookie cookies credential credentials creds
  idtoken jwt otp passcode passphrase passwd password passwords privatekey pwd refreshtoken secret secretkey secrets token
  tokens totp`)

/** Words that mean a secret in settings, and much else in data. */
const secretSetting = words(`
  accountkey auth connectionstring dsn key keys pass pat session sig signature`)

/** Words that turn a harmless word into a secret: an `apiKey`, not a `primaryKey`. */
const secretAfter: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'key',
    words('access account api auth consumer deploy encryption hmac license master private secret shared signing ssh'),
  ],
  ['pass', words('admin basic database db email ftp login mail proxy root smtp sudo user')],
  ['string', words('connection')],
])

/** Words that make a secret word harmless: tokens of pages, counts of tokens, keys of tables and caches. */
const harmlessAfter: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'token',
    words(`cached completion context continuation input max min next num output page prompt progress reasoning sync
      thinking total`),
  ],
  ['key', words('cache foreign group hot index object partition public row shortcut sort unique')],
])

/** Words at the end that describe a secret: its source, its lifetime, its file. */
const about = words(`
  budget count enabled endpoint expiration expires expiry file format length lifetime limit method methods mode name names
  path policy provider required supported timeout ttl type types uri url usage used`)

/**
 * Whether a name sounds like a secret: `apiKey`, `ACCESS_TOKEN`, `client-secret`; not `author`, `tokenizer` or
 * `nextPageToken`. For members of data, where mistakes in both directions are bad.
 */
export const isSecretName = (name: string): boolean => verdictOn(name).inData

/**
 * The same for variables, options, headers and query parameters, which hold more secrets and fewer other things: there
 * `KEY`, `SMTP_PASS` and `X-Auth` are meant too.
 */
export const isSecretSetting = (name: string): boolean => verdictOn(name).inSettings

interface Verdict {
  inData: boolean
  inSettings: boolean
}

// The same few names repeat, and splitting them costs more than all the rest.
const verdicts = new Map<string, Verdict>()
const maxVerdicts = 5_000

function verdictOn(name: string): Verdict {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  const parts = wordsOf(name)
  const isAbout = parts.length > 1 && about.has(parts.at(-1)!)
  const inData = !isAbout && parts.some((word, at) => isSecret(word, parts[at - 1] ?? '', false))
  const inSettings = inData || (!isAbout && parts.some((word, at) => isSecret(word, parts[at - 1] ?? '', true)))
  const verdict = { inData, inSettings }
  if (verdicts.size < maxVerdicts && name.length <= 100) verdicts.set(name, verdict)
  return verdict
}

function isSecret(word: string, before: string, inSettings: boolean): boolean {
  const one = word === 'tokens' || word === 'keys' ? word.slice(0, -1) : word
  if (harmlessAfter.get(one)?.has(before)) return false
  return secret.has(word) || secretAfter.get(one)?.has(before) === true || (inSettings && secretSetting.has(word))
}

/** `DBPassword2` is `db password`. */
const wordsOf = (name: string): string[] =>
  name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
