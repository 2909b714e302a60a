import { ToolError } from '@tenon/sdk/server'

/** The sentence to act on, by the code that Redis, the system or TLS gives. */
const advice = new Map([
  ['WRONGTYPE', 'The key holds another type. key_info tells which, and with it which tool reads it.'],
  ['NOAUTH', 'Redis wants a password: the operator sets REDIS_PASSWORD or --password-file.'],
  ['WRONGPASS', 'Redis refuses the user or the password: the operator checks both.'],
  ['NOPERM', 'The user of this server may not do this in Redis (ACL).'],
  ['OOM', 'Redis has no memory left: delete keys, or the operator raises maxmemory.'],
  ['READONLY', 'This Redis is a replica, which only reads: the operator names the primary.'],
  ['LOADING', 'Redis is still loading its data. Try again in a moment.'],
  ['MISCONF', 'Redis takes no writes because it cannot save to disk: the operator looks at its log.'],
  ['BUSY', 'A script is blocking Redis. Try again later.'],
  ['NOGROUP', 'There is no such stream or group. stream_create_group makes one.'],
  ['ECONNREFUSED', 'Nothing listens there: the operator starts Redis or corrects the address. Then try again.'],
  ['ENOENT', 'There is no such socket: the operator starts Redis or corrects the address. Then try again.'],
  ['ENOTFOUND', 'There is no host of this name: the operator corrects the address.'],
  ['ETIMEDOUT', 'The host does not answer. Try again; if it stays so, the operator checks address and firewall.'],
])

const tlsCodes = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/

/** Redis could not be asked, or its answer did not come: nothing is known about the fate of the command. */
export class Unreachable extends ToolError {}

/**
 * The error for the model. Errors of the client library are never passed on: they carry the arguments of the command,
 * among them the password.
 */
export function toToolError(error: unknown, shown: string, password: string | undefined): ToolError {
  if (error instanceof ToolError) return error
  const { message, code } = error as NodeJS.ErrnoException
  const text = mask(String(message), password)
  const name = code ?? /^[A-Z]{2,}/.exec(text)?.[0] ?? ''
  if (code !== undefined) return new Unreachable(`Redis cannot be reached at ${shown}: ${text}. ${hintFor(code)}`)
  if (/Connection is closed|isn't writeable|aborted due to connection/.test(text)) {
    return new Unreachable(
      `The connection to Redis at ${shown} was lost. If this call changes something, look whether it did; then try again.`,
    )
  }
  return new ToolError(`Redis says: ${text.slice(0, 500)}. ${advice.get(name) ?? ''}`.trimEnd())
}

const hintFor = (code: string): string =>
  advice.get(code) ??
  (tlsCodes.test(code)
    ? 'The certificate is not trusted: the operator names its authority with --tls-ca.'
    : 'The operator checks the address.')

const mask = (text: string, password: string | undefined): string =>
  password === undefined || password === '' ? text : text.replaceAll(password, '***')
