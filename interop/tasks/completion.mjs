import { equal } from '../lib/check.mjs'

export default {
  name: 'completion',
  title: 'completion',
  needs: 'completion',
  about: 'values suggested for arguments of prompts and variables of templates',
  shows: ['complete.ref-types'],
  async run({ open, work: { completion } }) {
    const session = await open()
    for (const { ref, argument, values } of completion)
      equal(await session.complete(ref, argument), values, `values for ${argument.name}`)
  },
}
