import { runProgram } from '@tenon/server-kit'
import { createSqliteServer } from './sqlite-server.ts'
import { settings } from './sqlite-settings.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-sqlite',
  version,
  summary: 'An SQLite database for models. Tools that read cannot change anything: the engine sees to it.',
  settings,
  positional: { setting: 'dbPath', placeholder: '[FILE]' },
  examples: [
    ['tenon-sqlite ~/data/shop.db', 'Use this database'],
    ['tenon-sqlite --read-only ~/data/shop.db', 'Change nothing'],
    ['tenon-sqlite --folder ~/exports ~/data/shop.db', 'Import and export files in a folder'],
  ],
  open: (current) => createSqliteServer({ settings: current }),
})
