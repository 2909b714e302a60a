/**
 * The thread of an embedded database. It speaks the protocol of PostgreSQL in messages: bytes in, bytes out. A statement
 * that takes too long is ended by ending the thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

/**
 * The only session of an embedded database is that of a superuser, and readers work in another role. A query of one
 * statement can leave its role with this function alone, so readers lose it.
 */
const setUp = 'REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC'
const isSetUp =
  "SELECT NOT has_function_privilege('pg_read_all_data', 'pg_catalog.set_config(text,text,boolean)', 'EXECUTE') AS done"

const database = await PGlite.create(workerData.folder)
const { rows } = await database.query(isSetUp)
if (!rows[0].done) await database.exec(setUp)

let last = Promise.resolve()
parentPort.on('message', (message) => {
  last = last.then(async () => {
    if (message === 'close') {
      await database.close()
      parentPort.close()
      return
    }
    parentPort.postMessage(await database.execProtocolRaw(message, { syncToFs: true }))
  })
})
parentPort.postMessage('ready')
