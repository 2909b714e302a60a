import type { JsonSchema, Tool } from '@tenon/sdk/client'
import { isValidKeyword } from '../../chat/tools/schema-keywords.ts'
import { isSchema } from '../../chat/tools/tool-schema.ts'
import { brief, quoted } from '../brief.ts'
import { type Collector, step } from '../collector.ts'
import { allProviders, namesOf, providers } from '../providers.ts'
import { at } from '../subjects.ts'
import type { LintSubject } from '../types.ts'
import { firstCycle, referencesIn } from './references.ts'
import { strictReasons } from './strict.ts'
import { nodesOf, type SchemaNode } from './walk-schema.ts'

/** Keywords that Google's interface does not know in either of its two ways to declare functions. */
const unknownToGoogle = new Set(
  'allOf not if then else const contains dependentRequired dependentSchemas exclusiveMaximum exclusiveMinimum multipleOf patternProperties propertyNames uniqueItems'.split(
    ' ',
  ),
)
/** A schema with one of them says which values it takes. */
const typing = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if']

type Place = (pointer?: string) => LintSubject

/** The schemas of a tool: faults, and everything that a provider refuses in its input. */
export function checkSchema(tool: Tool, found: Collector): void {
  const place: Place = (pointer = '/inputSchema') => at({ kind: 'tool', name: tool.name }, pointer)
  const { inputSchema, outputSchema } = tool
  if (!isSchema(inputSchema)) {
    found.add('schema-invalid', {
      subject: place(),
      message: 'The tool has no input schema.',
      fix: 'Give it one; a tool without arguments has { "type": "object" }.',
    })
    return
  }
  const { nodes, isCut } = nodesOf(inputSchema, '/inputSchema')
  if (isCut) {
    found.add('schema-large', {
      subject: place(),
      message:
        'The input schema has more than 5,000 parts, or is nested more than 32 deep: hosts cannot read it whole.',
      fix: 'Split the tool, or describe a part of the arguments as a text.',
    })
  }
  checkTop(inputSchema, place, found)
  checkReferences(inputSchema, nodes, '/inputSchema', place, found)
  for (const node of nodes) {
    checkKeywords(node, place, found)
    checkNode(node, place, found)
  }
  checkGoogleKeywords(nodes, place, found)
  checkStrict(nodes, place, found)
  if (!isSchema(outputSchema)) return
  const output = nodesOf(outputSchema, '/outputSchema').nodes
  checkReferences(outputSchema, output, '/outputSchema', place, found)
  for (const node of output) checkKeywords(node, place, found)
}

function checkTop(schema: JsonSchema, place: Place, found: Collector): void {
  if (schema.type !== 'object') {
    found.addFor('schema-top', allProviders, {
      subject: place('/inputSchema/type'),
      message: 'The input schema has to be of the type "object".',
      fix: 'Set "type": "object", and put other values into a member of it.',
    })
  }
  const refusing = found.providers.filter((name) => providers[name].refusedAtTop.some((keyword) => keyword in schema))
  const keyword = refusing.flatMap((name) => providers[name].refusedAtTop).find((name) => name in schema)
  if (keyword === undefined) return
  found.addFor('schema-top', refusing, {
    subject: place(`/inputSchema/${keyword}`),
    message: `${namesOf(refusing)} ${refusing.length === 1 ? 'refuses' : 'refuse'} "${keyword}" at the top of an input schema, and with it the whole request.`,
    fix: 'Describe one object with all members, or put the alternatives into a member.',
  })
}

function checkReferences(
  root: JsonSchema,
  nodes: readonly SchemaNode[],
  rootPointer: string,
  place: Place,
  found: Collector,
): void {
  const references = referencesIn(root, nodes)
  for (const { pointer, reference, leads } of references) {
    if (leads === 'somewhere') continue
    found.add('schema-invalid', {
      subject: place(pointer),
      message:
        leads === 'nowhere'
          ? `The reference ${quoted(reference)} leads nowhere.`
          : `The reference ${quoted(reference)} leads out of the schema, and clients do not follow it.`,
      fix: 'Define it under "$defs" of the same schema.',
    })
  }
  const cycle = rootPointer === '/inputSchema' ? firstCycle(references, rootPointer) : undefined
  if (cycle === undefined) return
  found.addFor('schema-recursive', ['google', 'anthropic'], {
    subject: place(cycle.pointer),
    message: `The schema contains itself through ${quoted(cycle.reference)}: hosts that fill in references stop there.`,
    fix: 'Limit the depth, or take the nested part as a text.',
  })
}

