const known = new Map()

/** So many records; always the same ones, so that making them costs nobody anything. */
export function records(count) {
  if (!known.has(count))
    known.set(
      count,
      Array.from({ length: count }, (_, at) => recordAt(at)),
    )
  return known.get(count)
}

/** The number of records that take about so many bytes as JSON. */
export const recordsIn = (bytes) => Math.max(1, Math.round(bytes / JSON.stringify(recordAt(0)).length))

const recordAt = (at) => ({
  id: 100_000 + at,
  name: `Record number ${100_000 + at}`,
  tags: ['bench', 'structured'],
  score: at % 10,
  open: at % 2 === 0,
})
