import { comment } from './comment.ts'
import { failureHelper, type Helper, readHelper } from './helpers.ts'
import { type Method, mention } from './method.ts'
import { Names } from './names.ts'
import { promptMethod } from './prompt-method.ts'
import type { ServerFeatures } from './server-features.ts'
import { isUsable, templateMethod } from './template-method.ts'
import { toolMethod } from './tool-method.ts'

/** By this a file is known as one that may be written again. */
export const generatedMarker = 'written by `tenon types`'

/** The methods for one kind of thing. */
interface Group {
  /** The member of the client, and its type. */
  member: string
  type: string
  about: string
  methods: Method[]
}

/** The source of a module with types for everything that a server offers, and a client that uses them. */
export function generate({ server, tools, prompts, templates }: ServerFeatures): string {
  const names = new Names(reserved)
  const methods = <Item>(items: Item[], method: (item: Item, members: Names, names: Names) => Method): Method[] => {
    const members = new Names()
    return items.map((item) => method(item, members, names))
  }
  const groups: Group[] = [
    { member: 'tools', type: 'Tools', about: 'The tools of the server.', methods: methods(tools, toolMethod) },
    {
      member: 'prompts',
      type: 'Prompts',
      about: 'The prompts of the server.',
      methods: methods(prompts, promptMethod),
    },
    {
      member: 'templates',
      type: 'Templates',
      about: 'The resource templates of the server.',
      methods: methods(templates.filter(isUsable), templateMethod),
    },
  ]
  const used = groups.filter((group) => group.methods.length > 0)
  const all = used.flatMap((group) => group.methods)
  const helpers = helpersOf(all)
  const source = [
    header(server, helpers),
    ...all.map(({ types }) => types).filter((types) => types !== ''),
    ...used.map(interfaceOf),
    clientOf(used),
    ...helpers.map((helper) => helper.source),
  ]
  // A lone surrogate cannot be written to a file: reading it again would give another text.
  return source.join('\n').replace(/\p{Surrogate}/gu, '\ufffd')
}

function helpersOf(methods: readonly Method[]): Helper[] {
  const helpers = new Set(methods.map(({ helper }) => helper))
  const canFail = [...helpers].some(({ source }) => source.includes('ToolFailure'))
  return canFail ? [failureHelper, ...helpers] : [...helpers]
}

function header(server: string, helpers: readonly Helper[]): string {
  const types = [...new Set(['Client', ...helpers.flatMap(({ imports }) => imports)])].toSorted()
  const template = helpers.includes(readHelper) ? "import { parseUriTemplate } from '@tenon/sdk/uri-template'\n" : ''
  return `${comment([`Types and a client for the server ${mention(server)}, ${generatedMarker}. Run it again instead of changing this.`])}
/* eslint-disable */
// biome-ignore-all lint: written by a program
// biome-ignore-all format: written by a program
import type { ${types.join(', ')} } from '@tenon/sdk/client'
${template}`
}

const interfaceOf = ({ type, about, methods }: Group): string =>
  `${comment([about])}export interface ${type} {\n${methods.map(({ signature }) => signature).join('')}}\n`

function clientOf(groups: readonly Group[]): string {
  const members = groups.map(({ member, type }) => `  readonly ${member}: ${type}\n`)
  const bodies = groups.map(
    ({ member, methods }) => `  ${member}: {\n${methods.map(({ body }) => `    ${body},\n`).join('')}  },\n`,
  )
  return `/** The server, with a method for everything that it offers. */
export interface TypedClient {
  /** The connection itself. */
  readonly client: Client
${members.join('')}}

/** A client that knows the types of the server. */
export const createClient = (client: Client): TypedClient => ({
  client,
${bodies.join('')}})
`
}

/** Names that mean something else in the module. */
const reserved = [
  ...['CallOptions', 'Client', 'GetPromptResult', 'ReadResourceResult', 'ToolCallOptions', 'ToolCallResult'],
  ...['Tools', 'Prompts', 'Templates', 'TypedClient', 'ToolFailure', 'Promise', 'Error'],
]
