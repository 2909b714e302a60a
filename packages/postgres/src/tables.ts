import { McpError } from '@tenon/sdk/server'

/** Two processes that begin at once must not make the same table twice: PostgreSQL locks by number. */
const lockNumber = 7_365_663_611

/** The statements for one table. Values are never part of a statement. */
export interface TaskTable {
  /** Makes the table; a second time, nothing. */
  readonly create: string
  readonly isThere: string
  readonly insert: string
  readonly replace: string
  readonly get: string
  readonly remove: string
  readonly removeOld: string
  select(condition: 'owner' | 'working' | 'all'): string
  count(condition: 'owner' | 'all'): string
}

/** `over`, in ms since 1970, is compared with the time of the program: that is the one in the record. */
export function taskTable(name: string): TaskTable {
  if (!/^[a-z_][a-z0-9_]{0,47}(\.[a-z_][a-z0-9_]{0,47})?$/.test(name)) {
    throw new McpError('invalid_argument', `table: expected a name such as tenon_tasks or app.tenon_tasks, got ${name}`)
  }
  const indexed = name.replace('.', '_')
  const alive = 'over > $1'
  const conditions = { all: alive, owner: `${alive} AND owner = $2`, working: `${alive} AND working` }
  return {
    create: `
      BEGIN;
      SELECT pg_advisory_xact_lock(${lockNumber});
      CREATE TABLE IF NOT EXISTS ${name} (
        key text PRIMARY KEY,
        owner text NOT NULL,
        format integer NOT NULL,
        version bigint NOT NULL,
        working boolean NOT NULL,
        over bigint NOT NULL,
        record text NOT NULL
      );
      CREATE INDEX IF NOT EXISTS ${indexed}_owner ON ${name} (owner);
      CREATE INDEX IF NOT EXISTS ${indexed}_over ON ${name} (over);
      CREATE INDEX IF NOT EXISTS ${indexed}_working ON ${name} (working) WHERE working;
      COMMIT;`,
    isThere: `SELECT to_regclass('${name}') IS NOT NULL AS found`,
    // A task that is over makes room for one with its name.
    insert: `
      INSERT INTO ${name} AS old (key, owner, format, version, working, over, record) VALUES ($2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (key) DO UPDATE SET (format, version, working, over, record) = ($4, $5, $6, $7, $8) WHERE old.over <= $1`,
    replace: `
      UPDATE ${name} SET version = $5, working = $6, over = $7, record = $8
      WHERE key = $2 AND owner = $3 AND format = $4 AND version = $5 - 1 AND ${alive}`,
    get: `SELECT format, record FROM ${name} WHERE ${alive} AND key = $2`,
    remove: `DELETE FROM ${name} WHERE key = $1`,
    removeOld: `DELETE FROM ${name} WHERE key IN (SELECT key FROM ${name} WHERE over <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    select: (condition) => `SELECT format, record FROM ${name} WHERE ${conditions[condition]}`,
    count: (condition) => `SELECT count(*) AS found FROM ${name} WHERE ${conditions[condition]}`,
  }
}
