import { bytes, choice, integer, milliseconds, runProgram, text, texts, toggle } from '@tenon/server-kit'
import { createPostgresServer, defaultSettings } from './postgres-server.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-postgres',
  version,
  summary:
    'A PostgreSQL database for models, read-only unless --write says otherwise. Without DATABASE (or ' +
    "TENON_POSTGRES_DATABASE) it makes one of its own in the user's data folder.",
  positional: { setting: 'database', placeholder: '[DATABASE]' },
  settings: {
    database: text('postgres://USER@HOST/NAME, or a folder for an embedded one', {
      placeholder: 'DATABASE',
      env: 'TENON_POSTGRES_DATABASE',
      secret: true,
    }),
    role: texts('Role that calls run as, or may choose (repeatable; the first is the default)', {
      placeholder: 'NAME',
    }),
    schema: texts('Schema to show and to search (repeatable; default: all)', { placeholder: 'NAME' }),
    write: choice('Offer the tool execute, which asks the user before each change, or does not', {
      values: ['off', 'ask', 'allow'],
      default: defaultSettings.write,
    }),
    maxRows: integer('Rows per result', { min: 1, max: 1_000_000, default: defaultSettings.maxRows }),
    maxResult: bytes('Size of the rows of a result', { default: defaultSettings.maxResult }),
    timeout: milliseconds('Longest run of a statement', { default: defaultSettings.timeout }),
    connections: integer('Connections to the database', { min: 1, max: 100, default: defaultSettings.connections }),
    allowSuperuser: toggle('Accept a login that may use files and programs of the database server'),
  },
  examples: [
    ['tenon-postgres ~/data/shop', 'An embedded database in a folder'],
    [
      'tenon-postgres postgres://reader@localhost/shop',
      'A database server; the password is in PGPASSWORD or ~/.pgpass',
    ],
    ['tenon-postgres --write ask ~/data/shop', 'Changes too, each after a question'],
  ],
  open: (settings) => createPostgresServer({ settings }),
})
