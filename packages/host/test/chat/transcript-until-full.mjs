// Writes large entries until the file may not grow any more, then a small one.
import { openTranscript } from '@tenon/host/chat'

const transcript = await openTranscript(process.argv[2])
const said = (text) => transcript.append({ type: 'user', content: [{ type: 'text', text }] })
try {
  for (;;) await said('words '.repeat(100))
} catch (error) {
  console.log(error.code)
}
await said('small')
await transcript.close()
