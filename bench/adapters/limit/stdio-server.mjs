// Lines and JSON, and nothing else. One write for the requests of one read, and one for later answers of one turn.
import { answerTo } from './answers.mjs'

let rest = ''
let out = ''
let isReading = false

function send(answered) {
  if (answered === undefined) return
  if (!isReading && out === '') setImmediate(flush)
  out += `${JSON.stringify(answered)}\n`
}

function flush() {
  const text = out
  out = ''
  if (text !== '') process.stdout.write(text)
}

process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  if (!chunk.includes('\n')) {
    rest += chunk
    return
  }
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  isReading = true
  for (const line of lines) answerTo(JSON.parse(line), send)
  isReading = false
  flush()
})
