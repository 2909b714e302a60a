import { type JSX, type ReactNode, useEffect, useRef, useState } from 'react'

const chunkSize = 50
/** The height of an item before it is measured. */
const guessedHeight = 52
const margin = '600px 0px'

interface Props<Item> {
  items: readonly Item[]
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
  /** Whether all of it exists: a short list can be searched by the browser. */
  isWhole: boolean
}

/** A list of any length, of which only the items near the view exist. The rest is room of about the same height. */
export function NearList<Item>({ items, keyOf, children, isWhole }: Props<Item>): JSX.Element {
  const list = (some: readonly Item[]): JSX.Element => (
    <ul>
      {some.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </ul>
  )
  if (isWhole) return list(items)
  const chunks = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, index) => index * chunkSize)
  return (
    <>
      {chunks.map((from) => (
        <Chunk key={from} count={Math.min(chunkSize, items.length - from)} isFirst={from === 0}>
          {() => list(items.slice(from, from + chunkSize))}
        </Chunk>
      ))}
    </>
  )
}

interface ChunkProps {
  count: number
  isFirst: boolean
  children: () => ReactNode
}

function Chunk({ count, isFirst, children }: ChunkProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const itemHeight = useRef(guessedHeight)
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    const node = place.current!
    const look = (entries: IntersectionObserverEntry[]): void => {
      const entry = entries.at(-1)!
      const shown = node.querySelectorAll('li').length
      if (shown > 0) itemHeight.current = entry.boundingClientRect.height / shown
      setNear(entry.isIntersecting)
    }
    const observer = new IntersectionObserver(look, { root: scrollerOf(node), rootMargin: margin })
    observer.observe(node)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} style={isNear ? undefined : { height: count * itemHeight.current }}>
      {isNear && children()}
    </div>
  )
}

const scrollerOf = (node: HTMLElement): HTMLElement | null => node.closest('.list-scroll')
