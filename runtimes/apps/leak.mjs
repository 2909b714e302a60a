// A view that tries every way out that needs no consent.
const blocked = new Set()
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.add(effectiveDirective))
const say = (way) => `${collector}/leak?by=${way}`
const element = (name, attributes) => {
  const made = Object.assign(document.createElement(name), attributes)
  document.body.append(made)
  return made
}
const attempts = {
  fetch: () => fetch(say('fetch'), { mode: 'no-cors' }),
  beacon: () => navigator.sendBeacon(say('beacon'), 'x'),
  socket: () => new WebSocket(say('socket').replace('http', 'ws')),
  events: () => new EventSource(say('events')),
  image: () => element('img', { src: say('image') }),
  script: () => element('script', { src: say('script') }),
  module: () => import(say('module')),
  style: () => element('link', { rel: 'stylesheet', href: say('style') }),
  prefetch: () => element('link', { rel: 'prefetch', href: say('prefetch') }),
  font: () =>
    document.fonts.add(new FontFace('x', `url(${say('font')})`)) && new FontFace('x', `url(${say('font')})`).load(),
  media: () => element('video', { src: say('media') }).load(),
  frame: () => element('iframe', { src: say('frame') }),
  object: () => element('object', { data: say('object') }),
  worker: () => new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(say('worker'))})`]))),
  popup: () => window.open(say('popup')),
}
for (const attempt of Object.values(attempts)) {
  try {
    await Promise.race([attempt(), new Promise((resolve) => setTimeout(resolve, 50))])
  } catch {}
}
globalThis.tried = Object.keys(attempts).length
// A browser prefetches when it is idle, and reports `default-src` then.
globalThis.blocked = () =>
  [...blocked]
    .filter((name) => name !== 'default-src')
    .sort()
    .join(' ')
