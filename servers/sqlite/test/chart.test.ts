import { appMimeType } from '@tenon/sdk/apps'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { browserTimeoutMs, seeView } from '../../kit/test/view-in-browser.ts'
import { call, open, read } from './helpers.ts'

const sales = "VALUES ('Mon', 3, 1.5), ('Tue', NULL, 2), ('Wed', -1, '4')"

test('a chart has labels and series, by order or by name', async () => {
  const { client } = await open()
  const query = `SELECT column1 AS day, column2 AS tea, column3 AS milk FROM (${sales})`
  expect(await call(client, 'show_chart', { query, title: 'Week' })).toEqual({
    title: 'Week',
    type: 'bar',
    x: 'day',
    labels: ['Mon', 'Tue', 'Wed'],
    series: [
      { name: 'tea', values: [3, null, -1] },
      { name: 'milk', values: [1.5, 2, 4] },
    ],
    more: false,
  })
  const named = { query, type: 'scatter', x: 'milk', y: ['tea'] }
  expect(await call(client, 'show_chart', named)).toMatchObject({ x: 'milk', series: [{ name: 'tea' }] })
  await expect(call(client, 'show_chart', { query, y: ['rum'] })).rejects.toThrow('there are day, tea, milk')
  await expect(call(client, 'show_chart', { query: "SELECT 'a', 'b'" })).rejects.toThrow('numbers to draw')
  expect(await call(client, 'show_chart', { query: 'SELECT 1 AS a, 2 AS b WHERE 0' })).toMatchObject({
    labels: [],
    series: [],
  })
  const many = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3000) SELECT x, x FROM c'
  expect(await call(client, 'show_chart', { query: many })).toMatchObject({ more: true })
})

test('the tool names its view, which is a page of its own', async () => {
  const { client } = await open()
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'show_chart')?._meta).toMatchObject({
    ui: { resourceUri: 'ui://sqlite/chart' },
  })
  const { contents } = await client.readResource('ui://sqlite/chart')
  expect(contents).toMatchObject([{ mimeType: appMimeType }])
  expect((contents[0] as { text: string }).text).not.toMatch(/\b(?:src|href)=|https?:(?!\/\/www\.w3\.org\/2000\/svg)/)
  expect(await read(client, 'SELECT 1')).toEqual([[1]])
})

test('a browser draws every kind of chart, and values stay text', {
  ...requires('chromium'),
  timeout: browserTimeoutMs,
}, async () => {
  const { client } = await open()
  const [view] = (await client.readResource('ui://sqlite/chart')).contents
  const query = `SELECT column1 || '<img src=x onerror=alert(1)>' AS day, column2 AS tea, column3 AS milk FROM (${sales})`
  const charts = await Promise.all(
    ['bar', 'line', 'area', 'scatter', 'pie'].map((type) =>
      call(client, 'show_chart', { query, type, title: '<b>x</b>' }),
    ),
  )
  const seen = await seeView((view as { text: string }).text, charts, drawn)
  const inHost = { scheme: 'dark', ink: 'rgb(1, 2, 3)' }
  // Five values are numbers; a pie shows the positive ones of its first series.
  expect(seen).toEqual([
    { shapes: { rect: 5 }, images: 0, title: '<b>x</b>', legend: 2, ...inHost },
    { shapes: { polyline: 3, circle: 5 }, images: 0, title: '<b>x</b>', legend: 2, ...inHost },
    { shapes: { polygon: 3, polyline: 3, circle: 5 }, images: 0, title: '<b>x</b>', legend: 2, ...inHost },
    { shapes: { circle: 5 }, images: 0, title: '<b>x</b>', legend: 2, ...inHost },
    { shapes: { circle: 1 }, images: 0, title: '<b>x</b>', legend: 3, ...inHost },
  ])
})

/** Counts what is drawn. */
const drawn = `{
  shapes: Object.fromEntries(['rect', 'polygon', 'polyline', 'circle', 'path']
    .map((name) => [name, page.querySelectorAll('svg ' + name).length]).filter(([, count]) => count > 0)),
  images: page.images.length,
  title: page.getElementById('title').textContent,
  legend: page.querySelectorAll('li').length,
}`
