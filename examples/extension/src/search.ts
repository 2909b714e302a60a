import { extension } from '@tenon/sdk/extension'
import { z } from 'zod'

/** Described once, for both sides: declared, checked and typed from here. */
export const search = extension({
  id: 'com.example/search',
  methods: {
    'search/query': {
      params: z.object({ text: z.string().min(1) }),
      result: z.object({ hits: z.array(z.string()) }),
    },
  },
})
