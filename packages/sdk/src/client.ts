export type { CacheOptions } from './client/calls/response-cache.ts'
export { type ToolFacts, toolFacts, toolTitle } from './client/calls/tool-hints.ts'
export type { Client } from './client/client.ts'
export { connect } from './client/connect.ts'
export type { KeepAliveOptions } from './client/connecting/keep-alive.ts'
export { openChannel } from './client/connecting/open-channel.ts'
export { processEnv } from './client/connecting/process-env.ts'
export type { ProcessTarget, RestartOptions, ServerTarget, Target } from './client/connecting/target.ts'
export { chooseModel } from './client/input/choose-model.ts'
export type {
  ClientLimits,
  ConnectOptions,
  ElicitHandler,
  RootsSource,
  SampleHandler,
  ValidationMode,
} from './client/options.ts'
export type { ClientTasks as Tasks } from './client/tasks/client-tasks.ts'
export type {
  StartedTask,
  TaskResultOptions,
  TaskStartOptions,
  TaskWish,
  ToolCallOptions,
} from './client/tasks/types.ts'
export type {
  CallOptions,
  ChangeKind,
  InputContext,
  PageOptions,
  ResourceUpdate,
  ServerDescription,
  ToolCallResult,
  Watch,
} from './client/types.ts'
export type { McpErrorCode } from './errors.ts'
export { ErrorCode, isMcpError, isRpcError, McpError, RpcError } from './errors.ts'
export type { AuthChallenge, AuthReply, AuthRequest, ClientAuth } from './http-client/client-auth.ts'
export type { HttpError } from './http-client/http-error.ts'
export { isHttpError } from './http-client/http-error.ts'
export type { HttpEvent, HttpStreamEvent } from './http-client/http-events.ts'
export type {
  HeaderRecord,
  HeaderSource,
  HttpClientLimits,
  HttpClientOptions,
  StreamState,
} from './http-client/http-options.ts'
export { forgetServers } from './http-client/verdicts.ts'
export type { Channel, ChannelInfo, Receiver, Refusal, RefusedInput, Side } from './jsonrpc/channel.ts'
export type { JsonObject, JsonValue, Message, Notification, Payload } from './jsonrpc/message.ts'
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
export type {
  ElicitationField,
  ElicitationSchema,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  ElicitValue,
} from './model/elicitation.ts'
export type { LoggingLevel, LogMessage } from './model/logging.ts'
export { loggingLevels } from './model/logging.ts'
export type { Annotations, Icon, Implementation, Meta, Role } from './model/meta.ts'
export type { Progress } from './model/progress.ts'
export type { GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage } from './model/prompts.ts'
export type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from './model/resources.ts'
export type { Revision } from './model/revision.ts'
export { revisions } from './model/revision.ts'
export type { ListRootsResult, Root } from './model/roots.ts'
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from './model/sampling.ts'
export type { DetailedTask, Task, TaskStatus } from './model/tasks.ts'
export type { CallToolResult, JsonSchema, ListToolsResult, Tool, ToolAnnotations } from './model/tools.ts'
export type { ConnectionEvent, RequestEvent, RequestKind } from './telemetry/events.ts'
export type { TraceContext } from './telemetry/trace-context.ts'
export type { TrafficEvent, TrafficFailure, TrafficMessage, TrafficRefusal } from './transport/tap.ts'
export { type RevisionFacts, revisionFacts } from './wire/revision-facts.ts'
