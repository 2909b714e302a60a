export type {
  CredentialSource,
  Gatekeeper,
  GatewayCaller,
  GatewayItem,
  GatewayOutcome,
  GatewayRequest,
  UpstreamCredentials,
} from './model.ts'
