// A view that takes its data with it, by leaving its page.
const url = `${collector}/exit?by=${way}`
const exits = {
  assign: () => location.assign(url),
  refresh: () =>
    document.head.append(
      Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${url}` }),
    ),
  form: () => {
    const form = Object.assign(document.createElement('form'), { action: url, method: 'post' })
    document.body.append(form)
    form.submit()
  },
  link: () => Object.assign(document.createElement('a'), { href: url, ping: `${url}-ping` }).click(),
  download: () => Object.assign(document.createElement('a'), { href: url, download: 'x' }).click(),
}
addEventListener('load', () => setTimeout(exits[way]))
