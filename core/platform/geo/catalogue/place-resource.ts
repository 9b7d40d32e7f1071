import { Type as T } from '@sinclair/typebox'
import type { Change, Owner, Resource } from '../../../http/resource/resource.ts'
import { geoErrors } from '../geo.errors.ts'

/** Owner of countries, states and cities: the platform. Anyone may read them. */
export const platformOwner: Owner = { of: 'platform' }

/** Schema of the field that lists or hides a place. */
export const Enabled = T.Optional(T.Boolean({ description: 'whether it is listed; true by default' }))

/** Shared definition of the three tables. Their rows come with the code, and administrators add and change rows. */
export const placeResource = {
  readOnlyFields: {
    catalogued: T.Boolean({ description: 'whether it comes with the catalogue: then it can be changed or hidden, but not deleted' }),
  },
  publicView: { to: 'anybody', where: { enabled: true } },
  sorts: ['name', 'updatedAt'],
  deriveValues: () => ({ edited: true }),
  check: async (_, { verb, row }: Change) => {
    if (verb === 'remove' && row?.catalogued) throw geoErrors.catalogueOption()
  },
} as const satisfies Partial<Resource>
