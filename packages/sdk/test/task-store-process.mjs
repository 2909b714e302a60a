/** Changes tasks in a shared folder quickly: `node task-store-process.mjs <folder> <command> <count>`. */
import { writeSync } from 'node:fs'
import { fileTaskStore } from '@tenon/sdk/node'

const [, , folder, command, count] = process.argv
const owner = 'user:ada'
const store = fileTaskStore(folder)
const call = { revision: '2026-07-28', requestId: 1, params: {}, capabilities: {}, transport: 'stdio' }
const times = { createdAt: Date.now(), updatedAt: Date.now(), ttlMs: null, pollIntervalMs: 1 }
const record = (id) => ({ id, owner, version: 1, status: 'working', statusMessage: '0', call, ...times })

const commands = {
  /** Creates tasks whose ids other processes use too. */
  async create(index) {
    const isMine = await store.create({ ...record(`id${index}`), statusMessage: String(process.pid) }).then(
      () => true,
      (error) => error.code !== 'invalid_argument' && Promise.reject(error),
    )
    if (isMine) writeSync(1, `id${index}\n`)
  },
  /** Adds one to the message of a task. */
  async add() {
    for (;;) {
      const current = await store.get(owner, 'counter')
      const statusMessage = String(Number(current.statusMessage) + 1)
      if (await store.replace({ ...current, version: current.version + 1, statusMessage })) break
    }
    writeSync(1, 'added\n')
  },
  /** Creates and deletes its own, so that the folder of the owner comes and goes. */
  async churn(index) {
    const id = `${process.pid}-${index}`
    await store.create(record(id))
    if ((await store.get(owner, id))?.id !== id) throw new Error(`${id} is lost`)
    await store.list()
    await store.delete(owner, id)
  },
}

writeSync(1, 'ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
for (let index = 0; index < Number(count); index++) await commands[command](index)
process.exit()
