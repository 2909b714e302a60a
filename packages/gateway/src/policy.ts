export { ApprovalQueue, type ApprovalQueueOptions, type ApprovalStore } from './approvals/approval-queue.ts'
export { type Approval, type ApprovalSettings, defaultApprovals } from './approvals/types.ts'
export { type AuditFilesOptions, auditFiles, type SyncPolicy } from './audit/audit-files.ts'
export { type AuditLine, AuditLog, type AuditSink, type GatewayAuditEvent } from './audit/audit-log.ts'
export { auditTable } from './audit/audit-table.ts'
export { type AuditPlace, type AuditQuery, searchAudit } from './audit/search-audit.ts'
export { type GatewayAuditReport, verifyAudit } from './audit/verify-audit.ts'
export type { SqlDatabase } from './database/database.ts'
export type { Guard, GuardAnswer, GuardedKind } from './guards/guard.ts'
export { type SecretsGuardOptions, secretsGuard } from './guards/secrets-guard.ts'
export { type SizeGuardOptions, sizeGuard } from './guards/size-guard.ts'
export { type TextGuardOptions, textGuard } from './guards/text-guard.ts'
export type { CounterLimit, CounterStore, Taken } from './limits/counters.ts'
export { type CounterScope, type LimitRule, Limits } from './limits/limits.ts'
export { MemoryCounters } from './limits/memory-counters.ts'
export { pinFile } from './pins/pin-file.ts'
export type { ApprovedPin, PinnedKind, PinStore } from './pins/pin-store.ts'
export { pinTable } from './pins/pin-table.ts'
export { Pins, type PinsOptions, type UnapprovedDefinition } from './pins/pins.ts'
export { type GatekeeperParts, PolicyGatekeeper } from './policy/gatekeeper.ts'
export { Policy } from './policy/policy.ts'
export type {
  Effect,
  Explanation,
  ItemExplanation,
  ItemMatch,
  PolicyDecision,
  Rule,
  RuleOutcome,
  RuleTrace,
} from './policy/types.ts'
export { type OpenPolicy, type OpenPolicyOptions, openPolicy } from './settings/open-policy.ts'
export { type AuditSettings, parseAudit } from './settings/parse-audit.ts'
export { type PolicySettings, parsePolicy } from './settings/parse-policy.ts'
export { auditSchema, policySchema } from './settings/policy-schema.ts'
export { SettingsError, type SettingsPath, type SettingsProblem } from './settings/problems.ts'
export type { GatewayMetrics, MetricAttributes } from './telemetry/metrics.ts'
export { type MeterLike, type OtelMetricsOptions, otelMetrics, type SpanLike } from './telemetry/otel-metrics.ts'
export { PrometheusMetrics } from './telemetry/prometheus.ts'
