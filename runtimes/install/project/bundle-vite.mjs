// Bundles a page with the installed Vite; a warning, such as for a module that browsers lack, is a failure.
import { writeFileSync } from 'node:fs'
import { build } from 'vite'
import { refuseNodeModules } from './refuse-node-modules.mjs'

writeFileSync('index.html', '<!doctype html><script type="module" src="/page.ts"></script>')
const warnings = []
const warn = (text) => warnings.push(text)
const quiet = {
  info() {},
  warn,
  warnOnce: warn,
  error: console.error,
  clearScreen() {},
  hasErrorLogged: () => false,
  hasWarned: false,
}
const { output } = await build({
  configFile: false,
  customLogger: quiet,
  build: { write: false, chunkSizeWarningLimit: 1_000 },
})
refuseNodeModules(output.flatMap(({ code }) => code ?? []))
if (warnings.length > 0) throw new Error(warnings.join('\n'))
