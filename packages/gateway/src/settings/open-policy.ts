import { ApprovalQueue } from '../approvals/approval-queue.ts'
import { auditFiles } from '../audit/audit-files.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { auditTable } from '../audit/audit-table.ts'
import { Refusals } from '../audit/refusals.ts'
import type { AuditPlace } from '../audit/search-audit.ts'
import { openDatabase } from '../database/database.ts'
import type { Guard } from '../guards/guard.ts'
import { secretsGuard } from '../guards/secrets-guard.ts'
import { sizeGuard } from '../guards/size-guard.ts'
import { textGuard } from '../guards/text-guard.ts'
import type { CounterStore } from '../limits/counters.ts'
import { Limits } from '../limits/limits.ts'
import { MemoryCounters } from '../limits/memory-counters.ts'
import { pinFile } from '../pins/pin-file.ts'
import { pinTable } from '../pins/pin-table.ts'
import { Pins } from '../pins/pins.ts'
import { PolicyGatekeeper } from '../policy/gatekeeper.ts'
import { Policy } from '../policy/policy.ts'
import type { SharedState } from '../sharing/shared-state.ts'
import type { GatewayMetrics } from '../telemetry/metrics.ts'
import type { AuditSettings } from './parse-audit.ts'
import type { PolicySettings } from './parse-policy.ts'

export interface OpenPolicyOptions {
  readonly policy: PolicySettings
  readonly audit?: AuditSettings | undefined
  /** Default: those of `shared`, or in the memory of this process. */
  readonly counters?: CounterStore
  /** Counters and approvals that other gateways have too. It is closed by whoever opened it. */
  readonly shared?: Pick<SharedState, 'counters' | 'approvals'> | undefined
  /** After those of the configuration. */
  readonly guards?: readonly Guard[]
  readonly metrics?: readonly GatewayMetrics[]
  readonly onError?: (error: unknown) => void
}

/** A gatekeeper with its state. */
export interface OpenPolicy extends AsyncDisposable {
  readonly gatekeeper: PolicyGatekeeper
  readonly approvals: ApprovalQueue
  readonly pins: Pins | undefined
  readonly audit: AuditLog | undefined
  /** Where `searchAudit` finds the log. */
  readonly auditPlace: AuditPlace | undefined
  /** A gatekeeper with other rules and the same state: approvals, counters, pins and audit go on. */
  change(policy: PolicySettings): PolicyGatekeeper
  close(): Promise<void>
}

/**
 * Opens the stores of the sections `policy` and `audit`, and makes the gatekeeper of them.
 *
 * @example
 * await using opened = await openPolicy({ policy: parsePolicy({ rules: [{ effect: 'allow' }] }) })
 */
export async function openPolicy(options: OpenPolicyOptions): Promise<OpenPolicy> {
  const { audit: auditSettings, shared, metrics = [], onError = () => {} } = options
  const counters = options.counters ?? shared?.counters ?? new MemoryCounters()
  const stack = new AsyncStack()
  try {
    const opened = auditSettings && (await openAudit(auditSettings))
    const audit = opened && stack.use(opened.log)
    const refusals = audit && stack.use(new Refusals(audit, { onError }))
    const note = (event: { type: string; [detail: string]: unknown }): void => {
      audit?.record(event).catch(onError)
    }
    const pins = options.policy.pins && (await openPins(options.policy.pins, stack, note, onError))
    const approvals = new ApprovalQueue({
      store: shared?.approvals,
      onDecision: ({ id, caller, item, state, decidedBy }) =>
        note({ type: 'approval', approval: id, caller: caller.id, ...item, verdict: state, by: decidedBy }),
    })
    stack.use(approvals)
    const gatekeeperOf = (policy: PolicySettings): PolicyGatekeeper =>
      new PolicyGatekeeper({
        policy: new Policy(policy.rules, policy.default),
        approvals,
        approvalSettings: policy.approvals,
        limits: new Limits(policy.limits, counters),
        pins,
        guards: [...guardsOf(policy.guards), ...(options.guards ?? [])],
        audit,
        refusals,
        onAuditFailure: auditSettings?.onFailure ?? 'refuse',
        metrics,
        onError,
      })
    return {
      gatekeeper: gatekeeperOf(options.policy),
      approvals,
      pins,
      audit,
      auditPlace: opened?.place,
      change: gatekeeperOf,
      close: () => stack.close(),
      [Symbol.asyncDispose]: () => stack.close(),
    }
  } catch (error) {
    await stack.close()
    throw error
  }
}

async function openAudit({ folder, postgres, onFailure: _, ...files }: AuditSettings): Promise<{
  readonly log: AuditLog
  readonly place: AuditPlace
}> {
  if (folder !== undefined) return { log: await AuditLog.open(auditFiles({ folder, ...files })), place: { folder } }
  const database = await openDatabase(postgres!)
  return { log: await AuditLog.open(await auditTable(database, database.close)), place: { database } }
}

/** So long another gateway may use a definition that was revoked here. */
const pinsReadEveryMs = 15_000

async function openPins(
  { firstUse, file, postgres }: NonNullable<PolicySettings['pins']>,
  stack: AsyncStack,
  note: (event: { type: string; [detail: string]: unknown }) => void,
  onError: (error: unknown) => void,
): Promise<Pins> {
  const opened = postgres === undefined ? undefined : stack.use(await openDatabase(postgres))
  const store = opened === undefined ? pinFile(file!) : await pinTable(opened)
  const pins = await Pins.open({
    store,
    firstUse,
    refreshEveryMs: pinsReadEveryMs,
    onChange: ({ verdict, by, item }) => note({ type: 'pin', verdict, by, ...item }),
    onError,
  })
  return stack.use(pins)
}

function guardsOf({ secrets, size, texts }: PolicySettings['guards']): Guard[] {
  return [
    ...(size === undefined ? [] : [sizeGuard(size)]),
    ...(secrets === undefined ? [] : [secretsGuard(secrets)]),
    ...(texts === undefined ? [] : [textGuard(texts)]),
  ]
}

/** Closes the last first, all of them even if one fails. */
class AsyncStack {
  readonly #closing: { close(): Promise<void> }[] = []

  use<T extends { close(): Promise<void> }>(opened: T): T {
    this.#closing.push(opened)
    return opened
  }

  async close(): Promise<void> {
    let failure: unknown
    for (const opened of this.#closing.splice(0).reverse()) {
      await opened.close().catch((error: unknown) => {
        failure ??= error
      })
    }
    if (failure !== undefined) throw failure
  }
}
