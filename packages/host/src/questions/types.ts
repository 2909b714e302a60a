import type {
  CreateMessageParams,
  ElicitationSchema,
  ElicitResult,
  JsonObject,
  ServerDescription,
  Tool,
} from '@tenon/sdk/client'
import type { Warning } from '../catalogue/warnings.ts'
import type { EntryIdentity } from '../servers/resolve-target.ts'
import type { DefinitionChange } from '../trust/definitions.ts'

/** The call during which a server asks, if the protocol tells. */
export interface CallInfo {
  /** The name that models see. */
  readonly name: string
  readonly server: string
  /** The name of the tool at its server. */
  readonly tool: string
  readonly args: JsonObject
  /** The id of the model's tool call. */
  readonly callId?: string
}

interface QuestionBase {
  /** The name of the server in the configuration. */
  readonly server: string
  /** The server's own words about itself; undefined before it was started. */
  readonly info?: ServerDescription['info']
  readonly call?: CallInfo
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** May this be done? */
export interface ConsentQuestion extends QuestionBase {
  readonly kind: 'consent'
  readonly item: 'tool' | 'resource' | 'prompt'
  /** The name of the tool or prompt, or the URI of the resource, as the server has it. */
  readonly name: string
  readonly tool?: Tool
  /** A copy: the answer may have another one in `args`. */
  readonly args: JsonObject
  /** The rule that wants the question. */
  readonly rule: string
  /** Reasons to look twice. */
  readonly warnings: readonly Warning[]
}

/** Is this server, or are these definitions of it, to be used? */
export interface TrustQuestion extends QuestionBase {
  readonly kind: 'trust'
  /** The entry that would be started or reached, secrets masked; missing if only definitions changed. */
  readonly entry?: EntryIdentity
  /** The entry that was approved before. */
  readonly approved?: EntryIdentity
  /** Definitions that differ from the approved ones. */
  readonly changes: readonly DefinitionChange[]
}

/** A server asks the person for values. */
export interface FormQuestion extends QuestionBase {
  readonly kind: 'form'
  readonly message: string
  readonly schema: ElicitationSchema
}

/** A server asks the person to visit a page. The host never opens it. */
export interface PageQuestion extends QuestionBase {
  readonly kind: 'page'
  readonly message: string
  readonly url: string
  /** The host name of the URL, for display: the part that decides who gets the data. */
  readonly host: string
}

/** A server asks for an answer of the model. */
export interface SampleQuestion extends QuestionBase {
  readonly kind: 'sample'
  /** As the model will get it, token limit included. */
  readonly request: CreateMessageParams
}

/** A question to the person, or to the program that decides for them. */
export type Question = ConsentQuestion | TrustQuestion | FormQuestion | PageQuestion | SampleQuestion

/** `once`, for this session, `always`, or not at all. */
export type ConsentAnswer = 'once' | 'session' | 'always' | 'deny'

/** An answer to `consent`, with other arguments if they were edited. */
export interface EditedConsent {
  readonly answer: ConsentAnswer
  readonly args?: JsonObject
}

/** An answer to `sample`, with another request if it was edited. */
export interface EditedSample {
  readonly answer: 'once' | 'session' | 'deny'
  readonly request?: CreateMessageParams
}

/** An answer to a question: of `consent`, `trust`, `form` and `page`, `sample`, in this order. */
export type Answer = ConsentAnswer | EditedConsent | 'approve' | 'deny' | ElicitResult | EditedSample

/** Answers every question of the host and of its servers. */
export type Ask = (question: Question) => Answer | Promise<Answer>
