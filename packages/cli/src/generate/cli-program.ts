import { readFile } from 'node:fs/promises'
import type { JsonSchema, Tool } from '@tenon/sdk/client'
import { packageFolder } from '../package-folder.ts'
import { comment, words } from '../types/comment.ts'
import { mention } from '../types/method.ts'
import { Names } from '../types/names.ts'
import { argumentNames, itemsOf, memberOf, requiredNames, resolveReference } from '../values/typed-value.ts'

/** By this a file is known as one that may be written again. */
export const programMarker = 'written by `tenon generate cli`'

/** The way to the server that the program uses. */
export type ProgramTarget = string | { command: string; args: string[]; cwd?: string; inheritEnv: true }

interface CliOption {
  /** The argument of the tool. */
  name: string
  flag: string
  type: 'string' | 'number' | 'integer' | 'boolean' | 'json'
  list?: true
  required?: true
  choices?: string[]
  about: string
}

interface CliSource {
  /** The name of the program. */
  name: string
  server: string
  target: ProgramTarget
  tools: readonly Tool[]
}

/** Options that every command of the program has. */
const reserved = ['args', 'header', 'json', 'help']

const template = new URL('templates/program/program.mjs', packageFolder)

/** The source of a program with one command for each tool. It depends only on the features of the server. */
export async function cliProgram({ name, server, target, tools }: CliSource): Promise<string> {
  const commands = new Names(['help'])
  const data = {
    name,
    about: `The tools of the server ${server}`,
    target,
    tools: tools.map((tool) => ({
      name: tool.name,
      command: commands.unique(kebab(tool.name)),
      about: (tool.description ?? tool.title ?? '').trim(),
      options: optionsOf(tool.inputSchema),
    })),
  }
  const text = await readFile(template, 'utf8')
  const head = comment([
    `One command for each tool of the server ${mention(server)}, ${programMarker}. Run it again instead of changing this.`,
  ])
  // A function, because a replacement text has signs of its own.
  const filled = text.replace(/^const program = .*$/m, () => `const program = ${literal(data)}`)
  return `#!/usr/bin/env node\n${head}${filled}`
}

/** JSON as source text: characters that cannot be seen, and halves of characters, are written as escapes. */
const literal = (data: unknown): string =>
  JSON.stringify(data, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** `getWeather` and `get_weather` as `get-weather`. */
export const kebab = (text: string): string =>
  text
    .slice(0, 80)
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase() || 'unnamed'

/** The options of a command, by the schema of its tool: the required ones first. */
export function optionsOf(schema: JsonSchema): CliOption[] {
  const flags = new Names(reserved)
  const needed = requiredNames(schema)
  return argumentNames(schema).map((name) => {
    const own = memberOf(schema, name, schema)
    const member = resolveReference(own, schema)
    const type = typeOf(member)
    const isList = type === 'array'
    const item = isList ? resolveReference(itemsOf(own, schema), schema) : member
    const itemType = isList ? typeOf(item) : type
    const choices = choicesOf(item)
    return {
      name,
      flag: flags.unique(kebab(name)),
      type: itemType === undefined || itemType === 'array' ? 'json' : itemType,
      ...(isList && itemType !== 'array' && itemType !== undefined && { list: true }),
      ...(needed.has(name) && { required: true }),
      ...(choices && { choices }),
      about: words(member?.description ?? own?.description)
        .join(' ')
        .replace(/\s+/g, ' '),
    } as CliOption
  })
}

/** The type of an option; everything else is JSON. */
function typeOf(schema: JsonSchema | undefined): CliOption['type'] | 'array' | undefined {
  const { type } = schema ?? {}
  const [first, ...others] = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  if (others.length > 0) return 'json'
  if (first === 'object') return 'json'
  if (first === 'string' || first === 'number' || first === 'integer' || first === 'boolean' || first === 'array')
    return first
  return choicesOf(schema) ? 'string' : undefined
}

/** The values of an option that takes only some texts. */
function choicesOf(schema: JsonSchema | undefined): string[] | undefined {
  const { enum: values } = schema ?? {}
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
    ? (values as string[])
    : undefined
}
