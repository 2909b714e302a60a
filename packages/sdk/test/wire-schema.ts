import { listIn, readSchema, readTable } from '../../../conformance/spec/tables.ts'
import type { Side } from '../src/jsonrpc/channel.ts'
import type { JsonObject, RequestId } from '../src/jsonrpc/message.ts'
import type { Revision } from '../src/model/revision.ts'
import type { CompiledSchema } from '../src/schema/validator.ts'
import { compileSchema } from '../src/schema/validator.ts'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The form of a method in one revision, from `conformance/spec/methods.tsv`. */
export interface MethodInfo {
  method: string
  kind: 'request' | 'notification'
  senders: Side[]
  /** False for the requests of 2026-07-28 that travel inside a result. */
  jsonRpc: boolean
  messageType: string
  resultTypes: string[]
}

/** The core methods of a revision, by name. */
export const methodsOf = once((revision: Revision): ReadonlyMap<string, MethodInfo> => {
  const rows = readTable('methods').filter(
    ({ extension, revisions }) => extension === '' && listIn(revisions).includes(revision),
  )
  const infos = rows.map(({ method, kind, sender, carrier, message, results }): MethodInfo => {
    return {
      method,
      kind: kind as MethodInfo['kind'],
      senders: listIn(sender) as Side[],
      jsonRpc: carrier === 'json-rpc',
      messageType: message,
      resultTypes: listIn(results),
    }
  })
  return new Map(infos.map((info) => [info.method, info]))
})

/**
 * The published schema of a revision, with one defect of its generator corrected: where `schema.ts` says `number`
 * inside a union, `schema.json` says `integer`, and `null` is lost.
 */
export const schemaOf = once((revision: Revision): JsonObject => {
  const schema = mend(readSchema(revision)) as JsonObject
  const definitions = (schema.$defs ?? schema.definitions) as { [name: string]: JsonObject }
  const jsonValue = definitions.JSONValue
  if (jsonValue) jsonValue.anyOf = [...(jsonValue.anyOf as unknown[]), { type: 'null' }]
  return schema
})

function mend(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.join() === 'string,integer,boolean' ? ['string', 'number', 'boolean'] : value.map(mend)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mend(member)]))
}

export const definitionsOf = (revision: Revision): { [name: string]: JsonObject } => {
  const schema = schemaOf(revision)
  return (schema.$defs ?? schema.definitions) as { [name: string]: JsonObject }
}

const compiled = new Map<string, CompiledSchema>()

/** The faults of a value as a named type of the revision. */
export function validateType(revision: Revision, type: string, value: unknown): string[] {
  if (!(type in definitionsOf(revision))) return [`${revision} has no type ${type}`]
  const issues = compiledType(revision, type).validate(value)
  return issues.map(({ path, message }) => `${revision} ${type} /${path.join('/')}: ${message}`)
}

function compiledType(revision: Revision, type: string): CompiledSchema {
  const key = `${revision} ${type}`
  const schema = schemaOf(revision)
  const container = '$defs' in schema ? '$defs' : 'definitions'
  const check = compiled.get(key) ?? compileSchema({ ...schema, $ref: `#/${container}/${type}` })
  compiled.set(key, check)
  return check
}

export interface ValidateOptions {
  /** The method of the request that a response answers. Without it a response is only checked as a response. */
  methodOf?: (id: RequestId) => string | undefined
}

/** The faults of a message on the wire: none, or one line per problem. */
export function validateMessage(
  revision: Revision,
  sender: Side,
  message: unknown,
  { methodOf = () => undefined }: ValidateOptions = {},
): string[] {
  if (Array.isArray(message)) {
    if (revision !== '2025-03-26') return [`${revision} has no batches`]
    return message.flatMap((one, index) =>
      validateMessage(revision, sender, one, { methodOf }).map((problem) => `[${index}] ${problem}`),
    )
  }
  if (!isObject(message)) return ['a message is an object']
  // Checked as sent: without undefined members.
  const sent = JSON.parse(JSON.stringify(message)) as JsonObject
  if ('error' in sent) return validateError(revision, sent)
  if ('result' in sent) return validateResponse(revision, sender, sent, methodOf(sent.id as RequestId))
  return validateCall(revision, sender, sent)
}

function validateCall(revision: Revision, sender: Side, message: JsonObject): string[] {
  const kind = 'id' in message ? 'request' : 'notification'
  const generic = validateType(revision, kind === 'request' ? 'JSONRPCRequest' : 'JSONRPCNotification', message)
  const info = methodsOf(revision).get(String(message.method))
  if (!info) return generic
  if (!info.jsonRpc) return [...generic, `${info.method} is not a message of its own in ${revision}`]
  if (info.kind !== kind) return [...generic, `${info.method} is a ${info.kind}`]
  if (!info.senders.includes(sender)) return [...generic, `${info.method} is not sent by the ${sender}`]
  return [...generic, ...validateType(revision, info.messageType, message)]
}

function validateResponse(revision: Revision, sender: Side, message: JsonObject, method: string | undefined): string[] {
  const modern = 'JSONRPCResultResponse' in definitionsOf(revision)
  const generic = validateType(revision, modern ? 'JSONRPCResultResponse' : 'JSONRPCResponse', message)
  if (revision === '2026-07-28' && sender === 'client') return [...generic, 'clients send no responses in 2026-07-28']
  const info = method === undefined ? undefined : methodsOf(revision).get(method)
  return info ? [...generic, ...validateResult(revision, info, message.result)] : generic
}

/** The faults of the result of a method. */
export function validateResult(revision: Revision, { method, resultTypes }: MethodInfo, result: unknown): string[] {
  // The type of an unfinished result fits nearly everything, so `resultType` decides.
  const unfinished = isObject(result) && result.resultType === 'input_required'
  const candidates = resultTypes.filter((type) => (type === 'InputRequiredResult') === unfinished)
  if (candidates.length === 0) return [`${method} cannot be answered with ${unfinished ? 'input_required' : 'this'}`]
  const attempts = candidates.map((type) => validateType(revision, type, result))
  return attempts.some((problems) => problems.length === 0) ? [] : attempts.flat()
}

const errorTypes: { [code: number]: string } = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
  [-32042]: 'URLElicitationRequiredError',
}

function validateError(revision: Revision, message: JsonObject): string[] {
  const definitions = definitionsOf(revision)
  const generic = validateType(
    revision,
    'JSONRPCError' in definitions ? 'JSONRPCError' : 'JSONRPCErrorResponse',
    message,
  )
  const code = isObject(message.error) ? Number(message.error.code) : Number.NaN
  const type = errorTypes[code]
  if (!type) return generic
  return type in definitions
    ? [...generic, ...validateType(revision, type, message)]
    : [...generic, `${revision} has no error ${code}`]
}

function once<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}
