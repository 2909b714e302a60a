import { check, equal, includes, matches } from '../lib/check.mjs'

export default {
  name: 'resources',
  title: 'resources',
  needs: 'resources',
  about: 'resources and templates listed page after page; text and bytes read',
  shows: [
    'res.list.respond',
    'res.list.paginated',
    'res.templates.paginated',
    'res.read.contents',
    'res.sec.binary-encoding',
  ],
  async run({ open, work: { resources } }) {
    const session = await open()
    const listed = (await session.resources()).map(({ uri }) => uri)
    includes(listed, resources.uris, 'resources')
    check(new Set(listed).size === listed.length, 'a resource is listed once')
    if (resources.templates) {
      const templates = (await session.templates()).map(({ uriTemplate }) => uriTemplate)
      includes(templates, resources.templates, 'templates')
    }
    for (const { uri, text } of resources.texts ?? []) {
      const [contents] = await session.read(uri)
      equal(contents.uri, uri, 'URI')
      matches(contents.text, text, `text of ${uri}`)
    }
    for (const { uri, mimeType } of resources.blobs ?? []) {
      const [contents] = await session.read(uri)
      equal(contents.mimeType, mimeType, `media type of ${uri}`)
      check(Buffer.from(contents.blob, 'base64').length > 0, `${uri} has bytes`)
    }
  },
}
