import { loggingLevels, revisions } from '@tenon/sdk/client'
import type { OptionTable } from '../line/options.ts'

/** The options of every command that has a target. */
export const targetOptions = {
  header: { type: 'list', short: 'H', value: 'name: value', help: 'Send this header with every request to a URL' },
  ca: {
    type: 'list',
    value: 'file',
    help: 'Trust the authorities of this file (PEM) too, for https',
  },
  insecure: {
    type: 'flag',
    help: 'Take any certificate of an https server; others can then read and change everything',
  },
  env: {
    type: 'list',
    short: 'e',
    value: 'NAME[=value]',
    help: 'Set a variable for the program, or pass on your own of that name',
  },
  'env-file': { type: 'list', value: 'file', help: 'Set the variables of this file, such as .env, for the program' },
  input: {
    type: 'list',
    value: 'id=value',
    help: 'Answer an input of the config file; without a value it is asked for again',
  },
  cwd: { type: 'text', value: 'folder', help: 'Start the program in this folder' },
  config: { type: 'text', short: 'c', value: 'file', help: 'Find the name of the server in this file' },
  'max-message-bytes': {
    type: 'size',
    help: 'Take messages of the server up to this size, such as 64M (16M)',
  },
} as const satisfies OptionTable

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
  ...targetOptions,
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
  timeout: {
    type: 'time',
    short: 't',
    help: 'Give up after this time without progress, such as 30s, 5m or none (60s)',
  },
} as const satisfies OptionTable

/** The options of every command that uses a server, which may be one that `tenon up` keeps. */
export const useOptions = {
  ...connectionOptions,
  fresh: { type: 'flag', help: 'Connect anew, though `tenon up` keeps the server' },
} as const satisfies OptionTable
