/** Listens to single keys of a terminal; the returned function gives the terminal back. */
export function onKeys(stdin: NodeJS.ReadStream, handlers: ReadonlyMap<string, () => void>): () => void {
  const restore = (): void => void stdin.setRawMode(false)
  const listen = (text: string): void => {
    for (const key of text) handlers.get(key)?.()
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', listen)
  stdin.resume()
  process.once('exit', restore)
  return () => {
    process.off('exit', restore)
    stdin.off('data', listen)
    stdin.pause()
    restore()
  }
}
