import { loggingLevels, revisions } from '@tenon/sdk/client'
import type { OptionTable } from '../line/options.ts'

/** The options of every command that connects to a server. */
export const connectionOptions = {
  revision: {
    type: 'choice',
    choices: revisions,
    help: 'Speak this revision only; otherwise the newest that the server speaks',
  },
  prefer: {
    type: 'choice',
    choices: ['newest', 'session'],
    help: 'Open a session if the server has both; some servers can ask only there (newest)',
  },
  header: { type: 'list', short: 'H', value: 'name: value', help: 'Send this header with every request to a URL' },
  env: { type: 'list', short: 'e', value: 'NAME=value', help: 'Set a variable for the program' },
  cwd: { type: 'text', value: 'folder', help: 'Start the program in this folder' },
  config: { type: 'text', short: 'c', value: 'file', help: 'Find the name of the server in this file' },
  root: { type: 'list', value: 'folder', help: 'Tell the server that it may work in this folder' },
  'log-level': {
    type: 'choice',
    choices: loggingLevels,
    help: 'Show log messages of the server from this level on, on stderr',
  },
  elicit: {
    type: 'text',
    value: 'answers',
    help: 'Answer forms and pages that the server asks for: a JSON file, JSON, or accept, decline, cancel',
  },
  sample: { type: 'text', value: 'answer', help: 'Answer for the model that the server asks for: a text or @file' },
  'max-message-bytes': {
    type: 'size',
    help: 'Take messages of the server up to this size, such as 64M (16M)',
  },
  timeout: {
    type: 'time',
    short: 't',
    help: 'Give up after this time without progress, such as 30s, 5m or none (60s)',
  },
} as const satisfies OptionTable
