import type { CommandCall } from '../command.ts'
import type { OptionTable } from '../line/options.ts'
import { connectionOptions } from '../server/options.ts'

const { 'max-message-bytes': _, ...connection } = connectionOptions

/** The options of `tenon chat`. */
export const chatOptions = {
  model: {
    type: 'text',
    short: 'm',
    value: 'name',
    help: 'The model: anthropic/…, openai/…, google/…, ollama/…, or http://host/v1#name (TENON_MODEL)',
  },
  demo: { type: 'flag', help: 'Try it offline, with a scripted model and two servers' },
  once: { type: 'text', value: 'question', help: 'Answer one question and end; standard input is added to it' },
  system: { type: 'text', value: 'text', help: 'Instructions for the model, or @file' },
  allow: { type: 'list', value: 'server.tool', help: 'Call these tools without a question; * stands for any letters' },
  ask: { type: 'list', value: 'server.tool', help: 'Ask before these tools are called, whatever else allows them' },
  deny: { type: 'list', value: 'server.tool', help: 'Never call these tools, nor show them to the model' },
  yes: { type: 'flag', short: 'y', help: 'Say yes to every call, with --once only' },
  'max-steps': { type: 'number', value: 'n', min: 1, help: 'The most answers of the model to one question (32)' },
  'max-tokens': { type: 'number', value: 'n', min: 1, help: 'The most tokens for one question, read and written' },
  price: {
    type: 'list',
    value: '[model=]read/written',
    help: 'What a million tokens cost, such as 3/15; /cost shows money then (TENON_PRICE)',
  },
  'max-cost': { type: 'text', value: 'amount', help: 'The most money for one question, with --price' },
  resume: { type: 'text', value: 'id', alone: 'last', help: 'Go on with the last conversation, or with that one' },
  export: { type: 'text', value: 'file', help: 'Write the conversation to a file: .md or .json' },
  'no-save': { type: 'flag', help: 'Keep the conversation in memory only' },
  audit: { type: 'text', value: 'file', help: 'Note every decision and result in this file' },
  ...connection,
} as const satisfies OptionTable

export type ChatCall = CommandCall<typeof chatOptions>
