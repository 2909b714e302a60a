import { runProgram } from '@tenon/server-kit'
import { createRedisServer } from './redis-server.ts'
import { settings } from './redis-settings.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-redis',
  version,
  summary:
    'Keys and values of a Redis for models: URL, else the one that REDIS_URL names, else redis://localhost:6379.',
  settings,
  positional: { setting: 'redis', placeholder: '[URL]' },
  examples: [
    ['tenon-redis redis://localhost:6379/1', 'Use database 1 of this machine'],
    ['tenon-redis --read-only --prefix app: rediss://cache.example:6380', 'Read keys that begin with app:, over TLS'],
  ],
  open: (settings) => createRedisServer({ settings }),
})
