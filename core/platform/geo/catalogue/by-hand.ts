import { Type as T } from '@sinclair/typebox'
import { ApiError } from '../../../http/errors/errors.ts'
import type { Change, Owner, Resource } from '../../../http/resource/resource.ts'

/** Countries, states and cities are the platform's, for anybody to read. */
export const platform: Owner = { of: 'platform' }

/** Whether anybody finds it in lists. */
export const Enabled = T.Optional(T.Boolean({ description: 'whether it is listed; on unless said' }))

/** What the three tables have in common: they come with the code, and administrators add to them and change them. */
export const byHand = {
  kept: {
    catalogued: T.Boolean({ description: 'whether it comes with the catalogue: then it can be changed or hidden, but not deleted' }),
  },
  shown: { to: 'anybody', where: { enabled: true } },
  sorts: ['name', 'updatedAt'],
  stamps: () => ({ edited: true }),
  check: async (_, { verb, row }: Change) => {
    if (verb === 'remove' && row?.catalogued)
      throw new ApiError('conflict', 'This comes with the catalogue that addresses are resolved by. Hide it instead: "enabled": false.')
  },
} as const satisfies Partial<Resource>
