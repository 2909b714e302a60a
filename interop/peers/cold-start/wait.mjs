// Starts a server after some seconds, as a first run with `npx` or `uvx` does: wait.mjs <seconds> <script> <argument…>
import { pathToFileURL } from 'node:url'

const [, , seconds, script, ...args] = process.argv
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000))
process.argv = [process.argv[0], script, ...args]
await import(pathToFileURL(script).href)
