export {
  type ConnectToHostOptions,
  connectToHost,
  type HostConnection,
  type ViewCallOptions,
} from './apps/view/connect.ts'
export { applyHostStyles } from './apps/view/styles.ts'
export type { DisplayMode, HostCapabilities, HostContext } from './apps/vocabulary.ts'
export { isMcpError, isRpcError } from './errors.ts'
