/** How well a text matches a search: all words have to occur, and their places decide. Undefined if not. */
function score(query: string, ...texts: (string | undefined)[]): number | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  let sum = 0
  for (const word of words) {
    const best = Math.max(...texts.map((text, index) => wordScore(word, text?.toLowerCase()) - index * 10))
    if (best < -1_000) return undefined
    sum += best
  }
  return sum
}

function wordScore(word: string, text: string | undefined): number {
  const at = text?.indexOf(word) ?? -1
  if (text === undefined || at === -1) return Number.NEGATIVE_INFINITY
  const startsWord = at === 0 || /[\s_\-/.:]/.test(text[at - 1]!)
  return (at === 0 ? 60 : startsWord ? 40 : 20) - Math.min(text.length, 200) / 20
}

/** The matching items, best first; all of them in their order if the search is empty. */
export function search<Item>(
  items: readonly Item[],
  query: string,
  texts: (item: Item) => (string | undefined)[],
): Item[] {
  if (query.trim() === '') return [...items]
  return items
    .flatMap((item) => {
      const points = score(query, ...texts(item))
      return points === undefined ? [] : [{ item, points }]
    })
    .toSorted((a, b) => b.points - a.points)
    .map(({ item }) => item)
}
