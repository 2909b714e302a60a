import { McpError } from '../errors.ts'

const allowed = /^[A-Za-z0-9_.-]{1,128}$/

/** Names of tools travel through model APIs that take only these characters. */
export function checkName(name: unknown, what: string): void {
  if (typeof name === 'string' && allowed.test(name)) return
  throw new McpError(
    'invalid_definition',
    `${what}: expected a name of 1 to 128 letters, digits, "_", "-" and ".", got ${JSON.stringify(name)}`,
  )
}

/** Names of prompts and resources are free, but there has to be one. */
export function checkPresent(name: unknown, what: string): void {
  if (typeof name === 'string' && name !== '') return
  throw new McpError('invalid_definition', `${what}: expected a name, got ${JSON.stringify(name)}`)
}
