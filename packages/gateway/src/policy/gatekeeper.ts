import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { ApprovalQueue } from '../approvals/approval-queue.ts'
import { ApprovalMissing, askApproval } from '../approvals/approvals.ts'
import type { ApprovalSettings } from '../approvals/types.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { redact } from '../audit/redact.ts'
import { Refusals } from '../audit/refusals.ts'
import { UnknownItem, unknownItem } from '../catalogue/kinds.ts'
import type { Guard } from '../guards/guard.ts'
import { type GuardNote, GuardRefusal, guardArguments, guardOutcome } from '../guards/run-guards.ts'
import { LimitExceeded, type Limits } from '../limits/limits.ts'
import { estimateTokens } from '../limits/tokens.ts'
import type { Gatekeeper, GatewayCaller, GatewayItem, GatewayOutcome, GatewayRequest } from '../model.ts'
import type { Pins } from '../pins/pins.ts'
import { type GatewayMetrics, operationDuration } from '../telemetry/metrics.ts'
import type { Policy } from './policy.ts'
import type { ItemExplanation, PolicyDecision } from './types.ts'

/** The parts of a gatekeeper. Those with state outlive a change of the rules. */
export interface GatekeeperParts {
  readonly policy: Policy
  readonly approvals: ApprovalQueue
  readonly approvalSettings?: ApprovalSettings | undefined
  readonly limits?: Limits | undefined
  readonly pins?: Pins | undefined
  readonly guards?: readonly Guard[]
  readonly audit?: AuditLog | undefined
  /** Notes refused requests in the log. Default: of `audit`, for this gatekeeper alone. */
  readonly refusals?: Refusals | undefined
  /** `continue`: requests go on while the audit log cannot be written. Default `refuse`. */
  readonly onAuditFailure?: 'refuse' | 'continue'
  readonly metrics?: readonly GatewayMetrics[]
  readonly onError?: (error: unknown) => void
}

interface Admission {
  readonly startedAt: number
  readonly notes: GuardNote[]
  decision: PolicyDecision
  isRefused: boolean
}

const newAdmission = (): Admission => ({
  startedAt: performance.now(),
  notes: [],
  decision: { effect: 'deny', by: 'default' },
  isRefused: false,
})

/** Decides by rules, limits, pins, guards and people, and notes each decision and outcome in the audit log. */
export class PolicyGatekeeper implements Gatekeeper {
  readonly #parts: GatekeeperParts
  readonly #guards: readonly Guard[]
  readonly #refusals: Refusals | undefined
  readonly #admissions = new WeakMap<GatewayRequest, Admission>()

  constructor(parts: GatekeeperParts) {
    this.#parts = parts
    this.#guards = parts.guards ?? []
    const { audit, refusals } = parts
    this.#refusals = refusals ?? (audit && new Refusals(audit, { onError: (error) => this.#auditFailed(error) }))
  }

  isListed(caller: GatewayCaller, server: string, item: GatewayItem): boolean {
    const { policy, pins } = this.#parts
    return policy.isListed(caller, server, item) && (pins?.isApproved(item) ?? true)
  }

  get listRevision(): number | undefined {
    const { policy, pins } = this.#parts
    return policy.readsTime ? undefined : (pins?.revision ?? 0)
  }

  /** The decision about a request, without making it; without arguments, about the list. */
  explain(caller: GatewayCaller, server: string, item: GatewayItem, args?: JsonObject): ItemExplanation {
    const { policy, pins } = this.#parts
    const explanation = policy.explain(caller, server, item, args)
    const isPinned = pins?.wouldPass(item) ?? true
    return { ...explanation, isListed: explanation.isListed && isPinned, isPinned }
  }

  async admit(request: GatewayRequest): Promise<{ readonly args: JsonObject } | { readonly result: JsonObject }> {
    const admission = newAdmission()
    this.#admissions.set(request, admission)
    try {
      const admitted = await this.#admit(request, admission)
      await this.#note(request, admission, 'args' in admitted ? admitted.args : request.args)
      return admitted
    } catch (error) {
      admission.isRefused = true
      const reason = reasonOf(error)
      this.#count('tenon.gateway.refusals', { 'tenon.gateway.reason': reason })
      if (reason !== 'audit') await this.#noteRefusal(request, admission, reason, error)
      throw isRpcError(error) ? error : this.#masked(error)
    } finally {
      this.#countNotes(admission.notes)
    }
  }

  async finish(request: GatewayRequest, outcome: GatewayOutcome): Promise<GatewayOutcome> {
    // The result of a task is finished as a request of its own, which was not admitted here.
    const admission = this.#admissions.get(request) ?? newAdmission()
    if (admission.isRefused) {
      this.#measure(request, admission, outcome)
      return outcome
    }
    const notes: GuardNote[] = []
    const guarded = await guardOutcome(this.#guards, request, outcome, notes)
    this.#countNotes(notes)
    await this.#charge(request, guarded)
    this.#noteOutcome(request, admission, guarded, notes)
    this.#measure(request, admission, guarded)
    return guarded
  }

  async #admit(request: GatewayRequest, admission: Admission): Promise<{ args: JsonObject } | { result: JsonObject }> {
    const { pins, limits } = this.#parts
    this.#decide(request, admission, request.args)
    if (pins !== undefined && !pins.isApproved(request.item)) {
      admission.decision = { effect: 'deny', by: 'pins: nobody approved this definition' }
      throw denial(request)
    }
    await limits?.take(request, limits.countsTokens ? estimateTokens(request.args) : 0)
    const guarded = await guardArguments(this.#guards, request, admission.notes)
    if ('result' in guarded) return guarded
    // The rules have to hold for the arguments that are used.
    if (guarded.args !== request.args) this.#decide(request, admission, guarded.args)
    if (admission.decision.effect === 'approve') await this.#ask(request, admission, guarded.args)
    return guarded
  }

  #decide(request: GatewayRequest, admission: Admission, args: JsonObject): void {
    const { caller, server, item } = request
    admission.decision = this.#parts.policy.decide(caller, server, item, args)
    const { effect } = admission.decision
    this.#count('tenon.gateway.decisions', { 'tenon.gateway.effect': effect })
    if (effect === 'deny') throw denial(request)
  }

