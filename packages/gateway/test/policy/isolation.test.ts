import { isRpcError, type JsonObject } from '@tenon/sdk/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GatewayCaller, GatewayItem, GatewayOutcome, GatewayRequest } from '../../src/model.ts'
import {
  ApprovalQueue,
  type AuditLine,
  AuditLog,
  type Guard,
  Limits,
  MemoryCounters,
  Policy,
  PolicyGatekeeper,
  parsePolicy,
  secretsGuard,
  textGuard,
} from '../../src/policy.ts'
import { callerOf, requestOf, toolOf } from './requests.ts'

/** Two callers who have one tool each, and share three. */
const callers = [callerOf('zoe', { groups: ['a'] }), callerOf('roy', { groups: ['b'] })] as const
const own = ['only-a', 'only-b'] as const
const shared = ['open', 'approved', 'limited'] as const

const policy = parsePolicy({
  rules: [
    { effect: 'allow', match: { name: 'only-a' }, when: '"a" in caller.groups' },
    { effect: 'allow', match: { name: 'only-b' }, when: '"b" in caller.groups' },
    { effect: 'allow', match: { name: ['open', 'limited'] } },
    { effect: 'approve', match: { name: 'approved' } },
  ],
  approvals: { by: 'queue', wait: '1h', maxPerCaller: 1000 },
  limits: [{ name: 'three', match: { name: 'limited' }, every: '1d', requests: 3 }],
})

interface Use {
  readonly kind: 'use'
  readonly isCall: boolean
  readonly who: number
  readonly tool: string
  readonly n: number
  readonly waits: number
  /** The client does not wait for the answer. */
  readonly isAbandoned: boolean
}

interface Decide {
  readonly kind: 'decide'
  readonly approve: boolean
}

const use: fc.Arbitrary<Use> = fc.record({
  kind: fc.constant('use'),
  isCall: fc.constantFrom(true, true, true, false),
  who: fc.constantFrom(0, 1),
  tool: fc.constantFrom(...own, ...shared, 'approved', 'limited'),
  n: fc.integer({ min: 0, max: 1 }),
  waits: fc.integer({ min: 0, max: 4 }),
  isAbandoned: fc.boolean(),
})
const decide: fc.Arbitrary<Decide> = fc.record({ kind: fc.constant('decide'), approve: fc.boolean() })
const steps: fc.Arbitrary<(Use | Decide)[]> = fc.array(fc.oneof({ arbitrary: use, weight: 4 }, decide), {
  minLength: 40,
  maxLength: 80,
})

const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await Promise.resolve()
}

