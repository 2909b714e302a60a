// Peers in Rust: the programs of interop/peers/rust.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiled, executable } from './toolchain.mjs'

const folder = fileURLToPath(new URL('../peers/rust/', import.meta.url))

export const rust = compiled({
  folder,
  language: 'Rust',
  sources: ['Cargo.toml', 'Cargo.lock', 'src/bin/server.rs', 'src/bin/client.rs'],
  output: 'target',
  command: 'cargo',
  args: ['build', '--quiet', '--locked', '--bins'],
})

export const rustProgram = (name) => join(folder, 'target', 'debug', executable(name))

/** The version of a crate in Cargo.toml. */
export const rustVersionOf = (name) =>
  readFileSync(join(folder, 'Cargo.toml'), 'utf8').match(new RegExp(`^${name} = .*"=([^"]+)"`, 'm'))[1]
