/** A part of a text that looks like a credential. */
export interface Credential {
  /** Its index in the text. */
  start: number
  value: string
}

/** The prefixes and lengths by which issuers make their keys recognizable. */
const shapes: readonly RegExp[] = [
  // Tokens of three parts, of any issuer.
  /^eyJ[\w-]+\.[\w-]+\.[\w-]*/,
  // OpenAI, Anthropic, OpenRouter, Stripe. Mere names (`sk-learn-based-classifier`) have short words only.
  /^[sr]k[-_](?:(?:[a-z\d]{1,10}[-_]){0,3}[A-Za-z\d]{16}|(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{20})/,
  /^whsec_\w{20}/,
  // GitHub and GitLab.
  /^gh[opsru]_\w{20}/,
  /^github_pat_\w{20}/,
  /^gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)-[\w-]{16}/,
  // Slack.
  /^xox[a-z]-[\w-]{10}/,
  /^xapp-\d-[\w-]{10}/,
  // Amazon and Google.
  /^A(?:KIA|SIA)[\dA-Z]{16}$/,
  /^AIza[\w-]{35}$/,
  /^GOCSPX-[\w-]{20}/,
  /^ya29\.[\w-]{20}/,
  // Registries of packages and models.
  /^npm_\w{30}/,
  /^pypi-AgE[\w-]{16}/,
  /^hf_[A-Za-z\d]{30}/,
  // Airtable, DigitalOcean, HubSpot, Linear, Notion, SendGrid, Shopify.
  /^pat\w{14}\.[\da-f]{40}/,
  /^do[opr]_v1_[\da-f]{40}/,
  /^pat-[a-z]{2}\d-[\da-f-]{30}/,
  /^lin_(?:api|oauth)_\w{30}/,
  /^(?:ntn|secret)_[A-Za-z\d]{40}/,
  /^SG\.[\w-]{16,}\.[\w-]{16}/,
  /^shp(?:at|ca|pa|ss)_[\da-fA-F]{32}/,
]
const run = /[\w.-]{16,}/g
const bearer = /(?:^|[^\w])bearer\s{1,4}$/i
const keyBegin = '-----BEGIN '
const keyEnd = '-----END '

/**
 * The recognizable credentials in a text, in order. Each run of characters is read once, so a hostile text costs no
 * more than its length.
 */
export function credentialsIn(text: string): Credential[] {
  const keys = text.includes(keyBegin) ? privateKeysIn(text) : []
  const found: Credential[] = []
  let at = 0
  for (const { 0: value, index: start } of text.matchAll(run)) {
    while (at < keys.length && endOf(keys[at]!) <= start) found.push(keys[at++]!)
    const isInside = at < keys.length && keys[at]!.start <= start
    if (!isInside && isCredential(value, text.slice(Math.max(0, start - 12), start))) found.push({ start, value })
  }
  return [...found, ...keys.slice(at)]
}

const isCredential = (value: string, before: string): boolean =>
  shapes.some((shape) => shape.test(value)) || (bearer.test(before) && /\d/.test(value))

const endOf = ({ start, value }: Credential): number => start + value.length

function privateKeysIn(text: string): Credential[] {
  const found: Credential[] = []
  for (let from = 0; ; ) {
    const start = text.indexOf(keyBegin, from)
    const end = start < 0 ? -1 : text.indexOf(keyEnd, start)
    if (end < 0) return found
    const close = text.indexOf('-----', end + keyEnd.length)
    from = close < 0 ? text.length : close + 5
    const value = text.slice(start, from)
    if (value.slice(0, 60).includes('PRIVATE KEY-----')) found.push({ start, value })
  }
}
