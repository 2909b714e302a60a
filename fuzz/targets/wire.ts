import fc from 'fast-check'
import { ErrorCode, isMcpError, isRpcError } from '../../packages/sdk/src/errors.ts'
import type { JsonObject } from '../../packages/sdk/src/jsonrpc/message.ts'
import { metaKeys } from '../../packages/sdk/src/model/meta.ts'
import { type Revision, revisions } from '../../packages/sdk/src/model/revision.ts'
import { codecFor, hasHandshake } from '../../packages/sdk/src/wire/codecs.ts'
import { modelInputRequired, modelParams, modelResults } from '../../packages/sdk/test/model-arbitrary.ts'
import { methodsOf, validateMessage, validateResult, validateType } from '../../packages/sdk/test/wire-schema.ts'
import { mutatedValue } from '../lib/mutate.ts'
import { assert, assertEqual, show, type Target, target } from '../lib/target.ts'

interface Input {
  revision: Revision
  method: string
  value: JsonObject
}

const revision = fc.constantFrom(...revisions)
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const asSent = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

/** Values of the model, by method, mutated. */
function from(models: { readonly [method: string]: fc.Arbitrary<JsonObject> }): fc.Arbitrary<Input> {
  const methods = Object.keys(models)
  return fc.constantFrom(...methods).chain((method) => {
    const value = mutatedValue(models[method]!).filter(isObject)
    return fc.record({ revision, method: fc.constant(method), value })
  })
}

/** The same for methods that its revision has, each as often as any other. */
function fromExisting(kind: 'params' | 'result'): fc.Arbitrary<Input & { kind: string }> {
  const models = kind === 'params' ? modelParams : modelResults
  const places = revisions.flatMap((revision) =>
    [...methodsOf(revision).keys()]
      .filter((method) => models[method] !== undefined && !/tasks\//.test(method))
      .map((method) => ({ revision, method, kind })),
  )
  return fc
    .constantFrom(...places)
    .chain((place) => fc.record({ ...constants(place), value: valuesOf(place, models[place.method]!) }))
}

/** Input requests may replace these results. */
const asking = new Set(['tools/call', 'prompts/get', 'resources/read'])
const valuesOf = (
  { revision, method, kind }: { revision: Revision; method: string; kind: string },
  values: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<JsonObject> =>
  kind === 'result' && revision === '2026-07-28' && asking.has(method) ? fc.oneof(values, modelInputRequired) : values

const constants = <T extends object>(values: T): { [name in keyof T]: fc.Arbitrary<T[name]> } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)])) as never

/** The result of a decoder, or nothing if it refused in an allowed way. */
function decoded(decode: () => JsonObject, isRefusal: (error: unknown) => boolean): JsonObject | undefined {
  try {
    return decode()
  } catch (error) {
    assert(isRefusal(error), `threw ${String(error)}`)
    const { message } = error as Error
    assert(/expected .+, got .+|:/.test(message), `vague: ${message}`)
    return undefined
  }
}

const refusesParams = (error: unknown): boolean => isRpcError(error) && error.code === ErrorCode.InvalidParams
const refusesResult = (error: unknown): boolean => isMcpError(error) && error.code === 'invalid_result'

export const params: Target = target({
  name: 'params',
  claim: 'params of every revision are read or refused with -32602, and say the same when they are said again',
  inputs: from(modelParams),
  check({ revision, method, value }: Input) {
    const codec = codecFor(revision)
    const before = JSON.stringify(value)
    const read = (wire: JsonObject) => decoded(() => codec.decodeParams(method, wire), refusesParams)
    const first = read(value)
    assertEqual(value, JSON.parse(before), 'the params after reading them')
    if (first === undefined) return
    stable(first, (model) => asSent(codec.encodeParams(method, model)), read)
  },
})

export const results: Target = target({
  name: 'results',
  claim: 'results of every revision are read or refused as invalid, and say the same when they are said again',
  inputs: from(modelResults),
  check({ revision, method, value }: Input) {
    const codec = codecFor(revision)
    const before = JSON.stringify(value)
    const read = (wire: JsonObject) => decoded(() => codec.decodeResult(method, wire), refusesResult)
    const first = read(value)
    assertEqual(value, JSON.parse(before), 'the result after reading it')
    if (first === undefined) return
    stable(first, (model) => asSent(codec.encodeResult(method, model)), read)
  },
})

/** Once encoded for a revision, encoding again changes nothing. */
function stable(
  model: JsonObject,
  say: (model: JsonObject) => JsonObject,
  read: (wire: JsonObject) => JsonObject | undefined,
): void {
  const said = say(model)
  const understood = read(said)
  if (understood === undefined) return
  const again = say(understood)
  const twice = read(again)
  assert(twice !== undefined, `understood once, and not again: ${show(again)}`)
  assertEqual(say(twice), again, 'said again')
}

const needsEnvelope = (revision: Revision, method: string): boolean => {
  const codec = codecFor(revision)
  return !hasHandshake(revision) && codec.requests.client.has(method)
}

const envelope = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: {} }

export const schemas: Target = target({
  name: 'wire-schema',
  claim: 'what a revision says of any model is valid in the published schema of that revision',
  inputs: fc.oneof(fromExisting('params'), fromExisting('result')),
  check({ revision, method, value, kind }: Input & { kind: string }) {
    const info = methodsOf(revision).get(method)!
    const codec = codecFor(revision)
    if (kind === 'result') {
      assertEqual(validateResult(revision, info, asSent(codec.encodeResult(method, value))), [], 'problems')
      return
    }
    const meta = needsEnvelope(revision, method) ? { _meta: { ...(value._meta as object), ...envelope } } : {}
    const params = codec.encodeParams(method, { ...value, ...meta })
    const message = { jsonrpc: '2.0', ...(info.kind === 'request' && { id: 1 }), method, params }
    const problems = info.jsonRpc
      ? validateMessage(revision, info.senders[0]!, message)
      : validateType(revision, info.messageType, asSent({ method, params }))
    assertEqual(problems, [], 'problems')
  },
})
