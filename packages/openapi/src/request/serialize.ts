import { isObject } from '../document/json.ts'
import type { Parameter } from '../document/operation.ts'

const plain = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value === null || value === undefined ? '' : String(value)
}

/** Names and values in turn, or with `=` between them. */
const pairs = (value: object, between: string, encode: (text: string) => string): string[] =>
  Object.entries(value).map(([name, one]) => `${encode(name)}${between}${encode(plain(one))}`)

/** The text of a parameter in a path or a header, in its style. */
export function inPath({ name, style, explode }: Parameter, value: unknown, encode: (text: string) => string): string {
  if (style === 'json') return encode(JSON.stringify(value))
  const isList = typeof value === 'object' && value !== null
  const parts = Array.isArray(value)
    ? value.map((one) => encode(plain(one)))
    : isList
      ? pairs(value, explode ? '=' : ',', encode)
      : [encode(plain(value))]
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  const prefix = `;${encode(name)}=`
  if (!explode || !isList) return `${prefix}${parts.join(',')}`
  return Array.isArray(value)
    ? parts.map((part) => `${prefix}${part}`).join('')
    : parts.map((part) => `;${part}`).join('')
}

const separators = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
])

/** The names and values of a parameter in a query, a cookie or a form. */
export function inQuery(
  { name, style, explode }: Pick<Parameter, 'name' | 'style' | 'explode'>,
  value: unknown,
): [string, string][] {
  if (style === 'json') return [[name, JSON.stringify(value)]]
  if (Array.isArray(value)) {
    if (explode) return value.map((one) => [name, plain(one)])
    return [[name, value.map(plain).join(separators.get(style) ?? ',')]]
  }
  if (!isObject(value)) return [[name, plain(value)]]
  if (style === 'deepObject') return deep(name, value, 0)
  if (explode) return Object.entries(value).map(([key, one]) => [key, plain(one)])
  return [
    [
      name,
      Object.entries(value)
        .flatMap(([key, one]) => [key, plain(one)])
        .join(separators.get(style) ?? ','),
    ],
  ]
}

function deep(name: string, value: unknown, depth: number): [string, string][] {
  if (depth > 8 || typeof value !== 'object' || value === null) return [[name, plain(value)]]
  if (Array.isArray(value)) return value.map((one) => [name, plain(one)])
  return Object.entries(value).flatMap(([key, one]) => deep(`${name}[${key}]`, one, depth + 1))
}
