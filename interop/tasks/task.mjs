import { check, includes, textOf, until } from '../lib/check.mjs'

export default {
  name: 'task',
  title: 'task',
  needs: 'task',
  about:
    'a call becomes a task, which is followed to its end and asks the user on the way if it wants to; another one is cancelled, and both are listed',
  shows: ['task25.create.result', 'task25.result.blocks', 'task25.cancel.stop', 'task25.list.complete'],
  async run({ open, work: { task }, signal }) {
    const asked = []
    const session = await open({
      elicit: (params) => {
        asked.push(params)
        return { action: 'accept', content: task.content }
      },
    })
    const seen = []
    const result = await session.callAsTask(task.name, task.arguments, (one) => seen.push(one))
    check(!result.isError, `no error: ${textOf(result)}`)
    check(textOf(result).includes(task.text), `the result arrives: ${textOf(result)}`)
    check(seen.length > 0, 'the status was told')
    check(asked.length === (task.content ? 1 : 0), `questions to the user: ${asked.length}`)
    const started = await session.startTask(task.name, task.arguments)
    await session.cancelTask(started)
    await until(async () => (await session.taskStatus(started)) === 'cancelled', signal)
    if (session.listTasks) includes(await session.listTasks(), [seen[0].taskId, started], 'tasks')
  },
}
