export type { AnyToolResult, AppClient } from './apps/host/app-client.ts'
export { AppBridge, type AppBridgeOptions, type AppRequest } from './apps/host/bridge.ts'
export type { AppCallbacks, AppMessage, AppToolCall, ModelContext } from './apps/host/callbacks.ts'
export { type AppDocument, type LoadAppOptions, loadApp } from './apps/host/document.ts'
export { type AppApproval, type MountAppOptions, type MountedApp, mountApp } from './apps/host/mount.ts'
export { type SandboxPage, type SandboxPageOptions, sandboxPage } from './apps/host/sandbox-page.ts'
export type { AppTraffic } from './apps/host/watch-channel.ts'
export { appUriOf, isForApp, isForModel } from './apps/tool-meta.ts'
export {
  type AppCapabilities,
  type AppCsp,
  type AppDescription,
  type AppPermissions,
  appsCapability,
  type ContainerDimensions,
  type DisplayMode,
  type HostCapabilities,
  type HostContext,
} from './apps/vocabulary.ts'
export {
  type PostMessageLimits,
  portChannel,
  type WindowChannelOptions,
  windowChannel,
} from './transport/post-message.ts'
