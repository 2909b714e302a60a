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
export type { Rate } from './internal/token-bucket.ts'
export type { Channel, ChannelInfo, Receiver, Refusal, RefusedInput } from './jsonrpc/channel.ts'
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
export { type NeededScopes, requireScopes, type ScopeRule } from './server/access/scopes.ts'
export type { Visible } from './server/access/visibility.ts'
export type { AuthInfo, Caller, ConnectionInfo } from './server/caller.ts'
export type {
  AskOptions,
  ElicitAnswer,
  RequestContext,
  SampleResult,
  ToolContext,
  UrlAnswer,
} from './server/context.ts'
export type { CachePolicy, ServerCacheOptions } from './server/definition/cache-policy.ts'
export type { Middleware, Next, Operation, OperationName, Operations } from './server/definition/middleware.ts'
export { type RateLimitOptions, type RateLimits, type RateStore, rateLimit } from './server/definition/rate-limit.ts'
export type { Registry } from './server/definition/registry.ts'
export type { Completer, CompletionReturn } from './server/features/completion.ts'
export { audio, type ContentOptions, embed, image, resourceLink, text } from './server/features/content.ts'
export { type PromptOptions, type PromptReturn, prompt, type ServerPrompt } from './server/features/prompt.ts'
export {
  type EndWatch,
  type ResourceOptions,
  type ResourceReturn,
  type ResourceTemplateOptions,
  resource,
  resourceTemplate,
  type ServerResource,
  type ServerResourceTemplate,
} from './server/features/resource.ts'
export { type ServerTool, type ToolHints, type ToolOptions, tool } from './server/features/tool.ts'
export { ToolResult, type ToolResultOptions, type ToolReturn } from './server/features/tool-result.ts'
export type { ServerLimits } from './server/limits.ts'
export type { ErrorReport, ServerOptions } from './server/options.ts'
export {
  type InputRequest,
  type InputRequired,
  type InputRequiredOptions,
  inputRequired,
} from './server/questions/input-required.ts'
export {
  type AnyServer,
  createServer,
  type ResourceRegistry,
  type Server,
  type ServerConnection,
  type ServerTasks,
} from './server/server.ts'
export type { SpentStates } from './server/stateless/spent-states.ts'
export type { StateKey } from './server/stateless/state-keys.ts'
export type { Bus } from './server/subscriptions/bus.ts'
export type {
  LaneWork,
  TaskJob,
  TaskLane,
  TaskPriority,
  TaskQueue,
  TaskTurn,
  TaskWorker,
} from './server/tasks/queue/task-queue.ts'
export { memoryTaskStore } from './server/tasks/store/memory-store.ts'
export type { TaskCall, TaskQuestion, TaskRecord, TaskRoom, TaskStore } from './server/tasks/store/task-store.ts'
export type { TaskHandle } from './server/tasks/task-handle.ts'
export type { SharedTasks, TaskRetryOptions, TasksOptions, ToolTaskOptions } from './server/tasks/task-options.ts'
export type { TaskWorkers, TaskWorkOptions } from './server/tasks/task-work.ts'
export type { ConnectionEvent, RequestEvent, RequestKind, StoreEvent } from './telemetry/events.ts'
export type { TraceContext } from './telemetry/trace-context.ts'