test('two callers with different rights never see items, results, approvals or quotas of each other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const lines: AuditLine[] = []
      const audit = await AuditLog.open({
        last: async () => undefined,
        write: async (written) => void lines.push(...written),
        close: async () => {},
      })
      // A guard with turns of its own mixes the requests further.
      const pauses = new Map<string, number>()
      const callerOfRequest = new Map<string, string>()
      const slow: Guard = {
        name: 'slow',
        before: async ({ id }) => {
          await turns(pauses.get(id)!)
          return undefined
        },
      }
      const approvals = new ApprovalQueue()
      const gatekeeper = new PolicyGatekeeper({
        policy: new Policy(policy.rules),
        approvals,
        approvalSettings: policy.approvals,
        limits: new Limits(policy.limits, new MemoryCounters()),
        guards: [slow, secretsGuard(), textGuard()],
        audit,
      })
      const running: Promise<void>[] = []
      const stop = new AbortController()
      const allowed = new Map<string, number>()
      const approvedArgs = new Map<string, number>()

      const call = async (caller: GatewayCaller, item: GatewayItem, args: JsonObject, step: Use): Promise<void> => {
        const gone = new AbortController()
        const signal = AbortSignal.any([stop.signal, gone.signal])
        const request: GatewayRequest = requestOf(caller, item, args, { signal })
        if (step.isAbandoned) void turns(20).then(() => gone.abort())
        pauses.set(request.id, step.waits)
        callerOfRequest.set(request.id, caller.id)
        let outcome: GatewayOutcome
        try {
          const admitted = await gatekeeper.admit(request)
          // The arguments are those of this caller.
          expect(admitted).toEqual({ args })
          const key = `${caller.id} ${item.name}`
          allowed.set(key, (allowed.get(key) ?? 0) + 1)
          if (item.name === 'approved') {
            const exact = `${key} ${args.n}`
            approvedArgs.set(exact, (approvedArgs.get(exact) ?? 0) - 1)
          }
          outcome = { kind: 'result', result: { content: [{ type: 'text', text: `for ${caller.id}` }] } }
        } catch (error) {
          if (!isRpcError(error)) throw error
          outcome = { kind: 'error', error }
        }
        const finished = await gatekeeper.finish(request, outcome)
        expect(JSON.stringify(finished.kind === 'result' ? finished.result : finished.error)).not.toContain(
          caller.id === 'zoe' ? 'roy' : 'zoe',
        )
      }

      for (const step of all) {
        if (step.kind === 'decide') {
          const [waiting] = await approvals.list()
          if (waiting === undefined) continue
          await approvals.decide(waiting.id, step.approve ? 'approve' : 'deny', 'carol')
          const exact = `${waiting.caller.id} ${waiting.item.name} ${waiting.args.n}`
          if (step.approve) approvedArgs.set(exact, (approvedArgs.get(exact) ?? 0) + 1)
        } else {
          const caller = callers[step.who]!
          const item = toolOf(step.tool)
          const isForeign = step.tool === own[1 - step.who]
          if (!step.isCall) expect(gatekeeper.isListed(caller, 'team', item)).toBe(!isForeign)
          else running.push(call(caller, item, { n: step.n }, step))
        }
        await turns(step.kind === 'decide' ? 1 : step.waits)
      }
      stop.abort()
      await Promise.all(running)

      for (const [who, { id }] of callers.entries()) {
        expect(allowed.has(`${id} ${own[1 - who]}`)).toBe(false)
        const asked = all.filter(
          (step) => step.kind === 'use' && step.isCall && step.who === who && step.tool === 'limited',
        ).length
        // The quota of one is not touched by the other.
        expect(allowed.get(`${id} limited`) ?? 0).toBe(Math.min(3, asked))
      }
      // Nothing went through that was not approved for this caller and these arguments, and no approval counted twice.
      for (const left of approvedArgs.values()) expect(left).toBeGreaterThanOrEqual(0)
      await audit.close()
      // Every call has a decision, in the name of its caller.
      const decisions = lines.map(({ line }) => JSON.parse(line)).filter(({ type }) => type === 'decision')
      expect(decisions).toHaveLength(all.filter((step) => step.kind === 'use' && step.isCall).length)
      for (const { id, caller } of decisions) expect(caller).toBe(callerOfRequest.get(id))
    }),
    { numRuns: 25 },
  )
})

/** Conditions of every kind of shape, over arguments and facts. */
const condition: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'true',
      'false',
      'args.a == 1',
      'args.b == "x"',
      'has(args.a)',
      'args.l.exists(i, i == 1)',
      'caller.groups.exists(g, g == args.b)',
      '"a" in caller.groups',
      'caller.claims.missing == 1',
      'args.?a.orValue(2) == 2',
      'name == "open"',
    ),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(${a} && ${b})`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(${a} || ${b})`),
    tie('any').map((a) => `!(${a})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
})).any

test('an item that is not listed is denied for all arguments, and a failure never lets more through', () => {
  const rules = fc.array(fc.record({ effect: fc.constantFrom('allow', 'approve', 'deny'), when: condition }), {
    maxLength: 4,
  })
  const args = fc.record(
    {
      a: fc.oneof(fc.constantFrom(1, 2), fc.string()),
      b: fc.constantFrom('x', 'a', 5),
      l: fc.oneof(fc.array(fc.integer({ min: 0, max: 2 })), fc.constant('no list')),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(rules, fc.array(args, { minLength: 1, maxLength: 5 }), (written, calls) => {
      const { rules: parsed } = parsePolicy({ rules: written })
      const made = new Policy(parsed)
      const item = toolOf('open')
      for (const caller of callers) {
        const isListed = made.isListed(caller, 'team', item)
        for (const each of calls) {
          const decision = made.decide(caller, 'team', item, each as JsonObject)
          if (!isListed) expect(decision.effect).toBe('deny')
          expect(made.explain(caller, 'team', item, each as JsonObject)).toMatchObject({ ...decision, isListed })
        }
      }
    }),
    { numRuns: 80 },
  )
})
