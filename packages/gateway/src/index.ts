export type { ConfigChange } from './config/changes.ts'
export { type LoadConfigOptions, type LoadedConfig, loadGatewayConfig, readGatewayConfig } from './config/load.ts'
export type {
  GatewayConfig,
  ListenConfig,
  MemberConfig,
  ModuleUpstream,
  OpenApiUpstream,
  OperatorConfig,
  ProgramUpstream,
  SocketUpstream,
  TargetUpstream,
  UpstreamConfig,
  UpstreamSettings,
  UrlUpstream,
  VirtualServerConfig,
} from './config/model.ts'
export { type ConfigProblem, GatewayConfigError, showProblem } from './config/problem.ts'
export { gatewaySchema } from './config/schema.ts'
export type { ConfigSection, GatewayParts, PartsContext, SectionContext } from './config/section.ts'
export { createGateway, type Gateway, type GatewayEvent, type GatewayOptions } from './gateway.ts'
export type {
  CredentialSource,
  Gatekeeper,
  GatewayCaller,
  GatewayItem,
  GatewayOutcome,
  GatewayRequest,
  UpstreamCredentials,
} from './model.ts'
export { defaultSections } from './sections/sections.ts'
export { OpenDoorError } from './serving/open-door.ts'
export { type ServeGatewayOptions, serveGateway } from './serving/serve-gateway.ts'
export type { RedisSettings } from './sharing/settings.ts'
export { openSharedState, type SharedState } from './sharing/shared-state.ts'
export type { UpstreamState } from './upstreams/breaker.ts'
export type { UpstreamStatus } from './upstreams/upstream.ts'
