import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * On Windows a socket is a named pipe, which has no owner that could be checked and which others can make in advance. So each
 * gets a name that nobody can guess, and a file in the folder of the user contains it. Elsewhere the file is the socket.
 */
const pipeName = /^\\\\\.\\pipe\\tenon-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** An address to listen on for the socket of that path. */
export const newAddress = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? `\\\\.\\pipe\\tenon-${crypto.randomUUID()}` : path

/** Lets commands find the address, once it is listened on. */
export function publishAddress(path: string, address: string): void {
  if (address !== path) writeFileSync(path, address, { mode: 0o600 })
}

/** Commands do not find it any more. */
export function withdrawAddress(path: string, address: string): void {
  if (address !== path) rmSync(path, { force: true })
}

/** The address of the socket of that path; undefined if there is none. */
export function addressOf(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') return path
  try {
    const address = readFileSync(path, 'utf8')
    // Another text could lead to a pipe of another machine.
    return pipeName.test(address) ? address : undefined
  } catch {
    return undefined
  }
}
