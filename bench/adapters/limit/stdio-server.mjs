// Lines and JSON, and nothing else. One write for the requests of one read.
import { answer } from './answers.mjs'

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  if (!chunk.includes('\n')) {
    rest += chunk
    return
  }
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  let out = ''
  for (const line of lines) {
    const answered = answer(JSON.parse(line))
    if (answered !== undefined) out += `${JSON.stringify(answered)}\n`
  }
  if (out !== '') process.stdout.write(out)
})
