import { fileURLToPath } from 'node:url'
import { appResource, appTool, supportsApps } from '@tenon/sdk/apps'
import { createServer } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { build } from 'esbuild'
import { z } from 'zod'

/** The page of the view: its script and everything that it imports, in one file. */
async function page(): Promise<string> {
  const view = fileURLToPath(new URL('view.js', import.meta.url))
  const { outputFiles } = await build({ entryPoints: [view], bundle: true, format: 'esm', minify: true, write: false })
  const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script')
  return `<!doctype html><title>Dice</title><main></main><button>Again</button><script type="module">${script}</script>`
}

const view = appResource({ uri: 'ui://dice/table', name: 'table', load: page })
const roll = (sides: number): string => `A ${1 + Math.floor(Math.random() * sides)} of ${sides}`

const dice = appTool({
  name: 'dice',
  description: 'Rolls a die',
  app: view,
  input: z.object({ sides: z.number().int().min(2).default(6) }),
  run: ({ sides }, { caller }) => (supportsApps(caller) ? [roll(sides), 'The user sees the die'] : roll(sides)),
})

/** For the button of the view; models do not see it. */
const again = appTool({ name: 'again', app: view, visibility: ['app'], run: () => roll(6) })

await serveStdio(createServer({ name: 'dice', version: '1.0.0', tools: [dice, again], resources: [view] }))
