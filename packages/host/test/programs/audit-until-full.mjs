// Notes events until the file may not grow any more, and prints how many were noted.
import { AuditFile } from '../../dist/audit/audit-file.mjs'

const audit = new AuditFile(process.argv[2])
let noted = 0
try {
  for (;;) {
    audit.record({ type: 'call', server: 's', name: 'go' })
    noted++
  }
} catch (error) {
  console.log(JSON.stringify({ noted, code: error.code }))
}
