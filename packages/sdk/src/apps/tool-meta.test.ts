import { expect, test } from 'vitest'
import { appUriOf, isForApp, isForModel } from './tool-meta.ts'

// [xapp.vis.default] [xapp.vis.hide-from-model]
test.each([
  [undefined, true, true],
  [{}, true, true],
  [{ ui: {} }, true, true],
  [{ ui: { visibility: ['model', 'app'] } }, true, true],
  [{ ui: { visibility: ['app'] } }, false, true],
  [{ ui: { visibility: ['model'] } }, true, false],
  [{ ui: { visibility: [] } }, false, false],
  [{ ui: { visibility: 'app' } }, false, false],
])('with %j: for the model %s, for apps %s', (_meta, model, app) => {
  const tool = _meta === undefined ? {} : { _meta }
  expect([isForModel(tool), isForApp(tool)]).toEqual([model, app])
})

test.each([
  [{ ui: { resourceUri: 'ui://a/b' } }, 'ui://a/b'],
  [{ 'ui/resourceUri': 'ui://a/old' }, 'ui://a/old'],
  [{ 'ui/resourceUri': 'ui://a/old', ui: { resourceUri: 'ui://a/new' } }, 'ui://a/new'],
  [{ ui: { resourceUri: 'https://evil.example' } }, undefined],
  [{ ui: { resourceUri: 7 } }, undefined],
  [{}, undefined],
])('the view of %j is %s', (_meta, uri) => {
  expect(appUriOf({ _meta })).toBe(uri)
})
