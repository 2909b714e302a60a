// Runs `npm start` as a newcomer would: the printed link opens the workbench, and Ctrl-C ends it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const child = spawn('npm', ['start'], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
const exited = once(child, 'exit')

try {
  const link = await printedLink()
  const welcome = await fetch(link, { redirect: 'manual' })
  expect(welcome.status === 303, `the link answers ${welcome.status}, not 303`)
  const cookie = welcome.headers.get('set-cookie')?.split(';')[0]
  const page = await fetch(new URL('/', link), { headers: { cookie } })
  const html = await page.text()
  expect(page.status === 200 && html.includes('<title>'), `the page answers ${page.status}`)
} finally {
  // The whole group, as a terminal does with Ctrl-C.
  process.kill(-child.pid, 'SIGINT')
}
const [code, signal] = await exited
expect(code === 0 || code === 130 || signal === 'SIGINT', `npm start ended with ${signal ?? code}`)
console.log('npm start prints a link, the link opens the workbench, and Ctrl-C ends it.')

async function printedLink() {
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    const link = /http:\/\/\S+token=\S+/.exec(line)?.[0]
    if (link !== undefined) return link
  }
  throw new Error('npm start ended without printing a link')
}

function expect(holds, problem) {
  if (!holds) throw new Error(problem)
}
