import { bytes, choice, Misuse, path, runProgram } from '@tenon/server-kit'
import { createMemoryServer, defaultSettings } from './memory-server.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-memory',
  version,
  summary:
    'A knowledge graph that outlasts conversations, in one file that several processes may share: FILE, else the one that ' +
    "MEMORY_FILE_PATH names, else one in the user's data folder.",
  settings: {
    file: path("The memory file; in the user's data folder if left out", {
      placeholder: 'FILE',
      env: 'MEMORY_FILE_PATH',
    }),
    maxSize: bytes('Longest text of all entities and relations', { default: defaultSettings.maxSize }),
    maxResult: bytes('Longest answer', { default: defaultSettings.maxResult }),
    historySize: bytes('Room for changes that can be undone', { default: defaultSettings.historySize }),
    sync: choice('When the disk has a change: before it is acknowledged, or up to a second later', {
      values: ['always', 'later'],
      default: defaultSettings.sync,
    }),
  },
  positional: { setting: 'file', placeholder: '[FILE]' },
  examples: [['tenon-memory ~/notes/memory.jsonl', 'Use this file']],
  open(settings) {
    try {
      return createMemoryServer({ settings })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      throw new Misuse(`the memory file cannot be used: ${message}`)
    }
  },
})
