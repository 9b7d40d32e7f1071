import type { Warning } from '../../../plugins/carrier/model.ts'
import { findCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import type { Destination } from '../orders.model.ts'

/** Whether the places of the country are known and the address names none of them. */
export const isPlaceUnknown = ({ country, resolved }: Pick<Destination, 'country' | 'resolved'>): boolean =>
  resolved.method === 'none' && findCatalogue(country) !== undefined

/** Tells of an address that no carrier could be given. */
export const placeWarnings = (destination: Destination): Warning[] =>
  isPlaceUnknown(destination)
    ? [
        {
          code: 'place_unknown',
          message: `No place of ${destination.country} is called "${destination.stateCode}, ${destination.cityName}". Correct the address before it is sent.`,
        },
      ]
    : []
