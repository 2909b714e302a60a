import { RequestProblem } from '../problem.ts'

/** The model that needs no key and no network. */
export const offline = 'offline'

/** No spaces, and nothing that cannot be seen. */
const written = /^[\x21-\x7e]{1,500}$/
const providers = ['anthropic', 'openai', 'google', 'ollama'] as const
const expected = `offline, ${providers.map((name) => `${name}/…`).join(', ')} or http://localhost:11434/v1#model`

/** Reads the name of a model. No name leads to a file: the page does not say what is read from this disk. */
export function readModelName(value: unknown): string {
  if (typeof value !== 'string' || !written.test(value) || placeOf(value) === undefined) {
    throw new RequestProblem(`model: expected ${expected}`)
  }
  return value
}

/** Whose key a model takes: the provider, or the origin of the address. Undefined if this is no name of a model. */
export function placeOf(model: string): string | undefined {
  if (model === offline) return offline
  if (!/^https?:/i.test(model)) {
    return providers.find((name) => model.startsWith(`${name}/`) && model.length > name.length + 1)
  }
  const url = URL.canParse(model) ? new URL(model) : undefined
  const isUsable = url !== undefined && url.hash.length > 1 && url.username === '' && url.password === ''
  return isUsable ? url.origin : undefined
}
