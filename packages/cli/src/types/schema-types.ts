import { type Code, intersection, listOf, neverType, single, union, unknownType } from './code.ts'
import { comment, remarks } from './comment.ts'
import { literalType, propertyName } from './literal.ts'
import type { Names } from './names.ts'
import { References } from './references.ts'
import { isSchema, membersIn, type Schema, schemasIn } from './schema.ts'

/** The position of a type in the source. */
interface Place {
  indent: string
  depth: number
  /** The named type that is made of this one, with nothing in between. */
  within: string | undefined
}

// Schemas of a server are bounded: beyond this a type is `unknown`, which is always correct.
const deepest = 40
const mostParts = 10_000

/** Declares a type for a schema, and those that it refers to. */
export function declareTypes(name: string, schema: Schema, names: Names, about: string): string {
  const writer = new TypeWriter(schema, name, names)
  let source = declaration(name, writer.write(schema, name), [about, ...remarks({ ...schema, title: undefined })])
  for (let next = writer.references.next(); next; next = writer.references.next()) {
    source += `\n${declaration(next.name, writer.write(next.schema, next.name), remarks(next.schema))}`
  }
  return source
}

const declaration = (name: string, code: Code, about: readonly string[]): string =>
  `${comment(about)}export type ${name} = ${code.text}\n`

class TypeWriter {
  readonly references: References
  #parts = 0

  constructor(root: Schema, name: string, names: Names) {
    this.references = new References(root, name, names)
  }

  write(schema: Schema, within: string): Code {
    return this.#type(schema, { indent: '', depth: 0, within })
  }

  #type(schema: unknown, place: Place): Code {
    if (schema === false) return neverType
    this.#parts += 1
    if (!isSchema(schema) || place.depth > deepest || this.#parts > mostParts) return unknownType
    const part = (inner: unknown): Code => this.#type(inner, { ...place, depth: place.depth + 1 })
    const { $ref, anyOf, oneOf, allOf, nullable } = schema
    const parts = [
      ...(typeof $ref === 'string' ? [this.references.type($ref, place.within)] : []),
      this.#own(schema, place),
      ...[anyOf, oneOf].map(schemasIn).flatMap((choices) => (choices.length > 0 ? [union(choices.map(part))] : [])),
      ...schemasIn(allOf).map(part),
    ]
    const code = intersection(parts)
    return nullable === true ? union([code, single('null')]) : code
  }

  /** The type without references and combinations. */
  #own(schema: Schema, place: Place): Code {
    if (Object.hasOwn(schema, 'const')) return single(literalType(schema.const))
    if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => single(literalType(value))))
    return union(typesOf(schema).map((type) => this.#ofType(type, schema, place)))
  }

  #ofType(type: unknown, schema: Schema, place: Place): Code {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return single(type)
      case 'number':
      case 'integer':
        return single('number')
      case 'array':
        return this.#array(schema, beneath(place))
      case 'object':
        return this.#object(schema, place)
      default:
        return unknownType
    }
  }

  #array(schema: Schema, place: Place): Code {
    const { prefixItems, items, additionalItems, minItems, maxItems } = schema
    // Before 2020-12, `prefixItems` was a list of `items`.
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const rest = Array.isArray(items) ? additionalItems : items
    if (first.length === 0) return listOf(this.#type(rest, place))
    const needed = typeof minItems === 'number' ? minItems : 0
    const texts = first.map((item, index) => {
      const { text, kind } = this.#type(item, place)
      return index < needed ? text : kind === 'single' ? `${text}?` : `(${text})?`
    })
    const closed = rest === false || (typeof maxItems === 'number' && maxItems <= first.length)
    if (!closed) texts.push(`...${listOf(this.#type(rest, place)).text}`)
    return single(`[${texts.join(', ')}]`)
  }

  #object(schema: Schema, place: Place): Code {
    const required = new Set(schemasIn(schema.required).filter((name) => typeof name === 'string'))
    const members = new Map(membersIn(schema.properties))
    for (const name of required) if (!members.has(name)) members.set(name, true)
    const inner = inside(place)
    if (members.size === 0) return single(`{ [key: string]: ${this.#others(schema, beneath(place)).text} }`)
    const lines = [...members].map(([name, member]) => {
      const about = isSchema(member) ? comment(remarks(member), inner.indent) : ''
      const mark = required.has(name) ? '' : '?'
      return `${about}${inner.indent}${propertyName(name)}${mark}: ${this.#type(member, inner).text}\n`
    })
    // Named members would have to fit the type of all others, so that is left open.
    if (isOpen(schema)) lines.push(`${inner.indent}[key: string]: unknown\n`)
    return single(`{\n${lines.join('')}${place.indent}}`)
  }

  /** The type of unnamed members. */
  #others({ additionalProperties, patternProperties }: Schema, place: Place): Code {
    const patterns = membersIn(patternProperties).map(([, schema]) => this.#type(schema, place))
    return union([...patterns, this.#type(additionalProperties, place)])
  }
}

const beneath = ({ indent, depth }: Place): Place => ({ indent, depth: depth + 1, within: undefined })
const inside = (place: Place): Place => ({ ...beneath(place), indent: `${place.indent}  ` })

/** The types of a value, from `type` or from the keywords of the schema. */
function typesOf(schema: Schema): unknown[] {
  const { type, anyOf, oneOf, allOf, $ref } = schema
  const describesMembers = objectKeywords.some((keyword) => Object.hasOwn(schema, keyword))
  // Beside a reference or a combination, `type: object` adds nothing.
  if (type === 'object' && !describesMembers && [anyOf, oneOf, allOf, $ref].some((other) => other !== undefined)) {
    return ['any']
  }
  if (Array.isArray(type) && type.length > 0) return type
  if (typeof type === 'string') return [type]
  if (describesMembers) return ['object']
  return schema.items !== undefined || schema.prefixItems !== undefined ? ['array'] : ['any']
}

const objectKeywords = ['properties', 'required', 'additionalProperties', 'patternProperties']

const isOpen = ({ additionalProperties, patternProperties }: Schema): boolean =>
  additionalProperties === true || isSchema(additionalProperties) || membersIn(patternProperties).length > 0
