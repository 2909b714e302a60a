export type { Audit, AuditEvent } from './audit/audit.ts'
export { type AuditProblem, type AuditReport, verifyAudit } from './audit/verify.ts'
export type { HostPrompt, HostResource, HostTemplate } from './catalogue/catalogue.ts'
export { modelName } from './catalogue/model-name.ts'
export type { FoundTool } from './catalogue/search.ts'
export { cleanDefinition, type Warning, warningsOf } from './catalogue/warnings.ts'
export { type Condition, type PolicyRule, type PolicyRules, policy } from './consent/policy.ts'
export type { Consent, ConsentInput, ConsentItem, Decision, Verdict } from './consent/types.ts'
export type { HostEvent, HostListener, HostProblem } from './events.ts'
export { createHost, type Host, type HostChatOptions } from './host.ts'
export { HostError, type HostErrorCode, isHostError } from './host-error.ts'
export type { HostOptions } from './options.ts'
export type { Sample, SampleContext } from './questions/server-questions.ts'
export type {
  Answer,
  Ask,
  CallInfo,
  ConsentAnswer,
  ConsentQuestion,
  EditedConsent,
  EditedSample,
  FormQuestion,
  PageQuestion,
  Question,
  SampleQuestion,
  TrustQuestion,
} from './questions/types.ts'
export type { ServerStatus } from './servers/host-server.ts'
export type { EntryIdentity } from './servers/resolve-target.ts'
export type {
  DefinitionConfig,
  EntryConfig,
  ProcessConfig,
  RestartSettings,
  SamplingSettings,
  ServerConfig,
  ServerInput,
  ServerSettings,
  ServersInput,
  UrlConfig,
} from './servers/server-config.ts'
export type { ServerState } from './servers/supervisor.ts'
export type { HostCallOptions, HostTool, HostToolResult, Toolbox } from './toolbox.ts'
export type { DefinitionChange, DefinitionKind } from './trust/definitions.ts'
