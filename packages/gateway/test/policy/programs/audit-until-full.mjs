// Notes events until a file may not grow any more, then some more, and prints how many were noted and how the first failed.
import { AuditLog, auditFiles } from '../../../dist/policy.js'

const log = await AuditLog.open(auditFiles({ folder: process.argv[2], sync: 'always' }))
let noted = 0
let code
while (code === undefined) {
  await log.record({ type: 'decision', name: `tool ${noted}` }).then(
    () => noted++,
    (error) => {
      code = error.code
    },
  )
}
await log.record({ type: 'decision', name: 'after' })
await log.close()
console.log(JSON.stringify({ noted, code }))
