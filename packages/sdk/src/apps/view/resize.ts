/** Tells the size of the page, now and whenever it changes, at most once per frame; the returned function stops that. */
export function watchSize(
  tell: (size: { width: number; height: number }) => void,
  document: Document = globalThis.document,
): () => void {
  const root = document.documentElement
  let told = ''
  let frame = 0
  const look = (): void => {
    frame = 0
    const { width, height } = root.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    const text = `${size.width}x${size.height}`
    if (text === told) return
    told = text
    tell(size)
  }
  const observer = new ResizeObserver(() => {
    frame ||= requestAnimationFrame(look)
  })
  observer.observe(root)
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}
