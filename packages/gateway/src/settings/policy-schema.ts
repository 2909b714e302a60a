import type { JsonObject } from '@tenon/sdk/client'
import { bytesSchema, durationSchema, textsSchema } from './values.ts'

const object = (properties: JsonObject, required: readonly string[] = [], description = ''): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  ...(description !== '' && { description }),
})

const match: JsonObject = object(
  {
    server: textsSchema(undefined, 'The virtual server, with *'),
    upstream: textsSchema(undefined, 'The upstream, with *'),
    kind: textsSchema({ enum: ['tool', 'prompt', 'resource', 'template'] }),
    name: textsSchema(undefined, 'The name or URI, as the upstream has it, with *'),
  },
  [],
  'Selects items; all members have to match',
)

const name: JsonObject = { type: 'string', minLength: 1, maxLength: 100, description: 'For logs and explanations' }

const rule = object(
  {
    name,
    effect: { enum: ['allow', 'approve', 'deny'], description: 'The strictest rule that matches decides' },
    match,
    when: {
      type: 'string',
      minLength: 1,
      description: 'A condition in CEL over caller, server, upstream, kind, name, annotations, args and now',
    },
  },
  ['effect'],
)

const limit = object(
  {
    name,
    match,
    per: textsSchema(
      { enum: ['caller', 'server', 'upstream', 'item'] },
      'What has a counter of its own; default: caller',
    ),
    every: durationSchema,
    requests: { type: 'integer', minimum: 1 },
    tokens: { type: 'integer', minimum: 1, description: 'Of arguments and results, estimated' },
  },
  ['every'],
)

const approvals = object({
  by: textsSchema({ enum: ['client', 'queue'] }, 'Whom to ask, in this order'),
  expiresAfter: durationSchema,
  wait: durationSchema,
  allowOwn: { type: 'boolean', description: 'Whether callers may approve their own requests in the queue' },
  maxPerCaller: { type: 'integer', minimum: 1 },
})

const pins = object(
  {
    firstUse: { enum: ['approve', 'block'], description: 'The definition that is seen first; default: approve' },
    file: { type: 'string', minLength: 1 },
    postgres: { type: 'string', minLength: 1, description: 'The URL of a database' },
  },
  [],
  'Blocks definitions that changed until somebody approves them',
)

const guards = object({
  secrets: object({ action: { enum: ['hide', 'refuse'] } }, [], 'Keys and tokens in results'),
  size: object({ maxArgs: bytesSchema, maxResult: bytesSchema, mediaTypes: textsSchema() }),
  texts: object({
    invisible: { enum: ['remove', 'refuse', 'allow'] },
    instructions: { enum: ['mark', 'refuse', 'allow'] },
  }),
})

/** The JSON Schema of the section `policy`. */
export const policySchema: JsonObject = object(
  {
    default: { enum: ['allow', 'approve', 'deny'], description: 'The effect where no rule matches; default: deny' },
    rules: { type: 'array', items: rule, maxItems: 1_000 },
    approvals,
    limits: { type: 'array', items: limit, maxItems: 100 },
    pins,
    guards,
  },
  [],
  'What callers see and may do',
)

/** The JSON Schema of the section `audit`. */
export const auditSchema: JsonObject = object(
  {
    folder: { type: 'string', minLength: 1, description: 'A folder for the files of the log' },
    maxFile: bytesSchema,
    sync: { enum: ['always', 'interval', 'never'], description: 'When files are synchronized; default: interval' },
    syncEvery: durationSchema,
    postgres: { type: 'string', minLength: 1, description: 'The URL of a database, in place of a folder' },
    onFailure: {
      enum: ['refuse', 'continue'],
      description: 'Requests while the log cannot be written; default: refuse',
    },
  },
  [],
  'A hash-chained log of every decision and call',
)
