import type { JsonObject } from '@tenon/sdk/client'

/** The tools of a virtual server that lists no others. */
export const searchTools: readonly JsonObject[] = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description:
      'Finds tools by what they do. Returns their names, descriptions and input schemas, best first. Call one with call_tool.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many tools to return (10)' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls a tool that find_tools found.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name, as find_tools returned it' },
        arguments: { type: 'object', description: 'The arguments, as the input schema of the tool says' },
      },
      required: ['name'],
    },
  },
]

const maxQuery = 1_000

/** The tools that fit a query, best first: by its words in names, titles, descriptions and arguments; rare words count more. */
export function findTools(tools: readonly JsonObject[], query: string, limit: number): JsonObject[] {
  const words = wordsIn(query.slice(0, maxQuery))
  const texts = tools.map((tool) => ({ tool, name: wordsIn(String(tool.name)), text: wordsIn(textOf(tool)) }))
  const scored = texts.map(({ tool, name, text }) => {
    let score = 0
    for (const word of words) {
      const having = texts.filter((other) => other.name.has(word) || other.text.has(word)).length
      const weight = Math.log(1 + tools.length / (1 + having))
      if (name.has(word)) score += 3 * weight
      if (text.has(word)) score += weight
    }
    return { tool, score }
  })
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return found.slice(0, limit).map(({ tool }) => tool)
}

function textOf({ title, description, inputSchema }: JsonObject): string {
  const { properties } = (inputSchema ?? {}) as { properties?: unknown }
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return [title, description, ...names].filter((text) => typeof text === 'string').join(' ')
}

/** The words of a text, without their endings: `files` finds `file`. */
const wordsIn = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1)
      .map((word) => (word.length > 3 ? word.replace(/(?:es|s|ing|ed)$/, '') : word)),
  )
