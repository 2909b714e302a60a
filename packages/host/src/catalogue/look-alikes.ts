/** Letters of other alphabets, and digits, that look like Latin letters in most fonts. */
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑαａ',
    b: 'ЬьƄ',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еҽ',
    g: 'ɡց',
    h: 'һհ',
    i: 'іıɩιⅰ1l|ӏ!',
    j: 'јϳ',
    k: 'κк',
    m: 'мⅿ',
    n: 'ոп',
    o: '0оοօσ',
    p: 'рρ',
    q: 'ԛգ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'т',
    u: 'υսц',
    v: 'νѵⅴ',
    w: 'ԝաω',
    x: 'хⅹ×',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)

/** The form of a name that all names share which look like it. */
function skeletonOf(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
  return [...folded]
    .map((character) => twins.get(character) ?? character)
    .join('')
    .replace(/[-_.\s]+/g, '')
    .replaceAll('rn', 'm')
}

/** Names that look like another one of the list, each with that one. */
export function lookAlikesAmong(names: readonly string[]): Map<string, string> {
  const first = new Map<string, string>()
  const found = new Map<string, string>()
  for (const name of names) {
    const skeleton = skeletonOf(name)
    const twin = first.get(skeleton)
    if (twin === undefined) first.set(skeleton, name)
    else {
      found.set(name, twin)
      if (!found.has(twin)) found.set(twin, name)
    }
  }
  return found
}
