import type { SqlDatabase } from '../database/database.ts'
import type { AuditSink } from './audit-log.ts'

/** A log in a table of PostgreSQL, which several gateways share. It only ever inserts. */
export async function auditTable(
  database: SqlDatabase,
  close: () => Promise<void> = async () => {},
): Promise<AuditSink> {
  await database.query(`create table if not exists tenon_audit (
    id bigserial primary key, chain text not null, seq bigint not null, line text not null, unique (chain, seq))`)
  return {
    async last() {
      const { rows } = await database.query('select line from tenon_audit order by id desc limit 1')
      const [last] = rows as { line: string }[]
      return last === undefined ? undefined : (JSON.parse(last.line) as { hash: string }).hash
    },
    async write(lines) {
      await database.query(
        'insert into tenon_audit (chain, seq, line) select * from unnest($1::text[], $2::bigint[], $3::text[])',
        [lines.map(({ chain }) => chain), lines.map(({ seq }) => seq), lines.map(({ line }) => line.trimEnd())],
      )
    },
    close,
  }
}

const pageRows = 1_000

/** The lines of the table, in the order in which they were inserted. */
export async function* auditTableLines(database: SqlDatabase, onlyStarts = false): AsyncGenerator<string> {
  const starts = onlyStarts ? 'and seq = 0' : ''
  for (let after = '0'; ; ) {
    const { rows } = await database.query(
      `select id::text as place, line from tenon_audit where id > $1::bigint ${starts} order by id limit ${pageRows}`,
      [after],
    )
    const page = rows as { place: string; line: string }[]
    for (const { line } of page) yield line
    if (page.length < pageRows) return
    after = page.at(-1)!.place
  }
}
