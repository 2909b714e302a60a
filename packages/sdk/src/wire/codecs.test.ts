import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelInputRequired, modelParams, modelResults } from '../../test/model-arbitrary.ts'
import { arbitraryOf } from '../../test/schema-arbitrary.ts'
import type { MethodInfo } from '../../test/wire-schema.ts'
import { methodsOf, validateMessage, validateResult, validateType } from '../../test/wire-schema.ts'
import type { Side } from '../jsonrpc/channel.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import { revisions } from '../model/revision.ts'
import type { Codec } from './codec.ts'
import { codecFor, hasHandshake } from './codecs.ts'

const isTask = ({ method }: MethodInfo) => /^(notifications\/)?tasks\//.test(method)
const methodInfos = (revision: Revision) => [...methodsOf(revision).values()].filter((info) => !isTask(info))
const requestsOf = (revision: Revision) => methodInfos(revision).filter(({ kind }) => kind === 'request')

const envelope = {
  [metaKeys.protocolVersion]: '2026-07-28',
  [metaKeys.clientCapabilities]: { roots: { listChanged: true }, elicitation: {} },
}
const needsEnvelope = (codec: Codec, { method }: MethodInfo) =>
  !hasHandshake(codec.revision) && codec.requests.client.has(method)

test.each(revisions)('%s is described as itself, and opens with a request that it has', (revision) => {
  const { revision: described, requests } = codecFor(revision)
  expect(described).toBe(revision)
  expect(requests.client.has(hasHandshake(revision) ? 'initialize' : 'server/discover')).toBe(true)
})

/** Params for a codec: with the `_meta` that requests of 2026-07-28 carry. */
function paramsFor(codec: Codec, info: MethodInfo) {
  const params = modelParams[info.method]!
  if (!needsEnvelope(codec, info)) return params
  return params.map((value): JsonObject => ({ ...value, _meta: { ...(value._meta as object), ...envelope } }))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

const asSent = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value))

const runs = { numRuns: 40 }

test('every published revision has a codec, made once', () => {
  for (const revision of revisions) expect(codecFor(revision).revision).toBe(revision)
  for (const revision of revisions) expect(codecFor(revision)).toBe(codecFor(revision))
})

describe('against the published schemas', () => {
  describe.each(revisions)('%s', (revision) => {
    const codec = codecFor(revision)

    test('has exactly the methods of the specification', () => {
      const named = (kind: string, sender: Side) =>
        methodInfos(revision)
          .filter((info) => info.kind === kind && info.jsonRpc && info.senders.includes(sender))
          .map(({ method }) => method)
      for (const side of ['client', 'server'] as const) {
        const known = (methods: ReadonlySet<string>) => [...methods].filter((method) => !/tasks/.test(method)).sort()
        expect(known(codec.requests[side])).toEqual(named('request', side).sort())
        expect(known(codec.notifications[side])).toEqual(named('notification', side).sort())
      }
    })

    test.each(methodInfos(revision))('says valid params of $method, and understands them', (info) => {
      fc.assert(
        fc.property(paramsFor(codec, info), (params) => {
          const encoded = codec.encodeParams(info.method, deepFreeze(params))
          const { method, kind, senders } = info
          const message = { jsonrpc: '2.0', ...(kind === 'request' && { id: 1 }), method, params: encoded }
          const problems = info.jsonRpc
            ? validateMessage(revision, senders[0]!, message)
            : validateType(revision, info.messageType, asSent({ method, params: encoded }))
          expect(problems).toEqual([])
          codec.decodeParams(method, asSent(encoded))
        }),
        runs,
      )
    })

    test.each(requestsOf(revision))('says valid results of $method, and understands them', (info) => {
      fc.assert(
        fc.property(modelResults[info.method]!, (result) => {
          const encoded = codec.encodeResult(info.method, deepFreeze(result))
          expect(validateResult(revision, info, asSent(encoded))).toEqual([])
          codec.decodeResult(info.method, asSent(encoded))
        }),
        runs,
      )
    })

    test.each(methodInfos(revision))('understands all valid params of $method', (info) => {
      fc.assert(
        fc.property(arbitraryOf(revision, info.messageType), (message) => {
          codec.decodeParams(info.method, asSent(message as JsonObject).params as JsonObject | undefined)
        }),
        runs,
      )
    })

    test.each(requestsOf(revision))('understands all valid results of $method', (info) => {
      for (const type of info.resultTypes.filter((name) => name !== 'CreateTaskResult')) {
        const resultType = type === 'InputRequiredResult' ? 'input_required' : 'complete'
        fc.assert(
          fc.property(arbitraryOf(revision, type), (value) => {
            const result = asSent(value as JsonObject)
            codec.decodeResult(info.method, 'resultType' in result ? { ...result, resultType } : result)
          }),
          runs,
        )
      }
    })
  })

  test('requests for input are valid in 2026-07-28', () => {
    const codec = codecFor('2026-07-28')
    fc.assert(
      fc.property(modelInputRequired, (result) => {
        const encoded = codec.encodeResult('tools/call', deepFreeze(result))
        expect(encoded).not.toHaveProperty('ttlMs')
        expect(validateType('2026-07-28', 'InputRequiredResult', asSent(encoded))).toEqual([])
        expect(codec.decodeResult('tools/call', asSent(encoded))).toEqual(asSent(encoded))
      }),
      runs,
    )
  })
})
