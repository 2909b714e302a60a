import { createServer } from '@tenon/sdk/server'
import { skillsFrom } from '@tenon/sdk/skills'
import { serveStdio } from '@tenon/sdk/stdio'

const skills = await skillsFrom(new URL('../skills/', import.meta.url))

await serveStdio(
  createServer({ name: 'kitchen', version: '1.0.0', extensions: [skills.extension], resources: skills.resources }),
)
