// `node once.mjs <task> <adapter> <count>` prints the milliseconds of the task.
import { pathToFileURL } from 'node:url'

const [, , task, adapter, count] = process.argv
const url = pathToFileURL(adapter).href

const tasks = {
  async import() {
    const started = performance.now()
    await import(url)
    return performance.now() - started
  },
  async define() {
    const { define } = await import(url)
    const started = performance.now()
    define(Number(count))
    return performance.now() - started
  },
}

console.log(await tasks[task]())
process.exit(0)
