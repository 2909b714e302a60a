import { FastMCP } from 'fastmcp'
import { z } from 'zod'

export function definition() {
  const server = new FastMCP({ name: 'bench', version: '1.0.0', logger: quiet })
  const parameters = z.object({ text: z.string() })
  server.addTool({ name: 'echo', description: 'Says it again', parameters, execute: async ({ text }) => text })
  return server
}

const quiet = { debug() {}, error: console.error, info() {}, log() {}, warn() {} }