function checkKeywords({ schema, pointer }: SchemaNode, place: Place, found: Collector): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (isValidKeyword(keyword, value)) continue
    found.add('schema-invalid', {
      subject: place(pointer + step(keyword)),
      message: `"${brief(keyword, 40)}" may not be ${brief(JSON.stringify(value) ?? 'undefined', 80)}.`,
      fix: 'Correct it: some providers refuse the whole request.',
    })
  }
}

function checkNode({ schema, pointer }: SchemaNode, place: Place, found: Collector): void {
  if (schema.type === 'array' && schema.items === undefined && schema.prefixItems === undefined) {
    const refusing = allProviders.filter((name) => providers[name].needsItems)
    found.addFor('schema-items', refusing, {
      subject: place(pointer),
      message: 'The array does not describe its items.',
      fix: 'Add "items", such as { "type": "string" }.',
    })
  }
  if (Array.isArray(schema.enum) && schema.enum.some((value) => typeof value !== 'string' || value === '')) {
    found.addFor('schema-enum', ['google'], {
      subject: place(`${pointer}/enum`),
      message: 'Google takes only texts in enumerations, and no empty ones.',
      fix: 'Use texts, or describe the numbers with minimum and maximum.',
    })
  }
  const properties = isSchema(schema.properties) ? schema.properties : undefined
  const missing = namesIn(schema.required).find((name) => properties === undefined || !Object.hasOwn(properties, name))
  if (missing !== undefined && properties !== undefined) {
    found.addFor('schema-required', ['google', 'openai-strict'], {
      subject: place(`${pointer}/required`),
      message: `${quoted(missing)} is required, and not described.`,
      fix: 'Describe it under "properties", or correct its name.',
    })
  }
  for (const [name, member] of Object.entries(properties ?? {})) {
    checkProperty(name, member, `${pointer}/properties${step(name)}`, place, found)
  }
}

function checkProperty(name: string, member: unknown, pointer: string, place: Place, found: Collector): void {
  const refusing = allProviders.filter((provider) => providers[provider].propertyName?.test(name) === false)
  if (refusing.length > 0) {
    found.addFor('schema-property-name', refusing, {
      subject: place(pointer),
      message: `${namesOf(refusing)} refuses the member ${quoted(name)}, and with it the whole request.`,
      fix: 'Use 1 to 64 letters, digits, "_", "-" and ".".',
    })
  }
  if (isSchema(member) ? typing.some((keyword) => keyword in member) : member === false) return
  found.addFor('schema-untyped', ['google'], {
    subject: place(pointer),
    message: `${quoted(name)} has no type: models guess, and Google refuses it.`,
    fix: 'Add a "type".',
  })
}

const namesIn = (required: unknown): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []

function checkGoogleKeywords(nodes: readonly SchemaNode[], place: Place, found: Collector): void {
  const first = new Map<string, string>()
  for (const { schema, pointer } of nodes) {
    for (const keyword of Object.keys(schema)) {
      if (unknownToGoogle.has(keyword) && !first.has(keyword)) first.set(keyword, pointer + step(keyword))
    }
  }
  if (first.size === 0) return
  found.addFor('schema-keyword', ['google'], {
    subject: place([...first.values()][0]),
    message: `Google does not know ${[...first.keys()].map((name) => `"${name}"`).join(', ')}: hosts leave it out, or the request fails.`,
    fix: 'Say the same in the description too.',
  })
}

function checkStrict(nodes: readonly SchemaNode[], place: Place, found: Collector): void {
  const reasons = strictReasons(nodes)
  if (reasons.length === 0) return
  found.addFor('schema-strict', ['openai-strict'], {
    subject: place(reasons[0]!.pointer),
    message: `It cannot be used with strict: true of OpenAI: ${reasons.map(({ reason }) => reason).join('; ')}.`,
    fix: 'Allow null instead of leaving members out, and forbid other members; or leave it to hosts that do without strict.',
  })
}
