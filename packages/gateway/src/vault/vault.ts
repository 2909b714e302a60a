import { McpError } from '@tenon/sdk/client'
import { type Database, openDatabase } from '../database/database.ts'
import { Keyring } from './keyring.ts'

interface Row {
  owner: string
  name: string
  key: string
  sealed: string
}

const table = `CREATE TABLE IF NOT EXISTS tenon_vault (
  owner text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  sealed text NOT NULL,
  written bigint NOT NULL,
  expires bigint,
  PRIMARY KEY (owner, name)
)`

const columns = 'owner, name, key, sealed'
const batch = 100

/**
 * Secrets by owner and name, sealed with a key that the database does not have. Owner and name are bound to each secret, so a
 * row that was copied to another person or another upstream does not open.
 */
export class Vault {
  readonly keyring: Keyring
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, keyring: Keyring, now: () => number) {
    this.#database = database
    this.keyring = keyring
    this.#now = now
  }

  async get(owner: string, name: string): Promise<string | undefined> {
    const sql = `SELECT ${columns} FROM tenon_vault WHERE owner = $1 AND name = $2 AND (expires IS NULL OR expires > $3)`
    const { rows } = await this.#database.query<Row>(sql, [owner, name, this.#now()])
    const [row] = rows
    // The names are the ones that were asked for: those of the row prove nothing.
    return row && this.#open({ ...row, owner, name })
  }

  async set(owner: string, name: string, value: string, expiresAt?: number): Promise<void> {
    const { key, text } = this.keyring.seal(value, ['vault', owner, name])
    const sql = `INSERT INTO tenon_vault (owner, name, key, sealed, written, expires) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (owner, name) DO UPDATE SET key = $3, sealed = $4, written = $5, expires = $6`
    await this.#database.query(sql, [owner, name, key, text, this.#now(), expiresAt ?? null])
  }

  /** Reads and deletes in one step: of several that take a value one gets it. */
  async take(owner: string, name: string): Promise<string | undefined> {
    const sql = `DELETE FROM tenon_vault WHERE owner = $1 AND name = $2 RETURNING ${columns}, expires`
    const { rows } = await this.#database.query<Row & { expires: string | number | null }>(sql, [owner, name])
    const [row] = rows
    if (row === undefined || (row.expires !== null && Number(row.expires) <= this.#now())) return undefined
    return this.#open({ ...row, owner, name })
  }

  async delete(owner: string, name: string): Promise<void> {
    await this.#database.query('DELETE FROM tenon_vault WHERE owner = $1 AND name = $2', [owner, name])
  }

  /** Deletes expired values of everybody, and all but the newest `most` of an owner whose names begin with `prefix`. */
  async prune(owner: string, prefix: string, most: number): Promise<void> {
    await this.#database.query('DELETE FROM tenon_vault WHERE expires <= $1', [this.#now()])
    const named = 'owner = $1 AND starts_with(name, $2)'
    const kept = `SELECT name FROM tenon_vault WHERE ${named} ORDER BY written DESC, name LIMIT $3`
    await this.#database.query(`DELETE FROM tenon_vault WHERE ${named} AND name NOT IN (${kept})`, [
      owner,
      prefix,
      most,
    ])
  }

  /** The names of an owner's values. */
  async names(owner: string): Promise<string[]> {
    const sql = 'SELECT name FROM tenon_vault WHERE owner = $1 AND (expires IS NULL OR expires > $2) ORDER BY name'
    const { rows } = await this.#database.query<{ name: string }>(sql, [owner, this.#now()])
    return rows.map(({ name }) => name)
  }

  /** Lets one holder in at a time, in all gateways that share the database. */
  hold<T>(owner: string, name: string, work: () => Promise<T>): Promise<T> {
    return this.#database.hold(JSON.stringify(['tenon vault', owner, name]), work)
  }

  /** Seals everything with the current key, and returns how much that was. Then the earlier keys can go. */
  async rotate(): Promise<number> {
    let count = 0
    for (;;) {
      const sql = `SELECT ${columns} FROM tenon_vault WHERE key <> $1 LIMIT ${batch}`
      const { rows } = await this.#database.query<Row>(sql, [this.keyring.currentId])
      if (rows.length === 0) return count
      for (const row of rows) await this.#reseal(row)
      count += rows.length
    }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #reseal(row: Row): Promise<void> {
    const { owner, name, sealed } = row
    const { key, text } = this.keyring.seal(this.#open(row), ['vault', owner, name])
    // A value that was written meanwhile has the current key already.
    const sql = 'UPDATE tenon_vault SET key = $3, sealed = $4 WHERE owner = $1 AND name = $2 AND sealed = $5'
    await this.#database.query(sql, [owner, name, key, text, sealed])
  }

  #open({ owner, name, key, sealed }: Row): string {
    const plain = this.keyring.open({ key, text: sealed }, ['vault', owner, name])
    if (plain !== undefined) return plain
    const about = `${JSON.stringify(name)} of ${JSON.stringify(owner)}`
    throw new McpError(
      'unavailable',
      `The vault has an entry that does not open (${about}): its key is not given, or the row was changed`,
    )
  }
}

interface VaultOptions {
  /** `postgres://…`, a folder, or a database that is open and is closed with the vault. */
  database: string | Database
  /** The key that seals, and then those that only open. */
  keys: readonly string[]
  /** ms since 1970, for tests. */
  now?: () => number
}

export async function openVault({ database: given, keys, now = Date.now }: VaultOptions): Promise<Vault> {
  const keyring = new Keyring(keys)
  const database = typeof given === 'string' ? await openDatabase(given) : given
  try {
    // Two gateways that start at once would both make the table, and one of them fail.
    await database.hold('tenon vault table', () => database.query(table))
    return new Vault(database, keyring, now)
  } catch (error) {
    await database.close()
    throw error
  }
}
