// One client against one server: runs tasks in a process of its own, and reports their results.
import { Difference } from './check.mjs'
import { noEnd } from './judge.mjs'

const plan = JSON.parse(process.argv[2])
const { open } = await import(plan.client.script)

/** Runs one task on connections of its own, and closes all of them. */
async function run(name) {
  const { default: task } = await import(`../tasks/${name}.mjs`)
  const opened = []
  const limitMs = plan.shortly.includes(name) ? plan.shortLimitMs : (task.limitMs ?? plan.limitMs)
  const timer = new AbortController()
  const timeout = new Promise((_, reject) => {
    timer.signal.addEventListener('abort', () => reject(new Difference(noEnd(limitMs))))
  })
  const alarm = setTimeout(() => timer.abort(), limitMs)
  const seen = { revision: undefined }
  const context = {
    work: plan.work,
    target: plan.target,
    signal: timer.signal,
    /** Closed after the connections. */
    onEnd: (close) => opened.push({ close }),
    async open(answers = {}, target = {}) {
      const session = await open({ ...plan.target, ...target }, answers, plan.client.settings)
      opened.push(session)
      seen.revision ??= session.revision
      return session
    },
  }
  try {
    await Promise.race([task.run(context), timeout])
    return { outcome: 'pass', ...seen }
  } catch (error) {
    return { outcome: 'fail', message: messageOf(error), ...seen }
  } finally {
    clearTimeout(alarm)
    await closeAll(opened)
  }
}

/** A peer that cannot be closed must not delay the next task. */
async function closeAll(sessions) {
  const patience = new Promise((resolve) => setTimeout(resolve, 3_000).unref())
  await Promise.race([Promise.allSettled(sessions.map((session) => session.close())), patience])
}

function messageOf(error) {
  if (error instanceof Difference) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = error.code === undefined ? '' : ` (${error.code})`
  return `${error.name}${code}: ${error.message}`.slice(0, 600)
}

// Unhandled errors of a library belong to the running task.
const strays = []
process.on('unhandledRejection', (error) => strays.push(`unhandled rejection: ${messageOf(error)}`))
process.on('uncaughtException', (error) => strays.push(`uncaught exception: ${messageOf(error)}`))

const tell = (message) => new Promise((resolve) => process.send(message, resolve))

// The parent process is gone.
process.once('disconnect', () => process.exit(1))

for (const name of plan.tasks) {
  await tell({ started: name })
  const start = performance.now()
  const result = await run(name)
  await tell({ task: name, ...result, ms: Math.round(performance.now() - start), strays: strays.splice(0) })
}
process.exit(0)
