// A server with views: one that behaves, and some that do not.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { appResource, appTool, supportsApps } from '@tenon/sdk/apps'
import { createServer } from '@tenon/sdk/server'
import { build } from 'esbuild'

/** Ways to leave the page of a view. */
export const exits = ['assign', 'refresh', 'form', 'link', 'download']

/** The server, and the names of its tools in the order of their calls. `collector` counts the leaks of views. */
export async function appServer(collector) {
  const ran = []
  const noting = (name, options) => appTool({ name, run: () => `${name} ${ran.push(name)}`, ...options })
  const view = appResource({ uri: 'ui://test/view', name: 'view', html: await pageWith('./view.mjs') })
  const leak = pageOf(read('./leak.mjs'), collector)
  const server = createServer({
    name: 'views',
    version: '1.0.0',
    tools: [
      appTool({
        name: 'greet',
        app: view,
        input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        run({ name }, ctx) {
          ran.push('greet')
          return supportsApps(ctx.caller) ? `Hello ${name}` : `Hello ${name}, without a view`
        },
      }),
      noting('private', { visibility: ['app'] }),
      noting('hidden', { visibility: ['model'] }),
    ],
    resources: [
      view,
      appResource({ uri: 'ui://test/leak', name: 'leak', html: leak }),
      ...exits.map((way) =>
        appResource({
          uri: `ui://test/exit/${way}`,
          name: `exit by ${way}`,
          html: pageOf(`const way = ${JSON.stringify(way)}\n${read('./exit.mjs')}`, collector),
        }),
      ),
      appResource({
        uri: 'ui://test/declared',
        name: 'declared',
        html: pageOf(read('./declared.mjs'), collector),
        csp: { connectDomains: [collector] },
      }),
      appResource({ uri: 'ui://test/hostile', name: 'hostile', html: pageOf(read('./hostile.mjs'), collector) }),
      appResource({ uri: 'ui://test/flood', name: 'flood', html: pageOf(read('./flood.mjs'), collector) }),
    ],
  })
  return { server, ran }
}

const read = (file) => readFileSync(new URL(file, import.meta.url), 'utf8')

const pageOf = (script, collector) => `<!doctype html>
<title>A view</title>
<body>
<script>const collector = ${JSON.stringify(collector)}</script>
<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`

async function pageWith(file) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  })
  return pageOf(outputFiles[0].text, '')
}
