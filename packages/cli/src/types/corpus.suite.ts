import type { JsonSchema } from '@tenon/sdk/client'

/** Schemas, their types, and values that each type accepts and refuses. */
export const corpus: { becomes: string; schema: JsonSchema; takes: unknown[]; refuses: unknown[] }[] = [
  { becomes: 'unknown', schema: {}, takes: [1, null], refuses: [] },
  { becomes: 'string', schema: { type: 'string' }, takes: ['a'], refuses: [1, null] },
  { becomes: 'number', schema: { type: 'integer' }, takes: [1], refuses: ['1'] },
  { becomes: 'string | null', schema: { type: ['string', 'null'] }, takes: ['a', null], refuses: [1] },
  { becomes: 'number | null', schema: { type: 'number', nullable: true }, takes: [1, null], refuses: ['1'] },
  { becomes: "'a' | 'b' | 1 | null", schema: { enum: ['a', 'b', 1, null] }, takes: ['a', 1, null], refuses: ['c', 2] },
  {
    becomes: "{ kind: 'x'; at: [1, -2] }",
    schema: { const: { kind: 'x', at: [1, -2] } },
    takes: [{ kind: 'x', at: [1, -2] }],
    refuses: [{ kind: 'y', at: [1, -2] }],
  },
  {
    becomes: `{
  a: number
  /** What it is called */
  'b c'?: string
}`,
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, 'b c': { type: 'string', description: 'What it is called' } },
      required: ['a'],
    },
    takes: [{ a: 1 }, { a: 1, 'b c': 'x' }],
    refuses: [{}, { a: 'x' }, { a: 1, d: 1 }],
  },
  {
    becomes: `{
  a?: number
  [key: string]: unknown
}`,
    schema: { properties: { a: { type: 'number' } }, additionalProperties: { type: 'string' } },
    takes: [{ a: 1, d: 'x' }],
    refuses: [{ a: 'x' }],
  },
  {
    becomes: '{ [key: string]: number }',
    schema: { type: 'object', additionalProperties: { type: 'number' } },
    takes: [{ x: 1 }],
    refuses: [{ x: '1' }],
  },
  {
    becomes: '{ [key: string]: never }',
    schema: { type: 'object', additionalProperties: false },
    takes: [{}],
    refuses: [{ x: 1 }],
  },
  { becomes: '{ [key: string]: unknown }', schema: { type: 'object' }, takes: [{ x: 1 }], refuses: [1] },
  {
    becomes: '{ [key: string]: string }',
    schema: { patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    takes: [{ x: 'a' }],
    refuses: [{ x: 1 }],
  },
  {
    becomes: '(string | number)[]',
    schema: { type: 'array', items: { type: ['string', 'number'] } },
    takes: [['a', 1], []],
    refuses: [[true]],
  },
  { becomes: 'unknown[]', schema: { type: 'array' }, takes: [[1, 'a']], refuses: ['a'] },
  {
    becomes: '[string, number?]',
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false },
    takes: [['a'], ['a', 1]],
    refuses: [[], ['a', 1, 2]],
  },
  {
    becomes: '[string?, ...boolean[]]',
    schema: { items: [{ type: 'string' }], additionalItems: { type: 'boolean' } },
    takes: [[], ['a', true]],
    refuses: [[1], ['a', 'b']],
  },
  {
    becomes: `{
  kind: 'a'
  x: number
} | {
  kind: 'b'
}`,
    schema: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    },
    takes: [{ kind: 'a', x: 1 }, { kind: 'b' }],
    refuses: [{ kind: 'a' }, { kind: 'c' }],
  },
  {
    becomes: `{
  a?: string
  b?: string
} & ({
  a: unknown
} | {
  b: unknown
})`,
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    takes: [{ a: 'x' }, { b: 'x' }],
    refuses: [{}, { a: 1 }],
  },
  {
    becomes: `{
  a: number
} & {
  b: number
}`,
    schema: {
      allOf: [
        { properties: { a: { type: 'number' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    },
    takes: [{ a: 1, b: 2 }],
    refuses: [{ a: 1 }],
  },
  {
    becomes: `{
  value: number
  children?: T[]
}`,
    schema: {
      type: 'object',
      properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['value'],
    },
    takes: [{ value: 1, children: [{ value: 2, children: [] }] }],
    refuses: [{ value: 1, children: [{}] }],
  },
  {
    becomes: `TTree | null

export type TTree = {
  left?: TTree
  right?: TTree
}`,
    schema: {
      anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }],
      $defs: {
        tree: { type: 'object', properties: { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } } },
      },
    },
    takes: [null, { left: { right: {} } }],
    refuses: [{ left: 1 }],
  },
  { becomes: 'unknown', schema: { $ref: '#' }, takes: [1], refuses: [] },
  {
    becomes: `TA

export type TA = TB

export type TB = unknown`,
    schema: {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] } },
    },
    takes: [1],
    refuses: [],
  },
  { becomes: 'unknown', schema: { $ref: 'https://example.com/elsewhere' }, takes: [1], refuses: [] },
  { becomes: 'never', schema: { enum: [] }, takes: [], refuses: [1] },
]
