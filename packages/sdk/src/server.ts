export {
  ErrorCode,
  isMcpError,
  isRpcError,
  isToolError,
  McpError,
  type McpErrorCode,
  RpcError,
  ToolError,
} from './errors.ts'
export type { Rate } from './internal/allowance.ts'
export type { Channel, ChannelInfo, Receiver, Refusal } from './jsonrpc/channel.ts'
export type { CacheHints, CacheScope } from './model/caching.ts'
export type { ClientCapabilities, ServerCapabilities } from './model/capabilities.ts'
export type { CompleteParams, CompleteResult, CompletionReference } from './model/completion.ts'
export type {
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from './model/content.ts'
export type { ElicitationField, ElicitationSchema } from './model/elicitation.ts'
export type { LoggingLevel } from './model/logging.ts'
export type { Annotations, Icon, Implementation, Meta, Role } from './model/meta.ts'
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './model/prompts.ts'
export type { ReadResourceResult, Resource, ResourceTemplate } from './model/resources.ts'
export { type Revision, revisions } from './model/revision.ts'
export type { Root } from './model/roots.ts'
export type { CreateMessageParams, CreateMessageResult, SamplingContent, SamplingMessage } from './model/sampling.ts'
export type { Task, TaskStatus } from './model/tasks.ts'
export type { CallToolResult, JsonSchema, Tool, ToolAnnotations } from './model/tools.ts'
export type { InferSchema, SchemaLike } from './schema/bridge.ts'
export type { AskOptions } from './server/ask.ts'
export type { Bus } from './server/bus.ts'
export type { CachePolicy, ServerCacheOptions } from './server/caching.ts'
export type { AuthInfo, Caller, ConnectionInfo } from './server/caller.ts'
export type { Completer, CompletionReturn } from './server/completion.ts'
export { audio, type ContentOptions, embed, image, resourceLink, text } from './server/content.ts'
export type {
  ElicitAnswer,
  RequestContext,
  SampleResult,
  ToolContext,
  UrlAnswer,
} from './server/context.ts'
export {
  type InputRequest,
  type InputRequired,
  type InputRequiredOptions,
  inputRequired,
} from './server/input-required.ts'
export type { Middleware, Next, Operation, OperationName, Operations } from './server/middleware.ts'
export type { ErrorReport, ServerLimits, ServerOptions } from './server/options.ts'
export { type PromptOptions, type PromptReturn, prompt, type ServerPrompt } from './server/prompt.ts'
export { type RateLimits, rateLimit } from './server/rate-limit.ts'
export type { Registry } from './server/registry.ts'
export {
  type ResourceOptions,
  type ResourceReturn,
  type ResourceTemplateOptions,
  resource,
  resourceTemplate,
  type ServerResource,
  type ServerResourceTemplate,
} from './server/resource.ts'
export { requireScopes, type ScopeRule } from './server/scopes.ts'
export {
  type AnyServer,
  createServer,
  type ResourceRegistry,
  type Server,
  type ServerConnection,
  type ServerTasks,
} from './server/server.ts'
export type { SpentStates } from './server/spent-states.ts'
export type { StateKey } from './server/state-keys.ts'
export type { TaskHandle } from './server/tasks/handle.ts'
export { memoryTaskStore } from './server/tasks/memory-store.ts'
export type { TasksOptions, ToolTaskOptions } from './server/tasks/options.ts'
export type { TaskCall, TaskQuestion, TaskRecord, TaskStore } from './server/tasks/store.ts'
export { type ServerTool, type ToolHints, type ToolOptions, tool } from './server/tool.ts'
export { ToolResult, type ToolReturn } from './server/tool-result.ts'
export type { Visible } from './server/visibility.ts'
export type { ConnectionEvent, RequestEvent, RequestKind } from './telemetry/events.ts'
export type { TraceContext } from './telemetry/trace-context.ts'
