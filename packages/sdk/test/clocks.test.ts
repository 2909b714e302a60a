/** Wall clocks are set. Only times shared with others are read from one; ages and intervals come from `monotonicMs`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../..', import.meta.url))

/** The files that may read the wall clock, with the reason. */
const readers: { [file: string]: string } = {
  'cli/src/chat/conversations/conversations.ts': 'the name of a file',
  'cli/src/new/templates.ts': 'the year of a license',
  'cli/src/watch/server-watcher.ts': 'shown to people',
  'gateway/src/approvals/approval-queue.ts': 'questions that other processes read, and dates for people',
  'gateway/src/audit/audit-files.ts': 'the name of a file',
  'gateway/src/audit/audit-log.ts': 'shown to people',
  'gateway/src/audit/refusals.ts': 'shown to people',
  'gateway/src/credentials/token-cache.ts': 'exp of a token',
  'gateway/src/identity/api-keys.ts': 'the date that a key expires, in the configuration',
  'gateway/src/identity/door.ts': 'exp of a token',
  'gateway/src/identity/open-identity.ts': 'exp of a token, and records of the vault, which other processes read',
  'gateway/src/pins/pins.ts': 'shown to people',
  'gateway/src/policy/policy.ts': 'the time of day that rules may ask for',
  'gateway/src/serving/traffic.ts': 'shown to people',
  'gateway/src/sharing/shared-state.ts': 'a record that other processes read',
  'gateway/src/vault/vault.ts': 'dates of records, which other processes read',
  'host/src/audit/audit-file.ts': 'shown to people',
  'host/src/config/write/write-change.ts': 'the name of a file',
  'host/src/chat/model/model-failure.ts': 'Retry-After of a provider, which may be a date',
  'inspector/src/authorization/explain/token.ts': 'exp of a token',
  'inspector/src/authorization/flow.ts': 'shown to people',
  'inspector/src/calls/calls.ts': 'shown to people',
  'inspector/src/commands/other-commands.ts': 'the name of a file',
  'inspector/src/kept/kept-file.ts': 'the name of a file',
  'inspector/src/questions/questions.ts': 'shown to people',
  'inspector/src/servers/log-lines.ts': 'shown to people',
  'inspector/src/servers/managed-server.ts': 'shown to people',
  'inspector/src/servers/stderr.ts': 'shown to people',
  'inspector/src/sessions/sessions.ts': 'shown to people, and the name of a file',
  'inspector/src/tasks/tasks.ts': 'shown to people',
  'inspector/src/timeline/timeline.ts': 'shown to people',
  'postgres/src/postgres-task-store.ts': 'createdAt and ttlMs of a task, which other processes know',
  'redis/src/tasks/bull-worker.ts': 'when a job is due, which other processes know',
  'redis/src/tasks/redis-task-store.ts': 'createdAt and ttlMs of a task, which other processes know',
  'redis/src/redis-records.ts': 'until when a record is kept, which other processes know',
  'redis/src/redis-spent-states.ts': 'until when a state could be used again, which other processes know',
  'sdk/src/apps/host/watch-channel.ts': 'shown to people',
  'sdk/src/auth/client/stores/file-lock.ts': 'compared with the times of a file, which other processes set',
  'sdk/src/auth/client/registration.ts': 'client_secret_expires_at of an authorization server',
  'sdk/src/auth/client/session.ts': 'renewAt of a token, which is kept on disk',
  'issuer/src/issuer.ts': 'iat and exp of tokens, and the dates of records on disk',
  'sdk/src/auth/resource/tokens/claims.ts': 'exp and nbf of a token',
  'sdk/src/auth/resource/dpop/dpop.ts': 'iat of a proof',
  'sdk/src/auth/resource/dpop/nonces.ts': 'periods of nonces that several servers take',
  'sdk/src/auth/resource/tokens/remembered-tokens.ts': 'exp of a token',
  'sdk/src/auth/resource/tokens/token-watch.ts': 'exp of a token',
  'sdk/src/client/connecting/connection.ts':
    'a duration for telemetry: `performance` would cost a millisecond of every start',
  'sdk/src/files/drafts.ts': 'compared with the times of a file, which other processes set',
  'sdk/src/server/connection.ts': 'a duration for telemetry: `performance` would cost a millisecond of every start',
  'sdk/src/server/stateless/state-seal.ts': 'the expiry of sealed state, which another process may open',
  'sdk/src/server/tasks/queue/task-dispatch.ts': 'when the next run of a task is due, which other processes read',
  'sdk/src/server/tasks/runs/lease-watch.ts': 'dates of leases, which other processes write',
  'sdk/src/server/tasks/store/task-record.ts': 'createdAt and ttlMs of a task, which clients and other processes know',
  'sdk/src/server/tasks/task-manager.ts': 'createdAt, updatedAt and leases of tasks, which other processes read',
  'sdk/src/telemetry/watch.ts': 'a duration for telemetry: `performance` would cost a millisecond of every start',
  'sdk/src/task-files/set-aside.ts': 'the name of a file',
  'sdk/src/testing/stores/record-store.ts': 'until when a record is kept, as an issuer says it to a store',
  'sdk/src/testing/stores/spent-states.ts': 'until when a state could be used again, as the library says it to a store',
  'sdk/src/testing/stores/task-store.ts': 'createdAt of a task, as the library says it to a store',
  'sdk/src/internal/used-ids.ts': 'until when an id could be used again; a time that was over stays over',
}

/** Without comments, which may mention it. */
const readsWallClock = (text: string): boolean =>
  /Date\.now\b|new Date\(\)/.test(text.replace(/^\s*(\*|\/[/*]).*$/gm, ''))

const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.(test|suite)\.tsx?$/.test(file) && !file.includes('/fixtures/')

test('the wall clock is read only where others know the time too', () => {
  const found = readdirSync(packages).flatMap((name) =>
    sourcesOf(join(packages, name, 'src')).filter((file) => readsWallClock(readFileSync(file, 'utf8'))),
  )
  expect(found.map((file) => relative(packages, file).replaceAll('\\', '/')).sort()).toEqual(
    Object.keys(readers).sort(),
  )
})

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter(isSource)
}
