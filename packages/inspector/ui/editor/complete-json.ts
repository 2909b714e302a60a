import { writeExact } from '../../src/exact-json.ts'
import { isSchema, resolve, type Schema } from '../form/resolve.ts'
import { cursorIn, namesIn } from './scan-json.ts'
import { schemasAt } from './schema-at.ts'

/** Something that can stand at the cursor. */
export interface Suggestion {
  /** The text as it is matched with the typed one: names and strings with their quotes. */
  label: string
  /** The text that is written. */
  text: string
  /** The cursor stands this many characters before its end, then. */
  back: number
  kind: 'property' | 'enum' | 'value'
  /** A word about it: its type, and whether it is required. */
  detail?: string
  about?: string
}

interface Suggestions {
  from: number
  to: number
  options: Suggestion[]
}

const maxOptions = 200

/** Names and values that the schema knows for the place of the cursor. */
export function suggestionsAt(text: string, at: number, root: Schema): Suggestions | undefined {
  const cursor = cursorIn(text, at)
  if (cursor === undefined) return undefined
  const { wants, path, from } = cursor
  // The rest of the token goes too: the closing quote, if the editor has already written one.
  const rest = /^[^\s"{}[\],:]*"?/.exec(text.slice(at))![0]
  const to = from === at && !rest.startsWith('"') ? at : at + rest.length
  const schemas = schemasAt(root, path)
  const options =
    wants === 'name'
      ? nameSuggestions(schemas, root, namesIn(text, path, from), /^\s*:/.test(text.slice(to)))
      : schemas.flatMap((schema) => valueSuggestions(schema))
  const unlike = [...new Map(options.map((option) => [option.label, option])).values()]
  return { from, to, options: unlike.slice(0, maxOptions) }
}

function nameSuggestions(
  schemas: readonly Schema[],
  root: Schema,
  taken: Set<string>,
  hasColon: boolean,
): Suggestion[] {
  return schemas.flatMap(({ properties, required }) => {
    if (!isSchema(properties)) return []
    const needed = new Set(Array.isArray(required) ? required : [])
    return Object.entries(properties)
      .filter(([name]) => !taken.has(name))
      .map(([name, given]): Suggestion => {
        const schema = resolve(given, root)
        const label = JSON.stringify(name)
        const value = emptyValue(schema)
        const detail = [typeWord(schema), needed.has(name) && 'required'].filter(Boolean).join(', ')
        const about = textOf(schema.description) ?? textOf(schema.title)
        return {
          label,
          text: hasColon ? label : `${label}: ${value.text}`,
          back: hasColon ? 0 : value.back,
          kind: 'property',
          detail,
          ...(about && { about }),
        }
      })
  })
}

function valueSuggestions(schema: Schema): Suggestion[] {
  const about = textOf(schema.title) ?? textOf(schema.description)
  const option = (value: unknown, detail?: string): Suggestion => ({
    label: writeExact(value),
    text: writeExact(value),
    back: 0,
    kind: 'enum',
    ...(detail && { detail }),
    ...(about && { about }),
  })
  if ('const' in schema) return [option(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => option(value))
  const known = [
    ...('default' in schema ? [option(schema.default, 'default')] : []),
    ...(Array.isArray(schema.examples) ? schema.examples.map((value) => option(value, 'example')) : []),
  ]
  return [...known, ...[schema.type].flat().flatMap((type) => ofType(type, option))]
}

function ofType(type: unknown, option: (value: unknown) => Suggestion): Suggestion[] {
  if (type === 'boolean') return [option(true), option(false)]
  if (type === 'null') return [option(null)]
  if (type === 'object') return [{ label: '{}', text: '{}', back: 1, kind: 'value', detail: 'object' }]
  if (type === 'array') return [{ label: '[]', text: '[]', back: 1, kind: 'value', detail: 'array' }]
  return []
}

const emptyTexts: ReadonlyMap<unknown, string> = new Map([
  ['string', '""'],
  ['object', '{}'],
  ['array', '[]'],
])

/** The beginning of a value behind a name that was completed, with the cursor in it. */
function emptyValue(schema: Schema): Pick<Suggestion, 'text' | 'back'> {
  if ('const' in schema) return { text: writeExact(schema.const), back: 0 }
  if ('default' in schema) return { text: writeExact(schema.default), back: 0 }
  const text = Array.isArray(schema.enum) ? undefined : emptyTexts.get(schema.type)
  return text === undefined ? { text: '', back: 0 } : { text, back: 1 }
}

const typeWord = ({ type, enum: values, ...rest }: Schema): string => {
  if (Array.isArray(values)) return 'one of several'
  if ('const' in rest) return 'constant'
  return [type]
    .flat()
    .filter((name) => typeof name === 'string')
    .join(' or ')
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
