import { expect, test } from 'vitest'
import { inPath, inQuery } from '../src/request/serialize.ts'

const list = ['blue', 'black']
const object = { R: 100, G: 200 }
const parameter = (style: string, explode: boolean) =>
  ({ name: 'color', style, explode, place: 'path', required: true }) as Parameters<typeof inPath>[0]

// The table of the OpenAPI specification, "Style Examples".
test.each([
  ['simple', false, 'blue', 'blue,black', 'R,100,G,200'],
  ['simple', true, 'blue', 'blue,black', 'R=100,G=200'],
  ['label', false, '.blue', '.blue,black', '.R,100,G,200'],
  ['label', true, '.blue', '.blue.black', '.R=100.G=200'],
  ['matrix', false, ';color=blue', ';color=blue,black', ';color=R,100,G,200'],
  ['matrix', true, ';color=blue', ';color=blue;color=black', ';R=100;G=200'],
])('in a path, %s, explode %s', (style, explode, ...expected) => {
  const texts = ['blue', list, object].map((value) => inPath(parameter(style, explode), value, encodeURIComponent))
  expect(texts).toEqual(expected)
})

test.each([
  ['form', false, 'color=blue', 'color=blue,black', 'color=R,100,G,200'],
  ['form', true, 'color=blue', 'color=blue&color=black', 'R=100&G=200'],
  ['spaceDelimited', false, 'color=blue', 'color=blue black', 'color=R 100 G 200'],
  ['pipeDelimited', false, 'color=blue', 'color=blue|black', 'color=R|100|G|200'],
  ['deepObject', true, 'color=blue', 'color=blue&color=black', 'color[R]=100&color[G]=200'],
  ['json', false, 'color="blue"', 'color=["blue","black"]', 'color={"R":100,"G":200}'],
])('in a query, %s, explode %s', (style, explode, ...expected) => {
  const texts = ['blue', list, object].map((value) =>
    inQuery(parameter(style, explode), value)
      .map((pair) => pair.join('='))
      .join('&'),
  )
  expect(texts).toEqual(expected)
})
