/** The members of a list with the highest scores, best first; of equal ones those that come earlier. */
export function best(candidates: readonly number[], scoreOf: (id: number) => number, count: number): number[] {
  if (count >= candidates.length) return [...candidates].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b)
  // A heap whose root is the worst one that is kept: a full sort of all candidates would take much longer.
  const heap: number[] = []
  const isWorse = (a: number, b: number): boolean => scoreOf(a) < scoreOf(b) || (scoreOf(a) === scoreOf(b) && a > b)
  for (const id of candidates) {
    if (heap.length < count) {
      heap.push(id)
      siftUp(heap, isWorse)
    } else if (isWorse(heap[0]!, id)) {
      heap[0] = id
      siftDown(heap, isWorse)
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1))
}

function siftUp(heap: number[], isWorse: (a: number, b: number) => boolean): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1
    if (!isWorse(heap[at]!, heap[parent]!)) return
    swap(heap, at, parent)
    at = parent
  }
}

function siftDown(heap: number[], isWorse: (a: number, b: number) => boolean): void {
  for (let at = 0; ; ) {
    const left = at * 2 + 1
    const right = left + 1
    let worst = at
    if (left < heap.length && isWorse(heap[left]!, heap[worst]!)) worst = left
    if (right < heap.length && isWorse(heap[right]!, heap[worst]!)) worst = right
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a]!
  heap[a] = heap[b]!
  heap[b] = kept
}
