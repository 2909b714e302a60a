import { mayRound } from '../exact-json.ts'
import type { ServerView, TimelineEntry } from '../protocol.ts'
import { replaceArgumentSecrets, replaceQuerySecrets } from '../url-secrets.ts'

interface Request {
  method: string
  params?: { [name: string]: unknown }
}

const text = (value: unknown): string => JSON.stringify(value)

/** A program that makes the same call with the library, where the library has a method for it. */
export function asTypeScript(entry: TimelineEntry, { spec, revision }: ServerView): string | undefined {
  // A number with more digits than JavaScript keeps would be another one in a program.
  if (entry.kind !== 'request' || entry.from !== 'client' || spec.kind === 'session' || mayRound(entry.text)) {
    return undefined
  }
  const call = callOf(entry.payload as Request)
  if (call === undefined) return undefined
  const headers = spec.kind === 'url' ? Object.keys(spec.headers ?? {}) : []
  const options = [
    ...(revision === undefined ? [] : [`revisions: [${text(revision)}]`]),
    ...(headers.length === 0
      ? []
      : [`headers: { ${headers.map((name) => `${text(name)}: ${fromEnvironment(name)}`).join(', ')} }`]),
  ]
  return `import { connect } from '@tenon/sdk/client'

const client = await connect(${targetOf(spec)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})
const result = await client.${call}
console.dir(result, { depth: null })
await client.close()
`
}

function callOf({ method, params = {} }: Request): string | undefined {
  const { name, uri, arguments: args = {} } = params
  if (method === 'tools/call') return `callTool(${text(name)}, ${text(args)})`
  if (method === 'prompts/get') return `getPrompt(${text(name)}, ${text(args)})`
  return method === 'resources/read' ? `readResource(${text(uri)})` : undefined
}

function targetOf(spec: Exclude<ServerView['spec'], { kind: 'session' }>): string {
  if (spec.kind === 'url') return text(replaceQuerySecrets(spec.url, () => '…'))
  const { command, args = [], env = {}, cwd } = spec
  const variables = Object.keys(env).map((name) => `${text(name)}: ${fromEnvironment(name)}`)
  return [
    `{ command: ${text(command)}, args: ${text(replaceArgumentSecrets(args, () => '…'))}`,
    ...(variables.length === 0 ? [] : [`env: { ${variables.join(', ')} }`]),
    ...(cwd === undefined ? [] : [`cwd: ${text(cwd)}`]),
  ]
    .join(', ')
    .concat(' }')
}

/** Values of variables and headers are secrets: the program takes them from its environment. */
const fromEnvironment = (name: string): string => `process.env.${name.toUpperCase().replace(/\W+/g, '_')} ?? ''`