  async #ask(request: GatewayRequest, admission: Admission, args: JsonObject): Promise<void> {
    const { approvals, approvalSettings } = this.#parts
    const rule = admission.decision.by
    const { by } = await askApproval(request, args, rule, approvals, approvalSettings)
    admission.decision = { effect: 'approve', by: `${rule}, approved by ${by}` }
  }

  /** The call is not made before its entry is written. */
  async #note(request: GatewayRequest, { decision, notes }: Admission, args: JsonObject): Promise<void> {
    const { audit, onAuditFailure } = this.#parts
    try {
      await audit?.record({
        type: 'decision',
        ...subjectOf(request),
        verdict: decision.effect,
        by: decision.by,
        args: redact(args, request.item.definition),
        ...(notes.length > 0 && { guards: notes }),
      })
    } catch (error) {
      this.#auditFailed(error)
      if (onAuditFailure !== 'continue') throw new AuditUnavailable()
    }
  }

  /** A refusal stands, whether or not it can be noted. */
  async #noteRefusal(
    request: GatewayRequest,
    { decision, notes }: Admission,
    reason: string,
    error: unknown,
  ): Promise<void> {
    const detail =
      error instanceof LimitExceeded ? error.limit : error instanceof GuardRefusal ? error.guard : undefined
    try {
      await this.#refusals?.record({
        type: 'decision',
        ...subjectOf(request),
        verdict: 'refuse',
        reason,
        by: detail ?? decision.by,
        args: redact(request.args, request.item.definition),
        ...(notes.length > 0 && { guards: notes }),
      })
    } catch (failure) {
      this.#auditFailed(failure)
    }
  }

  /** Nobody waits for this entry: the call is over. */
  #noteOutcome(request: GatewayRequest, { startedAt }: Admission, outcome: GatewayOutcome, notes: GuardNote[]): void {
    this.#parts.audit
      ?.note({
        type: 'outcome',
        id: request.id,
        status: statusOf(outcome),
        ms: Math.round(performance.now() - startedAt),
        ...(notes.length > 0 && { guards: notes }),
      })
      .catch((error: unknown) => this.#auditFailed(error))
  }

  async #charge(request: GatewayRequest, outcome: GatewayOutcome): Promise<void> {
    const { limits } = this.#parts
    if (limits?.countsTokens !== true || outcome.kind !== 'result') return
    try {
      await limits.charge(request, estimateTokens(outcome.result))
    } catch (error) {
      this.#parts.onError?.(error)
    }
  }

  #measure({ method, item }: GatewayRequest, admission: Admission, outcome: GatewayOutcome): void {
    const status = statusOf(outcome)
    // Names that were refused are not counted one by one: a caller can make up many.
    const isTool = item.kind === 'tool' && !admission.isRefused
    const attributes = {
      'mcp.method.name': method,
      ...(isTool && { 'gen_ai.tool.name': item.name }),
      ...(status !== 'ok' && { 'error.type': status }),
    }
    const seconds = (performance.now() - admission.startedAt) / 1_000
    for (const metrics of this.#parts.metrics ?? []) metrics.duration(operationDuration, seconds, attributes)
  }

  #countNotes(notes: readonly GuardNote[]): void {
    for (const { guard, action } of notes) {
      this.#count('tenon.gateway.guard.actions', { 'tenon.gateway.guard': guard, 'tenon.gateway.action': action })
    }
  }

  #count(name: string, attributes: { readonly [name: string]: string }): void {
    for (const metrics of this.#parts.metrics ?? []) metrics.count(name, attributes)
  }

  #auditFailed(error: unknown): void {
    this.#count('tenon.gateway.audit.failures', {})
    this.#parts.onError?.(error)
  }

  /** A failure of a store or a program is for the operator, and not for the caller. */
  #masked(error: unknown): RpcError {
    this.#parts.onError?.(error)
    return new RpcError(ErrorCode.InternalError, 'Internal error')
  }
}

class AuditUnavailable extends RpcError {
  constructor() {
    super(ErrorCode.InternalError, 'The audit log is unavailable, so the request was not made')
  }
}

const denial = ({ item, askedFor }: GatewayRequest): UnknownItem => unknownItem(item.kind, askedFor ?? item.name)

function reasonOf(error: unknown): string {
  if (error instanceof UnknownItem) return 'denied'
  if (error instanceof LimitExceeded) return 'limit'
  if (error instanceof GuardRefusal) return 'guard'
  if (error instanceof ApprovalMissing) return `approval ${error.state}`
  return error instanceof AuditUnavailable ? 'audit' : 'failure'
}

const subjectOf = ({ id, caller, server, method, item }: GatewayRequest) => ({
  id,
  caller: caller.id,
  server,
  method,
  kind: item.kind,
  upstream: item.upstream,
  name: item.name,
})

function statusOf(outcome: GatewayOutcome): string {
  if (outcome.kind === 'result') return outcome.result.isError === true ? 'tool_error' : 'ok'
  return isRpcError(outcome.error) ? String(outcome.error.code) : 'failure'
}
