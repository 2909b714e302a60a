import { version } from './version.ts'

const [first] = process.argv.slice(2)

// Scripts ask for the version often, and it needs nothing of the rest.
if (first === '--version' || first === '-V') process.stdout.write(`${version}\n`)
else await import('./program.ts')
