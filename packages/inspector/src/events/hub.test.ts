import { expect, test } from 'vitest'
import { EventHub } from './hub.ts'

const publish = (hub: EventHub, uri: string): void => hub.publish({ type: 'resource-updated', server: 's', uri })
const uris = (events: { json: string }[] | undefined): string[] | undefined =>
  events?.map(({ json }) => (JSON.parse(json) as { uri: string }).uri)

test('a page that was away gets what it missed, once', () => {
  const hub = new EventHub()
  publish(hub, 'a')
  const { lastId } = hub
  publish(hub, 'b')
  publish(hub, 'c')
  expect(uris(hub.since(lastId))).toEqual(['b', 'c'])
  expect(uris(hub.since(hub.lastId))).toEqual([])
})

test('what nobody remembers, and what another backend counted, is not gone on with', () => {
  const hub = new EventHub()
  publish(hub, 'a')
  const old = hub.lastId
  for (let count = 0; count < 5_000; count++) publish(hub, 'b')
  expect(hub.since(old)).toBeUndefined()
  for (const id of [
    undefined,
    '',
    'x.1',
    new EventHub().lastId,
    `${old.split('.')[0]}.999999`,
    `${old.split('.')[0]}.-1`,
  ]) {
    expect(hub.since(id)).toBeUndefined()
  }
})
