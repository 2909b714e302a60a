import { check, promised, repeatUntil } from '../lib/check.mjs'

export default {
  name: 'list-changed',
  title: 'list changes',
  needs: 'listChanged',
  about: 'the list of tools changes while the client is connected: it gets the notification and sees the new list',
  shows: ['tools.list-changed', 'tools.list-changed-subscribed'],
  async run({ open, work: { listChanged }, signal }) {
    const { promise, resolve } = promised()
    const session = await open({ onToolsChanged: resolve })
    const has = async () => (await session.tools()).some(({ name }) => name === listChanged.tool)
    check(!(await has()), `${listChanged.tool} is not there at first`)
    const change = async () => {
      await session.call(listChanged.back.name, listChanged.back.arguments)
      await session.call(listChanged.change.name, listChanged.change.arguments)
    }
    await repeatUntil(promise, change, signal)
    check(await has(), `${listChanged.tool} is there after the change`)
    await session.call(listChanged.back.name, listChanged.back.arguments)
  },
}
