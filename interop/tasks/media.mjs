import { check, equal } from '../lib/check.mjs'

export default {
  name: 'media',
  title: 'media',
  needs: 'media',
  about: 'pictures in results, as base64 that decodes to the announced type',
  shows: ['tools.result.image'],
  async run({ open, work: { media } }) {
    const session = await open()
    const { content } = await session.call(media.name, media.arguments)
    const image = content.find(({ type }) => type === 'image')
    check(image !== undefined, `an image among ${content.map(({ type }) => type).join(', ')}`)
    equal(image.mimeType, 'image/png', 'media type')
    equal(Buffer.from(image.data, 'base64').toString('latin1', 1, 4), 'PNG', 'first bytes')
  },
}
