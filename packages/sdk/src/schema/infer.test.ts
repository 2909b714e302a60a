import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { InferSchema, InferSchemaInput, SchemaLike } from './bridge.ts'

const accept = <S extends SchemaLike>(schema: S): S => schema

test('Standard Schema libraries tell their own types', () => {
  const zod = accept(z.object({ a: z.string().transform(Number), b: z.boolean().optional() }))
  expectTypeOf<InferSchema<typeof zod>>().toEqualTypeOf<{ a: number; b?: boolean | undefined }>()
  expectTypeOf<InferSchemaInput<typeof zod>>().toEqualTypeOf<{ a: string; b?: boolean | undefined }>()
  const valibot = accept(toStandardJsonSchema(v.object({ a: v.number() })))
  expectTypeOf<InferSchema<typeof valibot>>().toEqualTypeOf<{ a: number }>()
  const arktype = accept(type({ a: 'number', 'b?': 'string' }))
  expectTypeOf<InferSchema<typeof arktype>>().toEqualTypeOf<{ a: number; b?: string }>()
})

test('TypeBox schemas are understood as the JSON Schemas they are', () => {
  const typebox = accept(
    Type.Object({
      a: Type.String(),
      b: Type.Optional(Type.Array(Type.Integer())),
      c: Type.Union([Type.Literal('x'), Type.Null()]),
      d: Type.Object({ e: Type.Enum(['m', 'n']) }),
      u: Type.Unsafe<Date>({}),
    }),
  )
  expectTypeOf<InferSchema<typeof typebox>>().toEqualTypeOf<{
    a: string
    b?: number[]
    c: 'x' | null
    d: { e: 'm' | 'n' }
    u: Date
  }>()
  const loose = accept(Type.Object({ a: Type.Optional(Type.String()) }))
  expectTypeOf<InferSchema<typeof loose>>().toEqualTypeOf<{ a?: string }>()
})

test('literal JSON Schemas are understood as far as they go', () => {
  const literal = accept({
    type: 'object',
    properties: {
      name: { type: 'string' },
      size: { enum: ['s', 'l'] },
      maybe: { type: ['number', 'null'] },
      list: { type: 'array', items: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
      rest: { $ref: '#/$defs/other' },
    },
    required: ['name', 'list'],
    $defs: { other: {} },
  } as const)
  expectTypeOf<InferSchema<typeof literal>>().toEqualTypeOf<{
    name: string
    list: { ok: boolean }[]
    size?: 's' | 'l'
    maybe?: number | null
    rest?: unknown
  }>()
  const open = accept({ type: 'object' } as const)
  expectTypeOf<InferSchema<typeof open>>().toEqualTypeOf<{ [name: string]: unknown }>()
})

test('a Valibot schema without its JSON Schema half does not compile', () => {
  // @ts-expect-error it has to be wrapped in toStandardJsonSchema
  accept(v.object({ a: v.string() }))
})

test('what is not known is unknown', () => {
  expectTypeOf<InferSchema<{ type: string }>>().toEqualTypeOf<unknown>()
  expectTypeOf<InferSchema<SchemaLike>>().toEqualTypeOf<unknown>()
})
