import pg from 'pg'
import type { Column, Row } from './statement.ts'

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const maxDepth = 32

/** The types of `pg` leave out the numbers of arrays, such as that of `text[]`. */
const parseArray = pg.types.getTypeParser(1009 as never, 'text') as (text: string) => Json

/** Types whose values JSON can hold without loss. All others stay the text that PostgreSQL writes. */
const readers = new Map<number, (text: string) => Json>([
  [16, (text) => text === 't'],
  ...[21, 23, 26].map((id) => [id, Number] as const),
  ...[700, 701].map((id) => [id, readFloat] as const),
  ...[114, 3802].map((id) => [id, readJson] as const),
])

/** Arrays by the type of their elements. */
const arrays = new Map<number, number>([
  ...([
    [1000, 16],
    [1005, 21],
    [1007, 23],
    [1028, 26],
    [1016, 20],
    [1021, 700],
    [1022, 701],
  ] as const),
  ...([
    [199, 114],
    [3807, 3802],
    [1231, 1700],
    [2951, 2950],
  ] as const),
  ...[1009, 1015, 1014, 1182, 1115, 1185, 1002].map((id) => [id, 25] as const),
])

export function readRow(row: Row, columns: readonly Column[]): Json[] {
  return row.map((text, index) => (text === null ? null : readValue(text, columns[index]!.typeId)))
}

function readValue(text: string, typeId: number): Json {
  const element = arrays.get(typeId)
  if (element === undefined) return readers.get(typeId)?.(text) ?? text
  const read = readers.get(element)
  const parsed = parseArray(text)
  return mapNested(parsed, (value) => (read === undefined ? value : read(value)))
}

/** Arrays of arrays have elements at the bottom. */
const mapNested = (value: Json, map: (text: string) => Json): Json =>
  Array.isArray(value) ? value.map((one) => mapNested(one, map)) : value === null ? null : map(value as string)

/** JSON has no number for NaN and the infinities. */
function readFloat(text: string): Json {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** A document that is nested deeper than clients may read stays text. */
function readJson(text: string): Json {
  const value = JSON.parse(text) as Json
  return isDeeperThan(value, maxDepth) ? text : value
}

function isDeeperThan(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((one) => isDeeperThan(one, depth - 1))
}

const jsonTypes = new Set([114, 3802])

/** The text of a parameter: JSON for a parameter of that type, and for arrays the way in which PostgreSQL writes them. */
export function writeParameter(value: Json, typeId: number | undefined): string | null {
  if (value === null) return null
  if (typeId !== undefined && jsonTypes.has(typeId)) return typeof value === 'string' ? value : JSON.stringify(value)
  if (Array.isArray(value)) return writeArray(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function writeArray(values: readonly Json[]): string {
  const parts = values.map((value) => {
    if (value === null) return 'NULL'
    if (Array.isArray(value)) return writeArray(value)
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `"${text.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${parts.join(',')}}`
}

/** The name of a type, for columns. Types of the database itself are named by their number. */
const names = new Map(Object.entries(pg.types.builtins).map(([name, id]) => [id as number, name.toLowerCase()]))
names.set(19, 'name').set(1043, 'varchar').set(2249, 'record').set(705, 'unknown').set(2278, 'void')

export const typeNameOf = (id: number): string => {
  const element = arrays.get(id)
  return names.get(id) ?? (element === undefined ? `type ${id}` : `${names.get(element)}[]`)
}
