import { McpError } from '../../errors.ts'
import { describe } from '../../jsonrpc/classify.ts'

const allowed = /^[A-Za-z0-9_.-]{1,128}$/

/** Names of tools travel through model APIs that take only these characters. */
export function checkName(name: unknown, what: string): void {
  if (typeof name === 'string' && allowed.test(name)) return
  throw new McpError(
    'invalid_definition',
    `${what}: expected a name of 1 to 128 letters, digits, "_", "-" and ".", got ${JSON.stringify(name)}`,
  )
}

/** A prefix of tool names consists of the same characters. */
export function checkPrefix(prefix: unknown, what: string): void {
  if (prefix === '') return
  checkName(prefix, `${what} prefix`)
}

/** Names of prompts and resources are free, but there has to be one. */
export function checkPresent(name: unknown, what: string): void {
  if (typeof name === 'string' && name !== '') return
  throw new McpError('invalid_definition', `${what}: expected a name, got ${JSON.stringify(name)}`)
}

/** In plain JavaScript a misspelt handler would only show when it is called. */
export function checkHandler(options: object, name: string, what: string): void {
  const handler: unknown = (options as Record<string, unknown>)[name]
  if (typeof handler === 'function') return
  const known = Object.keys(options).join(', ')
  throw new McpError(
    'invalid_definition',
    `${what}: expected a function ${name}, got ${describe(handler)} (there is: ${known})`,
  )
}
