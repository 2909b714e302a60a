import type { SqlDatabase } from '../database/database.ts'
import type { ApprovedPin, PinStore } from './pin-store.ts'

const columns = 'upstream, kind, name, hash, value, approved_by as by, approved_at as at'

/** Approvals in a table of PostgreSQL, which several gateways share. */
export async function pinTable(database: SqlDatabase): Promise<PinStore> {
  await database.query(`create table if not exists tenon_pins (
    upstream text not null, kind text not null, name text not null, hash text not null,
    value jsonb, approved_by text not null, approved_at text not null,
    primary key (upstream, kind, name, hash))`)
  // Of two gateways that see an item first, one is first.
  await database.query(`create table if not exists tenon_first_pins (
    upstream text not null, kind text not null, name text not null, primary key (upstream, kind, name))`)
  return {
    read: async () => (await database.query(`select ${columns} from tenon_pins`)).rows.map(toPin),
    async add(pin, isFirst) {
      const key = [pin.upstream, pin.kind, pin.name]
      const value = pin.value === undefined ? null : JSON.stringify(pin.value)
      // In one statement: whoever is second must find the approval of the first, and not only that there was one.
      await database.query(
        `with first as (insert into tenon_first_pins values ($1, $2, $3) on conflict do nothing returning name)
        insert into tenon_pins select $1, $2, $3, $4, $5::jsonb, $6, $7
        where not $8::boolean or exists (select from first) on conflict do nothing`,
        [...key, pin.hash, value, pin.by, pin.at, isFirst],
      )
      const all = await database.query(
        `select ${columns} from tenon_pins where (upstream, kind, name) = ($1, $2, $3)`,
        key,
      )
      return all.rows.map(toPin)
    },
    async remove({ upstream, kind, name }) {
      await database.query(
        `with gone as (delete from tenon_pins where (upstream, kind, name) = ($1, $2, $3))
        delete from tenon_first_pins where (upstream, kind, name) = ($1, $2, $3)`,
        [upstream, kind, name],
      )
    },
  }
}

function toPin(row: unknown): ApprovedPin {
  const { value, ...pin } = row as ApprovedPin
  return { ...pin, ...(value !== null && { value }) }
}
