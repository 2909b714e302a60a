export { chat } from './chat/chat.ts'
export { ChatError, type ChatErrorCode, isChatError } from './chat/chat-error.ts'
export type {
  CallOutcome,
  ChatEvent,
  DoneEvent,
  DoneReason,
  ErrorEvent,
  NoticeEvent,
  ReasoningEvent,
  StepEndEvent,
  TextEvent,
  ToolCallEvent,
  ToolProgressEvent,
  ToolResultEvent,
} from './chat/events.ts'
export { type ChatLimits, defaultLimits } from './chat/limits.ts'
export type { MediaUse } from './chat/model/media.ts'
export type { RetryOptions } from './chat/model/model-step.ts'
export type { ChatInput, ChatOptions } from './chat/options.ts'
export { type AdaptedSchema, adaptInputSchema } from './chat/tools/tool-schema.ts'
export {
  type AssistantEntry,
  type AssistantPart,
  type CallEntry,
  type ChatCallPart,
  type ChatMediaPart,
  type ChatReasoningPart,
  type ChatTextPart,
  createTranscript,
  type ResultEntry,
  type SpillEntry,
  type Transcript,
  type TranscriptEntry,
  type UserEntry,
  type UserPart,
} from './chat/transcript/transcript.ts'
export { openTranscript, type TranscriptFile, type TranscriptFileOptions } from './chat/transcript/transcript-file.ts'
export { costOf, type ModelPrices, type TokenUsage } from './chat/usage.ts'
export { chooseSamplingModel, type SamplingModel } from './models/choose.ts'
export { type AISDKSchema, type AISDKTool, toAISDKTools } from './models/converters/ai-sdk.ts'
export {
  type AnthropicMessage,
  type AnthropicTool,
  type AnthropicToolResults,
  toAnthropicTools,
} from './models/converters/anthropic.ts'
export { handleToolUse } from './models/converters/handle-tool-use.ts'
export {
  type OpenAIChatMessage,
  type OpenAIChatTool,
  type OpenAIChatToolResults,
  type OpenAIResponse,
  type OpenAIResponsesTool,
  type OpenAIResponsesToolResults,
  toOpenAITools,
} from './models/converters/openai.ts'
export type { ToolUseOptions } from './models/converters/tool-use.ts'
export type { AnyLanguageModel, LanguageModel } from './models/language-model.ts'
export { type ResolveModelOptions, resolveModel } from './models/resolve.ts'
export { type SampleOptions, sampleWith } from './models/sampling.ts'
export type { ScriptedCall, ScriptedReply, ScriptedRule } from './models/script.ts'
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './models/scripted.ts'
export type { HostCallOptions, HostTool, Toolbox } from './toolbox.ts'
