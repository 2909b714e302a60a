// Peers in Go: the programs of interop/peers/go.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiled, executable } from './toolchain.mjs'

const folder = fileURLToPath(new URL('../peers/go/', import.meta.url))

export const go = compiled({
  folder,
  language: 'Go',
  sources: ['go.mod', 'go.sum', 'server/main.go', 'client/main.go'],
  output: 'bin',
  command: 'go',
  args: ['build', '-o', 'bin/', './...'],
})

export const goProgram = (name) => join(folder, 'bin', executable(name))

/** The version of a module in go.mod. */
export function goVersionOf(name) {
  const line = readFileSync(join(folder, 'go.mod'), 'utf8')
    .split('\n')
    .find((one) => one.includes(`${name} v`))
  return line.split(' v')[1].split(' ')[0]
}
